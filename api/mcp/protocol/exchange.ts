import type { IncomingMessage, ServerResponse } from 'node:http'
import { accepts, names } from '../../http/accept.ts'
import { encode, encodingOf, isCompressible, MIN_BYTES } from '../../http/encoding.ts'
import { checkMembers, checkSize } from '../../http/request-body.ts'
import { Problem } from '../../problem.ts'

const JSON_TYPE = 'application/json'
const EVENT_STREAM = 'text/event-stream'
const ACCEPT_BOTH = `${JSON_TYPE}, ${EVENT_STREAM}`

/** Whether an answer reaches the client as server-sent events, one by one: a client that only stars its Accept gets JSON at the end. */
export function takesStream(accept: string | null | undefined): boolean {
  if (!names(accept, EVENT_STREAM)) return false
  return names(accept, JSON_TYPE) || !accepts(accept, [JSON_TYPE])
}

/** What the SDK reads of a request that is given with its parsed message. */
export interface MessageRequest {
  readonly method: string
  readonly headers: Headers
  readonly signal: AbortSignal
}

export type Fetch<Options> = (request: MessageRequest, options: Options) => Promise<Response>

/**
 * The SDK requires both media types in Accept. Here either is enough: a client that accepts JSON alone gets the last message of the
 * stream as JSON. A client that accepts neither is refused by the SDK.
 */
export function eitherForm<Options>(fetch: Fetch<Options>): Fetch<Options> {
  return async (request, options) => {
    const accept = request.headers.get('accept')
    if (accept === ACCEPT_BOTH || !accepts(accept, [JSON_TYPE, EVENT_STREAM])) return fetch(request, options)
    const headers = new Headers(request.headers)
    headers.set('accept', ACCEPT_BOTH)
    const answer = await fetch({ ...request, headers }, options)
    const streamed = answer.headers.get('content-type')?.includes('text/event-stream')
    if (!streamed || takesStream(accept) || !accepts(accept, [JSON_TYPE])) return answer
    const messages = (await answer.text())
      .split(/\r?\n\r?\n/)
      .map((event) =>
        event
          .split(/\r?\n/)
          .filter((line) => line.startsWith('data:'))
          .map((line) => line.slice(5).trim())
          .join(''),
      )
      .filter(Boolean)
      .map((data) => JSON.parse(data) as { id?: unknown })
      .filter(({ id }) => id !== undefined)
    return Response.json(messages.length === 1 ? messages[0] : messages, { status: answer.status })
  }
}

/**
 * Answers a request of Node by a handler of the SDK; the work is aborted when the client disconnects. The adapter of the SDK makes a
 * `Request` of undici with a signal for each message, and those leave finalizers: batches of them blocked the thread for 30–60 ms.
 */
export async function serve<Options>(
  fetch: Fetch<Options>,
  request: IncomingMessage,
  response: ServerResponse,
  options: Options,
): Promise<void> {
  const abort = new AbortController()
  response.once('close', () => abort.abort())
  if (response.destroyed) abort.abort()
  const headers = new Headers()
  for (const [name, value] of Object.entries(request.headers))
    if (value !== undefined) headers.set(name, Array.isArray(value) ? value.join(', ') : value)
  const answer = await fetch({ method: request.method ?? 'POST', headers, signal: abort.signal }, options)
  const given = Object.fromEntries(answer.headers)
  if (answer.body === null) return void response.writeHead(answer.status, given).end()
  if (isCompressible(given['content-type'] ?? '')) return sendWhole(request, response, answer, given)
  response.writeHead(answer.status, given)
  try {
    for await (const part of answer.body as unknown as AsyncIterable<Uint8Array>) {
      if (abort.signal.aborted) break
      if (!response.write(part)) await drained(response)
    }
  } catch {
    // What was sent is the beginning of an answer: the client sees that it ends early.
  }
  response.end()
}

/** A JSON answer in the coding that the client prefers; a stream is sent as it comes. */
async function sendWhole(
  request: IncomingMessage,
  response: ServerResponse,
  answer: Response,
  { 'content-length': _, ...headers }: Record<string, string>,
): Promise<void> {
  const body = Buffer.from(await answer.arrayBuffer())
  const encoding = body.length < MIN_BYTES ? undefined : encodingOf(request.headers['accept-encoding'])
  if (body.length >= MIN_BYTES)
    headers['vary'] = headers['vary'] ? `${headers['vary']}, Accept-Encoding` : 'Accept-Encoding'
  if (encoding) headers['content-encoding'] = encoding
  const sent = encoding ? await encode(body, encoding) : body
  response.writeHead(answer.status, { ...headers, 'content-length': String(sent.length) }).end(sent)
}

function drained(response: ServerResponse): Promise<void> {
  if (response.destroyed) return Promise.resolve()
  return new Promise((resolve) => {
    const done = () => {
      response.off('drain', done).off('close', done)
      resolve()
    }
    response.once('drain', done).once('close', done)
  })
}

/** Messages of a batch, which begin in one turn of the event loop: 1 ms each. Revisions since 2025-06-18 have no batches. */
const MAX_BATCH = 20

/** The body of a request. @throws Problem payload-too-large; SyntaxError where it is no JSON */
export async function messageOf(request: IncomingMessage, largest: number): Promise<unknown> {
  const tooLarge = () =>
    new Problem('payload-too-large', `body: wanted at most ${largest} bytes for one message. Ask for less in one call.`)
  if (Number(request.headers['content-length']) > largest) throw tooLarge()
  const parts: Buffer[] = []
  let bytes = 0
  for await (const part of request as AsyncIterable<Buffer>) {
    bytes += part.length
    if (bytes > largest) throw tooLarge()
    parts.push(part)
  }
  const whole = Buffer.concat(parts)
  checkSize(whole)
  const message: unknown = JSON.parse(whole.toString())
  checkMembers(message)
  if (Array.isArray(message) && message.length > MAX_BATCH)
    throw new Problem('payload-too-large', `body: wanted at most ${MAX_BATCH} messages at once, got ${message.length}.`)
  return message
}

interface Message {
  readonly id?: unknown
  readonly method?: unknown
  readonly params?: { readonly requestId?: unknown }
}

/**
 * Calls in work, by caller and request id. In revision 2025-11-25 a cancellation is a request of its own, and without sessions only these
 * two identify the call: where a caller has two calls with one id in work, neither is cancelled.
 */
export class CallsInWork {
  readonly #calls = new Map<string, Set<ServerResponse>>()

  /** Tracks a call until its response ends; a cancellation closes the connection of the call, which aborts the work. */
  take(message: unknown, caller: string, response: ServerResponse): void {
    const { id, method, params } = (message ?? {}) as Message
    if (method === 'notifications/cancelled') {
      const named = this.#calls.get(`${caller} ${JSON.stringify(params?.requestId)}`)
      const [one] = named ?? []
      if (one && named?.size === 1) one.destroy()
      return
    }
    if (method !== 'tools/call' || id === undefined) return
    const name = `${caller} ${JSON.stringify(id)}`
    const same = this.#calls.get(name) ?? new Set()
    this.#calls.set(name, same.add(response))
    response.once('close', () => {
      same.delete(response)
      if (same.size === 0 && this.#calls.get(name) === same) this.#calls.delete(name)
    })
  }
}

import type { IncomingMessage, ServerResponse } from 'node:http'
import { accepts, names } from '../../http/accept.ts'
import { encode, encodingOf, isCompressible, MIN_BYTES } from '../../http/encoding.ts'
import { checkMembers, checkSize } from '../../http/request-body.ts'
import { Problem } from '../../problem.ts'

const JSON_TYPE = 'application/json'
const EVENT_STREAM = 'text/event-stream'
const ACCEPT_BOTH = `${JSON_TYPE}, ${EVENT_STREAM}`

/** Returns whether a client gets server-sent events as they occur. A client whose Accept matches only by a wildcard gets JSON at the end. */
export function takesStream(accept: string | null | undefined): boolean {
  if (!names(accept, EVENT_STREAM)) return false
  return names(accept, JSON_TYPE) || !accepts(accept, [JSON_TYPE])
}

/** The members of a request that the SDK reads when it gets the parsed message separately. */
export interface MessageRequest {
  readonly method: string
  readonly headers: Headers
  readonly signal: AbortSignal
}

export type Fetch<Options> = (request: MessageRequest, options: Options) => Promise<Response>

/**
 * Returns a handler that accepts clients with only one of the two media types in Accept, although the SDK requires both. A client that accepts
 * only JSON gets the last message of the stream as JSON. The SDK rejects a client that accepts neither.
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
 * Answers a Node request with a handler of the SDK, and aborts the work when the client disconnects. The adapter of the SDK is not used:
 * it makes an undici `Request` with a signal for each message, whose finalizers blocked the thread for 30–60 ms at a time.
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
  const responseHeaders = Object.fromEntries(answer.headers)
  if (answer.body === null) return void response.writeHead(answer.status, responseHeaders).end()
  if (isCompressible(answer.headers.get('content-type') ?? ''))
    return sendBody(request, response, answer, responseHeaders)
  response.writeHead(answer.status, responseHeaders)
  try {
    for await (const part of answer.body as unknown as AsyncIterable<Uint8Array>) {
      if (abort.signal.aborted || response.writableEnded) break
      if (!response.write(part)) await drained(response)
    }
  } catch {
    // The client has received the beginning of the answer and notices that it ends early.
  }
  response.end()
}

/** Sends a JSON answer with the content coding that the client prefers. */
async function sendBody(
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

/** Messages of a batch start in one turn of the event loop, about 1 ms each. Revisions since 2025-06-18 have no batches. */
const MAX_BATCH = 20

/** Returns the parsed body of a request. @throws Problem payload-too-large; SyntaxError for a body that is not JSON */
export async function messageOf(request: IncomingMessage, maxBytes: number): Promise<unknown> {
  const tooLarge = () =>
    new Problem('payload-too-large', `The body must be at most ${maxBytes} bytes. Ask for less in one call.`)
  if (Number(request.headers['content-length']) > maxBytes) throw tooLarge()
  const parts: Buffer[] = []
  let bytes = 0
  for await (const part of request as AsyncIterable<Buffer>) {
    bytes += part.length
    if (bytes > maxBytes) throw tooLarge()
    parts.push(part)
  }
  const body = Buffer.concat(parts)
  checkSize(body)
  const message: unknown = JSON.parse(body.toString())
  checkMembers(message)
  if (Array.isArray(message) && message.length > MAX_BATCH)
    throw new Problem(
      'payload-too-large',
      `A batch must have at most ${MAX_BATCH} messages, but has ${message.length}.`,
    )
  return message
}

interface RpcMessage {
  readonly id?: unknown
  readonly method?: unknown
  readonly params?: { readonly requestId?: unknown }
}

/**
 * Running calls by caller and request id. In revision 2025-11-25 a cancellation is a separate request, and without sessions only the
 * caller and the id identify the call. If a caller has two running calls with the same id, neither is cancelled.
 */
export class RunningCalls {
  readonly #calls = new Map<string, Set<ServerResponse>>()

  /** Tracks a call until its response ends; a cancellation closes the connection of the call, which aborts the work. */
  track(message: unknown, caller: string, response: ServerResponse): void {
    const { id, method, params } = (message ?? {}) as RpcMessage
    if (method === 'notifications/cancelled') {
      const responses = this.#calls.get(`${caller} ${JSON.stringify(params?.requestId)}`)
      const [running] = responses ?? []
      if (running && responses?.size === 1) running.destroy()
      return
    }
    if (method !== 'tools/call' || id === undefined) return
    const name = `${caller} ${JSON.stringify(id)}`
    const responses = this.#calls.get(name) ?? new Set()
    this.#calls.set(name, responses.add(response))
    response.once('close', () => {
      responses.delete(response)
      if (responses.size === 0 && this.#calls.get(name) === responses) this.#calls.delete(name)
    })
  }
}

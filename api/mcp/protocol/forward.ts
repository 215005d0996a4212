import { createInterface } from 'node:readline'

/** Calls that are pending when stdin ends are answered within this time, which is longer than a call may take. */
export const LAST_ANSWERS_MS = 25_000

/**
 * Forwards every message of stdin to the tool server at `HEXCAST_URL` with `HEXCAST_KEY`, and writes its answers to stdout.
 * Resolves when stdin has closed and all answers are written, at the latest after `LAST_ANSWERS_MS`.
 */
export async function forwardTools(url: string, key: string): Promise<void> {
  const controllers = new Map<unknown, AbortController>()
  const running = new Set<Promise<void>>()
  let version = ''
  for await (const line of createInterface({ input: process.stdin })) {
    if (!line.trim()) continue
    const message = read(line)
    if (message?.method === 'notifications/cancelled') controllers.get(message.params?.requestId)?.abort()
    const call = forward(line, message).catch((error: Error) => {
      console.error(`hexcast mcp: ${url}: ${error.message}`)
      if (message?.id !== undefined && error.name !== 'AbortError') {
        print({
          jsonrpc: '2.0',
          id: message.id,
          error: { code: -32603, message: `${url} gave no answer: ${error.message}` },
        })
      }
    })
    // Subscriptions end with the client; running calls are answered first.
    if (message?.method === 'subscriptions/listen') continue
    running.add(call)
    void call.finally(() => running.delete(call))
  }
  await Promise.race([Promise.all(running), new Promise((resolve) => setTimeout(resolve, LAST_ANSWERS_MS).unref())])
  for (const controller of controllers.values()) controller.abort()

  async function forward(line: string, message: ForwardedMessage | undefined): Promise<void> {
    const controller = new AbortController()
    if (message?.id !== undefined) controllers.set(message.id, controller)
    const ownVersion = message?.params?._meta?.['io.modelcontextprotocol/protocolVersion']
    const headers: Record<string, string> = {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      authorization: `Bearer ${key}`,
    }
    if (ownVersion ?? version) headers['mcp-protocol-version'] = ownVersion ?? version
    if (ownVersion && message?.method) headers['mcp-method'] = message.method
    const name = message?.params?.name ?? message?.params?.uri
    if (ownVersion && typeof name === 'string') headers['mcp-name'] = name
    try {
      const reply = await fetch(`${url.replace(/\/$/, '')}/mcp`, {
        method: 'POST',
        headers,
        body: line,
        signal: controller.signal,
      })
      if (reply.headers.get('content-type')?.includes('text/event-stream') && reply.body) {
        let isAnswered = false
        for await (const data of eventsOf(reply.body)) {
          const forwarded = JSON.parse(data) as ForwardedAnswer
          if (forwarded.id !== undefined && forwarded.id === message?.id) isAnswered = true
          print(forwarded)
        }
        // Without a message the client would believe that its subscription or its call goes on.
        if (message?.id !== undefined && !isAnswered && !controller.signal.aborted)
          throw new Error('the stream ended without an answer; send the request again')
        return
      }
      const text = await reply.text()
      if (!text) return
      const body = JSON.parse(text) as ForwardedAnswer
      if (body.jsonrpc) {
        const negotiated = body.result?.protocolVersion
        if (message?.method === 'initialize' && negotiated) version = negotiated
        print(body)
      } else if (message?.id !== undefined) {
        print({
          jsonrpc: '2.0',
          id: message.id,
          error: { code: -32603, message: `${reply.status}: ${body.detail ?? body.title}` },
        })
      }
    } finally {
      controllers.delete(message?.id)
    }
  }
}

/** Longest event, characters. An answer has 64 KB of data, and one with a picture some hundred. */
const MAX_EVENT = 16_777_216

/** Returns the data of server-sent events as they arrive. */
async function* eventsOf(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  let buffered = ''
  const decoder = new TextDecoderStream()
  for await (const part of body.pipeThrough(decoder as never) as unknown as AsyncIterable<string>) {
    buffered += part
    const events = buffered.split(/\r?\n\r?\n/)
    buffered = events.pop() ?? ''
    if (buffered.length > MAX_EVENT) throw new Error(`an event has more than ${MAX_EVENT} characters`)
    for (const event of events) {
      const data = event
        .split(/\r?\n/)
        .filter((line) => line.startsWith('data:'))
        .map((line) => line.slice(5).trim())
        .join('')
      if (data) yield data
    }
  }
}

interface ForwardedMessage {
  readonly id?: unknown
  readonly method?: string
  readonly params?: {
    readonly requestId?: unknown
    readonly name?: unknown
    readonly uri?: unknown
    readonly _meta?: { readonly 'io.modelcontextprotocol/protocolVersion'?: string }
  }
}

/** A JSON-RPC message, or a problem document. */
interface ForwardedAnswer {
  readonly jsonrpc?: string
  readonly id?: unknown
  readonly result?: { readonly protocolVersion?: string }
  readonly detail?: string
  readonly title?: string
}

function read(line: string): ForwardedMessage | undefined {
  try {
    return JSON.parse(line) as ForwardedMessage
  } catch {
    return undefined
  }
}

function print(message: unknown): void {
  process.stdout.write(`${JSON.stringify(message)}\n`)
}

import { createInterface } from 'node:readline'

/**
 * Passes every message of stdin on to the tool server of another machine and its answers back: `HEXCAST_URL` and `HEXCAST_KEY`.
 * Resolves when stdin closes and all answers are given.
 */
export async function forwardTools(url: string, key: string): Promise<void> {
  const under = new Map<unknown, AbortController>()
  const work = new Set<Promise<void>>()
  let version = ''
  for await (const line of createInterface({ input: process.stdin })) {
    if (!line.trim()) continue
    const message = read(line)
    if (message?.method === 'notifications/cancelled') under.get(message.params?.['requestId'])?.abort()
    const one = pass(line, message).catch((error: Error) => {
      console.error(`hexcast mcp: ${url}: ${error.message}`)
      if (message?.id !== undefined && error.name !== 'AbortError') {
        print({
          jsonrpc: '2.0',
          id: message.id,
          error: { code: -32603, message: `${url} could not be reached: ${error.message}` },
        })
      }
    })
    work.add(one)
    void one.finally(() => work.delete(one))
  }
  // Streams of subscriptions end with the client; calls have a moment to be answered.
  await Promise.race([Promise.all(work), new Promise((resolve) => setTimeout(resolve, 1500))])
  for (const one of under.values()) one.abort()

  async function pass(line: string, message: Message | undefined): Promise<void> {
    const gone = new AbortController()
    if (message?.id !== undefined) under.set(message.id, gone)
    const asked = (message?.params?.['_meta'] as Record<string, string> | undefined)?.[
      'io.modelcontextprotocol/protocolVersion'
    ]
    const headers: Record<string, string> = {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      authorization: `Bearer ${key}`,
    }
    if (asked ?? version) headers['mcp-protocol-version'] = asked ?? version
    if (asked && message?.method) headers['mcp-method'] = message.method
    const name = message?.params?.['name'] ?? message?.params?.['uri']
    if (asked && typeof name === 'string') headers['mcp-name'] = name
    try {
      const reply = await fetch(`${url.replace(/\/$/, '')}/mcp`, {
        method: 'POST',
        headers,
        body: line,
        signal: gone.signal,
      })
      if (reply.headers.get('content-type')?.includes('text/event-stream') && reply.body) {
        for await (const data of eventsOf(reply.body)) print(JSON.parse(data))
        return
      }
      const text = await reply.text()
      if (!text) return
      const body = JSON.parse(text) as Record<string, unknown>
      if (body['jsonrpc']) {
        const chosen = (body['result'] as { protocolVersion?: string } | undefined)?.protocolVersion
        if (message?.method === 'initialize' && chosen) version = chosen
        print(body)
      } else if (message?.id !== undefined) {
        print({
          jsonrpc: '2.0',
          id: message.id,
          error: { code: -32603, message: `${reply.status}: ${String(body['detail'] ?? body['title'])}` },
        })
      }
    } finally {
      under.delete(message?.id)
    }
  }
}

/** Characters of one event: an answer has 64 KB of data, a picture some hundred. */
const MAX_EVENT = 16_777_216

/** The data of server-sent events, as they come. */
async function* eventsOf(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  let rest = ''
  const decoder = new TextDecoderStream()
  for await (const part of body.pipeThrough(decoder as never) as unknown as AsyncIterable<string>) {
    rest += part
    const events = rest.split(/\r?\n\r?\n/)
    rest = events.pop() ?? ''
    if (rest.length > MAX_EVENT) throw new Error(`an event of more than ${MAX_EVENT} characters`)
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

interface Message {
  readonly id?: unknown
  readonly method?: string
  readonly params?: Record<string, unknown>
}

function read(line: string): Message | undefined {
  try {
    return JSON.parse(line) as Message
  } catch {
    return undefined
  }
}

function print(message: unknown): void {
  process.stdout.write(`${JSON.stringify(message)}\n`)
}

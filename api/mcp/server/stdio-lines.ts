import { PassThrough, type Readable } from 'node:stream'
import { LAST_ANSWERS_MS } from '../protocol/forward.ts'

/** Longest line, bytes. A request over HTTP has at most a tenth of it. */
const MAX_LINE_BYTES = 10 * 1024 * 1024
const NEWLINE = 0x0a

/** The answer to a message that is not JSON-RPC. */
interface RejectedLine {
  readonly jsonrpc: '2.0'
  readonly id: string | number | null
  readonly error: { readonly code: number; readonly message: string }
}

const rejected = (code: number, message: string, id: string | number | null = null): RejectedLine => ({
  jsonrpc: '2.0',
  id,
  error: { code, message },
})

interface LineMessage {
  readonly id?: unknown
  readonly method?: unknown
  readonly params?: { readonly requestId?: unknown }
}

/** Returns a line as a JSON-RPC message, or its rejection: no JSON (-32700), or no JSON-RPC message (-32600). */
export function readLine(line: string): { readonly message: LineMessage } | { readonly rejection: RejectedLine } {
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch {
    return { rejection: rejected(-32700, 'Parse error: the line is not JSON. Send one JSON-RPC message a line.') }
  }
  const message = (value ?? {}) as Record<string, unknown>
  const { jsonrpc, id, method, result, error } = message
  if (jsonrpc === '2.0' && (typeof method === 'string' || result !== undefined || error !== undefined))
    return { message: message as LineMessage }
  const known = typeof id === 'string' || typeof id === 'number' ? id : null
  return { rejection: rejected(-32600, 'Invalid request: the line is no JSON-RPC 2.0 message.', known) }
}

/**
 * The lines of stdin for the transport of the SDK, which skips broken lines without an answer and drops pending calls when stdin ends. The
 * stream that the transport reads ends when all calls are answered.
 */
export class StdioLines {
  /** What the transport reads. */
  readonly input = new PassThrough()
  readonly #pending = new Set<string>()
  #line: Buffer[] = []
  #bytes = 0
  #hasEnded = false

  /** @param reject writes the answer to a line that is no message */
  constructor(source: Readable, reject: (answer: RejectedLine) => void) {
    source.on('data', (chunk: Buffer) => {
      for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE)) {
        this.#add(chunk.subarray(0, at))
        this.#take(reject)
        chunk = chunk.subarray(at + 1)
      }
      this.#add(chunk)
      // The end of the source rejects the line.
      if (this.#bytes > MAX_LINE_BYTES) source.destroy()
    })
    const end = () => {
      if (this.#hasEnded) return
      this.#hasEnded = true
      this.#take(reject)
      this.#endIfAnswered()
      setTimeout(() => this.input.end(), LAST_ANSWERS_MS).unref()
    }
    source.once('end', end).once('close', end).once('error', end)
  }

  #add(part: Buffer): void {
    if (part.length === 0) return
    this.#line.push(part)
    this.#bytes += part.length
  }

  /** Passes the collected line on, or rejects it. */
  #take(reject: (answer: RejectedLine) => void): void {
    const isTooLong = this.#bytes > MAX_LINE_BYTES
    const line = isTooLong ? '' : Buffer.concat(this.#line).toString().trim()
    this.#line = []
    this.#bytes = 0
    if (isTooLong) reject(rejected(-32600, `Invalid request: a line must have at most ${MAX_LINE_BYTES} bytes.`))
    if (!line) return
    const read = readLine(line)
    if ('rejection' in read) {
      reject(read.rejection)
      return
    }
    this.#note(read.message)
    this.input.write(`${line}\n`)
  }

  #note({ id, method, params }: LineMessage): void {
    if (method === 'notifications/cancelled') this.answered(params?.requestId)
    // A subscription is answered only when it ends.
    if (id !== undefined && typeof method === 'string' && method !== 'subscriptions/listen')
      this.#pending.add(JSON.stringify(id))
  }

  /** Records that a request has been answered. */
  answered(id: unknown): void {
    this.#pending.delete(JSON.stringify(id))
    this.#endIfAnswered()
  }

  #endIfAnswered(): void {
    if (this.#hasEnded && this.#pending.size === 0) this.input.end()
  }
}

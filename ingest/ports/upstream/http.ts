import * as http from 'node:http'
import * as https from 'node:https'

export interface RawReply {
  readonly status: number
  readonly headers: http.IncomingHttpHeaders
  readonly bytes: Uint8Array
  /** Length of the whole body if it is known. `bytes` is then the requested range of a body that the server sent from its beginning. */
  readonly wholeLength?: number | undefined
}

/** A transport failure before the reply is complete. The request can be retried. */
export class Broken extends Error {
  /** Whether the server accepted the connection but did not answer in time. */
  readonly isSilence: boolean

  constructor(message: string, isSilence = false) {
    super(message)
    this.isSilence = isSilence
  }
}

/** Minimum number of bytes that must arrive in each period of `idleMs`. A server that sends single bytes slowly counts as silent. */
const leastBytes = 4096

const openAgents = () => ({
  'http:': new http.Agent({ keepAlive: true, maxSockets: 64, keepAliveMsecs: 15_000 }),
  'https:': new https.Agent({ keepAlive: true, maxSockets: 64, keepAliveMsecs: 15_000 }),
})
const agents = openAgents()
/** Urgent requests have agents of their own: behind a mirror all sources are one host, and all its other connections may hang. */
const urgentAgents = openAgents()

/** The body is longer than the limit of its kind. The request must not be retried. */
export class TooLong extends Error {}

/** Maximum size of a buffer that is allocated before its bytes arrive, because Content-Length cannot be trusted. */
const MAX_AHEAD = 64 << 20

export interface BodyBounds {
  /** Time without a byte after which the request fails, ms. The first byte may take twice as long. */
  readonly idleMs: number
  readonly maxBytes: number
  /** First and last requested byte. If a server sends the whole object, only these bytes are stored. */
  readonly range?: readonly [first: number, last?: number]
  /** Number of bytes that all requests together may still buffer. */
  readonly budget?: { remaining: number }
  /** Whether the request uses a connection that is reserved for urgent requests. */
  readonly urgent?: boolean
}

/** Time limit of a whole body, ms: enough for a file of 200 MB at a tenth of the usual speed of a bucket. */
const MAX_BODY_MS = 600_000

/**
 * Makes a request and reads its whole body. If a range was requested and the server answers with status 200, only the range is stored.
 * @throws TooLong if the body exceeds `maxBytes`; Broken if the connection fails, stalls, or ends before Content-Length
 */
export function exchange(
  method: 'GET' | 'HEAD',
  url: string,
  headers: Record<string, string>,
  { idleMs, maxBytes, range, budget, urgent }: BodyBounds,
  signal?: AbortSignal,
): Promise<RawReply> {
  return new Promise((resolve, reject) => {
    const protocol = url.startsWith('https:') ? 'https:' : 'http:'
    const module = protocol === 'https:' ? https : http
    const request = module.request(url, { method, headers, agent: (urgent ? urgentAgents : agents)[protocol], signal })
    let pace: NodeJS.Timeout | undefined
    let receivedBytes = 0
    let over = false
    const done = () => {
      over = true
      clearInterval(pace)
      clearTimeout(overall)
      if (budget) budget.remaining += receivedBytes
      receivedBytes = 0
    }
    const end = (error: Error) => {
      done()
      request.destroy()
      reject(signal?.aborted ? signal.reason : error)
    }
    const fail = (why: string, isSilence = false) => end(new Broken(`${method} ${url}: ${why}`, isSilence))
    // Every byte of a header and every 1xx response restarts the timeout of the socket, so the head has a time limit of its own.
    let overall = setTimeout(() => fail(`no response header arrived within ${(2 * idleMs) / 1000} s`, true), 2 * idleMs)
    request.setTimeout(idleMs, () => fail(`no bytes for ${idleMs} ms`, true))
    request.on('error', (error) => fail(error.message))
    request.on('response', (response) => {
      clearTimeout(overall)
      overall = setTimeout(() => fail(`the body was incomplete after ${MAX_BODY_MS / 1000} s`), MAX_BODY_MS)
      const promised = method === 'HEAD' ? 0 : Number(response.headers['content-length'] ?? Number.NaN)
      const known = Number.isSafeInteger(promised) && promised >= 0
      const coded = (response.headers['content-encoding'] ?? 'identity') !== 'identity'
      const part = response.statusCode === 200 && !coded ? range : undefined
      const [first, last = Number.POSITIVE_INFINITY] = part ?? ([0] as const)
      const most =
        response.statusCode === 206 && !coded && range?.[1] !== undefined ? range[1] - range[0] + 1 : maxBytes
      const tooLong = (actual: string) =>
        end(new TooLong(`${url}: the body must have at most ${most} bytes, but has ${actual}`))
      const expected = known ? Math.max(0, Math.min(promised, last + 1) - first) : undefined
      if (expected !== undefined && expected > most) return tooLong(`${expected}`)
      // Chunks are copied into a buffer of the announced length as they arrive, which saves one copy of every body.
      let buffer = expected !== undefined && expected <= MAX_AHEAD ? new Uint8Array(expected) : undefined
      const chunks: Uint8Array[] = []
      let byteCount = 0
      let before = 0
      pace = setInterval(() => {
        if (byteCount - before < leastBytes)
          fail(`must deliver ${leastBytes} bytes in ${idleMs} ms, but delivered ${byteCount - before}`, true)
        before = byteCount
      }, idleMs)
      const finish = (length: number | undefined) => {
        const bytes = buffer ?? concat(chunks, receivedBytes)
        done()
        const { statusCode: status = 0, headers } = response
        resolve({ status, headers, bytes, ...(part && { wholeLength: length }) })
      }
      response.on('data', (chunk: Uint8Array) => {
        // Bytes that were read before the socket was destroyed still arrive here.
        if (over) return
        const neededPart = chunk.subarray(Math.max(0, first - byteCount), Math.max(0, last + 1 - byteCount))
        byteCount += chunk.length
        if (receivedBytes + neededPart.length > most) return tooLong('more')
        if (budget && budget.remaining < neededPart.length)
          return fail('no memory is left for the body, because other bodies in transfer use all of it')
        if (buffer && receivedBytes + neededPart.length <= buffer.length) buffer.set(neededPart, receivedBytes)
        else if (buffer) buffer = undefined
        else if (neededPart.length > 0) chunks.push(neededPart)
        receivedBytes += neededPart.length
        if (budget) budget.remaining -= neededPart.length
        // Bytes after the range are not needed, so the connection is closed.
        if (byteCount <= last || (known && byteCount >= promised)) return
        finish(known ? promised : undefined)
        request.destroy()
      })
      response.on('aborted', () => fail(`the connection broke after ${byteCount} bytes`))
      response.on('error', (error) => fail(error.message))
      response.on('end', () => {
        if (over) return
        if (method === 'GET' && known && byteCount !== promised)
          return fail(`the body must have ${promised} bytes, but has ${byteCount}`)
        finish(byteCount)
      })
    })
    request.end()
  })
}

function concat(chunks: readonly Uint8Array[], length: number): Uint8Array {
  const bytes = new Uint8Array(length)
  let at = 0
  for (const chunk of chunks) {
    bytes.set(chunk, at)
    at += chunk.length
  }
  return bytes
}

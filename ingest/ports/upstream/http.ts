import * as http from 'node:http'
import * as https from 'node:https'

export interface RawReply {
  readonly status: number
  readonly headers: http.IncomingHttpHeaders
  readonly bytes: Uint8Array
  /** Length of the whole body if known; then `bytes` is the requested range of a body that was sent from its beginning. */
  readonly whole?: number | undefined
}

/** A transport failure without a complete reply. It can be retried. */
export class Broken extends Error {
  /** Whether the server accepted the connection and gave no answer in time. */
  readonly isSilence: boolean

  constructor(message: string, isSilence = false) {
    super(message)
    this.isSilence = isSilence
  }
}

/** Bytes of a body that must arrive in each period of `idleMs`: a server that trickles single bytes counts as silent. */
const leastBytes = 4096

const openAgents = () => ({
  'http:': new http.Agent({ keepAlive: true, maxSockets: 64, keepAliveMsecs: 15_000 }),
  'https:': new https.Agent({ keepAlive: true, maxSockets: 64, keepAliveMsecs: 15_000 }),
})
const agents = openAgents()
/** Behind a mirror all sources are one host, whose connections may all hang. */
const urgentAgents = openAgents()

/** A body that is longer than this kind of source has. It must not be retried. */
export class TooLong extends Error {}

/** The largest buffer that is allocated before its bytes arrive: Content-Length is not trusted. */
const MAX_AHEAD = 64 << 20

export interface BodyBounds {
  /** Time without a byte after which the request has failed, ms; the first byte is awaited at most twice as long. */
  readonly idleMs: number
  readonly maxBytes: number
  /** First and last requested byte. If a server sends the whole object, only these bytes are kept. */
  readonly range?: readonly [first: number, last?: number]
  /** Bytes that all requests together may still keep. */
  readonly budget?: { left: number }
  /** Whether the request has a connection of its own kind, which no other request takes. */
  readonly urgent?: boolean
}

/** Limit for a whole body, ms: a file of 200 MB at a tenth of the speed of a bucket. */
const MAX_BODY_MS = 600_000

/**
 * Makes a request and reads its whole body, or the requested part of a body with status 200 and the length of the whole.
 * @throws TooLong; Broken if the connection fails, stalls, or ends before Content-Length
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
      if (budget) budget.left += receivedBytes
      receivedBytes = 0
    }
    const end = (error: Error) => {
      done()
      request.destroy()
      reject(signal?.aborted ? signal.reason : error)
    }
    const fail = (why: string, isSilence = false) => end(new Broken(`${method} ${url}: ${why}`, isSilence))
    // Every byte of a header and every 1xx restarts the timeout of the socket.
    let overall = setTimeout(() => fail(`no head of an answer within ${(2 * idleMs) / 1000} s`, true), 2 * idleMs)
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
      // A buffer of the announced length, filled as chunks arrive, saves one copy of every body.
      let whole = expected !== undefined && expected <= MAX_AHEAD ? new Uint8Array(expected) : undefined
      const chunks: Uint8Array[] = []
      let got = 0
      let before = 0
      pace = setInterval(() => {
        if (got - before < leastBytes)
          fail(`must deliver ${leastBytes} bytes in ${idleMs} ms, but delivered ${got - before}`, true)
        before = got
      }, idleMs)
      const finish = (length: number | undefined) => {
        const bytes = whole ?? concat(chunks, receivedBytes)
        done()
        const { statusCode: status = 0, headers } = response
        resolve({ status, headers, bytes, ...(part && { whole: length }) })
      }
      response.on('data', (chunk: Uint8Array) => {
        // Bytes that were read before the socket was destroyed still arrive.
        if (over) return
        const neededPart = chunk.subarray(Math.max(0, first - got), Math.max(0, last + 1 - got))
        got += chunk.length
        if (receivedBytes + neededPart.length > most) return tooLong('more')
        if (budget && budget.left < neededPart.length)
          return fail('no memory is left for the body, because other bodies in transfer use all of it')
        if (whole && receivedBytes + neededPart.length <= whole.length) whole.set(neededPart, receivedBytes)
        else if (whole) whole = undefined
        else if (neededPart.length > 0) chunks.push(neededPart)
        receivedBytes += neededPart.length
        if (budget) budget.left -= neededPart.length
        // Bytes after the part are not needed, so the connection is closed.
        if (got <= last || (known && got >= promised)) return
        finish(known ? promised : undefined)
        request.destroy()
      })
      response.on('aborted', () => fail(`the connection broke after ${got} bytes`))
      response.on('error', (error) => fail(error.message))
      response.on('end', () => {
        if (over) return
        if (method === 'GET' && known && got !== promised)
          return fail(`the body must have ${promised} bytes, but has ${got}`)
        finish(got)
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

import * as http from 'node:http'
import * as https from 'node:https'

export interface RawReply {
  readonly status: number
  readonly headers: http.IncomingHttpHeaders
  readonly bytes: Uint8Array
}

/** A transport failure: no complete reply. Can be retried. */
export class Broken extends Error {}

/** Bytes of a body that must arrive in each period of `idleMs`: a server that trickles single bytes counts as silent. */
const leastBytes = 4096

const agents = {
  'http:': new http.Agent({ keepAlive: true, maxSockets: 64, keepAliveMsecs: 15_000 }),
  'https:': new https.Agent({ keepAlive: true, maxSockets: 64, keepAliveMsecs: 15_000 }),
}

/** A body that is longer than this kind of source has. Must not be retried. */
export class TooLong extends Error {}

/** The largest buffer that is allocated before its bytes arrive: Content-Length is not trusted. */
const MAX_AHEAD = 64 << 20

/** One request and its whole body. @throws TooLong; Broken where the connection fails, stalls, or ends before Content-Length */
export function exchange(
  method: 'GET' | 'HEAD',
  url: string,
  headers: Record<string, string>,
  idleMs: number,
  maxBytes: number,
  signal?: AbortSignal,
): Promise<RawReply> {
  return new Promise((resolve, reject) => {
    const protocol = url.startsWith('https:') ? 'https:' : 'http:'
    const module = protocol === 'https:' ? https : http
    const request = module.request(url, { method, headers, agent: agents[protocol], signal })
    let pace: NodeJS.Timeout | undefined
    const end = (error: Error) => {
      clearInterval(pace)
      request.destroy()
      reject(signal?.aborted ? signal.reason : error)
    }
    const fail = (why: string) => end(new Broken(`${method} ${url}: ${why}`))
    const tooLong = (got: string) => end(new TooLong(`${url}: wanted a body of at most ${maxBytes} bytes, got ${got}`))
    request.setTimeout(idleMs, () => fail(`wanted an answer, got silence for ${idleMs} ms`))
    request.on('error', (error) => fail(error.message))
    request.on('response', (response) => {
      const promised = method === 'HEAD' ? 0 : Number(response.headers['content-length'] ?? Number.NaN)
      const known = Number.isSafeInteger(promised) && promised >= 0
      if (known && promised > maxBytes) return tooLong(`Content-Length ${promised}`)
      // A buffer of the announced length, filled as chunks arrive, saves one copy of every body.
      let whole = known && promised <= MAX_AHEAD ? new Uint8Array(promised) : undefined
      const chunks: Uint8Array[] = []
      let got = 0
      let before = 0
      pace = setInterval(() => {
        if (got - before < leastBytes) fail(`wanted ${leastBytes} bytes in ${idleMs} ms, got ${got - before}`)
        before = got
      }, idleMs)
      response.on('data', (chunk: Uint8Array) => {
        if (got + chunk.length > maxBytes) return tooLong('more')
        if (whole && got + chunk.length <= whole.length) whole.set(chunk, got)
        else if (whole) whole = undefined
        else chunks.push(chunk)
        got += chunk.length
      })
      response.on('aborted', () => fail(`the connection broke after ${got} bytes`))
      response.on('error', (error) => fail(error.message))
      response.on('end', () => {
        clearInterval(pace)
        if (method === 'GET' && known && got !== promised) return fail(`wanted ${promised} bytes, got ${got}`)
        const bytes = whole ?? concat(chunks, got)
        resolve({ status: response.statusCode ?? 0, headers: response.headers, bytes })
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

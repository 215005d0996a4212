import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib'
import { Fault } from '../../domain/fault.ts'
import type { RawReply } from './http.ts'

/**
 * Returns the reply with the bytes of the object. We request no content coding, but some servers and proxies use one. If a name ends in
 * `.gz`, the coded form is the object (Apache calls its coding gzip).
 * @throws Fault Corrupt if the coding is unknown or does not decode, or if the coded form is partial
 */
export function uncoded(url: string, reply: RawReply, maxBytes: number): RawReply {
  // A few bytes may decode to many.
  const most = { maxOutputLength: maxBytes }
  const coding = reply.headers['content-encoding']?.trim().toLowerCase() ?? ''
  if (coding === '' || coding === 'identity' || reply.bytes.length === 0) return reply
  if (new URL(url).pathname.endsWith('.gz')) return reply
  if (reply.status === 206) throw coded(url, `is a part of its ${coding} form`)
  try {
    if (coding === 'gzip' || coding === 'x-gzip') return { ...reply, bytes: gunzipSync(reply.bytes, most) }
    if (coding === 'deflate') return { ...reply, bytes: inflateSync(reply.bytes, most) }
    if (coding === 'br') return { ...reply, bytes: brotliDecompressSync(reply.bytes, most) }
  } catch (error) {
    throw coded(url, `is ${coding} that cannot be decoded (${error instanceof Error ? error.message : error})`)
  }
  throw coded(url, `has the unknown coding "${coding}"`)
}

function coded(url: string, actual: string): Fault {
  return new Fault('Corrupt', `${url}: the body must have no content coding, but ${actual}`, { url })
}

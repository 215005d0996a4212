import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib'
import { Fault } from '../../domain/fault.ts'
import type { RawReply } from './http.ts'

/**
 * Returns the reply with the decoded bytes of the object. We request no content coding, but some servers and proxies apply one. If the name
 * ends in `.gz`, the compressed bytes are the object itself (Apache labels them with the coding gzip).
 * @throws Fault Corrupt if the coding is unknown, if decoding fails, or if the reply is a part of the coded bytes
 */
export function uncoded(url: string, reply: RawReply, maxBytes: number): RawReply {
  // A small coded body may decode to a very large one.
  const most = { maxOutputLength: maxBytes }
  const coding = reply.headers['content-encoding']?.trim().toLowerCase() ?? ''
  if (coding === '' || coding === 'identity' || reply.bytes.length === 0) return reply
  if (new URL(url).pathname.endsWith('.gz')) return reply
  if (reply.status === 206) throw coded(url, `is a part of a ${coding} body`)
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

import { gunzipSync } from 'node:zlib'
import { Fault } from '../domain/fault.ts'

/**
 * Returns the content of a gzip file. Bytes that are not gzip are returned unchanged, because upstream may send the file decompressed.
 * @throws Fault Corrupt if the gzip file is damaged or truncated, or decompresses to more than `maxBytes`
 */
export function gunzipped(bytes: Uint8Array, source: string, maxBytes: number): Uint8Array {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes
  try {
    return gunzipSync(bytes, { maxOutputLength: maxBytes })
  } catch (error) {
    const why = (error as Error).message
    throw new Fault(
      'Corrupt',
      `${source}: the file must be a complete gzip file, but its ${bytes.length} bytes are not (${why}). Fetch it again.`,
    )
  }
}

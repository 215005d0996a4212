import { gunzipSync } from 'node:zlib'
import { Fault } from '../domain/fault.ts'

/** Returns the content of a gzip file, or the bytes themselves if they are not gzip (upstream may send them unpacked). @throws Fault Corrupt */
export function gunzipped(bytes: Uint8Array, source: string, maxBytes: number): Uint8Array {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes
  try {
    return gunzipSync(bytes, { maxOutputLength: maxBytes })
  } catch (error) {
    const why = (error as Error).message
    throw new Fault(
      'Corrupt',
      `${source}: the ${bytes.length} bytes are not a whole gzip file (${why}). Fetch it again.`,
    )
  }
}

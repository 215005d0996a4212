import Bunzip from 'seek-bzip'
import { Fault } from '../domain/fault.ts'

/** Length of the shortest stream: header, end mark and checksum. The library would treat a shorter input as an empty stream. */
const MIN_BYTES = 14

/** Initial size of the output buffer, which is large enough for most Level III products. */
const FIRST_BYTES = 65_536

/**
 * Decompresses one bzip2 stream; bytes after its end are ignored.
 * @param maxBytes maximum size of the result
 * @throws Fault Corrupt if the stream is damaged or truncated, or decompresses to more than `maxBytes`
 */
export function bunzip2(stream: Uint8Array, maxBytes: number): Uint8Array {
  if (stream.length < MIN_BYTES)
    throw new Fault('Corrupt', `A bzip2 stream has at least ${MIN_BYTES} bytes, but this one has ${stream.length}.`)
  let octets = new Uint8Array(Math.min(FIRST_BYTES, maxBytes))
  let length = 0
  const output = {
    writeByte(octet: number) {
      if (length === octets.length) {
        if (length === maxBytes)
          throw new Fault('Corrupt', `The bzip2 stream must decompress to at most ${maxBytes} bytes, but has more.`)
        const larger = new Uint8Array(Math.min(maxBytes, 2 * length))
        larger.set(octets)
        octets = larger
      }
      octets[length++] = octet
    },
    flush() {},
  }
  try {
    Bunzip.decode(stream, output)
  } catch (error) {
    if (error instanceof Fault) throw error
    const detail = error instanceof Error ? error.message : String(error)
    throw new Fault('Corrupt', `The bzip2 stream is damaged (${detail}). Fetch the file again.`, {}, error)
  }
  return octets.subarray(0, length)
}

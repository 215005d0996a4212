/** Minimum size of a buffer that is discarded, bytes. Smaller buffers may be parts of Node's pool. */
const MIN_BYTES = 65_537

/**
 * Releases the memory of the whole buffer that contains these bytes. V8 would release it only at its next collection, after 64 MB of
 * dropped buffers in a thread. Other views of the buffer become empty.
 */
export function discard({ buffer }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength >= MIN_BYTES) buffer.transfer(0)
}

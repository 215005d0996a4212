/** Smallest discarded buffer. Smaller buffers may be parts of Node's pool. */
const MIN_BYTES = 65_537

/**
 * Releases the memory of the whole buffer behind these bytes. V8 would do so at its next collection, which it begins for every 64 MB of
 * dropped buffers of a thread. Other views of the buffer become empty.
 */
export function discard({ buffer }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength >= MIN_BYTES) buffer.transfer(0)
}

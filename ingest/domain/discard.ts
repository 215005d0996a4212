/** Smaller buffers may be parts of a pool of Node's, and are few bytes. */
const MIN_BYTES = 65_537

/**
 * Gives back the memory of the whole buffer of which these bytes are a view. V8 would do so at its next collection, which it begins for
 * every 64 MB of buffers that a thread has dropped. Whoever has another view finds it empty.
 */
export function discard({ buffer }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength >= MIN_BYTES) buffer.transfer(0)
}

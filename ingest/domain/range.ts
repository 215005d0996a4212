/** Reads bytes `from` to `from + length - 1` of an object; past the end the result is shorter. */
export interface RangeRead {
  (key: string, from: number, length: number): Promise<Uint8Array>
  /**
   * Copies the bytes from `from` on into `into` synchronously and returns their number; undefined if that would have to wait,
   * or fails: the asynchronous read then reports why. A property of the read function, so that a wrapper that replaces the function
   * replaces both.
   */
  readonly now?: (key: string, from: number, into: Uint8Array) => number | undefined
}

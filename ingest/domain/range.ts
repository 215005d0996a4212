/** Reads bytes `from` to `from + length - 1` of an object; the result is shorter if the object ends earlier. */
export interface RangeRead {
  (key: string, from: number, length: number): Promise<Uint8Array>
  /**
   * Copies bytes of the object from `from` on to `into` synchronously, and returns their number. It returns undefined if the read would
   * have to wait or fails; the asynchronous read then reports the error. It is a property of the read function, so that a wrapper that
   * replaces the function replaces both.
   */
  readonly now?: (key: string, from: number, into: Uint8Array) => number | undefined
}

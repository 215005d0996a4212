/** Reads octets `from` to `from + length - 1` of an object; past the end the answer is shorter. */
export interface RangeRead {
  (key: string, from: number, length: number): Promise<Uint8Array>
  /**
   * Fills a place with what begins at `from`, at once, and gives how many octets there were; undefined where that would
   * have to be waited for, or does not work: then the read itself says why. It belongs to the read, so that whoever puts
   * another in that one's place replaces both.
   */
  readonly now?: (key: string, from: number, into: Uint8Array) => number | undefined
}

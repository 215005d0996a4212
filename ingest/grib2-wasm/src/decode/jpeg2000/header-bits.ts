import { GribError } from '../../fault.ts'

/** Reads the bits of packet headers. After an octet 0xFF the next octet has seven bits (ISO/IEC 15444-1, B.10.1). */
export class HeaderBits {
  readonly #octets: Uint8Array
  at: number
  #octet = 0
  #remaining = 0

  constructor(octets: Uint8Array, at: number) {
    this.#octets = octets
    this.at = at
  }

  bit(): number {
    if (this.#remaining === 0) {
      if (this.at >= this.#octets.length) {
        throw new GribError('truncated', 7, 6, 'a whole JPEG 2000 packet header', 'the end of the tile')
      }
      this.#remaining = this.#octet === 0xff ? 7 : 8
      this.#octet = this.#octets[this.at++]!
    }
    this.#remaining--
    return (this.#octet >> this.#remaining) & 1
  }

  bits(count: number): number {
    let value = 0
    for (let k = 0; k < count; k++) value = value * 2 + this.bit()
    return value
  }

  /** Ends a header: the rest of the octet is padding, and a stuffed octet follows an octet 0xFF. */
  end(): number {
    if (this.#octet === 0xff) this.at++
    return this.at
  }
}

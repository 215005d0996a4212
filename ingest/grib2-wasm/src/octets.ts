import { GribError } from './fault.ts'

/** One section of a message. Octets count from 1; every read is checked against the section's length. */
export class MessageSection {
  readonly number: number
  readonly length: number
  readonly bytes: Uint8Array
  readonly #view: DataView

  constructor(number: number, bytes: Uint8Array) {
    this.number = number
    this.length = bytes.length
    this.bytes = bytes
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  }

  has(octet: number, count: number): boolean {
    return octet + count - 1 <= this.length
  }

  #at(octet: number, count: number): number {
    if (!this.has(octet, count)) {
      throw new GribError(
        'truncated',
        this.number,
        octet,
        `a section of at least ${octet + count - 1} octets`,
        `${this.length}`,
      )
    }
    return octet - 1
  }

  u1(octet: number): number {
    return this.#view.getUint8(this.#at(octet, 1))
  }

  u2(octet: number): number {
    return this.#view.getUint16(this.#at(octet, 2))
  }

  u4(octet: number): number {
    return this.#view.getUint32(this.#at(octet, 4))
  }

  /** Reads signed octets, which in GRIB have the sign in the first bit and the magnitude in the others. */
  s1(octet: number): number {
    const value = this.u1(octet)
    return value & 0x80 ? -(value & 0x7f) : value
  }

  s2(octet: number): number {
    const value = this.u2(octet)
    return value & 0x8000 ? -(value & 0x7fff) : value
  }

  s4(octet: number): number {
    const value = this.u4(octet)
    return value >= 0x80000000 ? -(value - 0x80000000) : value
  }

  f4(octet: number): number {
    return this.#view.getFloat32(this.#at(octet, 4))
  }

  /** Returns scaled value × 10^−scale factor; `null` if either has all bits set (missing). */
  scaled(factorOctet: number, valueOctet: number): number | null {
    if (this.u1(factorOctet) === 0xff || this.u4(valueOctet) === 0xffffffff) return null
    const factor = this.s1(factorOctet)
    const value = this.s4(valueOctet)
    return factor >= 0 ? value / 10 ** factor : value * 10 ** -factor
  }

  fail(octet: number, expected: string, actual: string | number, kind: 'corrupt' | 'unsupported' = 'corrupt'): never {
    throw new GribError(kind, this.number, octet, expected, `${actual}`)
  }
}

import { Fault } from '../../domain/fault.ts'

export function corrupt(expected: string, actual: string | number): never {
  throw new Fault('Corrupt', `NEXRAD level 3: expected ${expected}, but found ${actual}. Fetch the file again.`)
}

/**
 * Reads big-endian numbers.
 * @throws Fault Corrupt on a read beyond the end
 */
export class Level3Cursor {
  readonly octets: Uint8Array
  readonly #view: DataView
  at: number

  constructor(octets: Uint8Array, at = 0) {
    this.octets = octets
    this.#view = new DataView(octets.buffer, octets.byteOffset, octets.byteLength)
    this.at = at
  }

  get remaining(): number {
    return this.octets.length - this.at
  }

  #advance(count: number): number {
    if (count < 0 || this.remaining < count) corrupt(`${count} bytes at ${this.at}`, `${this.remaining} up to the end`)
    this.at += count
    return this.at - count
  }

  u1(): number {
    return this.#view.getUint8(this.#advance(1))
  }

  u2(): number {
    return this.#view.getUint16(this.#advance(2))
  }

  i2(): number {
    return this.#view.getInt16(this.#advance(2))
  }

  u4(): number {
    return this.#view.getUint32(this.#advance(4))
  }

  i4(): number {
    return this.#view.getInt32(this.#advance(4))
  }

  f4(): number {
    return this.#view.getFloat32(this.#advance(4))
  }

  take(count: number): Uint8Array {
    const at = this.#advance(count)
    return this.octets.subarray(at, at + count)
  }

  skip(count: number): void {
    this.#advance(count)
  }

  text(count: number): string {
    return String.fromCharCode(...this.take(count))
  }
}

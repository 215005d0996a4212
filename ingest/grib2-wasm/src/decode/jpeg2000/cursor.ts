import { GribError } from '../../fault.ts'

/** Offset of the codestream, which starts at octet 6 of section 7. */
export function corrupt(at: number, expected: string, actual: string | number): never {
  throw new GribError('corrupt', 7, at + 6, expected, `${actual}`)
}

export function unsupported(at: number, expected: string, actual: string | number): never {
  throw new GribError('unsupported', 7, at + 6, expected, `${actual}`)
}

/**
 * Reads big-endian numbers of a codestream.
 * @throws GribError on a read beyond the end
 */
export class Cursor {
  readonly octets: Uint8Array
  readonly #view: DataView
  at = 0

  constructor(octets: Uint8Array) {
    this.octets = octets
    this.#view = new DataView(octets.buffer, octets.byteOffset, octets.byteLength)
  }

  get remaining(): number {
    return this.#view.byteLength - this.at
  }

  #require(count: number): void {
    if (this.remaining < count)
      throw new GribError('truncated', 7, this.at + 6, `${count} more octets of JPEG 2000`, `${this.remaining}`)
  }

  u1(): number {
    this.#require(1)
    return this.#view.getUint8(this.at++)
  }

  u2(): number {
    this.#require(2)
    this.at += 2
    return this.#view.getUint16(this.at - 2)
  }

  u4(): number {
    this.#require(4)
    this.at += 4
    return this.#view.getUint32(this.at - 4)
  }
}

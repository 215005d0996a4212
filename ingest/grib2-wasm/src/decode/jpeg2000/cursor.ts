import { GribError } from '../../fault.ts'

/** Offset of the codestream, which starts at octet 6 of section 7. */
export function corrupt(at: number, wanted: string, got: string | number): never {
  throw new GribError('corrupt', 7, at + 6, wanted, `${got}`)
}

export function unsupported(at: number, wanted: string, got: string | number): never {
  throw new GribError('unsupported', 7, at + 6, wanted, `${got}`)
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

  get left(): number {
    return this.#view.byteLength - this.at
  }

  #require(count: number): void {
    if (this.left < count)
      throw new GribError('truncated', 7, this.at + 6, `${count} more octets of JPEG 2000`, `${this.left}`)
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

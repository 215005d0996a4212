/** Writes the bytes of a GRIB2 section. Signed numbers are sign and magnitude, as the WMO Manual on Codes requires. */
export class Octets {
  #bytes = new Uint8Array(1024)
  #view = new DataView(this.#bytes.buffer)
  length = 0

  #reserve(n: number): void {
    if (this.length + n <= this.#bytes.length) return
    const bigger = new Uint8Array(Math.max(this.length + n, this.#bytes.length * 2))
    bigger.set(this.#bytes.subarray(0, this.length))
    this.#bytes = bigger
    this.#view = new DataView(bigger.buffer)
  }
  u8(...values: number[]): this {
    this.#reserve(values.length)
    for (const value of values) this.#bytes[this.length++] = value
    return this
  }
  u16(value: number): this {
    this.#reserve(2)
    this.#view.setUint16(this.length, value)
    this.length += 2
    return this
  }
  u32(value: number): this {
    this.#reserve(4)
    this.#view.setUint32(this.length, value >>> 0)
    this.length += 4
    return this
  }
  s8(value: number): this {
    return this.u8(value < 0 ? 0x80 | -value : value)
  }
  s16(value: number): this {
    return this.u16(value < 0 ? 0x8000 | -value : value)
  }
  s32(value: number): this {
    return this.u32(value < 0 ? (0x80000000 | -value) >>> 0 : value)
  }
  f32(value: number): this {
    this.#reserve(4)
    this.#view.setFloat32(this.length, value)
    this.length += 4
    return this
  }
  bytes(more: Uint8Array): this {
    this.#reserve(more.length)
    this.#bytes.set(more, this.length)
    this.length += more.length
    return this
  }
  time(instant: number): this {
    const d = new Date(instant)
    return this.u16(d.getUTCFullYear()).u8(
      d.getUTCMonth() + 1,
      d.getUTCDate(),
      d.getUTCHours(),
      d.getUTCMinutes(),
      d.getUTCSeconds(),
    )
  }
  done(): Uint8Array {
    return this.#bytes.slice(0, this.length)
  }
}

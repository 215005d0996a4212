import { type DecodeJob, decode, decodeInto, type Samples, samplesOf } from './decode.ts'
import { GribError } from './fault.ts'
import { type Grid, readGrid } from './grid/grid.ts'
import type { MessageSection } from './octets.ts'
import { type Packing, readPacking } from './packing.ts'
import { type Product, readProduct } from './product/product.ts'

export interface MessageParts {
  readonly index: number
  readonly field: number
  readonly offset: number
  readonly byteLength: number
  readonly maxPoints: number
  /** The latest section of each number that precedes this field's section 7. */
  readonly sections: readonly (MessageSection | undefined)[]
  /** The latest section 6 with a bitmap or without one (indicator 255), to which indicator 254 refers. */
  readonly bitmap: MessageSection | undefined
}

/** One field. Each part is read at its first use, and only once. */
export class Message {
  /** Number of GRIB messages before this one in the octets, and number of fields before this one in its message. */
  readonly index: number
  readonly field: number
  /** Offset of the message in the octets, and its length with all its fields. */
  readonly offset: number
  readonly byteLength: number
  readonly #parts: MessageParts
  #product: Product | undefined
  #grid: Grid | undefined
  #packing: Packing | undefined

  constructor(parts: MessageParts) {
    this.#parts = parts
    this.index = parts.index
    this.field = parts.field
    this.offset = parts.offset
    this.byteLength = parts.byteLength
  }

  /** Returns the raw octets of a section (0 to 7) of this field, for content that this reader does not interpret. */
  section(number: number): Uint8Array | undefined {
    return this.#parts.sections[number]?.bytes
  }

  get product(): Product {
    const { sections } = this.#parts
    return (this.#product ??= readProduct(sections[0]!, sections[1]!, sections[4]!))
  }

  get grid(): Grid {
    return (this.#grid ??= readGrid(this.#parts.sections[3]!))
  }

  get packing(): Packing {
    return (this.#packing ??= readPacking(this.#parts.sections[5]!))
  }

  /** Number of points of the grid: nx × ny. */
  get points(): number {
    return this.grid.points
  }

  /**
   * Returns the field, with the value of a point at j × nx + i: rows are in the order of the stream, each in the direction of the first row
   * (alternating rows are reversed, column-major streams become rows). Missing points are NaN. Fills `out` if it is passed.
   */
  values(out?: Float32Array): Float32Array {
    if (out && out.length < this.points) {
      throw new GribError('range', 3, 7, `a buffer of at least ${this.points} floats`, `${out.length}`)
    }
    const job = this.#job()
    const { points } = this
    const buffer = out?.length === points ? out : out?.subarray(0, points)
    const target = buffer ?? new Float32Array(job.maxPoints < points ? 0 : points)
    decodeInto(job, target)
    return target
  }

  /**
   * The same field in place: a view of the module's memory (see `memory`), without a copy. It is valid until anything is
   * decoded again, by this message or another.
   */
  decode(): Float32Array {
    return decode(this.#job())
  }

  /**
   * Returns the integers of a field packed as PNG (5.41) before scaling: `value = (reference + sample × 2^binaryScale) / 10^decimalScale`.
   * It is for callers that encode the values again and need no floats. Undefined if the field is packed otherwise, has a bitmap, or has
   * rows that are not those of the picture.
   */
  samples(): Samples | undefined {
    return samplesOf(this.#job())
  }

  #job(): DecodeJob {
    const { sections, bitmap, maxPoints } = this.#parts
    return { grid: this.grid, packing: this.packing, data: sections[7]!, own: sections[6]!, bitmap, maxPoints }
  }
}

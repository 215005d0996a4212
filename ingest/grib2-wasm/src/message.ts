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
  /** The latest section of each number before this field's section 7. */
  readonly sections: readonly (MessageSection | undefined)[]
  /** The latest section 6 with a bitmap or without one (indicator 255), for indicator 254 ("as before"). */
  readonly bitmap: MessageSection | undefined
}

/** One field. Nothing is read before it is asked for; each part is read once. */
export class Message {
  /** Count of GRIB messages before this one in the octets, and of fields before this one in its message. */
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

  /** The raw octets of a section (0 to 7) of this field, for what this reader does not interpret. */
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

  /** Points of the grid: nx × ny. */
  get points(): number {
    return this.grid.points
  }

  /**
   * The field, one number a point at j × nx + i: rows in the order of the stream, each in the direction of the first
   * (alternating rows turned back, column-major streams turned into rows), NaN if missing. Fills `out` if it is given.
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
   * The whole numbers of a field packed as PNG (5.41), before they are scaled: `value = (reference + sample × 2^binaryScale) /
   * 10^decimalScale`. For callers that encode the values again and need no floats. Undefined if the field is packed
   * otherwise, has a bitmap, or its rows are not the picture's.
   */
  samples(): Samples | undefined {
    return samplesOf(this.#job())
  }

  #job(): DecodeJob {
    const { sections, bitmap, maxPoints } = this.#parts
    return { grid: this.grid, packing: this.packing, data: sections[7]!, own: sections[6]!, bitmap, maxPoints }
  }
}

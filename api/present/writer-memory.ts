import { wasm } from './kernels.generated.ts'

interface Kernels {
  readonly memory: WebAssembly.Memory
  heapBase(): number
  prepare(at: number): number
  writeTemplate(parts: number, count: number, values: number, out: number): number
}

/** Bytes of four tables with the text of 16,384 numbers, 8 bytes each. */
const NUMBER_TABLES_BYTES = 4 * 16_384 * 8
const OUTPUT_BYTES = 256 * 1024
/** The most bytes that one template may write. This limits source code; no request can reach it. */
export const MAX_TEMPLATE_BYTES = 16 * 1024
const WASM_PAGE_BYTES = 65_536

/**
 * Memory of the kernel that writes templates: number tables, one output buffer, then the compiled templates. Templates
 * are allocated at the end and never freed: there is one for each constant template of the source and each system of
 * units, and the memory grows when they need more. Growth detaches views, so `bytes` must be read again for each use.
 * One object serves all answers, because templates are written synchronously.
 */
export class WriterMemory {
  readonly #kernels = new WebAssembly.Instance(new WebAssembly.Module(Buffer.from(wasm, 'base64')))
    .exports as unknown as Kernels
  /** Address of the output buffer, and of its end. */
  readonly output: number
  readonly outputEnd: number
  bytes: Buffer
  /** The page whose bytes are in the output buffer; it is flushed before another page uses the buffer. */
  owner: { flush(): void } | undefined
  #doubles: Float64Array
  #view: DataView
  #next: number
  /** Compiled templates by the constant function that creates them and by system of units. */
  readonly #templates = new Map<unknown, Map<unknown, unknown>>()

  constructor() {
    const { memory, heapBase, prepare } = this.#kernels
    const tables = (heapBase() + 63) & ~63
    this.output = tables + NUMBER_TABLES_BYTES
    this.outputEnd = this.output + OUTPUT_BYTES
    this.#next = this.outputEnd + MAX_TEMPLATE_BYTES
    this.#growTo(this.#next)
    prepare(tables)
    this.bytes = Buffer.from(memory.buffer)
    this.#doubles = new Float64Array(memory.buffer)
    this.#view = new DataView(memory.buffer)
  }

  /** Allocates memory. @returns the address of `size` bytes, a multiple of 8 */
  allocate(size: number): number {
    const address = this.#next
    this.#next = (address + size + 7) & ~7
    this.#growTo(this.#next)
    return address
  }

  /** Templates of a constant function for a system of units, compiled at the first use. */
  compiled<Units, T>(make: (memory: WriterMemory, units: Units) => T, units: Units): T {
    let byUnits = this.#templates.get(make) as Map<Units, T> | undefined
    if (!byUnits) this.#templates.set(make, (byUnits = new Map()))
    let existing = byUnits.get(units)
    if (existing === undefined) byUnits.set(units, (existing = make(this, units)))
    return existing
  }

  setUint32(address: number, value: number): void {
    this.#view.setUint32(address, value, true)
  }

  setFloat64(address: number, value: number): void {
    this.#view.setFloat64(address, value, true)
  }

  /** Stores a text, and writes its address and length at `entry`. */
  storeText(entry: number, text: string): void {
    const address = this.allocate(Buffer.byteLength(text))
    this.setUint32(entry, address)
    this.setUint32(entry + 4, this.bytes.write(text, address))
  }

  /**
   * Writes a template.
   * @param slot address at which the template expects its values
   * @returns the address after the last byte
   */
  writeTemplate(parts: number, count: number, slot: number, values: Float64Array, out: number): number {
    this.#doubles.set(values, slot >> 3)
    return this.#kernels.writeTemplate(parts, count, slot, out)
  }

  /**
   * Grows the memory to contain `end`. The kernel copies 16 bytes at a time and may touch some beyond the end of a
   * text.
   */
  #growTo(end: number): void {
    const { memory } = this.#kernels
    const missing = end + 64 - memory.buffer.byteLength
    if (missing <= 0) return
    memory.grow(Math.ceil(missing / WASM_PAGE_BYTES))
    this.bytes = Buffer.from(memory.buffer)
    this.#doubles = new Float64Array(memory.buffer)
    this.#view = new DataView(memory.buffer)
  }
}

import { wasm } from './kernels.generated.ts'

/** `WebAssembly.Memory`, or its members if no loaded types declare that name, as with Node's types alone. */
export type Memory = typeof globalThis extends { WebAssembly: { Memory: { prototype: infer M } } }
  ? M
  : { readonly buffer: ArrayBuffer; grow(pages: number): number }

interface KernelExports {
  readonly memory: Memory
  readonly wanted: { readonly value: number }
  readonly got: { readonly value: number }
  heapBase(): number
  unpackSimple(source: number, n: number, width: number, base: number, step: number, out: number): void
  unpackIeee(source: number, n: number, octets: number, out: number): void
  fillFloats(out: number, n: number, value: number): void
  spread(bitmap: number, n: number, values: number, out: number): void
  countBits(bitmap: number, n: number): number
  turnRows(out: number, nx: number, ny: number): void
  columnsToRows(from: number, nx: number, ny: number, to: number): void
  unpackPng(
    source: number,
    size: number,
    columns: number,
    rows: number,
    depth: number,
    window: number,
    capacity: number,
    buffers: number,
    base: number,
    step: number,
    out: number,
    streaming: boolean,
    raw: boolean,
  ): number
  beginBlock(w: number, h: number): void
  decodeSegment(source: number, band: number, planes: number, first: number, last: number, style: number): void
  storeBlock(regionShift: number, quantum: number, out: number, stride: number): void
  storeEmptyBlock(w: number, h: number, out: number, stride: number): void
  inverseLevel(at: number, stride: number, w: number, h: number, oddX: number, oddY: number, scratch: number): void
  inverseLevel97(at: number, stride: number, w: number, h: number, oddX: number, oddY: number, scratch: number): void
  finishLevel(
    at: number,
    w: number,
    h: number,
    shift: number,
    least: number,
    most: number,
    base: number,
    step: number,
    scratch: number,
  ): void
  wavesToFloats(
    from: number,
    w: number,
    h: number,
    shift: number,
    least: number,
    most: number,
    base: number,
    step: number,
    to: number,
    stride: number,
  ): void
  samplesToFloats(
    from: number,
    w: number,
    h: number,
    shift: number,
    least: number,
    most: number,
    base: number,
    step: number,
    to: number,
    stride: number,
  ): void
  unpackAec(
    source: number,
    size: number,
    n: number,
    bits: number,
    block: number,
    rsi: number,
    predicted: boolean,
    padded: boolean,
    restricted: boolean,
    base: number,
    step: number,
    out: number,
    streaming: boolean,
  ): number
  crc32(crc: number, at: number, size: number): number
  unpackComplex(
    source: number,
    size: number,
    n: number,
    scratch: number,
    out: number,
    base: number,
    step: number,
    bits: number,
    management: number,
    groups: number,
    widthLeast: number,
    widthBits: number,
    lengthLeast: number,
    lengthStep: number,
    lengthLast: number,
    lengthBits: number,
    order: number,
    extra: number,
    nx: number,
    streaming: boolean,
    single: boolean,
  ): number
}

function octetsOf(base64: string): Uint8Array<ArrayBuffer> {
  const text = atob(base64)
  const octets = new Uint8Array(text.length)
  for (let i = 0; i < text.length; i++) octets[i] = text.charCodeAt(i)
  return octets
}

let floatTarget: Float32Array | undefined
let filled = 0
let byteConsumer: ((octets: Uint8Array) => void) | undefined

/** Runs a streaming kernel, and collects in `into` what it emits. */
export function collectFloats<T>(into: Float32Array, run: () => T): T {
  floatTarget = into
  filled = 0
  try {
    return run()
  } finally {
    floatTarget = undefined
  }
}

/** Runs a streaming kernel that emits octets, and passes each portion on as a view that is valid during the call. */
export function streamBytes<T>(take: (octets: Uint8Array) => void, run: () => T): T {
  byteConsumer = take
  try {
    return run()
  } finally {
    byteConsumer = undefined
  }
}

/** Discards what was emitted, because the kernel begins again. */
export function rewind(): void {
  filled = 0
}

/** Copies finished floats (or passes octets on) from the module's memory. Floats beyond the end of the target are dropped. */
export function emit(from: number, count: number): void {
  if (byteConsumer) byteConsumer(new Uint8Array(kernels.memory.buffer, from, count))
  if (!floatTarget) return
  const fits = Math.min(count, floatTarget.length - filled)
  floatTarget.set(new Float32Array(kernels.memory.buffer, from, fits), filled)
  filled += fits
}

/** The compiled kernels, which are instantiated at the first import: one instance per thread, a few KB of code. */
export const kernels = new WebAssembly.Instance(new WebAssembly.Module(octetsOf(wasm)), { host: { emit } })
  .exports as unknown as KernelExports

/** The module's memory. Other WebAssembly kernels may import it to read a decoded field in place. */
export const memory: Memory = kernels.memory

const PAGE = 65536

/** The first octet that a message may use. */
export const heapBase = (kernels.heapBase() + 63) & ~63

/** Grows the memory to `end` (octets from 0). The memory never shrinks below the largest message. */
export function reserve(end: number): void {
  const missing = Math.ceil((end - memory.buffer.byteLength) / PAGE)
  if (missing > 0) memory.grow(missing)
}

/** Allocates the buffers of one message one after the other, each aligned to 64 octets. */
export function allocate<K extends string>(sizes: Record<K, number>): Record<K, number> {
  const offsets = {} as Record<K, number>
  let at = heapBase
  for (const key of Object.keys(sizes) as K[]) {
    offsets[key] = at
    at = Math.ceil((at + sizes[key] + 64) / 64) * 64
  }
  reserve(at)
  return offsets
}

/** Allocates `size` octets at the first aligned octet from `at` on, as scratch memory of one kernel. */
export function allocateAt(at: number, size: number): number {
  const aligned = Math.ceil(at / 64) * 64
  reserve(aligned + size)
  return aligned
}

/** Padding after an input or output, because kernels load and store whole vectors. */
export const PADDING = 64

/** Copies octets into the module's memory. */
export function copyIn(bytes: Uint8Array, at: number): void {
  new Uint8Array(memory.buffer, at, bytes.length).set(bytes)
}

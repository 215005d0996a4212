import { wasm } from './kernels.generated.ts'

export interface TileKernels {
  readonly memory: WebAssembly.Memory
  heapBase(): number
  encodeBlock(
    codes: number,
    cells: number,
    stride: number,
    refs: number,
    layout: number,
    variables: number,
    seek: number,
    kinds: number,
    scratch: number,
    out: number,
  ): number
  decodeCell(
    block: number,
    cells: number,
    stride: number,
    refs: number,
    layout: number,
    variables: number,
    version: number,
    seek: number,
    position: number,
    kinds: number,
    codes: number,
    scratch: number,
    scales: number,
    out: number,
  ): void
  packGroups(codes: number, sizes: number, groups: number, out: number): number
  unpackGroup(from: number, n: number, codes: number): number
  turnGroup(
    cursors: number,
    scales: number,
    times: number,
    cells: number,
    rows: number,
    stride: number,
    room: number,
  ): void
}

let compiled: WebAssembly.Module | undefined

/** Returns a new instance with its own memory. */
export function tileKernels(): TileKernels {
  compiled ??= new WebAssembly.Module(Buffer.from(wasm, 'base64'))
  return new WebAssembly.Instance(compiled).exports as unknown as TileKernels
}

/** Lays out areas of the given sizes one after the other, at least 64 bytes apart, and grows the memory to contain them. */
export function lay<K extends string>(
  kernels: { memory: WebAssembly.Memory; heapBase(): number },
  sizes: Record<K, number>,
): Record<K, number> {
  const places = {} as Record<K, number>
  let at = (kernels.heapBase() + 63) & ~63
  for (const [key, size] of Object.entries(sizes) as [K, number][]) {
    places[key] = at
    at = Math.ceil((at + size + 64) / 64) * 64
  }
  const missingPages = Math.ceil((at - kernels.memory.buffer.byteLength) / 65536)
  if (missingPages > 0) kernels.memory.grow(missingPages)
  return places
}

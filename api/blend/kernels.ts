import { wasm } from './kernels.generated.ts'

/** What `assembly/` exports. Rows, times and values are offsets in its memory. */
export interface BlendKernels {
  readonly memory: WebAssembly.Memory
  heapBase(): number
  begin(hour: number, hours: number, shown: number): void
  open(row: number, marks: number): void
  hasMissing(): number
  fillBetween(times: number, values: number, n: number, before: number, kind: number, id: number): void
  fillNearest(times: number, values: number, n: number, before: number): void
  fillHourly(times: number, values: number, n: number, before: number): void
  fillSplit(times: number, values: number, n: number, before: number, window: number, guide: number): number
  fillBound(times: number, values: number, n: number, before: number, window: number): number
  fillHoles(): void
  round(turning: number): void
  guideSnow(liquid: number, temperature: number): void
}

/** Values of `kind` of `fillBetween`. */
export const interpolations = { linear: 0, direction: 1, smooth: 2, solar: 3 } as const

export function instantiateKernels(sun: (hour: number) => number): BlendKernels {
  const host = { exp: Math.exp, sun }
  return new WebAssembly.Instance(new WebAssembly.Module(Buffer.from(wasm, 'base64')), { host })
    .exports as unknown as BlendKernels
}

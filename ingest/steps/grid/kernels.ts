import { wasm } from './kernels.generated.ts'

/** Results of a kernel in six words; see `Found` in assembly/sample.ts. */
export const statisticsSize = 40

export interface SampleKernels {
  readonly memory: WebAssembly.Memory
  heapBase(): number
  maskValue(field: number, n: number, value: number, near: number): void
  roughness(field: number, nx: number, ny: number): number
  /** Results of the last call of `roughness`. */
  mirrored(): number
  sampleBilinear: SampleCall
  sampleNearest: SampleCall
  sampleWind(
    east: number,
    north: number,
    nx: number,
    map: number,
    n: number,
    high: number,
    speedFactor: number,
    directionFactor: number,
    turn: number,
    speed: number,
    direction: number,
    speedStatistics: number,
    directionStatistics: number,
  ): void
  fromDirection(direction: number, speed: number, n: number): void
  turnWind(u: number, v: number, n: number, angles: number): void
  packGroups(codes: number, sizes: number, groups: number, out: number): number
}

type SampleCall = (
  field: number,
  nx: number,
  map: number,
  n: number,
  low: number,
  high: number,
  factor: number,
  shift: number,
  codeLow: number,
  codeHigh: number,
  out: number,
  statistics: number,
) => void

export function sampleKernels(): SampleKernels {
  const module = new WebAssembly.Module(Buffer.from(wasm, 'base64'))
  return new WebAssembly.Instance(module).exports as unknown as SampleKernels
}

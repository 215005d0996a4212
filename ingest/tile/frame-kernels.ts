import { wasm } from './frame-kernels.generated.ts'

interface Exports {
  readonly memory: WebAssembly.Memory
  readonly MOST_STRETCHES: WebAssembly.Global
  readonly FREE: WebAssembly.Global
  readonly highest: WebAssembly.Global
  readonly zeros: WebAssembly.Global
  readonly ones: WebAssembly.Global
  unfilter(source: number, rows: number, length: number, each: number): number
  encode(
    source: number,
    stride: number,
    each: number,
    x: number,
    y: number,
    width: number,
    height: number,
    out: number,
    wide: number,
  ): number
}

let held: Exports | undefined

/** Made at the first frame: one instance a thread. */
export function frameKernels(): Exports {
  held ??= new WebAssembly.Instance(new WebAssembly.Module(Buffer.from(wasm, 'base64'))).exports as unknown as Exports
  return held
}

/** Where the marks of samples that occur, and the codes they become, lie in the kernels' memory (assembly/frame.ts). */
export const MARKS = 65_536
export const CODES = 131_072

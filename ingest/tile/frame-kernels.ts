import { wasm } from './frame-kernels.generated.ts'

interface FrameKernelExports {
  readonly memory: WebAssembly.Memory
  readonly MOST_STARTS: WebAssembly.Global
  readonly EXCHANGE: WebAssembly.Global
  readonly EXCHANGE_BYTES: WebAssembly.Global
  readonly OUT: WebAssembly.Global
  readonly FREE: WebAssembly.Global
  readonly highest: WebAssembly.Global
  readonly zeros: WebAssembly.Global
  readonly ones: WebAssembly.Global
  take(to: number, row: number, rows: number, length: number, each: number): number
  encode(x: number, y: number, width: number, height: number, across: number): number
}

/** Minimum growth of the memory in bytes, so that it rarely grows. */
const GROWTH = 4 * 1_048_576
const PAGE = 65_536

let instance: FrameKernelExports | undefined

/** The instance of this thread, created for the first frame. */
export function frameKernels(): FrameKernelExports {
  instance ??= new WebAssembly.Instance(new WebAssembly.Module(Buffer.from(wasm, 'base64')))
    .exports as unknown as FrameKernelExports
  return instance
}

/** Returns the kernels' memory, grown to at least `end` bytes. */
export function frameMemory(end: number): Uint8Array {
  const { memory } = frameKernels()
  const missing = end - memory.buffer.byteLength
  if (missing > 0) memory.grow(Math.ceil(Math.max(missing, GROWTH) / PAGE))
  return new Uint8Array(memory.buffer)
}

/** Addresses of the marks of occurring samples and of the codes in the kernels' memory (assembly/frame.ts). */
export const MARKS = 65_536
export const CODES = 131_072

import { nth } from '../../ingest/domain/nth.ts'
import { sampleKernels, statisticsSize } from '../../ingest/steps/grid/kernels.ts'
import { blockShape, padded, references } from '../../ingest/tile/cover.ts'
import { lay, type TileKernels, tileKernels } from '../../ingest/tile/kernels.ts'
import { seeded } from '../tile/made-slabs.ts'
import { plainKernels } from './plain-kernels.ts'

/** The same work done by a kernel and by plain code. Results are views that are valid until the next call. */
export interface Pair {
  byKernel(): ArrayBufferView
  byPlainCode(): ArrayBufferView
}

/** Decodes a cell of a block with 20 variables and 24 times, as in a run of HRRR. */
export async function decodeOneCell(): Promise<Pair> {
  const variables = 20
  const times = 24
  const { level, seek } = blockShape(variables * times)
  const cells = 7 ** level
  const stride = variables * padded(times)
  const kernels = tileKernels()
  const sizes = {
    layout: variables * 8,
    kinds: variables * 8,
    scales: variables * 16,
    refs: cells * 2,
    scratch: cells * stride * 4 + stride * 2 + 64,
    codes: cells * stride * 2 + 64,
    out: variables * times * 4 + 64,
    block: cells * stride * 4 + 4096,
  }
  const at = lay(kernels, sizes)
  const memory = kernels.memory.buffer
  for (let v = 0; v < variables; v++) {
    new Uint32Array(memory, at.layout).set([v * padded(times), times], v * 2)
    new Float64Array(memory, at.scales).set([0.1, 0], v * 2)
  }
  // The children of a parent are numbered with three bits a level.
  const ids = Uint32Array.from({ length: cells }, (_, child) => Number.parseInt(child.toString(7), 8))
  references(ids, 0, cells, level, new Uint16Array(memory, at.refs, cells))
  const random = seeded(5)
  const codes = new Int16Array(memory, at.codes, cells * stride)
  for (let c = 0; c < cells; c++)
    for (let v = 0; v < variables; v++)
      for (let t = 0; t < times; t++)
        codes[c * stride + v * padded(times) + t] = 2800 + 60 * Math.sin(t / 4 + v) + (c % 7) * 3 + random() * 4
  const scratch = at.scratch
  kernels.encodeBlock(at.codes, cells, stride, at.refs, at.layout, variables, seek ? 1 : 0, at.kinds, scratch, at.block)

  const plain = await plainKernels<Pick<TileKernels, 'decodeCell' | 'heapBase' | 'memory'>>(
    'ingest/tile',
    {
      'function scaleRow(': `function scaleRow(codes: usize, times: i32, scale: f64, shift: f64, to: usize): void {
  for (let t = 0; t < times; t++)
    store<f32>(to + (<usize>t << 2), <f32>(<f64>load<i16>(codes + (<usize>t << 1)) * scale + shift))
}`,
      'export function clear(': `export function clear(to: usize, n: u32): void {
  for (let t: u32 = 0; t < n; t++) store<u16>(to + (<usize>t << 1), 0)
}`,
      // JavaScript has no unaligned reads and no cheap 64-bit integers.
      'export function bitsAt(': `export function bitsAt(bit: u32): u64 {
  const from = source + (bit >> 3)
  return ((<u64>bytesAt(from + 4) << 32) | <u64>bytesAt(from)) >> (bit & 7)
}
@inline
function bytesAt(from: usize): u32 {
  return load<u8>(from) | (<u32>load<u8>(from, 1) << 8) | (<u32>load<u8>(from, 2) << 16) | (<u32>load<u8>(from, 3) << 24)
}`,
      'function offsetAt(': `function offsetAt(offsets: usize, c: i32, wide: i32): u32 {
  let offset: u32 = 0
  for (let k = wide - 1; k >= 0; k--) offset = (offset << 8) | load<u8>(offsets + <usize>(c * wide + k))
  return offset
}`,
      'function baseAt(': `function baseAt(at: usize): i16 {
  return <i16>(load<u8>(at) | (<u32>load<u8>(at, 1) << 8))
}`,
      'export function readValues(': `export function readValues(to: usize, n: u32, k: u32): void {
  let bit = next
  const mask = (<u32>1 << k) - 1
  const end = to + (<usize>n << 1)
  for (; to < end; to += 2) {
    const quotient = ctz<u32>(bytesAt(source + (bit >> 3)) >> (bit & 7))
    bit += min(quotient, ESCAPE) + 1
    const rest = bytesAt(source + (bit >> 3)) >> (bit & 7)
    store<u16>(to, <u16>(quotient < ESCAPE ? (quotient << k) | (rest & mask) : rest))
    bit += quotient < ESCAPE ? k : 16
  }
  next = bit
}`,
      'export function readTwice(': `export function readTwice(to: usize, otherTo: usize, n: u32, k: u32, otherK: u32): void {
  readValues(to, n, k)
  turnReaders()
  readValues(otherTo, n, otherK)
  turnReaders()
}`,
      'function residuals(': 'function unusedResiduals(): void {}',
      'function sums(': 'function unusedSums(): void {}',
      'function rebuild(': `function rebuild(v: usize, r: usize, e: usize, times: i32, mode: i32, base: i16): void {
  const upon = mode === BOTH || mode === HALF || mode === SPACE
  let sum: i32 = mode === TIME ? load<i16>(r) : upon ? 0 : base
  let slope: i32 = 0
  for (let t = 0; t < times; t++) {
    const at = <usize>t << 1
    const z = <i32>load<u16>(e + at)
    const d = (z >> 1) ^ -(z & 1)
    if (mode === SPACE) sum = d
    else if (mode === HALF) sum = <i32>(<i16>((sum >> 1) + d))
    else if (mode === LINEAR) sum = <i32>(<i16>(sum + (slope += d)))
    else sum = <i32>(<i16>(sum + d))
    store<i16>(v + at, <i16>(upon ? <i32>load<i16>(r + at) + sum : sum))
  }
}`,
    },
    {
      entry: "export { decodeCell } from './decode'\nexport function heapBase(): usize {\n  return __heap_base\n}\n",
    },
  )
  // Both read the same bytes at the same offsets.
  plain.memory.grow(Math.ceil(memory.byteLength / 65_536))
  new Uint8Array(plain.memory.buffer).set(new Uint8Array(memory))
  const decoder = (kernel: Pick<TileKernels, 'decodeCell' | 'memory'>) => {
    let cell = 0
    const { block, refs, layout, kinds, codes: space, scales, out } = at
    return () => {
      // Cells take turns, because cells early in a block cost less.
      cell = (cell + 1) % cells
      kernel.decodeCell(
        block,
        cells,
        stride,
        refs,
        layout,
        variables,
        2,
        seek ? 1 : 0,
        cell,
        kinds,
        space,
        scratch,
        scales,
        out,
      )
      return new Float32Array(kernel.memory.buffer, out, variables * times)
    }
  }
  return { byKernel: decoder(kernels), byPlainCode: decoder(plain) }
}

/** Samples a whole field of NBM (2345 × 1597) at as many cells as CONUS has, in the order of the grid. */
export function sampleOneField(): Pair {
  const nx = 2345
  const ny = 1597
  const cells = 1_550_000
  const kernels = sampleKernels()
  const sizes = { statistics: statisticsSize, map: cells * 8, field: nx * ny * 4 + 64, codes: cells * 2 }
  const at = lay(kernels, sizes)
  const { buffer } = kernels.memory
  const random = seeded(3)
  const words = new Uint32Array(buffer, at.map, cells * 2)
  const parts = new Uint16Array(buffer, at.map, cells * 4)
  for (let c = 0; c < cells; c++) {
    const point = Math.floor((c / cells) * (nx * (ny - 2)))
    words[c * 2] = point % nx === nx - 1 ? point - 1 : point
    parts[c * 4 + 2] = random() * 65_535
    parts[c * 4 + 3] = random() * 65_535
  }
  const field = new Float32Array(buffer, at.field, nx * ny)
  for (let p = 0; p < field.length; p++) field[p] = 280 + 10 * Math.sin((p % nx) / 50) + p / nx / 100
  const codes = new Int16Array(buffer, at.codes, cells)
  const own = new Int16Array(cells)
  const [low, high, factor, shift, first, last] = [200, 330, 10, -2700, -700, 600]
  const { fround } = Math
  return {
    byKernel() {
      kernels.sampleBilinear(
        at.field,
        nx,
        at.map,
        cells,
        low,
        high,
        factor,
        shift,
        first,
        last,
        at.codes,
        at.statistics,
      )
      return codes
    },
    byPlainCode() {
      const part = fround(1 / 65_535)
      for (let c = 0; c < cells; c++) {
        const point = nth(words, c * 2)
        const [fx, fy] = [fround(nth(parts, c * 4 + 2) * part), fround(nth(parts, c * 4 + 3) * part)]
        const a = nth(field, point)
        const b = nth(field, point + 1)
        const d = nth(field, point + nx)
        const e = nth(field, point + nx + 1)
        if (!(a >= low && a <= high && b >= low && b <= high && d >= low && d <= high && e >= low && e <= high)) {
          own[c] = -32_768
          continue
        }
        const lower = fround(a + fround(fx * fround(b - a)))
        const upper = fround(d + fround(fx * fround(e - d)))
        const value = fround(lower + fround(fy * fround(upper - lower)))
        const scaled = fround(fround(value * factor) + shift)
        // Halves are rounded to even, as in the kernel.
        const down = Math.floor(scaled)
        const fraction = scaled - down
        const code = fraction > 0.5 || (fraction === 0.5 && down % 2 !== 0) ? down + 1 : down
        own[c] = Math.max(first, Math.min(last, code))
      }
      return own
    },
  }
}

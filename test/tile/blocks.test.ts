import { expect, test } from 'vitest'
import { entryOf, nth } from '../../ingest/domain/nth.ts'
import { padded, references } from '../../ingest/tile/cover.ts'
import { lay, tileKernels } from '../../ingest/tile/kernels.ts'
import { seeded } from './made-slabs.ts'

const MISSING = -32_768
const kernels = tileKernels()

/** Rows of a variable: computes the code of a cell at a time from the codes that are already generated. */
type Shape = (row: { c: number; t: number; own: Int16Array; ref: Int16Array }, random: () => number) => number

const step = (random: () => number, share: number) => (random() < share ? (random() < 0.5 ? -1 : 1) : 0)
const wrap = (value: number) => Math.max(-32_767, Math.min(32_767, value))

/**
 * Each variable has one best prediction or coding; if its name is that of a prediction, that prediction is the best.
 */
const shapes: Readonly<Record<string, Shape>> = {
  space: ({ c, t, ref }, random) => (c ? nth(ref, t) + step(random, 0.6) : Math.floor(random() * 4000)),
  both: ({ c, t, own, ref }, random) =>
    c
      ? (t ? nth(own, t - 1) + nth(ref, t) - nth(ref, t - 1) : nth(ref, 0) + 200) + step(random, 0.5)
      : Math.floor(random() * 2000),
  time: ({ t, own }, random) => (t ? nth(own, t - 1) : Math.floor(random() * 9000)) + step(random, 0.5),
  half: ({ c, t, own, ref }, random) => {
    if (!c) return Math.floor(random() * 3000)
    return nth(ref, t) + (t ? (nth(own, t - 1) - nth(ref, t - 1)) >> 1 : 300) + Math.floor(random() * 9) - 4
  },
  line: ({ c, t, ref }) => (c ? nth(ref, t) : 7 * t * t - 30 * t),
  sparse: ({ c, t, ref }, random) => (c ? nth(ref, t) + step(random, 0.2) : 0),
  'sparse, with long rows of zeros': ({ c, t, ref }, random) =>
    c ? nth(ref, t) + (c % 5 === 1 ? (t === 260 ? 9 : 0) : step(random, 0.1)) : 0,
  rare: ({ c, t }) => (c % 40 === 39 && t % 50 === 0 ? 700 : 3),
  noise: (_, random) => Math.floor(random() * 65_536) - 32_768,
  extremes: (_, random) => nth([-32_767, 32_767, MISSING, 0, -1], Math.floor(random() * 5)),
  holes: ({ c, t }, random) => (random() < 0.2 ? MISSING : wrap(100 * c + t)),
  'some rows missing': ({ c, t }) => (c % 3 === 1 ? MISSING : c + t),
  zero: () => 0,
  missing: () => MISSING,
  constant: () => -7,
}
const names = Object.keys(shapes)
const LONG_ZEROS = names.indexOf('sparse, with long rows of zeros')

interface BuiltBlock {
  readonly rows: readonly (readonly Int16Array[])[]
  readonly times: readonly number[]
  readonly cells: number
  /** Returns the coding and prediction of each variable, as the encoder chose them, and the width of offsets. */
  readonly chosen: readonly string[]
  readonly wide: number
  readonly bytes: number
  decode(position: number): Float32Array
  readonly memory: Uint8Array
  readonly block: number
}

function make(
  level: number,
  children: readonly number[],
  times: readonly number[],
  seek: boolean,
  seed: number,
): BuiltBlock {
  const random = seeded(seed)
  const cells = children.length
  const most = 7 ** level
  const variables = names.length
  const stride = times.reduce((sum, n) => sum + padded(n), 0)
  const values = times.reduce((sum, n) => sum + n, 0)
  const at = lay(kernels, {
    layout: variables * 8,
    kinds: variables * 8,
    scales: variables * 16,
    refs: most * 2,
    codes: most * stride * 2,
    scratch: most * stride * 4 + stride * 2,
    other: most * stride * 2,
    out: values * 4 + 64,
    block: most * stride * 8 + most * 4 + 4096,
  })
  const { buffer } = kernels.memory
  const refs = new Uint16Array(buffer, at.refs, cells)
  const ids = Uint32Array.from(children, (child) => Number.parseInt(child.toString(7), 8))
  references(ids, 0, cells, level, refs)
  const codes = new Int16Array(buffer, at.codes, most * stride).fill(0)
  let row = 0
  const rows = names.map((name, v) => {
    new Uint32Array(buffer, at.layout).set([row, nth(times, v)], v * 2)
    new Float64Array(buffer, at.scales).set([1, 0], v * 2)
    const rows: Int16Array[] = []
    for (let c = 0; c < cells; c++) {
      const own = new Int16Array(nth(times, v))
      rows.push(own)
      for (let t = 0; t < own.length; t++)
        own[t] = entryOf(shapes, name)({ c, t, own, ref: nth(rows, nth(refs, c)) }, random)
      codes.set(own, c * stride + row)
    }
    row += padded(nth(times, v))
    return rows
  })
  const end = kernels.encodeBlock(
    ...([at.codes, cells, stride, at.refs, at.layout, variables, seek ? 1 : 0] as const),
    ...([at.kinds, at.scratch, at.block] as const),
  )
  const kinds = new Uint8Array(buffer, at.kinds, variables * 8)
  const chosen = names.map((_, v) => {
    const [prediction, coding, , , first] = kinds.subarray(v * 8)
    if (coding! & 64) return 'constant'
    return `${['plain', 'groups', 'runs'][coding! & 3]} ${['space', 'both', 'time', 'half'][prediction!]} ${first === 4 ? 'line' : 'value'}`
  })
  return {
    ...{ rows, times, cells, chosen, bytes: end - at.block, block: at.block },
    wide: nth(new Uint8Array(buffer), at.block),
    memory: new Uint8Array(buffer),
    decode(position) {
      kernels.decodeCell(
        ...([at.block, cells, stride, at.refs, at.layout, variables, 2, seek ? 1 : 0, position, at.kinds] as const),
        ...([at.other, at.scratch, at.scales, at.out] as const),
      )
      return new Float32Array(buffer, at.out, values).slice()
    },
  }
}

const wantedOf = ({ rows }: BuiltBlock, c: number) =>
  rows.flatMap((row) => Array.from(nth(row, c), (code) => (code === MISSING ? Number.NaN : code)))

const allChildren = (level: number) => Array.from({ length: 7 ** level }, (_, child) => child)
const coverage = new Set<string>()

test.each([
  [0, [1, 2, 3, 7, 8, 9, 15, 16, 17, 24, 33, 100, 5, 64, 31]],
  [1, [300, 300, 300, 300, 300, 300, 300, 300, 300, 300, 300, 300, 300, 300, 300]],
  [1, [1, 7, 8, 9, 15, 16, 17, 31, 32, 33, 40, 99, 12, 12, 12]],
  [2, Array(15).fill(280)],
  [2, [24, 24, 24, 24, 24, 12, 24, 24, 24, 24, 24, 24, 24, 24, 24]],
  [2, [8, 7, 6, 5, 4, 3, 2, 9, 16, 17, 18, 19, 20, 21, 22]],
  [3, [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1]],
  [3, [3, 7, 8, 4, 9, 5, 3, 2, 16, 17, 2, 3, 1, 2, 5]],
])('blocks of level %i are read as they were written, whole and in part, with offsets and without', (level, times) => {
  for (const seek of [true, false]) {
    for (const [part, children] of [
      allChildren(level),
      allChildren(level).filter((child) => child % 5 !== 0),
    ].entries()) {
      if (children.length === 0) continue
      const block = make(level, children, times, seek, 11 * level + part)
      for (const kinds of block.chosen) for (const word of kinds.split(' ')) coverage.add(word)
      expect(block.wide > 0).toBe(seek)
      if (seek) coverage.add(`offsets of ${block.wide}`)
      if (nth(times, LONG_ZEROS) > 260 && nth(block.chosen, LONG_ZEROS).startsWith('runs')) coverage.add('260 zeros')
      const step = Math.max(1, Math.floor(block.cells / 60))
      for (let c = block.cells - 1; c >= 0; c -= step)
        expect(Array.from(block.decode(c)), `cell ${c}, ${block.chosen}`).toEqual(wantedOf(block, c))
    }
  }
})

test('covers every coding, prediction and width of offsets', () => {
  const all = ['plain', 'groups', 'runs', 'constant', 'space', 'both', 'time', 'half', 'line', 'value']
  expect([...coverage].sort()).toEqual([...all, 'offsets of 2', 'offsets of 4', '260 zeros'].sort())
})

test.each([true, false])('reads random bytes to the end or reports an error', (seek) => {
  const random = seeded(23)
  const block = make(1, allChildren(1), Array(names.length).fill(40), seek, 3)
  const right = block.memory.slice(block.block, block.block + block.bytes)
  for (let round = 0; round < 200; round++) {
    const bytes = right.slice()
    for (let k = 0; k < 1 + random() * 20; k++) bytes[Math.floor(random() * bytes.length)] = Math.floor(random() * 256)
    block.memory.set(bytes, block.block)
    try {
      block.decode(Math.floor(random() * 7))
    } catch (error) {
      expect(error).toBeInstanceOf(WebAssembly.RuntimeError)
    }
  }
})

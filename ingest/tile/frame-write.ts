import { crc32 } from 'node:zlib'
import { Fault } from '../domain/fault.ts'
import { nth } from '../domain/nth.ts'
import { stateOf, type ValueKind } from '../domain/weather/echo.ts'
import {
  CONSTANT,
  DRY,
  FIRST_VALUE,
  type FrameHead,
  LOW_PLANE,
  MAGIC,
  NO_COVERAGE,
  PROLOGUE,
  ROW,
  TWO_PLANES,
  UNIT,
  unitsAcross,
  unitsDown,
} from './frame.ts'
import { CODES, frameKernels, frameMemory, MARKS } from './frame-kernels.ts'

/** The samples of a grid, as in the file. */
export interface SampleRows {
  /** Bytes of a sample, high byte first. */
  readonly each: 1 | 2
  /** Streams whole rows in portions, beginning in the north; each portion must be used before `take` returns. */
  readonly read: (take: (rows: Uint8Array) => void) => void
  /** Returns the value of a sample, in the product's unit. */
  readonly meaning: (sample: number) => number
  /** Values that mean "no coverage" and "dry with coverage". */
  readonly values: ValueKind
}

export type FrameSubject = Omit<FrameHead, 'base' | 'step' | 'noCoverage' | 'dry'>

export interface WrittenFrame {
  readonly bytes: Uint8Array
  readonly head: FrameHead
  /** The largest value; NaN if there is none. */
  readonly most: number
}

/**
 * Encodes a frame from the samples of its file without loss, in the kernels' memory: samples to codes, codes to units of runs.
 * @throws Fault Corrupt if the number of samples differs from the number of grid points
 */
export function writeFrame(subject: FrameSubject, rows: SampleRows): WrittenFrame {
  const { nx, ny } = subject.grid
  const kernels = frameKernels()
  takeRows(subject, rows)
  const memory = frameMemory(0)
  const { base, step } = codeTable(memory, rows)

  const out = kernels.OUT.value as number
  const across = unitsAcross(subject.grid)
  const down = unitsDown(subject.grid)
  const table = new DataView(new ArrayBuffer(across * down * ROW))
  const payload: Uint8Array[] = []
  let offset = 0
  let noCoverage = 0
  let dry = 0
  let highest = 0
  for (let row = 0; row < down; row++) {
    for (let column = 0; column < across; column++) {
      const width = Math.min(UNIT, nx - column * UNIT)
      const height = Math.min(UNIT, ny - row * UNIT)
      const wrote = kernels.encode(column * UNIT, row * UNIT, width, height, across)
      noCoverage += kernels.zeros.value as number
      dry += kernels.ones.value as number
      const at = (row * across + column) * ROW
      const length = Math.abs(wrote)
      const kind = wrote === 0 ? CONSTANT : wrote > 0 ? LOW_PLANE : TWO_PLANES
      const bytes = memory.slice(out, out + length)
      table.setUint32(at, offset, true)
      table.setUint32(at + 4, length | (kind << 24), true)
      table.setUint32(at + 8, crc32(bytes), true)
      const top = kernels.highest.value as number
      table.setUint32(at + 12, top, true)
      highest = Math.max(highest, top)
      payload.push(bytes)
      offset += length
    }
  }
  const points = nx * ny
  const head: FrameHead = { ...subject, base, step, noCoverage: noCoverage / points, dry: dry / points }
  const most = highest < FIRST_VALUE ? Number.NaN : exact(base + (highest - FIRST_VALUE) * step)
  return { bytes: assemble(head, new Uint8Array(table.buffer), payload), head, most }
}

/** Passes every row to the kernels. */
function takeRows({ grid: { nx, ny }, source }: FrameSubject, { each, read }: SampleRows): void {
  const kernels = frameKernels()
  const exchange = kernels.EXCHANGE.value as number
  const length = nx * each
  const most = Math.floor((kernels.EXCHANGE_BYTES.value as number) / length)
  if (most < 1 || Math.ceil(nx / UNIT) * ny > (kernels.MOST_STARTS.value as number)) {
    throw new Fault(
      'Corrupt',
      `${source}: the grid of ${nx} × ${ny} points is too large for a radar product. Fetch the file again.`,
    )
  }
  let memory = frameMemory(0)
  memory.fill(0, MARKS, MARKS + 65_536)
  let to = kernels.FREE.value as number
  let row = 0
  let octets = 0
  read((portion) => {
    octets += portion.length
    const rows = portion.length / length
    if (!Number.isInteger(rows) || row + rows > ny) return
    for (let from = 0; from < rows; from += most) {
      const count = Math.min(most, rows - from)
      memory = frameMemory(to + 4 * count * nx)
      memory.set(portion.subarray(from * length, (from + count) * length), exchange)
      to = kernels.take(to, row + from, count, length, each)
    }
    row += rows
  })
  if (row !== ny || octets !== length * ny) {
    const expected = `${length * ny} bytes of samples for ${nx} × ${ny} points`
    throw new Fault('Corrupt', `${source}: must have ${expected}, but has ${octets}. Fetch the file again.`)
  }
}

/** Assigns a code to every occurring sample, in the kernels' memory. */
function codeTable(memory: Uint8Array, rows: SampleRows): { base: number; step: number } {
  const values: number[] = []
  const codes = new Uint16Array(memory.buffer, CODES, 65_536)
  for (let sample = 0; sample < 65_536; sample++) {
    if (!memory[MARKS + sample]) continue
    const state = stateOf(rows.values, rows.meaning(sample))
    if (state === 'value') values.push(sample)
    else codes[sample] = state === 'dry' ? DRY : NO_COVERAGE
  }
  if (values.length === 0) return { base: 0, step: 0 }
  const first = nth(values, 0)
  const stride = values.reduce((common, sample) => divisor(common, sample - first), 0) || 1
  for (const sample of values) codes[sample] = FIRST_VALUE + (sample - first) / stride
  const base = exact(rows.meaning(first))
  return { base, step: exact(rows.meaning(first + stride) - rows.meaning(first)) }
}

function divisor(a: number, b: number): number {
  while (b !== 0) [a, b] = [b, a % b]
  return a
}

/** Decimal scales have rounding errors in the fifteenth digit; source values have six digits at most. */
export const exact = (value: number): number => Math.round(value * 1e6) / 1e6

/** Prologue (magic, lengths, checksum of everything between it and the payload), head as JSON, table of units, payload. */
function assemble(head: FrameHead, table: Uint8Array, payload: readonly Uint8Array[]): Uint8Array {
  const text = Buffer.from(JSON.stringify(head))
  const padding = (4 - (text.length % 4)) % 4
  const headLength = text.length + padding
  const start = PROLOGUE + headLength + table.length
  const bytes = new Uint8Array(payload.reduce((sum, part) => sum + part.length, start))
  const view = new DataView(bytes.buffer)
  view.setUint32(0, MAGIC, true)
  view.setUint32(4, headLength, true)
  view.setUint32(8, table.length, true)
  bytes.fill(0x20, PROLOGUE, PROLOGUE + headLength)
  bytes.set(text, PROLOGUE)
  bytes.set(table, PROLOGUE + headLength)
  view.setUint32(12, crc32(bytes.subarray(PROLOGUE, start)), true)
  let at = start
  for (const part of payload) {
    bytes.set(part, at)
    at += part.length
  }
  return bytes
}

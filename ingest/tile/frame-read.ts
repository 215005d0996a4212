import { crc32 } from 'node:zlib'
import { Fault } from '../domain/fault.ts'
import { nth } from '../domain/nth.ts'
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
import { exact } from './frame-write.ts'

/** The operation of the object store that the reader uses. */
export interface FrameObjects {
  range(key: string, from: number, length: number): Promise<Uint8Array>
}

/** Bytes of the first read, which cover the prologue, the head and the table of the largest domain. */
const FIRST_READ = 8192
/** Two units are read by one request if the gap between them is at most this many bytes. */
const GAP = 16_384
/** Maximum number of unpacked units that a frame caches; the oldest is evicted first. */
const MAX_CACHED_UNITS = 128

type Codes = Uint8Array | Uint16Array | number

/** A published frame. `load` fetches the units of an answer; afterwards reads are synchronous. */
export interface Frame {
  readonly key: string
  readonly head: FrameHead
  /** Loads every unit that touches the boxes (pixels, inclusive; parts outside the frame are ignored). */
  load(boxes: readonly UnitBox[]): Promise<FrameView>
  /** Loads the same units in stored form, for a thread that unpacks them with `viewPart`. */
  pick(boxes: readonly UnitBox[]): Promise<FramePart>
  /** Returns the value of a code. Codes 0 (no coverage) and 1 (dry) have none. */
  value(code: number): number
}

/** Stored units of a frame as plain data, for another thread. */
export interface FramePart {
  readonly key: string
  readonly head: FrameHead
  readonly units: readonly StoredUnit[]
}

interface StoredUnit {
  readonly index: number
  readonly kind: number
  /** The only code of a constant unit. */
  readonly highest: number
  readonly bytes: Uint8Array
}

/** A loaded part of a frame. */
export interface FrameView {
  /** Returns the code of a loaded pixel; NO_COVERAGE outside the frame. @throws Error if its unit was not loaded */
  code(x: number, y: number): number
  /** Returns whether a pixel can be read: it is loaded or outside the frame. */
  has(x: number, y: number): boolean
}

export interface UnitBox {
  readonly left: number
  readonly top: number
  readonly right: number
  readonly bottom: number
}

/** Opens a frame by one ranged read. @throws Fault Corrupt, Missing or Refused */
export async function openFrame(objects: FrameObjects, key: string): Promise<Frame> {
  let start = await objects.range(key, 0, FIRST_READ)
  const expectedLength = headLength(start, key)
  if (expectedLength > start.length) start = await objects.range(key, 0, expectedLength)
  const { head, table } = readHead(start, key)
  const across = unitsAcross(head.grid)
  const down = unitsDown(head.grid)
  const units = new Map<number, Codes>()

  /** Returns the units that touch the boxes. */
  function wantedBy(boxes: readonly UnitBox[]): Set<number> {
    const needed = new Set<number>()
    for (const box of boxes) {
      for (let row = Math.max(0, box.top >> 8); row <= Math.min(down - 1, box.bottom >> 8); row++) {
        for (let column = Math.max(0, box.left >> 8); column <= Math.min(across - 1, box.right >> 8); column++) {
          needed.add(row * across + column)
        }
      }
    }
    return needed
  }

  async function fetch(indexes: readonly number[]): Promise<StoredUnit[]> {
    const entries = indexes.map((index) => ({ index, ...entryAt(table, index) }))
    const units: StoredUnit[] = []
    for (const { index, kind, highest } of entries) {
      if (kind === CONSTANT) units.push({ index, kind, highest, bytes: NOTHING })
    }
    await Promise.all(
      joined(entries.filter(({ kind }) => kind !== CONSTANT)).map(async (run) => {
        const from = nth(run, 0).offset
        const last = nth(run, run.length - 1)
        const bytes = await objects.range(key, expectedLength + from, last.offset + last.length - from)
        for (const { index, offset, length, checksum, kind, highest } of run) {
          const part = bytes.subarray(offset - from, offset - from + length)
          if (part.length !== length || crc32(part) !== checksum) throw damaged(key, `unit ${index}`)
          units.push({ index, kind, highest, bytes: part })
        }
      }),
    )
    return units
  }

  async function load(boxes: readonly UnitBox[]): Promise<FrameView> {
    const loaded = new Map<number, Codes>()
    const missing: number[] = []
    for (const index of wantedBy(boxes)) {
      const cached = units.get(index)
      if (cached === undefined) missing.push(index)
      else {
        // Re-inserts a unit that is read again, so that it is evicted last.
        units.delete(index)
        units.set(index, cached)
        loaded.set(index, cached)
      }
    }
    for (const unit of await fetch(missing)) {
      const codes = unpackUnit(head, unit)
      loaded.set(unit.index, codes)
      if (unit.kind !== CONSTANT) units.set(unit.index, codes)
    }
    for (const index of units.keys()) {
      if (units.size <= MAX_CACHED_UNITS) break
      units.delete(index)
    }
    return viewOf(key, head, loaded)
  }

  const pick = async (boxes: readonly UnitBox[]) => ({ key, head, units: await fetch([...wantedBy(boxes)]) })
  return { key, head, load, pick, value: valueIn(head) }
}

const NOTHING = new Uint8Array()

function unpackUnit(head: FrameHead, { index, kind, highest, bytes }: StoredUnit): Codes {
  return kind === CONSTANT ? highest : unpack(bytes, kind, sizeOf(head, index))
}

/** Returns the selected units, unpacked. */
export function viewPart({ key, head, units }: FramePart): FrameView {
  return viewOf(key, head, new Map(units.map((unit) => [unit.index, unpackUnit(head, unit)])))
}

/** The unit of the last read, cached because consecutive reads are close together. */
function viewOf(key: string, head: FrameHead, loaded: ReadonlyMap<number, Codes>): FrameView {
  const { nx, ny } = head.grid
  const across = unitsAcross(head.grid)
  let last = -1
  let unit: Codes = NO_COVERAGE
  return {
    has: (x, y) => x < 0 || y < 0 || x >= nx || y >= ny || loaded.has((y >> 8) * across + (x >> 8)),
    code(x, y) {
      if (x < 0 || y < 0 || x >= nx || y >= ny) return NO_COVERAGE
      const index = (y >> 8) * across + (x >> 8)
      if (index !== last) {
        const loadedUnit = loaded.get(index)
        if (loadedUnit === undefined)
          throw new Error(`frame ${key}: unit ${index} must be loaded before pixel ${x}, ${y} is read`)
        unit = loadedUnit
        last = index
      }
      if (typeof unit === 'number') return unit
      const width = Math.min(UNIT, nx - (x & ~255))
      return unit[(y & 255) * width + (x & 255)]!
    },
  }
}

/** Visits every pixel of a frame in memory, unit by unit; `codes` is a number if the unit is constant. */
export function eachUnit(
  bytes: Uint8Array,
  key: string,
  visit: (codes: Codes, left: number, top: number, width: number, height: number, head: FrameHead) => void,
): FrameHead {
  const payload = headLength(bytes, key)
  const { head, table } = readHead(bytes, key)
  const across = unitsAcross(head.grid)
  const count = across * unitsDown(head.grid)
  for (let index = 0; index < count; index++) {
    const { offset, length, checksum, kind, highest } = entryAt(table, index)
    const { width, height } = sizeOf(head, index)
    const left = (index % across) * UNIT
    const top = Math.floor(index / across) * UNIT
    if (kind === CONSTANT) {
      visit(highest, left, top, width, height, head)
      continue
    }
    const part = bytes.subarray(payload + offset, payload + offset + length)
    if (part.length !== length || crc32(part) !== checksum) throw damaged(key, `unit ${index}`)
    visit(unpack(part, kind, { width, height }), left, top, width, height, head)
  }
  return head
}

export function valueIn(head: Pick<FrameHead, 'base' | 'step'>): (code: number) => number {
  return (code) => (code < FIRST_VALUE ? Number.NaN : exact(head.base + (code - FIRST_VALUE) * head.step))
}

export function stateOfCode(code: number): 'no_coverage' | 'dry' | 'value' {
  return code === NO_COVERAGE ? 'no_coverage' : code === DRY ? 'dry' : 'value'
}

interface UnitEntry {
  readonly offset: number
  readonly length: number
  readonly kind: number
  readonly checksum: number
  readonly highest: number
}

function entryAt(table: DataView, index: number): UnitEntry {
  const at = index * ROW
  const length = table.getUint32(at + 4, true)
  return {
    offset: table.getUint32(at, true),
    length: length & 0xffffff,
    kind: length >>> 24,
    checksum: table.getUint32(at + 8, true),
    highest: table.getUint32(at + 12, true),
  }
}

/** Reads adjacent units with one request. */
function joined<T extends { offset: number; length: number }>(entries: T[]): T[][] {
  const runs: T[][] = []
  let end = Number.NEGATIVE_INFINITY
  for (const entry of entries.sort((a, b) => a.offset - b.offset)) {
    if (entry.offset - end <= GAP) nth(runs, runs.length - 1).push(entry)
    else runs.push([entry])
    end = entry.offset + entry.length
  }
  return runs
}

function sizeOf(head: FrameHead, index: number): { width: number; height: number } {
  const across = unitsAcross(head.grid)
  return {
    width: Math.min(UNIT, head.grid.nx - (index % across) * UNIT),
    height: Math.min(UNIT, head.grid.ny - Math.floor(index / across) * UNIT),
  }
}

function unpack(part: Uint8Array, kind: number, { width, height }: { width: number; height: number }): Codes {
  const count = width * height
  const low = new Uint8Array(count)
  const at = unpackRuns(part, 0, low)
  if (kind === LOW_PLANE) return low
  if (kind !== TWO_PLANES) throw new Error(`frame: the kind of a unit must be 0, 1 or 2, but is ${kind}`)
  const high = new Uint8Array(count)
  unpackRuns(part, at, high)
  const codes = new Uint16Array(count)
  for (let k = 0; k < count; k++) codes[k] = low[k]! | (high[k]! << 8)
  return codes
}

/** @returns the address after the runs of this plane */
function unpackRuns(part: Uint8Array, from: number, into: Uint8Array): number {
  let at = from
  let to = 0
  while (to < into.length) {
    const control = part[at++]!
    if (control < 128) {
      const stop = to + control + 1
      while (to < stop) into[to++] = part[at++]!
    } else if (control < 255) {
      into.fill(part[at++]!, to, (to += control - 125))
    } else {
      const count = part[at]! | (part[at + 1]! << 8)
      into.fill(part[at + 2]!, to, (to += count))
      at += 3
    }
  }
  return at
}

/** Number of bytes before the payload. */
function headLength(bytes: Uint8Array, key: string): number {
  if (bytes.length < PROLOGUE) throw damaged(key, 'its prologue')
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (view.getUint32(0, true) !== MAGIC) throw damaged(key, 'its first four bytes, which must be HFR1')
  return PROLOGUE + view.getUint32(4, true) + view.getUint32(8, true)
}

function readHead(bytes: Uint8Array, key: string): { head: FrameHead; table: DataView } {
  const end = headLength(bytes, key)
  if (bytes.length < end) throw damaged(key, 'its head, which ends early')
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (crc32(bytes.subarray(PROLOGUE, end)) !== view.getUint32(12, true)) throw damaged(key, 'its head')
  const text = view.getUint32(4, true)
  const head = JSON.parse(Buffer.from(bytes.subarray(PROLOGUE, PROLOGUE + text)).toString()) as FrameHead
  const table = new DataView(bytes.buffer, bytes.byteOffset + PROLOGUE + text, end - PROLOGUE - text)
  return { head, table }
}

function damaged(key: string, where: string): Fault {
  return new Fault('Corrupt', `frame ${key}: the stored bytes are damaged in ${where}. Publish the frame again.`, {
    key,
  })
}

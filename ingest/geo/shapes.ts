import { zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import { nth } from '../domain/nth.ts'
import type { Ring } from '../domain/shape/ring.ts'

/**
 * Named areas in flat arrays. They tell which areas contain a point, and which area is nearest. Coordinates are multiples of 1e-5 degree.
 */
export interface Shapes {
  readonly names: readonly string[]
  /** Returns the indexes of the names whose area contains the point, ascending. */
  at(lat: number, lon: number): number[]
  /** Returns the nearest area within `km`; the distance is 0 km if the point lies inside. */
  nearest(lat: number, lon: number, km: number): { index: number; km: number } | undefined
  rings(index: number): [number, number][][]
}

const STEPS_PER_DEGREE = 1e5
const CELL = 0.25
const KM_PER_DEGREE = 111.195

/**
 * Packs areas. A ring may be an outline or a hole: a point is inside if an odd number of rings of a name surround it.
 * @param level compression level of zstd; 19 takes seconds for all zones of a kind
 */
export function packShapes(
  areas: readonly { readonly name: string; readonly rings: readonly Ring[] }[],
  level = 19,
): Uint8Array {
  const names = [...new Set(areas.map((area) => area.name))]
  const index = new Map(names.map((name, i) => [name, i]))
  const out: number[] = []
  for (const area of areas) {
    for (const ring of area.rings) {
      const open = ring.map(
        ([lon, lat]) => [Math.round(lon * STEPS_PER_DEGREE), Math.round(lat * STEPS_PER_DEGREE)] as const,
      )
      varint(out, index.get(area.name)!)
      varint(out, open.length)
      let x = 0
      let y = 0
      for (const [nx, ny] of open) {
        varint(out, zigzag(nx - x))
        varint(out, zigzag(ny - y))
        x = nx
        y = ny
      }
    }
  }
  const header = Buffer.from(JSON.stringify(names))
  const length = Buffer.alloc(4)
  length.writeUInt32LE(header.length)
  return zstdCompressSync(Buffer.concat([length, header, Buffer.from(out)]), { params: { 100: level } })
}

export function readShapes(packed: Uint8Array): Shapes {
  const bytes = zstdDecompressSync(packed)
  const headerLength = bytes.readUInt32LE(0)
  const names = JSON.parse(bytes.subarray(4, 4 + headerLength).toString()) as string[]
  let at = 4 + headerLength
  const next = (): number => {
    let value = 0
    let scale = 1
    for (;;) {
      const byte = bytes[at++]!
      value += (byte & 127) * scale
      if (byte < 128) return value
      scale *= 128
    }
  }
  const owner: number[] = []
  const start: number[] = []
  const box: number[] = []
  let points = new Int32Array(1 << 16)
  let used = 0
  while (at < bytes.length) {
    owner.push(next())
    const count = next()
    start.push(used)
    if (used + count * 2 > points.length) {
      const grown = new Int32Array(Math.max(points.length * 2, used + count * 2))
      grown.set(points)
      points = grown
    }
    let x = 0
    let y = 0
    let west = Number.MAX_SAFE_INTEGER
    let south = west
    let east = -west
    let north = -west
    for (let i = 0; i < count; i++) {
      x += unzigzag(next())
      y += unzigzag(next())
      points[used++] = x
      points[used++] = y
      if (x < west) west = x
      if (x > east) east = x
      if (y < south) south = y
      if (y > north) north = y
    }
    box.push(west, south, east, north)
  }
  start.push(used)
  return index(names, points.slice(0, used), Int32Array.from(start), Int32Array.from(owner), Int32Array.from(box))
}

const COLUMNS = 360 / CELL
const ROWS = 180 / CELL
const column = (x: number) => Math.min(COLUMNS - 1, Math.max(0, Math.floor((x / STEPS_PER_DEGREE + 180) / CELL)))
const row = (y: number) => Math.min(ROWS - 1, Math.max(0, Math.floor((y / STEPS_PER_DEGREE + 90) / CELL)))

/** Rings by cell of a grid of 0.25 degrees, in flat arrays. As lists in a map, the rings of all tables would take 25 MB of heap objects. */
interface RingGrid {
  /**
   * Returns the position of a cell in `first`. Its rings are `rings[first[position]]` to `rings[first[position + 1] - 1]`; a cell that is
   * not in the grid has none.
   */
  find(cell: number): number
  readonly first: Int32Array
  readonly rings: Int32Array
}

function gridOf(count: number, box: Int32Array): RingGrid {
  const lists = new Map<number, number[]>()
  for (let ring = 0; ring < count; ring++) {
    const b = ring * 4
    for (let r = row(box[b + 1]!); r <= row(box[b + 3]!); r++) {
      for (let c = column(box[b]!); c <= column(box[b + 2]!); c++) {
        const cell = r * COLUMNS + c
        const list = lists.get(cell)
        if (list) list.push(ring)
        else lists.set(cell, [ring])
      }
    }
  }
  const cells = Int32Array.from(lists.keys()).sort()
  // The last position is that of cells without rings.
  const first = new Int32Array(cells.length + 2)
  for (let i = 0; i < cells.length; i++) first[i + 1] = first[i]! + lists.get(cells[i]!)!.length
  first[cells.length + 1] = first[cells.length]!
  const rings = new Int32Array(first[cells.length]!)
  for (let i = 0; i < cells.length; i++) rings.set(lists.get(cells[i]!)!, first[i]!)
  const find = (cell: number): number => {
    let low = 0
    let high = cells.length
    while (low < high) {
      const middle = (low + high) >> 1
      if (cells[middle]! < cell) low = middle + 1
      else high = middle
    }
    return cells[low] === cell ? low : cells.length
  }
  return { find, first, rings }
}

/** The rings of all shapes: their points in steps, the index of the first number of each ring, their shapes and their boxes. */
interface PackedRings {
  readonly points: Int32Array
  readonly start: Int32Array
  readonly owner: Int32Array
  readonly box: Int32Array
  readonly cells: RingGrid
}

function index(
  names: readonly string[],
  points: Int32Array,
  start: Int32Array,
  owner: Int32Array,
  box: Int32Array,
): Shapes {
  const all: PackedRings = { points, start, owner, box, cells: gridOf(owner.length, box) }
  const at = (lat: number, lon: number) => shapesAt(all, lat, lon)
  const nearest = (lat: number, lon: number, km: number) => {
    const [containing] = at(lat, lon)
    if (containing !== undefined) return { index: containing, km: 0 }
    return nearestShape(all, lat, lon, km)
  }
  return { names, at, nearest, rings: (shape) => ringsOf(all, shape) }
}

function shapesAt(all: PackedRings, lat: number, lon: number): number[] {
  const { owner, box, cells } = all
  const x = lon * STEPS_PER_DEGREE
  const y = lat * STEPS_PER_DEGREE
  const shapes: number[] = []
  const cell = cells.find(row(y) * COLUMNS + column(x))
  for (let i = cells.first[cell]!; i < cells.first[cell + 1]!; i++) {
    const ring = cells.rings[i]!
    const b = ring * 4
    if (x < box[b]! || y < box[b + 1]! || x > box[b + 2]! || y > box[b + 3]!) continue
    if (!contains(all, ring, x, y)) continue
    const known = shapes.indexOf(owner[ring]!)
    if (known < 0) shapes.push(owner[ring]!)
    else shapes.splice(known, 1)
  }
  return shapes.sort((a, b) => a - b)
}

/** Returns whether a point is inside a ring, from the number of sides that a ray crosses. */
function contains({ points, start }: PackedRings, ring: number, x: number, y: number): boolean {
  let odd = false
  const from = start[ring]!
  const to = start[ring + 1]!
  let px = points[to - 2]!
  let py = points[to - 1]!
  for (let i = from; i < to; i += 2) {
    const qx = points[i]!
    const qy = points[i + 1]!
    if (qy > y !== py > y && x < ((px - qx) * (y - qy)) / (py - qy) + qx) odd = !odd
    px = qx
    py = qy
  }
  return odd
}

/** Returns the shape with the nearest border within a distance. */
function nearestShape(
  all: PackedRings,
  lat: number,
  lon: number,
  km: number,
): { index: number; km: number } | undefined {
  const { owner, box, cells } = all
  const x = lon * STEPS_PER_DEGREE
  const y = lat * STEPS_PER_DEGREE
  const shrink = Math.max(0.02, Math.cos((lat * Math.PI) / 180))
  const scale = KM_PER_DEGREE / STEPS_PER_DEGREE
  let best = km
  let bestRing = -1
  const visited = new Set<number>()
  // The search goes outward from the cell of the point, so that a near shore is found before distant shores are tested.
  const reach = Math.ceil(km / KM_PER_DEGREE / shrink / CELL) + 1
  const r0 = row(y)
  const c0 = column(x)
  for (let out = 0; out <= reach; out++) {
    if ((out - 1) * CELL * KM_PER_DEGREE * shrink > best) break
    for (let r = Math.max(0, r0 - out); r <= Math.min(ROWS - 1, r0 + out); r++) {
      const edge = Math.abs(r - r0) === out
      for (let c = c0 - out; c <= c0 + out; c += edge ? 1 : Math.max(1, 2 * out)) {
        const cell = cells.find(r * COLUMNS + ((c + COLUMNS) % COLUMNS))
        for (let i = cells.first[cell]!; i < cells.first[cell + 1]!; i++) {
          const ring = cells.rings[i]!
          if (visited.has(ring)) continue
          visited.add(ring)
          const b = ring * 4
          const dx = Math.max(0, box[b]! - x, x - box[b + 2]!) * shrink
          const dy = Math.max(0, box[b + 1]! - y, y - box[b + 3]!)
          if (Math.hypot(dx, dy) * scale >= best) continue
          const away = distance(all, ring, x, y, shrink) * scale
          if (away < best) {
            best = away
            bestRing = ring
          }
        }
      }
    }
  }
  return bestRing < 0 ? undefined : { index: owner[bestRing]!, km: best }
}

/** Returns the distance to the border of a ring in steps; differences of longitude are multiplied by `shrink`. */
function distance({ points, start }: PackedRings, ring: number, x: number, y: number, shrink: number): number {
  let best = Infinity
  const to = start[ring + 1]!
  let px = (points[to - 2]! - x) * shrink
  let py = points[to - 1]! - y
  for (let i = start[ring]!; i < to; i += 2) {
    const qx = (points[i]! - x) * shrink
    const qy = points[i + 1]! - y
    const ex = qx - px
    const ey = qy - py
    const length = ex * ex + ey * ey
    const t = length ? Math.min(1, Math.max(0, -(px * ex + py * ey) / length)) : 0
    const ax = px + t * ex
    const ay = py + t * ey
    const away = ax * ax + ay * ay
    if (away < best) best = away
    px = qx
    py = qy
  }
  return Math.sqrt(best)
}

function ringsOf({ points, start, owner }: PackedRings, shape: number): [number, number][][] {
  const lines: [number, number][][] = []
  for (let ring = 0; ring < owner.length; ring++) {
    if (owner[ring] !== shape) continue
    const line: [number, number][] = []
    for (let i = start[ring]!; i < start[ring + 1]!; i += 2)
      line.push([points[i]! / STEPS_PER_DEGREE, points[i + 1]! / STEPS_PER_DEGREE])
    line.push(nth(line, 0))
    lines.push(line)
  }
  return lines
}

function varint(out: number[], value: number): void {
  let remainder = value
  while (remainder > 127) {
    out.push((remainder & 127) | 128)
    remainder = Math.floor(remainder / 128)
  }
  out.push(remainder)
}

const zigzag = (value: number) => (value < 0 ? -2 * value - 1 : 2 * value)
const unzigzag = (value: number) => (value % 2 ? -(value + 1) / 2 : value / 2)

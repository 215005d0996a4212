import { nth } from '../nth.ts'
import { type Box, type MultiPolygon, shoelace } from './ring.ts'

/** A multipolygon in flat arrays for thousands of exact tests; a corner takes 16 bytes. */
export interface Shape {
  readonly box: Box
  readonly polygons: readonly {
    readonly box: Box
    /** Coordinates lon, lat, lon, lat …; rings are closed, and the outer ring comes first. */
    readonly rings: readonly Float64Array[]
  }[]
}

const ON_EDGE = 1e-9
const littleEndian = new Uint8Array(new Uint16Array([1]).buffer)[0] === 1

/** Reads the well-known binary form of a two-dimensional MultiPolygon or Polygon (OGC 06-103r4). */
export function shapeOfWkb(bytes: Uint8Array): Shape {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let at = 0
  const header = () => {
    const little = view.getUint8(at) === 1
    const type = view.getUint32(at + 1, little)
    at += 5
    return { little, type: type & 0xff }
  }
  const polygon = (little: boolean): Float64Array[] => {
    const rings: Float64Array[] = []
    const count = view.getUint32(at, little)
    at += 4
    for (let i = 0; i < count; i++) {
      const points = view.getUint32(at, little)
      at += 4
      if (little && littleEndian) {
        // The array is copied as a block, because reading 40 outlooks number by number blocked the thread for 80 ms.
        const from = bytes.byteOffset + at
        rings.push(new Float64Array(bytes.buffer.slice(from, from + points * 16) as ArrayBuffer))
        at += points * 16
        continue
      }
      const ring = new Float64Array(points * 2)
      for (let j = 0; j < ring.length; j++, at += 8) ring[j] = view.getFloat64(at, little)
      rings.push(ring)
    }
    return rings
  }
  const { little, type } = header()
  if (type === 3) return shapeOfRings([polygon(little)])
  if (type !== 6) throw new Error(`WKB: the type must be Polygon (3) or MultiPolygon (6), but is ${type}`)
  const count = view.getUint32(at, little)
  at += 4
  const polygons: Float64Array[][] = []
  for (let i = 0; i < count; i++) polygons.push(polygon(header().little))
  return shapeOfRings(polygons)
}

/** Writes the same form as hexadecimal text, which the database reads fastest. */
export function wkbOf(area: MultiPolygon): string {
  const corners = area.flat().reduce((sum, ring) => sum + ring.length, 0)
  const bytes = Buffer.alloc(9 + area.length * 9 + area.flat().length * 4 + corners * 16)
  let at = 0
  const header = (type: number, count: number) => {
    at = bytes.writeUInt8(1, at)
    at = bytes.writeUInt32LE(type, at)
    at = bytes.writeUInt32LE(count, at)
  }
  header(6, area.length)
  for (const polygon of area) {
    header(3, polygon.length)
    for (const ring of polygon) {
      at = bytes.writeUInt32LE(ring.length, at)
      for (const [lon, lat] of ring) at = bytes.writeDoubleLE(lat, bytes.writeDoubleLE(lon, at))
    }
  }
  return bytes.toString('hex')
}

export function shapeOf(area: MultiPolygon): Shape {
  return shapeOfRings(area.map((polygon) => polygon.map((ring) => Float64Array.from(ring.flat()))))
}

function shapeOfRings(polygons: readonly (readonly Float64Array[])[]): Shape {
  const parts = polygons.filter((rings) => rings.length > 0).map((rings) => ({ box: boxOfRing(nth(rings, 0)), rings }))
  const box = parts.reduce<Box>(
    (all, part) => [
      Math.min(all[0], part.box[0]),
      Math.min(all[1], part.box[1]),
      Math.max(all[2], part.box[2]),
      Math.max(all[3], part.box[3]),
    ],
    [Infinity, Infinity, -Infinity, -Infinity],
  )
  return { box, polygons: parts }
}

function boxOfRing(ring: Float64Array): Box {
  let [west, south, east, north] = [Infinity, Infinity, -Infinity, -Infinity]
  for (let i = 0; i < ring.length; i += 2) {
    const lon = ring[i]!
    const lat = ring[i + 1]!
    if (lon < west) west = lon
    if (lon > east) east = lon
    if (lat < south) south = lat
    if (lat > north) north = lat
  }
  return [west, south, east, north]
}

/** Returns whether a point is in a shape; borders count as inside, as in ST_Covers. */
export function shapeCovers({ box, polygons }: Shape, lon: number, lat: number): boolean {
  if (!inBox(box, lon, lat)) return false
  next: for (const part of polygons) {
    if (!inBox(part.box, lon, lat)) continue
    const outer = side(nth(part.rings, 0), lon, lat)
    if (outer < 0) continue
    if (outer === 0) return true
    for (let i = 1; i < part.rings.length; i++) {
      const hole = side(nth(part.rings, i), lon, lat)
      if (hole === 0) return true
      if (hole > 0) continue next
    }
    return true
  }
  return false
}

function inBox(box: Box, lon: number, lat: number): boolean {
  return lon >= box[0] - ON_EDGE && lon <= box[2] + ON_EDGE && lat >= box[1] - ON_EDGE && lat <= box[3] + ON_EDGE
}

/** Returns 1 inside, 0 on the ring, -1 outside. */
function side(ring: Float64Array, lon: number, lat: number): number {
  let inside = false
  for (let i = 0; i + 3 < ring.length; i += 2) {
    const ay = ring[i + 1]!
    const by = ring[i + 3]!
    if ((ay > lat && by > lat) || (ay < lat && by < lat)) continue
    const ax = ring[i]!
    const bx = ring[i + 2]!
    if (ax < lon - ON_EDGE && bx < lon - ON_EDGE) continue
    if (ay === by) {
      if (lon >= Math.min(ax, bx) - ON_EDGE && lon <= Math.max(ax, bx) + ON_EDGE) return 0
      continue
    }
    const x = ax + ((bx - ax) * (lat - ay)) / (by - ay)
    if (Math.abs(x - lon) <= ON_EDGE) return 0
    if (ay > lat !== by > lat && x > lon) inside = !inside
  }
  return inside ? 1 : -1
}

/** Returns whether a shape and a box (west may be greater than east) share a point. */
export function shapeTouchesBox(shape: Shape, box: Box): boolean {
  if (box[0] > box[2]) {
    return (
      shapeTouchesBox(shape, [box[0], box[1], 180, box[3]]) || shapeTouchesBox(shape, [-180, box[1], box[2], box[3]])
    )
  }
  if (!boxesTouch(shape.box, box)) return false
  const [west, south, east, north] = box
  for (const { box: own, rings } of shape.polygons) {
    if (!boxesTouch(own, box)) continue
    for (const ring of rings) {
      for (let i = 0; i + 3 < ring.length; i += 2) {
        if (segmentTouches(ring[i]!, ring[i + 1]!, ring[i + 2]!, ring[i + 3]!, west, south, east, north)) return true
      }
    }
  }
  return shapeCovers(shape, west, south)
}

function boxesTouch(a: Box, b: Box): boolean {
  return a[0] <= b[2] && b[0] <= a[2] && a[1] <= b[3] && b[1] <= a[3]
}

/** Returns whether any part of a segment lies in a box (Liang and Barsky). */
function segmentTouches(
  ax: number,
  ay: number,
  bx: number,
  by: number,
  west: number,
  south: number,
  east: number,
  north: number,
): boolean {
  let from = 0
  let to = 1
  const clip = (p: number, q: number): boolean => {
    if (p === 0) return q >= 0
    const r = q / p
    if (p < 0) from = Math.max(from, r)
    else to = Math.min(to, r)
    return from <= to
  }
  const dx = bx - ax
  const dy = by - ay
  return clip(-dx, ax - west) && clip(dx, east - ax) && clip(-dy, ay - south) && clip(dy, north - ay)
}

/** Returns the coordinates of a GeoJSON MultiPolygon, to 5 decimals (a metre): outer rings counterclockwise, holes clockwise (RFC 7946, 3.1.6). */
export function coordinatesOf({ polygons }: Shape): [number, number][][][] {
  const round = (degrees: number) => Math.round(degrees * 1e5) / 1e5
  return polygons.map(({ rings }) =>
    rings.map((ring, i) => {
      const drawn = Array.from({ length: ring.length / 2 }, (_, j): [number, number] => [
        round(ring[2 * j]!),
        round(ring[2 * j + 1]!),
      ])
      return shoelace(drawn) > 0 === (i === 0) ? drawn : drawn.reverse()
    }),
  )
}

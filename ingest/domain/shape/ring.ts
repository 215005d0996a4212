import { nth } from '../nth.ts'
import { outlineOf } from './ring-outline.ts'

/** Polygons on the sphere of longitudes and latitudes, in degrees: `[lon, lat]`. */
export type Position = readonly [number, number]
export type Ring = readonly Position[]
/** The outer ring, then holes. */
export type Polygon = readonly Ring[]
export type MultiPolygon = readonly Polygon[]
/** West, south, east and north, with west ≤ east. */
export type Box = readonly [number, number, number, number]

/** Tolerance in degrees, far below the 11 m of the fourth decimal. A point on a border belongs to both sides. */
const ON_EDGE = 1e-9

/**
 * Closes rings, follows them across the antimeridian and cuts them there, so that every longitude is within ±180.
 * @returns undefined if a ring has fewer than three corners or an invalid coordinate
 */
export function normalized(
  polygons: readonly (readonly (readonly (readonly number[])[])[])[],
): MultiPolygon | undefined {
  const result: Polygon[] = []
  if (!Array.isArray(polygons)) return undefined
  for (const polygon of polygons) {
    const rings: Ring[] = []
    if (!Array.isArray(polygon)) return undefined
    for (const raw of polygon) {
      const ring = followed(raw)
      if (!ring) return undefined
      rings.push(ring)
    }
    if (rings.length === 0) return undefined
    result.push(...cut(rings))
  }
  return result.length > 0 ? result : undefined
}

/**
 * Works like `normalized`. If the outer ring of a polygon crosses itself, the polygon becomes polygons of everything that the ring
 * encloses. In such a ring, parts of opposite orientation cancel in a signed area and in an even-odd test, so neither result is the area
 * that the forecaster meant. A hole remains if the outer ring and the hole are simple.
 */
export function normalizedOutline(
  polygons: readonly (readonly (readonly (readonly number[])[])[])[],
): MultiPolygon | undefined {
  if (!Array.isArray(polygons)) return undefined
  const simple: (readonly (readonly (readonly number[])[])[])[] = []
  for (const polygon of polygons) {
    const rings = Array.isArray(polygon) ? polygon.map(followed) : []
    const [outer, ...holes] = rings
    if (!outer || rings.includes(undefined)) return undefined
    const outlines = outlineOf(outer)
    if (!outlines) return undefined
    if (outlines.length === 1 && outlines[0] === outer) {
      simple.push([outer, ...holes.filter((hole) => outlineOf(hole!)?.[0] === hole).map((hole) => hole!)])
    } else simple.push(...outlines.map((ring) => [ring]))
  }
  return normalized(simple)
}

function followed(raw: readonly (readonly number[])[]): Ring | undefined {
  if (!Array.isArray(raw)) return undefined
  const ring: Position[] = []
  let turn = 0
  for (const position of raw) {
    const [lon, lat] = Array.isArray(position) ? position : []
    if (!Number.isFinite(lon) || !Number.isFinite(lat) || Math.abs(lat!) > 90 || Math.abs(lon!) > 540) return undefined
    const last = ring.at(-1)
    if (last) {
      const step = lon! + turn - last[0]
      if (step > 180) turn -= 360
      else if (step < -180) turn += 360
    }
    ring.push([turn === 0 ? lon! : lon! + turn, lat!])
  }
  const first = ring[0]
  const last = ring.at(-1)
  if (!first || !last) return undefined
  if (first[0] !== last[0] || first[1] !== last[1]) ring.push(first)
  return ring.length >= 4 ? ring : undefined
}

/** Returns the parts of a polygon between odd multiples of 180°, each shifted into ±180°. */
function cut(rings: Polygon): Polygon[] {
  const box = boxOf([rings])
  if (box[0] >= -180 && box[2] <= 180) return [rings]
  const parts: Polygon[] = []
  for (let turn = Math.floor((box[0] + 180) / 360); turn <= Math.floor((box[2] + 180) / 360); turn++) {
    const west = turn * 360 - 180
    const part = rings
      .map((ring) => half(half(ring, west, 1), west + 360, -1))
      .map((ring) => ring.map(([lon, lat]): Position => [lon - turn * 360, lat]))
    if (nth(part, 0).length >= 4) parts.push(part.filter((ring) => ring.length >= 4))
  }
  return parts
}

/** Returns the part of a ring on one side of a meridian (Sutherland and Hodgman). */
function half(ring: Ring, meridian: number, side: 1 | -1): Ring {
  const corners: Position[] = []
  for (let i = 0; i + 1 < ring.length; i++) {
    const a = nth(ring, i)
    const b = nth(ring, i + 1)
    const inA = (a[0] - meridian) * side >= 0
    const inB = (b[0] - meridian) * side >= 0
    if (inA) corners.push(a)
    if (inA !== inB) corners.push([meridian, a[1] + ((b[1] - a[1]) * (meridian - a[0])) / (b[0] - a[0])])
  }
  if (corners.length > 0) corners.push(nth(corners, 0))
  return corners
}

export function boxOf(polygons: MultiPolygon): Box {
  let west = Infinity
  let south = Infinity
  let east = -Infinity
  let north = -Infinity
  for (const polygon of polygons) {
    for (const [lon, lat] of nth(polygon, 0)) {
      if (lon < west) west = lon
      if (lon > east) east = lon
      if (lat < south) south = lat
      if (lat > north) north = lat
    }
  }
  return [west, south, east, north]
}

/** Returns whether a point is in a multipolygon: borders are included, holes are excluded without their borders. */
export function covers(polygons: MultiPolygon, lon: number, lat: number): boolean {
  return polygons.some((polygon) => {
    const outer = side(nth(polygon, 0), lon, lat)
    if (outer <= 0) return outer === 0
    for (let i = 1; i < polygon.length; i++) {
      const hole = side(nth(polygon, i), lon, lat)
      if (hole === 0) return true
      if (hole > 0) return false
    }
    return true
  })
}

/** Returns 1 inside, 0 on the ring, -1 outside. */
function side(ring: Ring, lon: number, lat: number): number {
  let inside = false
  for (let i = 0; i + 1 < ring.length; i++) {
    const [ax, ay] = nth(ring, i)
    const [bx, by] = nth(ring, i + 1)
    if ((ay > lat && by > lat) || (ay < lat && by < lat) || (ax < lon && bx < lon)) {
      continue
    }
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

/** Returns the area without holes, square degrees. */
export function squareDegrees(polygons: MultiPolygon): number {
  let sum = 0
  for (const polygon of polygons) {
    sum += Math.abs(shoelace(nth(polygon, 0)))
    for (const hole of polygon.slice(1)) sum -= Math.abs(shoelace(hole))
  }
  return sum
}

/** Returns the signed area, positive for a counterclockwise ring. */
export function shoelace(ring: Ring): number {
  let twice = 0
  for (let i = 0; i < ring.length; i++) {
    const [ax, ay] = nth(ring, i)
    const [bx, by] = nth(ring, (i + 1) % ring.length)
    twice += ax * by - bx * ay
  }
  return twice / 2
}

import { z } from 'zod'
import type { DomainId } from '../../ingest/domain/domain.ts'
import { Fault } from '../../ingest/domain/fault.ts'
import { Problem } from '../problem.ts'

/** west, south, east, north in degrees; west greater than east across the antimeridian. */
export type QueryBox = readonly [west: number, south: number, east: number, north: number]

/** A number in degrees, as it stands in a list of them. */
const DEGREES = ' *[+-]?(\\d+\\.?\\d*|\\.\\d+) *'
/** A pair of them, as a regular expression. */
export const PAIR = `${DEGREES},${DEGREES}`

export const boxShape = z
  .string()
  .max(120)
  .optional()
  .meta({
    description: 'west,south,east,north in degrees',
    wanted: 'west,south,east,north',
    pattern: `^${PAIR},${PAIR}$`,
  })

/** CONUS, Alaska (across the antimeridian), Hawaii, with their coasts. */
const domains: readonly QueryBox[] = [
  [-125.1, 24.2, -66.6, 49.6],
  [171.0, 50.9, -129.7, 71.7],
  [-178.7, 18.6, -154.4, 28.8],
]

/** Reads `west,south,east,north`. @throws Fault Invalid */
export function parseBox(text: string): QueryBox {
  const parts = text.split(',').map((part) => (part.trim() === '' ? Number.NaN : Number(part)))
  const [west, south, east, north] = parts as [number, number, number, number]
  const right =
    parts.length === 4 &&
    parts.every(Number.isFinite) &&
    Math.abs(west) <= 180 &&
    Math.abs(east) <= 180 &&
    Math.abs(south) <= 90 &&
    Math.abs(north) <= 90 &&
    south <= north
  if (!right) {
    throw new Fault(
      'Invalid',
      `bbox: wanted west,south,east,north in degrees, such as -109.1,36.9,-102.0,41.1; got "${text.slice(0, 80)}".`,
      {
        field: 'bbox',
      },
    )
  }
  if (west > east && east - west + 360 >= 180) {
    throw new Fault(
      'Invalid',
      `bbox: west ${west} is east of east ${east}; wanted west,south,east,north. A box across the antimeridian spans less than 180 degrees.`,
      { field: 'bbox' },
    )
  }
  return [west, south, east, north]
}

/** A box that touches no US domain has no answer. @throws Problem outside-coverage */
export function requireDomain(box: QueryBox): void {
  if (domains.some((domain) => touches(box, domain))) return
  throw new Problem('outside-coverage', 'bbox: it touches neither the contiguous states, nor Alaska, nor Hawaii.')
}

export function contains(box: QueryBox, lat: number, lon: number): boolean {
  return lat >= box[1] && lat <= box[3] && spans(box).some(([west, east]) => lon >= west && lon <= east)
}

function touches(a: QueryBox, b: QueryBox): boolean {
  if (a[1] > b[3] || a[3] < b[1]) return false
  return spans(a).some(([aw, ae]) => spans(b).some(([bw, be]) => aw <= be && ae >= bw))
}

function spans([west, , east]: QueryBox): [number, number][] {
  return west <= east
    ? [[west, east]]
    : [
        [west, 180],
        [-180, east],
      ]
}

/** Degrees of longitude that a box spans, eastwards. */
export function spanOf([west, , east]: QueryBox): number {
  return west <= east ? east - west : east - west + 360
}

/** Where radar frames may lie in a box, the largest first. */
export function domainsOf(box: QueryBox): DomainId[] {
  return frames.filter(([, domain]) => touches(box, domain)).map(([id]) => id)
}

/** The grids of radar products. */
const frames: readonly (readonly [DomainId, QueryBox])[] = [
  ['conus', [-130, 20, -60, 55]],
  ['alaska', [-176, 50, -126, 72]],
  ['hawaii', [-164, 15, -151, 26]],
]

import { z } from 'zod'
import type { DomainId } from '../../ingest/domain/domain.ts'
import { Fault } from '../../ingest/domain/fault.ts'
import { Problem } from '../problem.ts'
import { displayed, invalidValue } from './query.ts'

/** West, south, east and north edges in degrees; west is greater than east for a box across the antimeridian. */
export type QueryBox = readonly [west: number, south: number, east: number, north: number]

/** Regular expression of a number in a list. */
const DEGREES = ' *[+-]?(\\d+\\.?\\d*|\\.\\d+) *'
/** Regular expression of a pair of numbers. */
export const PAIR = `${DEGREES},${DEGREES}`

export const boxShape = z
  .string()
  .max(120)
  .optional()
  .meta({
    description: 'west,south,east,north in degrees',
    expected: 'west,south,east,north',
    pattern: `^${PAIR},${PAIR}$`,
  })

/** The contiguous states, Alaska (across the antimeridian) and Hawaii, with their coasts. */
const domains: readonly QueryBox[] = [
  [-125.1, 24.2, -66.6, 49.6],
  [171.0, 50.9, -129.7, 71.7],
  [-178.7, 18.6, -154.4, 28.8],
]

/** Parses `west,south,east,north` in degrees. @throws Fault Invalid */
export function parseBox(text: string): QueryBox {
  const parts = text.split(',').map((part) => (part.trim() === '' ? Number.NaN : Number(part)))
  const [west, south, east, north] = parts as [number, number, number, number]
  const isBox =
    parts.length === 4 &&
    parts.every(Number.isFinite) &&
    Math.abs(west) <= 180 &&
    Math.abs(east) <= 180 &&
    Math.abs(south) <= 90 &&
    Math.abs(north) <= 90 &&
    south <= north
  if (!isBox) {
    const expected = 'west,south,east,north in degrees, such as -109.1,36.9,-102.0,41.1'
    throw invalidValue('bbox', expected, displayed(text))
  }
  if (west > east && east - west + 360 >= 180) {
    throw new Fault(
      'Invalid',
      `\`bbox\` must be west,south,east,north, but its west ${west} is east of its east ${east}. Swap them; a box across the antimeridian spans less than 180 degrees.`,
      { field: 'bbox' },
    )
  }
  return [west, south, east, north]
}

/** Checks that a box touches a domain of the US. @throws Problem outside-coverage */
export function requireDomain(box: QueryBox): void {
  if (domains.some((domain) => touches(box, domain))) return
  throw new Problem(
    'outside-coverage',
    '`bbox` must touch the contiguous states, Alaska or Hawaii, but lies outside them. Change `bbox` and try again.',
  )
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

/** Returns the degrees of longitude that a box spans. */
export function spanOf([west, , east]: QueryBox): number {
  return west <= east ? east - west : east - west + 360
}

/** Returns the domains whose radar grids a box touches, the largest first. */
export function domainsOf(box: QueryBox): DomainId[] {
  return frames.filter(([, domain]) => touches(box, domain)).map(([id]) => id)
}

/** Extents of the grids of radar products. */
const frames: readonly (readonly [DomainId, QueryBox])[] = [
  ['conus', [-130, 20, -60, 55]],
  ['alaska', [-176, 50, -126, 72]],
  ['hawaii', [-164, 15, -151, 26]],
]

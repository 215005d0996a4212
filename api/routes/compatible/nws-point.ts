import { Problem } from '../../problem.ts'
import { decimal, displayed, fourth } from '../../query/query.ts'

/** A point rounded to 4 decimals. */
interface GridPoint {
  readonly lat: number
  readonly lon: number
}

/** Parses `39.74,-104.99`. @throws Problem bad-request */
export function pointOf(text: string): GridPoint {
  const [lat, lon, ...rest] = text.split(',', 3).map((part) => (decimal.test(part.trim()) ? Number(part) : Number.NaN))
  if (lat === undefined || lon === undefined || rest.length > 0 || !(Math.abs(lat) <= 90) || !(Math.abs(lon) <= 180))
    throw new Problem('bad-request', `'${displayed(text).slice(1, -1)}' does not appear to be a valid coordinate.`)
  return { lat: fourth(lat), lon: fourth(lon) }
}

const STEPS = 10_000

/** Returns the numbers of a point in our grid of 0.0001°, counted from 180° W and 90° S: each rounded point has its own. */
export const gridOf = ({ lat, lon }: GridPoint): readonly [x: number, y: number] => [
  Math.round((lon + 180) * STEPS),
  Math.round((lat + 90) * STEPS),
]

/** Returns the point of `x,y`; undefined outside the grid. The inverse of `gridOf`. */
export function pointAt(text: string): GridPoint | undefined {
  const match = /^(\d{1,7}),(\d{1,7})$/.exec(text)
  if (!match) return undefined
  const point = { lat: fourth(Number(match[2]) / STEPS - 90), lon: fourth(Number(match[1]) / STEPS - 180) }
  return point.lat <= 90 && point.lon <= 180 ? point : undefined
}

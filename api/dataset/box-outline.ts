import { type Outline, outlineAcross, outlineOf } from '../../ingest/geo/outline.ts'
import { QueryError } from './error.ts'

/** The outline of a box, also across the antimeridian. @param bbox west, south, east, north in degrees @throws QueryError bad-request */
export function boxOutline(bbox: readonly number[]): Outline {
  const [west, south, east, north] = bbox as [number, number, number, number]
  const isOnEarth = Math.abs(south) <= 90 && Math.abs(north) <= 90 && Math.abs(west) <= 180 && Math.abs(east) <= 180
  const isAcross = west > east && east - west + 360 < 180
  if (!(isOnEarth && south < north && (west < east || isAcross)))
    throw new QueryError(
      'bad-request',
      `\`bbox\` must be [west, south, east, north] in degrees, with south below north, and west below east unless it crosses the antimeridian, but was [${bbox.join(', ')}].`,
      'change `bbox` and call again.',
      { field: 'bbox', got: bbox },
    )
  return (isAcross ? outlineAcross : outlineOf)([
    [
      [west, south],
      [east, south],
      [east, north],
      [west, north],
    ],
  ])
}

import { type Outline, outlineOf } from '../../ingest/geo/outline.ts'
import { QueryError } from './error.ts'

/** The outline of a box. @param bbox west, south, east, north in degrees @throws QueryError bad-request, also for a box across the antimeridian */
export function boxOutline(bbox: readonly number[]): Outline {
  const [west, south, east, north] = bbox as [number, number, number, number]
  const isOnEarth = Math.abs(south) <= 90 && Math.abs(north) <= 90 && Math.abs(west) <= 180 && Math.abs(east) <= 180
  if (!(isOnEarth && south < north && west < east))
    throw new QueryError(
      'bad-request',
      `\`bbox\` must be [west, south, east, north] in degrees, with west below east and south below north, but was [${bbox.join(', ')}].`,
      'change `bbox` and call again.',
      { field: 'bbox', got: bbox },
    )
  return outlineOf([
    [
      [west, south],
      [east, south],
      [east, north],
      [west, north],
    ],
  ])
}

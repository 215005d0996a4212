import { type Outline, outlineOf } from '../../ingest/geo/outline.ts'
import { QueryError } from './error.ts'

/** @param bbox west, south, east, north in degrees; boxes across the antimeridian are refused. @throws QueryError bad-request */
export function boxOutline(bbox: readonly number[]): Outline {
  const [west, south, east, north] = bbox as [number, number, number, number]
  const onEarth = Math.abs(south) <= 90 && Math.abs(north) <= 90 && Math.abs(west) <= 180 && Math.abs(east) <= 180
  if (!(onEarth && south < north && west < east))
    throw new QueryError(
      'bad-request',
      `bbox: wanted [west, south, east, north] in degrees, west below east and south below north, got [${bbox.join(', ')}].`,
      'correct bbox and call again.',
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

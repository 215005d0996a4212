import { cellOf, cellsWithin, centreOf } from '../../ingest/domain/cell.ts'
import { coverage } from '../../ingest/geo/coverage.ts'
import { fourth } from '../query.ts'
import { ToolError } from './error.ts'
import { findSpot, type PlaceInput, type Spot } from './forecast.ts'

export interface QueryPoint {
  readonly index: number
  readonly lat: number
  readonly lon: number
  readonly name: string
  readonly label?: string
  readonly spot?: Spot
}

export interface Where extends PlaceInput {
  readonly points?: readonly (PlaceInput & { readonly label?: string })[]
  readonly bbox?: readonly number[]
  readonly resolution?: number
  readonly stations?: readonly string[]
}

const MOST_CELLS = 500

/** The points that are asked for. Outside ones stay, without a spot. @throws ToolError */
export function pointsOf(where: Where): QueryPoint[] {
  const place = where.location !== undefined || where.lat !== undefined || where.lon !== undefined
  const given = [
    place && 'a place',
    where.points && 'points',
    where.bbox && 'bbox',
    where.stations && 'stations',
  ].filter(Boolean)
  if (given.length !== 1)
    throw new ToolError(
      'bad-request',
      `Wanted exactly one of a place (location, or lat with lon), points, bbox and stations; got ${given.join(' and ') || 'none'}.`,
      'call again with one of them.',
      { field: 'points' },
    )
  if (where.stations)
    throw new ToolError(
      'bad-request',
      'stations go with datasets of kind station, and this one is a grid.',
      'give a place, points or bbox.',
      { field: 'stations', got: where.stations },
    )
  if (place) {
    const spot = findSpot(where)
    return [{ index: 0, ...spot.location, spot }]
  }
  if (where.bbox) return cellsOf(where.bbox, where.resolution)
  return (where.points ?? []).map((one, index) => {
    try {
      const spot = findSpot(one, `points.${index}`)
      return { index, ...spot.location, ...(one.label && { label: one.label }), spot }
    } catch (error) {
      if (!(error instanceof ToolError) || error.code !== 'outside-coverage') throw error
      return {
        index,
        lat: fourth(one.lat ?? 0),
        lon: fourth(one.lon ?? 0),
        name: one.location ?? `${one.lat}, ${one.lon}`,
        ...(one.label && { label: one.label }),
      }
    }
  })
}

function cellsOf(bbox: readonly number[], asked: number | undefined): QueryPoint[] {
  const [west, south, east, north] = bbox
  if (
    !(south < north) ||
    !(west < east) ||
    Math.abs(south) > 90 ||
    Math.abs(north) > 90 ||
    Math.abs(west) > 180 ||
    Math.abs(east) > 180
  ) {
    throw new ToolError(
      'bad-request',
      `bbox: wanted [west, south, east, north] in degrees, west below east and south below north, got [${bbox.join(', ')}]. Polygons are not supported.`,
      'mend bbox and call again.',
      { field: 'bbox', got: bbox },
    )
  }
  const ring = [
    [
      [west, south],
      [east, south],
      [east, north],
      [west, north],
      [west, south],
    ],
  ]
  // A cell of resolution r is about 7 times smaller than one of r-1: guess before enumerating a continent.
  const area = (east - west) * (north - south) * 12_364 * Math.cos((((north + south) / 2) * Math.PI) / 180)
  const cellArea = (resolution: number) => 12_393 / 7 ** (resolution - 3)
  const finest = [7, 6, 5, 4, 3].find((resolution) => area / cellArea(resolution) < MOST_CELLS * 1.2)
  const resolution = asked ?? finest ?? 3
  const guess = Math.round(area / cellArea(resolution))
  const tooMany = (count: number) =>
    new ToolError(
      'bad-request',
      `bbox at resolution ${resolution} has about ${count} cells, ${MOST_CELLS} at most.`,
      finest === undefined
        ? 'ask for a smaller box.'
        : `use resolution ${Math.min(finest, resolution - 1)}, or a smaller box.`,
      { field: 'resolution', allowed: MOST_CELLS, got: count },
    )
  if (guess > MOST_CELLS * 4) throw tooMany(guess)
  const cells = cellsWithin(ring, resolution)
    .map((cell) => centreOf(cell))
    .filter(([lat, lon]) => lat >= south && lat <= north && lon >= west && lon <= east)
  if (cells.length > MOST_CELLS && asked === undefined) return cellsOf(bbox, resolution - 1)
  if (cells.length > MOST_CELLS) throw tooMany(cells.length)
  if (cells.length === 0) {
    const [lat, lon] = centreOf(cellOf((south + north) / 2, (west + east) / 2, 7))
    cells.push([lat, lon])
  }
  return cells.map(([lat, lon], index) => {
    const at = { lat: fourth(lat), lon: fourth(lon) }
    if (!coverage(at.lat, at.lon)) return { index, ...at, name: `${at.lat}, ${at.lon}` }
    const spot = findSpot(at, 'bbox')
    return { index, ...at, name: spot.location.name, spot }
  })
}

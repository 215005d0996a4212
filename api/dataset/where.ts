import { cellOf, centreOf } from '../../ingest/domain/cell.ts'
import { mapPaced, pause } from '../../ingest/domain/pacer.ts'
import { areaKm2, type CellCentre, cellKm2, cellsInside, effortOf } from '../../ingest/geo/cells-inside.ts'
import { coverage } from '../../ingest/geo/coverage.ts'
import type { Outline } from '../../ingest/geo/outline.ts'
import { fourth } from '../query/query.ts'
import { boxOutline } from './box-outline.ts'
import { QueryError } from './error.ts'
import { findEach, findSpot, type PlaceFailure, type PlaceInput, type Spot, shownPlace } from './spot.ts'

export interface QueryPoint {
  readonly index: number
  /** Null where the place was not found. */
  readonly lat: number | null
  readonly lon: number | null
  readonly name: string
  readonly label?: string
  readonly spot?: Spot
  readonly status?: 'outside_coverage' | 'not_found' | 'ambiguous'
  readonly failure?: PlaceFailure
  /** The station that represents the point. */
  readonly station_id?: string
}

export interface Where extends PlaceInput {
  readonly points?: readonly (PlaceInput & { readonly label?: string })[]
  readonly bbox?: readonly number[]
  /** Instead of bbox: the cells or stations in it. */
  readonly outline?: Outline
  readonly resolution?: number
  readonly stations?: readonly string[]
}

const MAX_CELLS = 500
/** What may be looked at to find them: 20 to 40 ms. Compact outlines of so many cells need half of it. */
const MAX_EFFORT = { places: 5000, cells: 6000 }
/** Of the cells of a box. */
const MIN_RESOLUTION = 3
const MAX_RESOLUTION = 7

/** The requested points. Points outside the coverage are included, without a spot. @throws QueryError */
export async function pointsOf(where: Where): Promise<QueryPoint[]> {
  const place = where.location !== undefined || where.lat !== undefined || where.lon !== undefined
  const given = [
    place && 'a place',
    where.points && 'points',
    where.bbox && 'bbox',
    where.outline && 'an outline',
    where.stations && 'stations',
  ].filter(Boolean)
  if (given.length !== 1)
    throw new QueryError(
      'bad-request',
      `Wanted exactly one of a place (location, or lat with lon), points, bbox and stations; got ${given.join(' and ') || 'none'}.`,
      'call again with one of them.',
      { field: 'points' },
    )
  if (where.stations)
    throw new QueryError(
      'bad-request',
      'stations go with datasets of kind station, and this one is a grid.',
      'give a place, points or bbox.',
      { field: 'stations', got: where.stations },
    )
  if (place) {
    const spot = findSpot(where)
    return [{ index: 0, ...spot.location, spot }]
  }
  if (where.bbox) return cellsOf(boxOutline(where.bbox), where.resolution, 'bbox')
  if (where.outline) return cellsOf(where.outline, where.resolution, 'coords')
  const points = where.points ?? []
  const found = await findEach(points, 'points')
  return found.map((found, index): QueryPoint => {
    const label = points[index].label && { label: points[index].label }
    if (found.status === 'ok') return { index, ...found.location, ...label, spot: found.spot }
    const place = shownPlace(found)
    return { index, ...place, ...label, status: found.status, failure: found.failure }
  })
}

/** Cells whose centres lie in an outline, of the finest resolution that fits; the cell at its middle where none does. */
async function cellsOf(outline: Outline, asked: number | undefined, field: string): Promise<QueryPoint[]> {
  const km2 = areaKm2(outline)
  // A cell of resolution r is about 7 times smaller than one of r-1: guess before enumerating a continent.
  const guess = (resolution: number) => Math.round(km2 / cellKm2(resolution))
  const inside = async (resolution: number) => {
    const cells: CellCentre[] = []
    for (const group of cellsInside([outline], resolution)) {
      cells.push(...group)
      await pause()
    }
    return cells
  }
  const fitting = async (from: number) => {
    for (let resolution = from; resolution >= MIN_RESOLUTION; resolution--) {
      const { places, cells: boxed } = effortOf(outline, resolution)
      const possible = places <= MAX_EFFORT.places && boxed <= MAX_EFFORT.cells
      const cells = possible && guess(resolution) < MAX_CELLS * 1.2 ? await inside(resolution) : undefined
      if (cells && cells.length <= MAX_CELLS) return { resolution, cells }
    }
    return undefined
  }
  const tooMany = async (resolution: number, count: number) => {
    if (count <= MAX_CELLS)
      return new QueryError(
        'bad-request',
        `${field}: its box is too wide for the area in it to find its cells.`,
        'ask for a more compact outline, or for its parts.',
        { field, got: count },
      )
    const fits = (await fitting(resolution - 1))?.resolution
    return new QueryError(
      'bad-request',
      `${field} at resolution ${resolution} has about ${count} cells, ${MAX_CELLS} at most.`,
      fits === undefined
        ? `ask for a smaller box: this one is too large at resolution ${MIN_RESOLUTION} too.`
        : `use resolution ${fits}, or a smaller box.`,
      { field: asked === undefined ? field : 'resolution', allowed: fits ?? MAX_CELLS, got: count },
    )
  }
  const chosen =
    asked === undefined
      ? await fitting(MAX_RESOLUTION)
      : guess(asked) > MAX_CELLS * 4
        ? undefined
        : { resolution: asked, cells: await inside(asked) }
  if (!chosen) throw await tooMany(asked ?? MIN_RESOLUTION, guess(asked ?? MIN_RESOLUTION))
  const { resolution, cells } = chosen
  if (cells.length > MAX_CELLS) throw await tooMany(resolution, cells.length)
  if (cells.length === 0) {
    const cell = cellOf((outline.south + outline.north) / 2, (outline.west + outline.east) / 2, MAX_RESOLUTION)
    const [lat, lon] = centreOf(cell)
    cells.push({ cell, lat, lon })
  }
  return mapPaced(cells, ({ lat, lon }, index): QueryPoint => {
    const at = { lat: fourth(lat), lon: fourth(lon) }
    if (!coverage(at.lat, at.lon)) return { index, ...at, name: `${at.lat}, ${at.lon}` }
    const spot = findSpot(at, field)
    return { index, ...at, name: spot.location.name, spot }
  })
}

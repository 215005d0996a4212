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
  /** Null if the place was not found. */
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
  /** The cells or stations in an outline, as an alternative to `bbox`. */
  readonly outline?: Outline
  readonly resolution?: number
  readonly stations?: readonly string[]
}

const MAX_CELLS = 500
/**
 * Maximum number of places and cells that may be examined to determine the cells of an outline, in 20 to 40 ms. Compact
 * outlines of 500 cells need half as many.
 */
const MAX_EFFORT = { places: 5000, cells: 6000 }
/** Resolutions of the cells of a box. */
const MIN_RESOLUTION = 3
const MAX_RESOLUTION = 7

/**
 * Returns the requested points. Points outside the coverage are included, without a resolved place. @throws QueryError
 */
export async function pointsOf(where: Where): Promise<QueryPoint[]> {
  const hasPlace = where.location !== undefined || where.lat !== undefined || where.lon !== undefined
  const selections = [
    hasPlace && 'a place',
    where.points && 'points',
    where.bbox && 'bbox',
    where.outline && 'an outline',
    where.stations && 'stations',
  ].filter(Boolean)
  if (selections.length !== 1)
    throw new QueryError(
      'bad-request',
      `A query needs exactly one of a place (location, or lat with lon), points, bbox and stations, but has ${selections.join(' and ') || 'none'}.`,
      'call again with one of them.',
      { field: 'points' },
    )
  if (where.stations)
    throw new QueryError(
      'bad-request',
      '`stations` needs a dataset of kind station, but this dataset is a grid.',
      'give a place, points or bbox.',
      { field: 'stations', got: where.stations },
    )
  if (hasPlace) {
    const spot = findSpot(where)
    return [{ index: 0, ...spot.location, spot }]
  }
  if (where.bbox) return cellsOf(boxOutline(where.bbox), where.resolution, 'bbox')
  if (where.outline) return cellsOf(where.outline, where.resolution, 'coords')
  const points = where.points ?? []
  const results = await findEach(points, 'points')
  return results.map((result, index): QueryPoint => {
    const text = points[index]?.label
    const label = text && { label: text }
    if (result.status === 'ok') return { index, ...result.location, ...label, spot: result.spot }
    return { index, ...shownPlace(result), ...label, status: result.status, failure: result.failure }
  })
}

/**
 * Returns the cells whose centres lie in an outline, at the requested or the finest possible resolution; if it contains
 * no centre, the cell at its middle.
 */
async function cellsOf(outline: Outline, requested: number | undefined, field: string): Promise<QueryPoint[]> {
  const km2 = areaKm2(outline)
  // A cell of resolution r is about 7 times smaller than a cell of r-1. The estimate avoids enumerating the cells of a continent.
  const estimate = (resolution: number) => Math.round(km2 / cellKm2(resolution))
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
      const cells = possible && estimate(resolution) < MAX_CELLS * 1.2 ? await inside(resolution) : undefined
      if (cells && cells.length <= MAX_CELLS) return { resolution, cells }
    }
    return undefined
  }
  const tooMany = async (resolution: number, count: number) => {
    if (count <= MAX_CELLS)
      return new QueryError(
        'bad-request',
        `\`${field}\` has a box that is too large for the area in it, so that its cells cannot be found in time.`,
        'request a more compact outline, or its parts.',
        { field, got: count },
      )
    const fits = (await fitting(resolution - 1))?.resolution
    return new QueryError(
      'bad-request',
      `\`${field}\` at resolution ${resolution} has about ${count} cells, but at most ${MAX_CELLS} are allowed.`,
      fits === undefined
        ? `request a smaller box: this box is too large even at resolution ${MIN_RESOLUTION}.`
        : `use resolution ${fits}, or a smaller box.`,
      { field: requested === undefined ? field : 'resolution', allowed: fits ?? MAX_CELLS, got: count },
    )
  }
  const chosen =
    requested === undefined
      ? await fitting(MAX_RESOLUTION)
      : estimate(requested) > MAX_CELLS * 4
        ? undefined
        : { resolution: requested, cells: await inside(requested) }
  if (!chosen) throw await tooMany(requested ?? MIN_RESOLUTION, estimate(requested ?? MIN_RESOLUTION))
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

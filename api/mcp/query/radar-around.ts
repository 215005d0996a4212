import { pause } from '../../../ingest/domain/pacer.ts'
import { isoSeconds } from '../../../ingest/domain/time.ts'
import { distanceKm } from '../../../ingest/geo/sphere.ts'
import { pixelOf } from '../../../ingest/tile/frame.ts'
import { type Frame, type FrameView, stateOfCode } from '../../../ingest/tile/frame-read.ts'
import type { Spot } from '../../dataset/spot.ts'
import { REFLECTIVITIES, SCAN_MAX_AGE_MS } from '../../live/radar.ts'
import type { ToolContext } from '../protocol/context.ts'

/** Reflectivity from which a pixel counts as an echo. */
export const ECHO_DBZ = 15
const KM_PER_DEGREE = 111.19
/** Cells on each side of a text grid; the number is odd, so that the place is in the middle cell. */
const SAMPLES_PER_SIDE = 15

/** The newest reflectivity within a radius of a place. */
export interface RadarAround {
  readonly validTime: number
  readonly nearest: { readonly distance_km: number; readonly bearing: number; readonly reflectivity_dbz: number } | null
  /** Whether radar covers a part of every cell, of some cells, or of no cell. */
  readonly coverage: 'all' | 'part' | 'nothing'
  /** Highest dBZ of each cell, rows from north to south and cells from west to east; null without coverage, 0 without an echo. */
  readonly grid: { readonly cell_km: number; readonly rows: readonly (readonly (number | null)[])[] }
}

/** Returns the reflectivity around a place; undefined if no scan of the last 15 minutes is available. Up to 900,000 pixels are read, in slices of 8 ms between pauses. */
export async function radarAround(
  context: ToolContext,
  spot: Spot,
  radiusKm: number,
): Promise<RadarAround | undefined> {
  const { radar } = context.deps
  const { domain } = spot.resolved
  const isRecent = (time: number | undefined) => time !== undefined && context.now - time <= SCAN_MAX_AGE_MS
  const product = REFLECTIVITIES.find((id) => isRecent(radar.newestTime(id, domain)))
  const frame = product && (await radar.newest(product, domain))
  if (!frame) return undefined
  const { lat, lon } = spot.location
  const { grid } = frame.head
  const { x: cx, y: cy } = pixelOf(grid, lat, lon)
  const dy = Math.ceil(radiusKm / KM_PER_DEGREE / grid.dLat)
  const dx = Math.ceil(radiusKm / (KM_PER_DEGREE * Math.cos((lat * Math.PI) / 180)) / grid.dLon)
  const box = {
    left: Math.round(cx) - dx,
    right: Math.round(cx) + dx,
    top: Math.round(cy) - dy,
    bottom: Math.round(cy) + dy,
  }
  const view = await frame.load([box])
  const cells = new Float64Array(SAMPLES_PER_SIDE * SAMPLES_PER_SIDE).fill(Number.NaN)
  let best: { distance: number; lat: number; lon: number; dbz: number } | undefined
  for (let y = Math.max(0, box.top); y <= Math.min(grid.ny - 1, box.bottom); y++) {
    const row = Math.min(SAMPLES_PER_SIDE - 1, Math.floor(((y - box.top) / (2 * dy + 1)) * SAMPLES_PER_SIDE))
    for (let x = Math.max(0, box.left); x <= Math.min(grid.nx - 1, box.right); x++) {
      const dbz = valueAt(frame, view, x, y)
      if (dbz === undefined) continue
      const cell =
        row * SAMPLES_PER_SIDE +
        Math.min(SAMPLES_PER_SIDE - 1, Math.floor(((x - box.left) / (2 * dx + 1)) * SAMPLES_PER_SIDE))
      const highest = cells[cell] ?? Number.NaN
      if (!(dbz <= highest)) cells[cell] = dbz
      if (dbz < ECHO_DBZ) continue
      const at = { lat: grid.north - y * grid.dLat, lon: grid.west + x * grid.dLon }
      // The pixel that contains the place has distance 0, although its centre is up to half a pixel away.
      const isOverPlace = x === Math.round(cx) && y === Math.round(cy)
      const distance = isOverPlace ? 0 : distanceKm(lat, lon, at.lat, at.lon)
      if (distance <= radiusKm && (!best || distance < best.distance)) best = { distance, ...at, dbz }
    }
    await pause()
  }
  return {
    validTime: frame.head.validTime,
    nearest: best
      ? {
          distance_km: tenth(best.distance),
          bearing: best.distance === 0 ? 0 : bearingOf(lat, lon, best.lat, best.lon),
          reflectivity_dbz: tenth(best.dbz),
        }
      : null,
    coverage: cells.every(Number.isNaN) ? 'nothing' : cells.some(Number.isNaN) ? 'part' : 'all',
    grid: {
      cell_km: tenth((2 * radiusKm) / SAMPLES_PER_SIDE),
      rows: Array.from({ length: SAMPLES_PER_SIDE }, (_, row) =>
        Array.from(cells.subarray(row * SAMPLES_PER_SIDE, (row + 1) * SAMPLES_PER_SIDE), (dbz) =>
          Number.isNaN(dbz) ? null : Math.round(dbz),
        ),
      ),
    },
  }
}

/** Returns the value of a pixel in dBZ, at least 0; undefined without coverage. */
function valueAt(frame: Frame, view: FrameView, x: number, y: number): number | undefined {
  const code = view.code(x, y)
  const state = stateOfCode(code)
  return state === 'no_coverage' ? undefined : state === 'value' ? Math.max(0, frame.value(code)) : 0
}

const tenth = (value: number) => Math.round(value * 10) / 10

/** Returns the grid as text. North is up, and the place is in the cell in brackets. */
export function gridLines({ grid, validTime }: RadarAround, now: number): string[] {
  const sign = (dbz: number | null) =>
    dbz === null ? '?' : dbz < 5 ? '.' : dbz < 20 ? '-' : dbz < 35 ? '+' : dbz < 50 ? '#' : '@'
  const middle = (SAMPLES_PER_SIDE - 1) / 2
  const minutes = Math.max(0, Math.round((now - validTime) / 60_000))
  return [
    `Radar grid, north up, cells of ${grid.cell_km} km, scan of ${isoSeconds(validTime)}, ${minutes} min old. . none, - below 20 dBZ, + 20 to 35, # 35 to 50, @ 50 and more, ? no coverage; the place is in brackets.`,
    ...grid.rows.map((cells, row) =>
      cells
        .map((dbz, column) => (row === middle && column === middle ? `[${sign(dbz)}]` : ` ${sign(dbz)} `))
        .join('')
        .trimEnd(),
    ),
  ]
}

/** Returns the initial bearing from the first place to the second, degrees clockwise from north. */
export function bearingOf(lat1: number, lon1: number, lat2: number, lon2: number): number {
  const rad = Math.PI / 180
  const y = Math.sin((lon2 - lon1) * rad) * Math.cos(lat2 * rad)
  const x =
    Math.cos(lat1 * rad) * Math.sin(lat2 * rad) -
    Math.sin(lat1 * rad) * Math.cos(lat2 * rad) * Math.cos((lon2 - lon1) * rad)
  return (Math.round(Math.atan2(y, x) / rad) + 360) % 360
}

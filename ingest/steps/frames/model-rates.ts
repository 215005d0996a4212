import { publishedBetween } from '../../../sql/queries/history.ts'
import { cellOf, cellsIn, centreOf } from '../../domain/cell.ts'
import type { DomainId } from '../../domain/domain.ts'
import { HOUR, type Instant, MINUTE } from '../../domain/time.ts'
import type { Database } from '../../ports/database.ts'
import type { Objects } from '../../ports/objects.ts'
import { createTileCache } from '../../tile/cache.ts'
import { type FrameGrid, pixelOf, placeOf } from '../../tile/frame.ts'
import { openFrame } from '../../tile/frame-read.ts'
import { openRun } from '../../tile/read.ts'

/** The model beside the nowcast, and its variable. It gives the rate at full hours, mm/h, and does not cover Hawaii. */
const MODEL = 'hrrr'
const RATE = 'precip_rate'
/** Greatest distance of a frame from a full hour. */
const MAX_OFFSET_MS = 2 * MINUTE
/** Period before a frame in which its runs began: Alaska has one every three hours. */
const RUNS_MS = 12 * HOUR

/**
 * A group of points each degree, seven of the 49 cells of one parent. The values of a parent are stored together, so a group is one read; all
 * cells of a domain would be its whole tiles.
 */
const GROUP_DEGREES = 1
const GROUP_LEVELS = 2
const GROUP_STEP = 7
/** Number of groups that are read concurrently. */
const GROUPS_AT_ONCE = 16
/** A run is read once for all leads, and then not again. */
const CACHE_BYTES = 1_048_576

/** Rates of the model at pixels of a frame, mm/h. */
export interface ModelRates {
  /** Indexes of the pixels in the frame, row by row. */
  readonly pixels: Int32Array
  readonly rates: Float32Array
}

/**
 * Returns the rates at `valid` of the newest run of the model that was served at each anchor; an anchor without a run is absent. A run that was
 * published again since then is read in its present form. Empty between full hours.
 * @param frameKey key of the frame at `valid`
 * @throws Fault of the store, or Corrupt
 */
export async function modelRates(
  { database, objects }: { readonly database: Database; readonly objects: Objects },
  domain: DomainId,
  valid: Instant,
  anchors: readonly Instant[],
  frameKey: string,
): Promise<ReadonlyMap<Instant, ModelRates>> {
  const hour = Math.round(valid / HOUR) * HOUR
  if (Math.abs(valid - hour) > MAX_OFFSET_MS) return new Map()
  const runs = await publishedBetween(database, [MODEL], domain, new Date(hour - RUNS_MS), new Date(hour))
  const { grid } = (await openFrame(objects, frameKey)).head
  const byRun = new Map<string, ModelRates | undefined>()
  const byAnchor = new Map<Instant, ModelRates>()
  for (const anchor of anchors) {
    const served = runs.find(({ published_at: at }) => at !== null && at.getTime() <= anchor)
    if (!served) continue
    const { manifest_key: key } = served
    if (!byRun.has(key)) byRun.set(key, await ratesOf(objects, key, hour, grid))
    const rates = byRun.get(key)
    if (rates) byAnchor.set(anchor, rates)
  }
  return byAnchor
}

/** Returns the rates of a run at one hour; undefined if it lacks the hour. */
async function ratesOf(
  objects: Objects,
  manifestKey: string,
  hour: Instant,
  grid: FrameGrid,
): Promise<ModelRates | undefined> {
  const run = await openRun(objects, manifestKey, createTileCache(CACHE_BYTES))
  const at = run.variables.get(RATE)?.times.indexOf(hour) ?? -1
  if (at < 0) return undefined
  const pixels: number[] = []
  const rates: number[] = []
  const readGroup = async (group: string) => {
    for (const cell of cellsIn(group, run.resolution).filter((_, i) => i % GROUP_STEP === 0)) {
      const pixel = indexOf(grid, cell)
      const rate = pixel === undefined ? undefined : (await run.point(cell))?.variables.get(RATE)?.values[at]
      if (pixel === undefined || rate === undefined || Number.isNaN(rate)) continue
      pixels.push(pixel)
      rates.push(rate)
    }
  }
  const groups = [...groupsOf(grid, run.resolution - GROUP_LEVELS)]
  for (let i = 0; i < groups.length; i += GROUPS_AT_ONCE)
    await Promise.all(groups.slice(i, i + GROUPS_AT_ONCE).map(readGroup))
  return { pixels: Int32Array.from(pixels), rates: Float32Array.from(rates) }
}

/** The cells of the groups, in the order of the rows of the grid. */
function groupsOf(grid: FrameGrid, resolution: number): Set<string> {
  const groups = new Set<string>()
  const [columns, rows] = [
    Math.floor((grid.nx * grid.dLon) / GROUP_DEGREES),
    Math.floor((grid.ny * grid.dLat) / GROUP_DEGREES),
  ]
  for (let row = 0; row < rows; row++)
    for (let column = 0; column < columns; column++) {
      const [x, y] = [((column + 0.5) * GROUP_DEGREES) / grid.dLon, ((row + 0.5) * GROUP_DEGREES) / grid.dLat]
      const { lat, lon } = placeOf(grid, x, y)
      groups.add(cellOf(lat, lon, resolution))
    }
  return groups
}

/** The pixel at the centre of a cell; undefined outside the grid. */
function indexOf(grid: FrameGrid, cell: string): number | undefined {
  const { x, y } = pixelOf(grid, ...centreOf(cell))
  const [column, row] = [Math.round(x), Math.round(y)]
  const isInside = column >= 0 && row >= 0 && column < grid.nx && row < grid.ny
  return isInside ? row * grid.nx + column : undefined
}

import { createHash } from 'node:crypto'
import {
  dropSeasonHours,
  putSeasonDay,
  putSeasonHour,
  putSeasonMonth,
  type SeasonHour,
  seasonDays,
  seasonHours,
  seasonMonth,
} from '../../../sql/queries/season.ts'
import { PAST_HOURS_COUNT } from '../../domain/dataset/past-hours.ts'
import { MAX_MISSING_HOURS, SEASON_DATASET, SEASON_SOURCES, SEASON_TILES } from '../../domain/dataset/season.ts'
import type { DomainId } from '../../domain/domain.ts'
import { isFault } from '../../domain/fault.ts'
import { nth } from '../../domain/nth.ts'
import { dateText, HOUR, type Instant, runName } from '../../domain/time.ts'
import { type TimeZone, zone } from '../../domain/timezone.ts'
import type { Database } from '../../ports/database.ts'
import type { Objects } from '../../ports/objects.ts'
import { ENCODER_VERSION } from '../../tile/key.ts'
import { buildTiles } from '../grid/build-tiles.ts'
import type { Pool } from '../pool-tasks.ts'
import type { CellZones } from './cell-zones.ts'
import { hoursOfDomain } from './daily-extremes.ts'
import type { SeasonDayTask, SeasonHourResult, SeasonHourTask, SeasonZonesTask } from './work.ts'

export interface SeasonDeps {
  readonly database: Database
  readonly objects: Objects
  readonly pool: Pool
  /** Version of the encoder in the keys of stored hours: `ENCODER_VERSION`, unless a test sets another one. */
  readonly encoder?: number
}

/** An analysed hour of a dataset in a domain. */
export interface AnalysedHour {
  readonly dataset: string
  readonly domain: DomainId
  readonly hour: Instant
}

/** Time after the last hour of a day after which missing hours from the same dataset are no longer awaited. */
const LATE = 6 * HOUR
/** Number of earlier local days that an hour may complete. */
const DAYS_BACK = 3

const folder = (domain: DomainId) => `season/v1/${SEASON_DATASET}/${domain}`

/** Returns the key of a stored hour. Objects of another encoder that no row names any more are removed as orphans. */
export const hourKey = (
  domain: DomainId,
  dataset: string,
  hour: Instant,
  { encoder = ENCODER_VERSION }: Pick<SeasonDeps, 'encoder'>,
): string => `${folder(domain)}/hours/${dataset}-${runName(hour)}-e${encoder}`

/**
 * Stores an analysed hour until every local day that contains it is built. This happens before the run is published, so that a repeated
 * step finds the hour.
 */
export async function keepHour(
  { database, objects, pool, encoder }: SeasonDeps,
  { dataset, domain, hour }: AnalysedHour,
  slabs: Pick<Objects, 'get'>,
  slabKeys: readonly string[],
): Promise<void> {
  for (const name of slabKeys) {
    const bytes = ownBytes(await slabs.get(name))
    const task: SeasonHourTask = { kind: 'season-hour', name, bytes }
    const slab = await pool.run<SeasonHourResult | undefined>(task, [bytes.buffer])
    if (!slab) continue
    const to = hourKey(domain, dataset, hour, { encoder })
    await objects.put(to, slab.bytes)
    await putSeasonHour(database, domain, { dataset, hour: new Date(hour), slab_key: to, cover: slab.cover })
    return
  }
}

/**
 * Builds the local days that an hour completes, and earlier days whose missing hours were awaited long enough.
 * @returns the new or improved dates, such as `2026-08-20`
 */
export async function buildDays(deps: SeasonDeps, at: AnalysedHour): Promise<string[]> {
  const { database } = deps
  const { domain, hour } = at
  const own = (await seasonHours(database, domain, new Date(hour), new Date(hour + HOUR))).find(
    ({ dataset }) => dataset === at.dataset,
  )
  if (!own) return []
  const cells = await cellsOf(deps, own)
  const newest = Math.max(...cells.zones.map((place) => place.dayOf(hour)))
  const oldest = newest - DAYS_BACK
  const built: string[] = []
  for (let day = oldest; day <= newest; day++) {
    if (await buildDay(deps, at, day, cells)) built.push(dateText(day))
  }
  const months = new Set([oldest, newest].map((day) => `${dateText(day).slice(0, 7)}-01`))
  for (const month of months) await publishMonth(deps, domain, month)
  await dropDoneHours(deps, domain, oldest, newest, cells.zones)
  return built
}

interface SeasonCells {
  readonly cover: string
  readonly zones: readonly TimeZone[]
  readonly table: CellZones
}

/** Number of covers whose zones stay in memory, 1.6 MB each, one for each domain and resolution. */
const MAX_COVERS = 6
const knownCells = new Map<string, Promise<SeasonCells>>()

/** Returns the time zones of the cells of an hour, which are looked up once for each process and cover. */
function cellsOf({ objects, pool }: SeasonDeps, { cover, slab_key }: SeasonHour): Promise<SeasonCells> {
  let cells = knownCells.get(cover)
  if (!cells) {
    const lookUp = async (): Promise<SeasonCells> => {
      const bytes = ownBytes(await objects.get(slab_key))
      const task: SeasonZonesTask = { kind: 'season-zones', name: slab_key, bytes }
      const table = await pool.run<CellZones>(task, [bytes.buffer])
      return { cover, zones: table.names.map(zone), table }
    }
    if (knownCells.size >= MAX_COVERS) knownCells.clear()
    knownCells.set(cover, (cells = lookUp()))
    cells.catch(() => knownCells.delete(cover))
  }
  return cells
}

/** Returns for each hour the row of the first source that has it. */
export function bestHours(rows: readonly SeasonHour[], cover: string): SeasonHour[] {
  const best = new Map<number, SeasonHour>()
  for (const source of SEASON_SOURCES) {
    for (const row of rows) {
      const time = row.hour.getTime()
      if (row.dataset === source && row.cover === cover && !best.has(time)) best.set(time, row)
    }
  }
  return [...best.values()].sort((a, b) => a.hour.getTime() - b.hour.getTime())
}

async function buildDay(
  { database, objects, pool }: SeasonDeps,
  { dataset, domain, hour }: AnalysedHour,
  day: number,
  { cover, zones, table }: SeasonCells,
): Promise<boolean> {
  const expectedHours = hoursOfDomain(zones, day)
  if (expectedHours.length === 0) return false
  const [first, end] = [nth(expectedHours, 0), expectedHours.at(-1)! + HOUR]
  const available = bestHours(await seasonHours(database, domain, new Date(first), new Date(end)), cover)
  const observed = available.filter((slab) => slab.dataset === SEASON_DATASET).length
  const late = hour >= end + LATE
  if (available.length < (late ? expectedHours.length - MAX_MISSING_HOURS : expectedHours.length)) return false
  const date = dateText(day)
  const [stored] = await seasonDays(database, domain, date, date)
  if (stored?.cover === cover) {
    if (available.length < stored.hours || observed < stored.observed) return false
    // Hours of URMA replace those of RTMA all at once, because a build after each hour would cost 27 times as much.
    const replaced =
      observed > stored.observed && (observed === expectedHours.length || (late && dataset === SEASON_DATASET))
    if (available.length === stored.hours && !replaced) return false
  }

  const hours = await Promise.all(
    available.map(async ({ hour: at, slab_key }) => ({
      name: slab_key,
      time: at.getTime(),
      bytes: ownBytes(await objects.get(slab_key)),
    })),
  )
  const run = Date.parse(`${date.slice(0, 7)}-01T00:00:00Z`)
  const resolution = Number(cover.slice(0, cover.indexOf('-')))
  const task: SeasonDayTask = {
    kind: 'season-day',
    identity: { dataset: SEASON_TILES, domain, run, resolution },
    day,
    zones: table,
    hours,
  }
  const bytes = await pool.run<Uint8Array>(
    task,
    hours.map((slab) => slab.bytes.buffer),
  )
  const inputs = createHash('sha256').update([cover, ...available.map(({ slab_key }) => slab_key)].join())
  const slabKey = `${folder(domain)}/days/${date}-${inputs.digest('hex').slice(0, 8)}`
  await objects.put(slabKey, bytes)
  const row = { date, hours: available.length, wanted: expectedHours.length, observed, slab_key: slabKey, cover }
  return putSeasonDay(database, domain, row)
}

/** Builds the days of a month as tiles, and replaces tiles with fewer hours. */
async function publishMonth({ database, objects, pool }: SeasonDeps, domain: DomainId, month: string): Promise<void> {
  const run = Date.parse(`${month}T00:00:00Z`)
  const all = await seasonDays(database, domain, month, lastOfMonth(month))
  // Days before and after a change of grid or resolution cannot be joined.
  const cover = all.at(-1)?.cover
  const days = all.filter((day) => day.cover === cover)
  if (cover === undefined) return
  const hours = days.reduce((sum, day) => sum + day.hours, 0)
  const observed = days.reduce((sum, day) => sum + day.observed, 0)
  const shown = await seasonMonth(database, domain, month)
  if (shown?.cover === cover && shown.hours === hours && shown.observed === observed) return
  const { manifestKey } = await buildTiles(pool, objects, objects, {
    dataset: SEASON_TILES,
    domain,
    run,
    stage: 'days',
    slabs: days.map(({ slab_key }) => slab_key),
  })
  const supersededKey = await putSeasonMonth(database, domain, {
    month,
    days: days.length,
    hours,
    observed,
    cover,
    analysis: days.filter((day) => day.observed < day.hours).map(({ date }) => date),
    manifest_key: manifestKey,
  })
  if (typeof supersededKey === 'string' && supersededKey !== manifestKey) await removeFolder(objects, supersededKey)
}

function lastOfMonth(month: string): string {
  const [year, number] = month.split('-').map(Number)
  return new Date(Date.UTC(year!, number!, 0)).toISOString().slice(0, 10)
}

/**
 * Removes hours whose local days are all built from URMA alone, except the hours of the last day, which are served
 * directly.
 */
async function dropDoneHours(
  { database, objects }: SeasonDeps,
  domain: DomainId,
  oldest: number,
  newest: number,
  zones: readonly TimeZone[],
): Promise<void> {
  const days = await seasonDays(database, domain, dateText(oldest - 1), dateText(newest))
  const completeDates = new Set(days.filter((day) => day.observed >= day.wanted).map(({ date }) => date))
  if (completeDates.size === 0) return
  const [first, end] = [nth(hoursOfDomain(zones, oldest - 1), 0), hoursOfDomain(zones, newest).at(-1)! + HOUR]
  const waiting = await seasonHours(database, domain, new Date(first), new Date(end + PAST_HOURS_COUNT * HOUR))
  const served = Math.max(...waiting.map(({ hour }) => hour.getTime())) - PAST_HOURS_COUNT * HOUR
  const done = waiting
    .map(({ hour }) => hour)
    .filter((hour) => hour.getTime() <= served)
    .filter((hour) => zones.every((place) => completeDates.has(dateText(place.dayOf(hour.getTime())))))
  for (const slab of await dropSeasonHours(database, { domain, hours: done })) await objects.remove(slab)
}

/** Builds the tiles of a month with their manifest. */
export async function removeFolder(objects: Objects, manifestKey: string): Promise<void> {
  const prefix = manifestKey.slice(0, manifestKey.lastIndexOf('/') + 1)
  const keys: string[] = []
  for await (const { key } of objects.list(prefix)) keys.push(key)
  for (const key of keys) await objects.remove(key)
}

/** Copies bytes out of Node's pool, because the buffer is transferred to another thread. */
export function ownBytes(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const own = bytes.buffer.byteLength === bytes.length && bytes.length > 65_536
  return own ? (bytes as Uint8Array<ArrayBuffer>) : new Uint8Array(bytes)
}

/**
 * Runs a step of the season. A failure does not fail the run; the hour is then missing from its day. @returns the
 * reason, for the operator
 */
export async function tolerated(work: () => Promise<unknown>): Promise<string | undefined> {
  try {
    await work()
    return undefined
  } catch (error) {
    if (!isFault(error)) throw error
    return error.message
  }
}

import { createHash } from 'node:crypto'
import {
  dropSeasonBefore,
  dropSeasonHours,
  putSeasonDay,
  putSeasonHour,
  putSeasonMonth,
  type SeasonKey,
  seasonDays,
  seasonHours,
} from '../../../sql/queries/season.ts'
import type { DomainId } from '../../domain/domain.ts'
import { Fault, isFault } from '../../domain/fault.ts'
import { SEASON_DAYS, SEASON_MAX, SEASON_MIN, SEASON_VARIABLE, seasonDataset } from '../../domain/season.ts'
import { DAY, dateText, HOUR, type Instant, runName } from '../../domain/time.ts'
import type { Database } from '../../ports/database.ts'
import type { Objects } from '../../ports/objects.ts'
import type { Cover } from '../../tile/cover.ts'
import { joinSlabs } from '../../tile/slab.ts'
import { itemOf, SlabCodes } from '../../tile/slab-codes.ts'
import { buildTiles } from '../grid/build-tiles.ts'
import type { Pool } from '../pool-tasks.ts'
import { type CellZones, ZoneTable } from './cell-zones.ts'
import { dailyExtremes, type HourSlab, hoursOfDomain, MAX_MISSING_HOURS } from './daily-extremes.ts'

export interface SeasonDeps {
  readonly database: Database
  readonly objects: Objects
  readonly pool: Pool
}

/** How long after a day's last hour a missing analysis is awaited. */
const LATE = 6 * HOUR
/** Hours of days that never became complete are dropped after so long. */
const MAX_WAIT = 3 * DAY

const zoneTable = new ZoneTable()

const folder = ({ dataset, domain }: SeasonKey) => `season/v1/${dataset}/${domain}`

/**
 * Stores the temperature of an analysed hour until every local day that includes it is built. Before the run is published: a repeated
 * step finds it.
 */
export async function keepHour(
  { database, objects }: Pick<SeasonDeps, 'database' | 'objects'>,
  key: SeasonKey & { readonly domain: DomainId },
  hour: Instant,
  slabs: Pick<Objects, 'get'>,
  slabKeys: readonly string[],
): Promise<void> {
  for (const slabKey of slabKeys) {
    const item = itemOf(slabKey, await slabs.get(slabKey), SEASON_VARIABLE)
    if (!item) continue
    const { head, ...slab } = item
    const identity = { dataset: key.dataset, domain: key.domain, run: hour, resolution: head.resolution }
    const to = `${folder(key)}/hours/${runName(hour)}`
    await objects.put(to, joinSlabs(identity, head.cover(), [slab]))
    await putSeasonHour(database, key, new Date(hour), to)
    return
  }
}

/**
 * Builds the local days that an hour completes, and earlier ones that were awaited long enough.
 * @returns the dates that are new or better, `2026-08-20`
 */
export async function buildDays(
  deps: SeasonDeps,
  key: SeasonKey & { readonly domain: DomainId },
  hour: Instant,
): Promise<string[]> {
  const own = await seasonHours(deps.database, key, new Date(hour), new Date(hour + HOUR))
  if (own.length === 0) return []
  const { cover, zones } = await coverOf(deps.objects, own[0]!.slab_key)
  const newest = Math.max(...zones.zones.map((place) => place.dayOf(hour)))
  const built: number[] = []
  for (let day = newest - 3; day <= newest; day++) {
    if (await buildDay(deps, key, day, hour, cover, zones)) built.push(day)
  }
  const months = new Set(built.map((day) => `${dateText(day).slice(0, 7)}-01`))
  for (const month of months) await publishMonth(deps, key, month)
  if (built.length > 0) await dropDoneHours(deps, key, built, zones)
  return built.map(dateText)
}

async function coverOf(objects: Objects, slabKey: string): Promise<{ cover: Cover; zones: CellZones }> {
  const item = itemOf(slabKey, await objects.get(slabKey), SEASON_VARIABLE)
  if (!item) throw new Fault('Corrupt', `season ${slabKey}: wanted ${SEASON_VARIABLE}, got none`, { object: slabKey })
  const cover = item.head.cover()
  return { cover, zones: await zoneTable.of(item.head.coverId, cover) }
}

async function buildDay(
  { database, objects }: SeasonDeps,
  key: SeasonKey & { readonly domain: DomainId },
  day: number,
  hour: Instant,
  cover: Cover,
  zones: CellZones,
): Promise<boolean> {
  const wanted = hoursOfDomain(zones.zones, day)
  if (wanted.length === 0) return false
  const [first, end] = [wanted[0]!, wanted.at(-1)! + HOUR]
  const kept = await seasonHours(database, key, new Date(first), new Date(end))
  const enough =
    kept.length === wanted.length || (hour >= end + LATE && kept.length >= wanted.length - MAX_MISSING_HOURS)
  if (!enough) return false
  const date = dateText(day)
  const [stored] = await seasonDays(database, key, date, date)
  if (stored && stored.hours >= kept.length) return false

  const hours: HourSlab[] = []
  for (const { hour: at, slab_key } of kept) {
    const item = itemOf(slab_key, await objects.get(slab_key), SEASON_VARIABLE)
    if (item) hours.push({ ...item, time: at.getTime() })
  }
  const { max, min, quantum, offset } = await dailyExtremes(cover, zones, day, hours)
  const time = day * DAY
  const codes = new SlabCodes(cover)
  const slabs = [
    codes.pack({ variable: SEASON_MAX, time, quantum, offset }, max),
    codes.pack({ variable: SEASON_MIN, time, quantum, offset }, min),
  ]
  const run = Date.parse(`${date.slice(0, 7)}-01T00:00:00Z`)
  const identity = { dataset: seasonDataset(key.dataset), domain: key.domain, run, resolution: cover.resolution }
  const inputs = createHash('sha256').update(kept.map(({ hour: at }) => at.toISOString()).join())
  const slabKey = `${folder(key)}/days/${date}-${inputs.digest('hex').slice(0, 8)}`
  await objects.put(slabKey, joinSlabs(identity, cover, slabs))
  return putSeasonDay(database, key, { date, hours: kept.length, wanted: wanted.length, slab_key: slabKey })
}

/** The month's days as tiles; replaces those with fewer days. */
async function publishMonth(
  { database, objects, pool }: SeasonDeps,
  key: SeasonKey & { readonly domain: DomainId },
  month: string,
): Promise<void> {
  const run = Date.parse(`${month}T00:00:00Z`)
  const last = `${month.slice(0, 8)}${new Date(Date.UTC(Number(month.slice(0, 4)), Number(month.slice(5, 7)), 0)).getUTCDate()}`
  const days = await seasonDays(database, key, month, last)
  if (days.length === 0) return
  const { manifestKey } = await buildTiles(pool, objects, objects, {
    dataset: seasonDataset(key.dataset),
    domain: key.domain,
    run,
    stage: 'days',
    slabs: days.map(({ slab_key }) => slab_key),
  })
  const hours = days.reduce((sum, day) => sum + day.hours, 0)
  const gone = await putSeasonMonth(database, key, { month, days: days.length, hours, manifest_key: manifestKey })
  if (typeof gone === 'string' && gone !== manifestKey) await removeFolder(objects, gone)
}

/** Hours whose local days are all complete. */
async function dropDoneHours(
  { database, objects }: SeasonDeps,
  key: SeasonKey,
  built: readonly number[],
  { zones }: CellZones,
): Promise<void> {
  const [from, to] = [Math.min(...built) - 1, Math.max(...built) + 1]
  const days = await seasonDays(database, key, dateText(from), dateText(to))
  const whole = new Set(days.filter((day) => day.hours >= day.wanted).map(({ date }) => date))
  const wanted = built.flatMap((day) => hoursOfDomain(zones, day))
  const first = Math.min(...wanted)
  const kept = await seasonHours(database, key, new Date(first), new Date(Math.max(...wanted) + HOUR))
  const done = kept
    .map(({ hour }) => hour)
    .filter((hour) => zones.every((place) => whole.has(dateText(place.dayOf(hour.getTime())))))
  for (const slab of await dropSeasonHours(database, { key, hours: done })) await objects.remove(slab)
}

/** Removes hours that are no longer needed, and months that lie wholly before the last 180 days. @returns objects removed */
export async function retireSeason({ database, objects }: Omit<SeasonDeps, 'pool'>, now: Instant): Promise<number> {
  let removed = 0
  for (const slab of await dropSeasonHours(database, { keptBefore: new Date(now - MAX_WAIT) })) {
    await objects.remove(slab)
    removed++
  }
  const month = `${dateText(Math.floor(now / DAY) - SEASON_DAYS - 1).slice(0, 7)}-01`
  const { slabs, manifests } = await dropSeasonBefore(database, month)
  for (const slab of slabs) await objects.remove(slab)
  for (const manifest of manifests) await removeFolder(objects, manifest)
  return removed + slabs.length + manifests.length
}

async function removeFolder(objects: Objects, manifestKey: string): Promise<void> {
  const prefix = manifestKey.slice(0, manifestKey.lastIndexOf('/') + 1)
  const keys: string[] = []
  for await (const { key } of objects.list(prefix)) keys.push(key)
  for (const key of keys) await objects.remove(key)
}

/** A season that cannot be stored does not fail the run: its hour is missing from the day. @returns why, for the operator */
export async function tolerated(work: () => Promise<unknown>): Promise<string | undefined> {
  try {
    await work()
    return undefined
  } catch (error) {
    if (!isFault(error)) throw error
    return error.message
  }
}

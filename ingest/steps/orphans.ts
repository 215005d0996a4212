import { agedFrames, pointedFrameKeys } from '../../sql/queries/frames.ts'
import { quarantinedObjects } from '../../sql/queries/quarantine.ts'
import { pointers, storedRuns } from '../../sql/queries/runs.ts'
import { seasonHours } from '../../sql/queries/season.ts'
import type { FrameDataset, GridDataset, RadarSiteDataset } from '../domain/dataset/dataset.ts'
import { AMOUNTS } from '../domain/dataset/history.ts'
import { SEASON_DATASET, SEASON_DAYS, SEASON_SOURCES, SEASON_TILES } from '../domain/dataset/season.ts'
import { DAY, HOUR, type Instant, parseRun, runName, SECOND } from '../domain/time.ts'
import type { SiteScans } from '../domain/weather/radar-scan.ts'
import type { Database } from '../ports/database.ts'
import type { Objects } from '../ports/objects.ts'
import { MOTION } from '../tile/motion-file.ts'
import { MOTION_KEPT_SECONDS } from './frames/motion.ts'
import { inTurn } from './in-turn.ts'

// An object is written before the row that names it and removed after it, or the other way round. A process that is
// killed in between leaves an object without a row. Keys contain a time. Objects that have no row and are older than
// every retention period are removed. Objects in progress belong to a run with a row, or are newer.

interface Ports {
  readonly database: Database
  readonly objects: Objects
  readonly slabs: Objects
}

const DOMAINS = ['conus', 'alaska', 'hawaii'] as const
const MARGIN = HOUR
/** Interval of the schedule `retire`. */
export const RETIRE_SECONDS = 600
/** Retention of the season's months, the longest of all objects: the oldest month with rows and the month before it. */
export const SEASON_RETENTION_MS = (SEASON_DAYS + 62) * DAY

/** Returns whether a retirement also removes orphans: once an hour, because it takes some 300 listings of a bucket. */
export const isOrphanTime = (now: Instant): boolean => now % HOUR < RETIRE_SECONDS * SECOND

/**
 * Removes objects that no row names. Each kind is listed from the oldest object to the first that is not old enough, with one request.
 * @returns the number of removed objects
 */
export async function removeOrphans(
  ports: Ports,
  { grids, frames }: { grids: readonly Pick<GridDataset, 'id' | 'keepSeconds'>[]; frames: readonly FrameDataset[] },
  now: Instant,
  historySeconds = 0,
): Promise<number> {
  const motion = { id: MOTION, keepSeconds: MOTION_KEPT_SECONDS, format: 'mrms' } as const
  const oldest = (keepSeconds: number) => now - (keepSeconds + historySeconds) * SECOND - MARGIN
  return inTurn([
    ...grids.map(
      ({ id, keepSeconds }) =>
        () =>
          orphansOfRuns(ports, id, oldest(keepSeconds)),
    ),
    ...[...frames, motion].map((dataset) => () => orphansOfFrames(ports, dataset, oldest(dataset.keepSeconds))),
    () => orphansOfSeasons(ports, now - SEASON_RETENTION_MS),
    () => orphansOfQuarantine(ports),
  ])
}

/** @param prefix a key prefix that is followed by a time @param timeOf returns the time of the text after the prefix */
async function removeBelow(
  objects: Objects,
  prefix: string,
  before: Instant,
  isNamed: (key: string, time: Instant) => boolean,
  timeOf: (suffix: string) => Instant = (suffix) => parseRun(/^[^Z/]*Z/.exec(suffix)?.[0] ?? ''),
): Promise<number> {
  let removed = 0
  for await (const { key } of objects.list(prefix)) {
    const time = timeOf(key.slice(prefix.length))
    if (time >= before) break
    if (Number.isNaN(time) || isNamed(key, time)) continue
    await objects.remove(key)
    removed++
  }
  return removed
}

async function orphansOfRuns({ database, objects, slabs }: Ports, id: string, before: Instant): Promise<number> {
  const rows = [
    ...(await storedRuns(database, id)),
    ...(await pointers(database)).filter(({ dataset }) => dataset === id),
  ]
  const named = new Set(rows.map(({ domain, run }) => `${domain}/${runName(run.getTime())}`))
  let removed = 0
  for (const domain of DOMAINS) {
    const isNamed = (_: string, run: Instant) => named.has(`${domain}/${runName(run)}`)
    removed += await removeBelow(objects, `tiles/v1/${id}/${domain}/`, before, isNamed)
    for (const kind of ['slabs', 'corrupt'])
      removed += await removeBelow(slabs, `${kind}/v1/${id}/${domain}/`, before, isNamed)
  }
  return removed
}

async function orphansOfFrames(
  { database, objects }: Ports,
  dataset: Pick<FrameDataset, 'id' | 'format'>,
  before: Instant,
): Promise<number> {
  // The lists that the last retirement removed may still exist and name other objects.
  if ((await agedFrames(database, dataset.id, new Date(before))).length > 0) return 0
  const named = new Set(await pointedFrameKeys(database, dataset.id, new Date(before)))
  const sites = dataset.format === 'nexrad-l3' ? Object.values((dataset as RadarSiteDataset).sites).flat() : []
  for (const list of sites.length > 0 ? [...named] : []) {
    const text = Buffer.from(await objects.get(list)).toString()
    for (const { key } of (JSON.parse(text) as Partial<SiteScans>).scans ?? []) named.add(key)
  }
  let removed = 0
  for (const place of [...DOMAINS, 'all', ...sites])
    removed += await removeBelow(objects, `frames/v1/${dataset.id}/${place}/`, before, (key) => named.has(key))
  return removed
}

/** Age after which rows of days and months have been removed. */
async function orphansOfSeasons({ database, objects }: Ports, before: Instant): Promise<number> {
  const ofDay = (suffix: string) => Date.parse(/\d{4}-\d{2}-\d{2}/.exec(suffix)?.[0] ?? '')
  let removed = 0
  for (const domain of DOMAINS) {
    removed += await removeBelow(objects, `tiles/v1/${SEASON_TILES}/${domain}/`, before, () => false)
    removed += await removeBelow(objects, `season/v1/${SEASON_DATASET}/${domain}/days/`, before, () => false, ofDay)
    // Hours that another encoder stored again.
    const hours = await seasonHours(database, domain, new Date(0), new Date(before))
    const named = new Set(hours.map(({ slab_key }) => slab_key))
    for (const dataset of [...SEASON_SOURCES, ...AMOUNTS]) {
      const prefix = `season/v1/${SEASON_DATASET}/${domain}/hours/${dataset}-`
      removed += await removeBelow(objects, prefix, before, (key) => named.has(key))
    }
  }
  return removed
}

/** The object of an entry is written together with its row, so entries older than an hour are complete. */
async function orphansOfQuarantine({ database, objects }: Ports): Promise<number> {
  const { named, settled } = await quarantinedObjects(database)
  let removed = 0
  for await (const { key } of objects.list('quarantine/v1/')) {
    const id = Number(/\/(\d+)\.bin$/.exec(key)?.[1] ?? Number.NaN)
    if (named.has(key) || !(id <= settled)) continue
    await objects.remove(key)
    removed++
  }
  return removed
}

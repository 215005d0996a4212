import { publishRun, runOf, storedRuns } from '../../../sql/queries/runs.ts'
import { putSeasonHour, type SeasonHour, seasonHours } from '../../../sql/queries/season.ts'
import { AMOUNTS } from '../../domain/dataset/history.ts'
import { PAST_HOURS, PAST_HOURS_COUNT } from '../../domain/dataset/past-hours.ts'
import { topics } from '../../domain/event.ts'
import { isFault } from '../../domain/fault.ts'
import { HOUR, type Instant, isoSeconds } from '../../domain/time.ts'
import { buildTiles } from '../grid/build-tiles.ts'
import type { AmountsResult, AmountsTask, CellPixels } from './amounts.ts'
import { type AnalysedHour, bestHours, hourKey, ownBytes, type SeasonDeps } from './season.ts'

/**
 * Hours that arrive after a newer hour are added to its tile in groups of this size; the remaining hours are added when
 * the tile is complete or an older hour has arrived.
 */
const HOURS_AT_ONCE = 6

/**
 * Publishes the analysed hours of the last day as one tile for each domain, so that the past hours of the current day
 * take one read. The tile is built when the newest hour arrives, and again when earlier hours have arrived. Hours that
 * URMA replaces are updated with the next hour.
 */
export async function publishPastHours(deps: SeasonDeps, at: AnalysedHour, now: Instant): Promise<void> {
  const { database, objects, pool } = deps
  const { domain, hour } = at
  const rows = await seasonHours(database, domain, new Date(hour - (PAST_HOURS_COUNT - 1) * HOUR), new Date(now + HOUR))
  const own = rows.find((row) => row.dataset === at.dataset && row.hour.getTime() === hour)
  if (!own) return
  const known = bestHours(rows, own.cover)
  const newest = known.at(-1)!.hour.getTime()
  const first = newest - (PAST_HOURS_COUNT - 1) * HOUR
  const analysed = known.filter((row) => row.hour.getTime() >= first)
  const run = { dataset: PAST_HOURS, domain, run: new Date(newest) }
  if (newest !== hour) {
    const added = analysed.length - ((await runOf(database, run))?.leads?.length ?? 0)
    if (added <= 0 || (hour > first && added < HOURS_AT_ONCE && analysed.length < PAST_HOURS_COUNT)) return
  }
  const amounts = await amountsOf(deps, { ...at, hour: newest }, rows, own, first)
  const { manifestKey, bytes } = await buildTiles(pool, objects, objects, {
    dataset: PAST_HOURS,
    domain,
    run: newest,
    stage: 'hours',
    slabs: [...analysed, ...amounts].map(({ slab_key }) => slab_key),
    mixed: true,
  })
  const counts = { wanted: PAST_HOURS_COUNT, got: analysed.length, missing: PAST_HOURS_COUNT - analysed.length }
  // A tile with the same newest hour replaces a tile with fewer hours.
  const leads = analysed.map((row) => (row.hour.getTime() - newest) / HOUR)
  const manifest = { hours: analysed.length, amounts: amounts.length, bytes, leads }
  await publishRun(database, { ...run, stage: 0, publishedTo: 0, leads, manifestKey, manifest, ...counts }, [
    {
      topic: topics.runs.name,
      key: PAST_HOURS,
      payload: { dataset: PAST_HOURS, domain, run: isoSeconds(newest), stage: 0, at: isoSeconds(now) },
    },
  ])
}

/** Grids of a process by cover, one for each domain and resolution; 6 MB for the contiguous states. */
const MAX_COVERS = 6
const knownPixels = new Map<string, CellPixels>()

/**
 * Returns the accumulations of the same hours, from the second pass if it is stored. Accumulations that are not yet
 * sampled are sampled.
 */
async function amountsOf(
  { database, objects, pool, encoder }: SeasonDeps,
  { domain, hour: newest }: AnalysedHour,
  rows: readonly SeasonHour[],
  like: SeasonHour,
  first: Instant,
): Promise<SeasonHour[]> {
  const hourByTime = new Map<Instant, SeasonHour>()
  for (const dataset of AMOUNTS) {
    for (const row of rows) {
      const time = row.hour.getTime()
      if (row.dataset === dataset && row.cover === like.cover && time <= newest && !hourByTime.has(time))
        hourByTime.set(time, row)
    }
    const frames = (await storedRuns(database, dataset)).filter(
      ({ domain: of, state, manifest_key: key, run }) =>
        of === domain && state === 'published' && key !== null && run.getTime() >= first && run.getTime() <= newest,
    )
    for (const { run, manifest_key: key } of frames) {
      const time = run.getTime()
      if (hourByTime.has(time)) continue
      const sampled = await sample({ objects, pool }, like, key!, time)
      if (!sampled) continue
      const row = {
        dataset,
        hour: run,
        slab_key: hourKey(domain, dataset, time, { encoder }),
        cover: sampled.cover,
      }
      await objects.put(row.slab_key, sampled.bytes)
      await putSeasonHour(database, domain, row)
      hourByTime.set(time, row)
    }
  }
  return [...hourByTime.values()].sort((a, b) => a.hour.getTime() - b.hour.getTime())
}

/** @returns undefined if the frame was removed in the meantime */
async function sample(
  { objects, pool }: Omit<SeasonDeps, 'database'>,
  { slab_key: name, cover }: SeasonHour,
  key: string,
  time: Instant,
): Promise<AmountsResult | undefined> {
  try {
    const [like, frame] = [ownBytes(await objects.get(name)), ownBytes(await objects.get(key))]
    const pixels = knownPixels.get(cover)
    const task: AmountsTask = {
      kind: 'season-amounts',
      like: { name, bytes: like },
      frame: { key, bytes: frame, time },
      ...(pixels && { pixels }),
    }
    const amounts = await pool.run<AmountsResult>(task, [like.buffer, frame.buffer])
    if (knownPixels.size >= MAX_COVERS) knownPixels.clear()
    knownPixels.set(cover, amounts.pixels)
    return amounts
  } catch (error) {
    if (!isFault(error, 'Missing') && !isFault(error, 'Corrupt')) throw error
    return undefined
  }
}

import { join } from 'node:path'
import PQueue from 'p-queue'
import { frameDatasets, gridDatasets } from '../ingest/catalog.ts'
import { loadConfig } from '../ingest/config.ts'
import type { GridDataset, MrmsDataset } from '../ingest/domain/dataset/dataset.ts'
import { SEASON_DAYS } from '../ingest/domain/dataset/season.ts'
import { Fault, isFault } from '../ingest/domain/fault.ts'
import { DAY, HOUR, type Instant, parseRun, runName } from '../ingest/domain/time.ts'
import { openLog } from '../ingest/ports/log.ts'
import { openPorts } from '../ingest/ports/open.ts'
import { backfillFrames } from '../ingest/steps/frames/mrms.ts'
import type { RunOf, RunPorts } from '../ingest/steps/grid/grid-run.ts'
import { domainGroups } from '../ingest/steps/grid/new-runs.ts'
import { planRun } from '../ingest/steps/grid/plan.ts'
import { type Republished, republish } from '../ingest/steps/grid/republish.ts'
import { type TakeProgress, takeRun } from '../ingest/steps/grid/take-run.ts'
import { openPool } from '../ingest/steps/pool.ts'
import { relayOutbox } from '../ingest/steps/relay-outbox.ts'
import { signedStore } from '../ingest/tile/signature.ts'
import { setOrigin } from '../sql/queries/origin.ts'
import { seasonCounts } from '../sql/queries/season.ts'
import { type Display, display } from './display.ts'
import { openDisplay } from './log-display.ts'
import { openSource } from './upstream.ts'
import type { CommandLine } from './verb.ts'

/** Number of runs that are processed concurrently. */
const CONCURRENCY = 2

/**
 * `hexcast backfill`: processes the old runs of a period, oldest first, as far as upstream still has them. The period
 * includes both ends.
 * @returns exit status
 */
export async function backfill(line: CommandLine): Promise<number> {
  if (line.flag('again')) return backfillAgain(line)
  const { positionals } = line
  const [id, from, to] = positionals
  const dataset = gridDatasets.find((candidate) => candidate.id === id)
  // Without a period, the analysis of the season is processed for all days that growing degree days and past weather
  // need.
  const isWholeSeason = dataset?.season === true && from === undefined
  const [first, last] = [parseRun(from ?? ''), parseRun(to ?? from ?? '')]
  const frames = frameDatasets.find((candidate) => candidate.id === id && candidate.format === 'mrms') as
    | MrmsDataset
    | undefined
  const isPeriod = isWholeSeason || (!Number.isNaN(first) && !Number.isNaN(last) && first <= last)
  if ((!dataset && !frames) || positionals.length > 3 || !isPeriod) {
    const ids = [...gridDatasets, ...frameDatasets].map((candidate) => candidate.id).join(', ')
    const problem = positionals.length > 0 ? `"${positionals.join(' ')}" is not valid` : 'the dataset is missing'
    console.error(
      `hexcast backfill: ${problem}; expected DATASET FROM TO, such as nbm 2026-08-20T00Z 2026-08-20T12Z, or urma alone. Datasets: ${ids}`,
    )
    return 2
  }
  return withRunPorts(async (ports, show) => {
    if (frames) {
      const { frames: published, rejected } = await backfillFrames(ports, frames, first, last, Date.now())
      show.line(`${frames.id}: ${published.length} frames published`)
      for (const reason of rejected) show.line(reason)
      return rejected.length
    }
    if (!dataset) return 0
    const period = isWholeSeason ? await wholeSeason(ports, dataset) : { first, last }
    if (isWholeSeason) show.line(`${dataset.id}: from ${runName(period.first)} to ${runName(period.last)}`)
    const failed = await processRuns(ports, dataset, period, show)
    if (dataset.season) {
      for (const { domain, days, first: since } of await seasonCounts(ports.database))
        show.line(`${domain}: highs and lows of ${days} days, the first ${since}`)
    }
    return failed
  })
}

async function wholeSeason(ports: RunPorts, dataset: GridDataset): Promise<{ first: Instant; last: Instant }> {
  const now = Date.now()
  const last = Math.floor((now - dataset.latencySeconds * 1000) / HOUR) * HOUR - HOUR
  return { first: await firstUpstream(ports, dataset, now), last }
}

/**
 * `hexcast backfill --again`: publishes stored runs as their next revisions, in the order of the arguments.
 * @returns exit status
 */
async function backfillAgain({ positionals: [id, ...names] }: CommandLine): Promise<number> {
  const dataset = gridDatasets.find((candidate) => candidate.id === id)
  const runs = names.map(parseRun)
  if (!dataset || runs.length === 0 || runs.some(Number.isNaN)) {
    const ids = gridDatasets.map((candidate) => candidate.id).join(', ')
    console.error(
      `hexcast backfill --again: "${[id, ...names].join(' ')}" is not valid; expected DATASET RUN…, such as nbm 2026-08-20T12Z 2026-08-20T11Z. Datasets: ${ids}`,
    )
    return 2
  }
  return withRunPorts(async (ports, show, relay) => {
    let failed = 0
    for (const run of runs) {
      for (const domains of domainGroups(dataset)) {
        const name = `${dataset.id} ${domains.join('+')} ${runName(run)}`
        const progress = ({ what, done, total }: TakeProgress) => show.line(`${name}: ${what} ${done} of ${total}`)
        try {
          for (const result of await republish(ports, dataset, { domains, run }, Date.now(), { progress })) {
            const { isPublished, text } = outcomeText(result)
            if (!isPublished) failed++
            show.line(`${dataset.id} ${result.domain} ${runName(run)}: ${text}`)
          }
        } catch (error) {
          failed++
          show.problem(name, error)
        }
        // Readers take a corrected run at once, while the next runs are processed.
        await relay()
      }
    }
    return failed
  })
}

/** Describes the result of republishing a run to the operator. */
export function outcomeText({ outcome, before, revision, tiles = 0, same = 0 }: Republished): {
  isPublished: boolean
  text: string
} {
  const reasons = outcome.reasons.length > 0 ? `: ${outcome.reasons.join('; ')}` : ''
  if (revision === before) {
    const why =
      outcome.state === 'already'
        ? ', because another process published a stage of it meanwhile. Run the command again'
        : ''
    return { isPublished: false, text: `${outcome.state}, and revision ${before} stays${why}${reasons}` }
  }
  const where =
    outcome.state === 'superseded'
      ? `stored as revision ${revision}; a newer run is served`
      : `revision ${revision} is served`
  const change =
    same === tiles
      ? `nothing changed: all ${tiles} tiles are byte-identical to those of revision ${before}`
      : `${tiles - same} of ${tiles} tiles changed since revision ${before}`
  return { isPublished: true, text: `${where}; ${change}${reasons}` }
}

/**
 * Opens what the steps of a run need, closes it after the work, and publishes the events.
 * @param work returns the number of failures
 * @returns exit status
 */
async function withRunPorts(
  work: (ports: RunPorts, show: Display, relay: () => Promise<unknown>) => Promise<number>,
): Promise<number> {
  const config = loadConfig()
  // An operator runs this verb, so the log lines are prose unless LOG_FORMAT asks for JSON.
  const show = config.logFormat === 'json' ? openDisplay(config, openLog('hexcast-backfill', config)) : display()
  const deps = await openPorts(config, 'backfill')
  const source = await openSource(config, 8)
  await setOrigin(deps.database, source.simulated)
  const pool = openPool({ threads: 2 })
  const ports: RunPorts = {
    database: deps.database,
    objects: signedStore(deps.objects, config.signingSecret),
    slabs: deps.objects,
    upstream: source.upstream,
    pool,
    resolution: config.h3Resolution,
    cacheDir: join(config.dataDir, 'cache'),
  }
  const failed = await work(ports, show, () => relayOutbox(deps))
  await relayOutbox(deps)
  await pool.close()
  await source.close()
  await deps.close()
  return failed > 0 ? 1 : 0
}

/** Processes the runs of a dataset in a period. @returns the number of runs that failed */
async function processRuns(
  ports: RunPorts,
  dataset: GridDataset,
  { first, last }: { readonly first: Instant; readonly last: Instant },
  show: Display,
): Promise<number> {
  const runs = runsBetween(dataset, first, last).flatMap((run) =>
    domainGroups(dataset)
      .map((domains) => ({ domains: domains.filter((domain) => dataset.leads(run, domain).length > 0), run }))
      .filter(({ domains }) => domains.length > 0),
  )
  let processed = 0
  let failed = 0
  const processRun = async (run: RunOf) => {
    const name = `${dataset.id} ${run.domains.join('+')} ${runName(run.run)}`
    try {
      const outcome = await processOldRun(ports, dataset, run, (text) => show.line(`${name}: ${text}`))
      show.line(`${name}: ${outcome} (${++processed} of ${runs.length})`)
    } catch (error) {
      failed++
      show.problem(name, error)
    }
  }
  await new PQueue({ concurrency: CONCURRENCY }).addAll(runs.map((run) => () => processRun(run)))
  return failed
}

/** Number of consecutive days without a file after which upstream is assumed to have nothing older. */
const MAX_GAP_DAYS = 3

/** Finds the oldest hour that upstream has, at most `SEASON_DAYS` days back, first by days and then by hours. */
async function firstUpstream({ upstream }: RunPorts, dataset: GridDataset, now: Instant): Promise<Instant> {
  const today = Math.floor(now / DAY) * DAY
  const [domain] = domainGroups(dataset).flat()
  if (!domain) throw new Fault('Invalid', `dataset ${dataset.id} has no domains`)
  const isAvailable = async (run: Instant): Promise<boolean> => {
    try {
      await planRun(upstream, dataset, run, domain, 0, now, { partial: true })
      return true
    } catch (error) {
      if (isFault(error, 'Gone') || isFault(error, 'NotYet')) return false
      throw error
    }
  }
  let first = today
  for (let back = 1, gap = 0; back <= SEASON_DAYS && gap < MAX_GAP_DAYS; back++) {
    gap = (await isAvailable(today - back * DAY)) ? 0 : gap + 1
    if (gap === 0) first = today - back * DAY
  }
  for (let hours = 1; hours < 24 && (await isAvailable(first - HOUR)); hours++) first -= HOUR
  return first
}

function runsBetween(dataset: GridDataset, first: Instant, last: Instant): Instant[] {
  const runs = new Set<Instant>()
  // A dataset lists only the last runs before an instant, so the function is called for every hour of the period.
  for (let at = first; at <= last + dataset.latencySeconds * 1000 + 2 * HOUR; at += HOUR) {
    for (const run of dataset.runs(at)) if (run >= first && run <= last) runs.add(run)
  }
  return [...runs].sort((a, b) => a - b)
}

async function processOldRun(
  ports: RunPorts,
  dataset: GridDataset,
  run: RunOf,
  log: (text: string) => void,
): Promise<string> {
  const { stages, why } = await takeRun(ports, dataset, run, Date.now, {
    partial: true,
    progress: ({ what, done, total }) => log(`${what} ${done} of ${total}`),
  })
  const outcomes = stages.at(-1)?.outcomes
  return outcomes ? outcomes.map(({ state, reasons }) => [state, ...reasons].join(': ')).join(', ') : why
}

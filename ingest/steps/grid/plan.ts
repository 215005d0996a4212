import type { GridDataset, Stage } from '../../domain/dataset/dataset.ts'
import type { DomainId } from '../../domain/domain.ts'
import { Fault, isFault } from '../../domain/fault.ts'
import { type Instant, MINUTE, runName } from '../../domain/time.ts'
import type { Upstream } from '../../ports/upstream.ts'
import { fewAreLost } from './few-lost.ts'
import { type Available, look, type SeenFiles } from './list.ts'

/** An upstream file of a run. */
export interface PlannedFile extends Available {
  readonly leadHours: number
}

/** The files to fetch for a stage of a run in a domain, as plain data. */
export interface RunPlan {
  readonly dataset: string
  readonly domain: DomainId
  readonly run: Instant
  readonly stage: Stage
  /** Number of the stage, from 0. */
  readonly stageNumber: number
  readonly last: boolean
  /** Files in ascending order of lead. */
  readonly files: readonly PlannedFile[]
  /** Expected leads that upstream does not have. */
  readonly absent: readonly number[]
}

export interface PlanOptions {
  /** Whether the available files are used without waiting for the rest; for manual runs and old runs. */
  readonly partial?: boolean
  readonly signal?: AbortSignal
}

/** Upstream is quiet if nothing was written to a run for this time. */
const QUIET_MS = 20 * MINUTE
/** The same duration if later files exist and few files are absent, because those can still be added. */
const GAP_QUIET_MS = 5 * MINUTE
/** A mirror is quiet if its list was unchanged for this time, because it copies faster than upstream writes. */
const MIRROR_QUIET_MS = 2 * MINUTE
/**
 * A quiet run that ends within this many hours of its expected end counts as complete, with other leads than expected
 * (NBM changes its steps from version to version). A quiet run that stopped earlier is late and is awaited until its
 * deadline; later files complete it (`hasMore` in grid-run.ts).
 */
const nearEnd = 6

/**
 * Lists what upstream has of a run and plans what to fetch.
 * @throws Fault NotYet while files of the stage are missing, see {@link listedOf}; Gone if an old run was deleted
 */
export async function planRun(
  upstream: Upstream,
  dataset: GridDataset,
  run: Instant,
  domain: DomainId,
  stageNumber: number,
  now: Instant,
  options: PlanOptions = {},
): Promise<RunPlan> {
  const stages = dataset.stages(run, domain)
  const stage = stages[stageNumber]
  if (!stage)
    throw new Fault('Invalid', `${dataset.id}: the stage must be from 0 to ${stages.length - 1}, but is ${stageNumber}`)
  const expected = dataset.leads(run, domain)
  const name = `${dataset.id}/${domain}/${runName(run)}`
  if (expected.length === 0)
    throw new Fault('Gone', `${name}: upstream has no such run, because it runs at other hours there`)
  const listing = await look(upstream, dataset, run, domain, now, options.signal)
  const files = [...listing.files].filter(({ leadHours }) => leadHours <= stage.to)
  const have = new Set(files.map(({ leadHours }) => leadHours))
  const absent = expected.filter((lead) => lead <= stage.to && !have.has(lead))
  const over = now > run + dataset.deadlineSeconds * 1000
  const reached = (files.at(-1)?.leadHours ?? -1) >= (expected.findLast((lead) => lead <= stage.to) ?? 0) - nearEnd
  const few = fewAreLost(absent.length, files.length)
  const quiet = few ? GAP_QUIET_MS : QUIET_MS
  const settled = options.partial === true || ((over || reached) && isQuiet(listing, over, run, dataset, now, quiet))
  if (files.length === 0) {
    if (over) throw new Fault('Gone', `${name}: upstream has no file ${hours(now - run)} after the run`, { over })
    throw notYet(name, stage, absent, files)
  }
  if (absent.length > 0 && !settled) throw notYet(name, stage, absent, files)
  const last = stageNumber === stages.length - 1
  return { dataset: dataset.id, domain, run, stage, stageNumber, last, files, absent }
}

/** Returns the files of a stage that upstream already has, which the NotYet of {@link planRun} carries. */
export function listedOf(error: unknown): readonly PlannedFile[] {
  return isFault(error, 'NotYet') ? ((error.details['listed'] as readonly PlannedFile[] | undefined) ?? []) : []
}

/**
 * Returns whether no file has appeared for a while. If neither the times of files nor the list of a mirror show it, the
 * deadline decides.
 */
function isQuiet(
  { newest, unchangedSince }: SeenFiles,
  over: boolean,
  run: Instant,
  dataset: GridDataset,
  now: Instant,
  quiet: number,
): boolean {
  if (unchangedSince !== undefined && now - unchangedSince < MIRROR_QUIET_MS) return false
  if (newest === undefined) return over
  return now - newest > quiet && now > run + dataset.latencySeconds * 1000
}

function notYet(name: string, stage: Stage, absent: readonly number[], listed: readonly PlannedFile[]): Fault {
  const first = absent[0]
  return new Fault(
    'NotYet',
    `${name}: waiting for ${absent.length} files of stage ${stage.name}, the first is hour ${first}`,
    {
      listed,
    },
  )
}

function hours(ms: number): string {
  return `${(ms / 3_600_000).toFixed(1)} h`
}

/**
 * Returns the newest run with a stage that can be fetched now, other than served or older runs.
 * @param open receives newer runs whose first stage upstream has in part, newest first
 * @throws Fault NotYet if there is none
 */
export async function newestRun(
  upstream: Upstream,
  dataset: GridDataset,
  domain: DomainId,
  now: Instant,
  served?: Instant,
  signal?: AbortSignal,
  open: Instant[] = [],
): Promise<RunPlan> {
  let waiting: unknown
  for (const run of dataset.runs(now)) {
    if (served !== undefined && run <= served) break
    if (dataset.leads(run, domain).length === 0) continue
    try {
      return await planRun(upstream, dataset, run, domain, 0, now, { signal })
    } catch (error) {
      if (!(error instanceof Fault) || (error.kind !== 'NotYet' && error.kind !== 'Gone')) throw error
      waiting ??= error
      if (listedOf(error).length > 0) open.push(run)
    }
  }
  throw waiting ?? new Fault('NotYet', `${dataset.id}/${domain}: upstream has no run that is newer than the served run`)
}

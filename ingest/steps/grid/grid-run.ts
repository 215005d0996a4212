import { claimRun, endRun, runOf, storedRuns } from '../../../sql/queries/runs.ts'
import type { GridDataset } from '../../domain/dataset.ts'
import type { DomainId } from '../../domain/domain.ts'
import { isFault } from '../../domain/fault.ts'
import { HOUR, type Instant, MINUTE, runName } from '../../domain/time.ts'
import type { Database } from '../../ports/database.ts'
import type { Objects } from '../../ports/objects.ts'
import { inPart } from '../../ports/trace.ts'
import { buildDays, keepHour, tolerated } from '../season/season.ts'
import { buildTiles } from './build-tiles.ts'
import { newestRun, type PlannedFile, type PlanOptions, planRun, type RunPlan } from './plan.ts'
import {
  keyOf,
  type Outcome,
  publish,
  rejectionReasons,
  rejectRun,
  type Served,
  servedRun,
  stageIsWorthwhile,
} from './publish.ts'
import type { Receipt, SamplePorts } from './receipt.ts'
import { corruptNote, receiptKey, receiptOf, slabPrefix } from './sample.ts'
import { missingRequired, validateRun } from './validate.ts'

/** Dependencies of all steps of a run. */
export interface RunPorts extends Omit<SamplePorts, 'slabs'> {
  readonly slabs: Objects
  readonly objects: Objects
  readonly database: Database
}

/** A run in the domains that are processed together: all of a dataset whose files contain every domain, else one. */
export interface RunOf {
  readonly domains: readonly DomainId[]
  readonly run: Instant
}

export type StageStep =
  /** Everything is published that the run will ever have. */
  | { readonly state: 'done'; readonly why: string }
  | { readonly state: 'waiting'; readonly waitSeconds: number; readonly why: string }
  | { readonly state: 'ready'; readonly stage: number; readonly files: readonly PlannedFile[] }

export interface Published {
  /** By domain, in the requested order. */
  readonly outcomes: readonly Outcome[]
  /** This run needs no further work. */
  readonly last: boolean
  /** A file is corrupt and upstream has time to replace it: plan this stage again after a pause. */
  readonly again?: string
}

/** Interval between two polls for files that upstream has not written yet. */
const POLL_SECONDS = 30
/** How long a started run is continued; after the first period a newer one is started beside it, in case it is stuck. */
const RESUME_WINDOW_MS = 3 * HOUR
const SINGLE_RUN_WINDOW_MS = 30 * MINUTE

/** Domains that are processed together, because one file contains them all. */
export function domainGroups(dataset: GridDataset): readonly (readonly DomainId[])[] {
  const ids = dataset.domains.map(({ id }) => id)
  return dataset.shared ? [ids] : ids.map((id) => [id])
}

/**
 * Runs to work on now: of each group the started one, and the newest that upstream has, if there is none or it takes long.
 * @throws Fault Refused where upstream cannot be listed
 */
export async function newRuns(
  ports: Pick<RunPorts, 'upstream' | 'database'>,
  dataset: GridDataset,
  now: Instant,
): Promise<RunOf[]> {
  const found: RunOf[] = []
  for (const domains of domainGroups(dataset)) {
    const domain = domains[0]!
    const served = await servedRun(ports.database, dataset.id, domain)
    const begun = await startedRun(ports.database, dataset, domain, served, now)
    if (begun) {
      found.push({ domains, run: begun.run })
      if (now - begun.since < SINGLE_RUN_WINDOW_MS) continue
    }
    try {
      const plan = await newestRun(ports.upstream, dataset, domain, now, begun?.run ?? served?.run)
      const row = await runOf(ports.database, keyOf(plan))
      if (row?.state !== 'failed' && row?.state !== 'gone') found.push({ domains, run: plan.run })
    } catch (error) {
      if (!isFault(error, 'NotYet') && !isFault(error, 'Gone')) throw error
    }
  }
  return found
}

/** The run that was started and not finished: partly served, or claimed and newer than what is served. */
async function startedRun(
  database: Database,
  dataset: GridDataset,
  domain: DomainId,
  served: Served | undefined,
  now: Instant,
): Promise<{ run: Instant; since: Instant } | undefined> {
  const window = dataset.runs(now)
  const oldest = window.at(-1) ?? now
  for (const row of await storedRuns(database, dataset.id)) {
    const run = row.run.getTime()
    if (row.domain !== domain || run < oldest || (served && run < served.run)) continue
    const since = row.claimed_at.getTime()
    if (now - since > RESUME_WINDOW_MS) continue
    if (row.state === 'claimed') return { run, since }
    const stages = dataset.stages(run, domain)
    if (row.state === 'published' && served?.run === run && served.stage < stages.length - 1) return { run, since }
  }
  return undefined
}

/** State of a run and the inputs of its next stage. Reads upstream's listing, writes only the claim. */
export async function planStage(
  ports: Pick<RunPorts, 'upstream' | 'database' | 'slabs' | 'resolution'>,
  dataset: GridDataset,
  { domains, run }: RunOf,
  stage: number,
  now: Instant,
  options: PlanOptions = {},
): Promise<StageStep> {
  const count = dataset.stages(run, domains[0]!).length
  const name = `${dataset.id}/${runName(run)}`
  if (stage >= count) return { state: 'done', why: `${name}: published to its end` }
  for (const domain of domains) {
    const row = await runOf(ports.database, { dataset: dataset.id, domain, run: new Date(run) })
    if (row?.state === 'failed' && !options.partial) return { state: 'done', why: `${name}: ${row.reason}` }
    const served = await servedRun(ports.database, dataset.id, domain)
    if (served && served.run > run && !options.partial) return { state: 'done', why: `${name}: a newer run is served` }
  }
  try {
    const plans = await planAll(ports, dataset, { domains, run }, stage, now, options)
    const published = await Promise.all(plans.map((plan) => isPublished(ports.database, plan)))
    if (published.every(Boolean)) return planStage(ports, dataset, { domains, run }, stage + 1, now, options)
    for (const plan of plans) await claimRun(ports.database, keyOf(plan))
    return { state: 'ready', stage, files: plans[0]!.files }
  } catch (error) {
    if (isFault(error, 'NotYet')) return { state: 'waiting', waitSeconds: POLL_SECONDS, why: error.message }
    if (!isFault(error, 'Gone')) throw error
    for (const domain of domains) {
      await endRun(ports.database, { dataset: dataset.id, domain, run: new Date(run) }, 'gone', error.message)
    }
    return { state: 'done', why: error.message }
  }
}

/** One stage: validation, tiles, the pointer. Every file of it was sampled before; one that was not counts as missing. */
export async function publishStage(
  ports: RunPorts,
  dataset: GridDataset,
  { domains, run }: RunOf,
  stage: number,
  now: Instant,
  options: PlanOptions & { progress?: (done: number, total: number) => void } = {},
): Promise<Published> {
  const plans = await planAll(ports, dataset, { domains, run }, stage, now, { ...options, partial: true })
  const overdue = options.partial || now > run + dataset.deadlineSeconds * 1000
  const receipts: Receipt[][] = []
  for (const plan of plans) {
    const found = await Promise.all(plan.files.map((file) => receiptOf(ports, dataset, run, file, plan.domain)))
    receipts.push(found.filter((receipt) => receipt !== undefined))
    if (overdue) continue
    const unread = plan.files.filter((_, index) => !found[index])
    const notes = await Promise.all(unread.map((file) => corruptNote(ports, dataset, domains[0]!, run, file)))
    const lost = found.map((receipt) => receipt && missingRequired(dataset, receipt))
    const why =
      [...notes, ...lost].find((note) => note !== undefined) ?? (unread[0] && `${unread[0].url} was not sampled yet`)
    if (why) return { outcomes: [], last: false, again: why }
  }
  const outcomes: Outcome[] = []
  for (const [index, plan] of plans.entries()) {
    options.progress?.(index, plans.length)
    try {
      outcomes.push(await finish(ports, dataset, plan, receipts[index]!, now, options))
    } catch (error) {
      const again = await dropCorruptSlabs(ports.slabs, receipts[index]!, error)
      if (!again) throw error
      return { outcomes: [], last: false, again }
    }
  }
  return { outcomes, last: plans[0]!.last || outcomes.every(({ state }) => state === 'aside' || state === 'older') }
}

function planAll(
  ports: Pick<RunPorts, 'upstream'>,
  dataset: GridDataset,
  { domains, run }: RunOf,
  stage: number,
  now: Instant,
  options: PlanOptions,
): Promise<RunPlan[]> {
  return Promise.all(domains.map((domain) => planRun(ports.upstream, dataset, run, domain, stage, now, options)))
}

/** Whether this stage was published before: its slabs may be deleted, so none of it is done again. */
async function isPublished(database: Database, plan: RunPlan): Promise<boolean> {
  const row = await runOf(database, keyOf(plan))
  const to = plan.files.at(-1)?.leadHours ?? plan.stage.to
  return row?.state === 'published' && (row.published_to ?? -1) >= to
}

async function finish(
  ports: RunPorts,
  dataset: GridDataset,
  plan: RunPlan,
  receipts: readonly Receipt[],
  now: Instant,
  options: PlanOptions,
): Promise<Outcome> {
  if (await isPublished(ports.database, plan)) return { state: 'held', reasons: [] }
  const served = await servedRun(ports.database, dataset.id, plan.domain)
  if (!stageIsWorthwhile(dataset, plan, served, now)) return { state: 'held', reasons: [] }
  const verdict = validateRun(dataset, plan, receipts)
  const refused = rejectionReasons(dataset, plan, verdict, served, now, options)
  if (refused.length > 0) return rejectRun(ports.database, plan, refused)
  const slabs = receipts.filter((receipt) => receipt.slabs.length > 0).map(({ slabKey }) => slabKey)
  const { domain, run, stage } = plan
  const request = { dataset: dataset.id, domain, run, stage: stage.name, slabs }
  const parts = { 'hexcast.domain': domain, 'hexcast.stage': stage.name }
  const built = await inPart('weave', parts, () => buildTiles(ports.pool, ports.slabs, ports.objects, request))
  const key = { dataset: dataset.id, domain }
  const keep = dataset.season && (() => keepHour(ports, key, run, ports.slabs, slabs))
  const lost = keep && (await tolerated(keep))
  const outcome = await inPart('publish', parts, () => publish(ports.database, dataset, plan, verdict, built, now))
  const unbuilt = keep && !lost && (await inPart('season', parts, () => tolerated(() => buildDays(ports, key, run))))
  if (plan.last) await dropSlabs(ports.slabs, dataset.id, domain, run)
  const season = [lost, unbuilt].filter((why) => typeof why === 'string').map((why) => `season: ${why}`)
  return season.length > 0 ? { ...outcome, reasons: [...outcome.reasons, ...season] } : outcome
}

/**
 * Slabs that were corrupted or lost in the store: without its receipt the file is sampled again. @returns why, undefined for another error
 */
async function dropCorruptSlabs(
  slabs: Objects,
  receipts: readonly Receipt[],
  error: unknown,
): Promise<string | undefined> {
  if (!isFault(error, 'Corrupt') && !isFault(error, 'Missing')) return undefined
  const key = error.details['object'] ?? error.details['key']
  if (!receipts.some(({ slabKey }) => slabKey === key)) return undefined
  await slabs.remove(receiptKey(key as string))
  return error.message
}

/** Slabs are not needed after the last stage is built. */
export async function dropSlabs(slabs: Objects, dataset: string, domain: DomainId, run: Instant): Promise<void> {
  for await (const { key } of slabs.list(slabPrefix(dataset, domain, run))) await slabs.remove(key)
}

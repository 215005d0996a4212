import type { OutboxMessage } from '../../../sql/queries/outbox.ts'
import { nextRevision } from '../../../sql/queries/revisions.ts'
import { claimRun, endRun, type RunRow, runOf, startRun } from '../../../sql/queries/runs.ts'
import type { GridDataset } from '../../domain/dataset/dataset.ts'
import type { DomainId } from '../../domain/domain.ts'
import { type RunStarted, topics } from '../../domain/event.ts'
import { isFault } from '../../domain/fault.ts'
import { nth } from '../../domain/nth.ts'
import type { Means } from '../../domain/run/run-change.ts'
import { type Instant, isoSeconds, runName } from '../../domain/time.ts'
import type { Database } from '../../ports/database.ts'
import type { Objects } from '../../ports/objects.ts'
import { inPart } from '../../ports/trace.ts'
import { publishPastHours } from '../season/past-hours.ts'
import { buildDays, keepHour, tolerated } from '../season/season.ts'
import { buildTiles } from './build-tiles.ts'
import { fewAreLost } from './few-lost.ts'
import { absentSince, keepMeans, meansBefore, meansOfOthers } from './means.ts'
import { listedOf, type PlanOptions, planRun, type RunPlan } from './plan.ts'
import { keyOf, type Outcome, publish, reject, rejectionReasons, servedRun, stageIsWorthwhile } from './publish.ts'
import { type Receipt, receiptKey, type SamplePorts } from './receipt.ts'
import type { StageStep } from './run-loop.ts'
import { lostFiles, receiptOf, slabPrefix, unsampled } from './sample.ts'
import { validateRun } from './validate.ts'

/** Dependencies of the steps of a run. */
export interface RunPorts extends Omit<SamplePorts, 'slabs'> {
  readonly slabs: Objects
  readonly objects: Objects
  readonly database: Database
  /** Called after rows were added to the outbox, so that the relay publishes them now. */
  readonly notify?: () => void
}

export type PlanPorts = Pick<RunPorts, 'upstream' | 'database' | 'slabs' | 'resolution' | 'clock' | 'encoder'>

/**
 * A run in the domains that are processed together: all domains if each file of the dataset contains every domain,
 * otherwise a single domain.
 */
export interface RunOf {
  readonly domains: readonly DomainId[]
  readonly run: Instant
}

export interface Published {
  /** Results by domain, in the requested order. */
  readonly outcomes: readonly Outcome[]
  /** Addresses of the files behind the stage. */
  readonly inputs?: readonly string[]
  /** The run needs no further work. */
  readonly last: boolean
  /** A file is corrupt and upstream may still replace it, so this stage is planned again after a pause. */
  readonly again?: string
}

export interface StageOptions extends PlanOptions {
  /** Publishes a stage that is published already, as the next revision of the run. */
  readonly again?: boolean
  readonly progress?: (done: number, total: number) => void
}

/** Interval between two polls for files that upstream has not written yet. */
const POLL_SECONDS = 30

/** Returns whether upstream has leads that were absent when the run was published or rejected. */
export function hasMore({ files }: RunPlan, row: RunRow | undefined): boolean {
  const known = new Set(row?.leads)
  return row?.leads != null && files.some(({ leadHours }) => !known.has(leadHours))
}

/** Returns the plan that completes a published stage if upstream has files that were absent then; otherwise undefined. */
export async function planCompletion(
  ports: PlanPorts,
  dataset: GridDataset,
  { domains, run }: RunOf,
  stage: number,
  now: Instant,
  options: PlanOptions = {},
): Promise<StageStep | undefined> {
  const stages = dataset.stages(run, nth(domains, 0))
  const to = stages[stage]?.to ?? Number.NEGATIVE_INFINITY
  const from = stages[stage - 1]?.to ?? Number.NEGATIVE_INFINITY
  const rows = await Promise.all(
    domains.map((domain) => runOf(ports.database, { dataset: dataset.id, domain, run: new Date(run) })),
  )
  const incomplete = domains.some((domain, index) => {
    const row = rows[index]
    if (row?.state !== 'published' || !row.leads || (row.published_to ?? -1) <= from) return false
    const known = new Set(row.leads)
    return dataset.leads(run, domain).some((lead) => lead <= to && !known.has(lead))
  })
  if (!incomplete) return undefined
  try {
    // The stage is completed at once, without waiting for the rest, because readers already have less.
    const plans = await planAll(ports, dataset, { domains, run }, stage, now, { ...options, partial: true })
    if (!plans.some((plan, index) => hasMore(plan, rows[index]))) return undefined
    return { state: 'ready', stage, files: nth(plans, 0).files }
  } catch (error) {
    if (!isFault(error, 'NotYet') && !isFault(error, 'Gone')) throw error
    return undefined
  }
}

/** Returns the state of a run and the inputs of its next stage. Reads the listing of upstream, and writes only the claim. */
export async function planStage(
  ports: PlanPorts,
  dataset: GridDataset,
  { domains, run }: RunOf,
  stage: number,
  now: Instant,
  options: PlanOptions = {},
): Promise<StageStep> {
  const count = dataset.stages(run, nth(domains, 0)).length
  const name = `${dataset.id}/${runName(run)}`
  if (stage >= count) return { state: 'done', why: `${name}: published to its end` }
  const stages: number[] = []
  const older = new Set<DomainId>()
  let rejected: RunRow | undefined
  for (const domain of domains) {
    const row = await runOf(ports.database, { dataset: dataset.id, domain, run: new Date(run) })
    if (row?.state === 'rejected' && !options.partial) rejected = row
    const served = await servedRun(ports.database, dataset.id, domain)
    if (served && served.run > run) {
      if (!options.partial) return { state: 'done', why: `${name}: a newer run is served` }
      older.add(domain)
    }
    stages.push(served?.run === run ? served.stage : 0)
  }
  // Publishing an earlier stage would take hours away from readers, so the published stage is completed instead.
  const targetStage = Math.max(stage, Math.min(...stages))
  try {
    const plans = await planAll(ports, dataset, { domains, run }, targetStage, now, options)
    if (rejected && !plans.some((plan) => plan.domain === rejected.domain && hasMore(plan, rejected)))
      return { state: 'done', why: `${name}: ${rejected.reason}` }
    const next = () => planStage(ports, dataset, { domains, run }, targetStage + 1, now, options)
    const isFinished = await Promise.all(plans.map((plan) => isPublished(ports.database, plan)))
    if (isFinished.every(Boolean)) return next()
    for (const plan of plans) {
      // A run that will be stored without becoming the served run is not announced.
      if (older.has(plan.domain)) await claimRun(ports.database, keyOf(plan))
      else await startRun(ports.database, keyOf(plan), startedMessage(plan, now))
    }
    const { files } = nth(plans, 0)
    // A manual run retries corrupt files. Otherwise sampled files are skipped, because each step costs some 40 ms on
    // Temporal.
    const unsampledFiles = options.partial ? files : await unsampled(ports, dataset, run, files, domains)
    // A stage that would take hours away from readers is not published, so it is finished once its files are sampled.
    // The stored state decides this, because a resumed workflow begins at the first stage again.
    if (unsampledFiles.length === 0) {
      const isSkipped = async (plan: RunPlan) =>
        !stageIsWorthwhile(dataset, plan, await servedRun(ports.database, dataset.id, plan.domain), now)
      const skipped = await Promise.all(plans.map(isSkipped))
      if (plans.every((_, index) => isFinished[index] || skipped[index])) return next()
    }
    return { state: 'ready', stage: targetStage, files: unsampledFiles }
  } catch (error) {
    if (isFault(error, 'NotYet')) {
      if (rejected) return { state: 'done', why: `${name}: ${rejected.reason}` }
      for (const published of [targetStage, targetStage - 1]) {
        const step = await planCompletion(ports, dataset, { domains, run }, published, now, options)
        if (step) return step
      }
      const files = await unsampled(ports, dataset, run, listedOf(error), domains)
      return { state: 'waiting', waitSeconds: POLL_SECONDS, why: error.message, files }
    }
    if (!isFault(error, 'Gone')) throw error
    for (const domain of domains) {
      await endRun(ports.database, { dataset: dataset.id, domain, run: new Date(run) }, 'gone', error.message)
    }
    return { state: 'done', why: error.message }
  }
}

function startedMessage({ dataset, domain, run }: RunPlan, now: Instant): OutboxMessage {
  const payload: RunStarted = { dataset, domain, run: isoSeconds(run), at: isoSeconds(now) }
  return { topic: topics.started.name, key: dataset, payload }
}

/**
 * Publishes a stage: validation, tiles, the pointer. Its files were sampled before; a file that was not sampled counts
 * as missing.
 */
export async function publishStage(
  ports: RunPorts,
  dataset: GridDataset,
  { domains, run }: RunOf,
  stage: number,
  now: Instant,
  options: StageOptions = {},
): Promise<Published> {
  const plans = await planAll(ports, dataset, { domains, run }, stage, now, { ...options, partial: true })
  const overdue = options.partial || now > run + dataset.deadlineSeconds * 1000
  const receipts: Receipt[][] = []
  for (const plan of plans) {
    const planReceipts = await Promise.all(plan.files.map((file) => receiptOf(ports, dataset, run, file, plan.domain)))
    const untried = plan.files.find((_, index) => !planReceipts[index])
    // The file was listed after the stage was planned and has not been requested.
    if (untried && !options.partial)
      return { outcomes: [], last: false, again: `${untried.url} has not been sampled yet` }
    receipts.push(planReceipts.filter((receipt) => receipt !== undefined))
    const [why] = plan.lost
    // This is an outage: many files were not delivered, and they are requested again until the deadline.
    if (why && !overdue && !fewAreLost(plan.lost.length, plan.files.length))
      return { outcomes: [], last: false, again: why }
  }
  const outcomes: Outcome[] = []
  for (const [index, plan] of plans.entries()) {
    options.progress?.(index, plans.length)
    try {
      outcomes.push(await finish(ports, dataset, plan, nth(receipts, index), now, options))
    } catch (error) {
      const again = await dropCorruptSlabs(ports.slabs, nth(receipts, index), error)
      if (!again) throw error
      return { outcomes: [], last: false, again }
    }
  }
  const inputs = [...new Set(receipts.flat().map(({ url }) => url))]
  return {
    outcomes,
    inputs,
    last: nth(plans, 0).last || outcomes.every(({ state }) => state === 'rejected' || state === 'superseded'),
  }
}

type StagePlan = RunPlan & {
  /**
   * Returns why listed files count as absent: they were requested and could not be used. They complete the run if they
   * become readable.
   */
  readonly lost: readonly string[]
}

async function planAll(
  ports: Omit<PlanPorts, 'database'>,
  dataset: GridDataset,
  { domains, run }: RunOf,
  stage: number,
  now: Instant,
  options: PlanOptions,
): Promise<StagePlan[]> {
  const plans = await Promise.all(
    domains.map((domain) => planRun(ports.upstream, dataset, run, domain, stage, now, options)),
  )
  // The notes are stored with the first domain, because a file contains all domains.
  return Promise.all(
    plans.map(async (plan): Promise<StagePlan> => {
      const lost = await lostFiles(ports, dataset, run, plan.files, nth(domains, 0))
      const files = plan.files.filter((file) => !lost.has(file))
      const absent = [...plan.absent, ...[...lost.keys()].map(({ leadHours }) => leadHours)].sort((a, b) => a - b)
      return { ...plan, files, absent, lost: [...lost.values()] }
    }),
  )
}

/**
 * Returns whether this stage was published before with everything that upstream has. Its slabs may be deleted, so it is
 * not repeated.
 */
async function isPublished(database: Database, plan: RunPlan): Promise<boolean> {
  const row = await runOf(database, keyOf(plan))
  const to = plan.files.at(-1)?.leadHours ?? plan.stage.to
  return row?.state === 'published' && (row.published_to ?? -1) >= to && !hasMore(plan, row)
}

async function finish(
  ports: RunPorts,
  dataset: GridDataset,
  plan: RunPlan,
  receipts: readonly Receipt[],
  now: Instant,
  options: StageOptions,
): Promise<Outcome> {
  if (!options.again && (await isPublished(ports.database, plan))) return { state: 'already', reasons: [] }
  const row = await runOf(ports.database, keyOf(plan))
  // A revision with fewer hours would take them away from readers.
  const missingHours = options.again ? hoursWithoutFile(plan, row) : []
  if (missingHours.length > 0)
    return {
      state: 'rejected',
      reasons: [`hours ${missingHours.join(', ')} are published and cannot be read from upstream`],
    }
  const revision = options.again ? await nextRevision(ports.database, keyOf(plan)) : (row?.revision ?? 0)
  const served = await servedRun(ports.database, dataset.id, plan.domain)
  if (!stageIsWorthwhile(dataset, plan, served, now)) return { state: 'already', reasons: [] }
  // The means of stored runs may be those of the fault that a revision corrects.
  const before: Means = options.again ? new Map() : await meansBefore(ports, plan)
  const others = options.again ? [] : await meansOfOthers(ports, plan)
  const verdict = validateRun(dataset, plan, receipts, before, others)
  const objections = rejectionReasons(dataset, plan, verdict, served, now, options)
  if (objections.length > 0)
    return options.again ? { state: 'rejected', reasons: objections } : reject(ports.database, plan, objections)
  const slabs = receipts.filter((receipt) => receipt.slabs.length > 0).map(({ slabKey }) => slabKey)
  const { domain, run, stage } = plan
  for (const { variable, leadHours, reason, detail } of verdict.outliers) {
    const url = receipts.find((receipt) => receipt.leadHours === leadHours)?.url
    await ports.quarantine?.({ dataset: dataset.id, domain, run, leadHours, variable, reason, detail, url })
  }
  for (const { variable, leadHours, url } of absentSince(before, receipts, run)) {
    const detail = `${url}: the file lacks ${variable}, which the previous run had`
    await ports.quarantine?.({ dataset: dataset.id, domain, run, leadHours, variable, reason: 'absent', detail, url })
  }
  const { encoder } = ports
  const stored = { dataset: dataset.id, domain, run, stage: stage.name, revision }
  const request = { ...stored, encoder, slabs, except: verdict.outliers }
  const parts = { 'hexcast.domain': domain, 'hexcast.stage': stage.name }
  const built = await inPart('weave', parts, () => buildTiles(ports.pool, ports.slabs, ports.objects, request))
  await keepMeans(ports.objects, built.manifestKey, receipts, verdict, before)
  const hour = { dataset: dataset.id, domain, hour: run }
  const keep = dataset.season && (() => keepHour(ports, hour, ports.slabs, slabs))
  const lost = keep && (await tolerated(keep))
  const outcome = await inPart('publish', parts, () =>
    publish(ports.database, dataset, plan, verdict, { ...built, revision }, now),
  )
  // The pointer moves first, because building the days of an analysis and removing slabs takes time.
  ports.notify?.()
  const unbuilt = keep && !lost && (await inPart('season', parts, () => tolerated(() => buildDays(ports, hour))))
  const unpublished =
    keep && !lost && (await inPart('past hours', parts, () => tolerated(() => publishPastHours(ports, hour, now))))
  // An incomplete run keeps its slabs, so that only files that appear later are sampled.
  if (plan.last && plan.absent.length === 0) await dropSlabs(ports.slabs, dataset.id, domain, run)
  const season = [lost, unbuilt, unpublished].filter((why) => typeof why === 'string').map((why) => `season: ${why}`)
  return season.length > 0 ? { ...outcome, reasons: [...outcome.reasons, ...season] } : outcome
}

/** Returns the hours of a published run that a plan lacks. */
function hoursWithoutFile({ files }: RunPlan, row: RunRow | undefined): number[] {
  const listed = new Set(files.map(({ leadHours }) => leadHours))
  return (row?.leads ?? []).filter((lead) => !listed.has(lead))
}

/**
 * Deletes the receipts and objects of slabs that were corrupted or lost in the store, so that their files are sampled again. @returns the reason;
 * undefined for another error
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
  await slabs.remove(key as string)
  return error.message
}

/** Removes the slabs, which are not needed once the last stage is built. */
export async function dropSlabs(slabs: Objects, dataset: string, domain: DomainId, run: Instant): Promise<void> {
  for await (const { key } of slabs.list(slabPrefix(dataset, domain, run))) await slabs.remove(key)
}

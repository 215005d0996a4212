import { claimRun, runOf } from '../../sql/queries/runs.ts'
import type { DomainId, GridDataset } from '../domain/dataset.ts'
import { Fault, isFault } from '../domain/fault.ts'
import { type Instant, runName } from '../domain/time.ts'
import type { Database } from '../ports/database.ts'
import type { Objects } from '../ports/objects.ts'
import { judge } from './gate.ts'
import { type PlanOptions, planRun, type RunPlan } from './plan.ts'
import { admit, keepAside, keyOf, type Outcome, publish, servedRun, stageIsWorthwhile } from './publish.ts'
import { type Receipt, type SamplePorts, sampleLead, slabPrefix } from './sample.ts'
import { weave } from './weave.ts'

export interface RunPorts extends Omit<SamplePorts, 'slabs'> {
  readonly slabs: Objects
  readonly objects: Objects
  readonly database: Database
}

/** What is being done: for a display, and for heartbeats. */
export interface Progress {
  readonly dataset: string
  readonly domains: readonly DomainId[]
  readonly run: Instant
  readonly stage: string
  readonly what: 'sample' | 'weave' | 'publish'
  readonly done: number
  readonly total: number
}

export interface TakeOptions extends PlanOptions {
  /** Files under way at once. */
  readonly atOnce?: number
  readonly progress?: (progress: Progress) => void
}

export interface Taken {
  readonly plan: RunPlan
  readonly outcome: Outcome
}

/** Domains that are taken together, because one file holds them all. */
export function domainGroups(dataset: GridDataset): readonly (readonly DomainId[])[] {
  const ids = dataset.domains.map(({ id }) => id)
  return dataset.shared ? [ids] : ids.map((id) => [id])
}

/**
 * A run, stage after stage, from upstream to what readers see. Whatever was done before is not done again, so a run that
 * was killed is taken up by calling this once more.
 * @throws Fault NotYet while upstream has not all of the stage, or a corrupt file may still be replaced; Gone; Refused
 */
export async function takeRun(
  ports: RunPorts,
  dataset: GridDataset,
  run: Instant,
  domains: readonly DomainId[],
  clock: () => Instant,
  options: TakeOptions = {},
): Promise<Taken[]> {
  const taken: Taken[] = []
  const count = dataset.stages(run, domains[0]!).length
  for (let number = 0; number < count; number++) {
    const plans = await Promise.all(
      domains.map((domain) => planRun(ports.upstream, dataset, run, domain, number, clock(), options)),
    )
    taken.push(...(await takeStage(ports, dataset, plans, clock, options)))
  }
  return taken
}

/** One stage of a run: files → slabs → the gate → tiles → the pointer. The plans are of one run and stage, one a domain. */
export async function takeStage(
  ports: RunPorts,
  dataset: GridDataset,
  plans: readonly RunPlan[],
  clock: () => Instant,
  options: TakeOptions = {},
): Promise<Taken[]> {
  const { run, stage } = plans[0]!
  const domains = plans.map(({ domain }) => domain)
  if ((await Promise.all(plans.map((plan) => isPublished(ports.database, plan)))).every(Boolean)) {
    return plans.map((plan) => ({ plan, outcome: { state: 'held', reasons: [] } }))
  }
  for (const plan of plans) await claimRun(ports.database, keyOf(plan))
  const tell = (what: Progress['what'], done: number, total: number) =>
    options.progress?.({ dataset: dataset.id, domains, run, stage: stage.name, what, done, total })
  const { receipts, corrupt } = await sampleAll(ports, dataset, plans, options, (done, total) =>
    tell('sample', done, total),
  )
  const overdue = clock() > run + dataset.deadlineSeconds * 1000
  if (corrupt.length > 0 && !overdue && !options.partial) {
    const name = `${dataset.id}/${domains.join('+')}/${runName(run)}`
    throw new Fault(
      'NotYet',
      `${name}: waiting for ${corrupt.length} corrupt files to be replaced: ${corrupt[0]!.message}`,
      {
        corrupt: corrupt.map(({ message }) => message),
      },
    )
  }
  const taken: Taken[] = []
  for (const [index, plan] of plans.entries()) {
    tell('weave', index, plans.length)
    taken.push({ plan, outcome: await finish(ports, dataset, plan, receipts.get(plan.domain) ?? [], clock, options) })
  }
  tell('publish', plans.length, plans.length)
  return taken
}

/** Whether this stage was published before: its slabs may be gone, so nothing of it is to be done again. */
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
  clock: () => Instant,
  options: TakeOptions,
): Promise<Outcome> {
  const served = await servedRun(ports.database, dataset.id, plan.domain)
  if (!stageIsWorthwhile(dataset, plan, served, clock())) return { state: 'held', reasons: [] }
  const verdict = judge(dataset, plan, receipts)
  const refused = admit(dataset, plan, verdict, served, clock(), options)
  if (refused.length > 0) return keepAside(ports.database, plan, refused)
  const slabs = receipts.filter((receipt) => receipt.slabs.length > 0).map(({ slabKey }) => slabKey)
  const { domain, run, stage } = plan
  const request = { dataset: dataset.id, domain, run, stage: stage.name, slabs }
  const woven = await weave(ports.pool, ports.slabs, ports.objects, request)
  const outcome = await publish(ports.database, dataset, plan, verdict, woven, clock())
  if (plan.last) await dropSlabs(ports.slabs, dataset.id, domain, run)
  return outcome
}

/** The slabs have done their work once the last stage is woven. */
export async function dropSlabs(slabs: Objects, dataset: string, domain: DomainId, run: Instant): Promise<void> {
  for await (const { key } of slabs.list(slabPrefix(dataset, domain, run))) await slabs.remove(key)
}

async function sampleAll(
  ports: RunPorts,
  dataset: GridDataset,
  plans: readonly RunPlan[],
  options: TakeOptions,
  tell: (done: number, total: number) => void,
): Promise<{ receipts: Map<DomainId, Receipt[]>; corrupt: Fault[] }> {
  const { run, files } = plans[0]!
  const domains = plans.map(({ domain }) => domain)
  const receipts = new Map<DomainId, Receipt[]>(domains.map((domain) => [domain, []]))
  const corrupt: Fault[] = []
  const queue = [...files]
  let done = 0
  tell(0, files.length)
  const worker = async () => {
    for (let file = queue.shift(); file; file = queue.shift()) {
      options.signal?.throwIfAborted()
      try {
        for (const receipt of await sampleLead(ports, dataset, run, file, domains, options.signal)) {
          receipts.get(receipt.domain)!.push(receipt)
        }
      } catch (error) {
        if (!isFault(error, 'Corrupt')) {
          queue.length = 0
          throw error
        }
        corrupt.push(error)
      }
      tell(++done, files.length)
    }
  }
  await Promise.all(Array.from({ length: Math.min(options.atOnce ?? 3, files.length) }, worker))
  for (const list of receipts.values()) list.sort((a, b) => a.leadHours - b.leadHours)
  return { receipts, corrupt }
}

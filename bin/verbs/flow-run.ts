import type { GridDataset } from '../../ingest/domain/dataset/dataset.ts'
import type { DomainId } from '../../ingest/domain/domain.ts'
import { Fault, isFault } from '../../ingest/domain/fault.ts'
import { type Instant, runName } from '../../ingest/domain/time.ts'
import { buildTiles } from '../../ingest/steps/grid/build-tiles.ts'
import type { RunPorts } from '../../ingest/steps/grid/grid-run.ts'
import { domainGroups } from '../../ingest/steps/grid/new-runs.ts'
import { newestRun, planRun, type RunPlan } from '../../ingest/steps/grid/plan.ts'
import { planFile } from '../../ingest/steps/grid/plan-file.ts'
import type { Receipt } from '../../ingest/steps/grid/receipt.ts'
import { receiptOf, sampleFile } from '../../ingest/steps/grid/sample.ts'
import { takeRun } from '../../ingest/steps/grid/take-run.ts'
import { setOrigin } from '../../sql/queries/origin.ts'
import type { CommandLine } from '../verb.ts'
import { datasetNamed, domainsNamed, leadsNamed, runNamed } from './arguments.ts'
import { type VerbDeps, withDeps } from './deps.ts'
import { display, megabytes, printPlan, printReceipt } from './show.ts'

interface FlowRequest {
  readonly dataset: GridDataset
  /** Domains that are processed together because one file contains them. */
  readonly groups: readonly (readonly DomainId[])[]
  readonly run: Instant | undefined
  readonly now: Instant
}

function requestOf({ positionals, option }: CommandLine): FlowRequest {
  const dataset = datasetNamed(positionals[0])
  const domains = domainsNamed(dataset, option('domain'))
  const groups = domainGroups(dataset)
    .map((group) => group.filter((id) => domains.includes(id)))
    .filter((group) => group.length > 0)
  return { dataset, groups, run: runNamed(positionals[1]), now: Date.now() }
}

/**
 * Plans every stage of the run with the available files. A domain without the run is left out if other domains have it.
 */
async function plansOf(deps: VerbDeps, { dataset, groups, run, now }: FlowRequest): Promise<RunPlan[]> {
  const upstream = await deps.upstream()
  const plans: RunPlan[] = []
  let firstFault: Fault | undefined
  for (const domain of groups.flat()) {
    try {
      const runTime = run ?? (await newestRun(upstream, dataset, domain, now)).run
      for (let stage = 0; stage < dataset.stages(runTime, domain).length; stage++) {
        plans.push(await planRun(upstream, dataset, runTime, domain, stage, now, { partial: true }))
      }
    } catch (error) {
      if (!isFault(error, 'NotYet') && !isFault(error, 'Gone')) throw error
      deps.log(`hexcast: ${error.message}`)
      firstFault ??= error
    }
  }
  if (plans.length === 0) throw firstFault ?? new Fault('NotYet', `${dataset.id}: upstream has no files`)
  return plans
}

const lastStages = (plans: readonly RunPlan[]) => plans.filter(({ last }) => last)

export function runPlan(line: CommandLine): Promise<number> {
  return withDeps(async (deps) => {
    const request = requestOf(line)
    const leads = leadsNamed(line.option('leads'))
    const plans = await plansOf(deps, request)
    if (line.flag('json')) {
      for (const plan of plans) console.log(JSON.stringify(plan))
      return 0
    }
    for (const plan of plans) {
      const listed = plan.last ? plan.files.filter(({ leadHours }) => leads?.has(leadHours)) : []
      const upstream = await deps.upstream()
      const files = []
      for (const file of listed) {
        files.push({
          file,
          plan: await planFile(upstream, request.dataset, plan.domain, plan.run, file, { lenient: true }),
        })
      }
      printPlan(plan, files)
    }
    return 0
  })
}

export function runSample(line: CommandLine): Promise<number> {
  return withDeps(async (deps) => {
    const request = requestOf(line)
    const leads = leadsNamed(line.option('leads'))
    const ports = await portsOf(deps)
    let status = 0
    for (const plan of lastStages(await plansOf(deps, request))) {
      for (const file of plan.files.filter(({ leadHours }) => !leads || leads.has(leadHours))) {
        try {
          for (const receipt of await sampleFile(ports, request.dataset, plan.run, file, [plan.domain], {
            lenient: true,
          }))
            printReceipt(receipt)
        } catch (error) {
          if (!isFault(error, 'Corrupt')) throw error
          deps.log(`hexcast: ${error.message}`)
          status = 1
        }
      }
    }
    return status
  })
}

export function runWeave(line: CommandLine): Promise<number> {
  return withDeps(async (deps) => {
    const request = requestOf(line)
    const ports = await portsOf(deps)
    for (const plan of await plansOf(deps, request)) {
      const receipts: Receipt[] = []
      for (const file of plan.files) {
        const receipt = await receiptOf(ports, request.dataset, plan.run, file, plan.domain)
        if (receipt) receipts.push(receipt)
      }
      const name = `${plan.dataset}/${plan.domain}/${runName(plan.run)} ${plan.stage.name}`
      if (receipts.length === 0) {
        deps.log(
          `${name}: there are no slabs; create them with "npx hexcast sample ${plan.dataset} ${runName(plan.run)}"`,
        )
        continue
      }
      const { dataset, domain, run, stage } = plan
      const slabs = receipts.filter((receipt) => receipt.slabs.length > 0).map(({ slabKey }) => slabKey)
      const built = await buildTiles(ports.pool, ports.slabs, ports.objects, {
        dataset,
        domain,
        run,
        stage: stage.name,
        slabs,
      })
      console.log(
        `${name}: ${receipts.length} of ${plan.files.length} hours, ${built.values} values in ${built.objects} objects, ${megabytes(built.bytes)}\n  ${built.manifestKey}`,
      )
    }
    return 0
  })
}

export function runPublish(line: CommandLine): Promise<number> {
  return withDeps(async (deps) => {
    const request = requestOf(line)
    const { dataset, now } = request
    const database = await deps.database()
    if (await setOrigin(database, await deps.simulated())) {
      deps.log('hexcast: the source changed between real and simulated weather, so all stored runs were removed')
    }
    const ports: RunPorts = { ...(await portsOf(deps)), database }
    const wait = line.flag('wait')
    let published = 0
    const problems: string[] = []
    for (const domains of request.groups) {
      const name = `${dataset.id}/${domains.join('+')}`
      try {
        const [domain] = domains
        if (!domain) continue
        const run = request.run ?? (await newestRun(ports.upstream, dataset, domain, now)).run
        const { stages, why } = await retryWhileNotYet(wait, deps, () =>
          takeRun(ports, dataset, { domains, run }, Date.now, { partial: !wait, progress: display(deps) }),
        )
        for (const { outcomes } of stages) {
          published += outcomes.filter(({ state }) => state === 'published').length
          problems.push(...outcomes.flatMap(({ reasons }) => reasons.map((reason) => `${name}: ${reason}`)))
        }
        const last = stages.at(-1)?.outcomes.map(({ state }) => state) ?? []
        console.log(`${name} ${runName(run)}: ${last.length > 0 ? [...new Set(last)].join(', ') : why}`)
      } catch (error) {
        if (!isFault(error)) throw error
        problems.push(error.message)
      }
    }
    for (const problem of problems) deps.log(`hexcast: ${problem}`)
    return published > 0 || problems.length === 0 ? 0 : 1
  })
}

async function retryWhileNotYet<T>(wait: boolean, deps: VerbDeps, work: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (!wait || !isFault(error, 'NotYet')) throw error
      deps.log(`hexcast: ${error.message}; retrying in 30 s`)
      await new Promise((resolve) => setTimeout(resolve, 30_000))
    }
  }
}

async function portsOf(deps: VerbDeps): Promise<Omit<RunPorts, 'database'>> {
  const objects = await deps.objects()
  const upstream = await deps.upstream()
  return {
    upstream,
    objects,
    slabs: objects,
    pool: deps.pool(),
    resolution: deps.config.h3Resolution,
    cacheDir: deps.cacheDir,
  }
}

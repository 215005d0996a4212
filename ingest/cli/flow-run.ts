import { setOrigin } from '../../sql/queries/origin.ts'
import type { DomainId, GridDataset } from '../domain/dataset.ts'
import { Fault, isFault } from '../domain/fault.ts'
import { type Instant, runName } from '../domain/time.ts'
import { domainGroups, type RunPorts } from '../steps/grid-run.ts'
import { newestRun, planRun, type RunPlan } from '../steps/plan.ts'
import { planFile } from '../steps/plan-file.ts'
import { type Receipt, receiptOf, sampleLead } from '../steps/sample.ts'
import { takeRun } from '../steps/take-run.ts'
import { weave } from '../steps/weave.ts'
import { byHand, type Hand } from './hand.ts'
import { display, megabytes, printPlan, printReceipt } from './show.ts'
import { datasetNamed, domainsNamed, leadsNamed, readWords, runNamed, type Words } from './words.ts'

interface Asked {
  readonly dataset: GridDataset
  readonly words: Words
  /** Domains that are taken together, by file. */
  readonly groups: readonly (readonly DomainId[])[]
  readonly run: Instant | undefined
  readonly now: Instant
}

function asked(args: readonly string[], options: readonly string[], flags: readonly string[] = []): Asked {
  const words = readWords(args, ['domain', ...options], flags)
  const dataset = datasetNamed(words.plain[0])
  const domains = domainsNamed(dataset, words.option('domain'))
  const groups = domainGroups(dataset)
    .map((group) => group.filter((id) => domains.includes(id)))
    .filter((group) => group.length > 0)
  return { dataset, words, groups, run: runNamed(words.plain[1]), now: Date.now() }
}

/** Every stage of the run, with what is there now. A domain that has no such run is left out when others have it. */
async function plansOf(hand: Hand, { dataset, groups, run, now }: Asked): Promise<RunPlan[]> {
  const upstream = await hand.upstream()
  const plans: RunPlan[] = []
  let nothing: Fault | undefined
  for (const domain of groups.flat()) {
    try {
      const which = run ?? (await newestRun(upstream, dataset, domain, now)).run
      for (let stage = 0; stage < dataset.stages(which, domain).length; stage++) {
        plans.push(await planRun(upstream, dataset, which, domain, stage, now, { partial: true }))
      }
    } catch (error) {
      if (!isFault(error, 'NotYet') && !isFault(error, 'Gone')) throw error
      hand.say(`hexcast: ${error.message}`)
      nothing ??= error
    }
  }
  if (plans.length === 0) throw nothing ?? new Fault('NotYet', `${dataset.id}: nothing is there`)
  return plans
}

const lastStages = (plans: readonly RunPlan[]) => plans.filter(({ last }) => last)

export function runPlan(args: readonly string[]): Promise<number> {
  return byHand(async (hand) => {
    const ask = asked(args, ['leads'], ['json'])
    const leads = leadsNamed(ask.words.option('leads'))
    const plans = await plansOf(hand, ask)
    if (ask.words.flag('json')) {
      for (const plan of plans) console.log(JSON.stringify(plan))
      return 0
    }
    for (const plan of plans) {
      const shown = plan.last ? plan.files.filter(({ leadHours }) => leads?.has(leadHours)) : []
      const upstream = await hand.upstream()
      const files = []
      for (const file of shown) {
        files.push({
          file,
          plan: await planFile(upstream, ask.dataset, plan.domain, plan.run, file, { lenient: true }),
        })
      }
      printPlan(plan, files)
    }
    return 0
  })
}

export function runSample(args: readonly string[]): Promise<number> {
  return byHand(async (hand) => {
    const ask = asked(args, ['leads'])
    const leads = leadsNamed(ask.words.option('leads'))
    const ports = await portsOf(hand)
    let status = 0
    for (const plan of lastStages(await plansOf(hand, ask))) {
      for (const file of plan.files.filter(({ leadHours }) => !leads || leads.has(leadHours))) {
        try {
          for (const receipt of await sampleLead(ports, ask.dataset, plan.run, file, [plan.domain], { lenient: true }))
            printReceipt(receipt)
        } catch (error) {
          if (!isFault(error, 'Corrupt')) throw error
          hand.say(`hexcast: ${error.message}`)
          status = 1
        }
      }
    }
    return status
  })
}

export function runWeave(args: readonly string[]): Promise<number> {
  return byHand(async (hand) => {
    const ask = asked(args, [])
    const ports = await portsOf(hand)
    for (const plan of await plansOf(hand, ask)) {
      const receipts: Receipt[] = []
      for (const file of plan.files) {
        const receipt = await receiptOf(ports, ask.dataset, plan.run, file, plan.domain)
        if (receipt) receipts.push(receipt)
      }
      const name = `${plan.dataset}/${plan.domain}/${runName(plan.run)} ${plan.stage.name}`
      if (receipts.length === 0) {
        hand.say(`${name}: no slabs; "npx hexcast sample ${plan.dataset} ${runName(plan.run)}" makes them`)
        continue
      }
      const { dataset, domain, run, stage } = plan
      const slabs = receipts.filter((one) => one.slabs.length > 0).map(({ slabKey }) => slabKey)
      const woven = await weave(ports.pool, ports.slabs, ports.objects, {
        dataset,
        domain,
        run,
        stage: stage.name,
        slabs,
      })
      console.log(
        `${name}: ${receipts.length} of ${plan.files.length} hours, ${woven.values} values in ${woven.objects} objects, ${megabytes(woven.bytes)}\n  ${woven.manifestKey}`,
      )
    }
    return 0
  })
}

export function runPublish(args: readonly string[]): Promise<number> {
  return byHand(async (hand) => {
    const ask = asked(args, [], ['wait'])
    const { dataset, now } = ask
    const database = await hand.database()
    if (await setOrigin(database, await hand.simulated())) {
      hand.say('hexcast: weather came from elsewhere before: what was held is forgotten')
    }
    const ports: RunPorts = { ...(await portsOf(hand)), database }
    const wait = ask.words.flag('wait')
    let published = 0
    const problems: string[] = []
    for (const domains of ask.groups) {
      const name = `${dataset.id}/${domains.join('+')}`
      try {
        const run = ask.run ?? (await newestRun(ports.upstream, dataset, domains[0]!, now)).run
        const { stages, why } = await patiently(wait, hand, () =>
          takeRun(ports, dataset, { domains, run }, Date.now, { partial: !wait, progress: display(hand) }),
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
    for (const problem of problems) hand.say(`hexcast: ${problem}`)
    return published > 0 || problems.length === 0 ? 0 : 1
  })
}

async function patiently<T>(wait: boolean, hand: Hand, work: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (!wait || !isFault(error, 'NotYet')) throw error
      hand.say(`hexcast: ${error.message}; looking again in 30 s`)
      await new Promise((resolve) => setTimeout(resolve, 30_000))
    }
  }
}

async function portsOf(hand: Hand): Promise<Omit<RunPorts, 'database'>> {
  const objects = await hand.objects()
  const upstream = await hand.upstream()
  return {
    upstream,
    objects,
    slabs: objects,
    pool: hand.pool(),
    resolution: hand.config.h3Resolution,
    cacheDir: hand.cacheDir,
  }
}

import type { Flow, Workflow, WorkflowName } from './flow.ts'

const MINUTE = 60_000

/** Every run that is newer than the served one, or not whole yet, has a workflow of its own. */
export const watchRuns: Workflow<'watchRuns'> = async (flow, { dataset }) => {
  for (const found of await flow.act.newRuns({ dataset })) {
    await flow.start('modelRun', `grid-run/${dataset}/${found.domains.join('+')}/${found.run}`, { dataset, ...found })
  }
}

/** Files of a run that are sampled at the same time: enough to keep two cores busy while bytes travel. */
const SIDE_BY_SIDE = 3

/** From upstream to published tiles, stage by stage: each is planned, sampled file by file, woven and published whole. */
export const modelRun: Workflow<'modelRun'> = async (flow, input) => {
  for (let stage = 0; ; ) {
    const step = await flow.act.planStage({ ...input, stage })
    if (step.state === 'done') return
    if (step.state === 'waiting') {
      await flow.until(flow.now() + step.waitSeconds * 1000)
      continue
    }
    stage = step.stage
    await sideBySide(step.files, (file) => flow.act.sampleFile({ ...input, stage, file }))
    const { last, again } = await flow.act.publishStage({ ...input, stage })
    if (last) return
    if (again) {
      await flow.until(flow.now() + MINUTE / 2)
      continue
    }
    stage++
    await flow.giveWay()
  }
}

async function sideBySide<T>(items: readonly T[], work: (item: T) => Promise<unknown>): Promise<void> {
  const left = [...items]
  const lane = async () => {
    for (let item = left.shift(); item !== undefined; item = left.shift()) await work(item)
  }
  await Promise.all(Array.from({ length: SIDE_BY_SIDE }, lane))
}

export const sweepFrames: Workflow<'sweepFrames'> = async (flow, input) => {
  await flow.act.sweepFrames(input)
}

/** Every alert that is held has its end watched for: one timer at the nearest, which sets the next. */
export const sweepAlerts: Workflow<'sweepAlerts'> = async (flow) => {
  await flow.act.sweepAlerts()
  await watchNextExpiration(flow)
  // New alerts may name zones whose shape has not been asked for yet; the sweep does not wait for them.
  await flow.start('loadZones', 'zones/wanted', {})
}

export const expireAlerts: Workflow<'expireAlerts'> = async (flow, { at }) => {
  await flow.until(at)
  await flow.act.expireAlerts()
  await watchNextExpiration(flow)
}

async function watchNextExpiration(flow: Flow): Promise<void> {
  const { at } = await flow.act.nextExpiration()
  if (at !== null) await flow.start('expireAlerts', `alert-expiration/${new Date(at).toISOString()}`, { at }, at)
}

export const sweepOutlooks: Workflow<'sweepOutlooks'> = async (flow) => {
  await flow.act.sweepOutlooks()
}

export const loadZones: Workflow<'loadZones'> = async (flow) => {
  await flow.act.loadZones()
}

export const retire: Workflow<'retire'> = async (flow) => {
  await flow.act.retire()
}

export const workflows: { readonly [N in WorkflowName]: Workflow<N> } = {
  watchRuns,
  modelRun,
  sweepFrames,
  sweepAlerts,
  expireAlerts,
  sweepOutlooks,
  loadZones,
  retire,
}

/** A workflow's longest life, after which a new one of the same name may begin. */
export const LONGEST_LIFE = 36 * 60 * MINUTE

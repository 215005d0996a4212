import { join } from 'node:path'
import { startMirror } from '../../../infra/simulator/mirror.ts'
import { modelSources } from '../../../infra/simulator/models.ts'
import type { SimulatedHost } from '../../../infra/simulator/source.ts'
import { gfs } from '../../../ingest/datasets/gfs.ts'
import { hrrr } from '../../../ingest/datasets/hrrr.ts'
import { nbm } from '../../../ingest/datasets/nbm.ts'
import { rtma } from '../../../ingest/datasets/rtma.ts'
import { urma } from '../../../ingest/datasets/urma.ts'
import { readIdx } from '../../../ingest/decode/idx.ts'
import { cellOfId, loadCells } from '../../../ingest/domain/cell.ts'
import type { GridDataset } from '../../../ingest/domain/dataset/dataset.ts'
import { variable } from '../../../ingest/domain/dataset/variable.ts'
import { wantedVariables } from '../../../ingest/domain/dataset/want.ts'
import type { DomainId } from '../../../ingest/domain/domain.ts'
import { isFault } from '../../../ingest/domain/fault.ts'
import { nth } from '../../../ingest/domain/nth.ts'
import { HOUR, type Instant } from '../../../ingest/domain/time.ts'
import { openUpstream, type Upstream } from '../../../ingest/ports/upstream.ts'
import type { RunPorts } from '../../../ingest/steps/grid/grid-run.ts'
import { chooseRecords } from '../../../ingest/steps/grid/plan-file.ts'
import { takeRun } from '../../../ingest/steps/grid/take-run.ts'
import { type OpenRun, openRun } from '../../../ingest/tile/read.ts'
import { pointerOf } from '../../../sql/queries/runs.ts'
import type { Random } from '../../random.ts'
import { type GribFault, gribFaults, type Harmed, type Subject } from './grib-faults.ts'
import { type Parts, partsOf } from './messages.ts'
import type { Stores } from './stores.ts'
import type { Outcome } from './tally.ts'

const RESOLUTION = 5
const NOW = Date.UTC(2026, 10, 21, 15, 40)
const COARSE = 24
/** Maximum number of draws of a variable and a fault until they match. */
const MAX_CHOICES = 2000
/** Part of the names of the faults that are injected. */
const ONLY = process.env['DRIFT_ONLY'] ?? ''

interface Target {
  readonly dataset: GridDataset
  readonly domain: DomainId
  /** The harmed run and the previous run. */
  readonly run: Instant
  readonly before: Instant
  /** A file from another domain or another model. */
  readonly elsewhere: readonly [dataset: GridDataset, run: Instant, domain: DomainId, lead: number]
}

/** Returns the dataset with a few of its leads: the checks of a file do not depend on the number of leads. */
function narrow(dataset: GridDataset, leads: readonly number[], domain: DomainId): GridDataset {
  return {
    ...dataset,
    season: false,
    domains: dataset.domains.filter(({ id }) => id === domain),
    leads: () => leads,
    stages: () => [{ name: 'part', to: leads.at(-1)! }],
    leadOf(key, run, domain) {
      const lead = dataset.leadOf(key, run, domain)
      return lead !== undefined && leads.includes(lead) ? lead : undefined
    },
  }
}

const at = (day: number, hour: number) => Date.UTC(2026, 10, day, hour)
const targets: readonly Target[] = [
  {
    dataset: narrow(rtma, [0], 'hawaii'),
    domain: 'hawaii',
    run: at(21, 14),
    before: at(21, 13),
    elsewhere: [rtma, at(21, 14), 'alaska', 0],
  },
  {
    dataset: narrow(urma, [0], 'hawaii'),
    domain: 'hawaii',
    run: at(21, 8),
    before: at(21, 7),
    elsewhere: [urma, at(21, 8), 'alaska', 0],
  },
  {
    dataset: narrow(nbm, [6, 7], 'hawaii'),
    domain: 'hawaii',
    run: at(21, 13),
    before: at(21, 12),
    elsewhere: [nbm, at(21, 13), 'alaska', 6],
  },
  {
    dataset: narrow(hrrr, [3, 6], 'alaska'),
    domain: 'alaska',
    run: at(21, 12),
    before: at(21, 9),
    elsewhere: [nbm, at(21, 12), 'hawaii', 3],
  },
  {
    dataset: narrow(gfs, [6, 12], 'hawaii'),
    domain: 'hawaii',
    run: at(21, 6),
    before: at(21, 0),
    elsewhere: [nbm, at(21, 12), 'hawaii', 6],
  },
]

interface Baseline {
  readonly values: ReadonlyMap<string, Sampled>
  readonly parts: Parts
  readonly earlier: Parts
  readonly elsewhere: Parts
  /** Numbers of the messages that fill variables, and these variables. */
  readonly variablesByMessage: readonly { readonly message: number; readonly variables: readonly string[] }[]
}

interface Sampled {
  readonly values: readonly number[]
  readonly quantum: number
}

export interface GribWalk {
  /** Injects one fault. */
  fault(random: Random): Promise<Outcome>
  close(): Promise<void>
}

export async function openGribWalk(stores: Stores): Promise<GribWalk> {
  const { database, objects, pool } = stores
  const state: { path: string; harmed: Harmed | undefined } = { path: '', harmed: undefined }
  const mirror = await startMirror({
    sources: modelSources(COARSE).map((source) => harming(source, state)),
    now: () => NOW,
  })
  const upstream = openUpstream({ mirror: mirror.url, sleep: async () => {} })
  const ports: RunPorts = {
    upstream,
    objects,
    slabs: objects,
    database,
    pool,
    resolution: RESOLUTION,
    cacheDir: join(stores.folder, 'cache'),
    quarantine: stores.quarantine,
    fileMs: 60_000,
  }
  const baselines = new Map<Target, Promise<Baseline>>()
  const baselineOf = (target: Target) => {
    let baseline = baselines.get(target)
    if (!baseline) baselines.set(target, (baseline = readBaseline(stores, ports, upstream, target)))
    return baseline
  }
  let count = 0
  /** A fault of the next target that has variables which it can harm. */
  const next = async (random: Random) => {
    for (let k = 0; k < targets.length; k++) {
      const target = nth(targets, count++ % targets.length)
      const baseline = await baselineOf(target)
      const choice = chosen(baseline, target, random)
      if (choice) return { target, baseline, ...choice }
    }
    throw new Error(`no fault whose name contains "${ONLY}" applies to any target`)
  }
  return {
    async fault(random) {
      const { target, baseline, fault, subject } = await next(random)
      const { harmed, detail } = fault.make(subject, random)
      const url = target.dataset.file(target.run, target.domain, leadOf(target)).url
      state.path = new URL(url).pathname
      state.harmed = harmed
      mirror.misbehaviours.splice(0, 9, ...(harmed.how ? [{ path: state.path, how: harmed.how }] : []))
      try {
        const element = nth(subject.parts.lines, subject.message).split(':').slice(3, 5).join(' ')
        const name = `${target.dataset.id}/${target.domain} ${fault.single ? element : 'file'}: ${fault.name} ${detail}`
        // The test uses a short timeout, because a mirror may never answer the file.
        const fileMs = harmed.how ? 5000 : ports.fileMs
        return await outcome(stores, { ...ports, fileMs }, target, baseline, subject, fault, name)
      } finally {
        state.harmed = undefined
        mirror.misbehaviours.length = 0
      }
    },
    async close() {
      await upstream.close()
      await mirror.close()
    },
  }
}

const timeOf = (target: Target): Instant => target.run + leadOf(target) * HOUR
const leadOf = ({ dataset, run, domain }: Target): number => nth(dataset.leads(run, domain), 0)

/** Serves the harmed bytes of one file and its index, and lists the file with its harmed size. */
function harming(source: SimulatedHost, state: { path: string; harmed: Harmed | undefined }): SimulatedHost {
  return {
    ...source,
    list: (prefix, now) =>
      [...source.list!(prefix, now)].map((object) =>
        `/${object.key}` === state.path && state.harmed?.data ? { ...object, size: state.harmed.data.length } : object,
      ),
    async find(path, query, now) {
      const document = await source.find(path, query, now)
      const { harmed } = state
      if (!document || !harmed || (path !== state.path && path !== `${state.path}.idx`)) return document
      const bytes = path === state.path ? harmed.data : harmed.index
      return bytes ? { ...document, size: bytes.length, body: () => bytes } : document
    },
  }
}

async function fetchParts(
  upstream: Upstream,
  dataset: GridDataset,
  run: Instant,
  domain: DomainId,
  lead: number,
): Promise<Parts> {
  const { url, indexUrl } = dataset.file(run, domain, lead)
  return partsOf((await upstream.get(url)).bytes, (await upstream.get(indexUrl!)).bytes)
}

async function readBaseline(stores: Stores, ports: RunPorts, upstream: Upstream, target: Target): Promise<Baseline> {
  const { dataset, domain, run, before } = target
  for (const object of [before, run]) await takeRun(ports, dataset, { domains: [domain], run: object }, () => NOW)
  const lead = leadOf(target)
  const parts = await fetchParts(upstream, dataset, run, domain, lead)
  const { url, indexUrl } = dataset.file(run, domain, lead)
  const index = new TextDecoder().decode((await upstream.get(indexUrl!)).bytes)
  const plan = chooseRecords(readIdx(index, undefined, url), dataset, domain, run, lead)
  const [otherDataset, otherRun, otherDomain, otherLead] = target.elsewhere
  const values = await valuesOf(await publishedRun(stores, target))
  const { database } = stores
  await database.query('delete from pointer where dataset = $1', [dataset.id])
  await database.query('delete from run where dataset = $1 and run = $2', [dataset.id, new Date(run)])
  await republish(stores, target)
  return {
    values,
    parts,
    earlier: await fetchParts(upstream, dataset, before, domain, lead),
    elsewhere: await fetchParts(upstream, otherDataset, otherRun, otherDomain, otherLead),
    variablesByMessage: plan.wants.flatMap(({ want, messages }) =>
      Object.values(messages).map(({ number }) => ({ message: Number(number) - 1, variables: wantedVariables(want) })),
    ),
  }
}

/** Makes the previous run the served run again. */
async function republish({ database }: Stores, { dataset, domain, before }: Target): Promise<void> {
  await database.query(
    `insert into pointer (dataset, domain, run, stage, manifest_key)
     select dataset, domain, run, 0, manifest_key from run where dataset = $1 and domain = $2 and run = $3`,
    [dataset.id, domain, new Date(before)],
  )
}

async function publishedRun(
  { database, objects }: Stores,
  { dataset, domain, run }: Target,
): Promise<OpenRun | undefined> {
  const pointer = await pointerOf(database, dataset.id, domain)
  return pointer?.run.getTime() === run ? openRun(objects, pointer.manifest_key) : undefined
}

const cells = () => Array.from(loadCells(RESOLUTION).ids, (id) => cellOfId(id, RESOLUTION))
const SAMPLED = 60

/** Reads the values of every variable and time at some cells of the run. */
async function valuesOf(run: OpenRun | undefined): Promise<Map<string, Sampled>> {
  const document = new Map<string, { values: number[]; quantum: number }>()
  if (!run) return document
  for (const [name, { quantum, times }] of run.variables) {
    for (const time of times) document.set(`${name} ${time}`, { values: [], quantum })
  }
  let points = 0
  const step = run.domain === 'hawaii' ? 1 : 31
  const all = cells()
  for (let k = 0; k < all.length && points < SAMPLED; k += step) {
    const point = await run.point(nth(all, k))
    if (!point) continue
    points++
    for (const name of run.variables.keys()) {
      const { times, values } = point.variables.get(name)!
      times.forEach((time, t) => {
        document.get(`${name} ${time}`)!.values.push(nth(values, t))
      })
    }
  }
  return document
}

function chosen(
  baseline: Baseline,
  target: Target,
  random: Random,
): { fault: GribFault; subject: Subject } | undefined {
  for (let tries = 0; tries < MAX_CHOICES; tries++) {
    const { message, variables } = random.pick(baseline.variablesByMessage)
    const name = nth(variables, 0)
    const known = (baseline.values.get(`${name} ${timeOf(target)}`)?.values ?? []).filter(
      (value) => !Number.isNaN(value),
    )
    const mean = known.length > 0 ? known.reduce((sum, value) => sum + value, 0) / known.length : 0
    const subject: Subject = {
      parts: baseline.parts,
      message,
      unit: name.endsWith('_stddev') || variables.length > 1 ? 'none' : variable(name).unit,
      mean,
      before: baseline.earlier,
      elsewhere: baseline.elsewhere,
    }
    const fault = random.pick(gribFaults.filter((fault) => fault.name.includes(ONLY)))
    if (fault.applies?.(subject) ?? true) return { fault, subject }
  }
  return undefined
}

async function outcome(
  stores: Stores,
  ports: RunPorts,
  target: Target,
  baseline: Baseline,
  subject: Subject,
  fault: GribFault,
  name: string,
): Promise<Outcome> {
  const { database, objects } = stores
  const { dataset, domain, run } = target
  await database.query('delete from run where dataset = $1 and run = $2', [dataset.id, new Date(run)])
  await database.query('delete from pointer where dataset = $1', [dataset.id])
  await database.query('delete from quarantine')
  await republish(stores, target)
  for await (const { key } of objects.list(`slabs/v1/${dataset.id}/`)) await objects.remove(key)
  const from = performance.now()
  await takeRun(ports, dataset, { domains: [domain], run }, () => NOW).catch((error: unknown) => {
    if (!isFault(error)) throw error
  })
  const namedMs = await stores.named(dataset.id, from)
  const published = await publishedRun(stores, target)
  const actual = await valuesOf(published)
  const leaks: string[] = []
  for (const [name, { values, quantum }] of actual) {
    const right = baseline.values.get(name)
    const tolerance = 2 * Math.max(quantum, right?.quantum ?? 0)
    const differs = values.findIndex((value, k) => !near(value, right?.values[k] ?? Number.NaN, tolerance))
    if (!right || differs >= 0) leaks.push(`${name} ${values[differs]} in place of ${right?.values[differs]}`)
  }
  // The two components of a wind count as one variable.
  const absent = published ? [...baseline.values.keys()].filter((object) => !actual.has(object)) : []
  // Every other hour must be as it would be without the fault.
  for (const name of absent) if (!name.endsWith(` ${timeOf(target)}`)) leaks.push(`${name} is lost with another hour`)
  const runLost = published === undefined && dataset.leads(run, domain).length > 1
  const lost = [...new Set(absent.map((object) => nth(object.split(' '), 0)))]
  const together = baseline.variablesByMessage.find(({ message }) => message === subject.message)!.variables
  const harmed = lost.filter((object) => object !== together[1] || !lost.includes(nth(together, 0)))
  return {
    name,
    leaks,
    harmed,
    single: fault.single,
    namedMs,
    runLost,
    harmless: published !== undefined && lost.length === 0,
  }
}

function near(value: number, right: number, tolerance: number): boolean {
  return Number.isNaN(value) ? Number.isNaN(right) : Math.abs(value - right) <= tolerance
}

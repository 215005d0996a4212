import { cellOf } from '../../ingest/domain/cell.ts'
import type { DomainId } from '../../ingest/domain/domain.ts'
import { isFault } from '../../ingest/domain/fault.ts'
import { HOUR, type Instant } from '../../ingest/domain/time.ts'
import { type OpenRun, openRun } from '../../ingest/tile/read.ts'
import { type RunRow, storedRuns } from '../../sql/queries/runs.ts'
import { quantityOf, valuesAt } from '../answer/values.ts'
import type { ServedRun } from '../contract.ts'
import type { Current } from '../live/served-runs.ts'
import { type UnitSystem, type Units, units } from '../present/units.ts'
import type { QueryContext } from './context.ts'
import { type Family, isAnalysis } from './dataset.ts'
import { QueryError } from './error.ts'
import { readNormals } from './normals-table.ts'

export interface WantedValues {
  readonly family: Family
  readonly variables: readonly string[]
  readonly from: number
  readonly to: number
  readonly units: UnitSystem
  /** Reference time; absent: the run that is served. */
  readonly run?: number
  /** State at the first page; absent: the current state. */
  readonly pins?: Pins
}

/** The runs at the first page of a query, so that all pages are read from the same data. */
export interface Pins {
  readonly at: Instant
  readonly runs: readonly Pin[]
}

export interface Pin {
  readonly dataset: string
  readonly domain: DomainId
  readonly run: Instant
}

/** Values of one point by variable and time, in the requested units; null where the source has none. */
export interface PointTable {
  readonly times: readonly number[]
  readonly values: ReadonlyMap<string, ReadonlyMap<number, number | null>>
  readonly run: number | undefined
  readonly runs: readonly OpenRun[]
  /** Newest run that gave values of a variable; empty for the blend. */
  readonly runByVariable: ReadonlyMap<string, number>
}

/** A consistent view of a dataset: all points are read from the same runs, whatever is published in the meantime. */
export interface DatasetReader {
  /** Undefined: the dataset does not reach the place. @throws Fault Refused, Corrupt */
  point(lat: number, lon: number, domain: DomainId): Promise<PointTable | undefined>
  pins(domains: ReadonlySet<DomainId>): Pins
}

/** The runs that answer a query, domain by domain: the same for all of its points, whatever is published meanwhile. */
export interface RunLookup {
  readonly at: Instant
  readonly served: ReadonlyMap<string, ServedRun>
  runsIn(domain: DomainId): Promise<OpenRun[]>
  pins(domains: ReadonlySet<DomainId>): Pins
}

/** @throws QueryError bad-request where a pinned run is not stored any more */
export async function lookUpRuns(context: QueryContext, wanted: WantedValues): Promise<RunLookup> {
  const { family, pins } = wanted
  const { current } = context.deps.values
  const at = pins?.at ?? context.now
  const runs = pins ? await pinnedRuns(context, pins) : new Map<string, ServedRun>()
  if (!pins)
    for (const { dataset, domain } of current.all()) {
      const served = current.served(dataset, domain)
      if (served) runs.set(keyOf(served), served)
    }
  const opened = new Map<DomainId, Promise<OpenRun[]>>()
  const runsIn = (domain: DomainId) => {
    let opening = opened.get(domain)
    if (!opening) opened.set(domain, (opening = runsOf(context, domain, wanted, runs, at)))
    return opening
  }
  return {
    at,
    served: runs,
    runsIn,
    pins: (domains) => ({
      at,
      runs: [...runs.values()]
        .filter(({ dataset, domain }) => {
          const about = context.deps.values.datasets.find(({ id }) => id === dataset)
          const counts = family.id === 'blend' ? about : family.members.find(({ id }) => id === dataset)
          return counts?.kind === 'grid' && domains.has(domain)
        })
        .map(({ dataset, domain, run }) => ({ dataset, domain, run })),
    }),
  }
}

/** @throws QueryError bad-request where a pinned run is not stored any more */
export async function openReader(context: QueryContext, wanted: WantedValues): Promise<DatasetReader> {
  const { family } = wanted
  const { current, resolution } = context.deps.values
  const { served, at, runsIn, pins } = await lookUpRuns(context, wanted)
  const asItWas = Object.create(current, {
    served: { value: (dataset: string, domain: DomainId) => served.get(`${dataset}/${domain}`) },
  }) as Current
  return {
    pins,
    async point(lat, lon, domain) {
      const covers = family.members.some(({ domains }) => domains.some(({ id }) => id === domain))
      if (!covers) return undefined
      if (family.id === 'normals') return readNormals(context, lat, lon, wanted)
      if (family.id === 'blend') return readBlend(context, asItWas, lat, lon, wanted, at)
      return tableOf(await runsIn(domain), cellOf(lat, lon, resolution), wanted)
    },
  }
}

const keyOf = ({ dataset, domain }: { dataset: string; domain: string }) => `${dataset}/${domain}`

/** The pinned runs of an earlier page: still served, or stored as earlier runs. */
async function pinnedRuns({ deps }: QueryContext, pins: Pins): Promise<Map<string, ServedRun>> {
  const found = new Map<string, ServedRun>()
  let rows: readonly RunRow[] | undefined
  for (const pin of pins.runs) {
    const served = deps.values.current.served(pin.dataset, pin.domain)
    if (served?.run === pin.run) {
      found.set(keyOf(pin), served)
      continue
    }
    rows ??= await storedRuns(deps.database, [...new Set(pins.runs.map(({ dataset }) => dataset))])
    const row = rows.find((one) => keyOf(one) === keyOf(pin) && one.run.getTime() === pin.run && isPublished(one))
    if (!row)
      throw new QueryError(
        'bad-request',
        `cursor: the run of ${pin.dataset} that it belongs to is no longer stored.`,
        'begin again without cursor: a newer run answers.',
        { field: 'cursor' },
      )
    const manifestKey = row.manifest_key as string
    found.set(keyOf(pin), {
      ...pin,
      manifestKey,
      publishedAt: row.published_at?.getTime() ?? pin.run,
      opened: undefined,
      open: () => openRun(deps.objects, manifestKey),
    })
  }
  return found
}

const isPublished = ({ state, manifest_key }: RunRow) => state === 'published' && Boolean(manifest_key)

async function tableOf(
  runs: readonly OpenRun[],
  cell: string,
  { variables, from, to, units: named }: WantedValues,
): Promise<PointTable | undefined> {
  const system = units[named]
  const values = new Map<string, Map<number, number | null>>(variables.map((name) => [name, new Map()]))
  const times = new Set<number>()
  const used: OpenRun[] = []
  const runByVariable = new Map<string, number>()
  for (const open of runs) {
    const series = await open.point(cell)
    if (!series) continue
    used.push(open)
    for (const name of variables) {
      const stored = series.variables.get(name)
      if (!stored) continue
      const into = values.get(name) as Map<number, number | null>
      const quantity = quantityOf(name)
      for (let i = 0; i < stored.times.length; i++) {
        const time = stored.times[i]
        if (time < from || time > to || into.has(time)) continue
        into.set(time, system.show(quantity, stored.values[i]))
        runByVariable.set(name, Math.max(open.run, runByVariable.get(name) ?? open.run))
        times.add(time)
      }
    }
  }
  if (runs.length > 0 && used.length === 0) return undefined
  return { times: [...times].sort((a, b) => a - b), values, run: used[0]?.run, runs: used, runByVariable }
}

async function readBlend(
  context: QueryContext,
  current: Current,
  lat: number,
  lon: number,
  { variables, from, to, units: system }: WantedValues,
  now: Instant,
): Promise<PointTable> {
  const hours = Math.min(336, Math.max(1, Math.ceil((to - now) / HOUR) + 1))
  const found = await valuesAt(
    { ...context.deps.values, current },
    lat,
    lon,
    { datasetId: 'blend', variables, units: units[system] as Units, now },
    hours,
  )
  const times = found.times.filter((time) => time >= from && time <= to)
  const values = new Map(
    variables.map((name) => [
      name,
      new Map(found.times.map((time, i) => [time, found.data[name]?.[i] ?? null] as const)),
    ]),
  )
  return { times, values, run: undefined, runs: [], runByVariable: new Map() }
}

/** The runs to read, in order of preference: newest first; of analyses every hour of the span. */
async function runsOf(
  context: QueryContext,
  domain: DomainId,
  { family, run, from, to, pins }: WantedValues,
  stored: ReadonlyMap<string, ServedRun>,
  at: Instant,
): Promise<OpenRun[]> {
  const grids = family.members.filter(({ kind }) => kind === 'grid')
  if (run === undefined && !isAnalysis(family)) {
    const served = grids.flatMap(({ id }) => stored.get(`${id}/${domain}`) ?? [])
    const open = await Promise.all(served.map(async (one) => one.opened ?? (await one.open())))
    // The product with the id of the family comes first, then the others.
    return open.sort((a, b) => Number(b.dataset === family.id) - Number(a.dataset === family.id) || b.run - a.run)
  }
  const fits = (one: number) => (run === undefined ? one >= from && one <= to : one === run)
  // A later page does not see what was published after the first.
  const publishedBefore = ({ published_at }: RunRow) => !pins || !published_at || published_at.getTime() <= at
  return openStoredRuns(
    context,
    family,
    (row) => row.domain === domain && fits(row.run.getTime()) && publishedBefore(row),
    stored,
  )
}

/** The stored runs of a family that pass the filter, newest first, those of one time in the order of the catalog. A run that was retired before it could be opened is skipped. */
export async function openStoredRuns(
  { deps }: QueryContext,
  family: Family,
  fits: (row: RunRow) => boolean,
  served: ReadonlyMap<string, ServedRun> = new Map(),
): Promise<OpenRun[]> {
  const open: OpenRun[] = []
  const ids = family.members.filter(({ kind }) => kind === 'grid').map(({ id }) => id)
  for (const row of ids.length > 0 ? await storedRuns(deps.database, ids) : []) {
    if (!isPublished(row) || !fits(row)) continue
    const now = served.get(keyOf(row))
    try {
      if (now?.run === row.run.getTime()) open.push(now.opened ?? (await now.open()))
      else open.push(await openRun(deps.objects, row.manifest_key as string))
    } catch (error) {
      if (!isFault(error, 'Missing')) throw error
    }
  }
  return open.sort((a, b) => b.run - a.run || ids.indexOf(a.dataset) - ids.indexOf(b.dataset))
}

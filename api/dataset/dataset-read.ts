import { cellOf } from '../../ingest/domain/cell.ts'
import type { DomainId } from '../../ingest/domain/domain.ts'
import { isFault } from '../../ingest/domain/fault.ts'
import { HOUR, type Instant } from '../../ingest/domain/time.ts'
import { type OpenRun, openRun } from '../../ingest/tile/read.ts'
import { type RunRow, storedRuns } from '../../sql/queries/runs.ts'
import { quantityOf, valuesAt } from '../answer/values.ts'
import type { ServedRun } from '../contract.ts'
import { type Current, lazyRun } from '../live/served-runs.ts'
import { type UnitSystem, type Units, units } from '../present/units.ts'
import type { QueryContext } from './context.ts'
import { BLEND, BLEND_HOURS, type Family, isAnalysis } from './dataset.ts'
import { QueryError } from './error.ts'
import { readNormals } from './normals-table.ts'

export interface WantedValues {
  readonly family: Family
  readonly variables: readonly string[]
  readonly from: number
  readonly to: number
  readonly units: UnitSystem
  /** Reference time of the run to read; absent for the served run. */
  readonly run?: number
  /** The runs that the first page of the query was read from; absent for the first page. */
  readonly pins?: Pins
}

/** The runs that the first page of a query was read from; all later pages use the same runs. */
export interface Pins {
  readonly at: Instant
  readonly runs: readonly Pin[]
}

export interface Pin {
  readonly dataset: string
  readonly domain: DomainId
  readonly run: Instant
}

/** Values of one point by variable and time, in the requested units; null if the source has no value. */
export interface PointTable {
  readonly times: readonly number[]
  readonly values: ReadonlyMap<string, ReadonlyMap<number, number | null>>
  readonly run: number | undefined
  readonly runs: readonly OpenRun[]
  /** Newest run that provided values of a variable; empty for the blend. */
  readonly runByVariable: ReadonlyMap<string, number>
}

/**
 * A consistent view of a dataset: all points are read from the same runs, even if newer runs are published meanwhile.
 */
export interface DatasetReader {
  /** Reads a point; undefined if the dataset does not reach it. @throws Fault Refused, Corrupt */
  point(lat: number, lon: number, domain: DomainId): Promise<PointTable | undefined>
  pins(domains: ReadonlySet<DomainId>): Pins
}

/** The runs of each domain from which a query is answered. They stay the same for all its points, even if newer runs are published meanwhile. */
export interface RunLookup {
  readonly at: Instant
  readonly served: ReadonlyMap<string, ServedRun>
  runsIn(domain: DomainId): Promise<OpenRun[]>
  pins(domains: ReadonlySet<DomainId>): Pins
}

/** Looks up the runs for a query. @throws QueryError bad-request if a pinned run is no longer stored */
export async function lookUpRuns(context: QueryContext, request: WantedValues): Promise<RunLookup> {
  const { family, pins } = request
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
    if (!opening) opened.set(domain, (opening = runsOf(context, domain, request, runs, at)))
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
          const members = family.id === BLEND ? context.deps.values.datasets : family.members
          return members.find(({ id }) => id === dataset)?.kind === 'grid' && domains.has(domain)
        })
        .map(({ dataset, domain, run }) => ({ dataset, domain, run })),
    }),
  }
}

/** Opens a consistent view of a dataset. @throws QueryError bad-request if a pinned run is no longer stored */
export async function openReader(context: QueryContext, request: WantedValues): Promise<DatasetReader> {
  const { family } = request
  const { current, resolution } = context.deps.values
  const { served, at, runsIn, pins } = await lookUpRuns(context, request)
  const pinnedCurrent = Object.create(current, {
    served: { value: (dataset: string, domain: DomainId) => served.get(`${dataset}/${domain}`) },
  }) as Current
  return {
    pins,
    async point(lat, lon, domain) {
      const covers = family.members.some(({ domains }) => domains.some(({ id }) => id === domain))
      if (!covers) return undefined
      if (family.storage === 'normals') return readNormals(context, lat, lon, request)
      if (family.id === BLEND) return readBlend(context, pinnedCurrent, lat, lon, request, at)
      return tableOf(await runsIn(domain), cellOf(lat, lon, resolution), request)
    },
  }
}

const keyOf = ({ dataset, domain }: { dataset: string; domain: string }) => `${dataset}/${domain}`

/** Returns the pinned runs of an earlier page, which are still served or stored as earlier runs. */
async function pinnedRuns({ deps }: QueryContext, pins: Pins): Promise<Map<string, ServedRun>> {
  const runs = new Map<string, ServedRun>()
  let rows: readonly RunRow[] | undefined
  for (const pin of pins.runs) {
    const served = deps.values.current.served(pin.dataset, pin.domain)
    if (served?.run === pin.run) {
      runs.set(keyOf(pin), served)
      continue
    }
    rows ??= await storedRuns(deps.database, [...new Set(pins.runs.map(({ dataset }) => dataset))])
    const row = rows.find((row) => keyOf(row) === keyOf(pin) && row.run.getTime() === pin.run && isPublished(row))
    if (!row?.manifest_key)
      throw new QueryError(
        'bad-request',
        `\`cursor\` refers to a run of ${pin.dataset} that is no longer stored.`,
        'begin again without cursor to read a newer run.',
        { field: 'cursor' },
      )
    const publishedAt = row.published_at?.getTime() ?? pin.run
    runs.set(keyOf(pin), lazyRun(deps.objects, { ...pin, manifestKey: row.manifest_key, publishedAt }))
  }
  return runs
}

const isPublished = ({ state, manifest_key }: RunRow) => state === 'published' && Boolean(manifest_key)

async function tableOf(
  runs: readonly OpenRun[],
  cell: string,
  { variables, from, to, units: system }: WantedValues,
): Promise<PointTable | undefined> {
  const { show } = units[system]
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
      const byTime = values.get(name) ?? new Map<number, number | null>()
      const quantity = quantityOf(name)
      for (const [i, time] of stored.times.entries()) {
        if (time < from || time > to || byTime.has(time)) continue
        byTime.set(time, show(quantity, stored.values[i]))
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
  const hours = Math.min(BLEND_HOURS, Math.max(1, Math.ceil((to - now) / HOUR) + 1))
  const series = await valuesAt(
    { ...context.deps.values, current },
    lat,
    lon,
    { datasetId: BLEND, variables, units: units[system] as Units, now },
    hours,
  )
  const times = series.times.filter((time) => time >= from && time <= to)
  const values = new Map(
    variables.map((name) => [
      name,
      new Map(series.times.map((time, i) => [time, series.data[name]?.[i] ?? null] as const)),
    ]),
  )
  return { times, values, run: undefined, runs: [], runByVariable: new Map() }
}

/**
 * Returns the runs to read, in order of preference, newest first. For analyses these are the runs of every hour of the
 * span.
 */
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
    const open = await Promise.all(served.map((run) => run.open()))
    // The dataset with the id of the family comes first.
    return open.sort((a, b) => Number(b.dataset === family.id) - Number(a.dataset === family.id) || b.run - a.run)
  }
  const isRequested = (time: number) => (run === undefined ? time >= from && time <= to : time === run)
  // Later pages ignore runs that were published after the first page.
  const publishedBefore = ({ published_at }: RunRow) => !pins || !published_at || published_at.getTime() <= at
  return openStoredRuns(
    context,
    family,
    (row) => row.domain === domain && isRequested(row.run.getTime()) && publishedBefore(row),
    stored,
  )
}

/**
 * Opens the stored runs of a family that pass the filter, newest first; runs of the same time are in the order of the
 * catalog. A run that is removed before it can be opened is skipped.
 */
export async function openStoredRuns(
  { deps }: QueryContext,
  family: Family,
  isRequested: (row: RunRow) => boolean,
  served: ReadonlyMap<string, ServedRun> = new Map(),
): Promise<OpenRun[]> {
  const open: OpenRun[] = []
  const ids = family.members.filter(({ kind }) => kind === 'grid').map(({ id }) => id)
  for (const row of ids.length > 0 ? await storedRuns(deps.database, ids) : []) {
    if (!isPublished(row) || !row.manifest_key || !isRequested(row)) continue
    const current = served.get(keyOf(row))
    try {
      if (current?.run === row.run.getTime()) open.push(await current.open())
      else open.push(await openRun(deps.objects, row.manifest_key))
    } catch (error) {
      if (!isFault(error, 'Missing')) throw error
    }
  }
  return open.sort((a, b) => b.run - a.run || ids.indexOf(a.dataset) - ids.indexOf(b.dataset))
}

import { createHash } from 'node:crypto'
import { parquet } from '../../api/present/parquet.ts'
import type { Table } from '../../api/present/table.ts'
import { Fault } from '../../ingest/domain/fault.ts'
import { pause } from '../../ingest/domain/pacer.ts'
import { type Instant, isoSeconds, runName } from '../../ingest/domain/time.ts'
import type { Objects } from '../../ingest/ports/objects.ts'
import type { ChosenCell } from './cells.ts'
import type { ReadJson } from './server.ts'

/** Values of one file, which are in memory at once: 4 MB of JSON. */
const PART_VALUES = 200_000
/** Points of one request. */
const MAX_POINTS = 100

export interface ExportRequest {
  readonly cells: readonly ChosenCell[]
  /** A dataset with runs; absent for the hourly forecast of `/v1/weather`. */
  readonly dataset?: string
  readonly variables: readonly string[]
  readonly hours: number
  readonly units: 'metric' | 'imperial'
  /** For the forecast: the instant as of which it is read, so that a repeated export reads the same. */
  readonly at: Instant
  /** For a dataset: a run of this reference time instead of the served one. */
  readonly run?: Instant
}

export interface ExportedPart {
  readonly key: string
  readonly rows: number
  /** Cells that the dataset does not cover. */
  readonly without: number
}

interface SeriesAnswer {
  readonly results: readonly {
    readonly status: 'ok' | 'out_of_domain'
    readonly retryable?: true
    readonly series?: { readonly valid_times: readonly string[]; readonly data: Record<string, (number | null)[]> }
  }[]
  readonly units: Readonly<Record<string, string>>
  readonly meta: { readonly warnings?: readonly { readonly code: string }[] }
}

/** What all parts of one folder have in common. */
interface Issue {
  /** Folder in the form that DuckDB, pandas and others read as columns: `dataset=nbm/domain=conus/run=2026-08-20T12Z`. */
  readonly folder: string
  readonly cells: readonly ChosenCell[]
  /** Members of the request that choose the values. */
  readonly choice: { readonly as_of: string } | { readonly dataset_id: string; readonly run: string }
  readonly referenceTime: Instant
}

/**
 * Writes Parquet files with a row for each cell and hour. The key of a file depends on what was chosen, and its bytes on that and the
 * stored values, so that a repeated export writes the same files again.
 * @throws Fault Refused if the server or the store could not be used; complete files stay
 */
export async function* exportCells(
  read: ReadJson,
  store: Pick<Objects, 'put'>,
  request: ExportRequest,
): AsyncGenerator<ExportedPart> {
  const { variables, hours } = request
  const size = Math.max(1, Math.min(MAX_POINTS, Math.floor(PART_VALUES / (variables.length * hours))))
  for (const issue of await issuesOf(read, request)) {
    for (let from = 0; from < issue.cells.length; from += size) {
      const cells = issue.cells.slice(from, from + size)
      const answer = await seriesOf(read, request, issue, cells)
      const { table, without } = tableOf(answer, request, issue, cells)
      const isSimulated = answer.meta.warnings?.some(({ code }) => code === 'simulated_data')
      const key = `${issue.folder}/${digestOf(request, cells)}.parquet`
      await store.put(key, await parquet(table, pause, isSimulated ? { simulated: 'true' } : {}))
      yield { key, rows: table.rows.length, without }
    }
  }
}

/** The run of each domain, or the forecast as of one instant. */
async function issuesOf(read: ReadJson, { cells, dataset, at, run }: ExportRequest): Promise<Issue[]> {
  if (dataset === undefined) {
    const choice = { as_of: new Date(at).toISOString() }
    return [{ folder: `dataset=blend/hour=${runName(at)}`, cells, choice, referenceTime: at }]
  }
  const { served } = await read<{ served: { domain: string; run: string }[] }>(
    `/v1/catalog/${encodeURIComponent(dataset)}`,
  )
  return [...Map.groupBy(cells, ({ domain }) => domain)].map(([domain, cells]) => {
    const newest = served.find((candidate) => candidate.domain === domain)
    const referenceTime = run ?? Date.parse(newest?.run ?? '')
    if (Number.isNaN(referenceTime)) throw new Fault('Refused', `no run of ${dataset} is served in ${domain} now.`)
    return {
      folder: `dataset=${dataset}/domain=${domain}/run=${runName(referenceTime)}`,
      cells,
      choice: { dataset_id: dataset, run: isoSeconds(referenceTime) },
      referenceTime,
    }
  })
}

/** @throws Fault Refused if a point could not be read in time, because a file with fewer cells would pass for a complete one */
async function seriesOf(
  read: ReadJson,
  { variables, hours, units }: ExportRequest,
  { choice }: Issue,
  cells: readonly ChosenCell[],
): Promise<SeriesAnswer> {
  const points = cells.map(({ lat, lon }) => ({ lat, lon }))
  const answer = await read<SeriesAnswer>('/v1/series/batch', { points, variables, hours, units, ...choice })
  const late = answer.results.filter(({ retryable }) => retryable).length
  if (late > 0) throw new Fault('Refused', `${late} of ${cells.length} cells could not be read in time. Try again.`)
  return answer
}

function tableOf(
  { results, units }: SeriesAnswer,
  { variables }: ExportRequest,
  { referenceTime }: Issue,
  cells: readonly ChosenCell[],
): { table: Table; without: number } {
  const rows = results.flatMap(({ series }, i) => {
    const at = cells[i]
    if (!at || !series) return []
    return series.valid_times.map((time, t) => [
      at.cell,
      at.lat,
      at.lon,
      isoSeconds(referenceTime),
      time,
      ...variables.map((name) => series.data[name]?.[t] ?? null),
    ])
  })
  const columns: Table['columns'] = [
    { name: 'cell', type: 'string', unit: null },
    { name: 'latitude', type: 'number', unit: 'degrees' },
    { name: 'longitude', type: 'number', unit: 'degrees' },
    { name: 'reference_time', type: 'time', unit: null },
    { name: 'valid_time', type: 'time', unit: null },
    ...variables.map((name) => ({ name, type: 'number' as const, unit: units[name] || null })),
  ]
  return { table: { columns, rows }, without: results.filter(({ series }) => !series).length }
}

function digestOf({ variables, hours, units }: ExportRequest, cells: readonly ChosenCell[]): string {
  const chosen = JSON.stringify([cells.map(({ cell }) => cell), variables, hours, units])
  return createHash('sha256').update(chosen).digest('hex').slice(0, 16)
}

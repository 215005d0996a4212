import { cellOf } from '../../ingest/domain/cell.ts'
import type { Dataset, GridDataset } from '../../ingest/domain/dataset/dataset.ts'
import { AMOUNTS, ANALYSES } from '../../ingest/domain/dataset/history.ts'
import { Fault } from '../../ingest/domain/fault.ts'
import { pause } from '../../ingest/domain/pacer.ts'
import { floorTo, HOUR, type Instant, isoSeconds, SECOND } from '../../ingest/domain/time.ts'
import { type PastTable, pastColumns, pastTable } from '../blend/past-table.ts'
import type { HistorySource, StoredRun } from '../live/history.ts'
import { resolve } from '../query/location.ts'
import { BLEND, type PointValues, quantityOf, type ValueDeps, type ValuesRequest, valuesAt } from './values.ts'

/** A period of values, including both ends. */
export interface Span {
  readonly from: Instant
  readonly to: Instant
}

/** Number of hours ahead for which values are available. */
export const MAX_AHEAD_HOURS = 336

/**
 * Checks that values of a period are available.
 * @throws Fault Missing with the available range if the period reaches beyond it
 */
export async function checkSpan(deps: ValueDeps, datasetId: string, { from, to }: Span, now: Instant): Promise<void> {
  const thisHour = floorTo(now, HOUR)
  const first = from >= thisHour ? thisHour : await historyOf(deps).first(sourcesOf(datasetId))
  const last = thisHour + MAX_AHEAD_HOURS * HOUR
  if (first !== undefined && from >= floorTo(first, HOUR) && to <= last) return
  const [field, outside]: [string, Instant] = to > last ? ['end', to] : ['start', from]
  const range =
    first === undefined
      ? `${datasetId} has no stored values before ${isoSeconds(thisHour)}`
      : `values of ${datasetId} are available from ${isoSeconds(first)} to ${isoSeconds(last)}`
  throw new Fault('Missing', `${field}: ${isoSeconds(outside)} is not available: ${range}.`, { field })
}

const sourcesOf = (datasetId: string): readonly string[] =>
  datasetId === BLEND ? [...ANALYSES, ...AMOUNTS] : [datasetId]

function historyOf({ history }: ValueDeps): HistorySource {
  if (!history)
    throw new Fault(
      'Refused',
      'start: this installation has no values of the past. Use a start from the current hour on.',
    )
  return history
}

/**
 * Values of a period that may begin in the past. For the published forecast, hours before now are analyses and measured
 * amounts. For a dataset of analyses each time comes from its own run. For a dataset of forecasts each time comes from
 * the newest run that had been published by then.
 * @throws Fault Missing (outside coverage), Refused (could not be read)
 */
export async function valuesBetween(
  deps: ValueDeps,
  lat: number,
  lon: number,
  request: ValuesRequest,
  span: Span,
): Promise<PointValues> {
  await pause()
  const { domain, ...place } = resolve({ kind: 'point', lat, lon })
  const cell = cellOf(place.lat, place.lon, deps.resolution)
  if (request.datasetId !== BLEND) {
    const about = deps.datasets.find(({ id }) => id === request.datasetId) as GridDataset
    if (!about.domains.some(({ id }) => id === domain))
      throw new Fault('Missing', `${request.datasetId} does not reach this place.`)
    return valuesOfRuns(historyOf(deps), about, domain, cell, request, span)
  }
  const thisHour = floorTo(request.now, HOUR)
  const parts: PointValues[] = []
  if (span.from < thisHour) {
    const history = await deps.suppliers.history?.({ lat: place.lat, lon: place.lon, cell, domain, now: request.now })
    if (!history)
      throw new Fault(
        'Refused',
        'start: this installation has no values of the past. Use a start from the current hour on.',
      )
    const { hours, unread } = await history.hours(span.from, Math.min(span.to, thisHour - HOUR))
    if (unread) throw new Fault('Refused', 'Stored analyses could not be read at this time.')
    parts.push(valuesOfTable(pastTable(hours), request))
  }
  if (span.to >= thisHour) {
    const ahead = await valuesAt(deps, lat, lon, request, Math.floor((span.to - thisHour) / HOUR) + 1)
    parts.push(within({ ...ahead, sources: ahead.times.map(() => BLEND) }, span))
  }
  return joined(parts)
}

/** The values whose times are within a period. */
export function within(values: PointValues, { from, to }: Span): PointValues {
  const isWithin = values.times.map((time) => time >= from && time <= to)
  const pick = <T>(list: readonly T[]) => list.filter((_, i) => isWithin[i])
  return {
    ...values,
    times: pick(values.times),
    data: Object.fromEntries(Object.entries(values.data).map(([name, list]) => [name, pick(list)])),
    ...(values.sources && { sources: pick(values.sources) }),
  }
}

function valuesOfTable({ hours, columns }: PastTable, { variables, units }: ValuesRequest): PointValues {
  const stored: ReadonlySet<string> = new Set(pastColumns)
  const needsAmount = variables.includes('precip_amount')
  const needsAnalysis = variables.some((name) => name !== 'precip_amount')
  return {
    datasetId: BLEND,
    times: hours.map(({ time }) => time),
    data: Object.fromEntries(
      variables.map((name) => {
        const column = name as keyof typeof columns
        const quantity = quantityOf(name)
        return [name, hours.map((_, h) => (stored.has(column) ? units.show(quantity, columns[column][h]) : null))]
      }),
    ),
    sources: hours.map(({ analysis, amount }) => {
      const used = [
        ...(needsAnalysis && analysis ? [analysis.dataset] : []),
        ...(needsAmount && amount ? [amount.dataset] : []),
      ]
      return used.join(',') || null
    }),
  }
}

async function valuesOfRuns(
  history: HistorySource,
  dataset: GridDataset,
  domain: Dataset['domains'][number]['id'],
  cell: string,
  { variables, units }: ValuesRequest,
  { from, to }: Span,
): Promise<PointValues> {
  // Answers omit older runs as stale.
  const runs = await history.runs([dataset.id], domain, from - dataset.staleAfterSeconds * SECOND, to)
  const served = servedAt(dataset, runs)
  const values = new Map<Instant, { readonly run: StoredRun; readonly data: (number | null)[] }>()
  await Promise.all(
    runs
      .filter(({ run }) => !isAnalysis(dataset, run, domain) || run >= from)
      .map(async (run) => {
        const series = await history.point(run, cell)
        for (const [index, name] of variables.entries()) {
          const variable = series?.variables.get(name)
          if (!variable) continue
          for (const [i, time] of variable.times.entries()) {
            if (time < from || time > to || served(time, domain) !== run) continue
            let row = values.get(time)
            if (!row) values.set(time, (row = { run, data: variables.map(() => null) }))
            row.data[index] = units.show(quantityOf(name), variable.values[i])
          }
        }
      }),
  )
  const rows = [...values].sort(([a], [b]) => a - b)
  return {
    datasetId: dataset.id,
    times: rows.map(([time]) => time),
    data: Object.fromEntries(variables.map((name, i) => [name, rows.map(([, { data }]) => data[i] ?? null)])),
    sources: rows.map(([, { run }]) => `${run.dataset}/${isoSeconds(run.run)}`),
  }
}

const isAnalysis = ({ leads }: GridDataset, run: Instant, domain: Parameters<GridDataset['leads']>[1]) => {
  const [first, ...later] = leads(run, domain)
  return first === 0 && later.length === 0
}

/** Returns a function that returns the run from which a time was served. @param runs newest first */
function servedAt(dataset: GridDataset, runs: readonly StoredRun[]) {
  return (time: Instant, domain: Parameters<GridDataset['leads']>[1]): StoredRun | undefined =>
    runs.find(({ run, publishedAt }) =>
      isAnalysis(dataset, run, domain) ? run === time : run <= time && publishedAt <= time,
    )
}

/** Joins the values of the past with those that follow. */
function joined([first, next]: readonly PointValues[]): PointValues {
  if (!first) throw new Error('A period has at least one part.')
  if (!next) return first
  const data = Object.entries(first.data).map(([name, list]) => [name, [...list, ...(next.data[name] ?? [])]] as const)
  return {
    ...first,
    times: [...first.times, ...next.times],
    data: Object.fromEntries(data),
    sources: [...(first.sources ?? []), ...(next.sources ?? [])],
  }
}

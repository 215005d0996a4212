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

/** A period of values, both ends included. */
export interface Span {
  readonly from: Instant
  readonly to: Instant
}

/** Hours ahead for which values are given. */
export const MAX_AHEAD_HOURS = 336

/** @throws Fault Missing with the range where the period reaches beyond what is stored */
export async function checkSpan(parts: ValueDeps, datasetId: string, { from, to }: Span, now: Instant): Promise<void> {
  const thisHour = floorTo(now, HOUR)
  const first = from >= thisHour ? thisHour : await historyOf(parts).first(sourcesOf(datasetId))
  const last = thisHour + MAX_AHEAD_HOURS * HOUR
  if (first !== undefined && from >= floorTo(first, HOUR) && to <= last) return
  const outside = to > last ? ['end', to] : ['start', from]
  const range =
    first === undefined
      ? `nothing is stored of ${datasetId} before ${isoSeconds(thisHour)}`
      : `values of ${datasetId} are available from ${isoSeconds(first)} to ${isoSeconds(last)}`
  throw new Fault('Missing', `${outside[0]}: ${isoSeconds(outside[1] as Instant)} is not available: ${range}.`, {
    field: outside[0],
  })
}

const sourcesOf = (datasetId: string): readonly string[] =>
  datasetId === BLEND ? [...ANALYSES, ...AMOUNTS] : [datasetId]

function historyOf({ history }: ValueDeps): HistorySource {
  if (!history) throw new Fault('Refused', 'start: values of the past are not available here')
  return history
}

/**
 * Values of a period that may have begun in the past. Of the published forecast the hours before now are analyses and measured amounts; of a
 * dataset of analyses every time is of its own run, of one of forecasts each is of the newest run that had been published by then.
 * @throws Fault Missing (outside coverage), Refused (could not be read)
 */
export async function valuesBetween(
  parts: ValueDeps,
  lat: number,
  lon: number,
  ask: ValuesRequest,
  span: Span,
): Promise<PointValues> {
  await pause()
  const { domain, ...place } = resolve({ kind: 'point', lat, lon })
  const cell = cellOf(place.lat, place.lon, parts.resolution)
  if (ask.datasetId !== BLEND) {
    const about = parts.datasets.find(({ id }) => id === ask.datasetId) as GridDataset
    if (!about.domains.some(({ id }) => id === domain))
      throw new Fault('Missing', `${ask.datasetId} does not reach this place.`)
    return ofRuns(historyOf(parts), about, domain, cell, ask, span)
  }
  const thisHour = floorTo(ask.now, HOUR)
  const parted: PointValues[] = []
  if (span.from < thisHour) {
    const history = await parts.suppliers.history?.({ lat: place.lat, lon: place.lon, cell, domain, now: ask.now })
    if (!history) throw new Fault('Refused', 'start: values of the past are not available here')
    const { hours, unread } = await history.hours(span.from, Math.min(span.to, thisHour - HOUR))
    if (unread) throw new Fault('Refused', 'Stored analyses could not be read just now.')
    parted.push(ofTable(pastTable(hours), ask))
  }
  if (span.to >= thisHour) {
    const ahead = await valuesAt(parts, lat, lon, ask, Math.floor((span.to - thisHour) / HOUR) + 1)
    parted.push(within({ ...ahead, sources: ahead.times.map(() => BLEND) }, span))
  }
  return joined(parted)
}

/** Those of a period. */
export function within(values: PointValues, { from, to }: Span): PointValues {
  const kept = values.times.flatMap((time, i) => (time >= from && time <= to ? [i] : []))
  const pick = <T>(list: readonly T[]) => kept.map((i) => list[i]!)
  return {
    ...values,
    times: pick(values.times),
    data: Object.fromEntries(Object.entries(values.data).map(([name, list]) => [name, pick(list)])),
    ...(values.sources && { sources: pick(values.sources) }),
  }
}

function ofTable({ hours, columns }: PastTable, { variables, units }: ValuesRequest): PointValues {
  const known: ReadonlySet<string> = new Set(pastColumns)
  const measured = variables.includes('precip_amount')
  const analysed = variables.some((name) => name !== 'precip_amount')
  return {
    datasetId: BLEND,
    times: hours.map(({ time }) => time),
    data: Object.fromEntries(
      variables.map((name) => {
        const column = name as keyof typeof columns
        const quantity = quantityOf(name)
        return [name, hours.map((_, h) => (known.has(column) ? units.show(quantity, columns[column][h]) : null))]
      }),
    ),
    sources: hours.map(({ analysis, amount }) => {
      const used = [
        ...(analysed && analysis ? [analysis.dataset] : []),
        ...(measured && amount ? [amount.dataset] : []),
      ]
      return used.join(',') || null
    }),
  }
}

async function ofRuns(
  history: HistorySource,
  dataset: GridDataset,
  domain: Dataset['domains'][number]['id'],
  cell: string,
  { variables, units }: ValuesRequest,
  { from, to }: Span,
): Promise<PointValues> {
  // Older runs were left out of answers as stale.
  const runs = await history.runs([dataset.id], domain, from - dataset.staleAfterSeconds * SECOND, to)
  const served = servedAt(dataset, runs)
  const values = new Map<Instant, { readonly run: StoredRun; readonly data: (number | null)[] }>()
  await Promise.all(
    runs
      .filter(({ run }) => !isAnalysis(dataset, run, domain) || run >= from)
      .map(async (one) => {
        const series = await history.point(one, cell)
        for (const [index, name] of variables.entries()) {
          const found = series?.variables.get(name)
          for (const [i, time] of found?.times.entries() ?? []) {
            if (time < from || time > to || served(time, domain) !== one) continue
            let row = values.get(time)
            if (!row) values.set(time, (row = { run: one, data: variables.map(() => null) }))
            row.data[index] = units.show(quantityOf(name), found!.values[i])
          }
        }
      }),
  )
  const rows = [...values].sort(([a], [b]) => a - b)
  return {
    datasetId: dataset.id,
    times: rows.map(([time]) => time),
    data: Object.fromEntries(variables.map((name, i) => [name, rows.map(([, { data }]) => data[i]!)])),
    sources: rows.map(([, { run }]) => `${run.dataset}/${isoSeconds(run.run)}`),
  }
}

const isAnalysis = ({ leads }: GridDataset, run: Instant, domain: Parameters<GridDataset['leads']>[1]) => {
  const [first, ...others] = leads(run, domain)
  return first === 0 && others.length === 0
}

/** The run that gives a time. @param runs newest first */
function servedAt(dataset: GridDataset, runs: readonly StoredRun[]) {
  return (time: Instant, domain: Parameters<GridDataset['leads']>[1]): StoredRun | undefined =>
    runs.find((one) =>
      isAnalysis(dataset, one.run, domain) ? one.run === time : one.run <= time && one.publishedAt <= time,
    )
}

/** The past, and what follows it. */
function joined([first, next]: readonly PointValues[]): PointValues {
  if (!next) return first!
  const data = Object.entries(first!.data).map(([name, list]) => [name, [...list, ...next.data[name]!]] as const)
  return {
    ...first!,
    times: [...first!.times, ...next.times],
    data: Object.fromEntries(data),
    sources: [...first!.sources!, ...next.sources!],
  }
}

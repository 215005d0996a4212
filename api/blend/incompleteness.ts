import type { Dataset, GridDataset } from '../../ingest/domain/dataset/dataset.ts'
import { nth } from '../../ingest/domain/nth.ts'
import { HOUR, type Instant, isoSeconds } from '../../ingest/domain/time.ts'
import type { MetaWarning, ServedRun } from '../contract.ts'
import type { Forecast } from './columns.ts'
import { leading } from './field-table.ts'
import { blendedFields, type Column, orderOf, shownAs, uncertaintyFields } from './fields.ts'

/** Variables of NBM that rows of `daily` read. Without them, high and low come from the hours. */
const extremes = ['temperature_max_12h', 'temperature_min_12h']

/** For each variable of a dataset, the columns that read it first. Keys are `dataset/variable`. */
const firsts = new Map<string, { readonly column: Column; readonly shown: string; readonly spread: boolean }>()
for (const column of [...blendedFields, ...uncertaintyFields]) {
  const { from, analyses = [] } = orderOf(column)
  const spread = (uncertaintyFields as readonly string[]).includes(column)
  const shown = shownAs(column)
  const datasets = new Set<string>()
  for (const { dataset, variable } of [...from, ...analyses]) {
    if (!datasets.has(dataset) && shown !== undefined) firsts.set(`${dataset}/${variable}`, { column, shown, spread })
    datasets.add(dataset)
  }
}

/** A served run from which values were read. */
export interface ReadRun {
  readonly served: ServedRun
  readonly about: Dataset
}

/** A run that lacks a variable or an hour that an answer needs. */
export interface IncompleteRun {
  readonly warning: MetaWarning
  /** Whether fields stay null or the run was published incomplete. */
  readonly degraded: boolean
}

/**
 * Returns the runs that lack optional variables or hours that an answer needs.
 * @param forecast the forecast of the models alone, without radar
 */
export function incompleteRuns(runs: readonly ReadRun[], forecast: Forecast): IncompleteRun[] {
  return runs.flatMap(({ served, about }) => {
    const warning = incompleteness(served, about, forecast)
    return warning ? [{ warning, degraded: Boolean(warning.fields || served.incomplete?.length) }] : []
  })
}

/**
 * Returns the warning about a run that lacks variables or hours that this answer needs. Its `fields` are those that
 * stay null because no other source has them. Undefined if the answer is not affected.
 */
function incompleteness(served: ServedRun, about: Dataset, forecast: Forecast): MetaWarning | undefined {
  const { dataset, missing = [], incomplete = [] } = served
  const until = availableUntil(served, about)
  const isArriving = until !== undefined && until < forecast.start + (forecast.count - 1) * HOUR
  if (!missing.length && !incomplete.length && !isArriving) return undefined
  const missedVariables: string[] = []
  const fields: string[] = []
  for (const variable of missing) {
    const first = firsts.get(`${dataset}/${variable}`)
    const empty = first !== undefined && isEmpty(forecast, first.column)
    if (first ? empty || !first.spread : dataset === leading && extremes.includes(variable))
      missedVariables.push(variable)
    if (empty) fields.push(first.shown)
  }
  if (!missedVariables.length && !incomplete.length && !isArriving) return undefined
  const parts = [
    ...(isArriving ? [`its run is available to ${isoSeconds(until)} and later hours are still being ingested`] : []),
    ...(missedVariables.length ? [`its run lacks ${missedVariables.join(', ')}`] : []),
    ...(incomplete.length ? [`its run is incomplete: ${incomplete.join('; ').slice(0, 400)}`] : []),
  ]
  return {
    code: 'source_incomplete',
    section: 'meta',
    product_id: dataset,
    detail: `${about.title}: ${parts.join('; ')}; values of the previous run and of other sources are used where they exist`,
    ...(fields.length && { fields }),
  }
}

/** The last valid time of a published stage, if later stages of the run are still being ingested. */
function availableUntil({ run, domain, stage }: ServedRun, about: Dataset): Instant | undefined {
  if (stage === undefined || about.kind !== 'grid') return undefined
  const grid = about as GridDataset
  const stages = grid.stages(run, domain)
  const published = stages[stage]
  if (!published || stage >= stages.length - 1) return undefined
  const { to } = published
  return run + (grid.leads(run, domain).findLast((lead) => lead <= to) ?? to) * HOUR
}

/**
 * Whether a column has no value from the current hour on. A column that is not part of the answer does not count as
 * empty.
 */
function isEmpty({ columns, now, count }: Forecast, column: Column): boolean {
  const values = columns[column]
  if (!values) return false
  for (let h = now; h < count; h++) if (!Number.isNaN(nth(values, h))) return false
  return true
}

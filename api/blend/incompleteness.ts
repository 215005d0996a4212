import type { Dataset, GridDataset } from '../../ingest/domain/dataset/dataset.ts'
import { HOUR, type Instant, isoSeconds } from '../../ingest/domain/time.ts'
import type { MetaWarning, ServedRun } from '../contract.ts'
import type { Forecast } from './columns.ts'
import { leading } from './field-table.ts'
import { blendedFields, type Column, orderOf, shownAs, uncertaintyFields } from './fields.ts'

/** Of NBM, read by the day: without them its hours give high and low. */
const extremes = ['temperature_max_12h', 'temperature_min_12h']

/** Columns whose first source within a dataset is a given variable. */
const firsts = new Map<string, { readonly column: Column; readonly spread: boolean }>()
for (const column of [...blendedFields, ...uncertaintyFields]) {
  const { from, analyses = [] } = orderOf(column)
  const spread = (uncertaintyFields as readonly string[]).includes(column)
  const datasets = new Set<string>()
  for (const { dataset, variable } of [...from, ...analyses]) {
    if (!datasets.has(dataset) && shownAs(column) !== undefined)
      firsts.set(`${dataset}/${variable}`, { column, spread })
    datasets.add(dataset)
  }
}

/** A served run that values were read of. */
export interface ReadRun {
  readonly served: ServedRun
  readonly about: Dataset
}

/** A run without something that an answer needs. */
export interface IncompleteRun {
  readonly warning: MetaWarning
  /** Fields stay null, or the run was published less than whole. */
  readonly degraded: boolean
}

/** The runs without optional variables or hours that an answer needs. @param forecast of the models alone */
export function incompleteRuns(runs: readonly ReadRun[], forecast: Forecast): IncompleteRun[] {
  return runs.flatMap(({ served, about }) => {
    const warning = incompleteness(served, about, forecast)
    return warning ? [{ warning, degraded: Boolean(warning.fields || served.incomplete?.length) }] : []
  })
}

/**
 * The warning about a run without variables or hours that this answer needs; `fields` are those that stay null because no other
 * source has them. Undefined where the answer is not affected.
 */
function incompleteness(served: ServedRun, about: Dataset, forecast: Forecast): MetaWarning | undefined {
  const { dataset, missing = [], incomplete = [] } = served
  const until = availableUntil(served, about)
  const coming = until !== undefined && until < forecast.start + (forecast.count - 1) * HOUR
  if (!missing.length && !incomplete.length && !coming) return undefined
  const missed: string[] = []
  const fields: string[] = []
  for (const variable of missing) {
    const first = firsts.get(`${dataset}/${variable}`)
    const empty = first !== undefined && isEmpty(forecast, first.column)
    if (first ? empty || !first.spread : dataset === leading && extremes.includes(variable)) missed.push(variable)
    if (empty) fields.push(shownAs(first.column)!)
  }
  if (!missed.length && !incomplete.length && !coming) return undefined
  const words = [
    ...(coming ? [`its run is available to ${isoSeconds(until)}, the rest is still being read`] : []),
    ...(missed.length ? [`its run lacks ${missed.join(', ')}`] : []),
    ...(incomplete.length ? [`its run is less than whole: ${incomplete.join('; ').slice(0, 400)}`] : []),
  ]
  return {
    code: 'source_incomplete',
    section: 'meta',
    product_id: dataset,
    detail: `${about.title}: ${words.join('; ')}; the run before it and other sources stand in where they have values`,
    ...(fields.length && { fields }),
  }
}

/** The last valid time of a published stage that is not the last: the rest of the run is still being ingested. */
function availableUntil({ run, domain, stage }: ServedRun, about: Dataset): Instant | undefined {
  if (stage === undefined || about.kind !== 'grid') return undefined
  const grid = about as GridDataset
  const stages = grid.stages(run, domain)
  if (stage >= stages.length - 1) return undefined
  const { to } = stages[stage]!
  return run + (grid.leads(run, domain).findLast((lead) => lead <= to) ?? to) * HOUR
}

/** From the current hour on. A column that is not part of the answer is not empty. */
function isEmpty({ columns, now, count }: Forecast, column: Column): boolean {
  const values = columns[column]
  if (!values) return false
  for (let h = now; h < count; h++) if (!Number.isNaN(values[h]!)) return false
  return true
}

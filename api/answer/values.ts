import { cellOf } from '../../ingest/domain/cell.ts'
import type { Dataset } from '../../ingest/domain/dataset/dataset.ts'
import { variables as table } from '../../ingest/domain/dataset/variable.ts'
import { Fault, isFault } from '../../ingest/domain/fault.ts'
import { HOUR, type Instant, isoSeconds } from '../../ingest/domain/time.ts'
import type { PointSeries } from '../../ingest/tile/read.ts'
import type { Blender } from '../blend/blend.ts'
import { hourlyNumbers, hourlyUncertainty, type NumberField } from '../blend/fields.ts'
import type { Suppliers } from '../contract.ts'
import type { HistorySource } from '../live/history.ts'
import type { Current } from '../live/served-runs.ts'
import type { ServedStates } from '../live/served-states.ts'
import type { LiveDeps } from '../live/source.ts'
import { type Quantity, type UnitSystem, type Units, units } from '../present/units.ts'
import type { WriterMemory } from '../present/writer-memory.ts'
import { resolve } from '../query/location.ts'
import { nearestWord, parseWeather } from '../query/query.ts'
import { Context } from './context.ts'
import { type PointProvenance, proverOf } from './point-provenance.ts'

/** Id of the blended hourly forecast among the datasets. */
export const BLEND = 'blend'

export interface ValueDeps {
  readonly current: Current
  readonly datasets: readonly Dataset[]
  /** Whether this installation ingests a dataset; if absent, it ingests all. */
  readonly takes?: LiveDeps['takes']
  readonly suppliers: Suppliers
  /** If absent, values before now are not available. */
  readonly history?: HistorySource
  readonly resolution: number
  readonly blender: Blender
  readonly writerMemory: WriterMemory
  readonly states?: Pick<ServedStates, 'changes' | 'changedAt'>
}

/** Dataset, variables and options of a request; the same for all of its points. */
export interface ValuesRequest {
  readonly datasetId: string
  readonly variables: readonly string[]
  readonly units: Units
  readonly now: Instant
  /** Whether the values of a run can also name their messages. */
  readonly provenance?: boolean
}

/** Values of one point in the requested units; `times` ascend, and each list in `data` has one value for each time. */
export interface PointValues {
  readonly datasetId: string
  readonly run?: Instant
  readonly times: readonly Instant[]
  readonly data: Readonly<Record<string, readonly (number | null)[]>>
  /** Source of the values of each time in a requested period; null if nothing is stored. */
  readonly sources?: readonly (string | null)[]
  /** Names the messages of the values at times; undefined unless it was requested. */
  readonly prove?: (times: readonly Instant[]) => PointProvenance
}

const blendNames = new Map<string, NumberField>(
  [...hourlyNumbers, ...hourlyUncertainty].map((field) => [field.name, field]),
)
const uncertaintyNames = new Set<string>(hourlyUncertainty.map(({ name }) => name))

/** Checks dataset and variables once for a whole request. @throws Fault Invalid, Missing */
export function checkNames({ datasets, current }: ValueDeps, datasetId: string, variables: readonly string[]): void {
  if (datasetId === BLEND) {
    const names = [...blendNames.keys()]
    for (const name of variables) {
      if (blendNames.has(name)) continue
      throw new Fault(
        'Invalid',
        `variables: the forecast has no "${name.slice(0, 60)}"; did you mean "${nearestWord(name, names)}"? It has ${names.join(', ')}.`,
        {
          field: 'variables',
        },
      )
    }
    return
  }
  const ids = [BLEND, ...datasets.filter(({ kind }) => kind === 'grid').map(({ id }) => id)]
  if (!ids.includes(datasetId)) {
    throw new Fault(
      'Missing',
      `dataset_id: there is no dataset "${datasetId.slice(0, 60)}". Nearest: ${nearestWord(datasetId, ids)}. Use one of ${ids.join(', ')}; /v1/catalog describes them.`,
    )
  }
  const stored = new Set<string>()
  let isOpen = false
  for (const served of current.all()) {
    if (served.dataset !== datasetId || !served.opened) continue
    isOpen = true
    for (const name of served.opened.variables.keys()) stored.add(name)
  }
  const names = isOpen ? [...stored] : [...table.keys()]
  for (const name of variables) {
    if (names.includes(name)) continue
    throw new Fault(
      'Invalid',
      `variables: "${name.slice(0, 60)}" is not a variable of ${datasetId}; did you mean "${nearestWord(name, names)}"?${isOpen ? ` It has ${names.join(', ')}.` : ''}`,
      {
        field: 'variables',
      },
    )
  }
}

/** Opens the runs of a dataset, so that the names of its variables are known. */
export async function openRuns({ current }: ValueDeps, datasetId: string): Promise<void> {
  for (const served of current.all()) {
    if (served.dataset !== datasetId || served.opened) continue
    await served.open().catch((error) => {
      if (!isFault(error)) throw error
    })
  }
}

/**
 * Returns the values of a point from now on.
 * @throws Fault Missing (outside coverage, no stored data), Refused (could not be read)
 */
export async function valuesAt(
  deps: ValueDeps,
  lat: number,
  lon: number,
  request: ValuesRequest,
  hours: number,
): Promise<PointValues> {
  const resolved = resolve({ kind: 'point', lat, lon })
  const cell = cellOf(resolved.lat, resolved.lon, deps.resolution)
  if (request.datasetId === BLEND) {
    const { query } = parseWeather({
      lat: String(lat),
      lon: String(lon),
      include: request.variables.some((name) => uncertaintyNames.has(name)) ? 'hourly,uncertainty' : 'hourly',
      hourly_hours: String(Math.min(336, hours)),
    })
    const datasets = new Map(deps.datasets.map((dataset) => [dataset.id, dataset]))
    const context = new Context(
      {
        current: deps.current,
        datasets,
        takes: deps.takes,
        suppliers: deps.suppliers,
        blender: deps.blender,
        writerMemory: deps.writerMemory,
      },
      resolved,
      cell,
      query,
      request.now,
    )
    const { forecast } = await context.weatherNow()
    if (!forecast) throw new Fault('Refused', 'No run that covers the place is available yet.')
    const rows = Array.from({ length: Math.min(hours, forecast.count - forecast.now) }, (_, row) => forecast.now + row)
    return {
      datasetId: BLEND,
      times: rows.map((row) => forecast.start + row * HOUR),
      data: Object.fromEntries(
        request.variables.map((name) => {
          const field = blendNames.get(name)
          if (!field) throw new Fault('Invalid', `variables: the forecast has no "${name}".`, { field: 'variables' })
          const values = forecast.columns[field.name]
          return [name, rows.map((row) => request.units.show(field.quantity, values[row]))]
        }),
      ),
    }
  }
  const served = deps.current.served(request.datasetId, resolved.domain)
  if (!served) throw new Fault('Refused', `${request.datasetId} has no run for this place yet.`)
  const open = served.opened ?? (await served.open())
  const series = await open.point(cell)
  if (!series) throw new Fault('Missing', `${request.datasetId} does not reach this place.`)
  const prove = request.provenance ? await proverOf(open, series, cell, request.variables) : undefined
  return { ...nativeValues(series, request, hours), ...(prove && { prove }) }
}

function nativeValues(
  series: PointSeries,
  { variables, units: system, now, datasetId }: ValuesRequest,
  hours: number,
): PointValues {
  const from = Math.floor(now / HOUR) * HOUR
  const times = new Set<Instant>()
  for (const name of variables) {
    for (const time of series.variables.get(name)?.times ?? [])
      if (time >= from && time < from + hours * HOUR) times.add(time)
  }
  // An analysis is valid before now, so its newest value is the current value.
  if (!times.size) {
    const last = Math.max(
      ...variables.map((name) => series.variables.get(name)?.times.at(-1) ?? Number.NEGATIVE_INFINITY),
    )
    if (Number.isFinite(last)) times.add(last)
  }
  const axis = [...times].sort((a, b) => a - b)
  return {
    datasetId,
    run: series.run,
    times: axis,
    data: Object.fromEntries(
      variables.map((name) => {
        const values = series.variables.get(name)
        const byTime = new Map(Array.from(values?.times ?? [], (time, i) => [time, values?.values[i]] as const))
        return [name, axis.map((time) => system.show(quantityOf(name), byTime.get(time)))]
      }),
    ),
  }
}

/** The quantity of a variable of the tiles or of the forecast. */
export function quantityOf(name: string): Quantity {
  if (name.startsWith('normal_')) {
    if (name.endsWith('_stddev')) return 'temperature_spread'
    return name === 'normal_precip' ? 'precip_amount' : 'temperature'
  }
  const listed = blendNames.get(name)
  if (listed) return listed.quantity
  const unit = table.get(name)?.unit
  if (unit === 'K') return name.includes('stddev') ? 'temperature_spread' : 'temperature'
  if (unit === 'm/s') return 'wind_speed'
  if (unit === 'Pa') return 'pressure'
  if (unit === 'm') return name.startsWith('visibility') ? 'visibility' : 'altitude'
  if (unit === 'mm') return name.startsWith('snow') ? 'snow_amount' : 'precip_amount'
  if (unit === '%') return 'percent'
  if (unit === 'deg') return 'direction'
  if (unit === 'W/m2') return 'solar_radiation'
  if (unit === 'J/kg') return 'whole'
  return 'thousandth'
}

const UNITLESS: ReadonlySet<string> = new Set(['index', 'code', '1'])

/** Label of the unit of a variable. A unit that no system converts, such as J/kg, is its own label. */
export function unitLabel(name: string, quantity: Quantity, system: UnitSystem): string {
  const { label } = units[system].conversions[quantity]
  const unit = table.get(name)?.unit ?? ''
  return label === '' && !UNITLESS.has(unit) ? unit : label
}

/** Unit labels of the variables, by name. */
export function labelsOf(names: readonly string[], system: 'imperial' | 'metric'): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, unitLabel(name, quantityOf(name), system)]))
}

/** Returns the entry whose time is nearest to an instant; undefined if there are no values. */
export function entryAt(
  values: PointValues,
  at: Instant,
): { valid_time: string; values: Record<string, number | null>; source?: string | null } | undefined {
  let best = -1
  let bestTime = Number.POSITIVE_INFINITY
  for (const [i, time] of values.times.entries()) {
    if (Math.abs(time - at) >= Math.abs(bestTime - at)) continue
    best = i
    bestTime = time
  }
  if (best < 0) return undefined
  return {
    valid_time: isoSeconds(bestTime),
    values: Object.fromEntries(Object.entries(values.data).map(([name, list]) => [name, list[best] ?? null])),
    ...(values.sources && { source: values.sources[best] ?? null }),
  }
}

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

/** Id of the blended hourly forecast among the datasets. */
export const BLEND = 'blend'

export interface ValueDeps {
  readonly current: Current
  readonly datasets: readonly Dataset[]
  /** Whether this installation takes a dataset; absent: all. */
  readonly takes?: LiveDeps['takes']
  readonly suppliers: Suppliers
  /** Absent: nothing before now is given. */
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
}

/** Values of one point; `times` ascending, one value each in `data`, in the requested units. */
export interface PointValues {
  readonly datasetId: string
  readonly run?: Instant
  readonly times: readonly Instant[]
  readonly data: Readonly<Record<string, readonly (number | null)[]>>
  /** Of a period that was asked for: where the values of each time come from; null where nothing is stored. */
  readonly sources?: readonly (string | null)[]
}

const blendNames = new Map<string, NumberField>(
  [...hourlyNumbers, ...hourlyUncertainty].map((field) => [field.name, field]),
)
const uncertain = new Set<string>(hourlyUncertainty.map(({ name }) => name))

/** Checks dataset and variables once for a whole request. @throws Fault Invalid, Missing */
export function checkNames({ datasets, current }: ValueDeps, datasetId: string, variables: readonly string[]): void {
  if (datasetId === BLEND) {
    const known = [...blendNames.keys()]
    for (const name of variables) {
      if (blendNames.has(name)) continue
      throw new Fault(
        'Invalid',
        `variables: unknown "${name.slice(0, 60)}"; did you mean "${nearestWord(name, known)}"? The forecast has ${known.join(', ')}.`,
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
      `dataset_id: no dataset "${datasetId.slice(0, 60)}"; nearest: ${nearestWord(datasetId, ids)}; datasets: ${ids.join(', ')}. See /v1/catalog.`,
    )
  }
  const stored = new Set<string>()
  let open = false
  for (const served of current.all()) {
    if (served.dataset !== datasetId || !served.opened) continue
    open = true
    for (const name of served.opened.variables.keys()) stored.add(name)
  }
  const known = open ? [...stored] : [...table.keys()]
  for (const name of variables) {
    if (known.includes(name)) continue
    throw new Fault(
      'Invalid',
      `variables: "${name.slice(0, 60)}" is not a variable of ${datasetId}; did you mean "${nearestWord(name, known)}"?${open ? ` It has ${known.join(', ')}.` : ''}`,
      {
        field: 'variables',
      },
    )
  }
}

/** Opens the runs of a dataset, so that its names are known. */
export async function openRuns({ current }: ValueDeps, datasetId: string): Promise<void> {
  for (const served of current.all()) {
    if (served.dataset !== datasetId || served.opened) continue
    await served.open().catch((error) => {
      if (!isFault(error)) throw error
    })
  }
}

/** @throws Fault Missing (outside coverage, no stored data), Refused (could not be read) */
export async function valuesAt(
  parts: ValueDeps,
  lat: number,
  lon: number,
  ask: ValuesRequest,
  hours: number,
): Promise<PointValues> {
  const resolved = resolve({ kind: 'point', lat, lon })
  const cell = cellOf(resolved.lat, resolved.lon, parts.resolution)
  if (ask.datasetId === BLEND) {
    const { query } = parseWeather({
      lat: String(lat),
      lon: String(lon),
      include: ask.variables.some((name) => uncertain.has(name)) ? 'hourly,uncertainty' : 'hourly',
      hourly_hours: String(Math.min(336, hours)),
    })
    const datasets = new Map(parts.datasets.map((dataset) => [dataset.id, dataset]))
    const context = new Context(
      {
        current: parts.current,
        datasets,
        takes: parts.takes,
        suppliers: parts.suppliers,
        blender: parts.blender,
        writerMemory: parts.writerMemory,
      },
      resolved,
      cell,
      query,
      ask.now,
    )
    const { forecast } = await context.weatherNow()
    if (!forecast) throw new Fault('Refused', 'No run that covers the place is available yet.')
    const rows = Array.from({ length: Math.min(hours, forecast.count - forecast.now) }, (_, row) => forecast.now + row)
    return {
      datasetId: BLEND,
      times: rows.map((row) => forecast.start + row * HOUR),
      data: Object.fromEntries(
        ask.variables.map((name) => {
          const { name: column, quantity } = blendNames.get(name)!
          const values = forecast.columns[column]
          return [name, rows.map((row) => ask.units.show(quantity, values[row]))]
        }),
      ),
    }
  }
  const served = parts.current.served(ask.datasetId, resolved.domain)
  if (!served) throw new Fault('Refused', `${ask.datasetId} has no run for this place yet.`)
  const series = await (served.opened ?? (await served.open())).point(cell)
  if (!series) throw new Fault('Missing', `${ask.datasetId} does not reach this place.`)
  return native(series, ask, hours)
}

function native(
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
  // An analysis is valid before now: its newest time is used as the current value.
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
        const at = new Map(Array.from(values?.times ?? [], (time, i) => [time, values!.values[i]!] as const))
        return [name, axis.map((time) => system.show(quantityOf(name), at.get(time)))]
      }),
    ),
  }
}

/** What a variable of the tiles measures. */
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

/** Label of the unit of a variable; one that no system converts has its own, such as J/kg. */
export function unitLabel(name: string, quantity: Quantity, system: UnitSystem): string {
  const { label } = units[system].of[quantity]
  const own = table.get(name)?.unit ?? ''
  return label === '' && !UNITLESS.has(own) ? own : label
}

/** Unit labels of the variables, by name. */
export function labelsOf(names: readonly string[], system: 'imperial' | 'metric'): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, unitLabel(name, quantityOf(name), system)]))
}

/** The entry nearest to an instant, not farther than an hour (three where the axis is coarser). */
export function entryAt(
  values: PointValues,
  at: Instant,
): { valid_time: string; values: Record<string, number | null>; source?: string | null } | undefined {
  let best = -1
  for (const [i, time] of values.times.entries())
    if (best < 0 || Math.abs(time - at) < Math.abs(values.times[best]! - at)) best = i
  if (best < 0) return undefined
  return {
    valid_time: isoSeconds(values.times[best]!),
    values: Object.fromEntries(Object.entries(values.data).map(([name, list]) => [name, list[best]!])),
    ...(values.sources && { source: values.sources[best] ?? null }),
  }
}

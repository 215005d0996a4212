import { centreOf } from '../../ingest/domain/cell.ts'
import { PAST_AMOUNT } from '../../ingest/domain/dataset/past-hours.ts'
import { ignoreFault } from '../../ingest/domain/fault.ts'
import { nth } from '../../ingest/domain/nth.ts'
import { pause } from '../../ingest/domain/pacer.ts'
import { HOUR, type Instant, isoSeconds } from '../../ingest/domain/time.ts'
import type { PointSeries } from '../../ingest/tile/read.ts'
import type { Forecast } from '../blend/columns.ts'
import type { Now } from '../blend/conditions-now.ts'
import { type Column, hourlyNumbers, wholeFields } from '../blend/fields.ts'
import { type PastColumn, pastColumns } from '../blend/past-table.ts'
import { type FieldTrace, TRACE_WIDTH } from '../blend/trace.ts'
import { weightedValue, weightsOf } from '../blend/weights.ts'
import type { Messages, PastHour } from '../contract.ts'
import { ensembleProbabilities } from './day-ensemble.ts'
import { derivedDaily, derivedHourly, derivedNow, observedMembers } from './derived-members.ts'
import { type PastRows, readPast } from './past-rows.ts'
import { type Provenance, type ProvenanceMember, provenanceSchema } from './provenance-schema.ts'
import { rounded, Tables } from './provenance-tables.ts'
import { type Section, type SectionContext, type SectionResult, withoutForecast } from './section.ts'

/** Where each number of `current`, `hourly` and `daily` comes from: tables, and indexes into them. */
export const provenance: Section = {
  name: 'provenance',
  schema: provenanceSchema,
  async build(context: SectionContext): Promise<SectionResult> {
    const { forecast, at } = await context.weatherNow()
    const traces = forecast?.traces
    if (!forecast || !traces) {
      return { maxAgeSeconds: 60, degraded: context.takesModels, warnings: [withoutForecast(context, 'provenance')] }
    }
    const [analysis, past] = [await context.analysis(), await context.once(readPast)]
    const calibration = (await context.nowcast().catch(ignoreFault))?.calibration
    const tables = new Tables(await messagesOf(context, forecast, traces, analysis))
    const hours: Provenance['hours'] = {}
    for (const [field, trace] of traces) {
      await pause()
      const origins = originsOf(tables, context, forecast, field, trace)
      if (origins.some((origin) => origin !== null)) hours[field] = origins
    }
    const shownMembers = hourlyNumbers.map(({ name }) => name)
    const now = at && currentOrigins(tables, forecast, at, hours, at.analysed ? analysis : undefined)
    const [lat, lon] = centreOf(context.cell)
    const value = {
      cell: { id: context.cell, lat: rounded(lat), lon: rounded(lon) },
      hours_from: isoSeconds(forecast.start),
      hours,
      periods: periodOrigins(tables, forecast),
      nowcast: (forecast.blendedHours ?? []).map(({ h, weight, chance, minutes, amount }) => ({
        time: isoSeconds(forecast.start + h * HOUR),
        weight: rounded(weight),
        chance: Number.isNaN(chance) ? null : rounded(chance),
        minutes,
        amount: rounded(amount),
      })),
      ...(calibration && {
        nowcast_calibration: { first_day: calibration.firstDay, last_day: calibration.lastDay },
      }),
      ...(past && { past: await pastOrigins(tables, past) }),
    }
    return {
      value: {
        ...tables.all,
        ...value,
        current: { time: isoSeconds(at?.time ?? context.now), origins: now ?? {} },
        members: [
          ...membersOf('current', shownMembers, derivedNow),
          ...membersOf('hourly', shownMembers, derivedHourly),
          ...membersOf('daily', [], derivedDaily),
        ],
      } satisfies Provenance,
      maxAgeSeconds: 120,
      expiresAt: (Math.floor(context.now / HOUR) + 1) * HOUR,
    }
  },
}

/** The members of a section: each is observed, a field of `hours`, or computed from other members. */
function membersOf(
  section: string,
  fields: readonly string[],
  derived: Readonly<Record<string, readonly string[]>>,
): ProvenanceMember[] {
  const members = new Map<string, ProvenanceMember>()
  for (const [name, dataset_id] of Object.entries(observedMembers))
    members.set(name, { section, member: name, dataset_id })
  for (const field of fields) members.set(field, { section, member: field, field })
  for (const [name, inputs] of Object.entries(derived)) {
    members.set(name, { section, member: name, computed: true, inputs: [...inputs] })
  }
  return [...members.values()]
}

/**
 * The recorded messages of every run that filled a value. If a run has been deleted meanwhile, its addresses are null.
 */
async function messagesOf(
  context: SectionContext,
  { passed, periods }: Forecast,
  traces: ReadonlyMap<Column, FieldTrace>,
  analysis: PointSeries | undefined,
): Promise<ReadonlyMap<PointSeries, Messages>> {
  const series = new Set([...traces.values()].flatMap(({ fills }) => fills.map((fill) => fill.series)))
  for (const run of [analysis, passed?.series, ...periods.runs]) if (run) series.add(run)
  const runs = await Promise.all([...series].map(async (run) => [run, await context.messagesOf(run)] as const))
  return new Map(runs.flatMap(([run, messages]) => (messages ? [[run, messages] as const] : [])))
}

function originsOf(
  tables: Tables,
  { sky }: SectionContext,
  forecast: Forecast,
  field: Column,
  { fills, hours }: FieldTrace,
): (number | null)[] {
  const { columns, count, passed, start, now, stages } = forecast
  const filled = stages?.[0]?.columns.get(field)
  const sun = (time: Instant) => sky.sun(time)
  return Array.from({ length: count }, (_, h) => {
    const hour = start + h * HOUR
    const published = columns[field][h] ?? Number.NaN
    // Rows of hours that have ended have measured amounts.
    const measured = field === 'precip_amount' && h <= now ? (passed?.amount(hour) ?? Number.NaN) : Number.NaN
    if (passed && !Number.isNaN(measured)) {
      const { series } = passed
      const place = series.variables.get(PAST_AMOUNT)?.times.indexOf(hour) ?? -1
      const steps = isNear(published, measured) ? undefined : stepsOf(forecast, field, h, measured)
      return tables.origin([tables.message(series, PAST_AMOUNT, place)], { interpolation: 'nearest', steps })
    }
    const entry = h * TRACE_WIDTH
    const fill = fills[hours[entry] ?? -1]
    if (!fill || Number.isNaN(published)) return null
    const { series, variable, interpolation } = fill
    const places = [...hours.subarray(entry + 1, entry + TRACE_WIDTH)].filter((place) => place >= 0)
    const source = series.variables.get(variable)
    const times = places.map((place) => source?.times[place] ?? Number.NaN)
    const sources = places.map((place) => source?.values[place] ?? Number.NaN)
    const blended = filled?.[h] ?? Number.NaN
    // The share of an interval's amount follows from the hours of finer models, and is stated as a weight.
    const [whole = Number.NaN] = sources
    const share = interpolation === 'split' && whole > 0 ? [blended / whole] : undefined
    const weights = share ?? weightsOf(interpolation, times, hour, sun)
    const value = weights ? weightedValue(interpolation, times, hour, sources, weights) : blended
    const messages = places.map((place) => tables.message(series, variable, place))
    const steps = isAdjusted(field, published, value) ? stepsOf(forecast, field, h, value) : undefined
    return tables.origin(messages, { interpolation, weights, steps })
  })
}

/** Returns the steps that change a value after it was read from its source, each with the value after it. */
function stepsOf(
  { stages = [], columns }: Forecast,
  field: Column,
  h: number,
  value: number,
): NonNullable<Provenance['origins'][number]['steps']> {
  const final = { name: 'nowcast', columns: new Map([[field, columns[field]]]) } as const
  let before = value
  return [...stages, final].flatMap(({ name, columns: after }) => {
    const changed = after.get(field)?.[h] ?? Number.NaN
    if (Number.isNaN(changed) || !isAdjusted(field, changed, before)) return []
    before = changed
    return [{ by: name, value: rounded(changed) }]
  })
}

/**
 * Whether a value differs from its source, by more than half a unit if the field is published as a whole number. A
 * direction of 359.7 degrees is shown as 0.
 */
function isAdjusted(field: Column, published: number, value: number): boolean {
  return wholeFields.has(field) ? !(Math.abs(published - value) % 360 <= 0.5) : !isNear(published, value)
}

const isNear = (a: number, b: number) => Math.abs(a - b) <= Math.abs(b) * 1e-6

/**
 * Variables of several hours from which members of daily are computed, each by the newest run that has the interval.
 */
const PERIODS = [
  'temperature_max_12h',
  'temperature_min_12h',
  'precip_probability_12h',
  'thunderstorm_probability_3h',
  'thunderstorm_probability_6h',
  'thunderstorm_probability_12h',
  'snow_amount_24h_p10',
  'snow_amount_24h_p50',
  'snow_amount_24h_p90',
  'snow_prob_gt_1in',
  'snow_prob_gt_2in',
  'snow_prob_gt_4in',
  ...ensembleProbabilities,
]

/** Origins of the intervals that end after the first row and begin within the rows. */
function periodOrigins(tables: Tables, { periods, start, count }: Forecast): Provenance['periods'] {
  const origins: Provenance['periods'] = {}
  for (const name of PERIODS) {
    const ends = new Map<Instant, number>()
    for (const series of periods.runs) {
      const { times, values } = series.variables.get(name) ?? { times: [], values: [] }
      for (let j = 0; j < times.length; j++) {
        const end = times[j] ?? Number.NaN
        if (end <= start || end > start + (count + 12) * HOUR || Number.isNaN(nth(values, j)) || ends.has(end)) continue
        ends.set(end, tables.origin([tables.message(series, name, j)], { interpolation: 'none' }))
      }
    }
    if (ends.size > 0) origins[name] = [...ends].map(([end, origin]) => ({ end: isoSeconds(end), origin }))
  }
  return origins
}

/** Origins of the rows before the current row; each comes from one analysis and one accumulation. */
async function pastOrigins(tables: Tables, { table }: PastRows): Promise<NonNullable<Provenance['past']>> {
  const { hours, columns } = table
  const messages = await Promise.all(hours.map(({ analysis }) => analysis?.messages()))
  const originOf = (name: PastColumn, { time, analysis, amount }: PastHour, h: number): number | null => {
    const published = columns[name][h] ?? Number.NaN
    if (Number.isNaN(published)) return null
    if (name === 'precip_amount') {
      if (!amount) return null
      const { dataset, mm, source } = amount
      const message = tables.address({ dataset, run: time }, name, time, { value: mm, quantum: undefined }, source)
      const steps = isNear(published, mm) ? undefined : [{ by: 'measured' as const, value: rounded(published) }]
      return tables.origin([message], { interpolation: 'pixel', steps })
    }
    const variable = analysis?.series.variables.get(name)
    if (!analysis || !variable) return null
    const value = variable.values[variable.times.indexOf(time)] ?? Number.NaN
    const { quantum } = variable
    const message = tables.address(analysis.series, name, time, { value, quantum }, messages[h]?.(name, time))
    return tables.origin([message], { interpolation: 'none', steps: changeTo(name, published, value) })
  }
  const fields = pastColumns.filter((name) => name !== 'humidity' && name !== 'feels_like')
  return {
    from: isoSeconds(hours[0]?.time ?? 0),
    hours: Object.fromEntries(fields.map((name) => [name, hours.map((hour, h) => originOf(name, hour, h))])),
  }
}

/** Numeric members of current that come from runs; the first of them come from the analysis. */
const fieldsNow = [
  'temperature',
  'dew_point',
  'wind_speed',
  'wind_direction',
  'wind_gust',
  'visibility',
  'cloud_cover',
  'cloud_ceiling',
  'pressure',
  'cloud_cover_low',
  'cloud_cover_mid',
  'cloud_cover_high',
] as const satisfies readonly Column[]
/**
 * Members that only the analysis provides. If the analysis lacks them, current has neither a dew point from another
 * source nor a ceiling.
 */
const analysisOnly: ReadonlySet<string> = new Set(['dew_point', 'cloud_ceiling'])

/**
 * Origins of the members of current: the analysis if it has the field at its time, otherwise two hours of the forecast.
 */
function currentOrigins(
  tables: Tables,
  { start, count, columns }: Forecast,
  { time, values }: Now,
  hours: Provenance['hours'],
  analysis: PointSeries | undefined,
): Record<string, number> {
  const origins: Record<string, number> = {}
  const place = Math.min(count - 1, Math.max(0, (time - start) / HOUR))
  const around = [...new Set([Math.floor(place), Math.ceil(place)])]
  for (const name of fieldsNow) {
    const series = analysis?.variables.get(name)
    const j = series ? series.times.indexOf(time) : -1
    const value = series?.values[j] ?? Number.NaN
    if (analysis && !Number.isNaN(value)) {
      const message = tables.message(analysis, name, j)
      origins[name] = tables.origin([message], { interpolation: 'none', steps: changeTo(name, values[name], value) })
      continue
    }
    if (analysis && (name === 'dew_point' || series) && analysisOnly.has(name)) continue
    const indexes = around.flatMap((h) => hours[name]?.[h] ?? [])
    if (indexes.length === 0) continue
    const [a = Number.NaN, b = a] = around.map((h) => columns[name][h] ?? Number.NaN)
    const weights = indexes.length > 1 ? [1 - (place % 1), place % 1] : [1]
    const rowValues = indexes.length > 1 ? [a, b] : [Number.isNaN(a) ? b : a]
    const expected = weightedValue(name === 'wind_direction' ? 'direction' : 'linear', [], time, rowValues, weights)
    const [first] = indexes.length === 1 && !isAdjusted(name, values[name], expected) ? indexes : []
    origins[name] = first ?? betweenRows(tables, name, indexes, weights, values[name])
  }
  return origins
}

/** Index of the origin of a value between two rows: the messages of both rows with their joint weights. */
function betweenRows(
  tables: Tables,
  name: Column,
  indexes: readonly number[],
  rowWeights: readonly number[],
  published: number,
): number {
  const rows = indexes.flatMap((index) => tables.all.origins[index] ?? [])
  const weights = new Map<number, number>()
  for (const [r, row] of rows.entries()) {
    for (const [m, message] of row.messages.entries()) {
      const share = (rowWeights[r] ?? 0) * (row.weights?.[m] ?? 1)
      weights.set(message, (weights.get(message) ?? 0) + share)
    }
  }
  const messages = [...weights.keys()]
  const shares = [...weights.values()]
  const values = messages.map((message) => tables.all.messages[message]?.value ?? Number.NaN)
  const interpolation = messages.length === 1 ? 'none' : name === 'wind_direction' ? 'direction' : 'linear'
  const steps = changeTo(name, published, weightedValue(interpolation, [], 0, values, shares))
  return tables.origin(messages, { interpolation, weights: shares, steps })
}

/** The step that makes a value agree with the other members of its row; undefined if it does not change the value. */
function changeTo(field: Column, published: number, value: number) {
  return isAdjusted(field, published, value) ? [{ by: 'consistency' as const, value: rounded(published) }] : undefined
}

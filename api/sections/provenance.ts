import { PAST_AMOUNT } from '../../ingest/domain/dataset/past-hours.ts'
import { nth } from '../../ingest/domain/nth.ts'
import { pause } from '../../ingest/domain/pacer.ts'
import { HOUR, type Instant, isoSeconds } from '../../ingest/domain/time.ts'
import type { PointSeries, ValueSource } from '../../ingest/tile/read.ts'
import type { Forecast } from '../blend/columns.ts'
import type { Now } from '../blend/conditions-now.ts'
import { type Column, hourlyNumbers, wholeFields } from '../blend/fields.ts'
import { type PastColumn, pastColumns } from '../blend/past-table.ts'
import { type FieldTrace, TRACE_WIDTH, type TracedInterpolation } from '../blend/trace.ts'
import type { Messages, PastHour } from '../contract.ts'
import { ensembleProbabilities } from './day-ensemble.ts'
import { derivedDaily, derivedHourly, derivedNow, observedMembers } from './derived-members.ts'
import { type PastRows, readPast } from './past-rows.ts'
import { type Provenance, type ProvenanceMember, provenanceSchema } from './provenance-schema.ts'
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
    const tables = new Tables(await messagesOf(context, forecast, traces, analysis))
    const hours: Provenance['hours'] = {}
    for (const [field, trace] of traces) {
      await pause()
      const origins = originsOf(tables, forecast, field, trace)
      if (origins.some((origin) => origin !== null)) hours[field] = origins
    }
    const shownMembers = hourlyNumbers.map(({ name }) => name)
    const now = at && currentOrigins(tables, forecast, at, hours, at.analysed ? analysis : undefined)
    const value = {
      hours_from: isoSeconds(forecast.start),
      hours,
      periods: periodOrigins(tables, forecast),
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

/** Assigns an index to each row by a number, or by a text if there is no number. */
type Index = Map<number | string, number>

/** Tables of files, messages and origins without duplicates. */
class Tables {
  readonly all: Pick<Provenance, 'files' | 'messages' | 'origins'> = { files: [], messages: [], origins: [] }
  readonly #files: Index = new Map()
  /** Messages of each file by variable; a file has one valid time. */
  readonly #messagesOfFile: Index[] = []
  readonly #origins = new Map<TracedInterpolation, readonly [as: Index, adjusted: Index]>()
  readonly #messageIndexes = new Map<PointSeries, Map<string, Int32Array>>()
  readonly #messages: ReadonlyMap<PointSeries, Messages>

  constructor(messages: ReadonlyMap<PointSeries, Messages>) {
    this.#messages = messages
  }

  /**
   * Returns the index of the message of a variable at a time. It is looked up once for each variable and time, because
   * fields and hours refer to each message some ten times.
   * @param place index among the times of the variable
   */
  message(series: PointSeries, variable: string, place: number): number {
    const times = series.variables.get(variable)?.times
    const time = times?.[place]
    if (!times || time === undefined) throw new Error(`${series.dataset} has no ${variable} at index ${place}.`)
    let variables = this.#messageIndexes.get(series)
    if (!variables) this.#messageIndexes.set(series, (variables = new Map()))
    let indexes = variables.get(variable)
    if (!indexes) variables.set(variable, (indexes = new Int32Array(times.length).fill(-1)))
    const known = indexes[place] ?? -1
    if (known >= 0) return known
    const index = this.address(series, variable, time, this.#messages.get(series)?.(variable, time))
    indexes[place] = index
    return index
  }

  /**
   * Returns the index of the row of a message.
   * @param series dataset and run, unless `source` has its own, as in tiles of several datasets
   */
  address(series: Pick<PointSeries, 'dataset' | 'run'>, variable: string, time: Instant, source?: ValueSource): number {
    const { dataset, run } = source?.of ?? series
    const url = source?.url ?? null
    const { files, messages } = this.all
    const file = once(this.#files, `${dataset} ${run} ${time} ${url}`, files, () => ({
      dataset_id: dataset,
      run: isoSeconds(run),
      lead_hours: (time - run) / HOUR,
      url,
    }))
    const ofFile = (this.#messagesOfFile[file] ??= new Map())
    return once(ofFile, variable, messages, () => ({ file, variable, ...addressOf(source) }))
  }

  /** Index of the row of an origin. */
  origin(messages: readonly number[], interpolation: TracedInterpolation, adjusted: boolean): number {
    let both = this.#origins.get(interpolation)
    if (!both) this.#origins.set(interpolation, (both = [new Map(), new Map()]))
    const [first = -1, second = -1] = messages
    const name = messages.length > 2 ? messages.join() : first * 2 ** 24 + second
    return once(both[adjusted ? 1 : 0], name, this.all.origins, () => ({
      messages: [...messages],
      interpolation,
      ...(adjusted && { adjusted }),
    }))
  }
}

/** Index of the row with a name; the row is created if it does not exist. */
function once<Row>(index: Index, name: number | string, rows: Row[], row: () => Row): number {
  let existing = index.get(name)
  if (existing === undefined) {
    existing = rows.push(row()) - 1
    index.set(name, existing)
  }
  return existing
}

function addressOf(source: ValueSource | undefined): Omit<Provenance['messages'][number], 'file' | 'variable'> {
  const range = ({ from, length }: Pick<ValueSource, 'from' | 'length'>): [number, number] | null =>
    length > 0 ? [from, from + length - 1] : null
  if (!source) return { byte_range: null, message: null }
  const { v, number } = source
  const first = { byte_range: range(source), message: number ?? null }
  return v ? { ...first, v_byte_range: range(v) ?? undefined, v_message: v.number ?? null } : first
}

function originsOf(
  tables: Tables,
  forecast: Forecast,
  field: Column,
  { fills, hours, values }: FieldTrace,
): (number | null)[] {
  const column = forecast.columns[field]
  const { passed, start, now } = forecast
  const messages: number[] = []
  return Array.from({ length: forecast.count }, (_, h) => {
    // Rows of hours that have ended have measured amounts.
    const measured =
      field === 'precip_amount' && h <= now ? (passed?.amount(start + h * HOUR) ?? Number.NaN) : Number.NaN
    if (passed && !Number.isNaN(measured)) {
      const { series } = passed
      const place = series.variables.get(PAST_AMOUNT)?.times.indexOf(start + h * HOUR) ?? -1
      return tables.origin([tables.message(series, PAST_AMOUNT, place)], 'nearest', !isNear(nth(column, h), measured))
    }
    const entry = h * TRACE_WIDTH
    const fill = fills[hours[entry]!]
    if (!fill || Number.isNaN(nth(column, h))) return null
    messages.length = 0
    for (let k = entry + 1; k < entry + TRACE_WIDTH && hours[k]! >= 0; k++)
      messages.push(tables.message(fill.series, fill.variable, hours[k]!))
    return tables.origin(messages, fill.interpolation, isAdjusted(field, nth(column, h), values[h]!))
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
        ends.set(end, tables.origin([tables.message(series, name, j)], 'none', false))
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
      return tables.origin(
        [tables.address({ dataset, run: time }, name, time, source)],
        'nearest',
        !isNear(published, mm),
      )
    }
    const variable = analysis?.series.variables.get(name)
    if (!analysis || !variable) return null
    const value = variable.values[variable.times.indexOf(time)] ?? Number.NaN
    const message = tables.address(analysis.series, name, time, messages[h]?.(name, time))
    return tables.origin([message], 'none', isAdjusted(name, published, value))
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
      origins[name] = tables.origin([message], 'none', isAdjusted(name, values[name], value))
      continue
    }
    if (analysis && (name === 'dew_point' || series) && analysisOnly.has(name)) continue
    const indexes = around.flatMap((h) => hours[name]?.[h] ?? [])
    if (indexes.length === 0) continue
    const sources = indexes.flatMap((index) => tables.all.origins[index] ?? [])
    const messages = [...new Set(sources.flatMap((origin) => origin.messages))]
    const [a = Number.NaN, b = a] = around.map((h) => nth(columns[name], h))
    // A direction is interpolated along the shorter arc between two hours, and is not adjusted afterwards.
    const differs = name !== 'wind_direction' && isAdjusted(name, values[name], a + (b - a) * (place % 1))
    const isAnyAdjusted = differs || sources.some((origin) => origin.adjusted)
    const [first] = indexes.length === 1 && !differs ? indexes : []
    origins[name] = first ?? tables.origin(messages, messages.length > 1 ? 'linear' : 'none', isAnyAdjusted)
  }
  return origins
}

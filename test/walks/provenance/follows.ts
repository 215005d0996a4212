import { dayWindows } from '../../../ingest/domain/day-window.ts'
import { entryOf } from '../../../ingest/domain/nth.ts'
import { skyAt } from '../../../ingest/domain/sky/sky.ts'
import { uvIndexUnder } from '../../../ingest/domain/sky/uv.ts'
import { HOUR } from '../../../ingest/domain/time.ts'
import { zone } from '../../../ingest/domain/timezone.ts'
import { relativeHumidity } from '../../../ingest/domain/weather/derive.ts'
import { feelsLike } from '../../../ingest/domain/weather/feels-like.ts'
import { type Decoder, type Interval, onArc, toleranceOf } from './decoded.ts'

// biome-ignore lint/suspicious/noExplicitAny: an untyped JSON answer
type Json = any

/** Whether a value of an answer follows from the messages that its provenance names; undefined if that cannot be decided. */
export type Verdict = { readonly follows: boolean; readonly detail: string } | undefined

/** Returns the index of the origin of a field in a row. */
type OriginOf = (field: string) => number | null | undefined

/** For each member of daily rows: its field, and how the hours become the member. */
const DAILY: Readonly<Record<string, readonly [field: string, fold: 'most' | 'least' | 'mean' | 'sum']>> = {
  wind_speed_max: ['wind_speed', 'most'],
  wind_gust_max: ['wind_gust', 'most'],
  dew_point_max: ['dew_point', 'most'],
  dew_point_min: ['dew_point', 'least'],
  cape_max: ['cape', 'most'],
  uv_index_max: ['uv_index', 'most'],
  visibility_min: ['visibility', 'least'],
  cloud_ceiling_min: ['cloud_ceiling', 'least'],
  snow_level: ['snow_level', 'least'],
  humidity_avg: ['humidity', 'mean'],
  cloud_cover_avg: ['cloud_cover', 'mean'],
  pressure_avg: ['pressure', 'mean'],
  precip_total: ['precip_amount', 'sum'],
  snow_total: ['snow_amount', 'sum'],
  high: ['temperature', 'most'],
  low: ['temperature', 'least'],
  precip_probability: ['precip_probability', 'most'],
  thunderstorm_probability_max: ['thunderstorm_probability', 'most'],
}
export const dailyMembers = Object.keys(DAILY)

/** Intervals of several hours that may stand in for the hours. */
const PERIODS: Readonly<Record<string, readonly string[]>> = {
  high: ['temperature_max_12h'],
  low: ['temperature_min_12h'],
  thunderstorm_probability_max: [12, 6, 3].map((hours) => `thunderstorm_probability_${hours}h`),
}

export class Follows {
  readonly #decoder: Decoder
  readonly #answer: Json
  readonly #lat: number
  readonly #lon: number

  constructor(decoder: Decoder, answer: Json, lat: number, lon: number) {
    this.#decoder = decoder
    this.#answer = answer
    this.#lat = lat
    this.#lon = lon
  }

  async hourly(row: Json, field: string): Promise<Verdict> {
    return this.#compare(field, row[field], Date.parse(row.time), this.#hour(Date.parse(row.time)))
  }

  async current(field: string): Promise<Verdict> {
    const { current, provenance } = this.#answer
    const time = Date.parse(current.time)
    const nearest = this.#hour(Math.round(time / HOUR) * HOUR)
    const own = (name: string) => provenance.current.origins[name]
    return this.#compare(field, current[field], time, (name) => (name === 'ozone' ? nearest(name) : own(name)))
  }

  async past(row: Json, field: string): Promise<Verdict> {
    const { from, hours } = this.#answer.provenance.past
    const index = (Date.parse(row.time) - Date.parse(from)) / HOUR
    return this.#compare(field, row[field], Date.parse(row.time), (name) => hours[name]?.[index])
  }

  /** @param row the row of the answer; the window is the whole day, for a high the daytime and for a low the night */
  async daily(row: number, member: string, now: number): Promise<Verdict> {
    const { daily, location, provenance } = this.#answer
    const answered = daily[row][member]
    if (answered == null) return undefined
    const window = dayWindows(zone(location.timezone), now, daily.length).find(
      ({ day }) => new Date(day * 24 * HOUR).toISOString().slice(0, 10) === daily[row].date,
    )!
    const from = member === 'low' ? window.nightfall : window.start
    const to = member === 'high' ? window.nightfall : window.end
    if (from < now) return undefined
    const [field, how] = entryOf(DAILY, member)
    const hours: Interval[] = []
    // An amount covers the hour that ends at its time.
    const first = Math.ceil(from / HOUR) * HOUR + (how === 'sum' ? HOUR : 0)
    for (let time = first; how === 'sum' ? time <= to : time < to; time += HOUR) {
      const originOf = this.#hour(time)
      if (field === 'cloud_ceiling' && originOf(field) == null) continue
      const interval = await this.#interval(field, time, originOf)
      if (!interval) return undefined
      hours.push(interval)
    }
    const folded = fold(hours, how)
    for (const name of PERIODS[member] ?? []) {
      for (const { end, origin } of provenance.periods[name] ?? []) {
        if (Date.parse(end) <= from || Date.parse(end) - 12 * HOUR >= to) continue
        const interval = await this.#decoder.interval(provenance, origin, this.#lat, this.#lon)
        if (interval) folded.push(...interval)
      }
    }
    // The amount of the whole day may be up to the sum of its hours.
    if (member === 'precip_probability') folded.push(100)
    const [low, high] = [Math.min(...folded), Math.max(...folded)]
    const about = toleranceOf(field) * (how === 'sum' ? hours.length / 4 : 1)
    const follows = answered >= low - about && answered <= high + about
    return { follows, detail: `daily ${daily[row].date} ${member}: ${answered}, its hours give ${low} to ${high}` }
  }

  #hour(time: number): OriginOf {
    const { hours, hours_from } = this.#answer.provenance
    return (field) => hours[field]?.[(time - Date.parse(hours_from)) / HOUR]
  }

  async #compare(
    field: string,
    answered: number | null | undefined,
    time: number,
    originOf: OriginOf,
  ): Promise<Verdict> {
    if (answered == null) return undefined
    if (field === 'wind_direction') {
      const { provenance } = this.#answer
      const around = await this.#decoder.directions(provenance, originOf(field), this.#lat, this.#lon)
      if (!around?.length || around.some(Number.isNaN)) return undefined
      return {
        follows: onArc(answered, around, 3),
        detail: `${field} ${new Date(time).toISOString()}: ${answered}, around it ${around.map(Math.round).join(', ')}`,
      }
    }
    const interval = await this.#interval(field, time, originOf)
    if (!interval) return undefined
    const [low, high] = interval
    const about = toleranceOf(field)
    const follows = answered >= low - about && answered <= high + about
    const place = `${this.#lat},${this.#lon}`
    return {
      follows,
      detail: `${field} ${new Date(time).toISOString()} ${place}: ${answered}, must be ${low} to ${high}`,
    }
  }

  /** Returns the range of a field, or of a member that is computed from fields. */
  async #interval(field: string, time: number, originOf: OriginOf): Promise<Interval | undefined> {
    const inputOf = (name: string) =>
      this.#decoder.interval(this.#answer.provenance, originOf(name), this.#lat, this.#lon)
    if (field === 'humidity') return over([await inputOf('temperature'), await inputOf('dew_point')], relativeHumidity)
    if (field === 'feels_like') {
      const [t, wind] = [await inputOf('temperature'), await inputOf('wind_speed')]
      return over([t, await this.#interval('humidity', time, originOf), wind], feelsLike)
    }
    if (field === 'uv_index') {
      const sun = skyAt(this.#lat, this.#lon).sun(time)
      const height = this.#answer.location.elevation ?? 0
      return over([await inputOf('ozone'), await inputOf('cloud_cover')], (ozone, cover) =>
        uvIndexUnder(ozone, sun, cover, height),
      )
    }
    return inputOf(field)
  }
}

/** Returns the range of a function over ranges, widened by a hundredth because inputs are rounded in tiles. */
function over(
  inputs: readonly (Interval | undefined)[],
  compute: (...values: number[]) => number,
): Interval | undefined {
  if (inputs.some((inputOf) => inputOf === undefined)) return undefined
  const wide = (inputs as Interval[]).map(([low, high]) => {
    const by = 0.0004 * Math.abs(high) + 0.05
    return Array.from({ length: 5 }, (_, k) => low - by + (k * (high - low + 2 * by)) / 4)
  })
  const results = wide.reduce<number[][]>((rows, values) => rows.flatMap((row) => values.map((v) => [...row, v])), [[]])
  const all = results.map((row) => compute(...row)).filter((value) => !Number.isNaN(value))
  return all.length === 0 ? undefined : [Math.min(...all), Math.max(...all)]
}

function fold(hours: readonly Interval[], how: 'most' | 'least' | 'mean' | 'sum'): number[] {
  const [lows, highs] = [hours.map(([low]) => low), hours.map(([, high]) => high)]
  if (how === 'most') return [Math.max(...lows), Math.max(...highs)]
  if (how === 'least') return [Math.min(...lows), Math.min(...highs)]
  const sum = (values: number[]) => values.reduce((total, value) => total + value, 0)
  const share = how === 'mean' ? 1 / hours.length : 1
  return [sum(lows) * share, sum(highs) * share]
}

import { alignLayers } from '../../api/blend/wet-sky.ts'
import {
  emptyWeather,
  fallenInHour,
  precipProbability,
  type SimulatedWeather,
  spreads,
  surfaceHeight,
  weatherAt,
} from '../../infra/simulator/atmosphere.ts'
import { nth } from '../../ingest/domain/nth.ts'
import { skyAt } from '../../ingest/domain/sky/sky.ts'
import { uvIndexOf } from '../../ingest/domain/sky/uv.ts'
import { DAY, HOUR, type Instant } from '../../ingest/domain/time.ts'
import { zone } from '../../ingest/domain/timezone.ts'
import { relativeHumidity } from '../../ingest/domain/weather/derive.ts'
import { feelsLike } from '../../ingest/domain/weather/feels-like.ts'

// biome-ignore lint/suspicious/noExplicitAny: an answer as parsed from JSON
type Row = Record<string, any>

/** Errors by field: number of values, the largest error with its place, and the 99th percentile. */
export class Errors {
  readonly #fields = new Map<string, { errors: number[]; worst: number; where: string }>()

  add(field: string, actual: number | null, expected: number, where: string): void {
    let entry = this.#fields.get(field)
    if (!entry) {
      entry = { errors: [], worst: -1, where: '' }
      this.#fields.set(field, entry)
    }
    const error =
      actual === null || Number.isNaN(expected)
        ? actual === null && Number.isNaN(expected)
          ? 0
          : Number.POSITIVE_INFINITY
        : Math.abs(actual - expected)
    entry.errors.push(error)
    if (error > entry.worst) {
      entry.worst = error
      entry.where = `${where}: got ${actual}, truth ${expected.toPrecision(5)}`
    }
  }

  report(): { field: string; count: number; p50: number; p99: number; worst: number; where: string }[] {
    return [...this.#fields].map(([field, { errors, worst, where }]) => {
      const sorted = [...errors].sort((a, b) => a - b)
      const at = (share: number) => nth(sorted, Math.min(sorted.length - 1, Math.floor(sorted.length * share)))
      return { field, count: errors.length, p50: at(0.5), p99: at(0.99), worst, where }
    })
  }
}

const air: SimulatedWeather = emptyWeather()
const DEG = Math.PI / 180
const turn = (a: number, b: number) => Math.abs(((a - b + 540) % 360) - 180)

/**
 * Compares an answer in SI units with the atmosphere at its point. `native` marks which hours a source provides itself.
 * @param until days that end later are not compared
 */
export function compare(
  answer: Row,
  now: Instant,
  until: Instant,
  errors: Errors,
  native: (field: 'nbm' | 'hrrr', at: Instant) => boolean,
): void {
  const { lat, lon } = answer['location']
  const { sun } = skyAt(lat, lon)
  // No source has the ground height of Hawaii.
  const ground = lat < 23.5 ? 0 : surfaceHeight(lat, lon)
  for (const row of answer['hourly'] ?? []) {
    const at = Date.parse(row['time'])
    const w = weatherAt(lat, lon, at, air)
    const where = `${lat},${lon} ${row['time']}`
    const kind = native('nbm', at) ? '' : ' (between times)'
    const put = (name: string, expected: number) => errors.add(`${name}${kind}`, row[name], expected, where)
    put('temperature', w.temperature)
    put('dew_point', w.dewPoint)
    put('humidity', relativeHumidity(w.temperature, w.dewPoint))
    put('wind_speed', w.windSpeed)
    put('wind_gust', Math.max(w.windGust, w.windSpeed))
    if (w.windSpeed > 2) errors.add(`wind_direction${kind}`, turn(row['wind_direction'], w.windDirection), 0, where)
    put('visibility', w.visibility)
    // The simulator's clouds, rain and thunder do not depend on each other. In an answer, likely precipitation has clouds, and
    // thunder is at most as likely as precipitation.
    const chance = row['precip_probability'] ?? Number.NaN
    const sky = {
      cloud_cover: Math.round(chance >= 55 ? Math.max(60, w.cloudCover) : w.cloudCover),
      cloud_cover_low: Math.round(w.cloudLow),
      cloud_cover_mid: Math.round(w.cloudMid),
      cloud_cover_high: Math.round(w.cloudHigh),
      visibility: w.visibility,
      uv_index: 0,
    }
    alignLayers(sky)
    put('cloud_cover', sky.cloud_cover)
    put('cape', w.cape)
    put('snow_level', w.snowLevel)
    put('feels_like', feelsLike(w.temperature, relativeHumidity(w.temperature, w.dewPoint), w.windSpeed))
    put('uv_index', uvIndexOf(w.ozone, Math.asin(Math.max(0, sun(at))) / DEG, w.cloudCover, ground))
    const short = native('hrrr', at) ? '' : ' (between times)'
    for (const [name, expected] of [
      ['pressure', w.pressure],
      ['cloud_cover_low', sky.cloud_cover_low],
      ['cloud_cover_mid', sky.cloud_cover_mid],
      ['cloud_cover_high', sky.cloud_cover_high],
    ] as const) {
      errors.add(`${name}${short}`, row[name], expected, where)
    }
    if (kind) continue
    put('thunderstorm_probability', Number.isNaN(chance) ? w.thunder : Math.min(w.thunder, chance))
    for (const [name, share] of [
      ['rain', w.rainFraction],
      ['snow', w.snowFraction],
      ['freezing_rain', w.freezingFraction],
      ['ice_pellets', w.icePelletsFraction],
    ] as const) {
      put(`precip_type_${name}_prob`, 100 * share)
    }
    if (row['cloud_ceiling'] !== null && !Number.isNaN(w.ceiling)) put('cloud_ceiling', w.ceiling)
    const cover = w.cloudCover
    const lead = row['uncertainty'] && spreads(w.front, 0)
    const fallen = fallenInHour(lat, lon, at)
    put('precip_amount', fallen.liquid)
    put('snow_amount', fallen.snow)
    put('precip_probability', precipProbability(fallen.liquid, cover))
    if (lead)
      errors.add(
        'temperature_stddev (share of itself)',
        row['uncertainty'].temperature_stddev / lead.temperature > 1 ? 0 : 1,
        0,
        where,
      )
  }
  compareDaily(answer, now, until, errors)
  const current = answer['current']
  if (current) {
    const at = Date.parse(current['time'])
    const w = weatherAt(lat, lon, at, air)
    const where = `${lat},${lon} ${current['time']}`
    errors.add('current.temperature', current['temperature'], w.temperature, where)
    errors.add('current.dew_point', current['dew_point'], w.dewPoint, where)
    const humidity = relativeHumidity(w.temperature, w.dewPoint)
    errors.add('current.humidity', current['humidity'], humidity, where)
    errors.add('current.feels_like', current['feels_like'], feelsLike(w.temperature, humidity, w.windSpeed), where)
    errors.add('current.wind_speed', current['wind_speed'], w.windSpeed, where)
    errors.add('current.wind_gust', current['wind_gust'], Math.max(w.windGust, w.windSpeed), where)
    if (w.windSpeed > 2)
      errors.add('current.wind_direction', turn(current['wind_direction'], w.windDirection), 0, where)
    errors.add('current.visibility', current['visibility'], w.visibility, where)
    errors.add('current.cloud_cover', current['cloud_cover'], w.cloudCover, where)
    errors.add('current.pressure', current['pressure'], w.pressure, where)
  }
}

/** Compares highs, lows and sums of rows that lie completely in the future; extremes are over the hours of the local clock, both ends included. */
function compareDaily(answer: Row, now: Instant, until: Instant, errors: Errors): void {
  const { lat, lon, timezone } = answer['location']
  const local = zone(timezone)
  for (const row of answer['daily'] ?? []) {
    const day = Date.parse(`${row['date']}T00:00:00Z`) / DAY
    const [start, dusk, end] = [local.at(day, 6), local.at(day, 18), local.at(day + 1, 6)]
    if (start < now || end > until) continue
    const where = `${lat},${lon} ${row['date']}`
    let high = Number.NEGATIVE_INFINITY
    let low = Number.POSITIVE_INFINITY
    let sum = 0
    for (let at = start; at <= dusk; at += HOUR) high = Math.max(high, weatherAt(lat, lon, at, air).temperature)
    for (let at = dusk; at <= end; at += HOUR) low = Math.min(low, weatherAt(lat, lon, at, air).temperature)
    for (let at = start + HOUR; at <= end; at += HOUR) sum += fallenInHour(lat, lon, at).liquid
    errors.add('daily.high', row['high'], high, where)
    errors.add('daily.low', row['low'], low, where)
    errors.add('daily.precip_total', row['precip_total'], sum, where)
  }
}

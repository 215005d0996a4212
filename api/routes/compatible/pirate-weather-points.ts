import { HOUR, type Instant, SECOND } from '../../../ingest/domain/time.ts'
import type { HourValue, WeatherValue } from '../../answer/value.ts'
import { round } from '../../present/units.ts'
import { hourly as openMeteo } from './open-meteo-variables.ts'

/** Data points of Dark Sky's format, as Pirate Weather documents them, from rows of the typed answer. */

export type PirateUnits = 'us' | 'si' | 'ca' | 'uk'

/** A row in metric and in imperial units; without imperial units if the request needs none. */
export interface RowPair {
  readonly metric: Partial<HourValue>
  readonly imperial: Partial<HourValue> | undefined
}

/** Conversion of a member of a row to a member of a data point. */
interface PirateScale {
  readonly system: keyof RowPair
  readonly factor: number
  readonly digits: number
}

const metric = (digits: number, factor = 1): PirateScale => ({ system: 'metric', factor, digits })
const imperial = (digits: number, factor = 1): PirateScale => ({ system: 'imperial', factor, digits })
const isUs = (units: PirateUnits) => units === 'us'

/** Units of the quantities. Pressure is in hPa everywhere. */
const quantities = {
  temperature: (units) => (isUs(units) ? imperial(2) : metric(2)),
  wind: (units) => (isUs(units) || units === 'uk' ? imperial(2) : metric(2, units === 'si' ? 1 / 3.6 : 1)),
  visibility: (units) => (isUs(units) || units === 'uk' ? imperial(2) : metric(2)),
  intensity: (units) => (isUs(units) ? imperial(4) : metric(4)),
  depth: (units) => (isUs(units) ? imperial(4) : metric(4, 0.1)),
  pressure: () => metric(2),
  fraction: () => metric(2, 0.01),
  plain: () => metric(2),
} as const satisfies Record<string, (units: PirateUnits) => PirateScale>

type PirateMember = readonly [name: keyof HourValue, quantity: keyof typeof quantities]

/** Members at an instant. */
const instantMembers = {
  temperature: ['temperature', 'temperature'],
  apparentTemperature: ['feels_like', 'temperature'],
  dewPoint: ['dew_point', 'temperature'],
  humidity: ['humidity', 'fraction'],
  pressure: ['pressure', 'pressure'],
  windSpeed: ['wind_speed', 'wind'],
  windGust: ['wind_gust', 'wind'],
  windBearing: ['wind_direction', 'plain'],
  cloudCover: ['cloud_cover', 'fraction'],
  uvIndex: ['uv_index', 'plain'],
  visibility: ['visibility', 'visibility'],
} as const satisfies Record<string, PirateMember>
export type InstantMember = keyof typeof instantMembers

/** Values of data points in the units of a request; undefined for what is not known, which Dark Sky leaves out. */
export class PiratePoints {
  readonly #units: PirateUnits

  constructor(units: PirateUnits) {
    this.#units = units
  }

  get hasFahrenheit(): boolean {
    return this.#units === 'us'
  }

  /** Returns an instant member of a row. */
  at(name: InstantMember, row: RowPair): number | undefined {
    const [member, quantity] = instantMembers[name]
    return this.shown(quantity, row, (values) => values[member])
  }

  shown(
    quantity: keyof typeof quantities,
    row: RowPair,
    read: (values: Partial<HourValue>) => unknown,
  ): number | undefined {
    const { system, factor, digits } = quantities[quantity](this.#units)
    const value = read(row[system] ?? {})
    return typeof value === 'number' ? round(value * factor, digits) : undefined
  }

  /** Returns all members at the instant of a row. */
  instant(row: RowPair): Record<string, number | undefined> {
    return Object.fromEntries(Object.keys(instantMembers).map((name) => [name, this.at(name as InstantMember, row)]))
  }

  intensity = (row: RowPair) => this.shown('intensity', row, ({ precip_amount: amount }) => amount)
  probability = (row: RowPair) => this.shown('fraction', row, ({ precip_probability: chance }) => chance)

  /** Returns the liquid that falls as rain, and depth of new snow, of an hour; undefined in a mix, whose shares are not known. */
  depths(row: RowPair): { readonly liquid: number | undefined; readonly snow: number | undefined } {
    const depth = (name: 'rain' | 'snowfall') =>
      this.shown('depth', row, (own) =>
        openMeteo[name].value({ own, metric: row.metric, elevation: null, isDay: () => false }),
      )
    return { liquid: depth('rain'), snow: depth('snowfall') }
  }

  /** Returns the depth of what falls in an hour: rain as liquid, snow as it lies. An hour of rain may have a chance of snow, with a depth. */
  accumulation(row: RowPair): number | undefined {
    const { liquid, snow } = this.depths(row)
    return liquid === 0 ? snow : liquid
  }

  /** Returns an hour: `start` is the row at its start, `end` the row of its 60 minutes, which is named by their end. */
  hour(time: Instant, start: RowPair, end: RowPair, hasExtras: boolean): object {
    const { liquid, snow } = this.depths(end)
    return {
      time: time / SECOND,
      summary: end.metric.conditions,
      icon: iconOf(end.metric),
      precipIntensity: this.intensity(end),
      precipProbability: this.probability(end),
      precipAccumulation: this.accumulation(end),
      precipType: typeOf(end.metric.precip_type),
      ...this.instant(start),
      ...(hasExtras && { liquidAccumulation: liquid, snowAccumulation: snow }),
    }
  }
}

/** Returns the type of precipitation. Dark Sky calls precipitation that is neither rain nor snow sleet. Undefined if the type is not known. */
export function typeOf(type: string | null | undefined): 'none' | 'rain' | 'snow' | 'sleet' | undefined {
  if (type === 'none' || type === 'rain' || type === 'snow') return type
  return type === 'freezing_rain' || type === 'ice_pellets' || type === 'wintry_mix' ? 'sleet' : undefined
}

const falling: Readonly<Record<string, string>> = {
  rain: 'rain',
  showers: 'rain',
  snow: 'snow',
  'snow-showers': 'snow',
  sleet: 'sleet',
  'rain-snow': 'sleet',
  'rain-snow-showers': 'sleet',
  fog: 'fog',
  cloudy: 'cloudy',
}

/** Cloud cover from which the sky is partly cloudy, and cloudy, percent. */
const PARTLY_CLOUDY = 37.5
const CLOUDY = 87.5

/** Returns one of Dark Sky's ten icons. It has none for thunder, haze and smoke: these have those of rain and of the clouds. */
export function iconOf({
  icon,
  cloud_cover: cover,
}: {
  readonly icon?: string | undefined
  readonly cloud_cover?: number | null | undefined
}): string | undefined {
  if (icon === undefined) return undefined
  const [, slug = icon, half = 'day'] = /^(.*?)-(day|night)$/.exec(icon) ?? []
  if (slug.startsWith('thunder')) return 'rain'
  if (Object.hasOwn(falling, slug)) return falling[slug]
  if (slug !== 'haze') return slug === 'clear' ? `clear-${half}` : `partly-cloudy-${half}`
  if (typeof cover !== 'number') return undefined
  if (cover > CLOUDY) return 'cloudy'
  return cover > PARTLY_CLOUDY ? `partly-cloudy-${half}` : `clear-${half}`
}

/** Returns the rows of an answer by their instant, in the systems of units that it has. */
export function rowsOf(metric: WeatherValue, imperial: WeatherValue | undefined): ReadonlyMap<Instant, RowPair> {
  const others = new Map(imperial?.hourly?.map((row) => [row.time, row]))
  return new Map(
    metric.hourly?.map((row) => [Date.parse(row.time), { metric: row, imperial: others.get(row.time) }] as const),
  )
}

/** Returns `current` as a row: its amount is the present radar rate over an hour. */
export function presentOf(metric: WeatherValue, imperial: WeatherValue | undefined): RowPair {
  const rowOf = ({ current }: WeatherValue): Partial<HourValue> =>
    ({ ...current, precip_amount: current?.precip_rate }) as Partial<HourValue>
  return { metric: rowOf(metric), imperial: imperial && rowOf(imperial) }
}

export const hoursFrom = (first: Instant, end: Instant): Instant[] =>
  Array.from({ length: Math.max(0, Math.ceil((end - first) / HOUR)) }, (_, i) => first + i * HOUR)

import { floorTo, HOUR } from '../../ingest/domain/time.ts'
import type { AirQuality } from '../../ingest/domain/weather/air-quality.ts'
import { precipTypes, UNKNOWN } from '../../ingest/domain/weather/precip-type.ts'
import type { Forecast } from '../blend/columns.ts'
import { tolerant } from '../blend/tolerant.ts'
import type { WeatherNow } from '../blend/weather-now.ts'
import type { AlertAtPoint, MetaWarning } from '../contract.ts'
import { type Units, units as unitSystems } from '../present/units.ts'
import {
  imperialNarration,
  metricNarration,
  type NarratedHour,
  type NarratedNow,
  narrateNext,
  narrateNow,
} from './narration-words.ts'
import { type Section, type SectionContext, type SectionResult, withoutForecast } from './section.ts'
import { hourWords, isThunderPossible } from './words.ts'

const NARRATED_HOURS = 12
const imperialUnits = unitSystems.imperial
const severities = ['Extreme', 'Severe', 'Moderate', 'Minor']

/** Text that rules generate from the values of `current` and `hourly`. */
export const narrations: Section = {
  name: 'narrations',
  async build(context: SectionContext): Promise<SectionResult> {
    const unread: MetaWarning[] = []
    const [weather, supplied] = await Promise.all([
      context.weatherNow(),
      tolerant('air quality source', unread, ['current'], () => context.source('airQuality')),
    ])
    if (!weather.forecast && !weather.at) {
      return { maxAgeSeconds: 60, degraded: context.takesModels, warnings: [withoutForecast(context, 'narrations')] }
    }
    const air = supplied?.air
    const units = context.units.system === 'metric' ? metricNarration : imperialNarration
    const shortTerm = weather.forecast
      ? narrateNext(hoursOf(context, weather.forecast), (at) => hourOf(context, at), units)
      : undefined
    return {
      sources: air && air.aqi !== null ? ['airnow'] : [],
      freshness: supplied?.freshness ?? [],
      value: {
        current: narrateNow(nowOf(context, weather, air), eventsOf(weather.alerts, context.now), units),
        short_term: shortTerm,
      },
      warnings: unread.map((warning) => ({ ...warning, section: 'narrations' })),
      degraded: unread.some(({ code }) => code === 'source_failed'),
      maxAgeSeconds: 120,
      expiresAt: floorTo(context.now, HOUR) + HOUR,
    }
  },
}

/** Hour of the local clock, 0 to 23. */
function hourOf({ zone }: SectionContext, at: number): number {
  return Math.floor(zone.minuteOf(at) / 60)
}

/** The members of `current` from which sentences are built, also in imperial units. */
function nowOf(context: SectionContext, weather: WeatherNow, air: AirQuality | undefined): NarratedNow {
  const inUnits = (units: Units) => membersNow(units, weather, air)
  return { ...inUnits(context.units), imperial: inUnits(imperialUnits) }
}

function membersNow(
  units: Units,
  { at, present, radar, words }: WeatherNow,
  air: AirQuality | undefined,
): Omit<NarratedNow, 'imperial'> {
  const values = at?.values
  return {
    conditions: words?.conditions,
    temperature: units.show('temperature', values?.temperature),
    feels_like: units.show('temperature', values?.feels_like),
    wind_speed: units.show('wind_speed', values?.wind_speed),
    wind_gust: units.show('wind_speed', values?.wind_gust),
    wind_direction: units.show('direction', values?.wind_direction),
    precip_type: precipTypes[present.type],
    precip_rate: units.show('precip_amount', radar?.precipRate),
    visibility: units.show('visibility', values?.visibility),
    aqi: air?.aqi,
    aqi_category: air?.category,
  }
}

/** The members of the next rows of `hourly` from which sentences are built. */
function hoursOf({ units }: SectionContext, forecast: Forecast): NarratedHour[] {
  const { columns, first, start, count, precipType } = forecast
  const rows: NarratedHour[] = []
  for (let h = first; h < Math.min(count, first + NARRATED_HOURS); h++) {
    rows.push({
      time: start + h * HOUR,
      imperial: {
        temperature: imperialUnits.show('temperature', columns.temperature[h]),
        wind_gust: imperialUnits.show('wind_speed', columns.wind_gust[h]),
      },
      conditions: hourWords(forecast, h)?.conditions,
      temperature: units.show('temperature', columns.temperature[h]),
      precip_probability: units.show('percent', columns.precip_probability[h]),
      precip_type: precipTypes[precipType[h] ?? UNKNOWN],
      wind_gust: units.show('wind_speed', columns.wind_gust[h]),
      thunder_possible: isThunderPossible(forecast, h),
      thunderstorm_probability: units.show('percent', columns.thunderstorm_probability[h]),
    })
  }
  return rows
}

/** Events of the alerts in effect now, the most severe first. */
function eventsOf(alerts: readonly AlertAtPoint[], now: number): string[] {
  const rank = ({ severity }: AlertAtPoint) =>
    (severities.indexOf(severity) + severities.length + 1) % (severities.length + 1)
  const here = alerts.filter(({ onset, ends }) => onset <= now && ends > now)
  return [...new Set(here.sort((a, b) => rank(a) - rank(b)).map(({ event }) => event))]
}

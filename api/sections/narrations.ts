import { precipTypes } from '../../ingest/domain/precip-type.ts'
import { floorTo, HOUR } from '../../ingest/domain/time.ts'
import type { Forecast } from '../blend/columns.ts'
import type { AlertAtPoint } from '../contract.ts'
import {
  imperialNarration,
  metricNarration,
  type NarratedHour,
  type NarratedNow,
  narrateNext,
  narrateNow,
} from './narration-words.ts'
import { type Section, type SectionContext, type SectionResult, withoutForecast } from './section.ts'
import { alertsOf } from './severe.ts'
import { type WeatherNow, weatherNow } from './weather-now.ts'
import { hourWords, thunderPossible } from './words.ts'

const NARRATED_HOURS = 12
const severities = ['Extreme', 'Severe', 'Moderate', 'Minor']

/** Text by rules alone, over the values that `current` and `hourly` give. */
export const narrations: Section = {
  name: 'narrations',
  async build(context: SectionContext): Promise<SectionResult> {
    const [weather, alerts] = await Promise.all([weatherNow(context), alertsOf(context)])
    if (!weather.forecast && !weather.at) {
      return { maxAgeSeconds: 60, degraded: true, warnings: [withoutForecast(context, 'narrations')] }
    }
    const units = context.units.system === 'metric' ? metricNarration : imperialNarration
    const next = weather.forecast
      ? narrateNext(hoursOf(context, weather.forecast), context.now, (at) => hourOf(context, at), units)
      : undefined
    return {
      value: { current: narrateNow(nowOf(context, weather), eventsOf(alerts, context.now), units), short_term: next },
      maxAgeSeconds: 120,
      expiresAt: floorTo(context.now, HOUR) + HOUR,
    }
  },
}

/** Hour of the local clock. */
function hourOf({ zone }: SectionContext, at: number): number {
  return Math.floor(zone.minuteOf(at) / 60)
}

/** The members of `current`. */
function nowOf({ units }: SectionContext, { at, present, radar, words }: WeatherNow): NarratedNow {
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
  }
}

/** The members of the next rows of `hourly`. */
function hoursOf({ units }: SectionContext, forecast: Forecast): NarratedHour[] {
  const { columns, now, start, count, precipType } = forecast
  const rows: NarratedHour[] = []
  for (let h = now; h < Math.min(count, now + NARRATED_HOURS); h++) {
    rows.push({
      time: start + h * HOUR,
      conditions: hourWords(forecast, h)?.conditions,
      temperature: units.show('temperature', columns.temperature[h]),
      precip_probability: units.show('percent', columns.precip_probability[h]),
      precip_type: precipTypes[precipType[h]!],
      wind_gust: units.show('wind_speed', columns.wind_gust[h]),
      thunder_possible: thunderPossible(forecast, h),
    })
  }
  return rows
}

/** In effect now, the most severe first. */
function eventsOf(alerts: readonly AlertAtPoint[], now: number): string[] {
  const rank = ({ severity }: AlertAtPoint) =>
    (severities.indexOf(severity) + severities.length + 1) % (severities.length + 1)
  const here = alerts.filter(({ onset, ends }) => onset <= now && ends > now)
  return [...new Set(here.sort((a, b) => rank(a) - rank(b)).map(({ event }) => event))]
}

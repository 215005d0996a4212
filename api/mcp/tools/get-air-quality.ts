import { z } from 'zod'
import { HOUR, isoSeconds } from '../../../ingest/domain/time.ts'
import { zone } from '../../../ingest/domain/timezone.ts'
import { aqiCategory, POLLUTANTS, type Pollutant } from '../../../ingest/domain/weather/air-quality.ts'
import type { MetaWarning } from '../../contract.ts'
import { findSpot } from '../../dataset/spot.ts'
import { round } from '../../present/units.ts'
import type { ToolContext } from '../protocol/context.ts'
import * as shape from '../protocol/input.ts'
import { tool } from '../protocol/tool.ts'
import { dayName, localTime, plainMeta, reply } from '../words/reply.ts'
import { entry, widgetOf } from '../words/widget-entries.ts'

const names = ['aqi', ...POLLUTANTS] as const
type Name = (typeof names)[number]
const words: Readonly<Record<Name, string>> = { aqi: 'AQI', pm25: 'PM2.5', ozone: 'ozone', pm10: 'PM10' }
/** The names that the forecasts of AirNow use. */
const published: Readonly<Record<Pollutant, string>> = { pm25: 'PM2.5', ozone: 'OZONE', pm10: 'PM10' }

export const getAirQuality = tool({
  name: 'get_air_quality',
  title: 'Get air quality',
  description:
    'Is the air safe to run outside, how smoky is it: AQI with category by the nearest AirNow monitor within 75 km, on request PM2.5, ozone, PM10 and tomorrow. Contiguous US. Weather: get_forecast.',
  widget: true,
  input: z.strictObject({
    ...shape.place,
    pollutants: z.array(z.enum(names)).min(1).max(4).default(['aqi']).describe('Which indexes.'),
    include_forecast: z.boolean().default(false).describe('Adds the forecast for tomorrow.'),
  }),
  output: z.object({
    location: shape.location,
    current: z.array(shape.series),
    forecast: z.array(shape.series).optional(),
    category: z.string().nullable(),
    monitor: z.object({ name: z.string(), distance_km: z.number(), observed_at: z.string() }).nullable(),
    widget: shape.widget.optional(),
    meta: shape.meta,
  }),
  async run(input, context) {
    const spot = findSpot(input)
    const { lat, lon, domain } = spot.resolved
    const { now } = context
    const pollutants = [...new Set(input.pollutants)]
    if (domain !== 'conus') {
      const detail =
        'this tool covers the contiguous states; for Alaska and Hawaii forecast.current.aqi of get_forecast and /v1/weather of REST have the index'
      const meta = plainMeta(context, ['airnow'], {
        spots: [spot],
        warnings: [{ code: 'no_coverage', section: 'current', product_id: 'airnow', detail }],
      })
      return reply({
        structured: {
          location: spot.location,
          current: [],
          category: null,
          monitor: null,
          ...(input.include_forecast ? { forecast: [] } : {}),
        },
        lines: [`Air quality at ${spot.location.name}: not covered.`],
        meta,
      })
    }
    const source = context.deps.live.airQuality
    const { air, warnings, freshness } = await source.at({ lat, lon, now })
    const current = pollutants.flatMap((name) => {
      const reading = name === 'aqi' ? air.leading : air.readings[name]
      return reading ? [series(name, isoSeconds(reading.monitor.hour), reading.aqi)] : []
    })
    const allWarnings: MetaWarning[] = [...warnings]
    const lines: string[] = []
    const { leading } = air
    if (leading) {
      const pollutant = POLLUTANTS.find((name) => air.readings[name] === leading)
      const category = `${air.category}${pollutant ? ` (${words[pollutant]})` : ''}`
      lines.push(
        `Air quality at ${spot.location.name}: AQI ${air.aqi}, ${category}, monitor ${leading.monitor.name}, ${round(leading.km, 1)} km away, hour from ${localTime(leading.monitor.hour, spot.timezone)}.`,
      )
      for (const name of pollutants)
        if (name !== 'aqi')
          lines.push(`${words[name]}: ${air.readings[name] ? `AQI ${air.readings[name].aqi}` : 'no value nearby'}.`)
    } else {
      const why = warnings.find(({ detail }) => detail)?.detail ?? 'no monitor nearby has a value'
      lines.push(
        `Air quality at ${spot.location.name}: not known, ${why}. This says nothing about whether the air is good or bad.`,
      )
    }
    const date = tomorrow(spot.timezone, now)
    const area = input.include_forecast ? source.forecast(lat, lon, date) : undefined
    if (area) lines.push(forecastLine(area, date))
    else if (input.include_forecast)
      allWarnings.push({
        code: 'no_coverage',
        section: 'forecast',
        detail: `no reporting area within 75 km has a forecast for ${date}`,
      })
    return reply({
      structured: {
        location: spot.location,
        current,
        ...(input.include_forecast && { forecast: area ? forecastSeries(area, pollutants, date) : [] }),
        category: air.category ?? null,
        monitor: leading
          ? {
              name: leading.monitor.name,
              distance_km: round(leading.km, 1),
              observed_at: isoSeconds(leading.monitor.hour),
            }
          : null,
        ...(leading ? { widget: widgetOf([entry('AqiGauge', { aqi: air.aqi, category: air.category })]) } : {}),
      },
      lines,
      meta: plainMeta(context, ['airnow'], { spots: [spot], warnings: allWarnings, freshness }),
    })
  },
})

function series(name: Name, time: string, value: number | null) {
  return {
    dataset_id: 'airnow',
    valid_times: [time],
    data: { [name]: [value] },
    units: { [name]: 'AQI' },
  }
}

type TomorrowForecast = NonNullable<ReturnType<ToolContext['deps']['live']['airQuality']['forecast']>>

/** Returns the highest index of the pollutants that a reporting area forecasts; undefined if it forecasts only a category. */
function highestIndex({ rows }: TomorrowForecast): number | undefined {
  const numbers = rows.flatMap(({ aqi }) => aqi ?? [])
  return numbers.length > 0 ? Math.max(...numbers) : undefined
}

function forecastSeries(area: TomorrowForecast, pollutants: readonly Name[], date: string) {
  return pollutants.flatMap((name) => {
    if (name === 'aqi') return [series(name, date, highestIndex(area) ?? null)]
    const row = area.rows.find(({ pollutant }) => pollutant === published[name])
    return row ? [series(name, date, row.aqi)] : []
  })
}

function forecastLine(area: TomorrowForecast, date: string): string {
  const highest = highestIndex(area)
  const words =
    highest === undefined
      ? (area.rows.find((row) => row.category)?.category ?? 'no category')
      : `AQI ${highest}, ${aqiCategory(highest)}`
  return `Tomorrow (${dayName(date)}), ${area.area}: ${words}.`
}

/** Returns the local date of the day after today. */
function tomorrow(timezone: string, now: number): string {
  const offset = zone(timezone).offset(now)
  return new Date(Math.floor((now + offset) / (24 * HOUR)) * 24 * HOUR + 24 * HOUR).toISOString().slice(0, 10)
}

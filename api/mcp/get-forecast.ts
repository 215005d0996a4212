import { z } from 'zod'
import { type IncludeToken, includeTokens } from '../query.ts'
import { ToolError } from './error.ts'
import { alertsKnown, briefAlert, type Forecast, findSpot, forecastAt, pick, type Row, rowsOf } from './forecast.ts'
import * as shape from './input.ts'
import { dayName, held, localTime, phrase, reply, shown } from './reply.ts'
import { type ToolMeta, tool } from './tool.ts'
import { entry, widgetOf } from './widget-entries.ts'

const offered = ['current', 'daily', 'hourly', 'alerts', 'outlooks'] as const

const currentStandard = [
  'time',
  'temperature',
  'feels_like',
  'humidity',
  'dew_point',
  'wind_speed',
  'wind_gust',
  'wind_direction',
  'pressure',
  'visibility',
  'cloud_cover',
  'aqi',
  'precip_type',
  'conditions',
  'icon',
]
const dailyStandard = [
  'date',
  'relative_day',
  'active_period',
  'high',
  'low',
  'precip_probability',
  'precip_total',
  'snow_total',
  'wind_speed_max',
  'wind_gust_max',
  'humidity_avg',
  'thunder_possible',
  'conditions',
  'icon',
  'severe',
]
const dailyDetailed = [
  ...dailyStandard,
  'cape_max',
  'uv_index_max',
  'dew_point_max',
  'dew_point_min',
  'cloud_cover_avg',
  'visibility_min',
  'snow_level',
  'thunderstorm_probability_max',
  'threats',
]
const half = [
  'temperature',
  'feels_like',
  'precip_probability',
  'precip_total',
  'snow_total',
  'wind_speed',
  'wind_gust',
  'wind_direction',
  'humidity',
  'cloud_cover',
  'thunderstorm_probability',
  'conditions',
  'icon',
  'narrative',
]
const hourlyStandard = [
  'time',
  'temperature',
  'feels_like',
  'precip_probability',
  'precip_amount',
  'wind_speed',
  'wind_direction',
  'humidity',
  'conditions',
  'icon',
]
const hourlyDetailed = [
  ...hourlyStandard,
  'wind_gust',
  'cape',
  'cloud_ceiling',
  'uv_index',
  'thunderstorm_probability',
  'dew_point',
  'severe',
]
const HOUR = 3_600_000
const severities = ['Extreme', 'Severe', 'Moderate', 'Minor', 'Unknown']

const detail = z
  .enum(['standard', 'detailed'])
  .default('standard')
  .describe('standard: compact; detailed: more columns (CAPE, UV, dew point, halves of the day).')

export const getForecast = tool({
  name: 'get_forecast',
  title: 'Get forecast',
  description:
    'First choice for any question about the weather at a US place: current conditions, day by day with highs and lows, active alerts and severe outlooks in one call; now, this week, the weekend. For a time of day use get_hourly_forecast; rain or snow within 90 minutes get_precipitation_nowcast; how sure it is get_forecast_distribution; when to do something outside find_best_window; past days get_past_weather. 10 days by default, 14 at most; imperial units unless asked otherwise. 50 US states and DC.',
  widget: true,
  input: z.strictObject({
    ...shape.place,
    days: z.number().int().min(1).max(14).default(10).describe('Rows of the daily forecast.'),
    ...shape.units,
    include: z
      .string()
      .min(1)
      .max(100)
      .default('current,daily,alerts,outlooks')
      .describe(`Sections, separated by commas: ${offered.join(', ')}.`),
    detail_level: detail,
  }),
  output: z.object({
    location: shape.location,
    units: z.string(),
    forecast: shape.forecast,
    widget: shape.widget.optional(),
    meta: shape.meta,
  }),
  async run(input, context) {
    const wanted = input.include
      .split(',')
      .map((token) => token.trim())
      .filter(Boolean)
    const unknown = wanted.filter((token) => !offered.includes(token as (typeof offered)[number]))
    if (unknown.length > 0 || wanted.length === 0) {
      const known = unknown.filter((token) => includeTokens.includes(token as IncludeToken))
      const elsewhere = known.length > 0 ? ` ${known.join(', ')} is given by other tools.` : ''
      throw new ToolError(
        'bad-request',
        `include: wanted tokens out of ${offered.join(', ')}, got "${unknown.join(', ') || input.include}".${elsewhere}`,
        'call again with these tokens only.',
        { field: 'include', allowed: offered, got: input.include },
      )
    }
    const spot = findSpot(input)
    const include = wanted as IncludeToken[]
    const hours = input.detail_level === 'detailed' ? 48 : 24
    const ask = {
      units: input.units,
      include: [...include, ...(include.includes('daily') ? (['astro'] as const) : [])],
      days: input.days,
      hours,
    }
    const found = await forecastAt(context, spot, ask)
    const whole = forecastObject(found, include, input.detail_level)
    const { forecast, meta } = fitted(whole, found.meta)
    return reply({
      structured: { location: spot.location, units: input.units, forecast, widget: widgetOf(widgetEntries(forecast)) },
      lines: forecastLines(found, forecast, include),
      meta,
    })
  },
})

export const getHourlyForecast = tool({
  name: 'get_hourly_forecast',
  title: 'Get hourly forecast',
  description:
    'Hour by hour from the current hour on, for a time of day: how hot it will be at 3 PM tomorrow, when the rain starts tonight, the wind this evening. hourly[0] is now; times are UTC; every hour of the first day (48 hours when detailed), then every third. For whole days use get_forecast; rain or snow in the next 90 minutes get_precipitation_nowcast; a table of many hours query_dataset. 2 days by default, 7 at most; imperial units unless asked otherwise. 50 US states and DC.',
  widget: true,
  input: z.strictObject({
    ...shape.place,
    days: z.number().int().min(1).max(7).default(2).describe('Days of 24 hours from the current hour.'),
    ...shape.units,
    detail_level: detail,
  }),
  output: z.object({
    location: shape.location,
    units: z.string(),
    forecast: shape.hourlyForecast,
    widget: shape.widget.optional(),
    meta: shape.meta,
  }),
  async run(input, context) {
    const spot = findSpot(input)
    const detailed = input.detail_level === 'detailed'
    const from = detailed ? 48 : 24
    const found = await forecastAt(context, spot, {
      units: input.units,
      include: ['hourly'],
      hours: input.days * 24,
      step: 3,
      stepFrom: from,
    })
    const rows = rowsOf(found.weather['hourly'])
    const first = rows.length > 0 ? Date.parse(String(rows[0]['time'])) : context.now
    const hourly = rows.map((row) =>
      pick(row, detailed && Date.parse(String(row['time'])) - first < 48 * HOUR ? hourlyDetailed : hourlyStandard),
    )
    const sampling = (found.weather['meta'] as Row)['hourly_sampling']
    const forecast = {
      timezone: spot.timezone,
      units: found.weather.units,
      hourly,
      ...(sampling ? { hourly_sampling: sampling } : {}),
    }
    const { units } = found.weather
    const lines = [
      `Hourly forecast for ${spot.location.name}, ${localTime(first, spot.timezone)} on:`,
      ...rows
        .slice(0, 24)
        .filter((_, i) => i < 12 || i % 3 === 0)
        .flatMap((row) => {
          const words = phrase(
            held('', row['temperature'], units['temperature']),
            row['conditions'],
            held('rain or snow', row['precip_probability'], '%'),
            held('wind', row['wind_speed'], units['wind_speed']),
          )
          return words ? [`${localTime(String(row['time']), spot.timezone)}: ${words}`] : []
        }),
    ]
    return reply({
      structured: {
        location: spot.location,
        units: input.units,
        forecast,
        widget: widgetOf([
          entry('HourlyChart', {
            hours: hourly.slice(0, 12).map((row) => pick(row, ['time', 'temperature', 'precip_probability'])),
          }),
        ]),
      },
      lines,
      meta: found.meta,
    })
  },
})

function forecastObject(found: Forecast, include: readonly IncludeToken[], level: 'standard' | 'detailed'): Row {
  const { weather, spot } = found
  const detailed = level === 'detailed'
  const out: Row = { timezone: spot.timezone, units: weather.units }
  if (include.includes('current') && weather['current'])
    out['current'] = detailed ? weather['current'] : pick(weather['current'] as Row, currentStandard)
  if (include.includes('daily') && weather['daily']) {
    out['daily'] = rowsOf(weather['daily']).map((row) => {
      if (!detailed) return pick(row, dailyStandard)
      const sides = Object.fromEntries(
        ['day', 'night'].filter((side) => row[side]).map((side) => [side, pick(row[side] as Row, half)]),
      )
      return {
        ...pick(row, dailyDetailed),
        ...(row['astro'] ? { astro: pick(row['astro'] as Row, ['sunrise', 'sunset']) } : {}),
        ...sides,
      }
    })
  }
  if (include.includes('hourly') && weather['hourly'])
    out['hourly'] = rowsOf(weather['hourly']).map((row) => pick(row, detailed ? hourlyDetailed : hourlyStandard))
  const alerts = mostSevereFirst(rowsOf(weather['alerts']))
  if (include.includes('alerts') && weather['alerts'] && (alerts.length > 0 || alertsKnown(found.meta))) {
    out['alerts'] = alerts.slice(0, 5).map((alert) => pick(alert, briefAlert))
    out['alerts_total'] = alerts.length
  }
  if (include.includes('outlooks') && weather['outlooks']) out['outlooks'] = weather['outlooks']
  return out
}

/** Bytes of a forecast with its meta: the narratives of the last days make room. */
const ROOM = 19_800

function fitted(forecast: Row, meta: ToolMeta): { forecast: Row; meta: ToolMeta } {
  const days = rowsOf(forecast['daily']).map((day) => ({ ...day }) as Row)
  let over = Buffer.byteLength(JSON.stringify(forecast)) + Buffer.byteLength(JSON.stringify(meta)) - ROOM
  if (over <= 0 || !days.some(({ day, night }) => day ?? night)) return { forecast, meta }
  const cut: string[] = []
  for (const day of days.toReversed()) {
    if (over <= -200) break
    for (const side of ['day', 'night']) {
      const { narrative, ...rest } = (day[side] ?? {}) as Row
      if (narrative === undefined) continue
      day[side] = rest
      over -= Buffer.byteLength(JSON.stringify(narrative)) + 13
    }
    cut.unshift(String(day['date']))
  }
  const warning = {
    code: 'fields_missing' as const,
    section: 'daily',
    detail: `to keep this short, the narratives from ${cut[0]} on are left out: ask for fewer days`,
    fields: ['narrative'],
  }
  return { forecast: { ...forecast, daily: days }, meta: { ...meta, warnings: [...meta.warnings, warning] } }
}

/** The most severe first; of the same severity the one that begins first. */
export function mostSevereFirst(alerts: readonly Row[]): Row[] {
  const rank = (alert: Row) => (severities.indexOf(String(alert['severity'])) + severities.length) % severities.length
  return [...alerts].sort((a, b) => rank(a) - rank(b) || String(a['onset']).localeCompare(String(b['onset'])))
}

function forecastLines(found: Forecast, forecast: Row, include: readonly IncludeToken[]): string[] {
  const { units } = found.weather
  const { spot } = found
  const lines: string[] = []
  const current = forecast['current'] as Row | undefined
  const now = current && nowWords(current, units)
  if (now) lines.push(`${spot.location.name}, ${localTime(String(current?.['time']), spot.timezone)}: ${now}.`)
  else
    lines.push(`Forecast for ${spot.location.name} (local time ${localTime(found.meta.generated_at, spot.timezone)}).`)
  if (forecast['alerts']) {
    const alerts = rowsOf(forecast['alerts'])
    lines.push(
      alerts.length === 0
        ? 'No active alerts.'
        : `${forecast['alerts_total']} active alerts: ${alerts.map((alert) => `${alert['event']}${typeof alert['ends'] === 'string' ? ` until ${localTime(alert['ends'], spot.timezone)}` : ''}`).join('; ')}.`,
    )
  }
  if (include.includes('alerts') && !forecast['alerts'])
    lines.push('Alerts are not known now: this is not an all-clear.')
  for (const outlook of rowsOf(forecast['outlooks']).slice(0, 3))
    lines.push(`Outlook day ${outlook['day']}: ${outlook['type']} ${outlook['risk_label']}.`)
  for (const row of rowsOf(forecast['daily']).slice(0, 8)) {
    const snow =
      typeof row['snow_total'] === 'number' && row['snow_total'] > 0
        ? `, snow ${shown(row['snow_total'], units['precip_amount'])}`
        : ''
    const words = phrase(
      held('high', row['high'], units['temperature']),
      held('low', row['low'], units['temperature']),
      row['conditions'],
      held('rain or snow', row['precip_probability'], '%'),
    )
    if (words) lines.push(`${dayName(String(row['date']))}: ${words}${snow}`)
  }
  return lines
}

function nowWords(current: Row, units: Readonly<Record<string, string>>): string {
  const feels = held('feels like', current['feels_like'], units['temperature'])
  const warmth = held('', current['temperature'], units['temperature'])
  return phrase(
    warmth && feels ? `${warmth} (${feels})` : (warmth ?? feels),
    current['conditions'],
    held('wind', current['wind_speed'], units['wind_speed']),
    held('humidity', current['humidity'], '%'),
  )
}

function widgetEntries(forecast: Row): ReturnType<typeof entry>[] {
  const entries: ReturnType<typeof entry>[] = []
  if (forecast['current'])
    entries.push(
      entry(
        'CurrentCard',
        pick(forecast['current'] as Row, ['time', 'temperature', 'feels_like', 'conditions', 'icon']),
      ),
    )
  if (forecast['daily'])
    entries.push(
      entry('DailyStrip', {
        days: rowsOf(forecast['daily'])
          .slice(0, 7)
          .map((row) => pick(row, ['date', 'high', 'low', 'icon', 'precip_probability'])),
      }),
    )
  if (rowsOf(forecast['alerts']).length > 0)
    entries.push(
      entry('AlertList', {
        alerts: rowsOf(forecast['alerts'])
          .slice(0, 2)
          .map((row) => pick(row, ['event', 'severity', 'ends'])),
      }),
    )
  return entries
}

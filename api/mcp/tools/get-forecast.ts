import { z } from 'zod'
import type { DayValue, HourValue, OutlookValue, UnitLabels } from '../../answer/value.ts'
import { findSpot, type Spot } from '../../dataset/spot.ts'
import type { AlertJson } from '../../live/alerts.ts'
import { type IncludeToken, includeTokens } from '../../query/query.ts'
import type { ToolContext } from '../protocol/context.ts'
import { ToolError } from '../protocol/error.ts'
import * as shape from '../protocol/input.ts'
import { type ToolMeta, tool } from '../protocol/tool.ts'
import { countWords } from '../query/alert-selection.ts'
import { NEARBY_KM, nearbyAlerts } from '../query/alerts-nearby.ts'
import { alertsKnown, briefAlert, type Forecast, forecastAt, pick } from '../query/forecast.ts'
import {
  currentConcise,
  currentStandard,
  dailyConcise,
  dailyDetailed,
  dailyStandard,
  hourlyDetailed,
  hourlyStandard,
  periodColumns,
} from '../query/forecast-columns.ts'
import {
  alertWords,
  dayWords,
  HOUR_OF_ROWS,
  hourLines,
  nextChange,
  nowWords,
  outlookWords,
} from '../words/forecast-words.ts'
import { quotedFields } from '../words/quote.ts'
import { localTime, reply, zoneName } from '../words/reply.ts'
import { entry, widgetOf } from '../words/widget-entries.ts'

const offered = ['current', 'daily', 'hourly', 'alerts', 'outlooks'] as const
const severities = ['Extreme', 'Severe', 'Moderate', 'Minor', 'Unknown']
type Level = 'concise' | 'standard' | 'detailed'

export const getForecast = tool({
  name: 'get_forecast',
  earlier: true,
  title: 'Get forecast',
  description:
    'First choice for any question about the weather at a US place: current conditions, day by day with highs and lows, active alerts and severe outlooks in one call; now, this week, the weekend. For a time of day use get_hourly_forecast; rain or snow within 90 minutes get_precipitation_nowcast; how sure it is get_forecast_distribution; when to do something outside find_best_window; past days get_past_weather. 10 days by default, 14 at most; imperial units. US states and DC.',
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
    detail_level: shape.detailLevel,
  }),
  output: z.object({
    location: shape.location,
    units: z.string(),
    forecast: shape.forecast,
    widget: shape.widget.optional(),
    meta: shape.meta,
  }),
  async run(input, context) {
    const include = sectionsOf(input.include)
    const spot = findSpot(input)
    const found = await forecastAt(context, spot, {
      units: input.units,
      include: [...include, ...(include.includes('daily') ? (['astro'] as const) : [])],
      days: input.days,
      hours: input.detail_level === 'detailed' ? 48 : 24,
    })
    const { forecast, meta } = fitted(forecastObject(found, include, input.detail_level), found.meta)
    return reply({
      structured: { location: spot.location, units: input.units, forecast, widget: widgetOf(widgetEntries(forecast)) },
      lines: forecastLines(context, found, forecast, include, input.detail_level),
      meta,
      sections: include,
      concise: input.detail_level === 'concise',
      ...(forecast.alerts && { quotes: quotedFields('NWS alerts', 'forecast.alerts[].headline') }),
    })
  },
})

/** @throws ToolError bad-request that names the tokens */
function sectionsOf(include: string): IncludeToken[] {
  const wanted = include
    .split(',')
    .map((token) => token.trim())
    .filter(Boolean)
  const unknown = wanted.filter((token) => !offered.some((one) => one === token))
  if (unknown.length > 0 || wanted.length === 0) {
    const known = unknown.filter((token) => includeTokens.some((one) => one === token))
    const elsewhere = known.length > 0 ? ` ${known.join(', ')} is given by other tools.` : ''
    throw new ToolError(
      'bad-request',
      `include: wanted tokens out of ${offered.join(', ')}, got "${unknown.join(', ') || include}".${elsewhere}`,
      'call again with these tokens only.',
      { field: 'include', allowed: offered, got: include },
    )
  }
  return wanted as IncludeToken[]
}

/** The forecast member of the result: REST's values, fewer columns. */
interface ForecastObject {
  timezone: string
  units: UnitLabels
  current?: object & { conditions?: string }
  daily?: (Partial<Omit<DayValue, 'day' | 'night'>> & {
    day?: { narrative?: string }
    night?: { narrative?: string }
  })[]
  hourly?: Partial<HourValue>[]
  alerts?: Partial<AlertJson>[]
  alerts_total?: number
  outlooks?: readonly OutlookValue[]
}

function forecastObject(
  { weather, spot, meta }: Forecast,
  include: readonly IncludeToken[],
  level: Level,
): ForecastObject {
  const detailed = level === 'detailed'
  const out: ForecastObject = { timezone: spot.timezone, units: weather.units }
  if (include.includes('current') && weather.current)
    out.current = detailed
      ? weather.current
      : pick(weather.current, level === 'concise' ? currentConcise : currentStandard)
  if (include.includes('daily') && weather.daily)
    out.daily = weather.daily.map((row) =>
      detailed
        ? {
            ...pick(row, dailyDetailed),
            ...(row.astro && { astro: pick(row.astro, ['sunrise', 'sunset']) as DayValue['astro'] }),
            ...(row.day && { day: pick(row.day, periodColumns) }),
            ...(row.night && { night: pick(row.night, periodColumns) }),
          }
        : pick(row, level === 'concise' ? dailyConcise : dailyStandard),
    )
  if (include.includes('hourly') && weather.hourly)
    out.hourly = weather.hourly.map((row) => pick(row, detailed ? hourlyDetailed : hourlyStandard))
  if (include.includes('alerts') && weather.alerts && (weather.alerts.length > 0 || alertsKnown(meta))) {
    const alerts = mostSevereFirst(weather.alerts)
    out.alerts = alerts.slice(0, 5).map((alert) => pick(alert, briefAlert))
    out.alerts_total = alerts.length
  }
  if (include.includes('outlooks') && weather.outlooks) out.outlooks = weather.outlooks
  return out
}

/** Largest forecast with its meta: narratives of the last days are dropped first. */
const MAX_FORECAST_BYTES = 19_800

function fitted(forecast: ForecastObject, meta: ToolMeta): { forecast: ForecastObject; meta: ToolMeta } {
  let over = Buffer.byteLength(JSON.stringify(forecast)) + Buffer.byteLength(JSON.stringify(meta)) - MAX_FORECAST_BYTES
  const days = forecast.daily?.map((day) => ({ ...day })) ?? []
  if (over <= 0 || !days.some(({ day, night }) => day ?? night)) return { forecast, meta }
  const cut: string[] = []
  for (const day of days.toReversed()) {
    if (over <= -200) break
    for (const side of ['day', 'night'] as const) {
      const { narrative, ...rest } = day[side] ?? {}
      if (narrative === undefined) continue
      day[side] = rest
      over -= Buffer.byteLength(JSON.stringify(narrative)) + 13
    }
    cut.unshift(day.date ?? '')
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
export function mostSevereFirst<T extends Partial<AlertJson>>(alerts: readonly T[]): T[] {
  const rank = ({ severity = 'Unknown' }: T) => (severities.indexOf(severity) + severities.length) % severities.length
  return [...alerts].sort((a, b) => rank(a) - rank(b) || String(a.onset).localeCompare(String(b.onset)))
}

/** Of a concise text, without its notes and sources; and with its notes. */
const CONCISE_CHARACTERS = 360
const CONCISE_WITH_NOTES = 500
/** With the next change as well. */
const CONCISE_WITH_CHANGE = 530

/** That none is in effect, when that was, and what is in effect near the place. */
function noAlertsWords(context: ToolContext, spot: Spot): string {
  const { alerts } = context.deps
  const now = alerts.now(context.now)
  const active = alerts.index.all(now).filter(({ head }) => head.status === 'Actual')
  const near = nearbyAlerts(active, spot)
  const beside = near.length > 0 ? `; within about ${NEARBY_KM} km: ${countWords(near, 3)}` : ''
  // Those that may be in effect here without anybody knowing are a warning of the forecast, so a note.
  return `No active alerts here as of ${localTime(now, spot.timezone)}${beside}.`
}

/** Alerts first, then now, outlooks, the next change, every day that was asked for. */
function forecastLines(
  context: ToolContext,
  { weather, spot, meta }: Forecast,
  forecast: ForecastObject,
  include: readonly IncludeToken[],
  level: Level,
): string[] {
  const { units } = weather
  const lines: string[] = []
  if (include.includes('alerts')) {
    if (!forecast.alerts) lines.push('Alerts are not known now: this is not an all-clear.')
    else if (forecast.alerts.length > 0)
      lines.push(
        alertWords(
          mostSevereFirst(weather.alerts ?? []).slice(0, 5),
          forecast.alerts_total ?? 0,
          context.now,
          spot.timezone,
        ),
      )
  }
  const now = include.includes('current') && weather.current && nowWords(weather.current, units, level === 'concise')
  if (now && weather.current)
    lines.push(`${spot.location.name}, ${localTime(weather.current.time, spot.timezone)}: ${now}.`)
  else lines.push(`Forecast for ${spot.location.name} (local time ${localTime(meta.generated_at, spot.timezone)}).`)
  if (forecast.alerts?.length === 0) lines.push(noAlertsWords(context, spot))
  const outlook = outlookWords(forecast.outlooks ?? [], level === 'concise')
  if (outlook) lines.push(outlook)
  if (forecast.daily) {
    const days = (weather.daily ?? []).map((day) => dayWords(day, units)).filter(Boolean)
    const used = [...lines, ...days.slice(0, 2)].reduce((sum, line) => sum + line.length, 0)
    const noted = used + charactersOfNotes(meta.warnings, include)
    const long = used > CONCISE_CHARACTERS || noted > CONCISE_WITH_NOTES
    const shown = level === 'concise' ? days.slice(0, long ? 1 : 2) : days
    const change = nextChange(weather.daily ?? [], units)
    // The line of a shown day has what changes.
    const known = change && shown.some((line) => change.includes(`on ${line.split(':')[0]}`))
    if (change && (level !== 'concise' || !(known || noted + change.length > CONCISE_WITH_CHANGE))) lines.push(change)
    lines.push(...shown, ...(days.length > shown.length ? [`${days.length - shown.length} more days in data.`] : []))
  }
  if (forecast.hourly) {
    const hours = hourLines(weather.hourly ?? [], units, spot.timezone)
    const most = level === 'concise' ? 4 : 24
    lines.push(
      `Hourly, times ${zoneName(meta.generated_at, spot.timezone)}, chance and amount ${HOUR_OF_ROWS}:`,
      ...hours.slice(0, most),
    )
    if (hours.length > most) lines.push(`${hours.length - most} more hours in data.`)
  }
  return lines
}

/** About as many as the notes of these sections have, each with its section. */
function charactersOfNotes(warnings: Forecast['meta']['warnings'], include: readonly string[]): number {
  const own = warnings.filter(({ section }) => include.includes(section))
  return own.reduce((sum, { detail = '' }) => sum + detail.length + 16, 0)
}

function widgetEntries(forecast: ForecastObject): ReturnType<typeof entry>[] {
  const entries: ReturnType<typeof entry>[] = []
  if (forecast.alerts && forecast.alerts.length > 0)
    entries.push(
      entry('AlertList', {
        alerts: forecast.alerts.slice(0, 2).map((row) => pick(row, ['event', 'severity', 'ends'])),
      }),
    )
  if (forecast.current)
    entries.push(
      entry(
        'CurrentCard',
        pick(forecast.current as Record<string, unknown>, [
          'time',
          'temperature',
          'feels_like',
          'wind_speed',
          'wind_gust',
          'conditions',
          'icon',
        ]),
      ),
    )
  if (forecast.daily)
    entries.push(
      entry('DailyStrip', {
        days: forecast.daily
          .slice(0, 7)
          .map((row) => pick(row, ['date', 'high', 'low', 'icon', 'precip_probability', 'wind_speed_max'])),
      }),
    )
  return entries
}

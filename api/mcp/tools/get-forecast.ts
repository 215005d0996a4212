import { z } from 'zod'
import type { AstroValue, CurrentValue, DayValue, HourValue, OutlookValue } from '../../answer/value.ts'
import { findSpot, type Spot } from '../../dataset/spot.ts'
import type { AlertJson } from '../../live/alerts.ts'
import type { UnitLabels } from '../../present/units.ts'
import { type IncludeToken, includeTokens } from '../../query/query.ts'
import type { ToolContext } from '../protocol/context.ts'
import { ToolError } from '../protocol/error.ts'
import * as shape from '../protocol/input.ts'
import { type ToolMeta, tool } from '../protocol/tool.ts'
import { countWords } from '../query/alert-selection.ts'
import { NEARBY_KM, nearbyAlerts } from '../query/alerts-nearby.ts'
import { alertsDoubt, alertsKnown, briefAlert, forecastAt, pick, type ToolForecast } from '../query/forecast.ts'
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
import { absence } from '../words/absence.ts'
import {
  alertWords,
  DAYS_OF_ROWS,
  dayWords,
  HOUR_OF_ROWS,
  hourLines,
  nextChange,
  nowWords,
  outlookWords,
} from '../words/forecast-words.ts'
import { peakLines, periodLines, worstHourLine, worstLaterDay } from '../words/hour-peaks.ts'
import { quotedFields } from '../words/quote.ts'
import { dayName, lengthOf, localTime, reply, zoneName } from '../words/reply.ts'
import { entry, widgetOf } from '../words/widget-entries.ts'

const offered = ['current', 'daily', 'hourly', 'alerts', 'outlooks'] as const
const severities = ['Extreme', 'Severe', 'Moderate', 'Minor', 'Unknown']
type DetailLevel = 'concise' | 'standard' | 'detailed'

export const getForecast = tool({
  name: 'get_forecast',
  earlier: true,
  title: 'Get forecast',
  description:
    'First choice for any question about the weather at a US place (50 states and DC): now, this week, the weekend, day by day with highs and lows, alerts and severe outlooks. A time of day: get_hourly_forecast; rain within 90 minutes: get_precipitation_nowcast; how sure: get_forecast_distribution; when to do something outside: find_best_window; past days: get_past_weather.',
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
    const answer = await forecastAt(context, spot, {
      units: input.units,
      include: [...include, ...(include.includes('daily') ? (['astro'] as const) : [])],
      days: input.days,
      hours: input.detail_level === 'detailed' ? 48 : 24,
    })
    const { forecast, meta } = fitted(forecastObject(answer, include, input.detail_level), answer.meta)
    return reply({
      structured: { location: spot.location, units: input.units, forecast, widget: widgetOf(widgetEntries(forecast)) },
      lines: (room) => linesWithin(room, context, answer, forecast, { include, level: input.detail_level }),
      meta,
      sections: include,
      concise: input.detail_level === 'concise',
      ...(forecast.alerts && { quotes: quotedFields('NWS alerts', 'forecast.alerts[].headline') }),
    })
  },
})

/** Returns the tokens of `include`. @throws ToolError bad-request that names the unknown tokens */
function sectionsOf(include: string): (typeof offered)[number][] {
  const tokens = include
    .split(',')
    .map((token) => token.trim())
    .filter(Boolean)
  const sections = offered.filter((section) => tokens.includes(section))
  const unknown = tokens.filter((token) => !sections.some((section) => section === token))
  if (unknown.length > 0 || tokens.length === 0) {
    const known = unknown.filter((token) => includeTokens.some((section) => section === token))
    const elsewhere = known.length > 0 ? ` Other tools give ${known.join(', ')}.` : ''
    throw new ToolError(
      'bad-request',
      `include must be a list of ${offered.join(', ')}, but was "${unknown.join(', ') || include}".${elsewhere}`,
      'call again with these tokens only.',
      { field: 'include', allowed: offered, got: include },
    )
  }
  return sections
}

/** The member `forecast` of the result: the values of REST in fewer columns. */
interface ForecastObject {
  timezone: string
  units: UnitLabels
  current?: Partial<CurrentValue>
  daily?: (Partial<Omit<DayValue, 'astro' | 'day' | 'night'>> & {
    astro?: Partial<AstroValue>
    day?: { narrative?: string }
    night?: { narrative?: string }
  })[]
  hourly?: Partial<HourValue>[]
  alerts?: Partial<AlertJson>[]
  alerts_total?: number
  outlooks?: readonly OutlookValue[]
}

function forecastObject(
  { weather, spot, meta }: ToolForecast,
  include: readonly IncludeToken[],
  level: DetailLevel,
): ForecastObject {
  const detailed = level === 'detailed'
  const forecast: ForecastObject = { timezone: spot.timezone, units: weather.units }
  if (include.includes('current') && weather.current)
    forecast.current = detailed
      ? weather.current
      : pick(weather.current, level === 'concise' ? currentConcise : currentStandard)
  if (include.includes('daily') && weather.daily)
    forecast.daily = weather.daily.map((row) =>
      detailed
        ? {
            ...pick(row, dailyDetailed),
            ...(row.astro && { astro: pick(row.astro, ['sunrise', 'sunset']) }),
            ...(row.day && { day: pick(row.day, periodColumns) }),
            ...(row.night && { night: pick(row.night, periodColumns) }),
          }
        : pick(row, level === 'concise' ? dailyConcise : dailyStandard),
    )
  if (include.includes('hourly') && weather.hourly)
    forecast.hourly = weather.hourly.map((row) => pick(row, detailed ? hourlyDetailed : hourlyStandard))
  if (include.includes('alerts') && weather.alerts && (weather.alerts.length > 0 || alertsKnown(meta))) {
    const alerts = mostSevereFirst(weather.alerts)
    forecast.alerts = alerts.slice(0, 5).map((alert) => pick(alert, briefAlert))
    forecast.alerts_total = alerts.length
  }
  if (include.includes('outlooks') && weather.outlooks) forecast.outlooks = weather.outlooks
  return forecast
}

/** Largest size of the forecast with its meta, bytes. */
const MAX_FORECAST_BYTES = 19_800

/** Drops narratives, those of the last days first, until the forecast fits; a warning says from which date. */
function fitted(forecast: ForecastObject, meta: ToolMeta): { forecast: ForecastObject; meta: ToolMeta } {
  let over = Buffer.byteLength(JSON.stringify(forecast)) + Buffer.byteLength(JSON.stringify(meta)) - MAX_FORECAST_BYTES
  const days = forecast.daily?.map((day) => ({ ...day })) ?? []
  if (over <= 0 || !days.some(({ day, night }) => day ?? night)) return { forecast, meta }
  const shortened: string[] = []
  for (const day of days.toReversed()) {
    if (over <= -200) break
    for (const side of ['day', 'night'] as const) {
      const { narrative, ...period } = day[side] ?? {}
      if (narrative === undefined) continue
      day[side] = period
      over -= Buffer.byteLength(JSON.stringify(narrative)) + 13
    }
    shortened.unshift(day.date ?? '')
  }
  const warning = {
    code: 'fields_missing' as const,
    section: 'daily',
    detail: `to keep the answer short, the narratives from ${shortened[0]} on are left out: ask for fewer days`,
    fields: ['narrative'],
  }
  return { forecast: { ...forecast, daily: days }, meta: { ...meta, warnings: [...meta.warnings, warning] } }
}

/** Sorts by severity, the most severe first, then by the time of the begin. */
function mostSevereFirst<T extends Partial<AlertJson>>(alerts: readonly T[]): T[] {
  const rank = ({ severity = 'Unknown' }: T) => (severities.indexOf(severity) + severities.length) % severities.length
  return [...alerts].sort((a, b) => rank(a) - rank(b) || String(a.onset).localeCompare(String(b.onset)))
}

/** Longest concise text without its notes and sources, characters. */
const CONCISE_CHARACTERS = 360
/** Longest concise text with its notes. */
const CONCISE_WITH_NOTES = 500
/** Longest concise text with its notes and the next change. */
const CONCISE_WITH_CHANGE = 530

/** Says that no alert is in effect, at which time, and which alerts are in effect near the place. */
function noAlertsWords(context: ToolContext, spot: Spot): string {
  const { alerts } = context.deps
  const now = alerts.now(context.now)
  const active = alerts.index.all(now).filter(({ head }) => head.status === 'Actual')
  const near = nearbyAlerts(active, spot)
  const beside = near.length > 0 ? `; within about ${NEARBY_KM} km: ${countWords(near, 3)}` : ''
  return absence('alerts', { where: 'here', asOf: `as of ${localTime(now, spot.timezone)}${beside}` })
}

interface ForecastText {
  readonly include: readonly IncludeToken[]
  readonly level: DetailLevel
}

/** Returns lines that fit into `room` characters: first without the next change, then with fewer of the current conditions. */
function linesWithin(
  room: number,
  context: ToolContext,
  answer: ToolForecast,
  forecast: ForecastObject,
  { include, level }: ForecastText,
): string[] {
  const lessDetailed = level === 'detailed' ? 'standard' : level
  for (const hasChange of [true, false]) {
    const lines = forecastLines(context, answer, forecast, { include, level, room, hasChange })
    if (lengthOf(lines) <= room) return lines
  }
  return forecastLines(context, answer, forecast, { include, level: lessDetailed, room, hasChange: false })
}

/** Returns lines of the text: alerts, current conditions, outlooks, the next change, then every requested day. */
function forecastLines(
  context: ToolContext,
  { weather, spot, meta }: ToolForecast,
  forecast: ForecastObject,
  { include, level, room, hasChange }: ForecastText & { readonly room: number; readonly hasChange: boolean },
): string[] {
  const { units } = weather
  const lines: string[] = []
  if (include.includes('alerts')) {
    if (!forecast.alerts)
      lines.push(
        absence('alerts', { where: 'here', asOf: '' }, alertsDoubt(meta) ?? 'the NWS alert feed could not be read'),
      )
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
  const now = include.includes('current') && weather.current && nowWords(weather.current, units, level)
  if (now && weather.current)
    lines.push(`${spot.location.name}, ${localTime(weather.current.time, spot.timezone)}: ${now}.`)
  else lines.push(`Forecast for ${spot.location.name} (local time ${localTime(meta.generated_at, spot.timezone)}).`)
  if (forecast.alerts?.length === 0) lines.push(noAlertsWords(context, spot))
  const outlook = outlookWords(forecast.outlooks ?? [], level === 'concise')
  if (outlook) lines.push(outlook)
  if (forecast.daily) {
    const change = hasChange ? nextChange(weather.daily ?? [], units) : undefined
    const others = lengthOf([...lines, DAYS_OF_ROWS, ...(change ? [change] : [])])
    const days = fittedDays(weather.daily ?? [], units, { isDetailed: level === 'detailed', room: room - others })
    const textLength = [...lines, ...days.slice(0, 2)].reduce((sum, line) => sum + line.length, 0)
    const withNotes = textLength + charactersOfNotes(meta.warnings, include)
    const isLong = textLength > CONCISE_CHARACTERS || withNotes > CONCISE_WITH_NOTES
    const shown = level === 'concise' ? conciseDays(days, weather.daily ?? [], isLong ? 1 : 2) : days
    // The line of a shown day already says what changes.
    const isShown = change && shown.some((line) => change.includes(`on ${line.split(':')[0]}`))
    if (change && (level !== 'concise' || !(isShown || withNotes + change.length > CONCISE_WITH_CHANGE)))
      lines.push(change)
    if (level !== 'concise' && shown.length > 0) lines.push(DAYS_OF_ROWS)
    lines.push(...shown, ...(days.length > shown.length ? [`${days.length - shown.length} more days in data.`] : []))
  }
  if (forecast.hourly) {
    const rows = weather.hourly ?? []
    const most = level === 'concise' ? 3 : 12
    lines.push(
      `Hourly, times ${zoneName(meta.generated_at, spot.timezone)}, chance and amount ${HOUR_OF_ROWS}:`,
      ...(level === 'concise' ? worstHourLine(rows, units, spot.timezone) : peakLines(rows, units, spot.timezone)),
      ...hourLines(rows.slice(0, most), units, spot.timezone),
      ...(level === 'concise'
        ? []
        : periodLines(rows.slice(most), {
            units,
            timezone: spot.timezone,
            length: 6,
            isDetailed: level === 'detailed',
          })),
    )
  }
  return lines
}

/** Returns the first lines of days, and that of the worst weather to come, which is never left out. */
export function conciseDays(lines: readonly string[], daily: readonly DayValue[], count: number): string[] {
  const worst = worstLaterDay(daily)
  const name = worst === undefined ? undefined : dayName(daily[worst]?.date ?? '')
  return lines.filter((line, i) => i < count || line.startsWith(`${name}: `))
}

/** Longest lines of days, characters. */
const MAX_DAYS_CHARACTERS = 920

/**
 * Returns lines of days. If they are too long, later days leave out UV, CAPE and visibility, then the words of high and low,
 * then the amount of rain: every day has a line.
 */
function fittedDays(
  daily: readonly DayValue[],
  units: UnitLabels,
  { isDetailed, room }: { readonly isDetailed: boolean; readonly room: number },
): string[] {
  const compose = (full: number, long: DayLength, later: DayLength) =>
    daily.map((day, i) => dayWords(day, units, i < full ? long : later)).filter(Boolean)
  const preferred = isDetailed ? dayLengths : dayLengths.slice(1)
  for (const [long, later] of preferred)
    for (let full = daily.length; full >= 0; full--) {
      const lines = compose(full, long, later)
      if (lengthOf(lines) <= Math.min(room, MAX_DAYS_CHARACTERS)) return lines
    }
  // Many days are longer than usual, and still fit into the text.
  for (let full = daily.length; full > 0; full--) {
    const lines = compose(full, 'short', 'brief')
    if (lengthOf(lines) <= room) return lines
  }
  return compose(0, 'short', 'brief')
}

type DayLength = 'brief' | 'short' | 'standard' | 'detailed'
/** Lengths of the first and of the later days, the longest first. */
const dayLengths = [
  ['detailed', 'standard'],
  ['standard', 'short'],
] as const satisfies readonly (readonly [DayLength, DayLength])[]

/** Returns the approximate length of the notes of these sections in the text. */
function charactersOfNotes(warnings: ToolForecast['meta']['warnings'], include: readonly string[]): number {
  const noted = warnings.filter(({ section }) => include.includes(section))
  return noted.reduce((sum, { detail = '' }) => sum + detail.length + 16, 0)
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
        pick(forecast.current, ['time', 'temperature', 'feels_like', 'wind_speed', 'wind_gust', 'conditions', 'icon']),
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

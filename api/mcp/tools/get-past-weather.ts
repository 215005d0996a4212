import { z } from 'zod'
import { MAX_MISSING_HOURS } from '../../../ingest/domain/dataset/season.ts'
import { HOUR, isoSeconds } from '../../../ingest/domain/time.ts'
import { zone } from '../../../ingest/domain/timezone.ts'
import { quantityOf } from '../../answer/values.ts'
import { analyses } from '../../blend/field-table.ts'
import type { MetaWarning } from '../../contract.ts'
import { findSpot, type Spot } from '../../dataset/spot.ts'
import { type UnitSystem, type Units, units } from '../../present/units.ts'
import type { ToolContext } from '../protocol/context.ts'
import { allOf, ToolError } from '../protocol/error.ts'
import * as shape from '../protocol/input.ts'
import { pointAt } from '../protocol/point.ts'
import { tool } from '../protocol/tool.ts'
import { HOURLY_TOTALS, hourlyTotals, sumOf } from '../query/hourly-totals.ts'
import {
  analysisFamilies,
  dateOf,
  dayNumber,
  firstStoredTime,
  hoursOfDay,
  type PastHours,
  pastHours,
} from '../query/past-days.ts'
import { type PastExtremes, reportedExtremes, storedExtremes } from '../query/past-extremes.ts'
import { dayName, phrase, plainMeta, reply, valueWords } from '../words/reply.ts'
import { hourlyDayLines } from '../words/series-words.ts'

const variables = ['temperature', 'dew_point', 'wind_speed', 'wind_gust']
const number = z.number().nullable()
/** Days in the text block. */
const MAX_LINES = 14

export const getPastWeather = tool({
  name: 'get_past_weather',
  title: 'Get past weather',
  description:
    'What the weather was on past days at a US place: highs, lows, wind and gusts by analyses, rain of the last 3 days, on request hour by hour: "how hot was it yesterday". At most 31 days (7 hourly), 180 days back. Rain of the last hours: get_precipitation_totals; now and ahead: get_forecast.',
  input: z.strictObject({
    ...shape.place,
    ...shape.units,
    start: shape.day('First day, yesterday where absent').optional(),
    end: shape.day('Last day, start where absent').optional(),
    hourly: z.boolean().default(false).describe('Also hour by hour.'),
  }),
  output: z.object({
    location: shape.location,
    units: z.string(),
    days: z.array(
      z.object({
        date: z.string(),
        high: number,
        low: number,
        precip_total: number,
        wind_speed_max: number,
        wind_gust_max: number,
        source: z.enum(['observed', 'analysis', 'mixed']),
        complete: z.boolean(),
        hours_available: z.number().int(),
        hours_total: z.number().int(),
      }),
    ),
    hourly: shape.series.nullable(),
    meta: shape.meta,
  }),
  async run(input, context) {
    let timezone = 'America/New_York'
    const [spot, days] = allOf(
      () => {
        const place = findSpot(input)
        timezone = place.timezone
        return place
      },
      () => requestedDays(input, zone(timezone).dayOf(context.now)),
    )
    const system = units[input.units]
    const today = zone(spot.timezone).dayOf(context.now)
    const history = await historyOf(context, spot, days, input)
    const { past, stored, reported } = history
    const rows: PastDay[] = []
    for (const day of days) rows.push(await pastDay(context, spot, day, history, system))
    const hourly = input.hourly ? hourlySeries(past, system) : null
    const withoutTotals = rows.filter(({ precip_total }) => precip_total === null).map(({ date }) => date)
    const freshness = [...past.used].map(([id, at]) => ({ source: id, product_id: id, referenceTime: at }))
    const sources = [...past.used.keys(), ...(stored.size > 0 ? seasonSources(context) : [])]
    return reply({
      structured: { location: spot.location, units: input.units, days: rows, hourly },
      opening: openingOf(rows, dateOf(today)),
      lines: [
        `Past weather at ${spot.location.name}:`,
        ...rows.slice(0, MAX_LINES).map((row) => dayLine(row, dateOf(today), system)),
        ...(rows.length > MAX_LINES ? [`${rows.length - MAX_LINES} more in data.`] : []),
        ...(hourly ? hourlyLines(hourly, spot.timezone) : []),
      ],
      meta: plainMeta(context, [...new Set(sources), ...(withoutTotals.length < rows.length ? [HOURLY_TOTALS] : [])], {
        warnings: [...totalsWarnings(withoutTotals), ...reportWarnings(reported)],
        freshness,
        spots: [spot],
      }),
    })
  },
})

interface PeriodInput {
  readonly start?: string
  readonly end?: string
  readonly hourly: boolean
}

/** Returns the requested days, as days since 1970-01-01; yesterday without a request. @throws ToolError bad-request */
function requestedDays({ start, end, hourly }: PeriodInput, today: number): number[] {
  const [startDay, endDay] = allOf(
    () => (start === undefined ? undefined : dayNumber(start, 'start')),
    () => (end === undefined ? undefined : dayNumber(end, 'end')),
  )
  const first = startDay ?? endDay ?? today - 1
  const last = endDay ?? first
  const count = last - first + 1
  const most = hourly ? 7 : 31
  allOf(
    () => {
      if (last < first)
        throw new ToolError('bad-request', `end ${end} lies before start ${start}.`, 'swap the two and call again.', {
          field: 'end',
          got: end,
        })
    },
    () => {
      const latest = Math.max(first, last)
      if (latest > today)
        throw new ToolError(
          'bad-request',
          `${dateOf(latest)} lies in the future; the last day is ${dateOf(today)}.`,
          'call get_forecast for the days ahead.',
          { field: 'end', got: dateOf(latest), allowed: dateOf(today), suggestions: ['get_forecast'] },
        )
    },
    () => {
      if (count > most)
        throw new ToolError(
          'bad-request',
          `The period must be at most ${most} days${hourly ? ' hour by hour' : ''}, but was ${count} days.`,
          hourly ? 'ask for fewer days, or for 31 days without hourly.' : 'ask for fewer days in each call.',
          { field: 'start', allowed: most, got: count },
        )
    },
  )
  return Array.from({ length: count }, (_, i) => first + i)
}

interface PastHistory {
  readonly past: PastHours
  /** Highs and lows that are stored by day. */
  readonly stored: ReadonlyMap<number, PastExtremes>
  /** Highs and lows from climate reports, for days that lack stored values. */
  readonly reported: ReadonlyMap<number, PastExtremes>
}

/** Returns the stored values of the days. @throws ToolError bad-request before the first stored day, no-data if nothing is stored */
async function historyOf(
  context: ToolContext,
  spot: Spot,
  days: readonly number[],
  { start, end, units: system }: { readonly start?: string; readonly end?: string; readonly units: UnitSystem },
): Promise<PastHistory> {
  const place = zone(spot.timezone)
  const today = place.dayOf(context.now)
  const [first, last] = [Math.min(...days), Math.max(...days)]
  const [firstTime, firstSeasonDay, reports] = await Promise.all([
    firstStoredTime(context),
    context.deps.live.season.firstDay(spot.resolved.domain),
    reportedExtremes(
      context,
      spot,
      days.filter((day) => day < today),
    ),
  ])
  if (firstTime === undefined && firstSeasonDay === undefined && reports.size === 0)
    throw new ToolError(
      'no-data',
      'No analysis is stored: history begins when this installation begins to collect it.',
      `${otherTools(first, today)}; get_forecast answers for now and the days ahead.`,
    )
  const firstHourly = firstTime === undefined ? today : place.dayOf(firstTime)
  const firstDay = Math.min(firstHourly, firstSeasonDay ?? today, ...reports.keys())
  if (first < firstDay)
    throw beforeStored(
      dateOf(first),
      dateOf(firstDay),
      start === undefined && end === undefined,
      otherTools(first, today),
    )
  const [from, to] = [place.startOfDay(first), Math.min(place.startOfDay(last + 1) - 1, context.now)]
  const past = await pastHours(context, spot, from, to, variables, system)
  const stored = await storedExtremes(context, spot, first, last)
  if (past.used.size === 0 && stored.size === 0 && reports.size === 0)
    throw new ToolError(
      'no-data',
      `No analysis is stored for ${spot.location.name} from ${dateOf(first)} to ${dateOf(last)}.`,
      `${otherTools(first, today)}; describe_dataset lists the stored runs of urma and rtma.`,
    )
  const temperatures = past.values.get('temperature')
  const reported = new Map(
    [...reports].filter(([day]) => {
      const hours = hoursOfDay(day, spot.timezone)
      const known = hours.filter((hour) => temperatures?.has(hour)).length
      return !stored.has(day) && known < hours.length - MAX_MISSING_HOURS
    }),
  )
  return { past, stored, reported }
}

type PastDay = Awaited<ReturnType<typeof pastDay>>

/** Returns a row of the answer. Daily highs and lows are stored longer than hours, so they fill in for missing hours. */
async function pastDay(
  context: ToolContext,
  spot: Spot,
  day: number,
  { past, stored, reported }: PastHistory,
  system: Units,
) {
  const hours = hoursOfDay(day, spot.timezone)
  const valuesOf = (name: string) =>
    hours.map((hour) => past.values.get(name)?.get(hour)).filter((value) => value !== undefined)
  const highest = (values: readonly number[]) => (values.length > 0 ? Math.max(...values) : null)
  const temperatures = valuesOf('temperature')
  const isWhole = temperatures.length === hours.length
  const extremes = isWhole ? undefined : (stored.get(day) ?? reported.get(day))
  const shownTemperature = (celsius: number) => system.show('temperature', celsius + 273.15)
  const isObserved = extremes
    ? extremes.source === 'observed'
    : hours.every((hour) => past.origin.get(hour) === 'observed')
  return {
    date: dateOf(day),
    high: extremes ? shownTemperature(extremes.max) : highest(temperatures),
    low: extremes ? shownTemperature(extremes.min) : temperatures.length > 0 ? Math.min(...temperatures) : null,
    precip_total: await rainOf(context, spot, hours, system),
    wind_speed_max: highest(valuesOf('wind_speed')),
    wind_gust_max: highest(valuesOf('wind_gust')),
    source: isObserved ? 'observed' : 'analysis',
    complete: extremes !== undefined || isWhole,
    hours_available: temperatures.length,
    hours_total: hours.length,
  }
}

/** Returns the precipitation of the hours of a local date; null for a day that is not over, and if hourly radar totals are not stored. */
async function rainOf(context: ToolContext, spot: Spot, hours: readonly number[], system: Units) {
  const end = Math.max(...hours) + HOUR
  if (end > context.now) return null
  const point = pointAt(context, spot)
  const { coverage, mm } = sumOf(await hourlyTotals(context.deps.radar, point, end, hours.length))
  return coverage === 'value' || coverage === 'dry' ? system.show('precip_amount', mm) : null
}

function hourlySeries({ values, origin, used }: PastHours, system: Units) {
  const times = [...origin.keys()].sort((a, b) => a - b)
  return {
    dataset_id: [...used.keys()][0] ?? analyses[1],
    valid_times: times.map((time) => isoSeconds(time)),
    data: Object.fromEntries(variables.map((name) => [name, times.map((time) => values.get(name)?.get(time) ?? null)])),
    units: Object.fromEntries(variables.map((name) => [name, labelOf(name, system)])),
  }
}

/** Returns the temperature of every hour, and for one or two days the wind and the gusts too. */
function hourlyLines(
  { valid_times, data, units: labels }: ReturnType<typeof hourlySeries>,
  timezone: string,
): string[] {
  const names = valid_times.length <= 50 ? ['temperature', 'wind_speed', 'wind_gust'] : ['temperature']
  return names.flatMap((name) =>
    hourlyDayLines(
      name.replaceAll('_', ' '),
      { times: valid_times, values: data[name] ?? [], unit: labels[name] },
      timezone,
    ),
  )
}

const labelOf = (variable: string, system: Units) => system.conversions[quantityOf(variable)].label

/** Returns the analyses whose daily highs and lows are stored. */
const seasonSources = (context: ToolContext) =>
  analysisFamilies(context).flatMap(({ family, origin }) => (origin === 'observed' ? [family.id] : []))

function openingOf(rows: readonly PastDay[], today: string): string {
  const over = rows.filter(({ date }) => date < today)
  const known = over.filter(
    ({ complete, hours_available, hours_total }) => complete || hours_available >= hours_total - MAX_MISSING_HOURS,
  )
  return [
    ...(over.length > 0 ? [`${known.length} of ${over.length} days stored.`] : []),
    ...(rows.some(({ date }) => date === today) ? ['Today is not over.'] : []),
  ].join(' ')
}

function dayLine(day: PastDay, today: string, system: Units): string {
  const [degrees, speed] = [labelOf('temperature', system), labelOf('wind_speed', system)]
  const words = phrase(
    valueWords('high', day.high, degrees),
    valueWords('low', day.low, degrees),
    valueWords('wind up to', day.wind_speed_max, speed),
    valueWords('gusts', day.wind_gust_max, speed),
    valueWords('rain or melted snow', day.precip_total, system.conversions.precip_amount.label),
  )
  const hours = `${day.hours_available} of ${day.hours_total} hours`
  const note = day.complete
    ? ''
    : day.date === today
      ? ` (${hours}, the day is not over)`
      : ` (${hours} stored: extremes may lie in the missing hours)`
  return `${dayName(day.date)}: ${words || 'nothing stored'}${note}`
}

function totalsWarnings(dates: readonly string[]): MetaWarning[] {
  if (dates.length === 0) return []
  const list = `${dates.slice(0, 7).join(', ')}${dates.length > 7 ? ' …' : ''}`
  const detail = `precipitation is not known for ${list}: hourly radar totals are stored for 72 hours; get_precipitation_totals answers for the last hours`
  return [{ code: 'not_held', section: 'days', detail, fields: ['precip_total'] }]
}

/** Returns one warning for each station whose climate reports gave highs and lows. */
function reportWarnings(reported: PastHistory['reported']): MetaWarning[] {
  const stations = new Map([...reported.values()].flatMap(({ station }) => (station ? [[station.id, station]] : [])))
  return [...stations.values()].map(({ id, km }) => {
    const dates = [...reported].filter(([, { station }]) => station?.id === id).map(([day]) => dateOf(day))
    const detail = `the high and low of ${dates.join(', ')} come from the daily climate report of ${id}, ${km.toFixed(0)} km away: too few analyses are stored`
    return { code: 'history_short', section: 'days', detail }
  })
}

/** Number of days for which reports of stations and hourly radar totals are stored, and for which climate reports are stored. */
const REPORT_DAYS = 3
const CLIMATE_REPORT_DAYS = 7

/** Returns a sentence with the tools that can answer for a day without a stored analysis, or the closest tool for an old day. */
function otherTools(day: number, today: number): string {
  const ago = today - day
  const climate = `get_climate_records with type reports and date ${dateOf(day)} gives highs, lows and precipitation of climate stations by office`
  if (ago <= REPORT_DAYS)
    return `get_observations with hours ${Math.min(72, 24 * (ago + 1))} gives what stations reported, get_precipitation_totals the rain of the last 72 hours, and ${climate}`
  if (ago <= CLIMATE_REPORT_DAYS) return climate
  return `no tool of this server has the weather of ${dateOf(day)}; get_climate_normals with date ${dateOf(day)} gives what is usual on that date`
}

/** @param isDefault whether the call named no day, so that yesterday was used */
export function beforeStored(day: string, firstDay: string, isDefault: boolean, otherAdvice: string): ToolError {
  return new ToolError(
    'bad-request',
    `${day}${isDefault ? ' (yesterday, as no start was given)' : ''} lies before the first stored day, ${firstDay}.`,
    `call again with start ${firstDay} or later; ${otherAdvice}.`,
    { field: 'start', allowed: firstDay, got: day },
  )
}

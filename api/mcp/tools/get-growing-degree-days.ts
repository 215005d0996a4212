import { z } from 'zod'
import { MAX_MISSING_HOURS } from '../../../ingest/domain/dataset/season.ts'
import { nearest } from '../../../ingest/domain/nearest.ts'
import { zone } from '../../../ingest/domain/timezone.ts'
import type { MetaWarning } from '../../contract.ts'
import { findSpot, type Spot } from '../../dataset/spot.ts'
import type { ToolContext } from '../protocol/context.ts'
import { ToolError } from '../protocol/error.ts'
import * as shape from '../protocol/input.ts'
import { tool } from '../protocol/tool.ts'
import { crops, degreeDays } from '../query/crops.ts'
import { forecastAt, type ToolForecast } from '../query/forecast.ts'
import { dateOf, dayNumber, hoursOfDay, pastHours } from '../query/past-days.ts'
import { reportedExtremes, storedExtremes } from '../query/past-extremes.ts'
import { joinMeta, reply } from '../words/reply.ts'

const MAX_PAST_DAYS = 180
/** The share of the past days that must be stored for a total. */
const MIN_COMPLETENESS = 0.9
/** Hourly analyses are stored for 30 days; older days are read only from the season. */
const HOURLY_DAYS = 31

interface DegreeDay {
  readonly date: string
  /** °C; null if nothing is stored for the day. */
  readonly max: number | null
  readonly min: number | null
  readonly source: 'observed' | 'analysis' | 'forecast' | null
  /** The station whose climate report gave the values. */
  readonly station?: { readonly id: string; readonly km: number }
}

export const getGrowingDegreeDays = tool({
  name: 'get_growing_degree_days',
  title: 'Get growing degree days',
  description:
    "Growing degree units for a crop at a US point from daily highs and lows: per day over the forecast, and with season_start the season's total: how far my corn is. Crops such as corn, soybean, wheat, cotton (an unknown one lists all), or custom with base_temp_c. Temperatures alone: get_forecast. No total below 90 % of past days, unless allow_partial.",
  input: z.strictObject({
    lat: z.number().min(-90).max(90).describe('Latitude.'),
    lon: z.number().min(-180).max(180).describe('Longitude.'),
    crop: z.string().min(1).max(40).describe('Crop of the catalog, or custom.'),
    season_start: shape.day('First day of the season, at most 180 days ago').optional(),
    days: z.number().int().min(1).max(30).default(10).describe('Days ahead.'),
    day_definition: z
      .enum(['nws', 'local_calendar'])
      .default('nws')
      .describe('nws: forecast high and low; local_calendar: midnight to midnight.'),
    unit: z.enum(['imperial', 'metric']).default('imperial').describe('°F-days or °C-days.'),
    base_temp_c: z.number().min(-20).max(40).optional().describe('Base, °C; required for custom.'),
    upper_temp_c: z.number().min(-20).max(60).optional().describe('Upper limit, °C.'),
    method: z.enum(['simple', 'modified']).optional().describe('modified where an upper limit is set.'),
    include_milestones: z.boolean().optional().describe('Also stages of the crop and their dates.'),
    allow_partial: z.boolean().default(false).describe('Total despite missing days.'),
  }),
  async run(input, context) {
    const options = optionsOf(input)
    const { crop, base, upper, method } = options
    const spot = findSpot({ lat: input.lat, lon: input.lon }, 'lat')
    const today = zone(spot.timezone).dayOf(context.now)
    const start = input.season_start === undefined ? undefined : seasonStart(input.season_start, today)
    const forecast = await forecastAt(context, spot, {
      units: 'metric',
      include: ['daily', 'hourly'],
      days: Math.min(14, input.days),
      hours: 336,
    })
    const days = await withToday(context, forecast, forecastDays(forecast, input), input.days)
    const pastDays = start === undefined ? [] : await daysBefore(context, spot, start, today)
    const scale = input.unit === 'imperial' ? 1.8 : 1
    const shown = (celsius: number | null) =>
      celsius === null ? null : round(input.unit === 'imperial' ? celsius * 1.8 + 32 : celsius)
    const unitsOf = ({ max, min }: DegreeDay) =>
      max === null || min === null ? null : scale * degreeDays(max, min, base, upper, method)
    const missing = pastDays.filter(({ max }) => max === null).length
    const isComplete = input.allow_partial || pastDays.length - missing >= MIN_COMPLETENESS * pastDays.length
    let sum = 0
    const series = [...pastDays, ...days].map((day) => {
      const gdu = unitsOf(day)
      sum += gdu ?? 0
      return { date: day.date, gdu: rounded(gdu), cumulative: isComplete ? round(sum) : null, source: day.source }
    })
    const toDate = series.filter(({ date }) => date <= dateOf(today)).at(-1)?.cumulative ?? 0
    const season =
      start === undefined
        ? null
        : { start: dateOf(start), total: isComplete ? toDate : null, missing_days: missing, series }
    const milestones = (crop?.stages ?? []).map(([name, gdu]) => {
      const stage = season?.series.find(({ cumulative }) => cumulative !== null && cumulative >= gdu * scale)
      const reached = !stage ? 'not reached' : stage.date <= dateOf(today) ? 'reached' : 'expected'
      return { name, gdu: round(gdu * scale), date: stage?.date ?? null, status: isComplete ? reached : 'unknown' }
    })
    const rows = days.map((day) => ({
      date: day.date,
      tmax: shown(day.max),
      tmin: shown(day.min),
      gdu: rounded(unitsOf(day)),
      source: day.source,
    }))
    const label = input.unit === 'imperial' ? '°F-days' : '°C-days'
    const limits = `base ${shown(base)}${upper === undefined ? '' : `, upper ${shown(upper)}`}`
    const lines = [
      `${crop?.name ?? 'Custom crop'} at ${spot.location.name}, ${limits} ${input.unit === 'imperial' ? '°F' : '°C'}, ${method}:`,
      ...rows.slice(0, 10).map(({ date, gdu }) => `${date}: ${gdu === null ? 'not known' : `${gdu} ${label}`}`),
      ...(season ? [seasonLine(season, label)] : []),
      ...(season ? milestoneLines(milestones, label) : []),
    ]
    return reply({
      structured: {
        location: spot.location,
        crop: { id: options.id, name: crop?.name ?? 'Custom' },
        unit: input.unit,
        method,
        base_temp: shown(base),
        upper_temp: upper === undefined ? null : shown(upper),
        day_definition: input.day_definition,
        days: rows,
        season,
        ...(input.include_milestones && { milestones }),
      },
      ...(season && { opening: `${pastDays.length - missing} of ${pastDays.length} past days stored.` }),
      lines,
      meta: joinMeta([forecast.meta], warningsOf(pastDays, isComplete, days.length, input.days)),
      sections: ['daily', 'season', 'days'],
    })
  },
})

interface CropInput {
  readonly crop: string
  readonly base_temp_c?: number
  readonly upper_temp_c?: number
  readonly method?: 'simple' | 'modified'
}

/** Returns the crop and the limits of the calculation, °C. @throws ToolError bad-request */
function optionsOf({ crop: name, base_temp_c, upper_temp_c, method }: CropInput) {
  const id = name.toLowerCase()
  const crop = crops[id]
  if (!crop && id !== 'custom') {
    const suggestions = nearest(id, Object.keys(crops))
    throw new ToolError(
      'bad-request',
      `crop must be ${Object.keys(crops).join(', ')} or custom, but was "${name}".${suggestions.length > 0 ? ` Nearest: ${suggestions.join(', ')}.` : ''}`,
      'call again with one of these crops, or with custom and base_temp_c.',
      { field: 'crop', allowed: [...Object.keys(crops), 'custom'], got: name, suggestions },
    )
  }
  const base = base_temp_c ?? crop?.base
  if (base === undefined)
    throw new ToolError(
      'bad-request',
      'base_temp_c is required for a custom crop.',
      'give the base temperature in °C.',
      { field: 'base_temp_c' },
    )
  const upper = upper_temp_c ?? crop?.upper
  if (upper !== undefined && upper <= base)
    throw new ToolError(
      'bad-request',
      `upper_temp_c must be above base_temp_c ${base}, but was ${upper}.`,
      'change one of the two and call again.',
      { field: 'upper_temp_c', got: upper },
    )
  return { id, crop, base, upper, method: method ?? (upper === undefined ? 'simple' : 'modified') } as const
}

/** Returns the first day of the season, as days since 1970-01-01. @throws ToolError bad-request for a day ahead or more than 180 days ago */
function seasonStart(date: string, today: number): number {
  const start = dayNumber(date, 'season_start')
  if (start > today)
    throw new ToolError(
      'bad-request',
      `season_start ${date} lies in the future.`,
      `give one of the last ${MAX_PAST_DAYS} days.`,
      { field: 'season_start', got: date, allowed: dateOf(today) },
    )
  if (today - start > MAX_PAST_DAYS)
    throw new ToolError(
      'bad-request',
      `season_start ${date} is more than ${MAX_PAST_DAYS} days ago.`,
      `give ${dateOf(today - MAX_PAST_DAYS)} or a later day.`,
      { field: 'season_start', got: date, allowed: dateOf(today - MAX_PAST_DAYS) },
    )
  return start
}

/** Returns the days of the forecast from today that have a high and a low by the chosen definition of a day. */
function forecastDays(
  { weather, spot }: ToolForecast,
  { days, day_definition }: { readonly days: number; readonly day_definition: 'nws' | 'local_calendar' },
): DegreeDay[] {
  const { dayOf } = zone(spot.timezone)
  const list: DegreeDay[] = []
  for (const row of weather.daily ?? []) {
    if (row.relative_day < 0 || list.length >= days) continue
    const day = dayNumber(row.date, 'date')
    const hours = (weather.hourly ?? [])
      .filter(({ time }) => dayOf(Date.parse(time)) === day)
      .map(({ temperature }) => temperature)
      .filter((value) => typeof value === 'number')
    const [max, min] =
      day_definition === 'nws'
        ? [row.high, row.low]
        : hours.length >= 20
          ? [Math.max(...hours), Math.min(...hours)]
          : [null, null]
    if (typeof max === 'number' && typeof min === 'number') list.push({ date: row.date, max, min, source: 'forecast' })
  }
  return list
}

/** Returns the days with today first: if the forecast no longer has its high or low, they come from its passed and remaining hours. */
async function withToday(
  context: ToolContext,
  { weather, spot }: ToolForecast,
  days: readonly DegreeDay[],
  count: number,
): Promise<readonly DegreeDay[]> {
  const place = zone(spot.timezone)
  const today = place.dayOf(context.now)
  const date = dateOf(today)
  if (days[0]?.date === date) return days
  const { values } = await pastHours(context, spot, place.startOfDay(today), context.now, ['temperature'], 'metric')
  const passed = values.get('temperature')
  const remaining = new Map((weather.hourly ?? []).map((row) => [Date.parse(row.time), row.temperature]))
  const hours = hoursOfDay(today, spot.timezone)
  const known = hours
    .map((hour) => passed?.get(hour) ?? remaining.get(hour))
    .filter((value) => typeof value === 'number')
  const day: DegreeDay =
    known.length < hours.length - MAX_MISSING_HOURS
      ? { date, max: null, min: null, source: null }
      : { date, max: Math.max(...known), min: Math.min(...known), source: 'forecast' }
  return [day, ...days].slice(0, count)
}

/**
 * Returns the days from `from` to yesterday: the stored high and low, else those of the stored hours, else those in the climate report of a
 * station nearby.
 */
async function daysBefore(context: ToolContext, spot: Spot, from: number, today: number): Promise<DegreeDay[]> {
  const stored = await storedExtremes(context, spot, from, today - 1)
  let first = Math.max(from, today - HOURLY_DAYS)
  while (first < today && stored.has(first)) first++
  const past =
    first < today
      ? await pastHours(context, spot, zone(spot.timezone).startOfDay(first), context.now, ['temperature'], 'metric')
      : undefined
  const days = Array.from({ length: Math.max(0, today - from) }, (_, i): DegreeDay => {
    const day = from + i
    const date = dateOf(day)
    const extremes = stored.get(day)
    if (extremes) return { date, ...extremes }
    const hours = day < first ? [] : hoursOfDay(day, spot.timezone)
    const values = hours.flatMap((hour) => past?.values.get('temperature')?.get(hour) ?? [])
    if (values.length === 0 || values.length < hours.length - MAX_MISSING_HOURS)
      return { date, max: null, min: null, source: null }
    const isObserved = hours.every((hour) => past?.origin.get(hour) !== 'analysis')
    return { date, max: Math.max(...values), min: Math.min(...values), source: isObserved ? 'observed' : 'analysis' }
  })
  const missing = days.flatMap(({ max }, i) => (max === null ? [from + i] : []))
  const reported = await reportedExtremes(context, spot, missing)
  return days.map((day, i) => ({ ...day, ...reported.get(from + i) }))
}

/** Warnings about missing past days, about days from climate reports, and about a forecast that is shorter than requested. */
function warningsOf(
  pastDays: readonly DegreeDay[],
  isComplete: boolean,
  forecastLength: number,
  requestedLength: number,
): MetaWarning[] {
  const missing = pastDays.filter(({ max }) => max === null).length
  const warnings: MetaWarning[] = []
  const warn = (code: MetaWarning['code'], section: string, detail: string) => warnings.push({ code, section, detail })
  if (missing > 0)
    warn(
      'history_short',
      'season',
      `${missing} of ${pastDays.length} past days are not stored and are not in the sum${isComplete ? '' : '; no total is given unless allow_partial is set'}`,
    )
  const stations = new Map(pastDays.flatMap(({ station }) => (station ? [[station.id, station.km]] : [])))
  for (const [id, km] of stations) {
    const count = pastDays.filter(({ station }) => station?.id === id).length
    warn(
      'history_short',
      'season',
      `no analysis is stored for ${count} of the past days: they come from the daily climate report of ${id}, ${km.toFixed(0)} km away`,
    )
  }
  if (forecastLength < requestedLength)
    warn('source_missing', 'days', `the forecast has ${forecastLength} of ${requestedLength} days`)
  return warnings
}

/** Largest number of stages in the text. */
const MAX_STAGES = 12

/** Returns the stages of a crop in one line: when each was or will be reached. */
function milestoneLines(
  milestones: readonly {
    readonly name: string
    readonly gdu: number
    readonly date: string | null
    readonly status: string
  }[],
  label: string,
): string[] {
  if (milestones.length === 0) return []
  const stages = milestones.slice(0, MAX_STAGES).map(({ name, gdu, date, status }) => {
    const when =
      date === null ? (status === 'unknown' ? 'not known' : `${status} by the forecast`) : `${status} ${date}`
    return `${name} (${gdu} ${label}) ${when}`
  })
  return [`Stages: ${stages.join('; ')}.`]
}

function seasonLine(
  {
    start,
    total,
    missing_days,
  }: { readonly start: string; readonly total: number | null; readonly missing_days: number },
  label: string,
): string {
  if (total === null) return `Season since ${start}: no total, because too few of its days are stored.`
  return `Season since ${start}: ${total} ${label} to date${missing_days > 0 ? ', without the missing days' : ''}.`
}

const round = (value: number) => Math.round(value * 10) / 10
const rounded = (value: number | null) => (value === null ? null : round(value))

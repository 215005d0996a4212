import { z } from 'zod'
import { MAX_MISSING_HOURS } from '../../../ingest/domain/dataset/season.ts'
import { nearest } from '../../../ingest/domain/nearest.ts'
import { zone } from '../../../ingest/domain/timezone.ts'
import type { MetaWarning } from '../../contract.ts'
import { findSpot } from '../../dataset/spot.ts'
import { ToolError } from '../protocol/error.ts'
import * as shape from '../protocol/input.ts'
import { tool } from '../protocol/tool.ts'
import { crops, degreeDays } from '../query/crops.ts'
import { forecastAt } from '../query/forecast.ts'
import { dateOf, dayNumber, hoursOfDay, pastHours } from '../query/past-days.ts'
import { reportedExtremes, storedExtremes } from '../query/past-extremes.ts'
import { joinMeta, reply } from '../words/reply.ts'

const MAX_PAST_DAYS = 180
/** Share of the past days that must be stored for a total. */
const MIN_COMPLETENESS = 0.9
/** Hourly analyses are kept for 30 days; older days are read from the season alone. */
const HOURLY_DAYS = 31
interface DegreeDay {
  readonly date: string
  /** °C; null where nothing is stored for the day. */
  readonly max: number | null
  readonly min: number | null
  readonly source: 'observed' | 'analysis' | 'forecast' | null
  /** The climate report that it is of. */
  readonly station?: { readonly id: string; readonly km: number }
}

export const getGrowingDegreeDays = tool({
  name: 'get_growing_degree_days',
  title: 'Get growing degree days',
  description: `Growing degree units for a crop at a US point from daily highs and lows: per day over the forecast, and with season_start the season's total: how far a crop is. Crops such as corn, soybean, wheat, cotton, grape, apple (an unknown one lists all), or custom with base_temp_c. For temperatures alone use get_forecast. 10 days by default, 30 at most; °F-days. No season total where fewer than 90 % of its past days are stored, unless allow_partial. US states and DC.`,
  input: z.strictObject({
    lat: z.number().min(-90).max(90).describe('Latitude.'),
    lon: z.number().min(-180).max(180).describe('Longitude.'),
    crop: z.string().min(1).max(40).describe('Crop of the catalog, or custom.'),
    season_start: shape.day('First day of the season, at most 180 days ago').optional(),
    days: z.number().int().min(1).max(30).default(10).describe('Days ahead.'),
    day_definition: z
      .enum(['nws', 'local_calendar'])
      .default('nws')
      .describe('nws: high and low of the forecast; local_calendar: from midnight to midnight.'),
    unit: z.enum(['imperial', 'metric']).default('imperial').describe('°F-days or °C-days.'),
    base_temp_c: z.number().min(-20).max(40).optional().describe('Base, °C; required for custom.'),
    upper_temp_c: z.number().min(-20).max(60).optional().describe('Upper limit, °C: makes the method modified.'),
    method: z.enum(['simple', 'modified']).optional().describe('modified where an upper limit is set.'),
    include_milestones: z.boolean().optional().describe('Also stages of the crop and their dates.'),
    allow_partial: z.boolean().default(false).describe('A total also where past days are missing.'),
  }),
  async run(input, context) {
    const id = input.crop.toLowerCase()
    const crop = crops[id]
    if (!crop && id !== 'custom') {
      const suggestions = nearest(id, Object.keys(crops))
      throw new ToolError(
        'bad-request',
        `crop: wanted ${Object.keys(crops).join(', ')} or custom, got "${input.crop}".${suggestions.length > 0 ? ` Nearest: ${suggestions.join(', ')}.` : ''}`,
        'call again with one of them, or with custom and base_temp_c.',
        { field: 'crop', allowed: [...Object.keys(crops), 'custom'], got: input.crop, suggestions },
      )
    }
    if (id === 'custom' && input.base_temp_c === undefined)
      throw new ToolError(
        'bad-request',
        'base_temp_c is required for a custom crop.',
        'give the base temperature in °C.',
        { field: 'base_temp_c' },
      )
    const base = input.base_temp_c ?? (crop?.base as number)
    const upper = input.upper_temp_c ?? crop?.upper
    if (upper !== undefined && upper <= base)
      throw new ToolError(
        'bad-request',
        `upper_temp_c ${upper} is not above base_temp_c ${base}.`,
        'mend one of the two.',
        { field: 'upper_temp_c', got: upper },
      )
    const method = input.method ?? (upper === undefined ? 'simple' : 'modified')
    const spot = findSpot({ lat: input.lat, lon: input.lon }, 'lat')
    const place = zone(spot.timezone)
    const today = place.dayOf(context.now)
    let start: number | undefined
    if (input.season_start !== undefined) {
      start = dayNumber(input.season_start, 'season_start')
      if (start > today)
        throw new ToolError(
          'bad-request',
          `season_start ${input.season_start} lies in the future.`,
          'give a day from the last 180.',
          { field: 'season_start', got: input.season_start, allowed: dateOf(today) },
        )
      if (today - start > MAX_PAST_DAYS)
        throw new ToolError(
          'bad-request',
          `season_start ${input.season_start} is more than ${MAX_PAST_DAYS} days ago.`,
          `give a day from ${dateOf(today - MAX_PAST_DAYS)} on.`,
          { field: 'season_start', got: input.season_start, allowed: dateOf(today - MAX_PAST_DAYS) },
        )
    }
    const found = await forecastAt(context, spot, {
      units: 'metric',
      include: ['daily', 'hourly'],
      days: Math.min(14, input.days),
      hours: 336,
    })
    const ahead = await withToday(forecastDays())
    const behind = start === undefined ? [] : await pastDays(start)
    const scale = input.unit === 'imperial' ? 1.8 : 1
    const shown = (celsius: number | null) =>
      celsius === null ? null : round(input.unit === 'imperial' ? celsius * 1.8 + 32 : celsius)
    const units = (day: DegreeDay) =>
      day.max === null || day.min === null ? null : scale * degreeDays(day.max, day.min, base, upper, method)
    const days = ahead.map((day) => ({
      date: day.date,
      tmax: shown(day.max),
      tmin: shown(day.min),
      gdu: rounded(units(day)),
      source: day.source,
    }))
    const missing = behind.filter(({ max }) => max === null).length
    const known = input.allow_partial || behind.length - missing >= MIN_COMPLETENESS * behind.length
    let sum = 0
    const series = [...behind, ...ahead].map((day) => {
      const gdu = units(day)
      sum += gdu ?? 0
      return { date: day.date, gdu: rounded(gdu), cumulative: known ? round(sum) : null, source: day.source }
    })
    const season =
      start === undefined
        ? null
        : {
            start: dateOf(start),
            total: known ? (series.filter(({ date }) => date <= dateOf(today)).at(-1)?.cumulative ?? 0) : null,
            missing_days: missing,
            series,
          }
    const milestones = input.include_milestones
      ? (crop?.stages ?? []).map(([name, gdu]) => {
          const at = season?.series.find((one) => one.cumulative !== null && one.cumulative >= gdu * scale)
          return {
            name,
            gdu: round(gdu * scale),
            date: at?.date ?? null,
            status: !known ? 'unknown' : !at ? 'not reached' : at.date <= dateOf(today) ? 'reached' : 'expected',
          }
        })
      : undefined

    function forecastDays(): DegreeDay[] {
      const list: DegreeDay[] = []
      for (const row of found.weather.daily ?? []) {
        if (row.relative_day < 0 || list.length >= input.days) continue
        const day = dayNumber(row.date, 'date')
        const hours = (found.weather.hourly ?? [])
          .filter(({ time }) => place.dayOf(Date.parse(time)) === day)
          .map(({ temperature }) => temperature)
          .filter((value) => typeof value === 'number')
        const [max, min] =
          input.day_definition === 'nws'
            ? [row.high, row.low]
            : hours.length >= 20
              ? [Math.max(...hours), Math.min(...hours)]
              : [null, null]
        if (typeof max === 'number' && typeof min === 'number')
          list.push({ date: row.date, max, min, source: 'forecast' })
      }
      return list
    }
    /** The day that is not over: where the forecast no longer has its high or low, the hours passed and those to come have. */
    async function withToday(list: DegreeDay[]): Promise<DegreeDay[]> {
      const date = dateOf(today)
      if (list[0]?.date === date) return list
      const { values } = await pastHours(context, spot, place.startOfDay(today), context.now, ['temperature'], 'metric')
      const passed = values.get('temperature')
      const rows = new Map((found.weather.hourly ?? []).map((row) => [Date.parse(row.time), row.temperature]))
      const all = hoursOfDay(today, spot.timezone)
      const known = all.map((hour) => passed?.get(hour) ?? rows.get(hour)).filter((value) => typeof value === 'number')
      const day: DegreeDay =
        known.length < all.length - MAX_MISSING_HOURS
          ? { date, max: null, min: null, source: null }
          : { date, max: Math.max(...known), min: Math.min(...known), source: 'forecast' }
      return [day, ...list].slice(0, input.days)
    }
    /** The days before today: as stored, else of the hours that are stored, else of the climate report of a station close by. */
    async function pastDays(from: number): Promise<DegreeDay[]> {
      const stored = await storedExtremes(context, spot, from, today - 1)
      const recent = Math.max(from, today - HOURLY_DAYS)
      let first = recent
      while (first < today && stored.has(first)) first++
      const hours =
        first < today
          ? await pastHours(context, spot, place.startOfDay(first), context.now, ['temperature'], 'metric')
          : undefined
      const list = Array.from({ length: Math.max(0, today - from) }, (_, i): DegreeDay => {
        const day = from + i
        const date = dateOf(day)
        const found = stored.get(day)
        if (found) return { date, ...found }
        const all = day < first ? [] : hoursOfDay(day, spot.timezone)
        const values = all.flatMap((hour) => hours?.values.get('temperature')?.get(hour) ?? [])
        if (values.length === 0 || values.length < all.length - MAX_MISSING_HOURS)
          return { date, max: null, min: null, source: null }
        const observed = all.every((hour) => hours?.origin.get(hour) !== 'rtma')
        return { date, max: Math.max(...values), min: Math.min(...values), source: observed ? 'observed' : 'analysis' }
      })
      const missing = list.flatMap(({ max }, i) => (max === null ? [from + i] : []))
      const reported = await reportedExtremes(context, spot, missing)
      return list.map((day, i) => ({ ...day, ...reported.get(from + i) }))
    }

    const notes: MetaWarning[] =
      missing > 0
        ? [
            {
              code: 'history_short',
              section: 'season',
              detail: `${missing} of ${behind.length} past days are not stored and are not in the sum${known ? '' : ': no total is given; allow_partial gives one all the same'}`,
            },
          ]
        : []
    const stations = new Map(behind.flatMap(({ station }) => (station ? [[station.id, station.km]] : [])))
    for (const [id, km] of stations) {
      const count = behind.filter(({ station }) => station?.id === id).length
      notes.push({
        code: 'history_short',
        section: 'season',
        detail: `${count} of the past days are of the daily climate report of ${id}, ${km.toFixed(0)} km away: no analysis is stored for them`,
      })
    }
    if (ahead.length < input.days)
      notes.push({
        code: 'source_missing',
        section: 'days',
        detail: `the forecast gives ${ahead.length} of ${input.days} days`,
      })
    const meta = joinMeta([found.meta], notes)
    const label = input.unit === 'imperial' ? '°F-days' : '°C-days'
    const lines = [
      `${crop?.name ?? 'Custom crop'} at ${spot.location.name}, base ${shown(base)}${upper === undefined ? '' : `, upper ${shown(upper)}`} ${input.unit === 'imperial' ? '°F' : '°C'}, ${method}:`,
      ...days.slice(0, 10).map((day) => `${day.date}: ${day.gdu === null ? 'not known' : `${day.gdu} ${label}`}`),
      ...(season
        ? [
            season.total === null
              ? `Season since ${season.start}: no total, too few of its days are stored.`
              : `Season since ${season.start}: ${season.total} ${label} to date${missing > 0 ? ', without the missing days' : ''}.`,
          ]
        : []),
    ]
    return reply({
      structured: {
        location: spot.location,
        crop: { id, name: crop?.name ?? 'Custom' },
        unit: input.unit,
        method,
        base_temp: shown(base),
        upper_temp: upper === undefined ? null : shown(upper),
        day_definition: input.day_definition,
        days,
        season,
        ...(milestones && { milestones }),
      },
      ...(season && { opening: `${behind.length - missing} of ${behind.length} past days stored.` }),
      lines,
      meta,
      sections: ['daily', 'season', 'days'],
    })
  },
})

const round = (value: number) => Math.round(value * 10) / 10
const rounded = (value: number | null) => (value === null ? null : round(value))

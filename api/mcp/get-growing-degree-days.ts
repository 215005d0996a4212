import { z } from 'zod'
import { nearest } from '../../ingest/domain/nearest.ts'
import { zone } from '../../ingest/domain/timezone.ts'
import { ToolError } from './error.ts'
import { findSpot, forecastAt, rowsOf } from './forecast.ts'
import * as shape from './input.ts'
import { dateOf, dayNumber, hoursOfDay, pastHours } from './past-days.ts'
import { joinMeta, reply } from './reply.ts'
import { tool } from './tool.ts'

/** Base and, where usual, upper temperature in °C, and stages with the °C-days after planting at which they are commonly reached. */
const crops: Readonly<
  Record<
    string,
    { name: string; base: number; upper?: number; stages?: readonly (readonly [name: string, gdu: number])[] }
  >
> = {
  corn: {
    name: 'Corn',
    base: 10,
    upper: 30,
    stages: [
      ['emergence', 65],
      ['six leaves', 265],
      ['tasseling', 630],
      ['silking', 780],
      ['physiological maturity', 1480],
    ],
  },
  soybean: {
    name: 'Soybean',
    base: 10,
    upper: 30,
    stages: [
      ['emergence', 70],
      ['first flower', 650],
      ['physiological maturity', 1350],
    ],
  },
  wheat: {
    name: 'Wheat',
    base: 0,
    stages: [
      ['emergence', 125],
      ['heading', 900],
      ['ripening', 1550],
    ],
  },
  barley: { name: 'Barley', base: 0 },
  oats: { name: 'Oats', base: 0 },
  canola: { name: 'Canola', base: 5 },
  alfalfa: { name: 'Alfalfa', base: 5 },
  sunflower: { name: 'Sunflower', base: 6.7 },
  cotton: { name: 'Cotton', base: 15.6 },
  potato: { name: 'Potato', base: 7.2 },
  rice: { name: 'Rice', base: 10 },
  sorghum: { name: 'Sorghum', base: 10, upper: 37.8 },
  grape: { name: 'Grape', base: 10 },
  tomato: { name: 'Tomato', base: 10 },
  apple: { name: 'Apple', base: 6.1 },
  sugarbeet: { name: 'Sugarbeet', base: 1.1 },
}
const MOST_PAST = 180

/** °C-days of one day. simple: of the mean; modified: both ends clamped to [base, upper] first. */
export function degreeDays(
  max: number,
  min: number,
  base: number,
  upper: number | undefined,
  method: 'simple' | 'modified',
): number {
  if (method === 'simple') return Math.max(0, (max + min) / 2 - base)
  const clamp = (value: number) => Math.min(Math.max(value, base), upper ?? Number.POSITIVE_INFINITY)
  return Math.max(0, (clamp(max) + clamp(min)) / 2 - base)
}

interface Day {
  readonly date: string
  readonly max: number
  readonly min: number
  readonly source: 'analysis' | 'forecast'
}

export const getGrowingDegreeDays = tool({
  name: 'get_growing_degree_days',
  title: 'Get growing degree days',
  description: `Growing degree units for a crop at a US point from daily highs and lows: per day over the forecast, and with season_start the season's total to date and ahead. For how far a crop is. Crops: corn, soybean, wheat, barley, oats, canola, alfalfa, sunflower, cotton, potato, rice, sorghum, grape, tomato, apple, sugarbeet, or custom with base_temp_c. For temperatures alone use get_forecast. 10 days by default, 30 at most; °F-days unless asked otherwise. Past days only as far as analyses are held. 50 US states and DC.`,
  input: z.strictObject({
    lat: z.number().min(-90).max(90).describe('Latitude.'),
    lon: z.number().min(-180).max(180).describe('Longitude.'),
    crop: z.string().min(1).max(40).describe('Crop of the catalog, or custom.'),
    season_start: shape.day('First day of the season, at most 180 days ago').optional(),
    days: z.number().int().min(1).max(30).default(10).describe('Days ahead.'),
    day_definition: z
      .enum(['nws', 'local_calendar'])
      .default('nws')
      .describe('nws: the high and low of the forecast; local_calendar: hourly extremes from midnight to midnight.'),
    unit: z.enum(['imperial', 'metric']).default('imperial').describe('°F-days or °C-days.'),
    base_temp_c: z.number().min(-20).max(40).optional().describe('Base, °C; required for custom.'),
    upper_temp_c: z.number().min(-20).max(60).optional().describe('Upper limit, °C: makes the method modified.'),
    method: z.enum(['simple', 'modified']).optional().describe('modified where an upper limit is set.'),
    include_milestones: z
      .boolean()
      .optional()
      .describe('Also stages of the crop with the date at which they are reached.'),
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
      if (today - start > MOST_PAST)
        throw new ToolError(
          'bad-request',
          `season_start ${input.season_start} is more than ${MOST_PAST} days ago.`,
          `give a day from ${dateOf(today - MOST_PAST)} on.`,
          { field: 'season_start', got: input.season_start, allowed: dateOf(today - MOST_PAST) },
        )
    }
    const found = await forecastAt(context, spot, {
      units: 'metric',
      include: ['daily', 'hourly'],
      days: Math.min(14, input.days),
      hours: 336,
    })
    const ahead = forecastDays()
    const behind = start === undefined ? [] : await pastDays(start)
    const scale = input.unit === 'imperial' ? 1.8 : 1
    const shown = (celsius: number) => round(input.unit === 'imperial' ? celsius * 1.8 + 32 : celsius)
    const units = (day: Day) => round(scale * degreeDays(day.max, day.min, base, upper, method))
    const days = ahead.map((day) => ({
      date: day.date,
      tmax: shown(day.max),
      tmin: shown(day.min),
      gdu: units(day),
      source: day.source,
    }))
    let cumulative = 0
    const series = [...behind, ...ahead].map((day) => {
      cumulative = round(cumulative + units(day))
      return { date: day.date, gdu: units(day), cumulative, source: day.source }
    })
    const season =
      start === undefined
        ? null
        : {
            start: dateOf(start),
            total: series.filter(({ date }) => date <= dateOf(today)).at(-1)?.cumulative ?? 0,
            series,
          }
    const milestones = input.include_milestones
      ? (crop?.stages ?? []).map(([name, gdu]) => {
          const at = season?.series.find((one) => one.cumulative >= gdu * scale)
          return {
            name,
            gdu: round(gdu * scale),
            date: at?.date ?? null,
            status: !at ? 'not reached' : at.date <= dateOf(today) ? 'reached' : 'expected',
          }
        })
      : undefined

    function forecastDays(): Day[] {
      const list: Day[] = []
      for (const row of rowsOf(found.weather['daily'])) {
        if (Number(row['relative_day']) < 0 || list.length >= input.days) continue
        const day = dayNumber(String(row['date']), 'date')
        const hours = rowsOf(found.weather['hourly'])
          .filter((hour) => place.dayOf(Date.parse(String(hour['time']))) === day)
          .map((hour) => hour['temperature'])
          .filter((value) => typeof value === 'number') as number[]
        const [max, min] =
          input.day_definition === 'nws'
            ? [row['high'], row['low']]
            : hours.length >= 20
              ? [Math.max(...hours), Math.min(...hours)]
              : [null, null]
        if (typeof max === 'number' && typeof min === 'number')
          list.push({ date: String(row['date']), max, min, source: 'forecast' })
      }
      return list
    }
    async function pastDays(from: number): Promise<Day[]> {
      const until = ahead[0] ? dayNumber(ahead[0].date, 'date') : today + 1
      const hours = await pastHours(context, spot, place.startOfDay(from), context.now, ['temperature'], 'metric')
      const list: Day[] = []
      for (let day = from; day < until; day++) {
        const all = hoursOfDay(day, spot.timezone)
        const values = all
          .map((hour) => hours.values.get('temperature')?.get(hour))
          .filter((value) => value !== undefined)
        if (values.length >= all.length - 4)
          list.push({ date: dateOf(day), max: Math.max(...values), min: Math.min(...values), source: 'analysis' })
      }
      return list
    }

    const lacking =
      start === undefined ? 0 : (ahead[0] ? dayNumber(ahead[0].date, 'date') : today + 1) - start - behind.length
    const notes =
      lacking > 0
        ? [
            {
              code: 'source_missing' as const,
              section: 'season',
              detail: `${lacking} days of the season have no held analysis and are left out of the total`,
            },
          ]
        : []
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
      ...days.slice(0, 10).map((day) => `${day.date}: ${day.gdu} ${label}`),
      ...(season ? [`Season since ${season.start}: ${season.total} ${label} to date.`] : []),
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
      lines,
      meta,
    })
  },
})

const round = (value: number) => Math.round(value * 10) / 10

import { z } from 'zod'
import { zone } from '../../ingest/domain/timezone.ts'
import { units } from '../present/units.ts'
import { labelsOf } from '../values.ts'
import { ToolError } from './error.ts'
import { findSpot } from './forecast.ts'
import * as shape from './input.ts'
import { dateOf, dayNumber, hoursOfDay, pastHours } from './past-days.ts'
import { dayName, held, phrase, plainMeta, reply } from './reply.ts'
import { tool } from './tool.ts'

const variables = ['temperature', 'dew_point', 'wind_speed', 'wind_gust']
const number = z.number().nullable()

export const getPastWeather = tool({
  name: 'get_past_weather',
  title: 'Get past weather',
  description:
    'What the weather was on past days at a US place: daily highs and lows, wind and gusts from the hourly analyses (URMA, RTMA) that are held, on request hour by hour. For "how hot was it yesterday", "how windy was last Tuesday". Yesterday by default, 31 days at most (7 hour by hour), local calendar days; each day says whether all of its hours are held. For rain that fell in the last hours use get_precipitation_totals; for now and ahead get_forecast. Imperial units unless asked otherwise. Covers the 50 US states and DC.',
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
      }),
    ),
    hourly: shape.series.nullable(),
    meta: shape.meta,
  }),
  async run(input, context) {
    const spot = findSpot(input)
    const today = zone(spot.timezone).dayOf(context.now)
    const first =
      input.start === undefined
        ? input.end === undefined
          ? today - 1
          : dayNumber(input.end, 'end')
        : dayNumber(input.start, 'start')
    const last = input.end === undefined ? first : dayNumber(input.end, 'end')
    if (last < first)
      throw new ToolError(
        'bad-request',
        `end ${input.end} lies before start ${input.start}.`,
        'swap the two and call again.',
        { field: 'end', got: input.end },
      )
    if (last > today)
      throw new ToolError(
        'bad-request',
        `${dateOf(last)} lies in the future.`,
        'get_forecast answers for days ahead.',
        { field: 'end', got: dateOf(last), allowed: dateOf(today), suggestions: ['get_forecast'] },
      )
    const most = input.hourly ? 7 : 31
    if (last - first + 1 > most)
      throw new ToolError(
        'bad-request',
        `${last - first + 1} days were asked for, ${most} at most${input.hourly ? ' hour by hour' : ''}.`,
        'ask for fewer days.',
        { field: 'start', allowed: most, got: last - first + 1 },
      )
    const place = zone(spot.timezone)
    const found = await pastHours(
      context,
      spot,
      place.startOfDay(first),
      Math.min(place.startOfDay(last + 1) - 1, context.now),
      variables,
      input.units,
    )
    if (found.first === undefined) {
      throw new ToolError(
        'no-data',
        `No analysis is held for ${spot.location.name} from ${dateOf(first)} to ${dateOf(last)}: history begins when this installation began to collect it.`,
        'describe_dataset of urma and rtma says which runs are held; get_precipitation_totals may answer for rain.',
      )
    }
    const firstHeld = place.dayOf(found.first)
    if (first < firstHeld)
      throw new ToolError(
        'bad-request',
        `${dateOf(first)} lies before the first day held, ${dateOf(firstHeld)}.`,
        `ask from ${dateOf(firstHeld)} on.`,
        { field: 'start', allowed: dateOf(firstHeld), got: dateOf(first) },
      )
    const days = Array.from({ length: last - first + 1 }, (_, i) => {
      const hours = hoursOfDay(first + i, spot.timezone)
      const of = (name: string) =>
        hours.map((hour) => found.values.get(name)?.get(hour)).filter((value) => value !== undefined)
      const temperatures = of('temperature')
      const top = (list: readonly number[]) => (list.length > 0 ? Math.max(...list) : null)
      return {
        date: dateOf(first + i),
        high: top(temperatures),
        low: temperatures.length > 0 ? Math.min(...temperatures) : null,
        precip_total: null,
        wind_speed_max: top(of('wind_speed')),
        wind_gust_max: top(of('wind_gust')),
        source: 'analysis' as const,
        complete: temperatures.length === hours.length,
      }
    })
    const labels = labelsOf(variables, 'imperial')
    for (const name of variables)
      labels[name] = units[input.units].of[name.startsWith('wind') ? 'wind_speed' : 'temperature'].label
    const times = [...new Set(variables.flatMap((name) => [...(found.values.get(name)?.keys() ?? [])]))].sort(
      (a, b) => a - b,
    )
    const hourly = input.hourly
      ? {
          dataset_id: found.used.has('urma') ? 'urma' : 'rtma',
          valid_times: times.map((time) => `${new Date(time).toISOString().slice(0, 19)}Z`),
          data: Object.fromEntries(
            variables.map((name) => [name, times.map((time) => found.values.get(name)?.get(time) ?? null)]),
          ),
          units: labels,
        }
      : null
    const warnings = [
      {
        code: 'not_held' as const,
        section: 'days',
        detail: 'daily precipitation of past days is not held: get_precipitation_totals answers for the last 72 hours',
        fields: ['precip_total'],
      },
    ]
    const lines = [
      `Past weather at ${spot.location.name}:`,
      ...days
        .slice(0, 14)
        .map(
          (day) =>
            `${dayName(day.date)}: ${phrase(held('high', day.high, labels['temperature']), held('low', day.low, labels['temperature']), held('wind up to', day.wind_speed_max, labels['wind_speed']), held('gusts', day.wind_gust_max, labels['wind_speed'])) || 'nothing held'}${day.complete ? '' : ' (not all hours held)'}`,
        ),
    ]
    return reply({
      structured: { location: spot.location, units: input.units, days, hourly },
      lines,
      meta: plainMeta(context, [...found.used], { warnings }),
    })
  },
})

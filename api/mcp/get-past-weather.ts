import { z } from 'zod'
import { zone } from '../../ingest/domain/timezone.ts'
import { units } from '../present/units.ts'
import { quantityOf } from '../values.ts'
import { ToolError } from './error.ts'
import { fallen, HOURLY_TOTALS } from './fallen.ts'
import { findSpot } from './forecast.ts'
import * as shape from './input.ts'
import { dateOf, dayNumber, firstHeld, hoursOfDay, pastHours } from './past-days.ts'
import { pointAt } from './point.ts'
import { dayName, held, phrase, plainMeta, reply } from './reply.ts'
import { tool } from './tool.ts'

const HOUR = 3_600_000
const variables = ['temperature', 'dew_point', 'wind_speed', 'wind_gust']
const number = z.number().nullable()

export const getPastWeather = tool({
  name: 'get_past_weather',
  title: 'Get past weather',
  description:
    'What the weather was on past days at a US place: highs, lows, wind and gusts from hourly analyses (URMA, RTMA), rain of the last 3 days, on request hour by hour: "how hot was it yesterday", "how windy was last Tuesday". For rain of the last hours use get_precipitation_totals; for now and ahead get_forecast. Yesterday by default, 31 days at most (7 hour by hour), local dates, as far back as is held; imperial units unless asked otherwise. 50 US states and DC.',
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
    const begun = await firstHeld(context)
    if (begun === undefined)
      throw new ToolError(
        'no-data',
        'No analysis is held: history begins when this installation begins to collect it.',
        'get_precipitation_totals may answer for rain; get_forecast tells of now and ahead.',
      )
    const firstDay = place.dayOf(begun)
    if (first < firstDay)
      throw new ToolError(
        'bad-request',
        `${dateOf(first)} lies before the first day held, ${dateOf(firstDay)}.`,
        `ask from ${dateOf(firstDay)} on.`,
        { field: 'start', allowed: dateOf(firstDay), got: dateOf(first) },
      )
    const found = await pastHours(
      context,
      spot,
      place.startOfDay(first),
      Math.min(place.startOfDay(last + 1) - 1, context.now),
      variables,
      input.units,
    )
    if (found.used.size === 0)
      throw new ToolError(
        'no-data',
        `No analysis is held for ${spot.location.name} from ${dateOf(first)} to ${dateOf(last)}.`,
        'describe_dataset of urma and rtma says which runs are held; get_precipitation_totals may answer for rain.',
      )
    const dayOf = async (day: number) => {
      const hours = hoursOfDay(day, spot.timezone)
      const of = (name: string) =>
        hours.map((hour) => found.values.get(name)?.get(hour)).filter((value) => value !== undefined)
      const temperatures = of('temperature')
      const top = (list: readonly number[]) => (list.length > 0 ? Math.max(...list) : null)
      return {
        date: dateOf(day),
        high: top(temperatures),
        low: temperatures.length > 0 ? Math.min(...temperatures) : null,
        precip_total: await rainOf(hours),
        wind_speed_max: top(of('wind_speed')),
        wind_gust_max: top(of('wind_gust')),
        source: 'analysis' as const,
        complete: temperatures.length === hours.length,
      }
    }
    const here = pointAt(context, spot)
    /** Of days that are over, as far back as the hourly radar totals are held. */
    async function rainOf(hours: readonly number[]): Promise<number | null> {
      const end = hours[hours.length - 1] + HOUR
      if (end > context.now) return null
      const sum = await fallen(context.parts.radar, here, end, hours.length)
      return !sum || sum.state === 'no_coverage' ? null : units[input.units].show('precip_amount', sum.mm)
    }
    const days = []
    for (let day = first; day <= last; day++) days.push(await dayOf(day))
    const labels = Object.fromEntries(variables.map((name) => [name, units[input.units].of[quantityOf(name)].label]))
    const rain = units[input.units].of.precip_amount.label
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
    const dry = days.filter(({ precip_total }) => precip_total === null).map(({ date }) => date)
    const warnings =
      dry.length > 0
        ? [
            {
              code: 'not_held' as const,
              section: 'days',
              detail: `precipitation is not known for ${dry.slice(0, 7).join(', ')}${dry.length > 7 ? ' …' : ''}: hourly radar totals are held for 72 hours; get_precipitation_totals answers for the last hours`,
              fields: ['precip_total'],
            },
          ]
        : []
    const freshness = [...found.used].map(([id, at]) => ({ source: id, product_id: id, referenceTime: at }))
    const lines = [
      `Past weather at ${spot.location.name}:`,
      ...days
        .slice(0, 14)
        .map(
          (day) =>
            `${dayName(day.date)}: ${phrase(held('high', day.high, labels['temperature']), held('low', day.low, labels['temperature']), held('wind up to', day.wind_speed_max, labels['wind_speed']), held('gusts', day.wind_gust_max, labels['wind_speed']), held('rain or melted snow', day.precip_total, rain)) || 'nothing held'}${day.complete ? '' : ' (not all hours held)'}`,
        ),
    ]
    return reply({
      structured: { location: spot.location, units: input.units, days, hourly },
      lines,
      meta: plainMeta(context, [...found.used.keys(), ...(dry.length < days.length ? [HOURLY_TOTALS] : [])], {
        warnings,
        freshness,
        spots: [spot],
      }),
    })
  },
})

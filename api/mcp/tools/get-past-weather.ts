import { z } from 'zod'
import { MAX_MISSING_HOURS } from '../../../ingest/domain/dataset/season.ts'
import { HOUR, isoSeconds } from '../../../ingest/domain/time.ts'
import { zone } from '../../../ingest/domain/timezone.ts'
import { quantityOf } from '../../answer/values.ts'
import type { MetaWarning } from '../../contract.ts'
import { findSpot } from '../../dataset/spot.ts'
import { units } from '../../present/units.ts'
import { ToolError } from '../protocol/error.ts'
import * as shape from '../protocol/input.ts'
import { pointAt } from '../protocol/point.ts'
import { tool } from '../protocol/tool.ts'
import { HOURLY_TOTALS, hourlyTotals, sumOf } from '../query/hourly-totals.ts'
import { dateOf, dayNumber, firstStoredTime, hoursOfDay, pastHours } from '../query/past-days.ts'
import { reportedExtremes, storedExtremes } from '../query/past-extremes.ts'
import { dayName, phrase, plainMeta, reply, valueWords } from '../words/reply.ts'

const variables = ['temperature', 'dew_point', 'wind_speed', 'wind_gust']
const number = z.number().nullable()
/** Days of the text block. */
const MAX_LINES = 14

export const getPastWeather = tool({
  name: 'get_past_weather',
  title: 'Get past weather',
  description:
    'What the weather was on past days at a US place: highs, lows, wind and gusts from hourly analyses (URMA, RTMA), rain of the last 3 days, on request hour by hour: "how hot was it yesterday". For rain of the last hours use get_precipitation_totals; for now and ahead get_forecast. Yesterday by default, 31 days at most (7 hour by hour), highs and lows up to 180 days back; imperial units. US states and DC.',
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
    const days = Array.from({ length: last - first + 1 }, (_, i) => first + i)
    const [begun, seasonBegun, reports] = await Promise.all([
      firstStoredTime(context),
      context.deps.live.season.firstDay(spot.resolved.domain),
      reportedExtremes(
        context,
        spot,
        days.filter((day) => day < today),
      ),
    ])
    if (begun === undefined && seasonBegun === undefined && reports.size === 0)
      throw new ToolError(
        'no-data',
        'No analysis is stored: history begins when this installation begins to collect it.',
        'get_precipitation_totals may answer for rain; get_forecast tells of now and ahead.',
      )
    const firstDay = Math.min(begun === undefined ? today : place.dayOf(begun), seasonBegun ?? today, ...reports.keys())
    if (first < firstDay)
      throw beforeStored(dateOf(first), dateOf(firstDay), input.start === undefined && input.end === undefined)
    const found = await pastHours(
      context,
      spot,
      place.startOfDay(first),
      Math.min(place.startOfDay(last + 1) - 1, context.now),
      variables,
      input.units,
    )
    const stored = await storedExtremes(context, spot, first, last)
    if (found.used.size === 0 && stored.size === 0 && reports.size === 0)
      throw new ToolError(
        'no-data',
        `No analysis is stored for ${spot.location.name} from ${dateOf(first)} to ${dateOf(last)}.`,
        'describe_dataset of urma and rtma lists the stored runs; get_precipitation_totals may answer for rain.',
      )
    const temperaturesOf = (hours: readonly number[]) =>
      hours.filter((hour) => found.values.get('temperature')?.has(hour)).length
    const reported = new Map(
      [...reports].filter(([day]) => {
        const hours = hoursOfDay(day, spot.timezone)
        return !stored.has(day) && temperaturesOf(hours) < hours.length - MAX_MISSING_HOURS
      }),
    )
    const dayOf = async (day: number) => {
      const hours = hoursOfDay(day, spot.timezone)
      const of = (name: string) =>
        hours.map((hour) => found.values.get(name)?.get(hour)).filter((value) => value !== undefined)
      const temperatures = of('temperature')
      const top = (list: readonly number[]) => (list.length > 0 ? Math.max(...list) : null)
      // Daily extremes are stored longer than hours.
      const kept = temperatures.length === hours.length ? undefined : (stored.get(day) ?? reported.get(day))
      const degrees = (celsius: number) => units[input.units].show('temperature', celsius + 273.15)
      const observed = kept ? kept.source === 'observed' : hours.every((hour) => found.origin.get(hour) === 'urma')
      return {
        date: dateOf(day),
        high: kept ? degrees(kept.max) : top(temperatures),
        low: kept ? degrees(kept.min) : temperatures.length > 0 ? Math.min(...temperatures) : null,
        precip_total: await rainOf(hours),
        wind_speed_max: top(of('wind_speed')),
        wind_gust_max: top(of('wind_gust')),
        source: observed ? ('observed' as const) : ('analysis' as const),
        complete: kept !== undefined || temperatures.length === hours.length,
        hours_available: temperatures.length,
        hours_total: hours.length,
      }
    }
    const here = pointAt(context, spot)
    /** Of past days, as far back as hourly radar totals are stored. */
    async function rainOf(hours: readonly number[]): Promise<number | null> {
      const end = hours[hours.length - 1] + HOUR
      if (end > context.now) return null
      const sum = sumOf(await hourlyTotals(context.deps.radar, here, end, hours.length))
      return sum.coverage === 'value' || sum.coverage === 'dry'
        ? units[input.units].show('precip_amount', sum.mm)
        : null
    }
    const rows = []
    for (const day of days) rows.push(await dayOf(day))
    const over = rows.filter(({ date }) => date < dateOf(today))
    const known = over.filter(
      ({ complete, hours_available, hours_total }) => complete || hours_available >= hours_total - MAX_MISSING_HOURS,
    )
    const labels = Object.fromEntries(variables.map((name) => [name, units[input.units].of[quantityOf(name)].label]))
    const rain = units[input.units].of.precip_amount.label
    const times = [...new Set(variables.flatMap((name) => [...(found.values.get(name)?.keys() ?? [])]))].sort(
      (a, b) => a - b,
    )
    const hourly = input.hourly
      ? {
          dataset_id: found.used.has('urma') ? 'urma' : 'rtma',
          valid_times: times.map((time) => isoSeconds(time)),
          data: Object.fromEntries(
            variables.map((name) => [name, times.map((time) => found.values.get(name)?.get(time) ?? null)]),
          ),
          units: labels,
        }
      : null
    const dry = rows.filter(({ precip_total }) => precip_total === null).map(({ date }) => date)
    const warnings: MetaWarning[] =
      dry.length > 0
        ? [
            {
              code: 'not_held',
              section: 'days',
              detail: `precipitation is not known for ${dry.slice(0, 7).join(', ')}${dry.length > 7 ? ' …' : ''}: hourly radar totals are stored for 72 hours; get_precipitation_totals answers for the last hours`,
              fields: ['precip_total'],
            },
          ]
        : []
    for (const { id, km } of new Map([...reported.values()].map(({ station }) => [station?.id, station!])).values()) {
      const dates = [...reported].filter(([, { station }]) => station?.id === id).map(([day]) => dateOf(day))
      warnings.push({
        code: 'history_short',
        section: 'days',
        detail: `the high and low of ${dates.join(', ')} are of the daily climate report of ${id}, ${km.toFixed(0)} km away: too few analyses are stored`,
      })
    }
    const freshness = [...found.used].map(([id, at]) => ({ source: id, product_id: id, referenceTime: at }))
    const lines = [
      `Past weather at ${spot.location.name}:`,
      ...rows
        .slice(0, MAX_LINES)
        .map(
          (day) =>
            `${dayName(day.date)}: ${phrase(valueWords('high', day.high, labels['temperature']), valueWords('low', day.low, labels['temperature']), valueWords('wind up to', day.wind_speed_max, labels['wind_speed']), valueWords('gusts', day.wind_gust_max, labels['wind_speed']), valueWords('rain or melted snow', day.precip_total, rain)) || 'nothing stored'}${day.complete ? '' : ` (${day.hours_available} of ${day.hours_total} hours${day.date === dateOf(today) ? ', the day is not over' : ' stored: extremes may lie in the others'})`}`,
        ),
      ...(rows.length > MAX_LINES ? [`${rows.length - MAX_LINES} more in data.`] : []),
    ]
    return reply({
      structured: { location: spot.location, units: input.units, days: rows, hourly },
      opening: [
        ...(over.length > 0 ? [`${known.length} of ${over.length} days stored.`] : []),
        ...(last === today ? ['Today is not over.'] : []),
      ].join(' '),
      lines,
      meta: plainMeta(
        context,
        [
          ...new Set([...found.used.keys(), ...(stored.size > 0 ? ['urma'] : [])]),
          ...(dry.length < rows.length ? [HOURLY_TOTALS] : []),
        ],
        {
          warnings,
          freshness,
          spots: [spot],
        },
      ),
    })
  },
})

/** @param assumed whether no day was asked for */
export function beforeStored(day: string, firstDay: string, assumed: boolean): ToolError {
  return new ToolError(
    'bad-request',
    `${day}${assumed ? ' (yesterday, as no start was given)' : ''} lies before the first day stored, ${firstDay}.`,
    `ask with start ${firstDay} or later; get_climate_records type reports has highs and lows of climate stations by office.`,
    { field: 'start', allowed: firstDay, got: day },
  )
}

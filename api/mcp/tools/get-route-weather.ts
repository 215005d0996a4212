import { z } from 'zod'
import { HOUR, parseInstant } from '../../../ingest/domain/time.ts'
import type { HourValue } from '../../answer/value.ts'
import { findEach, type Spot } from '../../dataset/spot.ts'
import { ToolError } from '../protocol/error.ts'
import * as shape from '../protocol/input.ts'
import type { ToolMeta } from '../protocol/tool.ts'
import { tool } from '../protocol/tool.ts'
import { alertsKnown, type Forecast, forecastAt } from '../query/forecast.ts'
import { amountWords, gustWords, windWords } from '../words/forecast-words.ts'
import { dateTime, joinMeta, localTime, phrase, plainMeta, reply, valueWords } from '../words/reply.ts'

const severities = ['Extreme', 'Severe', 'Moderate', 'Minor', 'Unknown']

export const getRouteWeather = tool({
  name: 'get_route_weather',
  title: 'Get weather along a route',
  description:
    'The forecast at each stop of a trip for the time of being there, the alerts on the way, and the worst stop: driving from Denver to Moab tomorrow. Give 2 to 20 stops with place and time, up to 14 days ahead. For places at the same times use compare_locations; for one place get_hourly_forecast. Imperial units. US states and DC.',
  input: z.strictObject({
    stops: z
      .array(
        z.strictObject({
          ...shape.placed,
          time: z
            .string()
            .min(1)
            .max(40)
            .describe('When you are there: ISO date-time; without a zone local to the stop.'),
        }),
      )
      .min(2)
      .max(20)
      .describe('In order.'),
    ...shape.units,
  }),
  output: z.object({
    units: z.string(),
    stops: z.array(
      z.object({
        location: shape.location.nullable(),
        label: z.string().optional(),
        time: z.string(),
        status: z.enum(['ok', 'outside_coverage', 'beyond_forecast', 'not_found', 'ambiguous']),
        forecast: z.looseObject({}).nullable(),
        alerts: z.array(z.object({ id: z.string(), event: z.string(), severity: z.string() })).nullable(),
        reason: z.string().optional(),
        candidates: z.array(z.string()).optional(),
      }),
    ),
    worst_stop: z.number().int().nullable(),
    meta: shape.meta,
  }),
  async run(input, context) {
    const metas: ToolMeta[] = []
    const lines: string[] = []
    const stops: Stop[] = []
    const unread: string[] = []
    const unreadable = input.stops.flatMap(({ time }, i) => (isTime(time) ? [] : [{ i, time }]))
    if (unreadable.length > 0) throw noTimes(unreadable)
    const places = await findEach(input.stops, 'stops')
    for (const [i, stop] of input.stops.entries()) {
      const label = stop.label ? { label: stop.label } : {}
      const place = places[i]
      if (place.status !== 'ok') {
        const { asked, message, candidates } = place.failure
        stops.push({
          location: null,
          ...label,
          time: stop.time,
          status: place.status,
          forecast: null,
          alerts: null,
          reason: message,
          candidates,
        })
        lines.push(`${i + 1}. ${stop.label ?? asked}: not answered. ${message}`)
        continue
      }
      const { spot } = place
      const at = instantAt(stop.time, spot.timezone)
      if (at < context.now - HOUR)
        throw new ToolError(
          'bad-request',
          `stops.${i}.time: ${stop.time} is more than an hour past.`,
          'give a time from now on; get_past_weather answers for the past.',
          { field: `stops.${i}.time`, got: stop.time },
        )
      const found = await stopForecast(spot, at)
      metas.push(found.meta)
      const hour = Math.floor(at / HOUR) * HOUR
      const rowAt = (start: number) =>
        (found.weather.hourly ?? []).find(({ time }) => Math.abs(Date.parse(time) - start) < HOUR / 2)
      const row = rowAt(hour)
      const known = found.weather.alerts && (found.weather.alerts.length > 0 || alertsKnown(found.meta))
      const alerts = known
        ? (found.weather.alerts ?? [])
            .filter(({ onset, ends }) => Date.parse(onset) <= at + HOUR && Date.parse(ends) >= at)
            .map(({ id, event, severity }) => ({ id, event, severity }))
        : null
      if (!alerts) unread.push(spot.location.name)
      const forecast = row && row.temperature !== null && row.temperature !== undefined ? row : null
      stops.push({
        location: spot.location,
        ...label,
        time: `${new Date(at).toISOString().slice(0, 19)}Z`,
        status: forecast ? 'ok' : 'beyond_forecast',
        forecast,
        alerts,
      })
      lines.push(
        stopWords(
          `${i + 1}. ${stop.label ? `${stop.label}, ` : ''}${spot.location.name}, ${dateTime(at, spot.timezone)}`,
          forecast,
          rowAt(hour + HOUR),
          alerts,
          found,
        ),
      )
    }
    async function stopForecast(spot: Spot, at: number): Promise<Forecast> {
      const hours = Math.min(336, Math.max(1, Math.ceil((at - context.now) / HOUR) + 2))
      return forecastAt(context, spot, { units: input.units, include: ['hourly', 'alerts'], hours })
    }
    const worst_stop = worst(stops)
    const first = worst_stop === null ? [] : [`Worst: stop ${worst_stop + 1}, ${whyWorst(stops[worst_stop])}.`]
    const warnings =
      unread.length > 0
        ? [
            {
              code: 'source_failed' as const,
              section: 'alerts',
              detail: `alerts are not known for ${unread.join('; ')}: this is not an all-clear`,
            },
          ]
        : []
    const meta = metas.length > 0 ? joinMeta(metas, warnings) : plainMeta(context, ['nbm'])
    return reply({
      structured: { units: input.units, stops, worst_stop },
      lines: [...first, ...lines, ...quietLines(stops)],
      meta,
      sections: ['hourly', 'alerts'],
    })
  },
})

interface Stop {
  readonly location: Spot['location'] | null
  readonly label?: string
  readonly time: string
  readonly status: 'ok' | 'outside_coverage' | 'beyond_forecast' | 'not_found' | 'ambiguous'
  readonly forecast: HourValue | null
  /** Null where they are not known. */
  readonly alerts: readonly { readonly id: string; readonly event: string; readonly severity: string }[] | null
  readonly reason?: string
  readonly candidates?: readonly string[]
}

/** That no alert is in effect at any answered stop, and that the way between them was not looked at. */
function quietLines(stops: readonly Stop[]): string[] {
  const answered = stops.filter(({ location }) => location)
  if (answered.length === 0 || answered.some(({ alerts }) => !alerts || alerts.length > 0)) return []
  return ['No alert issued so far is in effect at these stops at these times; the way between them is not looked at.']
}

/** One line of a stop: alerts first, then what falls with its amount, ice and snow, wind and gusts. */
function stopWords(
  head: string,
  row: HourValue | null,
  next: HourValue | undefined,
  alerts: Stop['alerts'],
  { spot, weather: { units } }: Forecast,
): string {
  const warned =
    alerts && alerts.length > 0
      ? ` ALERTS: ${alerts.map(({ event, severity }) => `${event} (${severity})`).join(', ')};`
      : ''
  if (!row) return `${head}:${warned} beyond the forecast.`
  const words = phrase(
    valueWords('', row.temperature, units.temperature),
    row.conditions,
    valueWords('rain or snow', row.precip_probability, '%'),
    nextHourWords(row, next, spot.timezone),
    amountWords('snow ', row.snow_amount, units.precip_amount),
    row.precip_type === 'freezing_rain' ? 'ICY ROADS POSSIBLE' : undefined,
    windWords(row, units),
    gustWords(row.wind_gust, units),
  )
  return `${head}:${warned} ${words}`
}

/** Percent by which the chance of the hour after a row's time must differ to be named beside the row's. */
const NOTABLE_CHANCE = 20

/** A row has the chance of the hour that ends at its time: who is there after it meets that of the next row. */
export function nextHourWords(row: HourValue, next: HourValue | undefined, timezone: string): string | undefined {
  const [now, then] = [row.precip_probability, next?.precip_probability]
  if (typeof now !== 'number' || typeof then !== 'number' || Math.abs(then - now) < NOTABLE_CHANCE) return undefined
  return `${then}% in the hour to ${localTime(next!.time, timezone)}`
}

/** What makes a stop the worst one: its most severe alert, else the chance of precipitation. */
export function whyWorst({ alerts, forecast }: Pick<Stop, 'alerts' | 'forecast'>): string {
  const [gravest] = [...(alerts ?? [])].sort((a, b) => severities.indexOf(a.severity) - severities.indexOf(b.severity))
  return gravest ? gravest.event : `rain or snow ${forecast?.precip_probability}%`
}

/** The stop with the most severe alert, else that with the highest chance of precipitation of at least 50 %. */
export function worst(stops: readonly Pick<Stop, 'alerts' | 'forecast'>[]): number | null {
  let best: { index: number; rank: number } | undefined
  for (const [index, { alerts }] of stops.entries()) {
    for (const { severity } of alerts ?? []) {
      const rank = severities.indexOf(severity)
      if (!best || rank < best.rank) best = { index, rank }
    }
  }
  if (best) return best.index
  let wettest: { index: number; pop: number } | undefined
  for (const [index, { forecast }] of stops.entries()) {
    const pop = forecast?.precip_probability
    if (typeof pop === 'number' && pop >= 50 && (!wettest || pop > wettest.pop)) wettest = { index, pop }
  }
  return wettest?.index ?? null
}

const ZONED = /(Z|[+-]\d{2}:?\d{2})$/
const isTime = (text: string) => !Number.isNaN(parseInstant(ZONED.test(text) ? text : `${text}Z`))

/** All of them at once. */
function noTimes(unreadable: readonly { readonly i: number; readonly time: string }[]): ToolError {
  const came = unreadable.map(({ i, time }) => `stops.${i}.time: got "${time}"`).join('; ')
  const [first] = unreadable
  return new ToolError(
    'bad-request',
    `Wanted an ISO date-time such as 2026-08-20T15:00 (local to the stop) or 2026-08-20T21:00:00Z. ${came.slice(0, 400)}.`,
    'correct it and call again.',
    { field: `stops.${first!.i}.time`, got: first!.time },
  )
}

function instantAt(text: string, timezone: string): number {
  if (ZONED.test(text)) return parseInstant(text)
  const wall = parseInstant(`${text}Z`)
  // The UTC offset depends on the instant itself: two iterations converge, also across a DST change.
  let at = wall
  for (let i = 0; i < 2; i++) at = wall - offsetAt(at, timezone)
  return at
}

function offsetAt(at: number, timezone: string): number {
  const parts = Object.fromEntries(
    new Intl.DateTimeFormat('en-US', {
      timeZone: timezone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    })
      .formatToParts(at)
      .map(({ type, value }) => [type, Number(value)]),
  )
  return (
    Date.UTC(parts['year'], parts['month'] - 1, parts['day'], parts['hour'], parts['minute'], parts['second']) -
    Math.floor(at / 1000) * 1000
  )
}

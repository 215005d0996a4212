import { z } from 'zod'
import { HOUR, isoSeconds } from '../../../ingest/domain/time.ts'
import type { HourValue } from '../../answer/value.ts'
import { leading } from '../../blend/field-table.ts'
import type { MetaWarning } from '../../contract.ts'
import { findEach, type PlaceFailure, type Spot } from '../../dataset/spot.ts'
import type { UnitSystem } from '../../present/units.ts'
import type { ToolContext } from '../protocol/context.ts'
import { ToolError } from '../protocol/error.ts'
import * as shape from '../protocol/input.ts'
import { instantAt, isTime } from '../protocol/local-time.ts'
import type { ToolMeta } from '../protocol/tool.ts'
import { tool } from '../protocol/tool.ts'
import { alertsKnown, forecastAt, type ToolForecast } from '../query/forecast.ts'
import {
  gravestLeg,
  isQuiet,
  legLine,
  quietLegs,
  type RouteLeg,
  type RouteStop,
  routeLeg,
  routeLegs,
} from '../query/route-legs.ts'
import { absence } from '../words/absence.ts'
import { amountWords, gustWords, windWords } from '../words/forecast-words.ts'
import { dateTime, joinMeta, localTime, phrase, plainMeta, reply, valueWords } from '../words/reply.ts'

const severities = ['Extreme', 'Severe', 'Moderate', 'Minor', 'Unknown']

export const getRouteWeather = tool({
  name: 'get_route_weather',
  title: 'Get weather along a route',
  description:
    'The forecast at each stop of a trip for the time of being there, alerts and rain on the way, and the worst stop: driving from Denver to Moab tomorrow. Places at the same times: compare_locations; one place: get_hourly_forecast.',
  input: z.strictObject({
    stops: z
      .array(
        z.strictObject({
          ...shape.placed,
          time: z.string().min(1).max(40).describe('Arrival, ISO date-time; without zone local.'),
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
    legs: z.array(routeLeg),
    meta: shape.meta,
  }),
  async run(input, context) {
    const unreadable = input.stops.flatMap(({ time }, i) => (isTime(time) ? [] : [{ i, time }]))
    if (unreadable.length > 0) throw timesError(unreadable)
    const places = await findEach(input.stops, 'stops')
    const answers: StopAnswer[] = []
    for (const [i, place] of places.entries()) {
      const { label, time = '' } = input.stops[i] ?? {}
      const request = { index: i, label, time, units: input.units }
      answers.push(
        place.status === 'ok'
          ? await answerStop(context, place.spot, request)
          : unansweredStop(place.status, place.failure, request),
      )
    }
    const stops = answers.map(({ stop }) => stop)
    const way = answers.map(({ spot, stop }) => (spot ? { spot, at: Date.parse(stop.time) } : undefined))
    const legs = await routeLegs(context, way, input.units)
    const metas = answers.flatMap(({ meta }) => meta ?? [])
    const chances = answers.map(({ chance }) => chance)
    const worst_stop = worst(stops, chances)
    const worstStop = stops[worst_stop ?? -1]
    const first = worstStop
      ? [`Worst: stop ${stops.indexOf(worstStop) + 1}, ${whyWorst(worstStop, chances[stops.indexOf(worstStop)])}.`]
      : []
    const withoutAlerts = stops.flatMap(({ location, alerts }) => (location && !alerts ? [location.name] : []))
    const warnings: MetaWarning[] =
      withoutAlerts.length > 0
        ? [
            {
              code: 'source_failed',
              section: 'alerts',
              detail: `alerts are not known for ${withoutAlerts.join('; ')}: this is not an all-clear`,
            },
          ]
        : []
    return reply({
      structured: { units: input.units, stops, worst_stop, legs },
      lines: [
        ...first,
        ...gravestLeg(legs),
        ...answers.flatMap(({ line }, i) => [...legLines(legs, i, way[i]), line]),
        ...quietLegs(legs),
        ...quietLines(stops),
      ],
      meta: metas.length > 0 ? joinMeta(metas, warnings) : plainMeta(context, [leading]),
      sections: ['hourly', 'alerts'],
    })
  },
})

interface StopRequest {
  readonly index: number
  readonly label: string | undefined
  readonly time: string
  readonly units: UnitSystem
}

interface StopAnswer {
  readonly stop: Stop
  readonly line: string
  /** The higher chance of rain or snow, percent, of the hours before and after the time of the stop's row. */
  readonly chance?: number
  /** Undefined for a stop without an answer. */
  readonly meta?: ToolMeta
  readonly spot?: Spot
}

/** Returns the leg to a stop in words. */
const legLines = (legs: readonly RouteLeg[], to: number, stop: RouteStop | undefined): string[] =>
  legs.filter((leg) => leg.to === to && !isQuiet(leg)).map((leg) => legLine(leg, stop?.spot.timezone ?? 'UTC'))

function unansweredStop(
  status: Stop['status'],
  { query, message, candidates }: PlaceFailure,
  { index, label, time }: StopRequest,
): StopAnswer {
  return {
    stop: {
      location: null,
      ...(label && { label }),
      time,
      status,
      forecast: null,
      alerts: null,
      reason: message,
      candidates,
    },
    line: `${index + 1}. ${label ?? query}: not answered. ${message}`,
  }
}

/** Returns the forecast at a stop for its time. @throws ToolError bad-request for a time more than an hour ago */
async function answerStop(
  context: ToolContext,
  spot: Spot,
  { index, label, time, units }: StopRequest,
): Promise<StopAnswer> {
  const at = instantAt(time, spot.timezone)
  if (at < context.now - HOUR)
    throw new ToolError(
      'bad-request',
      `stops.${index}.time ${time} is more than an hour ago.`,
      'give a time from now on; get_past_weather answers for the past.',
      { field: `stops.${index}.time`, got: time },
    )
  const hours = Math.min(336, Math.max(1, Math.ceil((at - context.now) / HOUR) + 2))
  const answer = await forecastAt(context, spot, { units, include: ['hourly', 'alerts'], hours })
  const { weather, meta } = answer
  const hour = Math.floor(at / HOUR) * HOUR
  const rowAt = (start: number) =>
    (weather.hourly ?? []).find((row) => Math.abs(Date.parse(row.time) - start) < HOUR / 2)
  // The first row is the running hour, which is named by its end.
  const row = rowAt(hour) ?? rowAt(hour + HOUR)
  const next = rowAt(hour + HOUR)
  const alerts = alertsAt(answer, at)
  const forecast = row && typeof row.temperature === 'number' ? row : null
  const head = `${index + 1}. ${label ? `${label}, ` : ''}${spot.location.name}, ${dateTime(at, spot.timezone)}`
  return {
    stop: {
      location: spot.location,
      ...(label && { label }),
      time: isoSeconds(at),
      status: forecast ? 'ok' : 'beyond_forecast',
      forecast,
      alerts,
    },
    line: stopWords(head, forecast, next, alerts, answer),
    chance: Math.max(...[forecast, next].map((hourly) => hourly?.precip_probability ?? 0)),
    meta,
    spot,
  }
}

/** Returns the alerts in effect in the hour from an instant on; null if an empty list would not mean that there are none. */
export function alertsAt({ weather, meta }: Pick<ToolForecast, 'weather' | 'meta'>, at: number): Stop['alerts'] {
  const met = (weather.alerts ?? [])
    .filter(({ onset, ends }) => Date.parse(onset) <= at + HOUR && Date.parse(ends) >= at)
    .map(({ id, event, severity }) => ({ id, event, severity }))
  return met.length > 0 || (weather.alerts && alertsKnown(meta)) ? met : null
}

interface Stop {
  readonly location: Spot['location'] | null
  readonly label?: string
  readonly time: string
  readonly status: 'ok' | 'outside_coverage' | 'beyond_forecast' | 'not_found' | 'ambiguous'
  readonly forecast: HourValue | null
  /** Null if alerts are not known. */
  readonly alerts: readonly { readonly id: string; readonly event: string; readonly severity: string }[] | null
  readonly reason?: string
  readonly candidates?: readonly string[]
}

/**
 * Says that no alert is in effect at any stop, or at which stops it is not known. The way between the stops has lines of its
 * own.
 */
export function quietLines(stops: readonly Pick<Stop, 'location' | 'alerts'>[]): string[] {
  const at = (indexes: readonly number[]) => `${indexes.length === 1 ? 'stop' : 'stops'} ${indexes.join(', ')}`
  const indexesOf = (holds: (stop: Pick<Stop, 'location' | 'alerts'>) => boolean) =>
    stops.flatMap((stop, i) => (holds(stop) ? [i + 1] : []))
  const unanswered = indexesOf(({ location }) => !location)
  const unknown = indexesOf(({ location, alerts }) => location !== null && alerts === null)
  const doubts = [
    ...(unanswered.length > 0 ? [`${at(unanswered)} could not be answered`] : []),
    ...(unknown.length > 0 ? [`the alerts at ${at(unknown)} are not known`] : []),
  ]
  if (doubts.length > 0) return [absence('alerts_at_stops', {}, doubts.join(', and '))]
  if (stops.some(({ alerts }) => (alerts ?? []).length > 0)) return []
  return [`${absence('alerts_at_stops', {})}; the way between them was checked only as said here.`]
}

/** Returns one line for a stop: alerts first, then temperature, precipitation, ice and snow, wind and gusts. */
function stopWords(
  head: string,
  row: HourValue | null,
  next: HourValue | undefined,
  alerts: Stop['alerts'],
  { spot, weather: { units } }: ToolForecast,
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
/** From this chance on, percent, a stop can be the worst. */
const WORST_CHANCE = 50

/** Returns the chance of the hour after a row's time, which is in the next row; undefined if it hardly differs from the row's own chance. */
export function nextHourWords(row: HourValue, next: HourValue | undefined, timezone: string): string | undefined {
  const [now, then] = [row.precip_probability, next?.precip_probability]
  if (typeof now !== 'number' || typeof then !== 'number') return undefined
  // The reason for the worst stop names the higher of the two.
  const isReason = then > now && then >= WORST_CHANCE
  if (!isReason && Math.abs(then - now) < NOTABLE_CHANCE) return undefined
  return `${then}% in the hour to ${localTime(next?.time ?? row.time, timezone)}`
}

/** Returns the reason why a stop is the worst: its most severe alert, else its chance of precipitation in percent. */
export function whyWorst({ alerts }: Pick<Stop, 'alerts'>, chance: number | undefined): string {
  const [gravest] = [...(alerts ?? [])].sort((a, b) => severities.indexOf(a.severity) - severities.indexOf(b.severity))
  return gravest ? gravest.event : `rain or snow ${chance}%`
}

/**
 * Returns the index of the stop with the most severe alert, else of the stop with the highest chance of precipitation from 50 % up; null without
 * either.
 */
export function worst(stops: readonly Pick<Stop, 'alerts'>[], chances: readonly (number | undefined)[]): number | null {
  let best: { index: number; rank: number } | undefined
  for (const [index, { alerts }] of stops.entries()) {
    for (const { severity } of alerts ?? []) {
      const rank = severities.indexOf(severity)
      if (!best || rank < best.rank) best = { index, rank }
    }
  }
  if (best) return best.index
  const highest = Math.max(...chances.map((chance) => chance ?? 0))
  return highest >= WORST_CHANCE ? chances.indexOf(highest) : null
}

/** Returns an error that names all unreadable times. */
function timesError(unreadable: readonly { readonly i: number; readonly time: string }[]): ToolError {
  const list = unreadable.map(({ i, time }) => `stops.${i}.time was "${time}"`).join('; ')
  const [first] = unreadable
  return new ToolError(
    'bad-request',
    `Each time must be an ISO date-time such as 2026-08-20T15:00 (local to the stop) or 2026-08-20T21:00:00Z, but ${list.slice(0, 400)}.`,
    'correct it and call again.',
    { field: `stops.${first?.i ?? 0}.time`, got: first?.time },
  )
}

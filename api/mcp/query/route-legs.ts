import { z } from 'zod'
import { HOUR, type Instant, isoSeconds } from '../../../ingest/domain/time.ts'
import { coverage } from '../../../ingest/geo/coverage.ts'
import { distanceKm } from '../../../ingest/geo/sphere.ts'
import { QueryError } from '../../dataset/error.ts'
import { findSpot, type Spot } from '../../dataset/spot.ts'
import type { LiveAlert } from '../../live/alert-index.ts'
import { unplacedNear } from '../../live/alerts.ts'
import type { UnitSystem } from '../../present/units.ts'
import { fourth } from '../../query/query.ts'
import type { ToolContext } from '../protocol/context.ts'
import { localTime } from '../words/reply.ts'
import { alertFeed, type UsableAlerts } from './alert-feed.ts'
import { forecastAt } from './forecast.ts'

/** Distance between points at which alerts are looked up, and the largest number of such points on a leg. */
const ALERT_STEP_KM = 10
const MAX_ALERT_POINTS = 100
/** Distance between points with a forecast, and the largest number of such points on a leg. A forecast takes some ms. */
const FORECAST_STEP_KM = 60
const MAX_FORECAST_POINTS = 3
/** Largest number of legs whose forecasts are read; alerts are read for all legs. */
const MAX_FORECAST_LEGS = 12
/** The line between closer stops is not checked. */
const MIN_LEG_KM = 15

/** A stop with a known place, and the arrival time. */
export interface RouteStop {
  readonly spot: Spot
  readonly at: Instant
}

const legAlert = z.object({
  id: z.string(),
  event: z.string(),
  severity: z.string(),
  near: z.string(),
  time: z.string(),
})
/** Schema of the line between two stops. */
export const routeLeg = z.object({
  from: z.number().int(),
  to: z.number().int(),
  distance_km: z.number(),
  alerts: z.array(legAlert).nullable().describe('null: not known'),
  wettest: z
    .object({ lat: z.number(), lon: z.number(), name: z.string(), time: z.string(), precip_probability: z.number() })
    .nullable(),
  covered_share: z.number(),
})
export type RouteLeg = z.output<typeof routeLeg>

/**
 * Returns the alerts on the straight line between consecutive stops at the time of passing, at a constant speed, and the highest chance of rain or
 * snow. A leg is left out if a stop is unknown, if the times do not rise, or if the stops are close together.
 */
export async function routeLegs(
  context: ToolContext,
  stops: readonly (RouteStop | undefined)[],
  units: UnitSystem,
): Promise<RouteLeg[]> {
  const feed = usableFeed(context)
  const legs: RouteLeg[] = []
  for (const [to, end] of stops.entries()) {
    const start = stops[to - 1]
    if (!start || !end || end.at <= start.at) continue
    const [a, b] = [start.spot.location, end.spot.location]
    const km = distanceKm(a.lat, a.lon, b.lat, b.lon)
    if (km < MIN_LEG_KM) continue
    const way = (count: number) => pointsBetween(start, end, count)
    const alertPoints = way(Math.min(MAX_ALERT_POINTS, Math.ceil(km / ALERT_STEP_KM)))
    const covered = alertPoints.filter(({ lat, lon }) => coverage(lat, lon))
    const forecastPoints =
      legs.length < MAX_FORECAST_LEGS ? way(Math.min(MAX_FORECAST_POINTS, Math.ceil(km / FORECAST_STEP_KM))) : []
    legs.push({
      from: to - 1,
      to,
      distance_km: Math.round(km),
      alerts: feed && covered.length > 0 ? alertsOn(context, feed, covered) : null,
      wettest: await wettestOf(context, forecastPoints, units),
      covered_share: Math.round((100 * covered.length) / alertPoints.length) / 100,
    })
  }
  return legs
}

/** Returns the alert feed; undefined if alerts are not known, which does not mean that there are none. */
function usableFeed(context: ToolContext): UsableAlerts | undefined {
  try {
    const feed = alertFeed(context)
    feed.requireConfirmed()
    return feed
  } catch (error) {
    if (error instanceof QueryError) return undefined
    throw error
  }
}

interface WayPoint {
  readonly lat: number
  readonly lon: number
  readonly at: Instant
}

const RADIANS = Math.PI / 180

/** Returns points on the great circle between two stops, without the stops, with the time of passing. */
export function pointsBetween(start: RouteStop, end: RouteStop, count: number): WayPoint[] {
  const [a, b] = [vectorOf(start.spot.location), vectorOf(end.spot.location)]
  const angle = Math.acos(Math.min(1, a[0] * b[0] + a[1] * b[1] + a[2] * b[2]))
  return Array.from({ length: count }, (_, i) => {
    const share = (i + 1) / (count + 1)
    const [p, q] =
      angle < 1e-9
        ? [1 - share, share]
        : [Math.sin((1 - share) * angle) / Math.sin(angle), Math.sin(share * angle) / Math.sin(angle)]
    const [x, y, z] = [p * a[0] + q * b[0], p * a[1] + q * b[1], p * a[2] + q * b[2]]
    return {
      lat: fourth(Math.atan2(z, Math.hypot(x, y)) / RADIANS),
      lon: fourth(Math.atan2(y, x) / RADIANS),
      at: Math.round(start.at + share * (end.at - start.at)),
    }
  })
}

function vectorOf({ lat, lon }: { readonly lat: number; readonly lon: number }): readonly [number, number, number] {
  const [phi, lambda] = [lat * RADIANS, lon * RADIANS]
  return [Math.cos(phi) * Math.cos(lambda), Math.cos(phi) * Math.sin(lambda), Math.sin(phi)]
}

/**
 * Returns the alerts in force along the line at the time of passing, each where the line first enters it; null if there is none and one may be in force whose
 * area is not known.
 */
function alertsOn(context: ToolContext, feed: UsableAlerts, points: readonly WayPoint[]): RouteLeg['alerts'] {
  const met = new Map<string, z.output<typeof legAlert>>()
  for (const { lat, lon, at } of points)
    for (const alert of context.deps.alerts.index.at(lat, lon, feed.now)) {
      if (alert.head.status !== 'Actual' || met.has(alert.id) || !isMetAt(alert, at)) continue
      const { event } = alert.head
      const { severity } = alert.record
      met.set(alert.id, { id: alert.id, event, severity, near: nameAt(lat, lon), time: isoSeconds(at) })
    }
  const isDoubtful = ({ lat, lon, at }: WayPoint) =>
    unplacedNear(context.deps.alerts.index, { lat, lon }, feed.now).some((alert) => isMetAt(alert, at))
  return met.size === 0 && points.some(isDoubtful) ? null : [...met.values()]
}

/** Returns whether an alert is in force within the hour after an instant. */
const isMetAt = ({ record, expiration }: LiveAlert, at: Instant) =>
  new Date(record.onset).getTime() <= at + HOUR && expiration >= at

const nameAt = (lat: number, lon: number) => findSpot({ lat, lon }).location.name

/** Returns the time of the row whose hour has an instant: a row is named by the end of its hour. */
const rowTimeOf = (at: Instant): Instant => Math.floor(at / HOUR) * HOUR + HOUR

/** Returns the point of the line with the highest chance of rain or snow at the time of passing. */
async function wettestOf(
  context: ToolContext,
  points: readonly WayPoint[],
  units: UnitSystem,
): Promise<RouteLeg['wettest']> {
  let wettest: RouteLeg['wettest'] = null
  for (const { lat, lon, at } of points) {
    if (!coverage(lat, lon)) continue
    const spot = findSpot({ lat, lon })
    const hours = Math.min(336, Math.max(1, Math.ceil((at - context.now) / HOUR) + 2))
    const { weather } = await forecastAt(context, spot, { units, include: ['hourly'], hours })
    const hour = rowTimeOf(at)
    const row = (weather.hourly ?? []).find(({ time }) => Math.abs(Date.parse(time) - hour) < HOUR / 2)
    const chance = row?.precip_probability
    if (typeof chance === 'number' && (!wettest || chance > wettest.precip_probability))
      wettest = { lat, lon, name: spot.location.name, time: isoSeconds(at), precip_probability: chance }
  }
  return wettest
}

const severities = ['Extreme', 'Severe', 'Moderate', 'Minor', 'Unknown']

/** Returns the most severe alert between stops, for the beginning of the text. */
export function gravestLeg(legs: readonly RouteLeg[]): string[] {
  const met = legs.flatMap(({ from, to, alerts }) => (alerts ?? []).map((alert) => ({ ...alert, from, to })))
  const [gravest] = met.sort((a, b) => severities.indexOf(a.severity) - severities.indexOf(b.severity))
  if (!gravest) return []
  const { event, severity, from, to } = gravest
  return [`On the way: ${event} (${severity}) between stops ${from + 1} and ${to + 1}.`]
}

/** A chance of rain or snow below which a leg is quiet, percent. */
const QUIET_CHANCE = 30

/** Returns whether nothing on a leg needs attention: no alert, a low chance of rain or snow, all of it known. */
export const isQuiet = ({ alerts, wettest, covered_share }: RouteLeg): boolean =>
  alerts?.length === 0 && wettest !== null && wettest.precip_probability < QUIET_CHANCE && covered_share === 1

/** Returns the quiet legs in one line. */
export function quietLegs(legs: readonly RouteLeg[]): string[] {
  const quiet = legs.filter(isQuiet)
  if (quiet.length === 0) return []
  const most = Math.max(...quiet.map(({ wettest }) => wettest?.precip_probability ?? 0))
  const names = quiet.map(({ from, to }) => `${from + 1} and ${to + 1}`).join(', ')
  return [
    `Between stops ${names} (straight lines): no alert issued so far is in force there at the time of passing; rain or snow at most ${most}% at the points checked (${MAX_FORECAST_POINTS} or fewer on each leg).`,
  ]
}

/** Returns a leg in words. A part that was not checked is never called quiet. */
export function legLine({ from, to, distance_km, alerts, wettest, covered_share }: RouteLeg, timezone: string): string {
  const head = `Between stops ${from + 1} and ${to + 1} (straight line, ${distance_km} km):`
  if (covered_share === 0) return `${head} it is outside the coverage and was not checked.`
  const at = (time: string) => localTime(time, timezone)
  const warned =
    alerts === null
      ? 'alerts are not known'
      : alerts.length > 0
        ? alerts
            .slice(0, 4)
            .map(({ event, severity, near, time }) => `ALERT ${event} (${severity}) from ${near} about ${at(time)}`)
            .join('; ') + (alerts.length > 4 ? `; ${alerts.length - 4} more alerts` : '')
        : 'no alert issued so far is in force there at that time'
  const rain =
    wettest === null
      ? 'rain and snow are not known'
      : `rain or snow at most ${wettest.precip_probability}% at the points checked (${MAX_FORECAST_POINTS} or fewer)${wettest.precip_probability > 0 ? `, near ${wettest.name} about ${at(wettest.time)}` : ''}`
  const uncovered =
    covered_share < 1
      ? ` ${Math.round(100 * (1 - covered_share))}% of it is outside the coverage and was not checked.`
      : ''
  return `${head} ${warned}; ${rain}.${uncovered}`
}

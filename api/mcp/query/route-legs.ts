import { z } from 'zod'
import { HOUR, type Instant, isoSeconds } from '../../../ingest/domain/time.ts'
import { coverage } from '../../../ingest/geo/coverage.ts'
import { distanceKm } from '../../../ingest/geo/sphere.ts'
import { QueryError } from '../../dataset/error.ts'
import { findSpot, type Spot } from '../../dataset/spot.ts'
import type { LiveAlert } from '../../live/alert-index.ts'
import type { UnitSystem } from '../../present/units.ts'
import { fourth } from '../../query/query.ts'
import type { ToolContext } from '../protocol/context.ts'
import { localTime } from '../words/reply.ts'
import { alertFeed, type UsableAlerts } from './alert-feed.ts'
import { forecastAt } from './forecast.ts'

/** Distance between points at which alerts are looked up, and the most of them on a leg. */
const ALERT_STEP_KM = 10
const MAX_ALERT_POINTS = 100
/** Distance between points with a forecast, and the most of them on a leg. A forecast takes some ms. */
const FORECAST_STEP_KM = 60
const MAX_FORECAST_POINTS = 3
/** Legs whose forecasts are read; the alerts of all legs are. */
const MAX_FORECAST_LEGS = 12
/** Stops that are closer have no way between them worth a check. */
const MIN_LEG_KM = 15

/** A stop that was found, and the time of being there. */
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
/** Schema of the way between two stops. */
export const routeLeg = z.object({
  from: z.number().int(),
  to: z.number().int(),
  distance_km: z.number(),
  alerts: z.array(legAlert).nullable(),
  wettest: z
    .object({ lat: z.number(), lon: z.number(), name: z.string(), time: z.string(), precip_probability: z.number() })
    .nullable(),
  covered_share: z.number(),
})
export type RouteLeg = z.output<typeof routeLeg>

/**
 * What lies on the straight line between consecutive stops at the time of passing, at an even pace: alerts, and the highest chance of rain or
 * snow. A leg is left out where a stop is unknown, where the times do not rise, or where the stops are close together.
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
      alerts: feed ? alertsOn(context, feed, covered) : null,
      wettest: await wettestOf(context, forecastPoints, units),
      covered_share: Math.round((100 * covered.length) / alertPoints.length) / 100,
    })
  }
  return legs
}

/** The alert feed; undefined where alerts are not known, which must not read as none. */
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

/** Points on the great circle between two stops, without the stops, with the time of passing. */
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

/** The alerts in force on the way at the time of passing, each where it is first met. */
function alertsOn(context: ToolContext, feed: UsableAlerts, points: readonly WayPoint[]): RouteLeg['alerts'] {
  const met = new Map<string, z.output<typeof legAlert>>()
  for (const { lat, lon, at } of points)
    for (const alert of context.deps.alerts.index.at(lat, lon, feed.now)) {
      if (alert.head.status !== 'Actual' || met.has(alert.id) || !isInForce(alert, at)) continue
      const { event } = alert.head
      const { severity } = alert.record
      met.set(alert.id, { id: alert.id, event, severity, near: nameAt(lat, lon), time: isoSeconds(at) })
    }
  return [...met.values()]
}

/** Whether an alert is in force within the hour after an instant. */
const isInForce = ({ record, expiration }: LiveAlert, at: Instant) =>
  new Date(record.onset).getTime() <= at + HOUR && expiration >= at

const nameAt = (lat: number, lon: number) => findSpot({ lat, lon }).location.name

/** The point of the way with the highest chance of rain or snow at the time of passing. */
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
    // An hour is named by its end.
    const end = (Math.floor(at / HOUR) + 1) * HOUR
    const row = (weather.hourly ?? []).find(({ time }) => Math.abs(Date.parse(time) - end) < HOUR / 2)
    const chance = row?.precip_probability
    if (typeof chance === 'number' && (!wettest || chance > wettest.precip_probability))
      wettest = { lat, lon, name: spot.location.name, time: isoSeconds(at), precip_probability: chance }
  }
  return wettest
}

const severities = ['Extreme', 'Severe', 'Moderate', 'Minor', 'Unknown']

/** The most severe alert between stops, for the beginning of the text. */
export function gravestLeg(legs: readonly RouteLeg[]): string[] {
  const met = legs.flatMap(({ from, to, alerts }) => (alerts ?? []).map((alert) => ({ ...alert, from, to })))
  const [gravest] = met.sort((a, b) => severities.indexOf(a.severity) - severities.indexOf(b.severity))
  if (!gravest) return []
  const { event, severity, from, to } = gravest
  return [`On the way: ${event} (${severity}) between stops ${from + 1} and ${to + 1}.`]
}

/** A chance of rain or snow below which a leg is quiet, percent. */
const QUIET_CHANCE = 30

/** Whether nothing on a leg needs attention: no alert, a low chance of rain or snow, all of it known. */
export const isQuiet = ({ alerts, wettest, covered_share }: RouteLeg): boolean =>
  alerts?.length === 0 && wettest !== null && wettest.precip_probability < QUIET_CHANCE && covered_share === 1

/** The quiet legs in one line. */
export function quietLegs(legs: readonly RouteLeg[]): string[] {
  const quiet = legs.filter(isQuiet)
  if (quiet.length === 0) return []
  const most = Math.max(...quiet.map(({ wettest }) => wettest?.precip_probability ?? 0))
  const names = quiet.map(({ from, to }) => `${from + 1} and ${to + 1}`).join(', ')
  return [
    `Between ${names} (straight lines): no alert issued so far is in force there at the time of passing; rain or snow at most ${most}%.`,
  ]
}

/** A leg in words. What was not checked is never called quiet. */
export function legLine({ from, to, distance_km, alerts, wettest, covered_share }: RouteLeg, timezone: string): string {
  const head = `Between ${from + 1} and ${to + 1} (straight line, ${distance_km} km):`
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
      : `rain or snow at most ${wettest.precip_probability}%${wettest.precip_probability > 0 ? `, near ${wettest.name} about ${at(wettest.time)}` : ''}`
  const uncovered = covered_share < 1 ? ` ${Math.round(100 * (1 - covered_share))}% of it is outside the coverage.` : ''
  return `${head} ${warned}; ${rain}.${uncovered}`
}

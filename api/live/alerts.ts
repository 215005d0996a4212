import { Fault } from '../../ingest/domain/fault.ts'
import { coordinatesOf } from '../../ingest/domain/shape/shape.ts'
import { type Instant, isoSeconds } from '../../ingest/domain/time.ts'
import { zonesAt } from '../../ingest/geo/zone.ts'
import type { AlertAtPoint, AlertsAtPoint, MetaWarning, PointAt } from '../contract.ts'
import { AlertIndex, type LiveAlert } from './alert-index.ts'
import { ALERTS, type AlertTrust, type AlertWatch, alertNotes, watchAlerts } from './alert-watch.ts'
import type { LiveDeps, LiveSource } from './source.ts'

/** Opens the NWS alerts. A change invalidates cached answers of the cells that it touches, after it has been read. */
export async function openAlerts(deps: LiveDeps): Promise<AlertWatch & LiveSource> {
  const { database, events, clock, current } = deps
  const watch = await watchAlerts({
    database,
    events,
    clock,
    pollSeconds: deps.feedPollSeconds[ALERTS] ?? DEFAULT_POLL_SECONDS,
    states: deps.states,
    report: deps.report('alerts could not be read'),
  })
  watch.onChange((cells) => current.invalidate('alerts', cells))
  return {
    ...watch,
    suppliers: { alerts: alertsAt(watch) },
    ages: watch.age,
    notes: (now) => alertNotes(watch, now),
  }
}

const DEFAULT_POLL_SECONDS = 30

const severities = ['Extreme', 'Severe', 'Moderate', 'Minor', 'Unknown']

/** Compares alerts for sorting: the most severe first, then the earliest end. */
export function byGravity(a: LiveAlert, b: LiveAlert): number {
  const bySeverity = severities.indexOf(a.record.severity) - severities.indexOf(b.record.severity)
  return bySeverity || a.expiration - b.expiration || (a.id < b.id ? -1 : 1)
}

const UNREAD = new Fault('Refused', 'the NWS alert feed has not been read yet; ask again in a minute')

/**
 * The supplier of alerts at a point. @throws Fault Refused before the first read of the feed, because it is unknown
 * whether there are alerts
 */
export function alertsAt(watch: AlertWatch): (at: PointAt) => Promise<AlertsAtPoint> {
  return async ({ lat, lon, now: clock }) => {
    const { feed, doubt } = watch.trust(clock)
    if (!feed?.confirmed_at) throw UNREAD
    const now = watch.now(clock)
    const here = watch.index.at(lat, lon, now).filter((alert) => alert.head.status === 'Actual')
    const changes = here.flatMap(({ record, expiration }) => [record.onset, expiration]).filter((at) => at > now)
    return {
      alerts: here.sort(byGravity).map(atPoint),
      nextChange: changes.length > 0 ? Math.min(...changes) - (now - clock) : undefined,
      warnings: [...alertWarnings(doubt, here, { lat, lon }), ...unplacedWarnings(watch.index, { lat, lon }, now)],
      freshness: [{ source: ALERTS, product_id: ALERTS, referenceTime: feed.confirmed_at.getTime() }],
      degraded: doubt !== undefined && doubt.code !== 'source_fallback',
    }
  }
}

/**
 * Returns the warnings of an answer with alerts: the feed fails, alerts are known without texts, or areas are
 * approximated by counties.
 * @param at the point of the answer; absent for a list
 */
export function alertWarnings(
  doubt: AlertTrust['doubt'],
  alerts: readonly LiveAlert[],
  at?: { readonly lat: number; readonly lon: number },
): MetaWarning[] {
  const base = { section: 'alerts', product_id: ALERTS } as const
  const large = alerts.filter((alert) => AlertIndex.isApproximate(alert, at))
  const limited = alerts.filter(({ head }) => head.limited)
  const first: MetaWarning[] = doubt ? [{ ...doubt, ...base }] : []
  if (limited.length > 0) {
    const names = [...new Set(limited.map(({ head }) => head.event))].sort().join(', ')
    const detail = `known only from NOAA's map service, without texts and zones, and with a severity by the kind of product: ${names}`
    first.push({ code: 'source_fallback', ...base, detail })
  }
  if (large.length === 0) return first
  const codes = new Set(large.flatMap(({ zones }) => zones.flatMap(({ code, place }) => (place.shape ? [] : [code]))))
  const list = (words: Iterable<string>) => {
    const all = [...new Set(words)].sort()
    return all.length > 12 ? `${all.slice(0, 12).join(', ')} and ${all.length - 12} more` : all.join(', ')
  }
  const detail = `no geometry for ${codes.size === 1 ? 'zone' : 'zones'} ${list(codes)}: their whole counties are shown instead, perhaps too large: ${list(large.map(({ head }) => head.event))}`
  return [...first, { code: 'area_approximated', ...base, detail }]
}

/**
 * Warnings about alerts of the point's office whose zones have neither outlines nor counties that stand in for them. It is unknown whether
 * these alerts are in effect at the point.
 */
export function unplacedWarnings(
  index: AlertIndex,
  at: { readonly lat: number; readonly lon: number },
  now: Instant,
): MetaWarning[] {
  const near = unplacedNear(index, at, now)
  if (near.length === 0) return []
  const { office } = zonesAt(at.lat, at.lon)
  const areas = [...new Set(near.flatMap((alert) => alert.areas))].sort()
  const codes = areas.length > 3 ? `${areas[0]}, ${areas[1]} and ${areas.length - 2} more` : areas.join(', ')
  const events = [...new Set(near.map(({ head }) => head.event))].sort().join(', ')
  const why =
    areas.length > 0 ? `zones without an outline (${codes} of ${office})` : `an area that is not known (${office})`
  const detail = `not known whether ${events} is in effect here: ${why}`
  return [{ code: 'source_incomplete', section: 'alerts', product_id: ALERTS, detail }]
}

/** Returns the warnings of a list about alerts that may be in its area although that is unknown. */
export function doubtfulWarnings(doubtful: readonly LiveAlert[]): MetaWarning[] {
  const actual = doubtful.filter(({ head }) => head.status === 'Actual')
  if (actual.length === 0) return []
  const events = [...new Set(actual.map(({ head }) => head.event))].sort().join(', ')
  const detail = `not known whether ${events} is in effect there: the area of ${actual.length} is not known`
  return [{ code: 'source_incomplete', section: 'alerts', product_id: ALERTS, detail }]
}

/** Returns alerts of the point's office that may be in effect at the point although that is unknown. */
export function unplacedNear(
  index: AlertIndex,
  at: { readonly lat: number; readonly lon: number },
  now: Instant,
): LiveAlert[] {
  const all = index.unplaced(now).filter(({ head }) => head.status === 'Actual')
  if (all.length === 0) return []
  const { office } = zonesAt(at.lat, at.lon)
  // An alert with outlines for some of its zones is known to be in effect in those zones.
  const here = new Set(index.at(at.lat, at.lon, now))
  return all.filter(
    (alert) =>
      (alert.record.office === office || (alert.head.limited && alert.record.office === undefined)) && !here.has(alert),
  )
}

function atPoint(alert: LiveAlert): AlertAtPoint {
  const { record, head } = alert
  return {
    id: alert.id,
    event: head.event,
    severity: record.severity,
    urgency: record.urgency,
    certainty: record.certainty,
    onset: record.onset,
    ends: record.ends,
    expiration: alert.expiration,
    rest: restOf(alert),
    full: () => ({ ...restOf(alert), ...textsOf(alert), geometry: geometryOf(alert) }),
  }
}

/** The texts that `alert_detail=full` adds to an alert. */
export function textsOf({ id, head, record }: LiveAlert): { description: string | null; instruction: string | null } {
  const elsewhere = `NOAA's map service lists this alert without its text. The message is at https://api.weather.gov/alerts/${id}.`
  return {
    description: record.description ?? (head.limited ? elsewhere : null),
    instruction: record.instruction ?? null,
  }
}

/** GeoJSON of the polygon or the zones of an alert; null if no geometry is known. */
export function geometryOf(alert: LiveAlert): object | null {
  const coordinates = AlertIndex.shapesOf(alert).flatMap(coordinatesOf)
  return coordinates.length > 0 ? { type: 'MultiPolygon', coordinates } : null
}

const jsonByAlert = new WeakMap<LiveAlert, AlertJson>()

/** An alert in the form that answers use. */
export interface AlertJson {
  readonly id: string
  readonly event: string
  readonly severity: string
  readonly urgency: string
  readonly certainty: string
  readonly headline: string
  readonly sender: string
  readonly status: string
  readonly onset: string
  readonly ends: string
  readonly effective: string
  readonly expires: string
  readonly expiration: string
  /** Path of the full alert. */
  readonly link: string
  readonly area_desc?: string
  readonly highlights?: Readonly<Record<string, string>>
}

/** Returns the JSON of an alert, which is created once. */
export function restOf(alert: LiveAlert): AlertJson {
  let json = jsonByAlert.get(alert)
  if (!json) jsonByAlert.set(alert, (json = jsonOf(alert)))
  return json
}

function jsonOf({ id, head, record, expiration }: LiveAlert): AlertJson {
  const time = (at: Instant) => isoSeconds(at)
  return {
    id,
    event: head.event,
    severity: record.severity,
    urgency: record.urgency,
    certainty: record.certainty,
    headline: record.headline,
    sender: record.sender,
    status: head.status,
    onset: time(record.onset),
    ends: time(record.ends),
    effective: time(record.effective),
    expires: time(record.expires),
    expiration: time(expiration),
    link: `/v1/alerts?id=${encodeURIComponent(id)}`,
    ...(record.areaDesc && { area_desc: record.areaDesc }),
    ...(Object.keys(record.highlights).length > 0 && { highlights: record.highlights }),
  }
}

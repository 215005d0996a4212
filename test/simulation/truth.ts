import { alertsAt, type SimulatedAlert } from '../../infra/simulator/alerts.ts'
import { MINUTE, SECOND } from '../../ingest/domain/time.ts'
import { zonesAt } from '../../ingest/geo/zone.ts'
import { ALERTS_POLL_SECONDS } from './world.ts'

/**
 * Time within which a change of the feed must be visible or the answers must say that they may lack it: three reads, after which a silent
 * feed counts as stale, and a minute for the rest of the way.
 */
export const ALERT_LAG_MS = 3 * ALERTS_POLL_SECONDS * SECOND + MINUTE
/** Time for which a copy that upstream passes off as new may hide a change: it counts as frozen after 12 minutes. */
export const STALE_COPY_MS = 13 * MINUTE

const isShown = ({ status, action }: SimulatedAlert) => status === 'Actual' && (action === 'NEW' || action === 'CON')

/** The alerts that answers must have at `now`: those that upstream has listed for longer than `lagMs` and still lists. */
export function dueAlerts(now: number, lagMs: number): SimulatedAlert[] {
  return alertsAt(now).filter((alert) => isShown(alert) && alert.sent <= now - lagMs && now < alert.ends - MINUTE)
}

/** Ids of the alerts that answers may have at `now`: those that upstream listed within the last `lagMs`. */
export function allowedAlerts(now: number, lagMs: number): Set<string> {
  const ids = new Set<string>()
  for (let at = now; at >= now - lagMs; at -= MINUTE / 2)
    for (const alert of alertsAt(at)) if (isShown(alert)) ids.add(alert.id)
  return ids
}

/** A point in the area of a warning with a polygon; undefined if its middle is not in one of its counties. */
export function pointIn({ ring, zones }: SimulatedAlert): { readonly lat: number; readonly lon: number } | undefined {
  if (!ring) return undefined
  const corners = ring.slice(0, -1)
  const mean = (k: 0 | 1) =>
    Math.round((corners.reduce((sum, corner) => sum + corner[k], 0) / corners.length) * 1000) / 1000
  const [lon, lat] = [mean(0), mean(1)]
  const { county } = zonesAt(lat, lon)
  return county !== undefined && zones.includes(county) ? { lat, lon } : undefined
}

import { timezoneAt } from '../../../ingest/geo/coverage.ts'
import type { Spot } from '../../dataset/spot.ts'
import { AlertIndex, type LiveAlert } from '../../live/alert-index.ts'
import { byGravity } from '../../live/alerts.ts'

/** Half the side of the box around a place in which alerts count as near it. */
export const NEARBY_KM = 50

/** Alerts on land that touch the box around a place, most severe first. */
export function nearbyAlerts(active: readonly LiveAlert[], { location: { lat, lon } }: Spot): LiveAlert[] {
  const dLat = NEARBY_KM / 111.2
  const dLon = dLat / Math.cos((lat * Math.PI) / 180)
  const wrap = (degrees: number) => ((((degrees + 180) % 360) + 360) % 360) - 180
  const box = [wrap(lon - dLon), lat - dLat, wrap(lon + dLon), lat + dLat] as const
  return active.filter((alert) => !alert.marine && AlertIndex.touches(alert, box)).sort(byGravity)
}

/** Returns the time zone of a corner of an alert's area; UTC for an alert without an area, and at sea. */
export function timezoneOf(alert: LiveAlert): string {
  const ring = AlertIndex.shapesOf(alert)[0]?.polygons[0]?.rings[0]
  const [lon, lat] = ring ?? []
  return (lon !== undefined && lat !== undefined && timezoneAt(lat, lon)) || 'UTC'
}

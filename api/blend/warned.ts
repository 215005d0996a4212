import type { Instant } from '../../ingest/domain/time.ts'
import type { AlertAtPoint } from '../contract.ts'

/** Whether an alert covers the polygon of a single storm that radar shows or spotters report. */
export function isStormWarning({ event }: AlertAtPoint): boolean {
  return event === 'Tornado Warning' || event === 'Severe Thunderstorm Warning'
}

/** Whether an alert is in force at any time in `[from, to)`. */
export function overlaps(alert: AlertAtPoint, from: Instant, to: Instant): boolean {
  return alert.onset < to && Math.min(alert.ends, alert.expiration) > from
}

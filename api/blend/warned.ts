import type { Instant } from '../../ingest/domain/time.ts'
import type { AlertAtPoint } from '../contract.ts'

/** Issued for the polygon of one storm that radar shows or spotters report. */
export function isStormWarning({ event }: AlertAtPoint): boolean {
  return event === 'Tornado Warning' || event === 'Severe Thunderstorm Warning'
}

/** Whether an alert is in force at some time in `[from, to)`. */
export function overlaps(alert: AlertAtPoint, from: Instant, to: Instant): boolean {
  return alert.onset < to && Math.min(alert.ends, alert.expiration) > from
}

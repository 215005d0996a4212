import { nth } from '../../ingest/domain/nth.ts'
import type { Instant } from '../../ingest/domain/time.ts'
import { HOUR } from '../../ingest/domain/time.ts'
import type { Forecast } from '../blend/columns.ts'
import { overlaps } from '../blend/warned.ts'
import type { AlertAtPoint, OutlookAtPoint } from '../contract.ts'
import type { SectionContext } from './section.ts'
import { isThunderPossible } from './words.ts'

/** SPC risks at which thunder counts as severe. */
const severeRisks = new Set(['ENH', 'MDT', 'HIGH', 'ENHANCED', 'MODERATE'])
/** Minimum NBM probability of severe thunderstorms (percent) at which thunder counts as severe. */
const MIN_SEVERE_PROBABILITY = 30

/**
 * Whether an alert is a warning about a present or imminent danger; watches and statements describe possible dangers.
 */
export function isSevere(alert: AlertAtPoint): boolean {
  return (
    (alert.severity === 'Extreme' || alert.severity === 'Severe') &&
    (alert.urgency === 'Immediate' || alert.urgency === 'Expected') &&
    /warning|emergency/i.test(alert.event)
  )
}

async function outlooksOf(context: SectionContext): Promise<readonly OutlookAtPoint[]> {
  try {
    return (await context.outlooks())?.outlooks ?? []
  } catch {
    return []
  }
}

/** Alerts and outlooks of a place. */
export interface Hazards {
  readonly alerts: readonly AlertAtPoint[]
  readonly outlooks: readonly OutlookAtPoint[]
  /**
   * Marks each hour of the forecast by 1 if a severe warning is in force, or thunder is possible under an enhanced
   * risk.
   */
  readonly severe: Uint8Array
}

/** The hazards of a place, computed once for all sections of an answer. */
export function hazardsOf(context: SectionContext): Promise<Hazards> {
  return context.once(computeHazards)
}

async function computeHazards(context: SectionContext): Promise<Hazards> {
  const { forecast, alerts } = await context.weatherNow()
  const outlooks = await outlooksOf(context)
  return { alerts, outlooks, severe: forecast ? severeHours(forecast, alerts, outlooks) : new Uint8Array(0) }
}

function severeHours(
  forecast: Forecast,
  alerts: readonly AlertAtPoint[],
  outlooks: readonly OutlookAtPoint[],
): Uint8Array {
  const hours = new Uint8Array(forecast.count)
  const warnings = alerts.filter(isSevere)
  const risky = outlooks.filter(
    ({ type, risk, riskLabel }) => type === 'severe' && severeRisks.has((risk ?? riskLabel).toUpperCase()),
  )
  const { severe_prob } = forecast.columns
  const hasHazards = risky.length > 0 || warnings.length > 0
  for (let h = forecast.first; h < hours.length; h++) {
    let risk = nth(severe_prob, h) >= MIN_SEVERE_PROBABILITY
    // Returns early, because most answers have neither outlooks nor warnings.
    if (!risk && !hasHazards) continue
    const end = forecast.start + h * HOUR
    risk ||= isRisky(risky, end)
    if ((risk && isThunderPossible(forecast, h)) || isWarned(warnings, end)) hours[h] = 1
  }
  return hours
}

function isRisky(outlooks: readonly OutlookAtPoint[], end: Instant): boolean {
  for (const { valid, expires } of outlooks) if (valid < end && expires > end - HOUR) return true
  return false
}

function isWarned(alerts: readonly AlertAtPoint[], end: Instant): boolean {
  for (const alert of alerts) if (overlaps(alert, end - HOUR, end)) return true
  return false
}

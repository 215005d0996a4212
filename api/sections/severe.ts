import type { Instant } from '../../ingest/domain/time.ts'
import { HOUR } from '../../ingest/domain/time.ts'
import type { Forecast } from '../blend/columns.ts'
import type { AlertAtPoint, OutlookAtPoint, SectionContext } from './section.ts'
import { thunderPossible } from './words.ts'

/** SPC's words from which thunder of the day counts as severe. */
const severeRisks = new Set(['ENH', 'MDT', 'HIGH', 'ENHANCED', 'MODERATE'])
/** Percent; NBM's probability of severe thunderstorms from which thunder counts as severe. */
const SEVERE_PROBABILITY = 30

/** A warning about a danger that is there or coming: not watches and statements, which speak of what may come. */
export function isSevere(alert: AlertAtPoint): boolean {
  return (
    (alert.severity === 'Extreme' || alert.severity === 'Severe') &&
    (alert.urgency === 'Immediate' || alert.urgency === 'Expected') &&
    /warning|emergency/i.test(alert.event)
  )
}

/** Alerts that make a stretch of time severe; none where the feed says nothing. */
export async function severeAlerts(context: SectionContext): Promise<readonly AlertAtPoint[]> {
  try {
    return (await context.alerts())?.alerts.filter(isSevere) ?? []
  } catch {
    // The section of alerts names the failure itself.
    return []
  }
}

/** All alerts at the point; none where the feed says nothing. */
export async function alertsOf(context: SectionContext): Promise<readonly AlertAtPoint[]> {
  try {
    return (await context.alerts())?.alerts ?? []
  } catch {
    return []
  }
}

export async function outlooksOf(context: SectionContext): Promise<readonly OutlookAtPoint[]> {
  try {
    return (await context.outlooks())?.outlooks ?? []
  } catch {
    return []
  }
}

export function overlaps(alert: AlertAtPoint, from: Instant, to: Instant): boolean {
  return alert.onset < to && Math.min(alert.ends, alert.expiration) > from
}

const known = new WeakMap<Forecast, Promise<Uint8Array>>()

/** 1 at each hour in which a severe warning is in force, or thunder is possible under an enhanced risk. */
export function severeHours(context: SectionContext, forecast: Forecast): Promise<Uint8Array> {
  let hours = known.get(forecast)
  if (!hours) {
    hours = findSevereHours(context, forecast)
    known.set(forecast, hours)
  }
  return hours
}

async function findSevereHours(context: SectionContext, forecast: Forecast): Promise<Uint8Array> {
  const [alerts, outlooks] = await Promise.all([severeAlerts(context), outlooksOf(context)])
  const risky = outlooks.filter(
    (outlook) => outlook.type === 'severe' && severeRisks.has((outlook.risk ?? outlook.riskLabel).toUpperCase()),
  )
  return markSevere(forecast, alerts, risky)
}

function markSevere(forecast: Forecast, alerts: readonly AlertAtPoint[], risky: readonly OutlookAtPoint[]): Uint8Array {
  const hours = new Uint8Array(forecast.count)
  const { severe_prob } = forecast.columns
  for (let h = forecast.now; h < hours.length; h++) {
    const at = forecast.start + h * HOUR
    const risk =
      severe_prob[h]! >= SEVERE_PROBABILITY ||
      (risky.length > 0 && risky.some((outlook) => outlook.valid <= at && outlook.expires > at))
    if (risk && thunderPossible(forecast, h)) hours[h] = 1
    else if (alerts.length > 0 && alerts.some((alert) => overlaps(alert, at, at + HOUR))) hours[h] = 1
  }
  return hours
}

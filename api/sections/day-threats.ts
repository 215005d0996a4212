import { withAlerts } from '../../ingest/domain/alert/event-threat.ts'
import type { DayWindow } from '../../ingest/domain/day-window.ts'
import { type Threat, threatsOf } from '../../ingest/domain/weather/threat.ts'
import type { Forecast } from '../blend/columns.ts'
import { overlaps } from '../blend/warned.ts'
import type { OutlookAtPoint } from '../contract.ts'
import { periodValue } from './day-periods.ts'
import type { DayRow } from './day-row.ts'
import type { HalfSummary } from './half-summary.ts'
import type { Hazards } from './severe.ts'
import { atLeast, atMost, sum } from './summarize.ts'

/** Threats of a row, from its numbers, from outlooks and from alerts. */
export function rowThreats(
  forecast: Forecast,
  { window, active, wholeDay, day, night, feelsLikeHigh, feelsLikeLow }: DayRow,
  { outlooks, alerts }: Hazards,
): readonly Threat[] {
  // If passed hours are unknown, the remaining hours are enough for a threat.
  const remainingHalves = active === 2 ? [night] : [day, night]
  const orRemaining = (value: number, name: keyof HalfSummary, join: (a: number, b: number) => number) =>
    Number.isNaN(value) ? remainingHalves.map((half) => half[name] as number).reduce(join) : value
  const own = threatsOf(
    {
      feelsLikeHigh: orRemaining(feelsLikeHigh, 'feelsLikeHigh', atLeast),
      feelsLikeLow: orRemaining(feelsLikeLow, 'feelsLikeLow', atMost),
      gust: orRemaining(wholeDay.windGust, 'windGust', atLeast),
      snow: orRemaining(wholeDay.snowTotal, 'snowTotal', sum),
      ice: orRemaining(wholeDay.iceTotal, 'iceTotal', sum),
    },
    (inches) => periodValue(forecast, `snow_prob_gt_${inches}in`, 24, window.start, window.end, 18),
  )
  if (outlooks.length === 0 && alerts.length === 0) return own
  const here = alerts.filter((alert) => overlaps(alert, window.start, window.end))
  return withAlerts(
    [...outlookThreats(outlooks, window), ...own],
    here.map(({ event }) => event),
  )
}

/**
 * Threats from outlooks that have more than half of their time in this row: severe weather with the greatest
 * probability of its hazards, fire, flood.
 */
function outlookThreats(outlooks: readonly OutlookAtPoint[], window: DayWindow): Threat[] {
  const here = outlooks.filter((outlook) => {
    const common = Math.min(outlook.expires, window.end) - Math.max(outlook.valid, window.start)
    return common > (outlook.expires - outlook.valid) / 2
  })
  const hazards = here.filter(({ type }) => ['severe', 'tornado', 'hail', 'wind'].includes(type))
  const most = Math.max(...hazards.map(({ probability }) => probability ?? 0))
  const threats: Threat[] = []
  for (const [type, names] of [
    ['severe', ['severe']],
    ['fire', ['fire']],
    ['flood', ['excessive_rain', 'flood']],
  ] as const) {
    // An outlook of general thunderstorms is not a severe threat.
    const outlook = here.find(({ type, risk }) => (names as readonly string[]).includes(type) && risk !== 'TSTM')
    if (!outlook) continue
    const probability = type === 'severe' && most > 0 ? most : outlook.probability
    threats.push({
      type,
      ...(outlook.risk && { risk: outlook.risk }),
      ...(probability !== undefined && { probability }),
      risk_label: outlook.riskLabel,
    })
  }
  return threats
}

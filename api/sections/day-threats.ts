import { withAlerts } from '../../ingest/domain/alert/event-threat.ts'
import type { DayWindow } from '../../ingest/domain/day-window.ts'
import { type Threat, threatsOf } from '../../ingest/domain/weather/threat.ts'
import type { Forecast } from '../blend/columns.ts'
import { overlaps } from '../blend/warned.ts'
import type { OutlookAtPoint } from '../contract.ts'
import { atLeast, atMost, sum } from './day-fold.ts'
import { period } from './day-periods.ts'
import type { DayRow } from './day-row.ts'
import type { Fold } from './fold.ts'
import type { Hazards } from './severe.ts'

/** Threats of a row, from its numbers, outlooks and alerts. */
export function rowThreats(
  forecast: Forecast,
  { window, active, whole, day, night, feelsLikeHigh, feelsLikeLow }: DayRow,
  { outlooks, alerts }: Hazards,
): readonly Threat[] {
  // Where passed hours are not known, those to come are enough for a threat.
  const coming = active === 2 ? [night] : [day, night]
  const orComing = (value: number, name: keyof Fold, join: (a: number, b: number) => number) =>
    Number.isNaN(value) ? coming.map((half) => half[name] as number).reduce(join) : value
  const own = threatsOf(
    {
      feelsLikeHigh: orComing(feelsLikeHigh, 'feelsLikeHigh', atLeast),
      // The row's own is that of its night.
      feelsLikeLow: coming.reduce((low, half) => atMost(low, half.feelsLikeLow), feelsLikeLow),
      gust: orComing(whole.windGust, 'windGust', atLeast),
      snow: orComing(whole.snowTotal, 'snowTotal', sum),
      ice: orComing(whole.iceTotal, 'iceTotal', sum),
    },
    (inches) => period(forecast, `snow_prob_gt_${inches}in`, 24, window.start, window.end, 18),
  )
  if (outlooks.length === 0 && alerts.length === 0) return own
  const here = alerts.filter((alert) => overlaps(alert, window.start, window.end))
  return withAlerts(
    [...outlookThreats(outlooks, window), ...own],
    here.map(({ event }) => event),
  )
}

/** Outlooks whose time is mostly this row's: severe with the greatest probability of its hazards, fire, flood. */
function outlookThreats(outlooks: readonly OutlookAtPoint[], window: DayWindow): Threat[] {
  const here = outlooks.filter((outlook) => {
    const common = Math.min(outlook.expires, window.end) - Math.max(outlook.valid, window.start)
    return common > (outlook.expires - outlook.valid) / 2
  })
  const hazards = here.filter(({ type }) => ['severe', 'tornado', 'hail', 'wind'].includes(type))
  const most = Math.max(...hazards.map(({ probability }) => probability ?? 0))
  const found: Threat[] = []
  for (const [type, names] of [
    ['severe', ['severe']],
    ['fire', ['fire']],
    ['flood', ['excessive_rain', 'flood']],
  ] as const) {
    // General thunder is no severe threat.
    const outlook = here.find(({ type, risk }) => (names as readonly string[]).includes(type) && risk !== 'TSTM')
    if (!outlook) continue
    const probability = type === 'severe' && most > 0 ? most : outlook.probability
    found.push({
      type,
      ...(outlook.risk && { risk: outlook.risk }),
      ...(probability !== undefined && { probability }),
      risk_label: outlook.riskLabel,
    })
  }
  return found
}

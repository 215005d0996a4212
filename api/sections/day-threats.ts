import { withAlerts } from '../../ingest/domain/alert-threat.ts'
import type { DayWindow } from '../../ingest/domain/day-window.ts'
import { type Threat, threatsOf } from '../../ingest/domain/threat.ts'
import type { Forecast } from '../blend/columns.ts'
import type { OutlookAtPoint } from '../contract.ts'
import { period } from './day-periods.ts'
import type { Row } from './day-row.ts'
import { type Hazards, overlaps } from './severe.ts'

/** Threats of a row, from its numbers, outlooks and alerts. */
export function rowThreats(
  forecast: Forecast,
  { window, whole, feelsLikeHigh, feelsLikeLow }: Row,
  { outlooks, alerts }: Hazards,
): readonly Threat[] {
  const own = threatsOf(
    {
      feelsLikeHigh,
      feelsLikeLow,
      gust: whole.windGust,
      snow: whole.snowTotal,
      ice: whole.iceTotal,
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

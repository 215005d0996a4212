import type { Day, PageWeather } from './api.ts'
import { el } from './dom.ts'
import type { Clock } from './format.ts'

type Outlook = NonNullable<PageWeather['outlooks']>[number]
type DayThreat = NonNullable<Day['threats']>[number]

const kinds: Readonly<Record<string, string>> = {
  severe: 'severe storms',
  fire: 'fire weather',
  flood: 'flooding',
  excessive_rain: 'flooding',
  dry_thunderstorm: 'dry thunderstorms',
}
const kindOf = (type: string) => kinds[type] ?? type.replaceAll('_', ' ')

/** The threats of a day as text: `severe storms (Enhanced), wind (Warning)`. */
export const threatsLine = (threats: readonly DayThreat[]): string =>
  threats.map(({ type, risk_label }) => `${kindOf(type)} (${risk_label})`).join(', ')

/** Outlooks of the SPC and WPC, with one line for each day that has a risk; undefined if no day has one. */
export function riskList(outlooks: readonly Outlook[], clock: Clock): HTMLElement | undefined {
  const days = Map.groupBy(
    outlooks.filter(({ risk, probability }) => risk ?? probability),
    ({ day }) => day,
  )
  if (days.size === 0) return undefined
  return el(
    'ul',
    { class: 'risks' },
    ...[...days].map(([day, list]) =>
      el(
        'li',
        {},
        el('strong', {}, day === 1 || !list[0] ? 'Risks today' : `Risks ${clock.date(list[0].valid)}`),
        `: ${list.map(riskOf).join(', ')}`,
      ),
    ),
  )
}

/** A risk as text: `severe storms (Enhanced risk, significant)`, `tornado 2%`. */
function riskOf({ type, risk, risk_label: label, probability, significant }: Outlook): string {
  if (risk === 'TSTM') return 'thunderstorms, not severe'
  const share = probability === undefined || label.includes('%') ? undefined : `${Math.round(probability * 100)}%`
  const grade = label.includes('%') ? undefined : `${label} risk`
  const more = [grade, share, significant && 'significant'].filter(Boolean).join(', ')
  return `${kindOf(type)}${grade ? '' : ` ${label}`}${more ? ` (${more})` : ''}`
}

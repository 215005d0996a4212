import type { Alert, PageWeather } from './api.ts'
import { el, section } from './dom.ts'
import { type Clock, duration } from './format.ts'
import { bySeverity } from './sentence.ts'

interface FullAlert extends Alert {
  readonly description?: string
  readonly instruction?: string | null
}

/** Alerts in the colour of their severity, the most severe first, with text, area and remaining time. */
export function alertCards({ alerts }: PageWeather, clock: Clock, now: number): HTMLElement {
  if (!alerts)
    return section(
      'Alerts',
      'alerts',
      el('p', { class: 'error' }, 'Alerts could not be read just now. This is no all-clear.'),
    )
  if (alerts.length === 0)
    return section('Alerts', 'alerts', el('p', { class: 'quiet' }, 'No active alerts for this place.'))
  const list = [...alerts].sort(bySeverity) as FullAlert[]
  return section(
    `${alerts.length} alert${alerts.length > 1 ? 's' : ''}`,
    'alerts',
    ...list.map((alert, i) => card(alert, clock, now, i === 0)),
  )
}

function card(alert: FullAlert, clock: Clock, now: number, open: boolean): HTMLElement {
  const onset = Date.parse(alert.onset)
  const ends = Date.parse(alert.ends)
  const timing = onset > now ? `begins ${clock.near(alert.onset, now)}` : `${duration(ends - now)} left`
  return el(
    'details',
    { class: `alert ${alert.severity}`, open: open && ['Extreme', 'Severe'].includes(alert.severity) },
    el(
      'summary',
      {},
      el('strong', {}, alert.event),
      el('span', { class: 'badge' }, alert.severity),
      el('span', { class: 'left' }, `${timing}, until ${clock.near(alert.ends, now)}`),
    ),
    el('p', {}, el('strong', {}, alert.headline)),
    el('p', { class: 'quiet' }, `${alert.sender}${alert.area_desc ? `. Area: ${alert.area_desc}` : ''}`),
    alert.description && el('p', { class: 'text' }, alert.description),
    alert.instruction && el('p', { class: 'text instruction' }, alert.instruction),
  )
}

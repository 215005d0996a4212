import type { Instant } from '../../../ingest/domain/time.ts'
import { stateByCode } from '../../../ingest/geo/state.ts'
import type { LiveAlert } from '../../live/alert-index.ts'
import { type AlertJson, restOf } from '../../live/alerts.ts'
import { oneLine } from './quote.ts'
import { phrase, spanWords } from './reply.ts'

/** CAP parameters that a text names, each with its words before and after the value. */
const figures: readonly (readonly [name: string, before: string, after: string])[] = [
  ['maxHailSize', 'hail ', ' in'],
  ['maxWindGust', 'gusts ', ''],
  ['windGust', 'gusts ', ''],
  ['hailSize', 'hail ', ' in'],
  ['tornadoDetection', 'tornado ', ''],
  ['hailThreat', 'hail ', ''],
  ['windThreat', 'wind ', ''],
  ['tornadoDamageThreat', 'tornado damage threat ', ''],
  ['thunderstormDamageThreat', 'damage threat ', ''],
  ['flashFloodDetection', 'flash flood ', ''],
  ['flashFloodDamageThreat', 'flash flood damage threat ', ''],
  ['snowSquallDetection', 'snow squall ', ''],
  ['snowSquallImpact', 'snow squall impact ', ''],
  ['waterspoutDetection', 'waterspout ', ''],
]

/** Returns `hail 1.75 in, gusts 60 MPH, tornado radar indicated`; empty for an alert without such figures. */
function hazardWords(highlights: AlertJson['highlights'] = {}): string {
  return phrase(
    ...figures.map(([name, before, after]) => {
      const value = highlights[name]
      if (!value) return ''
      const isNumber = /^[\d.]+$/.test(value)
      const text = /[A-Z]{4}/.test(value) ? value.toLowerCase() : value
      return `${before}${oneLine(text, 40)}${isNumber ? after : ''}`
    }),
  )
}

/** Returns the names of the states of UGC codes. */
export const statesOf = (areas: readonly string[]): string[] =>
  [...new Set(areas.map((code) => code.slice(0, 2)))].flatMap((code) => stateByCode.get(code)?.name ?? [])

/** Returns the counties or zones of an alert; with the states if the description does not name them. */
function areaWords({ record, areas }: LiveAlert, most: number): string {
  const text = oneLine(record.areaDesc ?? '', most)
  const states = statesOf(areas)
  return /, [A-Z]{2}\b/.test(text) || states.length === 0
    ? text
    : `${text || 'area'} (${states.slice(0, 4).join(', ')})`
}

/** Returns whether an alert is in force at a time: it has begun and is not over. */
export const isInForce = ({ record, expiration }: LiveAlert, now: Instant): boolean =>
  record.onset <= now && now < expiration

/** Returns `Tornado Warning (Extreme, observed), in force until Sat, 3:00 PM CST: Tulsa, OK; hail 1.75 in; id urn:…` */
export function alertLine(alert: LiveAlert, now: Instant, timezone: string, isLong = true): string {
  const { head, record, expiration } = alert
  const span = spanWords({ onset: record.onset, ends: expiration }, now, timezone)
  const state = isInForce(alert, now) ? 'in force' : 'not yet in force,'
  const certainty = /observed|likely/i.test(record.certainty) ? `, ${record.certainty.toLowerCase()}` : ''
  const hazard = hazardWords(restOf(alert).highlights)
  const area = areaWords(alert, isLong ? 120 : 80)
  return `${head.event} (${record.severity}${certainty}) ${state} ${span}${area ? `: ${area}` : ''}${hazard ? `; ${hazard}` : ''}; id ${oneLine(alert.id, 100)}`
}

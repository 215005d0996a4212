import { readEventName } from '../../ingest/domain/alert/event-name.ts'
import { Fault } from '../../ingest/domain/fault.ts'
import type { MetaWarning } from '../contract.ts'
import { displayed, mismatchText } from './query.ts'

/** Names of events in an alert filter. */
export interface EventFilter {
  /** Names in the spelling of the NWS if they are known. */
  readonly names: readonly string[]
  readonly includes: (event: string) => boolean
  /** Contains `unknown_event` if a name is in no list. */
  readonly warnings: readonly MetaWarning[]
}

/**
 * Parses names of events. A misspelled name is rejected, because its empty list would read as an all-clear.
 * @param active names of the events of current alerts
 * @throws Fault Invalid with the nearest names for a misspelled or unreadable name
 */
export function readEvents(field: string, texts: readonly string[], active: Iterable<string>): EventFilter {
  const current = [...active]
  const readings = texts.map((text) => {
    const reading = readEventName(text, current)
    if (reading.kind === 'known' || reading.kind === 'unknown') return reading
    const nearest = reading.kind === 'misspelled' ? reading.nearest : []
    throw new Fault(
      'Invalid',
      `${mismatchText(field, 'the name of an NWS event such as Tornado Warning', displayed(text))}${nearest.length > 0 ? ` Nearest: ${nearest.join(', ')}.` : ''} This is not an all-clear.`,
      { field, ...(nearest.length > 0 && { candidates: nearest }) },
    )
  })
  const unknown = readings.flatMap((reading) => (reading.kind === 'unknown' ? [reading.name] : []))
  const names = readings.map(({ name }) => name)
  const lowerCaseNames = new Set(names.map((name) => name.toLowerCase()))
  return {
    names,
    includes: (event) => lowerCaseNames.has(event.toLowerCase()),
    warnings: unknown.length > 0 ? [unknownEvent(field, unknown)] : [],
  }
}

export const unknownEvent = (field: string, names: readonly string[]): MetaWarning => ({
  code: 'unknown_event',
  section: 'alerts',
  detail: `\`${field}\`: no NWS event is known by the name ${names.map(displayed).join(', ')}, and no current alert has it: an empty list is not an all-clear`,
})

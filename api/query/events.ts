import { readEventName } from '../../ingest/domain/alert/event-name.ts'
import { Fault } from '../../ingest/domain/fault.ts'
import type { MetaWarning } from '../contract.ts'
import { displayed } from './query.ts'

/** Names of events in a filter of alerts. */
export interface EventFilter {
  /** As the NWS writes them where they are known. */
  readonly names: readonly string[]
  readonly includes: (event: string) => boolean
  /** `unknown_event`, where a name is in no list. */
  readonly warnings: readonly MetaWarning[]
}

/**
 * Reads names of events. An alert that nobody can find by a misspelled name would read as an all-clear.
 * @param active names of current alerts
 * @throws Fault Invalid with the nearest names: one is misspelled or unreadable
 */
export function readEvents(field: string, texts: readonly string[], active: Iterable<string>): EventFilter {
  const current = [...active]
  const readings = texts.map((text) => {
    const reading = readEventName(text, current)
    if (reading.kind === 'known' || reading.kind === 'unknown') return reading
    const nearest = reading.kind === 'misspelled' ? reading.nearest : []
    throw new Fault(
      'Invalid',
      `${field}: wanted the name of an NWS event, such as Tornado Warning; got ${displayed(text)}.${nearest.length > 0 ? ` Nearest: ${nearest.join(', ')}.` : ''} This is not an all-clear.`,
      { field, ...(nearest.length > 0 && { candidates: nearest }) },
    )
  })
  const unknown = readings.flatMap((one) => (one.kind === 'unknown' ? [one.name] : []))
  const names = readings.map(({ name }) => name)
  const wanted = new Set(names.map((name) => name.toLowerCase()))
  return {
    names,
    includes: (event) => wanted.has(event.toLowerCase()),
    warnings: unknown.length > 0 ? [unknownEvent(field, unknown)] : [],
  }
}

export const unknownEvent = (field: string, names: readonly string[]): MetaWarning => ({
  code: 'unknown_event',
  section: 'alerts',
  detail: `${field}: no NWS event is known by the name ${names.map(displayed).join(', ')}, and no current alert has it: an empty list is not an all-clear`,
})

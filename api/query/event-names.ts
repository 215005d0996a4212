import { eventNames } from '../../ingest/domain/event-name.ts'
import { edits } from '../../ingest/domain/nearest.ts'
import type { MetaWarning } from '../contract.ts'
import { Problem } from '../problem.ts'
import { displayed, nearestWord } from './query.ts'

/** A name that differs from a known one by no more than this share of its letters is taken for a typing error. */
const MAX_TYPO_SHARE = 0.25

/**
 * Names of the NWS events that a filter asks for, lower case.
 * @param active names of the alerts that are stored now: new names of the NWS are known so
 * @returns the warning where a name is unknown, because the empty list that it gives is no all-clear
 * @throws Problem bad-request for a name that is nearly a known one
 */
export function requireEvents(
  names: readonly string[],
  active: Iterable<string>,
): { readonly events: ReadonlySet<string>; readonly warnings: readonly MetaWarning[] } {
  const known = [...new Set([...eventNames, ...active])]
  const lower = new Set(known.map((name) => name.toLowerCase()))
  const events = new Set(names.map((name) => name.trim().toLowerCase()).filter((name) => name !== ''))
  const warnings: MetaWarning[] = []
  for (const event of events) {
    if (lower.has(event)) continue
    const nearest = nearestWord(event, known)
    const distance = edits(event.slice(0, 60), nearest.toLowerCase())
    if (distance <= MAX_TYPO_SHARE * nearest.length) {
      throw new Problem(
        'bad-request',
        `event: no NWS event is called ${displayed(event)}. Did you mean "${nearest}"? This is not an all-clear.`,
        { members: { field: 'event' } },
      )
    }
    warnings.push({
      code: 'unknown_event',
      section: 'alerts',
      detail: `no NWS event that is known here is called ${displayed(event)}, so that no alert of this name is listed is not an all-clear; the nearest name is "${nearest}"`,
    })
  }
  return { events, warnings }
}

import { Fault } from '../../domain/fault.ts'
import type { Instant } from '../../domain/time.ts'
import { xmlParser } from '../xml.ts'
import { bareId, instant, MAX_ALERTS } from './record.ts'

export interface AlertAtom {
  /** The ids of the active messages, each once. */
  readonly ids: readonly string[]
  readonly updated?: Instant
}

const parser = xmlParser((name) => name === 'entry')

/**
 * Reads the Atom index of active alerts of api.weather.gov, which has the ids of the active messages without their content.
 * @throws Fault Corrupt if the text is not an Atom feed, is truncated, or has an entry without an id
 */
export function readAlertAtom(text: string): AlertAtom {
  let document: unknown
  try {
    document = parser.parse(text, true)
  } catch (error) {
    throw new Fault(
      'Corrupt',
      `alert index: the body must be Atom, but begins with ${JSON.stringify(text.slice(0, 40))}`,
      {},
      error,
    )
  }
  const feed = member(document, 'feed')
  // A feed without alerts has no entries. An HTML page or an error document has no element `feed`.
  if (feed === undefined || !text.trimEnd().endsWith('feed>'))
    throw new Fault(
      'Corrupt',
      `alert index: the Atom feed that begins with ${JSON.stringify(text.slice(0, 40))} must end with </feed>, but ends earlier`,
    )
  const entries = member(feed, 'entry') ?? []
  if (!Array.isArray(entries) || entries.length > MAX_ALERTS)
    throw new Fault('Corrupt', `alert index: the feed must have at most ${MAX_ALERTS} entries, but has more`)
  const ids = entries.map((entry) => {
    const id = member(entry, 'id')
    const bare = typeof id === 'string' ? bareId(id.trim()) : ''
    if (!/^[\w:.-]{4,200}$/.test(bare))
      throw new Fault(
        'Corrupt',
        `alert index: an entry must have the id of an alert, but has ${JSON.stringify(String(id).slice(0, 80))}`,
      )
    return bare.replace(/\.cap$/, '')
  })
  const updated = member(feed, 'updated')
  return { ids: [...new Set(ids)], updated: typeof updated === 'string' ? instant(updated.trim()) : undefined }
}

function member(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined
}

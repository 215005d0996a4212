import { Fault } from '../../domain/fault.ts'
import type { Instant } from '../../domain/time.ts'
import { xmlParser } from '../xml.ts'
import { bareId, instant, MAX_ALERTS } from './record.ts'

export interface AlertAtom {
  /** Distinct ids of the messages in force. */
  readonly ids: readonly string[]
  readonly updated?: Instant
}

const parser = xmlParser((name) => name === 'entry')

/**
 * The Atom index of active alerts of api.weather.gov: which messages are in force, without their content.
 * @throws Fault Corrupt if the text is no Atom feed, ends early, or has an entry without an id
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
  // An empty feed has no entries; an HTML page or error document has no feed.
  if (feed === undefined || !text.trimEnd().endsWith('feed>'))
    throw new Fault(
      'Corrupt',
      `alert index: the Atom feed that begins with ${JSON.stringify(text.slice(0, 40))} is incomplete`,
    )
  const entries = member(feed, 'entry') ?? []
  if (!Array.isArray(entries) || entries.length > MAX_ALERTS)
    throw new Fault('Corrupt', `alert index: has more than the permitted ${MAX_ALERTS} entries`)
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

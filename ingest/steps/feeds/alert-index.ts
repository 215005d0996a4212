import { readAlertAtom } from '../../decode/alert/atom.ts'
import { readCap } from '../../decode/alert/cap.ts'
import { disambiguated } from '../../decode/alert/doubled.ts'
import { readAlertGeoJson } from '../../decode/alert/geojson.ts'
import type { AlertFeed, Rejected } from '../../decode/alert/record.ts'
import type { AlertHead, AlertMessage } from '../../domain/alert/alert.ts'
import { isFault } from '../../domain/fault.ts'
import { nth } from '../../domain/nth.ts'
import type { Upstream } from '../../ports/upstream.ts'
import type { SecondRead } from './second-read.ts'

/** Number of alert documents that a sweep reads; the host allows 240 requests a minute. */
const MAX_DOCUMENTS = 60
const IDLE_MS = 5_000
const TOTAL_MS = 20_000

/**
 * Reads the active alerts through their Atom index instead of the whole feed. Alerts that are listed but not stored are
 * read individually.
 * @param url the index; documents are at `https://HOST/alerts/ID` of its host
 * @throws Fault if the index cannot be read
 */
export async function readAlertIndex(
  upstream: Upstream,
  url: string,
  stored: readonly AlertHead[],
): Promise<SecondRead> {
  const signal = AbortSignal.timeout(TOTAL_MS)
  const how = { attempts: 1, urgent: true, idleMs: IDLE_MS, signal }
  const { bytes, ageSeconds } = await upstream.get(url, { ...how, accept: 'application/atom+xml', noCache: true })
  const { ids, updated } = readAlertAtom(new TextDecoder().decode(bytes))
  const known = new Map<string, AlertHead[]>()
  for (const head of stored) {
    // If several messages share an id, all but the first have a suffix.
    const id = nth(head.id.split('#', 1), 0)
    known.set(id, [...(known.get(id) ?? []), head])
  }
  // A message with limited content, from another second source, is replaced by its document.
  const fresh = ids.filter((id) => known.get(id)?.every(({ limited }) => limited) ?? true)
  const messages: AlertMessage[] = []
  const rejected: Rejected[] = []
  let unread = Math.max(0, fresh.length - MAX_DOCUMENTS)
  await Promise.all(
    fresh.slice(0, MAX_DOCUMENTS).map(async (id) => {
      try {
        const document = new URL(`/alerts/${id}`, url).href
        const accept = 'application/geo+json, application/cap+xml;q=0.5'
        const read = readDocument((await upstream.get(document, { ...how, accept })).bytes)
        messages.push(...read.messages)
        rejected.push(...read.rejected)
      } catch (error) {
        // The alert has ended since the index was written.
        if (isFault(error, 'NotYet') || isFault(error, 'Gone')) return
        if (isFault(error, 'Corrupt')) rejected.push({ reason: 'shape', id, detail: error.message, isAccepted: false })
        else unread++
      }
    }),
  )
  const readIds = new Set(messages.map(({ head }) => head.id))
  const standing = ids.flatMap((id) => known.get(id) ?? [])
  return {
    feed: { messages: disambiguated(messages), rejected, updated },
    standing: standing.filter(({ id }) => !readIds.has(id)),
    ...(unread > 0 && { doubt: `${unread} alerts of the second source remain to be read` }),
    ageSeconds,
  }
}

/** Decodes an alert from a GeoJSON feature or CAP. */
function readDocument(bytes: Uint8Array): AlertFeed {
  const text = new TextDecoder().decode(bytes)
  return text.trimStart().startsWith('<') ? readCap(text) : readAlertGeoJson(`{"features":[${text}]}`)
}

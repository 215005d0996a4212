import { isFault } from '../../domain/fault.ts'
import type { Instant } from '../../domain/time.ts'
import type { Reply, Upstream } from '../../ports/upstream.ts'
import { FROZEN_AFTER_MS } from '../feeds/conditional-read.ts'
import type { SecondSources } from '../feeds/feed.ts'
import { type FeedDocument, feedDocuments } from './feed-documents.ts'
import { type Finding, findingsOf, passed, warning } from './finding.ts'

const MAX_BYTES = 64 << 20

/** What hosts ask of their clients; a host that refuses our requests may do so for this reason. */
const POLICIES: Readonly<Record<string, string>> = {
  'api.weather.gov': 'asks for a User-Agent with a contact address (setting CONTACT)',
  'aviationweather.gov': 'asks for a User-Agent of its own (setting CONTACT) and at most 100 requests a minute',
  'www.spc.noaa.gov': 'asks in its robots.txt for ten seconds between requests',
  'tgftp.nws.noaa.gov': 'has refused some clients with 403 and states no policy',
  'mapservices.weather.noaa.gov': 'has a page in place of a robots.txt and states no policy',
  'files.airnowtech.org': 'asks for attribution and states no rate',
}
const REFUSALS: readonly unknown[] = [301, 307, 308, 401, 403]

/**
 * Reads each document once, with the headers of production, and reports its size, type, rows, validators, and its age
 * in a cache.
 */
export function feedChecks(upstream: Upstream, now: Instant, second: SecondSources) {
  return feedDocuments(now, second).map((document) => {
    const subject = `feed ${document.name}`
    return async () => {
      const findings = await findingsOf(subject, async () => [await checkDocument(upstream, subject, document)])
      return document.hasTwin ? findings.map(asTwin) : findings
    }
  })
}

const asTwin = (finding: Finding): Finding =>
  finding.state === 'failed'
    ? { ...finding, state: 'warning', detail: `${finding.detail}; another document has the same content` }
    : finding

async function checkDocument(upstream: Upstream, subject: string, document: FeedDocument): Promise<Finding> {
  const { url, accept } = document
  const began = performance.now()
  const reply = await upstream.get(url, { accept, maxBytes: MAX_BYTES, noCache: true }).catch((error: unknown) => {
    throw refusal(error, url) ?? error
  })
  const ms = Math.round(performance.now() - began)
  if (reply.bytes.length === 0) throw new Error(`${url}: an empty document`)
  if (/^\s*<(?:!doctype )?html/i.test(new TextDecoder('latin1').decode(reply.bytes.subarray(0, 200))))
    throw new Error(`${url}: expected the document, but an HTML page was returned`)
  const rows = await document.rows(reply.bytes)
  const detail = `${url}: ${rows} rows in ${reply.bytes.length} bytes, ${ms} ms, ${headersOf(reply)}`
  if (rows === 0 && !document.mayBeEmpty) throw new Error(`${detail}: a document without rows`)
  const isOld = (reply.ageSeconds ?? 0) * 1000 > FROZEN_AFTER_MS
  return isOld ? warning(subject, `${detail}: a cache returns an old copy`) : passed(subject, detail)
}

function headersOf({ contentType, etag, lastModified, ageSeconds }: Reply): string {
  const validators = [etag && 'ETag', lastModified && `Last-Modified ${lastModified}`].filter(Boolean)
  return [
    contentType ?? 'no type',
    validators.join(' and ') || 'no validators: it is read whole at each poll',
    ...(ageSeconds === undefined ? [] : [`Age ${ageSeconds} s`]),
  ].join(', ')
}

/** Returns the fault with the policy of its host, if the host refuses us. */
function refusal(error: unknown, url: string): Error | undefined {
  if (!isFault(error) || !REFUSALS.includes(error.details['status'])) return undefined
  const { host } = new URL(url)
  return new Error(`${error.message}; ${host} ${POLICIES[host] ?? 'states no policy that we know'}`, { cause: error })
}

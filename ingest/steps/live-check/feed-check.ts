import { airnow, hourlyObservationsUrl, reportingAreaUrl } from '../../datasets/airnow.ts'
import { climateLists } from '../../datasets/climate.ts'
import { metarCacheUrl, stationTableUrl } from '../../datasets/metar.ts'
import { outlookFiles } from '../../datasets/spc.ts'
import { publicZonesUrl } from '../../domain/alert/ugc.ts'
import { textLists, textListUrl } from '../../domain/text/product.ts'
import { HOUR, type Instant } from '../../domain/time.ts'
import type { Upstream } from '../../ports/upstream.ts'
import { ALERT_FEED } from '../feeds/alert-read.ts'
import { FROZEN_AFTER_MS } from '../feeds/conditional-read.ts'
import type { SecondSources } from '../feeds/feed.ts'
import { type Finding, findingsOf, passed, warning } from './finding.ts'

const MAX_BYTES = 64 << 20

/** A document that a feed reads. */
interface FeedDocument {
  readonly name: string
  readonly url: string
}

/** Returns an address of each kind of document. The SPC outlooks have one format, so the first of each folder stands for the others. */
function documents(now: Instant, second: SecondSources): readonly FeedDocument[] {
  const outlooks = new Map(outlookFiles.map(({ urls }) => [folderOf(urls[0] ?? ''), urls[0] ?? '']))
  return [
    { name: 'alerts', url: ALERT_FEED },
    ...(second.alerts ? [{ name: 'alerts, second source', url: second.alerts }] : []),
    ...[...outlooks.values()].map((url) => ({ name: `outlooks ${url.slice(url.lastIndexOf('/') + 1)}`, url })),
    ...textLists.map((list) => ({ name: `texts ${list.type}`, url: textListUrl(list) })),
    ...climateLists.map(({ kind, all }) => ({ name: `climate ${kind}`, url: all })),
    { name: 'METARs', url: metarCacheUrl },
    { name: 'METAR stations', url: stationTableUrl },
    { name: 'air quality forecasts', url: reportingAreaUrl },
    { name: `${airnow.id} hourly`, url: hourlyObservationsUrl(now - 2 * HOUR) },
    { name: 'public zones', url: publicZonesUrl('DC') },
  ]
}

const folderOf = (url: string) => url.slice(0, url.lastIndexOf('/'))

/** Reads each document once, with the headers of production: its size, its validators, and its age in a cache. */
export function feedChecks(upstream: Upstream, now: Instant, second: SecondSources) {
  return documents(now, second).map(({ name, url }) => {
    const subject = `feed ${name}`
    return () => findingsOf(subject, async () => [await checkDocument(upstream, subject, url)])
  })
}

async function checkDocument(upstream: Upstream, subject: string, url: string): Promise<Finding> {
  const began = performance.now()
  const reply = await upstream.get(url, { attempts: 2, idleMs: 10_000, maxBytes: MAX_BYTES, noCache: true })
  const ms = Math.round(performance.now() - began)
  const validators = [reply.etag && 'ETag', reply.lastModified && `Last-Modified ${reply.lastModified}`]
  const detail = [
    `${url}: ${reply.bytes.length} bytes in ${ms} ms`,
    validators.filter(Boolean).join(' and ') || 'no validators: it is read whole at each poll',
    ...(reply.ageSeconds === undefined ? [] : [`Age ${reply.ageSeconds} s`]),
  ].join(', ')
  if (reply.bytes.length === 0) throw new Error(`${url}: an empty document`)
  if (/^\s*<(?:!doctype )?html/i.test(new TextDecoder('latin1').decode(reply.bytes.subarray(0, 200))))
    throw new Error(`${url}: a page for people in place of the document`)
  const isOld = (reply.ageSeconds ?? 0) * 1000 > FROZEN_AFTER_MS
  return isOld ? warning(subject, `${detail}: a cache gives an old copy`) : passed(subject, detail)
}

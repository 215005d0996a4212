import { mapPaced } from '../../../ingest/domain/pacer.ts'
import { type Instant, isoSeconds } from '../../../ingest/domain/time.ts'
import type { MetaWarning } from '../../contract.ts'
import type { LiveAlert } from '../../live/alert-index.ts'
import type { AlertWatch } from '../../live/alert-watch.ts'
import { alertWarnings, byGravity, geometryOf, unplacedWarnings } from '../../live/alerts.ts'
import { simulatedWarnings, warningsHeader } from '../../present/meta.ts'
import { Problem } from '../../problem.ts'
import { requireArea } from '../../query/area.ts'
import { mediaTypes } from '../../query/format.ts'
import { resolve } from '../../query/location.ts'
import { displayed } from '../../query/query.ts'
import type { Answer, RouteRequest } from '../../route.ts'
import { pointOf } from './nws-point.ts'

/** `/alerts/active` of api.weather.gov (https://www.weather.gov/documentation/services-web-api). */

/** Cache lifetime of a list: it is short, because a new alert may begin at any moment. */
const MAX_AGE_SECONDS = 15
const MAX_CODES = 50

const listOf = (text: string | undefined, expected: RegExp, name: string): string[] | undefined => {
  if (text === undefined) return undefined
  const codes = text.split(',').map((code) => code.trim().toUpperCase())
  if (codes.length > MAX_CODES || codes.some((code) => !expected.test(code)))
    throw new Problem(
      'bad-request',
      `Parameter "${name}" is invalid: ${displayed(text)}. Use up to ${MAX_CODES} codes.`,
    )
  return codes
}

/** Returns words of a filter, in any case. */
const wordsOf = (text: string | undefined) => text?.split(',').map((word) => word.trim().toLowerCase())

const known = ['point', 'area', 'zone', 'event', 'severity', 'urgency', 'certainty', 'status', 'message_type', 'limit']

interface Selected {
  readonly list: readonly LiveAlert[]
  readonly at: { readonly lat: number; readonly lon: number } | undefined
  readonly title: string
}

function selected(watch: AlertWatch, query: RouteRequest['query'], now: Instant): Selected {
  const unknown = Object.keys(query).find((name) => !known.includes(name))
  if (unknown !== undefined)
    throw new Problem(
      'bad-request',
      `Query parameter ${displayed(unknown)} is not recognized. Use ${known.join(', ')}.`,
    )
  const areas = listOf(query['area'], /^[A-Z]{2}$/, 'area')
  const zones = listOf(query['zone'], /^[A-Z]{2}[CZ]\d{3}$/, 'zone')
  if ([query['point'], areas, zones].filter((way) => way !== undefined).length > 1)
    throw new Problem('bad-request', 'Only one of "point", "area" and "zone" may be used in a request.')
  const all = watch.index.all(now)
  for (const area of areas ?? []) requireArea({ area }, () => false)
  for (const zone of zones ?? []) requireArea({ zone }, (code) => all.some((alert) => alert.areas.includes(code)))
  const at = query['point'] === undefined ? undefined : resolve({ kind: 'point', ...pointOf(query['point']) })
  const here = at ? watch.index.at(at.lat, at.lon, now) : all
  const isIn = (words: readonly string[] | undefined, value: string) => !words || words.includes(value.toLowerCase())
  const [events, severities, urgencies, certainties, kinds] = [
    'event',
    'severity',
    'urgency',
    'certainty',
    'message_type',
  ].map((name) => wordsOf(query[name]))
  const statuses = wordsOf(query['status'] ?? 'actual')
  const list = here.filter(
    ({ head, record, areas: codes }) =>
      (!areas || codes.some((code) => areas.includes(code.slice(0, 2)))) &&
      (!zones || codes.some((code) => zones.includes(code))) &&
      isIn(statuses, head.status) &&
      isIn(events, head.event) &&
      isIn(kinds, head.kind) &&
      isIn(severities, record.severity) &&
      isIn(urgencies, record.urgency) &&
      isIn(certainties, record.certainty),
  )
  const where = at ? `${at.lat}, ${at.lon}` : (areas ?? zones)?.join(', ')
  return {
    list: list.sort(byGravity),
    at,
    title: `Current watches, warnings, and advisories${where ? ` for ${where}` : ''}`,
  }
}

const zoneUrl = ({ code, kind }: { readonly code: string; readonly kind: string }) =>
  `https://api.weather.gov/zones/${kind}/${code}`

function featureOf(alert: LiveAlert, base: string): object {
  const { id, head, record, areas } = alert
  const url = `${base}/v1/alerts?id=${encodeURIComponent(id)}`
  return {
    id: url,
    type: 'Feature',
    geometry: geometryOf(alert),
    properties: {
      '@id': url,
      '@type': 'wx:Alert',
      id,
      areaDesc: record.areaDesc ?? '',
      geocode: { SAME: record.same, UGC: areas },
      affectedZones: record.zones.map(zoneUrl),
      references: head.references.map((identifier) => ({ identifier })),
      sent: isoSeconds(head.sent),
      effective: isoSeconds(record.effective),
      onset: isoSeconds(record.onset),
      expires: isoSeconds(record.expires),
      ends: isoSeconds(record.ends),
      status: head.status,
      messageType: head.kind,
      category: record.category,
      severity: record.severity,
      certainty: record.certainty,
      urgency: record.urgency,
      event: head.event,
      senderName: record.sender,
      headline: record.headline,
      description: record.description ?? null,
      instruction: record.instruction ?? null,
      response: record.response ?? null,
      parameters: record.parameters,
    },
  }
}

const truncated = (total: number): MetaWarning => ({
  code: 'truncated',
  section: 'alerts',
  detail: `There are ${total} alerts. Leave out \`limit\` to get all of them.`,
})

/** @throws Problem service-unavailable before the first read of the feed: an empty list would be an all-clear */
export async function activeAlerts(
  watch: AlertWatch,
  { query, now: clock, base }: Pick<RouteRequest, 'query' | 'now' | 'base'>,
  simulated: boolean,
): Promise<Answer> {
  const now = watch.now(clock)
  const { list, at, title } = selected(watch, query, now)
  const { feed, doubt } = watch.trust(clock)
  if (!feed?.confirmed_at) {
    throw new Problem('service-unavailable', 'The alerts have not been read yet. Retry in a minute.', {
      retryAfter: 30,
    })
  }
  const limit = query['limit'] === undefined ? Number.POSITIVE_INFINITY : Number(query['limit'])
  if (!(limit >= 1)) throw new Problem('bad-request', `Parameter "limit" is invalid: ${displayed(query['limit'])}.`)
  const warnings = [
    ...alertWarnings(doubt, list, at),
    ...(at ? unplacedWarnings(watch.index, at, now) : []),
    ...simulatedWarnings(simulated),
    ...(list.length > limit ? [truncated(list.length)] : []),
  ]
  const next = Math.min(
    ...list.flatMap(({ record, expiration }) => [record.onset, expiration]).filter((at) => at > now),
  )
  const age = Math.max(0, Math.min(MAX_AGE_SECONDS, Math.floor((next - now) / 1000)))
  // The geometries of the whole country have about 10 MB.
  const features = await mapPaced(list.slice(0, limit), (alert) => JSON.stringify(featureOf(alert, base)))
  const members = { title, updated: feed.confirmed_at.toISOString(), hexcast: { warnings } }
  return {
    type: mediaTypes.geojson,
    body: Buffer.from(
      `{"type":"FeatureCollection","features":[${features.join(',')}],${JSON.stringify(members).slice(1)}`,
    ),
    headers: { 'Cache-Control': doubt ? 'no-store' : `max-age=${age}`, ...warningsHeader(warnings) },
  }
}

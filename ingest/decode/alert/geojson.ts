import type { AlertMessage } from '../../domain/alert/alert.ts'
import { Fault } from '../../domain/fault.ts'
import { disambiguated, doubledIn } from './doubled.ts'
import { type AlertFeed, type AlertRecord, bareId, instant, MAX_ALERTS, parseRecord, type Rejected } from './record.ts'

type AlertProperties = Readonly<Record<string, unknown>>

/**
 * Reads the feed of api.weather.gov: a FeatureCollection, or the same content as JSON-LD (`@graph`). A feature that fails validation is
 * rejected and counted.
 * @throws Fault Corrupt if the body is not a feed, or if no feature can be read
 */
export function readAlertGeoJson(text: string): AlertFeed {
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch (error) {
    throw new Fault('Corrupt', `alert feed: expected JSON, but found ${JSON.stringify(text.slice(0, 40))}…`, {}, error)
  }
  const features = isObject(body) ? (body['features'] ?? body['@graph']) : undefined
  if (!isObject(body) || !Array.isArray(features)) {
    const content = isObject(body) ? Object.keys(body).slice(0, 6).join(', ') : typeof body
    throw new Fault('Corrupt', `alert feed: expected a FeatureCollection, but found ${content}`)
  }
  if (features.length > MAX_ALERTS)
    throw new Fault('Corrupt', `alert feed: expected at most ${MAX_ALERTS} features, but found ${features.length}`)
  const messages: AlertMessage[] = []
  const rejected: Rejected[] = []
  for (const feature of features) {
    const result = readFeature(feature)
    if (result.message) messages.push(result.message)
    const odd = result.rejected ?? renamed(feature, result.message)
    if (odd) rejected.push({ ...odd, source: sourceOf(feature) })
  }
  // Drafts and system messages are valid but not for the public. A feed of only such messages is therefore complete, and empty.
  const unreadable = rejected.filter(({ reason }) => reason !== 'status')
  if (messages.length === 0 && unreadable.length > 0) {
    throw new Fault('Corrupt', `alert feed: none of its ${features.length} features could be read as an alert`, {
      reason: unreadable[0]?.reason,
    })
  }
  const pages = isObject(body['pagination']) ? body['pagination'] : {}
  const next = string(pages['next'])
  return {
    messages: disambiguated(messages),
    rejected,
    doubled: doubledIn(messages),
    updated: instant(string(body['updated'])),
    // An empty page is the last page, even if it has a link to a next page.
    ...(next && features.length > 0 && next.startsWith('https://api.weather.gov/') && { next }),
  }
}

function readFeature(feature: unknown): ReturnType<typeof parseRecord> {
  try {
    const properties = isObject(feature) ? (feature['properties'] ?? feature) : undefined
    if (!isObject(feature) || !isObject(properties)) {
      return {
        rejected: { reason: 'shape', detail: 'the feature must have "properties", but has none', isAccepted: false },
      }
    }
    return parseRecord(recordOf(feature, properties))
  } catch (error) {
    return { rejected: { reason: 'shape', detail: String(error), isAccepted: false } }
  }
}

/** Members that every feature of api.weather.gov has, even if their value is null. `ends` is not always present. */
const MEMBERS = [
  'areaDesc',
  'affectedZones',
  'sent',
  'effective',
  'expires',
  'status',
  'messageType',
  'severity',
  'certainty',
  'urgency',
  'headline',
  'description',
  'parameters',
]
const MAX_SOURCE = 65_536

/** Returns the JSON of a feature; undefined if it is nested too deeply to be serialized. */
function sourceOf(feature: unknown): string | undefined {
  try {
    return JSON.stringify(feature)?.slice(0, MAX_SOURCE)
  } catch {
    return undefined
  }
}

/** Reports members that are absent, probably because upstream renamed them. The alert is still accepted. */
function renamed(feature: unknown, message: AlertMessage | undefined): Rejected | undefined {
  const properties = isObject(feature) ? (feature['properties'] ?? feature) : undefined
  if (!isObject(properties) || !message || properties['@type'] !== 'wx:Alert') return undefined
  const absent = MEMBERS.filter((name) => !(name in properties))
  if (absent.length === 0) return undefined
  return {
    reason: 'shape',
    id: message.head.id,
    detail: `the feature must have the members of the feed, but lacks ${absent.join(', ')}`,
    isAccepted: true,
  }
}

function recordOf(feature: AlertProperties, p: AlertProperties): AlertRecord {
  const geocode = isObject(p['geocode']) ? p['geocode'] : {}
  const id = string(p['id']) ?? string(feature['id']) ?? string(p['@id'])
  // The object has no prototype, because a name may be `__proto__` or `constructor`.
  const parameters: Record<string, string[]> = Object.create(null)
  for (const [name, value] of Object.entries(isObject(p['parameters']) ? p['parameters'] : {})) {
    parameters[name] = strings(Array.isArray(value) ? value : [value])
  }
  const references = Array.isArray(p['references']) ? p['references'] : []
  return {
    id: id && bareId(id),
    status: string(p['status']),
    kind: string(p['messageType']),
    event: string(p['event']),
    sent: string(p['sent']),
    effective: string(p['effective']),
    onset: string(p['onset']),
    expires: string(p['expires']),
    ends: string(p['ends']),
    severity: string(p['severity']),
    urgency: string(p['urgency']),
    certainty: string(p['certainty']),
    category: string(p['category']),
    response: string(p['response']),
    headline: string(p['headline']),
    description: string(p['description']),
    instruction: string(p['instruction']),
    areaDesc: string(p['areaDesc']),
    sender: string(p['sender']),
    senderName: string(p['senderName']),
    ugc: strings(geocode['UGC']),
    same: strings(geocode['SAME']),
    zoneUrls: strings(p['affectedZones']),
    references: references
      .map((reference) =>
        isObject(reference) ? (string(reference['identifier']) ?? string(reference['@id'])) : string(reference),
      )
      .filter((reference) => reference !== undefined)
      .map(bareId),
    replacedBy: string(p['replacedBy']),
    replacedAt: string(p['replacedAt']),
    polygons: polygonsOf(feature['geometry']),
    parameters,
  }
}

/** Returns the coordinates of the geometry: undefined if it is absent, an empty list if it is malformed. */
export function polygonsOf(geometry: unknown): readonly unknown[] | undefined {
  if (geometry === null || geometry === undefined) return undefined
  if (!isObject(geometry)) return []
  if (geometry['type'] === 'Polygon') return [geometry['coordinates']]
  if (geometry['type'] === 'MultiPolygon') return Array.isArray(geometry['coordinates']) ? geometry['coordinates'] : []
  if (geometry['type'] === 'GeometryCollection' && Array.isArray(geometry['geometries'])) {
    return geometry['geometries'].flatMap((part) => polygonsOf(part) ?? [])
  }
  return []
}

export function isObject(value: unknown): value is AlertProperties {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function string(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value : undefined
}

function strings(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : []
}

import type { AlertMessage } from '../../domain/alert/alert.ts'
import { Fault } from '../../domain/fault.ts'
import { xmlParser } from '../xml.ts'
import { disambiguated } from './doubled.ts'
import { type AlertFeed, type AlertRecord, MAX_ALERTS, parseRecord, type Rejected, referencesIn } from './record.ts'

type XmlNode = Readonly<Record<string, unknown>>

const many = new Set([
  'alert',
  'info',
  'area',
  'polygon',
  'circle',
  'geocode',
  'parameter',
  'eventCode',
  'category',
  'responseType',
])

const parser = xmlParser((name) => many.has(name))

/**
 * Reads CAP 1.2 (and 1.1) documents: one `<alert>`, or several in any wrapper element. If an alert has several `<info>` blocks, the first
 * English block is used, as in the GeoJSON feed. The areas come from all English blocks of the same event.
 * @throws Fault Corrupt if there is no `<alert>`
 */
export function readCap(text: string): AlertFeed {
  let document: unknown
  try {
    document = parser.parse(text, true)
  } catch (error) {
    throw new Fault(
      'Corrupt',
      `CAP: the document must be XML, but begins with ${JSON.stringify(text.slice(0, 40))}`,
      {},
      error,
    )
  }
  const alerts = findAlerts(document)
  if (alerts.length > MAX_ALERTS)
    throw new Fault('Corrupt', `CAP: the document must have at most ${MAX_ALERTS} alerts, but has ${alerts.length}`)
  if (alerts.length === 0) throw new Fault('Corrupt', 'CAP: the document has no <alert>')
  const messages: AlertMessage[] = []
  const rejected: Rejected[] = []
  for (const alert of alerts) {
    const result = parseRecord(recordOf(alert))
    if (result.message) messages.push(result.message)
    if (result.rejected) rejected.push(result.rejected)
  }
  return { messages: disambiguated(messages), rejected }
}

function findAlerts(node: unknown): XmlNode[] {
  if (Array.isArray(node)) return node.flatMap(findAlerts)
  if (!isNode(node)) return []
  return Object.entries(node).flatMap(([name, value]) =>
    name === 'alert' && Array.isArray(value) ? value.filter(isNode) : findAlerts(value),
  )
}

function recordOf(alert: XmlNode): AlertRecord {
  const infos = nodes(alert['info'])
  const english = infos.filter((candidate) => /^en/i.test(text(candidate['language']) ?? 'en-US'))
  const info = english[0] ?? infos[0] ?? {}
  // Several blocks in one language describe the same event for different areas.
  const areas = (english.length > 0 ? english : [info])
    .filter((block) => text(block['event']) === text(info['event']))
    .flatMap((block) => nodes(block['area']))
  const geocodes = areas.flatMap((area) => nodes(area['geocode']))
  const codes = (...names: string[]) =>
    geocodes.filter((code) => names.includes(text(code['valueName']) ?? '')).map((code) => text(code['value']) ?? '')
  // The object has no prototype, because a valueName may be `constructor`.
  const parameters: Record<string, string[]> = Object.create(null)
  for (const parameter of nodes(info['parameter'])) {
    const name = text(parameter['valueName'])
    if (name) (parameters[name] ??= []).push(text(parameter['value']) ?? '')
  }
  const drawn = areas.flatMap((area) => [...list(area['polygon']).map(polygon), ...list(area['circle']).map(circle)])
  return {
    id: text(alert['identifier']),
    status: text(alert['status']),
    kind: text(alert['msgType']),
    event: text(info['event']),
    sent: text(alert['sent']),
    effective: text(info['effective']),
    onset: text(info['onset']),
    expires: text(info['expires']),
    severity: text(info['severity']),
    urgency: text(info['urgency']),
    certainty: text(info['certainty']),
    category: list(info['category'])[0],
    response: list(info['responseType'])[0],
    headline: text(info['headline']),
    description: text(info['description']),
    instruction: text(info['instruction']),
    areaDesc:
      areas
        .map((area) => text(area['areaDesc']))
        .filter(Boolean)
        .join('; ') || undefined,
    sender: text(alert['sender']),
    senderName: text(info['senderName']),
    ugc: codes('UGC'),
    same: codes('SAME', 'FIPS6'),
    zoneUrls: [],
    references: referencesIn(text(alert['references']) ?? ''),
    polygons: drawn.length > 0 ? drawn : undefined,
    parameters,
  }
}

/** Reads `lat,lon lat,lon …`, and returns a polygon with one ring of [lon, lat]. */
function polygon(pairs: string): number[][][] {
  return [
    pairs
      .split(/\s+/)
      .filter(Boolean)
      .map((pair) => pair.split(',').map(Number).reverse()),
  ]
}

/** Reads `lat,lon km`, and returns a circle as a polygon with 64 corners. */
function circle(value: string): number[][][] {
  const [centre = '', radius = ''] = value.split(/\s+/)
  const [lat = Number.NaN, lon = Number.NaN] = centre.split(',').map(Number)
  const north = Number(radius) / 111.195
  const east = north / Math.max(0.01, Math.cos((lat * Math.PI) / 180))
  const corners = Array.from({ length: 65 }, (_, i) => (i % 64) * (Math.PI / 32))
  return [corners.map((angle) => [lon + east * Math.cos(angle), lat + north * Math.sin(angle)])]
}

function nodes(value: unknown): XmlNode[] {
  return Array.isArray(value) ? value.filter(isNode) : []
}

function list(value: unknown): string[] {
  return Array.isArray(value) ? value.map(text).filter((item) => item !== undefined) : []
}

function text(value: unknown): string | undefined {
  // Leading and trailing blanks may be character references, which the parser does not trim.
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined
}

function isNode(value: unknown): value is XmlNode {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

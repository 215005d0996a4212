import { floorTo, MINUTE } from '../../../ingest/domain/time.ts'
import { polygonsOf } from '../../../ingest/geo/polygon.ts'
import { zoneRings, zonesById } from '../../../ingest/geo/zone.ts'
import { alertsAt, type SimulatedAlert } from '../alerts.ts'
import { type MirrorObject, nameTag, type SimulatedHost } from '../source.ts'
import { type SimulatedZone, simulatedZones } from '../zones.ts'

/**
 * Faults of the feed's content, besides the faults that the mirror can apply to any file. They are switched on with
 * `GET /api.weather.gov/_alerts?misbehave=malformed,flap` and off with `?misbehave=`:
 *
 * - `malformed`: one feature is nonsense, another has no event, and a third has a broken polygon
 * - `flap`: every second answer lacks every third feature
 * - `duplicate`: every feature occurs twice
 * - `shuffle`: the order differs in every answer
 * - `blank`: the feed has no features
 */
const faultNames = ['malformed', 'flap', 'duplicate', 'shuffle', 'blank'] as const

const FEED_CHANGES_MS = 2 * MINUTE

/** @param changesMs interval at which the feed's `updated` changes, even if no alert does */
export function alertFeed(changesMs: number = FEED_CHANGES_MS): SimulatedHost {
  let faults: readonly string[] = []
  let answers = 0
  return {
    host: 'api.weather.gov',
    find(path, query, now) {
      if (path === '/_alerts') {
        const names = (query.get('misbehave') ?? '').split(',')
        faults = names.filter((name) => (faultNames as readonly string[]).includes(name))
        return geoJson({ misbehave: faults, words: faultNames }, now)
      }
      if (path === '/alerts/active') {
        answers++
        const alerts = alertsAt(now)
        const features = withFaults(alerts.map(featureOf), faults, answers)
        const title = 'Simulated watches, warnings, and advisories'
        return geoJson({ type: 'FeatureCollection', title, updated: updatedAt(alerts, now, changesMs), features }, now)
      }
      if (path === '/alerts/active.atom') return atom(alertsAt(now), now, changesMs)
      const alertId = /^\/alerts\/(urn:[\w:.-]+)$/.exec(path)?.[1]
      const alert = alertId && alertsAt(now).find(({ id }) => id === alertId)
      if (alert) return geoJson(featureOf(alert), now)
      const list = path === '/zones' && query.get('type') === 'public' ? query.get('area') : null
      if (list) return zoneListFile(list, query.get('include_geometry') === 'true')
      const [, kind, code] = /^\/zones\/(forecast|county|fire)\/([A-Z]{2}[CZ]\d{3})$/.exec(path) ?? []
      return kind && code ? zoneFile(kind, code) : undefined
    },
  }
}

/** Returns the feed's `updated`, which changes often, because some alert in the country changes every few minutes. */
function updatedAt(alerts: readonly SimulatedAlert[], now: number, changesMs: number): string {
  const newest = alerts.reduce((latest, { sent }) => Math.max(latest, sent), 0)
  return new Date(Math.max(newest, floorTo(now, changesMs))).toISOString()
}

/** Returns the Atom index of the same alerts, without their content. */
function atom(alerts: readonly SimulatedAlert[], now: number, changesMs: number): MirrorObject {
  const updated = `<updated>${updatedAt(alerts, now, changesMs)}</updated>`
  const entries = alerts.map(({ id, event }) => {
    const url = `https://api.weather.gov/alerts/${id}`
    return `<entry><id>${url}</id><title>SIMULATED: ${event}</title><link rel="alternate" href="${url}.cap"/></entry>`
  })
  const text = `<?xml version="1.0" encoding="UTF-8"?>\n<feed xmlns="http://www.w3.org/2005/Atom"><id>https://api.weather.gov/alerts/active.atom</id><title>Simulated alerts</title>${updated}${entries.join('')}</feed>`
  return { ...geoJson(null, now), etag: nameTag(text), type: 'application/atom+xml', body: () => Buffer.from(text) }
}

/** A document of a feed as a file of the mirror. */
export function geoJson(value: unknown, lastModified: number): MirrorObject {
  const text = JSON.stringify(value)
  return {
    etag: nameTag(text),
    lastModified,
    type: 'application/geo+json',
    body: () => new TextEncoder().encode(text),
  }
}

function withFaults(features: readonly object[], faults: readonly string[], answers: number): unknown[] {
  let list: unknown[] = [...features]
  if (faults.includes('blank')) return []
  if (faults.includes('flap') && answers % 2 === 0) list = list.filter((_, i) => i % 3 !== 0)
  if (faults.includes('duplicate')) list = list.flatMap((feature) => [feature, feature])
  if (faults.includes('shuffle'))
    list = list
      .map((feature, i) => ({ feature, at: (i * 7919 + answers * 104729) % 1009 }))
      .sort((a, b) => a.at - b.at)
      .map(({ feature }) => feature)
  if (faults.includes('malformed') && list.length > 2) {
    const [first, second] = structuredClone(list.slice(0, 2)) as {
      properties: Record<string, unknown>
      geometry: unknown
    }[]
    if (first) delete first.properties['event']
    if (second) second.geometry = { type: 'Polygon', coordinates: [[['here', 'there']]] }
    list = [{ nonsense: true }, ...[first, second].filter(Boolean), ...list.slice(2)]
  }
  return list
}

/** The newest features, by the id of their message, which never changes. */
const features = new Map<string, object>()
const MAX_FEATURES = 500

function featureOf(alert: SimulatedAlert): object {
  const known = features.get(alert.id)
  if (known) return known
  const feature = makeFeature(alert)
  features.set(alert.id, feature)
  if (features.size > MAX_FEATURES) features.delete(features.keys().next().value as string)
  return feature
}

function makeFeature(alert: SimulatedAlert): object {
  const time = (at: number) => new Date(at).toISOString().replace('.000Z', '+00:00')
  const words = (at: number) =>
    new Date(at)
      .toLocaleString('en-US', { timeZone: 'UTC', month: 'long', day: 'numeric', hour: 'numeric', minute: '2-digit' })
      .replace('\u202f', ' ')
  const short = (at: number) => `${new Date(at).toISOString().replaceAll(/[-:]/g, '').slice(2, 13)}Z`
  const { office, action, phenomenon, significance, etn, begin, ends } = alert
  const from = action === 'NEW' ? short(begin) : '000000T0000Z'
  const vtec = `/${alert.status === 'Test' ? 'T' : 'O'}.${action}.K${office}.${phenomenon}.${significance}.${String(etn).padStart(4, '0')}.${from}-${short(ends)}/`
  const url = `https://api.weather.gov/alerts/${alert.id}`
  const names = alert.zones.map((code) => zonesById(code)[0]?.name ?? code)
  return {
    id: url,
    type: 'Feature',
    geometry: alert.ring ? { type: 'Polygon', coordinates: [alert.ring] } : null,
    properties: {
      '@id': url,
      '@type': 'wx:Alert',
      id: alert.id,
      areaDesc: names.join('; '),
      geocode: { SAME: [], UGC: alert.zones },
      affectedZones: alert.zones.map((code) => `https://api.weather.gov/zones/${alert.zoneKind}/${code}`),
      references: alert.references.map((identifier) => ({
        '@id': `https://api.weather.gov/alerts/${identifier}`,
        identifier,
        sender: 'simulator',
      })),
      sent: time(alert.sent),
      effective: time(alert.sent),
      onset: time(Math.max(begin, alert.sent)),
      expires: time(alert.expires),
      ends: time(ends),
      status: alert.status,
      messageType: alert.kind,
      category: 'Met',
      severity: alert.severity,
      certainty: alert.certainty,
      urgency: alert.urgency,
      event: alert.event,
      sender: 'simulator',
      senderName: `SIMULATED office ${office}`,
      headline: `SIMULATED: ${alert.event} ${action === 'CAN' ? 'cancelled' : `until ${words(ends)} UTC`}`,
      description: `SIMULATED, not real. ${alert.text}`,
      instruction: 'None: this is simulated.',
      response: action === 'CAN' ? 'AllClear' : 'Shelter',
      parameters: { VTEC: [vtec], BLOCKCHANNEL: ['EAS', 'NWEM', 'CMAS'], ...alert.parameters },
    },
  }
}

/** Date on which the NWS last changed zones. */
const EFFECTIVE = Date.UTC(2026, 2, 3, 12)

function zoneFile(kind: string, code: string): MirrorObject | undefined {
  const simulated = kind === 'forecast' && simulatedZones(code.slice(0, 2)).find(({ id }) => id === code)
  if (simulated) return geoJson(zoneFeature(kind, simulated, true), EFFECTIVE)
  const rings = zoneRings(code, kind === 'fire' ? kind : undefined)
  const zone = zonesById(code).find((candidate) => candidate.kind === (kind === 'forecast' ? 'marine' : kind))
  return rings && zone && geoJson(zoneFeature(kind, { ...zone, rings }, true), EFFECTIVE)
}

function zoneListFile(state: string, withGeometry: boolean): MirrorObject {
  const features = simulatedZones(state).map((zone) => zoneFeature('public', zone, withGeometry))
  return geoJson({ type: 'FeatureCollection', features }, EFFECTIVE)
}

function zoneFeature(type: string, { id, name, state, office, rings }: SimulatedZone, withGeometry: boolean): object {
  return {
    id: `https://api.weather.gov/zones/${type === 'public' ? 'forecast' : type}/${id}`,
    type: 'Feature',
    geometry: withGeometry ? { type: 'MultiPolygon', coordinates: polygonsOf(rings) } : null,
    properties: { id, type, name, state, cwa: [office], effectiveDate: new Date(EFFECTIVE).toISOString() },
  }
}

export const sources = (): readonly SimulatedHost[] => [alertFeed()]

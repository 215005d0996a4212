import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { readAlertGeoJson } from '../../../ingest/decode/alert/geojson.ts'
import type { AlertHead } from '../../../ingest/domain/alert/alert.ts'
import { decide, type StoredAlert } from '../../../ingest/domain/alert/lifecycle.ts'
import { nth } from '../../../ingest/domain/nth.ts'
import { covers } from '../../../ingest/domain/shape/ring.ts'

const folder = '../shared/fixtures/text/alerts'
const there = existsSync(folder)
const snapshots = there ? readdirSync(`${folder}/active-snapshots`) : []
const read = (path: string) => readAlertGeoJson(readFileSync(`${folder}/${path}`, 'utf8'))

const feature = (over: object = {}, geometry: unknown = null) => ({
  id: 'https://api.weather.gov/alerts/urn:oid:1',
  type: 'Feature',
  geometry,
  properties: {
    id: 'urn:oid:1',
    event: 'Flood Warning',
    sent: '2026-05-01T12:00:00-06:00',
    effective: '2026-05-01T12:00:00-06:00',
    onset: null,
    expires: '2026-05-01T18:00:00-06:00',
    ends: null,
    status: 'Actual',
    messageType: 'Alert',
    geocode: { UGC: ['COC031'], SAME: ['008031'] },
    affectedZones: ['https://api.weather.gov/zones/county/COC031'],
    ...over,
  },
})
const feed = (...features: unknown[]) => JSON.stringify({ type: 'FeatureCollection', features })

it('drops a comb whose border is longer than that of any warning, and keeps the zones of the alert', () => {
  const comb = (teeth: number) => {
    const ring = Array.from({ length: teeth }, (_, i) => {
      const west = -110 + (10 * i) / teeth
      return [
        [west, i % 2 ? 38 : 42],
        [west + 0.001, i % 2 ? 42 : 38],
      ]
    }).flat()
    return { type: 'Polygon', coordinates: [[...ring, [-100, 37], [-110, 37], nth(ring, 0)]] }
  }
  const decode = (teeth: number) => readAlertGeoJson(JSON.stringify({ features: [feature({}, comb(teeth))] }))
  expect(nth(decode(10).messages, 0).geometry).toBeDefined()
  const { messages, rejected } = decode(400)
  expect(messages[0]).toMatchObject({ geometry: undefined, zones: [{ kind: 'county', code: 'COC031' }] })
  expect(rejected).toMatchObject([{ reason: 'geometry', isAccepted: true }])
})

it('loses a character or one alert, not the feed, if the database cannot store a value', () => {
  const text = feed(
    feature({ id: 'urn:oid:a', headline: 'a\0b', description: 'x\ud800y', parameters: { 'n\0': ['v\0'] } }),
    feature({ id: `urn:${'x'.repeat(5000)}` }),
    feature({ id: 'urn:oid:b', event: 'E'.repeat(5000) }),
    feature({ id: 'urn:oid:c', sent: 's'.repeat(1e6), effective: null }),
  )
  const { messages, rejected } = readAlertGeoJson(text)
  expect(messages.map(({ head }) => head.id)).toEqual(['urn:oid:a'])
  expect(messages[0]).toMatchObject({
    headline: 'a\ufffdb',
    description: 'x\ufffdy',
    parameters: { 'n\ufffd': ['v\ufffd'] },
  })
  expect(rejected.map(({ reason }) => reason)).toEqual(['id', 'event', 'time'])
  for (const { id = '', detail } of rejected) expect(id.length + detail.length).toBeLessThan(1100)
})

it('rejects only the feature that is nested too deeply', () => {
  const deep = `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`
  const { messages, rejected } = readAlertGeoJson(`{"features":[${deep},${JSON.stringify(feature())}]}`)
  expect([messages.length, rejected.length]).toEqual([1, 1])
})

it('rejects a feed with more alerts than can exist', () => {
  const text = JSON.stringify({ features: Array(20_001).fill(feature()) })
  expect(() => readAlertGeoJson(text)).toThrow(/at most 20000 features/)
})

describe('alerts as GeoJSON', () => {
  it('fills onset and ends, and uses the end of the event as the final expiration', () => {
    const [plain] = readAlertGeoJson(feed(feature())).messages
    expect(plain).toMatchObject({ onset: Date.UTC(2026, 4, 1, 18), ends: Date.UTC(2026, 4, 2, 0) })
    const [longer] = readAlertGeoJson(feed(feature({ ends: '2026-05-03T00:00:00Z' }))).messages
    expect(longer!.head.expiration).toBe(Date.UTC(2026, 4, 3))
    expect(longer!.expires).toBe(Date.UTC(2026, 4, 2))
  })

  it('rejects a malformed feature and keeps the others', () => {
    const odd = [
      null,
      7,
      {},
      { properties: { id: 5 } },
      feature({ id: 'b', sent: 'today', effective: 'now' }),
      feature({ event: null }),
    ]
    const { messages, rejected } = readAlertGeoJson(feed(...odd, feature()))
    expect(messages.map((message) => message.head.id)).toEqual(['urn:oid:1'])
    expect(rejected.map((rejection) => rejection.reason)).toEqual(['shape', 'shape', 'id', 'id', 'time', 'event'])
  })

  it('reports a feature that the document has twice, and uses it once', () => {
    const { messages, rejected, doubled } = readAlertGeoJson(feed(feature(), feature({ id: 'b' }), feature()))
    expect(messages.map((message) => message.head.id)).toEqual(['urn:oid:1', 'b'])
    expect(rejected).toEqual([])
    expect(doubled).toMatchObject([{ reason: 'doubled', id: 'urn:oid:1', isAccepted: true }])
    expect(readAlertGeoJson(feed(feature(), feature({ id: 'b' }))).doubled).toEqual([])
  })

  it('keeps an alert with a malformed polygon by its zones', () => {
    const { messages, rejected } = readAlertGeoJson(feed(feature({}, { type: 'Polygon', coordinates: [[['x']]] })))
    expect(messages[0]).toMatchObject({ geometry: undefined, head: { areas: ['COC031'], polygon: false } })
    expect(rejected).toMatchObject([{ reason: 'geometry', isAccepted: true }])
  })

  it('keeps an alert with one readable end of two, and rejects an alert with none', () => {
    const read = (over: object) => readAlertGeoJson(feed(feature(over), feature({ id: 'other' })))
    const bad = '2026-05-01 18:00'
    const result = read({ ends: bad })
    expect(nth(result.messages, 0).head.expiration).toBe(Date.UTC(2026, 4, 2))
    expect(result.rejected).toMatchObject([{ reason: 'time', id: 'urn:oid:1', isAccepted: true }])
    expect(nth(read({ expires: bad, ends: '2026-05-01T20:00:00Z' }).messages, 0).expires).toBe(Date.UTC(2026, 4, 1, 20))
    const none = read({ expires: bad })
    expect([none.messages.map(({ head }) => head.id), none.rejected[0]]).toMatchObject([
      ['other'],
      { isAccepted: false },
    ])
  })

  it('reports no change if only the order of members differs', () => {
    const print = (over: object) => nth(readAlertGeoJson(feed(feature(over))).messages, 0).head.fingerprint
    const record = {
      geocode: { UGC: ['COC031', 'COC001'], SAME: ['008031', '008001'] },
      parameters: { A: ['1'], B: ['2'] },
    }
    const turned = {
      parameters: { B: ['2'], A: ['1'] },
      geocode: { SAME: ['008001', '008031'], UGC: ['COC001', 'COC031'] },
    }
    expect(print(turned)).toBe(print(record))
    expect(print({ ...record, parameters: { A: ['1'], B: ['3'] } })).not.toBe(print(record))
    const other = { sent: '2026-05-01T18:00:00Z', effective: '2026-05-01T18:00:00Z', expires: '2026-05-02T00:00:00Z' }
    expect(print({ ...record, ...other })).toBe(print(record))
  })

  it.each([
    ['has no area', [-105, -104, -105], [40, 40, 40]],
    ['is half the world', [-170, -10, -10], [10, 10, 80]],
  ])('drops a polygon that %s and uses the zones', (_, lons, lats) => {
    const ring = [0, 1, 2, 0].map((i) => [lons[i], lats[i]])
    const { messages, rejected } = readAlertGeoJson(feed(feature({}, { type: 'Polygon', coordinates: [ring] })))
    expect(messages[0]).toMatchObject({ geometry: undefined, head: { areas: ['COC031'], polygon: false } })
    expect(rejected).toMatchObject([{ reason: 'geometry', isAccepted: true }])
  })

  it('distinguishes segments under one id, but not exact repeats', () => {
    const other = feature({ geocode: { UGC: ['COC001'] }, affectedZones: [] })
    const { messages } = readAlertGeoJson(feed(feature(), other, feature()))
    expect(messages.map(({ head }) => [head.id.split('#')[0], head.areas])).toEqual([
      ['urn:oid:1', ['COC001']],
      ['urn:oid:1', ['COC031']],
    ])
    expect(new Set(messages.map(({ head }) => head.id)).size).toBe(2)
    const swapped = readAlertGeoJson(feed(other, feature())).messages
    expect(swapped.map(({ head }) => head.id)).toEqual(messages.map(({ head }) => head.id))
  })

  it('recognizes an ending marked Alert by its response type or its headline', () => {
    const past = (over: object) => nth(readAlertGeoJson(feed(feature(over))).messages, 0).head.past
    expect(past({ response: 'AllClear' })).toBe(true)
    for (const headline of [
      'The Air Quality Alert has been cancelled.',
      'The Civil Danger Warning is canceled',
      'The Child Abduction Emergency has expired',
      'The 911 Telephone Outage is no longer in effect.',
    ]) {
      expect(past({ urgency: 'Past', headline }), headline).toBe(true)
      expect(past({ urgency: 'Immediate', headline }), headline).toBe(false)
    }
    expect(past({ urgency: 'Past', headline: 'Winds have eased' })).toBe(false)
  })

  it('reads a feed of drafts as empty, and returns the next page', () => {
    const drafts = readAlertGeoJson(feed(feature({ status: 'Draft' }), feature({ messageType: 'Ack' })))
    expect([drafts.messages, drafts.rejected.length]).toEqual([[], 2])
    const next = 'https://api.weather.gov/alerts/active?cursor=x'
    const page = (...features: unknown[]) => JSON.stringify({ features, pagination: { next } })
    expect(readAlertGeoJson(page(feature())).next).toBe(next)
    expect(readAlertGeoJson(page()).next).toBeUndefined()
  })

  it('rejects a document that is not a feed', () => {
    for (const text of [
      '',
      '<html>',
      '{"title":"Not Found","status":404}',
      '[]',
      '{"features":[1]}',
      `${feed(feature())}`.slice(0, -9),
    ])
      expect(() => readAlertGeoJson(text), text).toThrow(/alert feed: (?:expected|none of its)/)
    expect(readAlertGeoJson(feed()).messages).toEqual([])
  })

  it('uses the counties, states and waters of SAME if a message has no UGC', () => {
    const [message] = readAlertGeoJson(
      feed(feature({ geocode: { SAME: ['048325', '008000', '073530', '000000'] }, affectedZones: [] })),
    ).messages
    expect(message!.zones).toEqual([
      { code: 'ANZ530', kind: 'forecast' },
      { code: 'COC000', kind: 'county' },
      { code: 'TXC325', kind: 'county' },
    ])
  })

  it('treats a message whose VTEC is a test as a test', () => {
    const VTEC = ['/T.NEW.KBOU.TO.W.0001.260501T1800Z-260501T1830Z/']
    expect(nth(readAlertGeoJson(feed(feature({ parameters: { VTEC } }))).messages, 0).head.status).toBe('Test')
  })

  it('follows a polygon across the antimeridian', () => {
    const ring = [
      [179, 51],
      [-179, 51],
      [-179, 53],
      [179, 53],
      [179, 51],
    ]
    const [message] = readAlertGeoJson(feed(feature({}, { type: 'Polygon', coordinates: [ring] }))).messages
    const inside = (lon: number) => covers(message!.geometry!, lon, 52)
    expect([inside(179.5), inside(-179.5), inside(178.9), inside(-178.9), inside(0)]).toEqual([
      true,
      true,
      false,
      false,
      false,
    ])
  })
})

describe.skipIf(!there)('recorded feeds (skipped if the fixtures are absent)', () => {
  it.each(snapshots)('%s: every feature is read, every ending is recognised', (name) => {
    const { messages, rejected, updated } = read(`active-snapshots/${name}`)
    const raw = JSON.parse(readFileSync(`${folder}/active-snapshots/${name}`, 'utf8')).features as {
      properties: { id: string; headline?: string; parameters: Record<string, string[]> }
    }[]
    expect(rejected).toEqual([])
    expect(messages.length).toBe(new Set(raw.map((feature) => feature.properties.id)).size)
    const now = updated!
    const { alerts: stored, changes } = decide(
      [],
      { kind: 'read', heads: messages.map((message) => message.head) },
      now,
    )
    const shown = [...stored.values()].filter((alert) => alert.shown).map((alert) => alert.head.id)
    expect(new Set(shown).size).toBe(shown.length)
    expect(changes.length).toBe(shown.length)
    const endings = raw.filter(({ properties: p }) => /\.(CAN|UPG|EXP)\./.test(p.parameters['VTEC']?.[0] ?? ''))
    for (const ending of endings) expect(shown).not.toContain(ending.properties.id)
    // Every message with VTEC that is not an ending is shown, because no message of a snapshot replaces another one.
    const tracked = messages.filter((message) => message.head.vtec.length > 0 && message.head.expiration > now)
    const ended = new Set(endings.map((ending) => ending.properties.id))
    const tracking = tracked.filter(({ head }) => !ended.has(head.id))
    expect(tracking.length).toBeGreaterThan(0)
    for (const { head } of tracking) expect(shown, head.id).toContain(head.id)
    const again = decide(stored.values(), { kind: 'read', heads: messages.map((message) => message.head) }, now)
    expect(again.changes).toEqual([])
  })

  it('shows an air quality alert once however often it arrived, and tomorrow’s alert beside it', () => {
    const { messages, updated } = read(`active-snapshots/${snapshots.find((name) => name.includes('air-quality'))}`)
    const { alerts: stored } = decide([], { kind: 'read', heads: messages.map((message) => message.head) }, updated!)
    const shown = new Set([...stored.values()].filter((alert) => alert.shown).map((alert) => alert.head.id))
    const at = (zone: string) =>
      messages.filter(
        ({ head }) =>
          shown.has(head.id) && head.event === 'Air Quality Alert' && stored.get(head.id)!.shown!.areas.includes(zone),
      )
    expect(
      messages.filter(({ head }) => head.event === 'Air Quality Alert' && head.areas.includes('CTZ006')).length,
    ).toBe(4)
    expect(at('CTZ006').map((alert) => alert.head.sent)).toEqual([
      Date.UTC(2026, 6, 15, 19, 10, 1),
      Date.UTC(2026, 6, 15, 13, 45, 1),
    ])
    expect(at('MDZ012').map((alert) => alert.ends)).toEqual([Date.UTC(2026, 6, 17, 4), Date.UTC(2026, 6, 16, 4)])
  })

  it('replays a real chain in any order with the same result', () => {
    const { messages } = read('update-chains/arcus-73f289d-0.geojson')
    const heads = messages.map((message) => message.head)
    const shownAt = (time: string, order: readonly AlertHead[]) => {
      const now = Date.parse(time)
      const known = order.filter((head) => head.sent <= now)
      let stored: StoredAlert[] = []
      for (const head of known)
        stored = [...decide(stored, { kind: 'read', heads: [head], late: true }, now).alerts.values()]
      return stored.flatMap((alert) =>
        alert.shown?.areas.includes('ALC129') || alert.shown?.areas.includes('ALZ051')
          ? [alert.head.id.slice(-12)]
          : [],
      )
    }
    for (const order of [heads, heads.toReversed()]) {
      expect(shownAt('2025-11-25T13:00:00-06:00', order)).toEqual(['badf98.001.1'])
      expect(shownAt('2025-11-25T16:30:00-06:00', order)).toEqual(['a510a0.002.1'])
      expect(shownAt('2025-11-25T16:55:00-06:00', order)).toEqual([])
      expect(shownAt('2025-11-24T08:00:00-06:00', order)).toEqual(
        ['67f0b.002.1'].map(() =>
          heads.find((head) => head.sent === Date.parse('2025-11-24T07:53:00-06:00'))!.id.slice(-12),
        ),
      )
      expect(shownAt('2025-11-24T10:00:00-06:00', order)).toEqual([])
      expect(shownAt('2025-11-20T08:55:00-06:00', order)).toEqual(['d0c698.002.1'])
      expect(shownAt('2025-11-22T07:20:00-06:00', order)).toEqual([])
    }
  })

  it('reads the abridged feeds too', () => {
    expect(read('small/nws_alerts-api.json').messages.length).toBeGreaterThan(0)
    const { messages } = read('small/claude_statusline-nws_alerts_superseded.json')
    const { alerts: stored } = decide(
      [],
      { kind: 'read', heads: messages.map((message) => message.head) },
      Date.parse('2026-05-28T18:30:00Z'),
    )
    expect([...stored.values()].filter((alert) => alert.shown).map((alert) => alert.head.id.slice(-6))).toEqual([
      'new002',
    ])
  })
})

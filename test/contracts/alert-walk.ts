import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { watchAlerts } from '../../api/live/alert-watch.ts'
import { cellOf } from '../../ingest/domain/cell.ts'
import { type AlertChanged, alertChanged } from '../../ingest/domain/event.ts'
import { nth } from '../../ingest/domain/nth.ts'
import { COVER_RESOLUTION } from '../../ingest/domain/shape/cover.ts'
import { HOUR, isoMilliseconds, MINUTE } from '../../ingest/domain/time.ts'
import type { Database } from '../../ingest/ports/database.ts'
import { openUpstream, type Upstream } from '../../ingest/ports/upstream.ts'
import { expireAlerts, sweepAlerts } from '../../ingest/steps/feeds/alerts.ts'
import { loadZones } from '../../ingest/steps/feeds/zones.ts'
import { alertIdsAt } from '../../sql/queries/alerts.ts'
import { feedState } from '../../sql/queries/feeds.ts'
import { shapelessZones } from '../../sql/queries/zones.ts'
import { startMirror } from '../walks/mirror.ts'

const FEED = 'api.weather.gov/alerts/active'
const T = Date.UTC(2026, 4, 1, 18)
const box = (west: number, south: number, east: number, north: number) => [
  [
    [west, south],
    [east, south],
    [east, north],
    [west, north],
    [west, south],
  ],
]
interface Message {
  id: string
  zones?: string[]
  kind?: string
  act?: string
  sent?: number
  ends?: number
  ring?: number[][][]
  references?: string[]
  type?: string
  event?: string
}
const feature = ({
  id,
  zones = ['COC001'],
  kind = 'Alert',
  act = 'NEW',
  sent = T,
  ends = T + 6 * HOUR,
  ring,
  references = [],
  type = 'county',
  event = 'Flood Warning',
}: Message) => ({
  type: 'Feature',
  geometry: ring ? { type: 'Polygon', coordinates: ring } : null,
  properties: {
    id,
    event,
    sent: isoMilliseconds(sent),
    effective: isoMilliseconds(sent),
    onset: isoMilliseconds(sent),
    expires: isoMilliseconds(sent + HOUR),
    ends: isoMilliseconds(ends),
    status: 'Actual',
    messageType: kind,
    severity: 'Severe',
    urgency: 'Immediate',
    certainty: 'Observed',
    senderName: 'NWS Denver CO',
    headline: id,
    geocode: { UGC: zones, SAME: ['008001'] },
    affectedZones: zones.map((code) => `https://api.weather.gov/zones/${type}/${code}`),
    references: references.map((identifier) => ({ identifier })),
    parameters: {
      VTEC: [`/O.${act}.KBOU.FA.W.0007.000000T0000Z-${isoMilliseconds(ends).replaceAll(/[-:]/g, '').slice(2, 13)}Z/`],
    },
  },
})
const feed = (...messages: Message[]) => JSON.stringify({ type: 'FeatureCollection', features: messages.map(feature) })
const zone = (code: string, coordinates: number[][][]) =>
  JSON.stringify({
    type: 'Feature',
    geometry: { type: 'Polygon', coordinates },
    properties: { id: code, name: code, effectiveDate: '2026-03-03T12:00:00+00:00' },
  })

let database: Database
let upstream: Upstream
let mirror: Awaited<ReturnType<typeof startMirror>>

const announced = async (): Promise<AlertChanged[]> =>
  (await database.query<{ payload: unknown }>('select payload from outbox order by id')).map(({ payload }) =>
    alertChanged.parse(payload),
  )
const at = (lon: number, lat: number) => alertIdsAt(database, lon, lat, cellOf(lat, lon, COVER_RESOLUTION))
const ports = () => ({ database, upstream })

/** The life of an alert, over any database. */
export function alertWalk(open: () => Promise<{ database: Database; close(): Promise<void> }>): void {
  let opened: Awaited<ReturnType<typeof open>>
  beforeAll(async () => {
    opened = await open()
    database = opened.database
    mirror = await startMirror()
    upstream = openUpstream({ mirror: mirror.url })
  })
  afterAll(async () => {
    await upstream?.close()
    await mirror?.close()
    await opened?.close()
  })
  beforeEach(async () => {
    await database.query(
      'truncate alert, alert_zone, alert_change, rejected_entry, feed_state, outbox, zone, zone_shape cascade',
    )
  })

  describe('alerts from the feed to the announcement', () => {
    test('publishes begin, change and end of a polygon once each, and tests points exactly', async () => {
      mirror.set(FEED, feed({ id: 'a', ring: box(-105, 39, -104, 40) }))
      expect((await sweepAlerts(ports(), T)).state).toBe('changed')
      expect(await at(-104.5, 39.5)).toEqual(['a'])
      expect(await at(-104.001, 39.999)).toEqual(['a'])
      expect(await at(-103.999, 39.999)).toEqual([])
      mirror.set(
        FEED,
        feed({
          id: 'b',
          act: 'CON',
          kind: 'Update',
          sent: T + HOUR,
          references: ['a'],
          ring: box(-104.5, 39, -103.5, 40),
        }),
      )
      await sweepAlerts(ports(), T + HOUR)
      expect([await at(-104.9, 39.5), await at(-103.6, 39.5)]).toEqual([[], ['b']])
      expect((await expireAlerts(ports(), T + 6 * HOUR - 1)).changes).toEqual([])
      expect((await expireAlerts(ports(), T + 6 * HOUR)).changes.length).toBe(1)
      expect((await expireAlerts(ports(), T + 7 * HOUR)).changes).toEqual([])
      expect(await at(-103.6, 39.5)).toEqual([])
      const published = await announced()
      expect(published.map(({ id, change, replaces }) => [id, change, replaces])).toEqual([
        ['a', 'issued', undefined],
        ['b', 'updated', ['a']],
        ['b', 'expired', undefined],
      ])
      // Both the old and the new area are notified of the update.
      const coarse = (lon: number) => cellOf(39.5, lon, 4)
      expect(nth(published, 1).cells).toEqual(expect.arrayContaining([coarse(-104.9), coarse(-103.6)]))
    })

    test('covers the union of zones without cancelled zones, and reports unknown zones', async () => {
      mirror.set(
        'api.weather.gov/zones/county/COC001',
        zone('COC001', [
          ...box(-105, 39, -104, 40),
          [
            [-104.6, 39.4],
            [-104.4, 39.4],
            [-104.4, 39.6],
            [-104.6, 39.6],
            [-104.6, 39.4],
          ],
        ]),
      )
      mirror.set(
        'api.weather.gov/zones/forecast/PKZ999',
        zone('PKZ999', [
          [
            [179, 51],
            [-179, 51],
            [-179, 53],
            [179, 53],
            [179, 51],
          ],
        ]),
      )
      mirror.set(
        FEED,
        feed(
          { id: 'a', zones: ['COC001', 'COC999'] },
          { id: 'sea', zones: ['PKZ999', 'PKZ998'], type: 'forecast', event: 'Gale Warning' },
        ),
      )
      await sweepAlerts(ports(), T)
      const { unknown } = await loadZones(ports())
      expect(unknown.map(({ code }) => code).sort()).toEqual(['COC999', 'PKZ998'])
      expect(await at(-104.9, 39.5)).toEqual(['a'])
      expect(await at(-104.5, 39.5), 'in the hole').toEqual([])
      expect([await at(179.5, 52), await at(-179.5, 52), await at(-178.5, 52)]).toEqual([['sea'], ['sea'], []])
      expect((await shapelessZones(database)).map(({ code }) => code)).toEqual(['COC999', 'PKZ998'])
      mirror.set(
        FEED,
        feed(
          { id: 'a', zones: ['COC001', 'COC999'] },
          { id: 'x', act: 'CAN', kind: 'Cancel', sent: T + MINUTE, zones: ['COC001'], references: ['a'] },
        ),
      )
      await sweepAlerts(ports(), T + MINUTE)
      expect(await at(-104.9, 39.5)).toEqual([])
      expect((await announced()).map(({ id, change }) => `${change} ${id}`)).toEqual([
        'issued a',
        'issued sea',
        'updated a',
      ])
    })

    test('uses the SAME counties until the geometry of a zone is known', async () => {
      mirror.set(FEED, feed({ id: 'a', zones: ['COZ998'], type: 'forecast' }))
      await sweepAlerts(ports(), T)
      expect(await at(-104.34, 39.87), 'Adams County, packaged').toEqual(['a'])
      mirror.set('api.weather.gov/zones/forecast/COZ998', zone('COZ998', box(-105, 38, -104, 39)))
      await loadZones(ports())
      expect([await at(-104.34, 39.87), await at(-104.5, 38.5)]).toEqual([[], ['a']])
    })

    test('changes only the state of a failed feed, while alerts still expire', async () => {
      mirror.set(FEED, feed({ id: 'a', ring: box(-105, 39, -104, 40) }))
      await sweepAlerts(ports(), T)
      const complete = feed({ id: 'a' })
      mirror.set(FEED, 'hang')
      const began = performance.now()
      expect((await sweepAlerts(ports(), T + MINUTE)).state).toBe('failed')
      expect(performance.now() - began).toBeLessThan(8000)
      const wrong = [
        { status: 503 },
        { status: 500, body: 'x' },
        '<html><body>Maintenance</body></html>',
        complete.slice(0, -20),
        '{}',
        { truncated: complete },
      ]
      for (const stand of wrong) {
        mirror.set(FEED, stand)
        const swept = await sweepAlerts(ports(), T + MINUTE)
        expect(swept.state, JSON.stringify(stand)).toBe('failed')
        expect(await at(-104.5, 39.5)).toEqual(['a'])
        expect((await feedState(database, 'alerts'))!.failure).toBeTruthy()
      }
      expect((await sweepAlerts(ports(), T + 6 * HOUR)).changes.length, 'its end comes all the same').toBe(1)
      expect((await announced()).length).toBe(2)
    }, 60_000)

    test('keeps a polygon in the second county after a cancellation for the first', async () => {
      mirror.set('api.weather.gov/zones/county/COC001', zone('COC001', box(-105, 39, -104, 40)))
      mirror.set('api.weather.gov/zones/county/COC005', zone('COC005', box(-104, 39, -103, 40)))
      const storm = { id: 'a', zones: ['COC001', 'COC005'], ring: box(-104.5, 39.2, -103.5, 39.8) }
      mirror.set(FEED, feed(storm))
      await sweepAlerts(ports(), T)
      await loadZones(ports())
      expect([await at(-104.2, 39.5), await at(-103.8, 39.5)]).toEqual([['a'], ['a']])
      mirror.set(
        FEED,
        feed(storm, { id: 'x', act: 'CAN', kind: 'Cancel', sent: T + MINUTE, zones: ['COC001'], references: ['a'] }),
      )
      await sweepAlerts(ports(), T + MINUTE)
      expect([await at(-104.2, 39.5), await at(-103.8, 39.5)]).toEqual([[], ['a']])
    })

    test('keeps a reader in memory current, and empties it when the feed starts again', async () => {
      mirror.set('api.weather.gov/zones/county/COC001', zone('COC001', box(-105, 39, -104, 40)))
      mirror.set(
        FEED,
        feed({ id: 'a' }, { id: 'p', ring: box(-104.5, 39, -103.5, 40), event: 'Flood Watch', zones: ['COC005'] }),
      )
      await sweepAlerts(ports(), T)
      const watch = await watchAlerts({ database, clock: () => T, pollSeconds: 30 })
      const notified: (readonly string[] | undefined)[] = []
      watch.onChange((cells) => notified.push(cells))
      const idsAt = (lon: number) =>
        watch.index
          .at(39.5, lon, T)
          .map(({ id }) => id)
          .sort()
      await loadZones(ports())
      await watch.read()
      expect(notified.length).toBe(1)
      expect(notified[0]).toContain(cellOf(39.5, -104.5, 4))
      expect([idsAt(-104.2), idsAt(-103.8)]).toEqual([['a', 'p'], ['p']])
      mirror.set(
        FEED,
        feed({ id: 'x', act: 'CAN', kind: 'Cancel', sent: T + MINUTE, references: ['a'], zones: ['COC001'] }),
      )
      await sweepAlerts(ports(), T + MINUTE)
      await watch.read()
      expect(idsAt(-104.2)).toEqual(['p'])
      await database.query('truncate alert, feed_state cascade')
      await watch.read()
      expect([watch.index.size, watch.trust(T).feed, notified.at(-1)]).toEqual([0, undefined, undefined])
      await watch.close()
    })

    test('accepts CAP, and does not use a time of the current second as a condition', async () => {
      mirror.set(FEED, {
        body: `<alerts><alert xmlns="urn:oasis:names:tc:emergency:cap:1.2"><identifier>cap</identifier><sender>s</sender><sent>${isoMilliseconds(T)}</sent><status>Actual</status><msgType>Alert</msgType>
        <info><language>es-US</language><event>Aviso</event></info>
        <info><language>en-US</language><event>Flood Warning</event><urgency>Immediate</urgency><severity>Severe</severity><certainty>Observed</certainty><expires>${isoMilliseconds(T + HOUR)}</expires>
        <area><areaDesc>Adams</areaDesc><polygon>39,-105 39,-104 40,-104 40,-105 39,-105</polygon><geocode><valueName>UGC</valueName><value>COC001</value></geocode></area></info></alert></alerts>`,
      })
      expect((await sweepAlerts(ports(), T)).changes.map(({ head }) => head.event)).toEqual(['Flood Warning'])
      expect(await at(-104.5, 39.5)).toEqual(['cap'])
    })

    test('reads a feed with pages completely or not at all, and stops at a repeated first page', async () => {
      const paged = (next: string, ...messages: Message[]) =>
        JSON.stringify({ ...JSON.parse(feed(...messages)), pagination: { next: `https://${next}` } })
      const [a, b] = [
        { id: 'a', ring: box(-105, 39, -104, 40) },
        { id: 'b', zones: ['COC005'], ring: box(-99, 39, -98, 40) },
      ]
      mirror.set(FEED, { body: paged(`${FEED}/2`, a), etag: '"first"' })
      mirror.set(`${FEED}/2`, feed(a, b))
      await sweepAlerts(ports(), T)
      expect([await at(-104.5, 39.5), await at(-98.5, 39.5)]).toEqual([['a'], ['b']])
      // The first page is unchanged; the second has other content.
      mirror.set(`${FEED}/2`, feed({ id: 'c', zones: ['COC013'], ring: box(-95, 39, -94, 40) }))
      expect((await sweepAlerts(ports(), T + MINUTE)).changes.map(({ head }) => head.id)).toEqual(['c'])
      mirror.set(`${FEED}/2`, { status: 503 })
      expect((await sweepAlerts(ports(), T + 2 * MINUTE)).state).toBe('failed')
      expect(await at(-98.5, 39.5), 'missed once, and not again by a feed that failed').toEqual(['b'])
      mirror.set(FEED, paged(`${FEED}?cursor=x`, a, b))
      expect((await sweepAlerts(ports(), T + 3 * MINUTE)).state).not.toBe('failed')
      expect(await at(-98.5, 39.5)).toEqual(['b'])
    })

    test('keeps everything that self-crossing shapes enclose', async () => {
      const bowTie = [
        [-105, 39],
        [-104, 40.6],
        [-104, 39],
        [-105, 40],
        [-105, 39],
      ]
      const islands = { type: 'MultiPolygon', coordinates: [box(-99, 39, -98, 40), box(-98.2, 39.5, -97, 40)] }
      mirror.set(
        'api.weather.gov/zones/county/COC005',
        JSON.stringify({ type: 'Feature', geometry: islands, properties: { id: 'COC005', name: 'Islands' } }),
      )
      mirror.set(FEED, feed({ id: 'tie', ring: [bowTie] }, { id: 'islands', zones: ['COC005'], event: 'Flood Watch' }))
      await sweepAlerts(ports(), T)
      await loadZones(ports())
      expect([await at(-104.9, 39.5), await at(-104.1, 39.9), await at(-104.5, 39.1)]).toEqual([['tie'], ['tie'], []])
      expect([await at(-98.5, 39.1), await at(-98.1, 39.7), await at(-97.1, 39.7)]).toEqual(
        Array.from({ length: 3 }, () => ['islands']),
      )
    })

    test('loses no shape, whatever its form', async () => {
      // Coasts of many islands: as simplified, some of their outlines cross each other.
      const coasts = [
        'AKC013',
        'AKC016',
        'AKC063',
        'AKC130',
        'AKC164',
        'AKC185',
        'FLC037',
        'MEC013',
        'WAC055',
        'NYC001',
      ]
      mirror.set(FEED, feed({ id: 'coasts', zones: coasts }))
      await sweepAlerts(ports(), T)
      const placed = await database.query<{ code: string }>(
        'select z.code from zone z join zone_shape s using (kind, code, version) where not ST_IsEmpty(s.shape) order by 1',
      )
      expect(placed.map(({ code }) => code)).toEqual(coasts.toSorted())
    })

    test('applies a message for a whole state to all of that state only', async () => {
      const document = JSON.parse(feed({ id: 'state', zones: [], event: 'Child Abduction Emergency' }))
      document.features[0].properties.geocode.SAME = ['056000']
      document.features[0].properties.parameters = {}
      mirror.set(FEED, JSON.stringify(document))
      await sweepAlerts(ports(), T)
      expect([await at(-104.82, 41.14), await at(-110.76, 43.48), await at(-104.98, 39.74)]).toEqual([
        ['state'],
        ['state'],
        [],
      ])
      const [published] = await announced()
      expect(published!.areas).toEqual(['WYC000'])
      expect(published!.cells.length).toBeGreaterThan(0)
    })

    test('publishes an alert with unknown zones for its counties', async () => {
      mirror.set(FEED, feed({ id: 'a', zones: ['COZ998'], type: 'forecast' }))
      await sweepAlerts(ports(), T)
      expect(nth(await announced(), 0).cells).toContain(cellOf(39.87, -104.34, 4))
    })

    test('trusts an empty feed after content at the second read', async () => {
      mirror.set(FEED, feed({ id: 'a', ring: box(-105, 39, -104, 40) }))
      await sweepAlerts(ports(), T)
      mirror.set(FEED, { body: feed(), etag: '"empty"' })
      await sweepAlerts(ports(), T + MINUTE)
      expect(await at(-104.5, 39.5)).toEqual(['a'])
      expect((await feedState(database, 'alerts'))!.suspicious).toBe(true)
      await sweepAlerts(ports(), T + 2 * MINUTE)
      expect(await at(-104.5, 39.5)).toEqual([])
      expect((await feedState(database, 'alerts'))!.suspicious).toBe(false)
    })

    test('requests an unchanged feed with its ETag and writes nothing', async () => {
      mirror.set(FEED, { body: feed({ id: 'a', ring: box(-105, 39, -104, 40) }), etag: '"one"' })
      await sweepAlerts(ports(), T)
      const version = (await feedState(database, 'alerts'))!.version
      expect((await sweepAlerts(ports(), T + MINUTE)).state).toBe('unchanged')
      expect((await feedState(database, 'alerts'))!.version).toBe(version)
    })

    test('rejects and counts a malformed feature without treating its alert as absent', async () => {
      const good = JSON.parse(feed({ id: 'a', ring: box(-105, 39, -104, 40) }, { id: 'b', zones: ['COC005'] }))
      mirror.set(FEED, JSON.stringify(good))
      await sweepAlerts(ports(), T)
      delete good.features[0].properties.event
      good.features.push('nonsense')
      for (const minute of [1, 2, 3]) {
        mirror.set(FEED, JSON.stringify({ ...good, n: minute }))
        expect((await sweepAlerts(ports(), T + minute * MINUTE)).rejected).toBe(2)
      }
      expect(await at(-104.5, 39.5)).toEqual(['a'])
      const rejected = await database.query('select reason, id, times from rejected_entry order by reason')
      expect(rejected).toEqual([
        { reason: 'event', id: 'a', times: 3 },
        { reason: 'shape', id: '', times: 3 },
      ])
    })

    test('loses and doubles nothing after a crash at any statement', async () => {
      mirror.set(FEED, feed({ id: 'a', ring: box(-105, 39, -104, 40) }))
      await sweepAlerts(ports(), T)
      const second = [
        { id: 'b', act: 'EXT', kind: 'Update', sent: T + HOUR, references: ['a'], ring: box(-105, 39, -104, 40) },
        { id: 'c', zones: ['COC005'], sent: T + HOUR, event: 'Flood Watch', act: 'NEW' },
      ]
      let crashes = 0
      for (let dieAt = 1; ; dieAt++) {
        mirror.set(FEED, feed(...second))
        let statements = 0
        const dying: Database = {
          ...database,
          transaction: (work) =>
            database.transaction((tx) =>
              work({
                ...tx,
                query: (text, parameters) => {
                  if (++statements === dieAt) throw new Error('the lights went out')
                  return tx.query(text, parameters)
                },
              }),
            ),
        }
        try {
          await sweepAlerts({ database: dying, upstream }, T + HOUR)
          break
        } catch (error) {
          expect(String(error)).toContain('lights')
          crashes++
          expect(await at(-104.5, 39.5)).toEqual(['a'])
          expect((await announced()).length).toBe(1)
        }
      }
      expect(crashes).toBeGreaterThan(8)
      expect(await at(-104.5, 39.5)).toEqual(['b'])
      await sweepAlerts(ports(), T + HOUR)
      expect((await announced()).map(({ id, change }) => `${change} ${id}`)).toEqual([
        'issued a',
        'updated b',
        'issued c',
      ])
    })
  })
}

import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { openUpstream } from '../../ingest/ports/upstream.ts'
import { sweepAlerts } from '../../ingest/steps/feeds/alerts.ts'
import { startMirror } from '../walks/mirror.ts'
import { type EdgeServer, edgeServer } from './http/test-server.ts'

// biome-ignore lint/suspicious/noExplicitAny: answers as parsed from JSON
type Json = any

let edge: EdgeServer
let key: string

const alert = (id: string, event: string, zone: string) => ({
  type: 'Feature',
  geometry: null,
  properties: {
    ...{ id, event, status: 'Actual', messageType: 'Alert', severity: 'Extreme', urgency: 'Immediate' },
    ...{ certainty: 'Observed', senderName: 'NWS Billings MT', headline: event, description: 'take cover' },
    sent: new Date(Date.now() - 1000).toISOString(),
    effective: new Date().toISOString(),
    expires: new Date(Date.now() + 3_600_000).toISOString(),
    areaDesc: 'Yellowstone, MT',
    geocode: { UGC: [zone], SAME: ['030111'] },
    affectedZones: [`https://api.weather.gov/zones/county/${zone}`],
    parameters: { WMOidentifier: ['WFUS55 KBYZ 011800'] },
  },
})

beforeAll(async () => {
  edge = await edgeServer({ WEBHOOKS_PRIVATE: 'true' })
  key = await edge.key()
  const mirror = await startMirror()
  const features = [
    alert('tornado', 'Tornado Warning', 'MTC111'),
    alert('newer', 'Meteor Warning', 'MTC111'),
    alert('flood', 'Flood Watch', 'COC031'),
  ]
  mirror.set('api.weather.gov/alerts/active', JSON.stringify({ type: 'FeatureCollection', features }))
  const upstream = openUpstream({ mirror: mirror.url })
  await sweepAlerts({ database: edge.database, upstream })
  await upstream.close()
  await mirror.close()
  await vi.waitFor(async () => expect((await ask('/v1/alerts')).body.alerts?.length).toBe(3), { timeout: 20_000 })
})
afterAll(() => edge?.close())

async function ask(path: string, body?: object): Promise<{ status: number; body: Json; warnings: string | null }> {
  const response = await fetch(edge.base + path, {
    method: body ? 'POST' : 'GET',
    headers: { authorization: `Bearer ${key}`, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.includes('json')
  return {
    status: response.status,
    body: isJson ? JSON.parse(text) : text,
    warnings: response.headers.get('x-warnings'),
  }
}
const search = async (input: object): Promise<Json> => {
  const params = { name: 'search_alerts', arguments: input }
  return (await ask('/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/call', params })).body.result
}
const query = (values: Record<string, string>) => new URLSearchParams(values).toString()
const events = (answer: Json) => answer.alerts.map((alert: Json) => alert.event).sort()

describe('the filter event of /v1/alerts', () => {
  test.each([
    ['Tornado Warning', ['Tornado Warning']],
    ['tornado warning', ['Tornado Warning']],
    ['TORNADO  WARNING, flood watch', ['Tornado Warning']],
    ['meteor warning', ['Meteor Warning']],
    ['Tsunami Warning', []],
  ])('accepts the event %s', async (event, expected) => {
    const { status, body, warnings } = await ask(`/v1/alerts?${query({ area: 'MT', event })}`)
    expect([status, events(body)]).toEqual([200, expected])
    expect(JSON.stringify([body.meta.warnings, warnings])).not.toContain('unknown_event')
  })

  test.each(['Tornado Warnin', 'Tornado', 'tornado_warning', 'Flood Watch,Tornado Warnng', 'Meteor Warnin'])(
    '%s is refused with the nearest name, in every form',
    async (event) => {
      for (const form of ['json', 'geojson', 'csv', 'atom', 'ics']) {
        const { status, body } = await ask(`/v1/alerts?${query({ area: 'MT', event, format: form })}`)
        expect([status, body.field]).toEqual([400, 'event'])
        expect(body.candidates).toContain(event.startsWith('Meteor') ? 'Meteor Warning' : 'Tornado Warning')
        expect(body.detail).toMatch(/Nearest: (?:Tornado|Meteor) .*This is not an all-clear\./)
      }
    },
  )

  test.each(['', ',', '<b>', 'x'.repeat(90)])('rejects the event %j', async (event) => {
    const { status, body } = await ask(`/v1/alerts?${query({ event })}`)
    expect([status, body.field]).toEqual([400, 'event'])
  })

  test('warns of a name in no list, in every format', async () => {
    const path = (format: string) => `/v1/alerts?${query({ area: 'MT', event: 'Locust Advisory', format })}`
    const { status, body } = await ask(path('json'))
    expect([status, body.alerts]).toEqual([200, []])
    const detail = expect.stringMatching(/"Locust Advisory".*not an all-clear/)
    expect(body.meta.warnings).toContainEqual({ code: 'unknown_event', section: 'alerts', detail })
    expect((await ask(path('geojson'))).body.meta.warnings[0].code).toBe('unknown_event')
    for (const form of ['json', 'geojson', 'csv', 'atom', 'ics'])
      expect((await ask(path(form))).warnings).toContain('unknown_event')
    expect((await ask(path('atom'))).body).toContain('not an all-clear</subtitle>')
    expect((await ask(path('ics'))).body.replace(/\r\n /g, '')).toMatch(/X-WR-CALDESC:.*not an all-clear/)
    const mixed = await ask(`/v1/alerts?${query({ event: 'Locust Advisory,Tornado Warning' })}`)
    expect([events(mixed.body), mixed.warnings]).toEqual([
      ['Tornado Warning'],
      expect.stringContaining('unknown_event'),
    ])
  })
})

test.each([
  ['/v1/alerts?severity=Extrem', 400, 'nearest: Extreme'],
  ['/v1/alerts?urgency=now', 400, '`urgency` must be one or more of Immediate'],
  ['/v1/alerts?certainty=Observd', 400, 'nearest: Observed'],
  ['/v1/alerts?status=Actal', 400, 'nearest: Actual'],
  ['/v1/alerts?office=BUO', 404, 'BOU'],
  ['/v1/alerts?area=QT', 404, 'Nearest: '],
  ['/v1/alerts?zone=MTZ999', 404, 'Nearest: MTZ'],
  ['/v1/alerts?message_type=Alert', 400, 'Unknown parameter'],
  ['/v1/events?min_severity=severe', 400, 'nearest: Severe'],
  ['/v1/events?events=alert.isued', 400, 'nearest: alert.issued'],
  ['/v1/events?events=run.*&dataset_id=nmb', 404, 'Nearest: nbm'],
  ['/v1/events?office=BUO', 404, 'BOU'],
  ['/v1/stations?state=ZZ', 404, 'Nearest: '],
  ['/v1/stations?id=KDENN', 404, 'KDEN'],
  ['/v1/radars?state=ZZ', 404, 'Nearest: '],
  ['/v1/radars?id=KFTQ', 404, 'FTG'],
  ['/v1/offices?state=ZZ', 404, 'Nearest: '],
  ['/v1/offices?id=BUO', 404, 'BOU'],
  ['/v1/zones?office=BUO', 404, 'BOU'],
  ['/v1/zones?state=ZZ', 404, 'Nearest: '],
  ['/v1/zones?id=COZ999', 404, 'Nearest: COZ'],
  ['/v1/zones?state=CO&kind=forcast', 400, 'nearest: forecast'],
  ['/v1/observations?station=KDENN', 404, 'KDEN'],
  ['/v1/storm-tracks?site=KFTQ', 404, 'FTG'],
  ['/v1/climate/records?record_type=HIHG', 400, 'nearest: HIGH'],
  ['/v1/climate/reports?wfo=BUO', 404, 'BOU'],
  ['/v1/skill?variable=temprature', 400, 'nearest: temperature'],
  ['/v1/point?points=39.74,-104.99&variables=temperature&dataset_id=nmb', 404, 'Nearest: nbm'],
  ['/v1/catalog/nmb', 404, 'Nearest: nbm'],
] as const)('rejects %s with the nearest value', async (path, status, hint) => {
  const answer = await ask(path)
  expect([answer.status, answer.body.detail]).toEqual([status, expect.stringContaining(hint)])
})

describe('the filter of a webhook', () => {
  const create = (filter: object, names = ['alert.*']) =>
    ask('/v1/webhooks', { url: 'http://127.0.0.1:9/hook', events: names, filter })

  test('stores names of events in the spelling of the NWS', async () => {
    const { status, body } = await create({ area: 'MT', event: ['tornado WARNING'] })
    expect([status, body.filter, body.warnings]).toEqual([201, { area: 'MT', event: ['Tornado Warning'] }, undefined])
  })

  test('rejects a misspelled event or dataset', async () => {
    const event = await create({ event: ['Tornado Warnin'] })
    expect([event.status, event.body.field, event.body.candidates]).toEqual([400, 'filter.event', ['Tornado Warning']])
    const dataset = await create({ dataset_id: ['nmb'] }, ['run.*'])
    expect([dataset.status, dataset.body.candidates]).toEqual([404, expect.arrayContaining(['nbm'])])
  })

  test('warns of an unknown event', async () => {
    const { status, body } = await create({ event: ['Locust Advisory'] })
    expect([status, body.warnings[0].code]).toEqual([201, 'unknown_event'])
  })
})

describe('search_alerts', () => {
  test('finds alerts by a name in any case, including an active event in no list', async () => {
    for (const event of ['tornado warning', 'METEOR WARNING'])
      expect((await search({ area: 'MT', event })).structuredContent.total).toBe(1)
  })

  test('rejects a misspelled name', async () => {
    const { isError, content } = await search({ area: 'MT', event: 'Tornado Warnin' })
    expect([isError, content[0].text]).toEqual([true, expect.stringContaining('Nearest: Tornado Warning')])
  })

  test('says that a name is unknown, never that there are no alerts', async () => {
    const { isError, content, structuredContent } = await search({ area: 'MT', event: 'Locust Advisory' })
    expect(isError).toBeFalsy()
    expect(content[0].text).toMatch(/"Locust Advisory" is unknown.*not an all-clear/s)
    expect(content[0].text).toContain('1 Tornado Warning (Extreme)')
    expect(content[0].text).not.toMatch(/no active alerts|0 alerts match/i)
    expect(structuredContent.meta.warnings.map((warning: Json) => warning.code)).toContain('unknown_event')
  })
})

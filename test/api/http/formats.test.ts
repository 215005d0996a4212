import { afterAll, beforeAll, expect, test } from 'vitest'
import { type EdgeServer, edgeServer } from './test-server.ts'

let edge: EdgeServer
let key: string
beforeAll(async () => {
  edge = await edgeServer()
  key = await edge.key()
})
afterAll(() => edge.close())

const get = async (path: string, headers: Record<string, string> = {}) => {
  const response = await edge.get(path, key, headers)
  return { status: response.status, type: response.headers.get('content-type') ?? '', response }
}
const series = '/v1/series/batch?points=39.74,-104.99&variables=temperature&hours=3'

test('chooses the format by Accept, and by the parameter format first', async () => {
  expect((await get(series)).type).toContain('application/json')
  expect((await get(series, { accept: 'text/csv' })).type).toContain('text/csv')
  expect((await get(series, { accept: 'application/prs.coverage+json' })).type).toContain('coverage+json')
  expect((await get(`${series}&format=json`, { accept: 'text/csv' })).type).toContain('application/json')
  expect((await get(series, { accept: 'application/json;q=0.5, application/vnd.apache.parquet' })).type).toBe(
    'application/vnd.apache.parquet',
  )
  const weather = '/v1/weather?lat=39.74&lon=-104.99&include=daily'
  for (let round = 0; round < 2; round++) {
    // The second of each comes from the cache: of its own form.
    expect((await get(weather)).type).toContain('application/json')
    expect((await get(weather, { accept: 'text/calendar' })).type).toContain('text/calendar')
    expect((await get(`${weather}&format=csv`)).type).toContain('text/csv')
  }
  const [json, csv] = await Promise.all([get(weather), get(weather, { accept: 'text/csv' })])
  expect(json.response.headers.get('vary')).toContain('Accept')
  expect(csv.response.headers.get('etag')).not.toBe(json.response.headers.get('etag'))
  const etag = csv.response.headers.get('etag')!
  expect((await get(weather, { accept: 'text/csv', 'if-none-match': etag })).status).toBe(304)
  expect((await get(weather, { 'if-none-match': etag })).status).toBe(200)
})

test('reads the format of a POST from its body', async () => {
  const response = await fetch(`${edge.base}/v1/point`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ points: [{ lat: 39.74, lon: -104.99 }], variables: 'temperature', format: 'csv' }),
  })
  expect([response.status, response.headers.get('content-type')]).toEqual([200, expect.stringContaining('text/csv')])
  expect(await response.text()).toMatch(
    /^index,status,lat \[degrees\],lon \[degrees\],valid_time,temperature \[F\]\r\n0,ok,39.74,/,
  )
})

test('answers 406 with the list for a format that a route does not have', async () => {
  for (const [path, headers, list] of [
    ['/v1/weather?zip=80202&format=parquet', {}, 'json, csv, ics'],
    [`${series}&format=ics`, {}, 'json, csv, parquet, arrow, covjson'],
    ['/v1/alerts?format=xml', {}, 'json, geojson, csv, atom, cap, ics'],
    ['/v1/radars?id=FTG', { accept: 'text/csv' }, 'application/json'],
  ] as const) {
    const { status, response } = await get(path, headers)
    expect([path, status]).toEqual([path, 406])
    expect(((await response.json()) as { detail: string }).detail).toContain(list)
  }
})

test('requires one table for a CSV of the weather', async () => {
  const both = await get('/v1/weather?zip=80202&include=hourly,daily&format=csv')
  expect(both.status).toBe(400)
  expect(((await both.response.json()) as { detail: string }).detail).toContain('one of hourly and daily')
  const text = await (await get('/v1/weather?zip=80202&format=csv')).response.text()
  expect(text.split('\r\n')[0]).toMatch(/^time,temperature \[F\]/)
})

test('names the messages of the values of a run with include=provenance, and refuses it for the published forecast', async () => {
  const point = '/v1/point?points=39.74,-104.99&variables=temperature,wind_speed&include=provenance'
  const { response } = await get(`${point}&dataset_id=nbm&units=metric`)
  const [{ valid_time: time, values, provenance }] = (await response.json()).results
  const [index] = provenance.values.temperature
  const { file, value, variable } = provenance.messages[index]
  const { run, lead_hours } = provenance.files[file]
  expect(Date.parse(run) + lead_hours * 3_600_000).toBe(Date.parse(time))
  expect([variable, Math.round((value - 273.15) * 10) / 10]).toEqual(['temperature', values.temperature])
  expect(provenance.samplings).toHaveLength(2)
  for (const path of [point, `${point}&dataset_id=nbm&start=${time}`]) expect((await get(path)).status).toBe(400)
})

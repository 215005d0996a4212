import { afterAll, beforeAll, expect, test } from 'vitest'
import { type EdgeServer, edgeServer } from './test-server.ts'

/** Answers with simulated data are marked on every route and in every format. */
let edge: EdgeServer
let key: string

beforeAll(async () => {
  edge = await edgeServer()
  key = await edge.key()
})

afterAll(() => edge?.close())

const place = 'lat=39.74&lon=-104.99'
const point = 'points=39.74,-104.99&variables=temperature'

test.each([
  `/v1/weather?${place}&include=current`,
  `/v1/point?${point}`,
  `/v1/series/batch?${point}&hours=3`,
  '/v1/storm-tracks',
  '/v1/catalog',
  '/v1/catalog/nbm',
  '/v1/skill',
  '/v1/climate/reports?station=BOS',
  '/v1/climate/records?wfo=BOX',
])('%s', async (path) => {
  const { meta } = (await (await edge.get(path, key)).json()) as { meta: { warnings?: { code: string }[] } }
  expect(meta.warnings?.map(({ code }) => code)).toContain('simulated_data')
})

test('marks formats without warnings in a header', async () => {
  const reply = await edge.get(`/v1/series/batch?${point}&hours=3&format=csv`, key)
  expect(reply.headers.get('x-warnings')).toBe('simulated_data')
})

import { afterAll, beforeAll, expect, test } from 'vitest'
import { type EdgeServer, edgeServer } from './test-server.ts'

let edge: EdgeServer
beforeAll(async () => {
  edge = await edgeServer({ PUBLIC_URL: 'https://weather.example.org' })
})
afterAll(() => edge.close())

/** Requests of a browser go through Express. */
const origin = { origin: 'https://weather.example.org' }
const queries = [
  ['an answer', 'lat=39.7&lon=-104.9&include=current,daily'],
  ['a table', 'lat=39.7&lon=-104.9&format=csv'],
  ['a place outside of the coverage', 'lat=48.8&lon=2.3'],
  ['a parameter that is none', 'lat=39.7&lon=-104.9&unit=metric'],
  ['a parameter given twice', 'lat=39.7&lat=39.8&lon=-104.9'],
] as const

test.each(queries)('%s: the same with and without Express', async (_, query) => {
  const given = await Promise.all(
    [{}, origin].map(async (headers) => {
      const response = await edge.get(`/v1/weather?${query}`, await edge.key(), headers)
      const names = [...response.headers.keys()].filter((name) => !/^(vary|access-control-.*)$/.test(name))
      const body = (await response.text()).replace(/"generated_at":"[^"]*"/, '')
      return { status: response.status, type: response.headers.get('content-type'), names, body }
    }),
  )
  expect(given[0]).toEqual(given[1])
})

test('calls without a valid key are counted by the address that the proxy passes on', async () => {
  const from = async (address: string) => {
    const headers = { 'x-forwarded-for': address }
    const response = await edge.get('/v1/weather?zip=80202', 'hx_live_none', headers)
    return { status: response.status, remaining: Number(response.headers.get('ratelimit-remaining')) }
  }
  const first = await from('203.0.113.9')
  expect(first.status).toBe(401)
  expect((await from('203.0.113.9')).remaining).toBe(first.remaining - 1)
  expect((await from('203.0.113.10')).remaining).toBe(first.remaining)
})

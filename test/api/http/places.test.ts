import { afterAll, beforeAll, expect, test } from 'vitest'
import { type EdgeServer, edgeServer } from './test-server.ts'

let edge: EdgeServer
let key: string
beforeAll(async () => {
  edge = await edgeServer()
  key = await edge.key()
})
afterAll(() => edge.close())

interface Geocoded {
  readonly places: readonly { name: string; region: string; match: string; kind: string; feature?: string }[]
  readonly area?: { kind: string; name: string; states: string[]; cities: string[] }
  readonly abroad?: { kind: string; where: string }
  readonly message?: string
}
const geocode = async (q: string) =>
  (await (await edge.get(`/v1/geocode?q=${encodeURIComponent(q)}`, key)).json()) as Geocoded

test('geocodes a state as an area without towns, and says what to ask for', async () => {
  const michigan = await geocode('Michigan')
  expect(michigan.area).toMatchObject({ kind: 'state', name: 'Michigan', states: ['MI'] })
  expect(michigan.area?.cities[0]).toBe('Detroit, MI')
  expect(michigan.places).toEqual([])
  expect(michigan.message).toContain('/v1/alerts?area=MI')
  const delaware = await geocode('Delaware')
  expect(delaware.places.map(({ name, region, match }) => [name, region, match])).toEqual([['Delaware', 'OH', 'exact']])
})

test('geocodes airports, places abroad and misspellings as what they are', async () => {
  expect((await geocode('LAX')).places[0]).toMatchObject({ kind: 'feature', feature: 'airport', match: 'exact' })
  const paris = await geocode('Paris')
  expect(paris.abroad).toEqual({ kind: 'city', where: 'France' })
  expect(paris.places[0]).toMatchObject({ name: 'Paris', region: 'TX', match: 'exact' })
  expect((await geocode('Seatle')).places).toMatchObject([{ name: 'Seattle', match: 'similar' }])
})

test('refuses weather at a state or abroad with the reason and what to do', async () => {
  const weatherAt = async (location: string) => {
    const answer = await edge.get(`/v1/weather?location=${encodeURIComponent(location)}`, key)
    return {
      status: answer.status,
      body: (await answer.json()) as { type: string; detail: string; candidates?: string[] },
    }
  }
  const state = await weatherAt('New Jersey')
  expect([state.status, state.body.candidates?.[0]]).toEqual([400, 'Newark, NJ'])
  expect(state.body.detail).toMatch(/"New Jersey" is a state.*\/v1\/alerts\?area=NJ/)
  const abroad = await weatherAt('London')
  expect(abroad.status).toBe(404)
  expect(abroad.body.type).toContain('outside-coverage')
  expect(abroad.body.detail).toMatch(/in the United Kingdom: outside the coverage.*London, KY/)
})

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type SkyServer, skyServer } from '../sky-server.ts'
import type { Result } from './calls.ts'

/** Empty results. An assistant repeats their first sentence, which must not sound like an all-clear unless it is one. */
let sky: SkyServer
beforeAll(async () => {
  sky = await skyServer()
})
afterAll(async () => sky.close())

const call = (name: string, args: object) =>
  sky.client.callTool({ name, arguments: args as Record<string, unknown> }) as unknown as Promise<Result>
const textOf = (result: Result) => result.content.find(({ type }) => type === 'text')?.text ?? ''
const codeOf = (result: Result) => result._meta?.['hexcast/error']?.['code']

const severities = ['Extreme', 'Severe', 'Moderate', 'Minor', 'Unknown']
const urgencies = ['Immediate', 'Expected', 'Future', 'Past', 'Unknown']
const certainties = ['Observed', 'Likely', 'Possible', 'Unlikely', 'Unknown']
const events = [undefined, 'Tornado Warning', 'Blizzard Warning', 'Tsunami Warning']
const areas = [{}, { area: 'OK' }, { area: 'DC' }, { wfo: 'BOU' }, { zone: 'COZ040' }, { bbox: [-105, 39, -104, 40] }]

describe('search_alerts', () => {
  test('names the filters, the time and other active alerts if nothing matches', async () => {
    const { active_in_country: active } = (await call('search_alerts', {})).structuredContent as {
      active_in_country: number
    }
    expect(active).toBeGreaterThan(0)
    let empty = 0
    for (const where of areas)
      for (const severity of [undefined, ...severities])
        for (const [i, event] of events.entries()) {
          const filter = {
            ...(severity && { severity }),
            ...(event && { event }),
            ...(i % 2 && { urgency: urgencies[i % 5], certainty: certainties[(i + 1) % 5] }),
          }
          const result = await call('search_alerts', { ...where, ...filter })
          const { total } = result.structuredContent as { total: number }
          if (total > 0) continue
          empty++
          const text = textOf(result)
          const call_ = `${JSON.stringify({ ...where, ...filter })}: ${text}`
          expect(text, call_).toMatch(/as of \w{3}.* UTC \(feed read \d+ s ago\)/)
          for (const value of Object.values(filter)) expect(text, call_).toContain(value)
          expect(/no (active )?alerts?/i.test(text) && Object.keys(filter).length > 0, call_).toBe(false)
          expect(text, call_).toMatch(/\d+ (others? )?(is|are) active|active in/)
        }
    expect(empty).toBeGreaterThan(60)
  })

  test.each([{ area: 'PR' }, { area: 'GU' }, { area: 'AS' }, { wfo: 'SJU' }, { wfo: 'PGUM' }, { zone: 'PRZ001' }])(
    'answers that %j is outside the coverage, not an empty list',
    async (where) => {
      const result = await call('search_alerts', { ...where, severity: 'Severe' })
      expect(codeOf(result)).toBe('outside-coverage')
      expect(textOf(result)).not.toMatch(/no active alerts/i)
    },
  )
})

describe('get_alerts', () => {
  test('names the place, the local time and alerts nearby if there is no alert', async () => {
    const result = await call('get_alerts', { location: 'Moore, OK' })
    const { alerts } = result.structuredContent as { alerts: object[] }
    if (alerts.length > 0) return
    expect(textOf(result)).toMatch(/No active alerts at Moore, OK as of \w{3}.* C[SD]T \(feed read/)
    expect(textOf(result)).toMatch(/within about 50 km/)
  })

  test('does not answer "none" after a failed read', async () => {
    const { database } = sky
    const { markFailed } = await import('../../../sql/queries/feeds.ts')
    await markFailed(database, 'alerts', 'refused by a test')
    const until = Date.now() + 10_000
    let text = ''
    while (Date.now() < until) {
      const result = await call('get_alerts', { location: 'Hilo, HI' })
      text = textOf(result)
      if (result.isError) break
      await new Promise((resolve) => setTimeout(resolve, 200))
    }
    expect(text).toMatch(/^Error \(no-data\): Alerts are not known: .* This is not an all-clear/)
    const search = await call('search_alerts', { event: 'Tsunami Warning' })
    expect(codeOf(search)).toBe('no-data')
    const forecast = await call('get_forecast', { location: 'Hilo, HI' })
    expect(textOf(forecast)).not.toMatch(/no active alerts/i)
    expect(textOf(forecast)).toMatch(/not an all-clear/)
  })
})

describe('places', () => {
  test('names bad places of a list with candidates and answers for the other places', async () => {
    const locations = [
      { location: 'Denver, CO' },
      { location: 'Springfield' },
      { location: 'Xyzzyq' },
      { location: 'Guam' },
    ]
    const result = await call('compare_locations', { locations, variables: ['temperature'] })
    const { comparisons } = result.structuredContent as {
      comparisons: { status: string; candidates?: string[]; valid_times: string[] }[]
    }
    expect(comparisons.map(({ status }) => status)).toEqual(['ok', 'ambiguous', 'not_found', 'outside_coverage'])
    expect(comparisons[0]?.valid_times.length).toBe(24)
    expect(comparisons[1]?.candidates?.join()).toMatch(/Springfield, MO/)
    const text = textOf(result)
    for (const name of ['Denver, CO (', 'Springfield: not compared', 'Xyzzyq: not compared', 'Guam: not compared'])
      expect(text).toContain(name)

    const time = new Date(Date.now() + 7.2e6).toISOString()
    const route = await call('get_route_weather', { stops: locations.map((place) => ({ ...place, time })) })
    const { stops } = route.structuredContent as { stops: { status: string; alerts: object[] | null }[] }
    expect(stops.map(({ status }) => status)).toEqual(['ok', 'ambiguous', 'not_found', 'outside_coverage'])
    // An empty list would mean that there is no alert.
    expect(stops.slice(1).map(({ alerts }) => alerts)).toEqual([null, null, null])

    const query = await call('query_dataset', { dataset_id: 'nbm', variables: ['temperature'], points: locations })
    const { points } = query.structuredContent as { points: { status: string }[] }
    expect(points.map(({ status }) => status)).toEqual(['ok', 'ambiguous', 'not_found', 'out_of_domain'])
  })

  test.each([
    ['Guam', /Guam, a US territory/],
    ['San Juan, PR', /Puerto Rico, a US territory/],
    ['00901', /Puerto Rico, a US territory/],
    ['Paris, France', /in France/],
    ['Toronto, ON', /in Canada/],
  ])('rejects %s with the reason', async (location, reason) => {
    const result = await call('get_forecast', { location })
    expect(codeOf(result)).toBe('outside-coverage')
    expect(textOf(result)).toMatch(reason)
  })

  test.each([
    [{ lat: 39.74, lon: 104.99 }, /west longitudes are negative: 39.74, -104.99 is Denver/],
    [{ lat: 51.5, lon: -0.1 }, /km from the nearest town inside/],
    [{ lat: 13.45, lon: 144.78 }, /Guam, a US territory/],
  ])('rejects %j with the reason', async (point, reason) => {
    const result = await call('get_forecast', point)
    expect(codeOf(result)).toBe('outside-coverage')
    expect(textOf(result)).toMatch(reason)
  })

  test.each(['London', 'Moscow', 'Toronto', 'Mexico City'])(
    'does not take %s alone for a small US namesake',
    async (location) => {
      const result = await call('get_forecast', { location })
      expect(codeOf(result)).toBe('outside-coverage')
      expect(textOf(result)).toMatch(/is the city of .*outside the coverage, which is the 50 US states and DC/)
    },
  )
})

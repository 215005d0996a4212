import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { anyOf } from '../../../api/mcp/query/chance.ts'
import { fallenInHour, weatherAt } from '../../../infra/simulator/atmosphere.ts'
import { memberTimes } from '../../../infra/simulator/refs.ts'
import { cellOf, centreOf } from '../../../ingest/domain/cell.ts'
import { HOUR } from '../../../ingest/domain/time.ts'
import { placeAt } from '../../../ingest/geo/place.ts'
import { stations } from '../../../ingest/geo/site.ts'
import { analyticCurrent, runsAt } from '../analytic-runs.ts'
import { type SkyServer, skyServer } from '../sky-server.ts'
import type { Result } from './calls.ts'

const now = Date.now()
const RUN = Math.floor((now - 4 * HOUR) / (6 * HOUR)) * 6 * HOUR
/** The first window of 24 hours of the run that begins after now. */
const END = RUN + 36 * HOUR
const total = (kind: 'liquid' | 'snow', [lat, lon]: readonly [number, number], end: number) =>
  Array.from({ length: 24 }, (_, k) => fallenInHour(lat, lon, end - k * HOUR)[kind]).reduce((sum, x) => sum + x, 0)
const members = (time: number) => memberTimes('conus', (time - RUN) / HOUR, time)
const share = (times: readonly number[], isMet: (time: number) => boolean) => times.filter(isMet).length / times.length

const places = stations()
  .filter(({ id, lat, lon }) => id.startsWith('K') && placeAt(lat, lon) !== undefined)
  .flatMap(({ lat, lon }, i) => (i % 20 === 0 ? [[lat, lon] as const] : []))
/** The place at which a chance is the least certain. */
function uncertainPlace(chanceAt: (point: readonly [number, number]) => number) {
  const candidates = places.map((place) => ({ place, chance: chanceAt(centreOf(cellOf(...place, 7))) }))
  return candidates.reduce((best, next) => (Math.abs(next.chance - 0.5) < Math.abs(best.chance - 0.5) ? next : best))
}

const withRefs = { ...runsAt(now), refs: RUN, 'refs-agreement': RUN }
const models = analyticCurrent(now, withRefs)
let sky: SkyServer
beforeAll(async () => {
  sky = await skyServer({ frames: [], models })
}, 300_000)
afterAll(() => sky.close())

interface Series {
  readonly dataset_id: string
  readonly valid_times: readonly string[]
  readonly data: Readonly<Record<string, readonly (number | null)[]>>
  readonly window_hours?: Readonly<Record<string, number>>
}

async function distributions() {
  const ask = async (aspect: string) => {
    const args = { location: 'Minneapolis, MN', aspect, hours: 72 }
    const result = (await sky.client.callTool({
      name: 'get_forecast_distribution',
      arguments: args,
    })) as unknown as Result
    const { series } = result.structuredContent as { series: Series[] }
    const text = result.content.find(({ type }) => type === 'text')?.text ?? ''
    return { series: series.filter(({ dataset_id }) => dataset_id === 'refs'), text }
  }
  return { snow: await ask('snow'), precip: await ask('precip'), aviation: await ask('aviation') }
}

test('get_forecast_distribution gives REFS chances with their window and the number of members', async () => {
  models.set(withRefs)
  const { snow, precip, aviation } = await distributions()
  for (const [{ series, text }, name, window] of [
    [snow, 'ensemble_snow_nearby_prob_gt_3in', 24],
    [precip, 'ensemble_precip_prob_gt_025in', 24],
    [aviation, 'ensemble_visibility_prob_below_5mi', undefined],
  ] as const) {
    const own = series.find(({ data }) => name in data)
    expect(own?.window_hours?.[name]).toBe(window)
    const { [name]: chances = [], ensemble_members: members = [] } = own?.data ?? {}
    expect(chances.length).toBe(own?.valid_times.length)
    expect(members.length).toBe(chances.length)
    for (const count of members) expect([14, 13, 12, 6]).toContain(count)
    for (const [k, chance] of chances.entries()) {
      const counted = ((chance ?? 0) * (members[k] ?? 0)) / 100
      expect(Math.abs(counted - Math.round(counted))).toBeLessThan(0.08)
    }
    expect(text).toMatch(/^ensemble members: /m)
    expect(text).not.toMatch(/prob|_|\bgt\b/)
  }
})

test('get_forecast_distribution answers without REFS as before', async () => {
  models.set(runsAt(now))
  const { snow, aviation } = await distributions()
  expect([snow.series, aviation.series]).toEqual([[], []])
  expect(snow.text).not.toMatch(/ensemble|REFS/)
})

interface Chance {
  readonly chance: number | null
  readonly range: readonly [number, number] | null
  readonly basis: string
  readonly ensemble: {
    readonly chance: number | null
    readonly range: readonly [number, number]
    readonly start: string
    readonly end: string
    readonly members: readonly [number, number]
  } | null
}

async function call([lat, lon]: readonly [number, number], args: object) {
  const result = (await sky.client.callTool({
    name: 'chance_of',
    arguments: { lat, lon, start: new Date(END - 24 * HOUR).toISOString(), end: new Date(END).toISOString(), ...args },
  })) as unknown as Result
  const text = result.content.find(({ type }) => type === 'text')?.text ?? ''
  return { ...(result.structuredContent as unknown as Chance), text }
}

describe('chance_of with NBM and REFS', () => {
  beforeAll(() => models.set(withRefs))

  test('names the chance of REFS as a second opinion, with its window and members', async () => {
    const { place, chance } = uncertainPlace((point) => share(members(END), (end) => total('snow', point, end) > 76))
    const { ensemble, text, basis } = await call(place, { variable: 'snow_amount', threshold: 3 })
    expect(basis).toMatch(/^NBM percentiles/)
    expect(ensemble).toMatchObject({
      ...{ chance: Math.round(100 * chance), range: [Math.round(100 * chance), Math.round(100 * chance)] },
      ...{ members: [14, 14], start: new Date(END - 24 * HOUR).toISOString().replace('.000', '') },
    })
    expect(text).toContain(
      `Second opinion: REFS (14 members, not calibrated): ${Math.round(100 * chance)}% near the point in the 24 hours to `,
    )
  })

  test('gives a range between its limits, and says which limits it has', async () => {
    const point = (limit: number) => (at: readonly [number, number]) =>
      share(members(END), (end) => total('snow', at, end) > limit)
    const { place } = uncertainPlace(point(25))
    const [least, most] = [76, 25].map((limit) => Math.round(100 * point(limit)(centreOf(cellOf(...place, 7)))))
    const { ensemble, text } = await call(place, { variable: 'snow_amount', threshold: 2 })
    expect(ensemble).toMatchObject({ chance: null, range: [least, most] })
    expect(text).toMatch(/Its limits are 1, 3, 6, 12, 18 in; nothing is interpolated\./)
  })

  test('has no second opinion on a window of two days, and says why', async () => {
    const start = new Date(END - 48 * HOUR).toISOString()
    const { ensemble, text } = await call([39.74, -104.99], { variable: 'snow_amount', threshold: 1, start })
    expect(ensemble).toBeNull()
    expect(text).toContain('REFS counts amounts in 24 hours to its hour 60 only')
    const { ensemble: none, text: gusts } = await call([39.74, -104.99], { variable: 'wind_gust', threshold: 40 })
    expect([none, /REFS/.test(gusts)]).toEqual([null, false])
  })
})

describe('chance_of without NBM', () => {
  beforeAll(() => models.set({ ...withRefs, nbm: undefined }))

  test('answers with the chance of REFS', async () => {
    const { place, chance } = uncertainPlace((point) =>
      share(members(END), (end) => total('liquid', point, end) > 6.35),
    )
    for (const [units, threshold] of [
      ['imperial', 0.25],
      ['metric', 6.35],
    ] as const) {
      const answer = await call(place, { variable: 'precip_amount', threshold, units })
      expect(answer.chance).toBe(Math.round(100 * chance))
      expect(answer.text).toContain(`is ${Math.round(100 * chance)}%.`)
      expect(answer.basis).toMatch(/^REFS \(14 members, not calibrated\): .* NBM has no answer: no percentiles/)
      const below = await call(place, { variable: 'precip_amount', threshold, units, comparison: 'below' })
      expect(below.chance).toBe(Math.round(100 * (1 - chance)))
    }
  })

  test('joins the hours of low visibility and of low ceilings', async () => {
    const hours = [1, 2, 3, 4, 5, 6].map((k) => END - 6 * HOUR + k * HOUR)
    const start = new Date(END - 6 * HOUR + HOUR).toISOString()
    for (const [variable, threshold, isMet] of [
      ['visibility', 5, (lat: number, lon: number, time: number) => weatherAt(lat, lon, time).visibility < 8049],
      ['cloud_ceiling', 3000, (lat: number, lon: number, time: number) => weatherAt(lat, lon, time).ceiling < 915],
    ] as const) {
      const { place, chance } = uncertainPlace(
        ([lat, lon]) => anyOf(hours.map((hour) => share(members(hour), (time) => isMet(lat, lon, time)))).chance,
      )
      const answer = await call(place, { variable, threshold, comparison: 'below', start })
      // Each hour is rounded to a percent before the hours are joined.
      expect(Math.abs(Number(answer.chance) - 100 * chance)).toBeLessThan(1.6)
      expect(answer.text).toContain(' in 6 hours to ')
    }
  })

  test('gives a range and no chance for a limit that REFS does not count', async () => {
    const { place, chance } = uncertainPlace((point) => share(members(END), (end) => total('snow', point, end) > 25))
    const answer = await call(place, { variable: 'snow_amount', threshold: 2 })
    expect([answer.chance, answer.range?.[1]]).toEqual([null, Math.round(100 * chance)])
    expect(answer.text).toMatch(/ is between \d+% and \d+%\n/)
  })
})

test('query_dataset and EDR list RRFS and REFS, and give their values', async () => {
  const long = Math.floor((now - 5 * HOUR) / (6 * HOUR)) * 6 * HOUR
  models.set({ ...withRefs, rrfs: long, 'rrfs-long': long })
  const read = async (path: string) => {
    const response = await fetch(`${sky.base}${path}`, { headers: { authorization: `Bearer ${sky.key}` } })
    return { status: response.status, text: await response.text() }
  }
  const { text } = await read('/edr/collections')
  const { collections } = JSON.parse(text) as { collections: { id: string }[] }
  const ids = collections.map(({ id }) => id)
  for (const domain of ['conus', 'alaska', 'hawaii'])
    expect(ids).toEqual(expect.arrayContaining([`rrfs-${domain}`, `refs-${domain}`]))
  const [lat, lon] = [39.74, -104.99]
  for (const [dataset, name] of [
    ['rrfs', 'pressure'],
    ['refs', 'ensemble_visibility_prob_below_5mi'],
  ] as const) {
    const hours = [now, now + 36 * HOUR].map((time) => new Date(time).toISOString()).join('/')
    const place = `coords=POINT(${lon}%20${lat})&parameter-name=${name}&units=metric&datetime=${hours}`
    const position = await read(`/edr/collections/${dataset}-conus/position?${place}`)
    expect(position.status, position.text).toBe(200)
    const { coverages } = JSON.parse(position.text) as {
      coverages: { domain: { axes: { t: { values: string[] } } }; ranges: Record<string, { values: number[] }> }[]
    }
    const byTime = new Map(
      coverages.flatMap(({ domain, ranges }) =>
        domain.axes.t.values.map((time, i) => [time, ranges[name]?.values[i]] as const),
      ),
    )
    const { structuredContent } = (await sky.client.callTool({
      name: 'query_dataset',
      arguments: { lat, lon, dataset_id: dataset, variables: [name], hours: 30, units: 'metric' },
    })) as unknown as Result
    const { rows } = structuredContent as { rows: [number, string, number | null][] }
    expect(rows.length).toBeGreaterThan(20)
    for (const [, time, value] of rows.slice(1)) expect(byTime.get(time), `${name} at ${time}`).toBe(value)
  }
})

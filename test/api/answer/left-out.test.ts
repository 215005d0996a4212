import { afterAll, beforeAll, expect, test } from 'vitest'
import { type EdgeServer, edgeServer } from '../http/test-server.ts'

/** What DATASETS leaves out is not missing: answers of the rest have no warning of it and may be kept. */
let edge: EdgeServer
let key: string

beforeAll(async () => {
  // Every model of the analytic runs is served; nothing else is.
  edge = await edgeServer({ DATASETS: 'nbm,hrrr,rtma' })
  key = await edge.key()
})

afterAll(() => edge?.close())

async function answer(include: string) {
  const reply = await edge.get(`/v1/weather?lat=39.74&lon=-104.99&include=${include}`, key)
  const body = (await reply.json()) as { meta: { warnings?: { code: string; section: string; detail: string }[] } }
  const warnings = (body.meta.warnings ?? []).filter(({ code }) => code !== 'simulated_data')
  return { body, warnings, cacheControl: reply.headers.get('cache-control') ?? '' }
}

test('a section of the taken datasets has no warning of those that are left out', async () => {
  for (const section of ['current', 'daily', 'hourly', 'narrations', 'astro']) {
    const { body, warnings, cacheControl } = await answer(section)
    expect(body, section).toHaveProperty(section)
    expect(cacheControl, section).toMatch(/^max-age=[1-9]/)
    // Alerts are read whatever is taken; nobody does here. The rest is of what is served: split amounts, hours of today, hourly air quality that nobody forecasts.
    const always = ['amount_split', 'probability_upper_bound', 'partial_day', 'source_failed']
    const about = warnings.filter(
      ({ code, detail }) => !always.includes(code) && !detail.includes('hourly air quality'),
    )
    expect(about, section).toEqual([])
  }
})

test('a section that has no taken dataset is absent, says so and may be kept', async () => {
  for (const section of ['radar', 'nowcast', 'metar', 'guidance', 'climate']) {
    const { body, warnings, cacheControl } = await answer(section)
    expect(body, section).not.toHaveProperty(section)
    expect(warnings.map((warning) => [warning.code, warning.section])).toEqual([['not_held', section]])
    expect(cacheControl, section).toMatch(/^max-age=[1-9]/)
  }
})

test('alerts and outlooks are read whatever is taken: without a read the answer is marked', async () => {
  const { body, warnings, cacheControl } = await answer('alerts')
  expect(body).not.toHaveProperty('alerts')
  expect(warnings.map(({ code, section }) => [code, section])).toEqual([['source_failed', 'alerts']])
  expect(cacheControl).toBe('no-store')
})

test('the status names them not_configured', async () => {
  const reply = await edge.get('/v1/status', key)
  const { datasets } = (await reply.json()) as { datasets: { dataset_id: string; state: string }[] }
  const left = datasets.filter(({ state }) => state === 'not_configured').map(({ dataset_id }) => dataset_id)
  expect(left).toEqual(expect.arrayContaining(['gfs', 'metar', 'mrms-precip-rate', 'nws-texts']))
  expect(left).not.toEqual(expect.arrayContaining(['nbm']))
})

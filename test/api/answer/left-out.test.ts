import { afterAll, beforeAll, expect, test } from 'vitest'
import { type EdgeServer, edgeServer } from '../http/test-server.ts'

/**
 * Datasets that DATASETS leaves out are not missing: answers of the other datasets have no warning about them and may
 * be cached.
 */
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

test('has no warning about datasets that the installation leaves out', async () => {
  for (const section of ['current', 'daily', 'hourly', 'narrations', 'astro']) {
    const { body, warnings, cacheControl } = await answer(section)
    expect(body, section).toHaveProperty(section)
    expect(cacheControl, section).toMatch(/^max-age=[1-9]/)
    // Alerts are read whichever datasets are taken, but not in this test. The other warnings are about served data:
    // split amounts, hours of today, hourly air quality.
    const always = ['amount_split', 'partial_day', 'source_failed']
    const about = warnings.filter(
      ({ code, detail }) => !always.includes(code) && !detail.includes('hourly air quality'),
    )
    expect(about, section).toEqual([])
  }
})

test('leaves out a section without any dataset, with a warning, and may be cached', async () => {
  for (const section of ['radar', 'nowcast', 'metar', 'guidance', 'climate']) {
    const { body, warnings, cacheControl } = await answer(section)
    expect(body, section).not.toHaveProperty(section)
    expect(warnings.map((warning) => [warning.code, warning.section])).toEqual([['not_held', section]])
    expect(cacheControl, section).toMatch(/^max-age=[1-9]/)
  }
})

test('marks the answer if alerts and outlooks could not be read, whichever datasets are taken', async () => {
  const { body, warnings, cacheControl } = await answer('alerts')
  expect(body).not.toHaveProperty('alerts')
  expect(warnings.map(({ code, section }) => [code, section])).toEqual([['source_failed', 'alerts']])
  expect(cacheControl).toBe('no-store')
})

test('reports left-out datasets as not_configured in the status', async () => {
  const reply = await edge.get('/v1/status', key)
  const { datasets } = (await reply.json()) as { datasets: { dataset_id: string; state: string }[] }
  const notConfigured = datasets.filter(({ state }) => state === 'not_configured').map(({ dataset_id }) => dataset_id)
  expect(notConfigured).toEqual(expect.arrayContaining(['gfs', 'metar', 'mrms-precip-rate', 'nws-texts']))
  expect(notConfigured).not.toEqual(expect.arrayContaining(['nbm']))
})

import { afterAll, beforeAll, expect, test } from 'vitest'
import { DAY, dateText } from '../../../ingest/domain/time.ts'
import type { VerifiedStation } from '../../../ingest/domain/verification/forecast.ts'
import { putScoredDays } from '../../pages/scored-days.ts'
import { type SkyServer, skyServer } from '../sky-server.ts'

/** Four hours of each day have pairs, which are 32 for each station. */
const DAYS = 8

let sky: SkyServer
let stations: VerifiedStation[]
beforeAll(async () => {
  sky = await skyServer({ frames: [] })
}, 120_000)
afterAll(() => sky.close())

interface Skill {
  figures: {
    source: string
    lead_hours: number
    pairs: number
    days: number
    scores: Record<string, { estimate: number; lower: number | null; upper: number | null }>
    reliability?: { pairs: number; forecast_percent: number | null }[]
  }[]
  figures_left_out: number
  why_empty: string | null
}

const readSkill = async (query: string): Promise<Skill> =>
  (await (
    await fetch(`${sky.base}/v1/skill?${query}`, { headers: { authorization: `Bearer ${sky.key}` } })
  ).json()) as Skill
const ask = async (args: Record<string, unknown>) => {
  const { structuredContent, content, isError } = await sky.client.callTool({
    name: 'get_forecast_skill',
    arguments: args,
  })
  return {
    data: structuredContent as unknown as Skill & { area: string },
    text: (content as { text: string }[])[0]?.text ?? '',
    isError,
  }
}
const page = async (query = '') => {
  const response = await fetch(`${sky.base}/skill${query}`, { headers: { accept: 'text/html' } })
  return { status: response.status, headers: response.headers, html: await response.text() }
}

const described = async (id: string) => {
  const { structuredContent } = await sky.client.callTool({ name: 'describe_dataset', arguments: { dataset_id: id } })
  return structuredContent as unknown as {
    detail: { skill: Record<string, Record<string, { bias: number; mae: number; n: number }>> | null }
    meta: { warnings: { section: string; detail: string }[] }
  }
}

test('gives the reason why a new installation has no scores, on the page, in the API and in the tool', async () => {
  const { figures, why_empty, figures_left_out } = await readSkill('state=CO')
  expect(figures).toEqual([])
  expect(figures_left_out).toBeGreaterThan(40)
  expect(why_empty).toMatch(/^No forecast has been recorded yet\./)
  const { data, text } = await ask({})
  expect(data.why_empty).toBe(why_empty)
  expect(text).toContain(`No score can be given: ${why_empty}`)
  const { detail, meta } = await described('nbm')
  expect(detail.skill).toBeNull()
  expect(meta.warnings.find(({ section }) => section === 'skill')?.detail).toBe(`skill: ${why_empty}`)
  const { status, html } = await page()
  expect(status).toBe(200)
  expect(html).toContain(`<strong>No score can be given.</strong> ${why_empty}`)
  expect(html).not.toContain('<svg class="plot')
  stations = await putScoredDays(sky.database, Date.now(), { days: DAYS, every: 60 })
}, 60_000)

test('shows the same figures on the page, in the API and in the tool, with counts and intervals, from 30 pairs', async () => {
  const all = await readSkill('lead=24&units=metric')
  const { data, text } = await ask({ units: 'metric', lead_hours: 24 })
  const own = all.figures.find(({ source }) => source === 'blend')
  const mae = own?.scores['mae']
  if (!own || !mae) throw new Error('the blend has no mean absolute error')
  expect(own.pairs).toBe(stations.length * DAYS * 4)
  expect(own.days).toBe(DAYS)
  expect(data.figures.map(({ source, pairs, scores }) => ({ source, pairs, scores }))).toEqual(
    all.figures.map(({ source, pairs, scores }) => ({ source, pairs, scores })),
  )
  const { estimate, lower, upper } = mae
  expect(lower).toBeLessThanOrEqual(estimate)
  expect(upper).toBeGreaterThanOrEqual(estimate)
  const degrees = (value: number) => `${value.toFixed(value < 0.995 ? 2 : 1)} °C`
  const words = `${degrees(estimate)} (${degrees(Number(lower))} to ${degrees(Number(upper))}`
  expect(text).toContain(`As served ${words}; ${own.pairs.toLocaleString('en')} pairs, ${DAYS} days)`)
  expect(text).toMatch(/^SIMULATED/)
  const { html } = await page('?units=metric')
  expect(html).toContain(
    `As served, Mean absolute error ${words})</strong>, from ${own.pairs.toLocaleString('en')} pairs on ${DAYS} days.`,
  )
  expect(html).toContain('The data are simulated')
  // RRFS ends at hour 84, so it has leads to 72 hours.
  const rrfs = (await readSkill('source=rrfs&units=metric')).figures
  expect(rrfs.map(({ lead_hours }) => lead_hours)).toEqual([1, 3, 6, 12, 24, 48, 72])
  const main = rrfs.find(({ lead_hours }) => lead_hours === 24)?.scores['mae']?.estimate
  const rrfsWords = `RRFS alone ${degrees(Number(main))} (`
  expect(text).toContain(rrfsWords)
  expect(html).toContain('<option value="rrfs">RRFS alone</option>')
  expect(html).toContain(`RRFS alone, 24 h: ${degrees(Number(main))} (`)
  expect((await page('?source=rrfs&lead=72&units=metric')).html).toContain('Stations: RRFS alone, 72 hours ahead')
  // Every plot has its table.
  expect(html.match(/<svg class="(?:plot|map)/g)).toHaveLength(
    html.match(/<summary>As a table<\/summary>/g)?.length ?? 0,
  )
  for (const { pairs } of (await readSkill('')).figures) expect(pairs).toBeGreaterThanOrEqual(30)
})

test('describes a dataset with its errors of the last 30 days, if it is compared', async () => {
  const { detail, meta } = await described('gfs')
  const { figures } = await readSkill('source=gfs&variable=temperature&units=metric')
  expect(Object.keys(detail.skill ?? {})).toEqual(['temperature', 'dew_point', 'wind_speed', 'wind_gust'])
  const own = Object.entries(detail.skill?.['temperature'] ?? {})
  expect(own.map(([lead, { mae, bias, n }]) => [Number(lead), mae, bias, n])).toEqual(
    figures.map(({ lead_hours, pairs, scores }) => [
      lead_hours,
      ...['mae', 'bias'].map((name) => Math.round((scores[name]?.estimate ?? Number.NaN) * 1000) / 1000),
      pairs,
    ]),
  )
  expect(meta.warnings.some(({ section }) => section === 'skill')).toBe(false)
  const radar = await described('mrms')
  expect([radar.detail.skill, radar.meta.warnings.some(({ section }) => section === 'skill')]).toEqual([null, false])
})

test('leaves out and counts scores with few pairs; the tool selects the office of a place', async () => {
  const id = stations[0]?.id ?? ''
  const few = await readSkill(`station=${id}&days=1`)
  expect(few.figures).toEqual([])
  expect(few.why_empty).toMatch(/^There are at most 4 pairs .* scores need 30\./)
  expect((await ask({ location: id, days: 1 })).text).toContain(
    'This says nothing about whether the forecasts are good or bad.',
  )
  for (const variable of ['temperature', 'flight_category', 'precip_probability', 'high']) {
    const { data, text } = await ask({ variable })
    expect(JSON.stringify(data).length, variable).toBeLessThan(16_384)
    expect(text.length).toBeLessThanOrEqual(2000)
    expect(data.figures.length).toBeGreaterThan(15)
  }
  const { data, text } = await ask({ location: 'Denver, CO', variable: 'precip_probability' })
  expect(data.area).toBe('BOU')
  expect(text).toContain('area of the forecast office BOU around Denver, CO')
  const bins = (await ask({ variable: 'precip_probability' })).data.figures.flatMap(
    ({ reliability }) => reliability ?? [],
  )
  expect(bins).toHaveLength(10)
  for (const { pairs, forecast_percent } of bins) expect(forecast_percent === null).toBe(pairs < 30)
  expect((await ask({ location: 'Paris, France' })).isError).toBe(true)
})

test('links states and stations on the page, and explains an invalid choice in the link', async () => {
  const state =
    stations.find(({ state }) => stations.filter((station) => station.state === state).length > 1)?.state ?? ''
  const ofCountry = await page('?variable=high&lead=1&days=7')
  // Highs have no lead of one hour, so the next lead is shown and chosen in the form.
  expect(ofCountry.html).toContain('<option value="24" selected>')
  expect((await page('?variable=wind_gust&days=7')).html).toContain(
    `href="/skill?variable=wind_gust&#38;state=${state}&#38;days=7"`,
  )
  expect(ofCountry.headers.get('content-security-policy')).not.toContain('script')
  expect(ofCountry.html).not.toContain('<script')
  const part = await page(`?area=${state.toLowerCase()}&variable=wind_speed`)
  expect(part.status).toBe(200)
  for (const { id } of stations.filter((station) => station.state === state))
    expect(part.html).toContain(`href="/skill?variable=wind_speed&#38;station=${id}"`)
  for (const [query, status, words] of [
    ['?area=QQ', 404, 'there is no state &#34;QQ&#34;'],
    ['?area=nowhere', 400, 'The area must be a state such as CO'],
    ['?days=401', 400, 'must be a whole number from 1 to 400'],
    ['?state=CO&office=BOU', 400, 'at most one of state, office, station, bbox'],
    ['?source=rtma', 400, '`source` must be one of blend'],
    ['?area=%3Cscript%3E', 400, 'The area must be a state such as CO'],
  ] as const) {
    const refused = await page(query)
    expect(refused.status, query).toBe(status)
    expect(refused.html).toContain(words)
    expect(refused.html).toContain('<form class="card choice"')
  }
  // An area whose stations were never compared is valid.
  const none = await page('?area=KDEN')
  expect(none.status).toBe(200)
  const lastDay = `The last day that was compared anywhere is ${dateText(Math.floor(Date.now() / DAY) - 1)}`
  expect(none.html.includes(lastDay)).toBe(!stations.some(({ id }) => id === 'KDEN'))
})

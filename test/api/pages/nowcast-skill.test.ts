import { afterAll, beforeAll, expect, test } from 'vitest'
import { DAY, dateText, MINUTE } from '../../../ingest/domain/time.ts'
import { putScoredNowcasts } from '../../pages/scored-nowcasts.ts'
import { type SkyServer, skyServer } from '../sky-server.ts'

let sky: SkyServer
beforeAll(async () => {
  sky = await skyServer({ frames: [] })
}, 120_000)
afterAll(() => sky.close())

interface Body {
  variable: string
  scored_area: string
  first_day: string
  last_day: string
  figures: unknown[]
  nowcast_figures: {
    domain: string
    source: string
    lead_minutes: number
    threshold_mm_h: number
    frames: number
    pixels: number
    days: number
    scores: Record<string, { estimate: number; lower: number | null; upper: number | null }>
    reliability?: { from_percent: number; forecast_percent: number; observed_percent: number; pairs: number }[]
  }[]
  nowcast_days?: unknown[]
  figures_left_out: number
  why_empty: string | null
}
const read = async (query = '') => {
  const response = await fetch(`${sky.base}/v1/skill?variable=nowcast${query}`, {
    headers: { authorization: `Bearer ${sky.key}` },
  })
  return { status: response.status, body: (await response.json()) as Body & { detail?: string } }
}
const ask = async (args: Record<string, unknown> = {}) => {
  const { structuredContent, content, isError } = await sky.client.callTool({
    name: 'get_forecast_skill',
    arguments: { variable: 'nowcast', ...args },
  })
  return {
    data: structuredContent as unknown as Body,
    text: (content as { text: string }[])[0]?.text ?? '',
    isError,
  }
}
const page = async (query = '') =>
  (await fetch(`${sky.base}/skill${query}`, { headers: { accept: 'text/html' } })).text()
const readMain = async () => {
  const { body } = await read('&domain=conus&lead_minutes=30')
  return body.nowcast_figures.filter(({ threshold_mm_h }) => threshold_mm_h === 0.1)
}

/** The frames are those of yesterday and of the day before. */
const today = Math.floor(Date.now() / DAY) * DAY

test('says why there are no scores while no nowcast, or too few, were compared', async () => {
  const { body } = await read()
  expect([body.figures, body.nowcast_figures, body.figures_left_out]).toEqual([[], [], 0])
  expect(body.why_empty).toMatch(/^No nowcast has been compared with radar from .* a score needs 30 frames/)
  expect((await ask()).text).toContain(`No score can be given: ${body.why_empty}`)
  expect(await page()).toContain(`<strong>No score can be given.</strong> ${body.why_empty}`)

  await putScoredNowcasts(sky.database, 'conus', { frames: 29, last: today - 10 * MINUTE })
  const few = (await read()).body
  expect(few.nowcast_figures).toEqual([])
  expect(few.figures_left_out).toBe(8 * 3 * 2)
  expect(few.why_empty).toMatch(/^Too few nowcasts have been compared with radar: at most 29 frames/)
  expect((await ask()).text).toContain(few.why_empty)
})

test('gives scores of the nowcast beside persistence by lead and rate, with the reliability of its probability', async () => {
  await putScoredNowcasts(sky.database, 'conus', { frames: 2 * 144, last: today - 10 * MINUTE })
  const { body } = await read('&days=7')
  expect([body.variable, body.scored_area, body.why_empty, body.figures_left_out]).toEqual(['nowcast', 'US', null, 0])
  expect(body.last_day).toBe(dateText(today / DAY))
  expect(body.nowcast_figures).toHaveLength(8 * 3 * 2)
  const [nowcast, persistence] = await readMain()
  // 760 of 1000 pixels are hits, with 900 − 608 false alarms, in each of the 288 frames. A repeated frame counts once.
  expect(nowcast).toMatchObject({ source: 'nowcast', frames: 288, days: 2, pixels: 288 * 40_000 })
  expect(nowcast?.scores).toMatchObject({
    csi: { estimate: Number((760 / 1292).toFixed(3)), lower: null },
    pod: { estimate: 0.76 },
    far: { estimate: Number((292 / 1052).toFixed(3)) },
    frequency_bias: { estimate: 1.052 },
  })
  expect(persistence).toMatchObject({ source: 'persistence', scores: { pod: { estimate: 0.63 } } })
  expect(persistence?.reliability).toBeUndefined()
  const { body: ofLead } = await read('&days=7&lead_minutes=30&domain=conus')
  expect(ofLead.nowcast_days).toHaveLength(2 * 3 * 2)
  for (const day of [1, 2].map((ago) => dateText(today / DAY - ago)))
    expect(ofLead.nowcast_days).toContainEqual({
      ...{ domain: 'conus', day, source: 'nowcast', lead_minutes: 30, threshold_mm_h: 0.1, frames: 144 },
      scores: { csi: 0.588, pod: 0.76, far: 0.278, frequency_bias: 1.052 },
    })
  expect(body.nowcast_days).toBeUndefined()
  expect(nowcast?.reliability?.[4]).toEqual({
    ...{ from_percent: 40, to_percent: 50, pairs: 28_800 },
    ...{ forecast_percent: 45, observed_percent: 36 },
  })
})

test('says the same in the tool, in one sentence, and on the page', async () => {
  const [nowcast, persistence] = await readMain()
  const { data, text } = await ask({ days: 30 })
  const sentence =
    'Lower 48: 30 minutes ahead the nowcast found 76 % of the pixels with 0.1 mm/h or more against 63 % of persistence' +
    ' (the last radar frame, unmoved); of the pixels where each forecast it, 28 % against 39 % stayed below; CSI 0.59 against 0.45;' +
    ' n = 288 radar frames on 2 days.'
  expect(text).toContain(sentence)
  expect(text).toMatch(/^SIMULATED/)
  expect(data.nowcast_figures.filter((figure) => figure.lead_minutes === 30).slice(0, 2)).toEqual([
    nowcast,
    persistence,
  ])
  const html = await page()
  expect(html).toContain(sentence)
  expect(html).toContain('Critical success index, 5 mm/h or more')
  expect(html).toContain('Frequency bias, 5 mm/h or more')
  expect(html).toContain(
    `<th scope="row">${dateText(today / DAY - 1)}</th><td>0.59 against 0.45<br><small>bias 1.05</small></td>`,
  )
  expect(await page('?state=HI')).toContain('Too few nowcasts have been compared with radar in this domain (Hawaii).')
  expect((await ask({ location: 'Denver, CO' })).text).toMatch(
    /By day its CSI was 0\.59 \(.*\) to 0\.59 \(.*\), on 2 days\./,
  )
  expect((await ask({ location: 'HI' })).data.nowcast_figures).toEqual([])
  expect((await ask({ location: 'Denver, CO' })).data.nowcast_figures.length).toBeGreaterThan(0)
})

test('gives the model beside the nowcast, with its own frames, where it was compared', async () => {
  await putScoredNowcasts(sky.database, 'alaska', { frames: 2 * 144, last: today - 10 * MINUTE, withModel: true })
  const { body } = await read('&days=7&domain=alaska&lead_minutes=30')
  const own = body.nowcast_figures.filter(({ threshold_mm_h }) => threshold_mm_h === 0.1)
  expect(own.map(({ source, frames }) => [source, frames])).toEqual([
    ['nowcast', 288],
    ['persistence', 288],
    ['model', 48],
  ])
  expect(own[2]).toMatchObject({
    ...{ pixels: 48 * 5000, days: 2 },
    scores: {
      csi: { estimate: 0.25 },
      pod: { estimate: 0.4 },
      far: { estimate: 0.6 },
      frequency_bias: { estimate: 1 },
    },
  })
  expect(body.nowcast_days).toHaveLength(2 * 3 * 3)
  const sentence =
    'the model (HRRR, the run that was served then) found 40 % of the points with 0.1 mm/h or more; of those where it forecast it, 60 % stayed below; CSI 0.25; n = 48 radar frames.'
  expect((await ask({ days: 30 })).text).toContain(sentence)
  const html = await page('?state=AK')
  expect(html).toContain(sentence)
  expect(html).toContain('0.59 against 0.45 and 0.25<br>')
  expect(html).toContain('Model (HRRR, full hours)')
})

test('refuses parameters that do not fit the variable', async () => {
  for (const query of ['&state=CO', '&lead=24', '&source=nbm', '&lead_minutes=7', '&domain=guam'])
    expect([query, (await read(query)).status]).toEqual([query, 400])
  for (const query of ['lead_minutes=30', 'domain=conus&state=CO']) {
    const { status } = await fetch(`${sky.base}/v1/skill?${query}`, {
      headers: { authorization: `Bearer ${sky.key}` },
    })
    expect([query, status]).toEqual([query, 400])
  }
  expect((await ask({ lead_hours: 24 })).isError).toBe(true)
})

import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, normalize } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { runVerb } from '../../bin/command-line.ts'
import { writeSite } from '../../bin/scoreboard.ts'
import { scoreboardVerb } from '../../bin/verbs/scoreboard.ts'
import { nth } from '../../ingest/domain/nth.ts'
import { DAY, dateText, MINUTE } from '../../ingest/domain/time.ts'
import type { VerifiedStation } from '../../ingest/domain/verification/forecast.ts'
import { VARIABLES } from '../../ingest/domain/verification/statistics.ts'
import { setOrigin } from '../../sql/queries/origin.ts'
import { type SkyServer, skyServer } from '../api/sky-server.ts'
import { putScoredDays } from '../pages/scored-days.ts'
import { putScoredNowcasts } from '../pages/scored-nowcasts.ts'

/** Four hours of each day have pairs, which are 32 for each station. */
const DAYS = 8
const now = Date.now()
const today = Math.floor(now / DAY)

let sky: SkyServer
let folder: string
let stations: VerifiedStation[]
beforeAll(async () => {
  sky = await skyServer({ frames: [] })
  await setOrigin(sky.database, true)
  folder = await mkdtemp(join(tmpdir(), 'hexcast-scoreboard-'))
  vi.stubEnv('DATA_DIR', sky.dataDir)
}, 120_000)
afterAll(async () => {
  vi.unstubAllEnvs()
  await sky.close()
  await rm(folder, { recursive: true, force: true })
})

async function hexcast(...words: string[]): Promise<{ status: number; printed: string }> {
  const lines: unknown[] = []
  const spies = (['log', 'error'] as const).map((name) =>
    vi.spyOn(console, name).mockImplementation((line) => void lines.push(line)),
  )
  try {
    return { status: await runVerb(scoreboardVerb, words), printed: lines.join('\n') }
  } finally {
    for (const spy of spies) spy.mockRestore()
  }
}

async function filesIn(place: string): Promise<Map<string, Buffer>> {
  const entries = await readdir(place, { recursive: true, withFileTypes: true })
  const paths = entries.flatMap((entry) => (entry.isFile() ? [join(entry.parentPath, entry.name)] : [])).sort()
  return new Map(
    await Promise.all(paths.map(async (path) => [path.slice(place.length + 1), await readFile(path)] as const)),
  )
}
const pagesOf = (files: ReadonlyMap<string, Buffer>) =>
  [...files].flatMap(([path, bytes]) => (path.endsWith('.html') ? [[path, bytes.toString()] as const] : []))

const skill = async (query: string) => {
  const response = await fetch(`${sky.base}/v1/skill?units=metric&${query}`, {
    headers: { authorization: `Bearer ${sky.key}` },
  })
  expect([query, response.status]).toEqual([query, 200])
  const { meta: _, ...body } = (await response.json()) as {
    meta: unknown
    figures: { source: string; lead_hours: number; pairs: number; scores: Record<string, { estimate: number }> }[]
  }
  return body
}
const rowsOf = (files: ReadonlyMap<string, Buffer>, path: string) => {
  const [head = '', ...lines] = (files.get(path)?.toString() ?? '').trimEnd().split('\r\n')
  const names = head.split(',')
  return lines.map((line) => Object.fromEntries(line.split(',').map((cell, i) => [nth(names, i), cell])))
}

test('says on each page why a new installation has no scores', async () => {
  const place = join(folder, 'empty')
  expect(await hexcast('--out', place)).toMatchObject({ status: 0 })
  const files = await filesIn(place)
  const index = files.get('index.html')?.toString() ?? ''
  expect(index).toContain('No score can be given. No forecast has been recorded yet.')
  expect(index).toContain('SIMULATED WEATHER')
  expect(files.get('nowcast.html')?.toString()).toContain('No nowcast has been compared with radar from')
  expect(index).toContain('No station was compared in this period in Alabama, ')
  expect(files.has('areas/CO/temperature.html')).toBe(false)
  stations = await putScoredDays(sky.database, now, { days: DAYS, every: 400 })
  await putScoredNowcasts(sky.database, 'conus', { frames: 2 * 144, last: today * DAY - 10 * MINUTE })
}, 60_000)

let site: Map<string, Buffer>
test('writes pages for the country, each state, variable and station, and the same bytes when called again', async () => {
  const [first, second] = [join(folder, 'first'), join(folder, 'second')]
  const { status, printed } = await hexcast(`--out=${first}`, `--days=${DAYS}`, '--units=metric')
  expect(status, printed).toBe(0)
  site = await filesIn(first)
  expect(printed).toMatch(new RegExp(`^${site.size} files, [\\d.]+ MB in .*; start with index.html$`))
  for (const path of ['index.html', 'nowcast.html', 'scoreboard.css', 'areas/conus/index.html', 'data/areas/US.json'])
    expect([path, site.has(path)]).toEqual([path, true])
  for (const { id, state } of stations) {
    expect(site.has(`stations/${id}.html`)).toBe(true)
    for (const variable of VARIABLES) expect(site.has(`areas/${state}/${variable}.html`)).toBe(true)
  }
  await hexcast(`--out=${second}`, `--days=${DAYS}`, '--units=metric', `--until=${dateText(today - 1)}`)
  expect(await filesIn(second)).toEqual(site)
}, 120_000)

test('has only links that resolve, no script, and nothing from elsewhere', () => {
  for (const [path, html] of pagesOf(site)) {
    expect(html, path).not.toMatch(/<script|javascript:|\son[a-z]+=|@import|url\(/i)
    const links = [...html.matchAll(/(?:href|src)="([^"]*)"/g)].map((match) => nth(match, 1))
    expect(links.length).toBeGreaterThan(5)
    const broken = links.filter((link) => {
      if (link.startsWith('data:')) return false
      const [file = '', fragment] = link.split('#')
      const target = site.get(file === '' ? path : normalize(join(dirname(path), file)))
      return !target || (fragment !== undefined && !target.includes(`id="${fragment}"`))
    })
    expect([path, broken]).toEqual([path, []])
  }
})

test('labels simulated weather and the period on each page, and each table has a caption', () => {
  for (const [path, html] of pagesOf(site)) {
    expect(html, path).toContain('SIMULATED WEATHER')
    expect(html, path).toContain(`${dateText(today - DAYS)} to ${dateText(today - 1)} (UTC)`)
    expect([path, html.match(/<table>/g)?.length]).toEqual([path, html.match(/<table>\n<caption>/g)?.length])
  }
})

test('has the figures of /v1/skill for regions, stations and nowcasts', async () => {
  const state = nth(stations, 0).state
  for (const [file, query] of [
    ['US', ''],
    ['conus', 'domain=conus'],
    [state, `state=${state}`],
  ] as const) {
    const { variables, simulated } = JSON.parse(site.get(`data/areas/${file}.json`)?.toString() ?? '')
    expect(simulated).toBe(true)
    for (const variable of VARIABLES)
      expect(variables[variable]).toEqual(await skill(`days=${DAYS}&variable=${variable}&${query}`))
  }
  const { id } = nth(stations, 0)
  for (const variable of ['temperature', 'precip_probability', 'flight_category'] as const) {
    const { figures } = await skill(`days=${DAYS}&variable=${variable}&station=${id}`)
    const expected = figures.flatMap(({ source, lead_hours, pairs, scores }) =>
      Object.entries(scores).map(([name, { estimate }]) => [source, lead_hours, name, estimate, pairs]),
    )
    expect(expected.length).toBeGreaterThan(20)
    const own = rowsOf(site, `data/stations-${variable}.csv`).filter(({ station }) => station === id)
    expect(
      own.map((row) => [
        row['source'],
        Number(row['lead_hours']),
        row['score'],
        Number(row['value']),
        Number(row['pairs']),
      ]),
    ).toEqual(expected)
  }
  const { simulated: _, units: __, ...nowcast } = JSON.parse(site.get('data/nowcast.json')?.toString() ?? '')
  // Today, which /v1/skill includes, has no frame.
  const response = await skill(`days=${DAYS}&variable=nowcast`).then((body) => body as Record<string, unknown>)
  expect(nowcast).toEqual({ ...response, last_day: dateText(today - 1) })
  expect(rowsOf(site, 'data/nowcast.csv').length).toBe(8 * 3 * 2 * 4)
})

test('shows each figure with its pairs, and says which stations have too few', async () => {
  const { id, state } = nth(stations, 0)
  const { figures } = await skill(`days=${DAYS}&variable=temperature&station=${id}&lead=24&source=blend`)
  const { pairs, scores } = nth(figures, 0)
  const mae = scores['mae']?.estimate ?? Number.NaN
  const text = `<td>${mae.toFixed(mae < 0.995 ? 2 : 1)} °C<br><small>${pairs} pairs</small></td>`
  expect(site.get(`stations/${id}.html`)?.toString()).toContain(text)
  expect(site.get(`areas/${state}/temperature.html`)?.toString()).toContain(text)
  const place = join(folder, 'few')
  await hexcast(`--out=${place}`, '--days=1')
  const few = await filesIn(place)
  expect(few.get(`stations/${id}.html`)?.toString()).toContain(
    'No score can be given: there are at most 4 pairs of a forecast and a report; scores need 30.',
  )
  expect(few.get(`areas/${state}/temperature.html`)?.toString()).toMatch(/\d stations? ha(?:s|ve) fewer than 30 pairs/)
}, 60_000)

test('refuses arguments that are not valid, and fails if a file cannot be written', async () => {
  for (const [words, text] of [
    [[], '--out is missing; expected a folder, or s3://BUCKET/PREFIX'],
    [['--out=ftp://x'], 'is neither a folder nor s3://BUCKET/PREFIX'],
    [['--out=x', '--days=0'], '--days must be a whole number from 1 to 400, but is "0"'],
    [['--out=x', '--units=si'], '--units must be imperial or metric, but is "si"'],
    [['--out=x', '--until=soon'], '--until "soon" is not a day such as 2026-11-28'],
    [['--out=x', `--until=${dateText(today)}`], 'is not over yet (UTC)'],
  ] as const)
    expect(await hexcast(...words)).toEqual({ status: 2, printed: expect.stringContaining(text) })
  const files = async function* () {
    for (let i = 0; i < 20; i++) yield { path: `${i}.html`, contentType: 'text/html', body: '' }
  }
  const put = (path: string) => (path === '9.html' ? Promise.reject(new Error('disk full')) : Promise.resolve())
  await expect(writeSite({ put }, files())).rejects.toThrow('disk full')
})

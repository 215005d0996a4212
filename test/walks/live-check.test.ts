import { afterAll, beforeAll, expect, test } from 'vitest'
import { startSimulator } from '../../infra/simulator/main.ts'
import { Fault } from '../../ingest/domain/fault.ts'
import { openUpstream, type Upstream } from '../../ingest/ports/upstream.ts'
import type { Finding } from '../../ingest/steps/live-check/finding.ts'
import { liveCheck } from '../../ingest/steps/live-check/live-check.ts'

/** The checks of `hexcast doctor --live` over the simulator, unchanged and with one deviation at a time. */
let simulator: Awaited<ReturnType<typeof startSimulator>>
let upstream: Upstream

beforeAll(async () => {
  simulator = await startSimulator({ coarse: 60 })
  upstream = openUpstream({ mirror: simulator.url })
})
afterAll(async () => {
  await upstream?.close()
  await simulator?.close()
})

const ATOM = 'https://api.weather.gov/alerts/active.atom'
async function check(datasets: readonly string[], changed: Partial<Upstream> = {}, contact?: string) {
  const findings: Finding[] = []
  const settings = { datasets, contact, secondSources: { alerts: ATOM }, contactExpected: contact === undefined }
  await liveCheck({ ...upstream, ...changed }, Date.now(), settings, (finding) => findings.push(finding))
  return findings
}
const problems = (findings: readonly Finding[]) =>
  findings
    .filter(({ state }) => state !== 'passed')
    .map(({ state, subject, detail }) => `${state} ${subject}: ${detail}`)

test('the simulator passes every check', { timeout: 240_000 }, async () => {
  const findings = await check([], {}, 'test@example.org')
  expect(findings.length).toBeGreaterThan(150)
  expect(findings.filter(({ state }) => state === 'failed')).toEqual([])
})

test('without a contact address NOAA itself fails the check', async () => {
  expect(problems(await check(['rtma']))).toEqual([
    expect.stringMatching(/^failed identity: requests carry no contact address: set CONTACT/),
  ])
})

test('a key that has moved is named with the keys that exist', async () => {
  const moved: Upstream['list'] = async (bucket, prefix, options) =>
    prefix.startsWith('ProbSevere/') ? [] : upstream.list(bucket, prefix, options)
  const [first, ...unexpected] = problems(await check(['storm-tracks'], { list: moved }, 'a@b.c'))
  expect(first).toMatch(/^failed storm-tracks\/conus newest frame: no key begins with ProbSevere\/\d{8}.*has /)
  expect(unexpected).toEqual([])
})

test('lead hours that are missing or unexpected are named', async () => {
  const moved: Upstream['list'] = async (bucket, prefix, options) =>
    (await upstream.list(bucket, prefix, options)).map((object) => ({
      ...object,
      key: object.key.replace(/(\.f)042(\.hi)/, '$1043$2'),
    }))
  const missing = problems(await check(['nbm'], { list: moved }, 'a@b.c')).filter((line) => line.includes('keys of'))
  expect(missing.length).toBeGreaterThan(0)
  for (const line of missing)
    expect(line).toMatch(/^failed nbm\/hawaii keys of .*expected and not listed: 042|42.*listed and not expected: 43/)
})

test('an index without a required line fails', async () => {
  const get: Upstream['get'] = async (url, options) => {
    const reply = await upstream.get(url, options)
    if (!url.endsWith('.idx')) return reply
    const text = new TextDecoder().decode(reply.bytes).replace(/:DPT:/g, ':DEWP:')
    return { ...reply, bytes: new TextEncoder().encode(text) }
  }
  expect(problems(await check(['rtma'], { get }, 'a@b.c')).sort()).toEqual(
    ['alaska', 'conus', 'hawaii'].map((domain) =>
      expect.stringMatching(new RegExp(`^failed rtma/${domain} index f000: .* has no line for dew_point`)),
    ),
  )
})

test('a feed that redirects, refuses or serves an old copy is named', async () => {
  const get: Upstream['get'] = async (url, options) => {
    if (url.includes('metars.cache')) throw new Fault('Refused', `${url}: got status 308 without a target`)
    const reply = await upstream.get(url, options)
    return url.includes('reportingarea') ? { ...reply, ageSeconds: 4000 } : reply
  }
  expect(problems(await check(['rtma'], { get }, 'a@b.c')).sort()).toEqual([
    expect.stringMatching(/^failed feed METARs: .*308 without a target/),
    expect.stringMatching(/^warning feed air quality forecasts: .*Age 4000 s: a cache gives an old copy/),
  ])
})

import { afterAll, beforeAll, expect, test } from 'vitest'
import { startSimulator } from '../../infra/simulator/main.ts'
import { Fault } from '../../ingest/domain/fault.ts'
import { openUpstream, type Upstream } from '../../ingest/ports/upstream.ts'
import type { Finding } from '../../ingest/steps/live-check/finding.ts'
import { leadClasses } from '../../ingest/steps/live-check/grid-check.ts'
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
const MAP = 'https://mapservices.weather.noaa.gov/eventdriven/rest/services/WWA/watch_warn_adv/MapServer'
async function check(datasets: readonly string[], changed: Partial<Upstream> = {}, contact?: string) {
  const findings: Finding[] = []
  const settings = { datasets, contact, secondSources: { alerts: [ATOM, MAP] }, contactExpected: contact === undefined }
  await liveCheck({ ...upstream, ...changed }, Date.now(), settings, (finding) => findings.push(finding))
  return findings
}
/** The simulator has no text products of outlooks. */
const problems = (findings: readonly Finding[]) =>
  findings
    .filter(({ state, subject }) => state !== 'passed' && !subject.startsWith('feed outlook text'))
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

test('an optional field that no index lists is reported as never filled, but a field of only some hours is not', async () => {
  const get: Upstream['get'] = async (url, options) => {
    const reply = await upstream.get(url, options)
    if (!url.endsWith('.idx')) return reply
    const text = new TextDecoder().decode(reply.bytes).replace(/:CAPE:/g, ':CAPES:')
    return { ...reply, bytes: new TextEncoder().encode(text) }
  }
  const never = async (changed: Partial<Upstream>) =>
    problems(await check(['nbm'], changed, 'a@b.c')).find((line) =>
      line.startsWith('warning nbm/hawaii optional fields'),
    )
  expect(await never({})).not.toMatch(/temperature_max_12h|temperature_min_12h|precip_amount_6h|\bcape\b/)
  expect(await never({ get })).toMatch(/: no index that was read lists .*\bcape\b/)
})

test('reads an index for each spacing of lead hours and for each end of windows', () => {
  const files = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 13, 16, 19, 22].map((leadHours) => ({ leadHours }))
  // The run is at 14Z, so 00Z is 10 hours later and 12Z 22 hours later.
  const hours = leadClasses(Date.UTC(2026, 10, 28, 14), files).map(({ leadHours }) => leadHours)
  expect(hours.toSorted((a, b) => a - b)).toEqual([1, 4, 9, 10, 16, 19, 22])
})

test('a run that comes later than declared is named with its delay', async () => {
  const late: Upstream['list'] = async (bucket, prefix, options) =>
    (await upstream.list(bucket, prefix, options)).map((object) => ({
      ...object,
      lastModified: (object.lastModified ?? 0) + 3 * 3_600_000,
    }))
  const lines = problems(await check(['rtma'], { list: late }, 'a@b.c'))
  expect(lines.length).toBe(3)
  for (const line of lines)
    expect(line).toMatch(/^warning rtma\/\w+ delay: .* \d+ min after the run; declared: \d+ min$/)
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
  simulator.misbehaviours.push({ path: 'metars.cache', how: 'nowhere' }, { path: 'cycles/', how: 'forbidden' })
  const get: Upstream['get'] = async (url, options) => {
    const reply = await upstream.get(url, options)
    return url.includes('reportingarea') ? { ...reply, ageSeconds: 4000 } : reply
  }
  const lines = problems(await check(['rtma'], { get }, 'a@b.c')).sort()
  simulator.misbehaviours.length = 0
  expect(lines).toEqual([
    expect.stringMatching(
      /^failed feed METARs, second source: .*is 403.*; tgftp.nws.noaa.gov has refused some clients/,
    ),
    expect.stringMatching(/^failed feed METARs: .*is 308.*; aviationweather.gov asks for a User-Agent of its own/),
    expect.stringMatching(/^warning feed air quality forecasts: .*Age 4000 s: a cache returns an old copy/),
  ])
})

test('a document that is empty, has no rows or is an HTML page is reported', async () => {
  const bodies: Readonly<Record<string, string>> = {
    'alerts/active': '{"type":"FeatureCollection","features":[]}',
    'MapServer/0/': '{"type":"FeatureCollection","features":[]}',
    'MapServer/1/': '{"error":{"code":500}}',
    HourlyAQObs: '<!doctype html><html></html>',
    'stations.cache': '{"not": "a gzip"}',
  }
  const get: Upstream['get'] = async (url, options) => {
    const body = Object.entries(bodies).find(([part]) => url.includes(part) && !url.endsWith('.atom'))?.[1]
    const reply = await upstream.get(url, options)
    return body === undefined ? reply : { ...reply, bytes: new TextEncoder().encode(body) }
  }
  expect(problems(await check(['rtma'], { get }, 'a@b.c')).sort()).toEqual([
    expect.stringMatching(/^failed feed METAR stations: /),
    expect.stringMatching(/^failed feed airnow hourly: .*expected the document, but an HTML page was returned$/),
    expect.stringMatching(/^failed feed alerts, map of all: map of alerts: the service answered with the error/),
    expect.stringMatching(/^failed feed alerts: .*: 0 rows in 42 bytes, .* a document without rows$/),
  ])
})

test('a message that differs from its declaration is reported', async () => {
  const get: Upstream['get'] = async (url, options) => {
    const reply = await upstream.get(url, options)
    if (!url.includes('hirtma') || url.endsWith('.idx')) return reply
    const bytes = Uint8Array.from(reply.bytes)
    // Section 3 begins after sections 0 and 1; its octet 15 is the shape of the earth.
    bytes[16 + 21 + 14] = 5
    return { ...reply, bytes }
  }
  expect(problems(await check(['rtma'], { get }, 'a@b.c'))).toEqual([
    expect.stringMatching(/^failed rtma\/hawaii message: /),
  ])
})

test('the newest frame is read through the checks of its product', async () => {
  const other = await upstream.list('https://noaa-mrms-pds.s3.amazonaws.com', 'CONUS/RadarQualityIndex_00.00/')
  const last = `https://noaa-mrms-pds.s3.amazonaws.com/${other.at(-1)!.key}`
  const get: Upstream['get'] = async (url, options) =>
    upstream.get(url.includes('/CONUS/PrecipFlag') ? last : url, options)
  expect(problems(await check(['mrms-precip-flag', 'storm-tracks', 'glm'], { get }, 'a@b.c'))).toEqual([
    expect.stringMatching(
      /^failed mrms-precip-flag\/conus frame: MRMS_PrecipFlag.*must be PrecipFlag, but is RadarQualityIndex/,
    ),
  ])
})

test('names a scan of a radar that cannot be read', async () => {
  const get: Upstream['get'] = async (url, options) => {
    const reply = await upstream.get(url, options)
    return /_NMD_/.test(url) ? { ...reply, bytes: reply.bytes.subarray(0, 60) } : reply
  }
  const lines = problems(await check(['storm-cells'], { get }, 'a@b.c'))
  expect(lines.length).toBeGreaterThan(0)
  for (const line of lines) expect(line).toMatch(/^failed storm-cells\/(alaska|hawaii) products: \w+: .*NMD/)
})

test('a mirror that lacks a key, has another size or ignores If-Match is reported', async () => {
  const bucket = 'https://noaa-nbm-grib2-pds.s3.amazonaws.com'
  const address = 'https://storage.googleapis.com/national-blend-of-models'
  const mirrored = openUpstream({ mirror: simulator.url, bucketMirrors: { [bucket]: [address] } })
  const own = (url: string) => url.replace(address, bucket)
  const at = (
    change: (objects: Awaited<ReturnType<Upstream['list']>>) => Awaited<ReturnType<Upstream['list']>>,
    isChecked = true,
  ): Partial<Upstream> => ({
    buckets: mirrored.buckets,
    list: async (place, ...rest) => {
      const objects = await upstream.list(own(place), ...rest)
      return place === address ? change(objects) : objects
    },
    get: (url, options) =>
      upstream.get(own(url), isChecked || !url.startsWith(address) ? options : { ...options, ifMatch: undefined }),
  })
  const mirror = async (changed: Partial<Upstream>) =>
    (await check(['nbm'], changed, 'a@b.c'))
      .filter(({ subject }) => subject === 'nbm/hawaii mirror national-blend-of-models')
      .map(({ state, detail }) => `${state}: ${detail}`)
  expect(await mirror(at((objects) => objects))).toEqual([expect.stringMatching(/^passed: .*If-Match is honored$/)])
  expect(await mirror(at((objects) => objects, false))).toEqual([
    expect.stringMatching(/^warning: .*If-Match is ignored$/),
  ])
  expect(await mirror(at(() => []))).toEqual([expect.stringMatching(/^failed: its listing of .* has 0 keys, but not /)])
  const shorter = at((objects) => objects.map((object) => ({ ...object, size: (object.size ?? 0) - 1 })))
  expect(await mirror(shorter)).toEqual([expect.stringMatching(/^failed: .* bytes, but \d+ in the bucket$/)])
  await mirrored.close()
})

test('a host that does not answer fails its own checks within seconds', { timeout: 120_000 }, async () => {
  const timeouts: (number | undefined)[] = []
  const list: Upstream['list'] = async (bucket, prefix, options) => {
    if (!bucket.includes('mrms')) return upstream.list(bucket, prefix, options)
    timeouts.push(options?.attempts, options?.idleMs)
    throw new Fault('Refused', 'noaa-mrms-pds: no answer')
  }
  const lines = problems(await check(['storm-tracks', 'mrms-precip-rate'], { list }, 'a@b.c'))
  expect(lines.length).toBeGreaterThan(1)
  expect(new Set(timeouts)).toEqual(new Set([2, 10_000]))
})

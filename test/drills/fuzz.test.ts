import { existsSync, readFileSync } from 'node:fs'
import { Worker } from 'node:worker_threads'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { z } from 'zod'
import { tools } from '../../api/mcp/tools/index.ts'
import { gridDatasets } from '../../ingest/catalog.ts'
import { nth } from '../../ingest/domain/nth.ts'
import { accessToken } from '../api/sign-in/form.ts'
import { ask, attacks, elsewhere } from './attacks.ts'
import type { Figures } from './figures.ts'
import { type Operation, ordinaryCall } from './fuzz-calls.ts'
import type { FuzzJob, FuzzReport } from './fuzz-client.ts'
import { Known } from './fuzz-known.ts'
import { type Installation, startInstallation } from './installation.ts'
import { until } from './process.ts'

/**
 * Runs `hexcast start` over the simulator, as people run it. The drill takes 60 s with cells of 250 km² and without datasets that take
 * the worker minutes. `FUZZ_WHOLE=1` includes everything with cells of 5 km². By hand, `FUZZ_SECONDS=600` or `FUZZ_REQUESTS=1000000`
 * sets the length, `FUZZ_SEED` repeats a run, and `FUZZ_FLAGS` are passed to Node.
 */
const REQUESTS = Number(process.env['FUZZ_REQUESTS'] ?? Number.POSITIVE_INFINITY)
const SECONDS = Number(process.env['FUZZ_SECONDS'] ?? (Number.isFinite(REQUESTS) ? 6 * 3600 : 60))
const SEED = Number(process.env['FUZZ_SEED'] ?? 14)
const PARTS = 10
/** Longest block of the main thread, ms of processor time. The first tenth of a run (20 s of a short run) is not judged: the process compiles and reads its tables. */
const LONGEST_BLOCK = 50
/** Longest duration of a single block in a run, ms: a full garbage collection on a slow machine exceeds the limit above. */
const LONGEST_SINGLE_BLOCK = 100
const YOUNG = 20
/** Time during which the caches of answers, frames and radar cells fill, s; two tenths of a longer run. */
const SETTLED = 45
/** Allowed growth in bytes of objects and buffers without bounded caches, and of resident memory. */
const HEAP_GROWTH = 40e6
const GROWTH = 100e6
/** Sum of all bounded caches of the API: 64 + 16 + 24 + 24 MB. */
const CACHES = 128e6
const MAX_RESIDENT = 2e9
const settings = {
  H3_RESOLUTION: '5',
  DATASETS:
    'rtma-ru,rtma,urma,nbm,mrms-reflectivity,mrms-reflectivity-surface,mrms-precip-rate,mrms-precip-flag,storm-tracks,storm-cells,nexrad-l3,glm,metar,airnow,nws-texts',
}
const datasets = (process.env['FUZZ_WHOLE'] ? '' : settings.DATASETS).split(',')
const collections = gridDatasets
  .filter(({ id }) => datasets.includes(id))
  .reduce((sum, { domains }) => sum + domains.length, 0)

const document = JSON.parse(readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8')) as {
  paths: Record<string, Record<string, { parameters?: { name: string; in: string; required?: boolean }[] }>>
}
const operations: Operation[] = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, { parameters = [] }]) => {
    const query = parameters.filter((parameter) => parameter.in === 'query')
    return {
      method,
      path,
      query: query.map(({ name }) => name),
      required: query.filter(({ required }) => required).map(({ name }) => name),
    }
  }),
)

let server: Installation
beforeAll(async () => {
  server = await startInstallation({
    keys: 60,
    settings: process.env['FUZZ_WHOLE'] ? {} : settings,
    flags: process.env['FUZZ_FLAGS'] ?? '',
  })
}, 180_000)
afterAll(() => server?.close())

test('known attacks are refused one by one while runs are ingested', { timeout: 420_000 }, async () => {
  const { base, database, keys } = server
  await until('alerts and radar', 240, async () => {
    const statuses = ['/v1/alerts', '/v1/radar/mrms-reflectivity.png'].map((path) =>
      ask({ base, key: nth(keys, 0) }, path),
    )
    return (await Promise.all(statuses)).every(({ status }) => status === 200)
  })
  // Tables are read at first use, before the attacks are judged.
  for (const path of ['/v1/weather?lat=39.7&lon=-105', '/openapi.json']) await ask({ base, key: nth(keys, 0) }, path)
  await server.figures()
  const attempt = async ({ what, expected, run }: (typeof attacks)[number], i: number) => {
    const [came, passed] = await run({ base, database, key: nth(keys, i) })
    return { what, expected, came, passed }
  }
  const results = await Promise.all(attacks.filter(({ alone }) => !alone).map(attempt))
  for (const attack of attacks.filter(({ alone }) => alone)) results.push(await attempt(attack, keys.length - 1))
  const { described } = await server.figures()
  for (const { what, expected, came, passed } of results)
    console.log(`${passed ? 'passed  ' : 'BROKEN'} ${what} → ${came} (expected: ${expected})`)
  for (const [what, where] of Object.entries(elsewhere)) {
    console.log(`       ${what}: ${where}`)
    expect(existsSync(new URL(`../../${where}`, import.meta.url)), where).toBe(true)
  }
  console.log(`longest blocks during all of them, processor time: ${described.slice(0, 4).join('; ')}`)
  expect(results.filter(({ passed }) => !passed)).toEqual([])
})

/** Reads the bytes of caches from `/metrics`. A full cache has its bound, and a test of minutes does not fill all caches. */
async function cacheBytes(base: string): Promise<number> {
  const text = await (await fetch(`${base}/metrics`)).text()
  return Array.from(text.matchAll(/^hexcast_cache_bytes\{.*\} (\d+)$/gm), ([, bytes]) => Number(bytes)).reduce(
    (sum, bytes) => sum + bytes,
  )
}

/** Returns the tools that do not answer an ordinary call yet. */
async function refused({ base, keys }: Installation): Promise<string[]> {
  const names: string[] = []
  for (const { name } of tools) {
    const { path, headers, body } = ordinaryCall(nth(keys, 0), name)
    const answer = await (await fetch(base + path, { method: 'POST', headers, body: body! })).text()
    if (answer.includes('"isError":true')) names.push(`${name}: ${answer.slice(0, 300)}`)
  }
  return names
}

interface FuzzRun {
  readonly report: FuzzReport
  /** Of each part of the run. */
  readonly figures: readonly Figures[]
  readonly caches: readonly number[]
}

/** Sends the calls of a job and measures the server after each part. */
async function fuzz(job: FuzzJob): Promise<FuzzRun> {
  const figures: Figures[] = []
  const caches: number[] = []
  let looking = Promise.resolve()
  const report = await new Promise<FuzzReport>((resolve, reject) => {
    const worker = new Worker(new URL('./fuzz-client.ts', import.meta.url), { workerData: job })
    worker.on('message', (message: FuzzReport | 'part') => {
      if (message !== 'part') return resolve(message)
      looking = looking.then(async () => {
        // The caches are measured before the collection, which also frees what they evict in the meantime.
        caches.push(await cacheBytes(server.base))
        figures.push(await server.figures())
      })
    })
    worker.once('error', reject)
  })
  await looking
  return { report, figures, caches }
}

const judgedOf = ({ seconds }: FuzzReport, figures: readonly Figures[]) =>
  figures.slice(Math.max(1, Math.ceil((PARTS * YOUNG) / seconds)))

/** Durations of the longest blocks, longest first, ms. */
const longestBlocks = (report: FuzzReport, figures: readonly Figures[]) =>
  judgedOf(report, figures)
    .flatMap((part) => part.longest)
    .sort((a, b) => b - a)

const isBlocked = ([first = 0, second = 0]: readonly number[]) =>
  first >= LONGEST_SINGLE_BLOCK || second >= LONGEST_BLOCK

test('random calls of all routes and tools give no 5xx, problems for failures, no long block and flat memory', {
  timeout: (2 * SECONDS + 480) * 1000,
}, async () => {
  const began = performance.now()
  const knownPaths = new Known(server.base, nth(server.keys, 0))
  const templates = operations.map(({ path }) => path)
  let missing: string[] = []
  await until('runs, scans and feeds of the simulator', 400, async () => {
    await knownPaths.look()
    missing = knownPaths.missing(templates)
    // Until then the worker ingests whole runs, which are rare later.
    if (knownPaths.collections < collections)
      missing.push(`${knownPaths.collections} of ${collections} collections of runs`)
    if (missing.length === 0) missing = await refused(server)
    return missing.length === 0
  }).catch(() => expect(missing).toEqual([]))
  const job: FuzzJob = {
    base: server.base,
    keys: server.keys,
    accessToken: await accessToken(server.base, server.database, 'fuzz@example.org'),
    seed: SEED,
    requests: REQUESTS,
    seconds: SECONDS,
    parts: PARTS,
    operations,
    tools: tools.map(({ name, input }) => ({ name, members: Object.keys((input as z.ZodObject).shape ?? {}) })),
  }
  let { report, figures, caches } = await fuzz(job)
  // A block that the code causes comes again with the same seed, unlike one that a moment of the machine causes.
  if (isBlocked(longestBlocks(report, figures))) {
    expect(report.broken).toEqual([])
    console.log(
      `the same seed again, after blocks of ${longestBlocks(report, figures).slice(0, 5).map(Math.round).join(', ')} ms`,
    )
    ;({ report, figures, caches } = await fuzz(job))
  }
  const judged = judgedOf(report, figures)
  const longest = longestBlocks(report, figures)
  const megabytes = (member: 'resident' | 'heap' | 'external') =>
    figures.map((part) => Math.round(part[member] / 1e6)).join(', ')
  const started = Math.round((performance.now() - began) / 1000 - report.seconds)
  console.log(
    `fuzz: seed ${SEED}, ${report.sent} requests in ${Math.round(report.seconds)} s after ${started} s of waiting for data, ${JSON.stringify(report.statuses)}\n` +
      `blocks: longest ${longest.slice(0, 5).map(Math.round).join(', ')} ms, p99.9 of each tenth ${figures.map(({ p999 }) => Math.round(p999)).join(', ')} ms; ` +
      `resident ${megabytes('resident')} MB, heap ${megabytes('heap')}, external ${megabytes('external')}, of which caches ${caches.map((bytes) => Math.round(bytes / 1e6)).join(', ')}\n` +
      `longest of each tenth: ${judged.map(({ described }) => described[0]).join('; ')}\n${report.slowest.join('\n')}`,
  )
  const expectedOperations = [
    ...operations.map(({ method, path }) => `${method} ${path}`),
    ...tools.map(({ name }) => name),
  ]
  const counts = expectedOperations.map((what) => [report.answered[what] ?? 0, what] as const).sort(([a], [b]) => a - b)
  console.log(
    `answered 2xx: ${counts.filter(([count]) => count > 0).length} of ${counts.length} routes and tools; fewest ${counts
      .slice(0, 8)
      .map(([count, what]) => `${what} ${count}`)
      .join(', ')}`,
  )
  expect(report.broken).toEqual([])
  expect(counts.filter(([count]) => count === 0)).toEqual([])
  expect(figures.length).toBe(PARTS)
  expect(report.sent).toBeGreaterThan(Math.min(REQUESTS - 1, SECONDS * 10))
  expect(longest[0]).toBeLessThan(LONGEST_SINGLE_BLOCK)
  expect(longest[1] ?? 0).toBeLessThan(LONGEST_BLOCK)
  const tenth = Math.min(PARTS - 2, Math.max(1, Math.ceil((PARTS * SETTLED) / report.seconds) - 1))
  const settled = nth(figures, tenth)
  const last = figures.at(-1)!
  const filled = Math.max(0, caches.at(-1)! - nth(caches, tenth))
  expect(caches.at(-1)).toBeLessThan(CACHES)
  expect(last.heap + last.external - settled.heap - settled.external - filled).toBeLessThan(HEAP_GROWTH)
  expect(last.resident).toBeLessThan(MAX_RESIDENT)
  expect(last.resident - settled.resident).toBeLessThan(GROWTH)
})

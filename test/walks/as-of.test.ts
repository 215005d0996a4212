import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Answers, openAnswers } from '../../api/answer/open.ts'
import { valuesAt } from '../../api/answer/values.ts'
import { namedRun } from '../../api/live/named-run.ts'
import { units } from '../../api/present/units.ts'
import { airnowSource } from '../../infra/simulator/feeds/airnow.ts'
import { alertFeed } from '../../infra/simulator/feeds/alerts.ts'
import { metarSources } from '../../infra/simulator/feeds/metar.ts'
import { outlookSource } from '../../infra/simulator/feeds/outlooks.ts'
import { textFeed } from '../../infra/simulator/feeds/texts.ts'
import { lightningSources } from '../../infra/simulator/lightning.ts'
import { type Mirror, startMirror } from '../../infra/simulator/mirror.ts'
import { modelSources } from '../../infra/simulator/models.ts'
import { radarSource } from '../../infra/simulator/radar.ts'
import { radarSiteSource } from '../../infra/simulator/radar-sites.ts'
import { loadConfig } from '../../ingest/config.ts'
import { cellOf } from '../../ingest/domain/cell.ts'
import { topics } from '../../ingest/domain/event.ts'
import { isFault } from '../../ingest/domain/fault.ts'
import { nth } from '../../ingest/domain/nth.ts'
import { HOUR, isoSeconds, MINUTE, runName } from '../../ingest/domain/time.ts'
import { openDatabase } from '../../ingest/ports/database/open.ts'
import type { Database } from '../../ingest/ports/database.ts'
import { openEvents } from '../../ingest/ports/events/open.ts'
import type { Events } from '../../ingest/ports/events.ts'
import { openObjects } from '../../ingest/ports/objects/open.ts'
import type { Objects } from '../../ingest/ports/objects.ts'
import { openUpstream, type Upstream } from '../../ingest/ports/upstream.ts'
import { openRun } from '../../ingest/tile/read.ts'
import { setOrigin } from '../../sql/queries/origin.ts'
import { storedRuns } from '../../sql/queries/runs.ts'
import { removeOldVersions } from '../../sql/queries/versions.ts'
import { asker, type Question, questionOf } from './as-of/requests.ts'
import type { Moment } from './as-of/worker.ts'

// On a simulated day runs, scans, alerts, outlooks and reports change and workers are killed. Another process then requests every answer
// of that day again as of its instant. AS_OF_MOMENTS=100 AS_OF_ANSWERS=100 npx vitest run test/walks/as-of.test.ts requests 10,000.
const MOMENTS = Number(process.env['AS_OF_MOMENTS'] ?? 3)
const ANSWERS = Number(process.env['AS_OF_ANSWERS'] ?? 20)
/** Number of the first request; the number determines the place. */
const FIRST = Number(process.env['AS_OF_FIRST'] ?? 0)
const RESOLUTION = 4
const STEP = (24 * HOUR) / MOMENTS

/** The clock of the walk runs, and is set forward by hours. */
let offset = -25 * HOUR
const clock = () => Date.now() + offset
const requests: { question: Question; at: number; body: string }[] = []
let folder: string
let database: Database
let objects: Objects
let events: Events
let upstream: Upstream
let mirror: Mirror
let answers: Answers

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'hexcast-as-of-'))
  const config = loadConfig({ DATA_DIR: folder, H3_RESOLUTION: String(RESOLUTION) })
  const models = modelSources(32).filter(({ host }) => /rtma|hrrr/.test(host))
  const feeds = [alertFeed(), outlookSource, nth(metarSources, 0), airnowSource, textFeed()]
  mirror = await startMirror({
    sources: [...models, radarSource(20), radarSiteSource, ...lightningSources, ...feeds],
    now: clock,
  })
  database = await openDatabase(config)
  objects = await openObjects(config)
  events = await openEvents(config, database)
  await setOrigin(database, true)
  upstream = openUpstream({ mirror: mirror.url, sleep: async () => {} })
  answers = await openAnswers({
    database,
    objects,
    events,
    clock,
    resolution: RESOLUTION,
    feedPollSeconds: {},
    report: () => () => undefined,
    recordsStates: () => true,
  })
}, 60_000)

afterAll(async () => {
  worker.close()
  await answers?.close()
  await upstream?.close()
  await mirror?.close()
  await events?.close()
  await objects?.close()
  await database?.close()
  rmSync(folder, { recursive: true, force: true })
})

/** A worker in its own process. It is killed while it works in every third moment, and started again. */
class Worker {
  #child: ChildProcess | undefined
  #lines: AsyncIterator<string> | undefined
  kills = 0

  async #start(): Promise<void> {
    const script = new URL('./as-of/worker.ts', import.meta.url).pathname
    const child = spawn(process.execPath, [script, folder, String(RESOLUTION), mirror.url], {
      stdio: ['pipe', 'pipe', 'inherit'],
    })
    this.#child = child
    this.#lines = createInterface(child.stdout)[Symbol.asyncIterator]()
    await this.#lines.next()
  }

  async work(number: number): Promise<void> {
    for (let tries = 0; ; tries++) {
      if (!this.#child) await this.#start()
      this.#child!.stdin!.write(`${JSON.stringify({ number, offset } satisfies Moment)}\n`)
      const after = number % 3 === 1 && tries < 2 ? 150 + ((number * 397 + tries * 811) % 1500) : undefined
      const timer = after === undefined ? undefined : setTimeout(() => this.#child?.kill('SIGKILL'), after)
      const { value } = await this.#lines!.next()
      clearTimeout(timer)
      if (value === 'done') return
      if (after === undefined) throw new Error(`the worker ended in moment ${number}`)
      this.kills++
      this.#child = undefined
    }
  }

  close(): void {
    this.#child?.kill('SIGKILL')
  }
}

const worker = new Worker()

/** Every source reads what upstream has by now. */
async function readAll(): Promise<void> {
  const { alerts, outlooks, observations, airQuality, texts } = answers.live
  for (const source of [alerts, outlooks, observations, airQuality, texts]) await source.read()
  const before = clock()
  await events.publish(topics.runs.name, 'rtma', { dataset: 'rtma', run: runName(before), at: isoSeconds(before) })
  while (answers.current.confirmedAt() < before) await pause(10)
}

async function askSome(moment: number, from: number, to: number): Promise<void> {
  for (let i = from; i < to; i++) {
    const question = questionOf(FIRST + moment * ANSWERS + i, clock())
    try {
      requests.push({ question, ...(await asker(answers, database, objects).ask(question, clock())) })
    } catch (error) {
      if (!isFault(error, 'Missing')) throw error
    }
    if (i % 5 === 4) offset += 2 * MINUTE
  }
}

test(`${MOMENTS * ANSWERS} answers of a day are byte for byte the same when another process requests them as of their instants`, {
  timeout: MOMENTS * ANSWERS * 3000,
}, async () => {
  for (let moment = 0; moment < MOMENTS; moment++) {
    // Workers and readers run at the same time.
    await Promise.all([worker.work(moment), askSome(moment, 0, ANSWERS / 2)])
    await readAll()
    await askSome(moment, ANSWERS / 2, ANSWERS)
    await readAll()
    offset += STEP - ANSWERS * 0.4 * MINUTE
  }
  await expectNamedRuns()
  await answers.close()
  await removeOldVersions(database, new Date(clock() - 48 * HOUR))
  const file = join(folder, 'asked.json')
  writeFileSync(file, JSON.stringify(requests.map(({ question, at }) => ({ question, at }))))
  const script = new URL('./as-of/later.ts', import.meta.url).pathname
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [
    script,
    folder,
    String(RESOLUTION),
    String(clock()),
    file,
  ])
  console.log(stdout, stderr)
  const again = JSON.parse(readFileSync(`${file}.again`, 'utf8')) as string[]
  const different = requests.flatMap((request, i) =>
    request.body === again[i]
      ? []
      : [
          `${request.question.path} ${JSON.stringify(request.question.query)} as of ${new Date(request.at).toISOString()}\n${differenceOf(request.body, nth(again, i))}`,
        ],
  )
  const [{ states }] = (await database.query('select count(*)::int as states from served_state')) as [
    { states: number },
  ]
  console.log(
    `${requests.length} answers, ${new Set(requests.map(({ body }) => body.slice(300))).size} different ones, ${states} states, ${worker.kills} kills, ${different.length} others; ${await stored()}`,
  )
  expect(different.slice(0, 5)).toEqual([])
  expect(requests.length).toBeGreaterThan(MOMENTS * ANSWERS * 0.5)
  expect(states).toBeGreaterThan(MOMENTS * 3)
  // The walk saw runs, scans, reports, alerts and outlooks, and its answers came from several runs of each.
  for (const dataset of ['rtma', 'hrrr', 'mrms-precip-rate'])
    expect(new Set(requests.flatMap(({ body }) => referenceOf(body, dataset))).size, dataset).toBeGreaterThan(1)
  expect(worker.kills).toBeGreaterThan(0)
  for (const section of ['"nowcast":{', '"metar":{', '"hourly":[{', '"alerts":[', '"outlooks":['])
    expect(
      requests.some(({ body }) => body.includes(section)),
      section,
    ).toBe(true)
})

/** Counts the stored objects by the first part of their keys. */
async function stored(): Promise<string> {
  const bytes = new Map<string, number>()
  for await (const { key, size } of objects.list('')) {
    const [kind] = key.split('/')
    bytes.set(kind!, (bytes.get(kind!) ?? 0) + size)
  }
  return [...bytes].map(([kind, size]) => `${kind} ${(size / 1e6).toFixed(1)} MB`).join(', ')
}

/**
 * Each stored run of the analysis provides its own values, and a time without a run is refused with a list of the
 * stored runs.
 */
async function expectNamedRuns(): Promise<void> {
  const [lat, lon] = [39.74, -104.99]
  const stored = (await storedRuns(database, 'rtma')).filter(({ state }) => state === 'published')
  expect(stored.length).toBeGreaterThan(1)
  const deps = { database, objects, current: answers.current }
  for (const { run: at, manifest_key } of stored) {
    const run = at.getTime()
    const current = await namedRun(deps, 'rtma', run)
    const ask = { datasetId: 'rtma', variables: ['temperature'], units: units.metric, now: run }
    const series = await valuesAt({ ...answers.values, current }, lat, lon, ask, 1)
    const tile = await (await openRun(objects, manifest_key!)).point(cellOf(lat, lon, RESOLUTION))
    const kelvin = nth(tile!.variables.get('temperature')!.values, 0)
    expect([series.run, series.times]).toEqual([run, [run]])
    expect(series.data['temperature']?.[0]).toBeCloseTo(kelvin - 273.15, 0)
  }
  await expect(namedRun(deps, 'rtma', 0)).rejects.toThrow(isoSeconds(nth(stored, 0).run.getTime()))
}

/** Returns the reference time of a dataset in meta.freshness. */
function referenceOf(body: string, dataset: string): string[] {
  const { meta } = JSON.parse(body) as { meta?: { freshness?: { product_id: string; reference_time: string }[] } }
  return (meta?.freshness ?? []).flatMap((request) => (request.product_id === dataset ? request.reference_time : []))
}

function differenceOf(a: string, b: string): string {
  let i = 0
  while (a[i] === b[i]) i++
  return `${a.slice(Math.max(0, i - 120), i + 120)}\n≠\n${b.slice(Math.max(0, i - 120), i + 120)}`
}

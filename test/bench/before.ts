/**
 * `node test/bench/before.ts COMMIT|FOLDER [ROUNDS]` compares the cost of answers of /v1/weather with an earlier commit of this project
 * or a checkout. It requests cold and cached answers over HTTP with keys, from the same simulated values in memory, in turn. Ratios are
 * medians of pairs, with quartiles. Processor time is of the whole server, and the rate is its reciprocal; `main` is of the main thread
 * alone, without the threads that collect garbage. A round has only four answers beyond p99, so the p99 ratio is of all rounds together,
 * with the quartiles of 400 draws of the rounds. A busy machine widens the quartiles, most of all those of wall times.
 */

import { execFileSync, fork } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { Agent, get } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { gridDatasets } from '../../ingest/catalog.ts'
import { PAST_HOURS } from '../../ingest/domain/dataset/past-hours.ts'
import { nth } from '../../ingest/domain/nth.ts'

const ANSWERS = { cold: 400, cached: 2000 } as const
/** Number of answers before the first round, so that each server has compiled its code. */
const WARM_UP = 2500
/** Number of keys that share the requests: each may make 6,000 requests a minute. */
const KEYS = 40
/** Number of points of the cached answers. */
const CACHED_POINTS = 50
/** Number of draws of rounds for the quartiles of a pooled quantile. */
const DRAWS = 400
const here = fileURLToPath(new URL('../..', import.meta.url))
const [revision, rounds = '15'] = process.argv.slice(2)
const agent = new Agent({ keepAlive: true })
/** Number of cold answers so far; each is for a different point. */
let answerCount = 0

interface Server {
  readonly port: number
  readonly keys: readonly string[]
  /** Processor time so far, microseconds. */
  cpu(): Promise<Processor>
  stop(): void
}
/** Processor time for each answer, and wall times in ascending order, ms. */
interface Cost {
  readonly processor: number
  readonly main: number
  readonly times: readonly number[]
}
interface Processor {
  readonly all: number
  readonly main: number
}

if (process.send) await serve(revision!)
else if (revision) await compare(revision)
else throw new Error('the argument must be a commit, such as 2e4af7b, or a folder with a checkout of a commit')

async function compare(before: string): Promise<void> {
  const isFolder = existsSync(before)
  const tree = isFolder ? before : join(mkdtempSync(join(tmpdir(), 'hexcast-before-')), 'tree')
  if (!isFolder) {
    execFileSync('git', ['-C', here, 'worktree', 'add', '--detach', tree, before], { stdio: 'ignore' })
    installPackages(tree)
  }
  try {
    const servers = [await start(tree), await start(here)]
    for (const kind of ['cold', 'cached'] as const) {
      for (const server of servers) await measure(server, kind, WARM_UP)
      const pairs: (readonly [Cost, Cost])[] = []
      for (let round = 0; round < Number(rounds); round++) {
        const costs: Cost[] = []
        for (const i of round % 2 ? [1, 0] : [0, 1]) costs[i] = await measure(nth(servers, i), kind, ANSWERS[kind])
        pairs.push([nth(costs, 0), nth(costs, 1)])
      }
      for (const what of ['processor', 'main'] as const)
        report(
          `${kind} ${what}`,
          pairs.map(([a, b]) => [a[what], b[what]]),
        )
      report(
        `${kind} p50`,
        pairs.map(([a, b]) => [quantile(a.times, 0.5), quantile(b.times, 0.5)]),
      )
      reportPooled(`${kind} p99`, pairs, 0.99)
    }
    for (const server of servers) server.stop()
  } finally {
    if (!isFolder) {
      execFileSync('git', ['-C', here, 'worktree', 'remove', '--force', tree])
      rmSync(join(tree, '..'), { recursive: true, force: true })
    }
  }
}

/** Links the packages of this checkout into an earlier one. If a package is missing, the earlier checkout installs its own, in half a minute. */
function installPackages(tree: string): void {
  const { dependencies } = JSON.parse(readFileSync(join(tree, 'package.json'), 'utf8')) as { dependencies: object }
  if (Object.keys(dependencies).every((name) => existsSync(join(here, 'node_modules', name))))
    symlinkSync(join(here, 'node_modules'), join(tree, 'node_modules'))
  else
    execFileSync('npm', ['ci', '--omit=dev', '--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund'], {
      cwd: tree,
      stdio: ['ignore', 'ignore', 'inherit'],
    })
}

function ascending(values: readonly number[]): number[] {
  return values.toSorted((a, b) => a - b)
}

function quantile(sorted: readonly number[], share: number): number {
  return nth(sorted, Math.floor(sorted.length * share))
}

function report(what: string, pairs: readonly (readonly [before: number, after: number])[]): void {
  const ratios = ascending(pairs.map(([before, after]) => after / before))
  const [before, after] = ([0, 1] as const).map((i) => quantile(ascending(pairs.map((pair) => pair[i])), 0.5))
  print(what, before!, after!, quantile(ratios, 0.5), ratios)
}

/** Returns a quantile of the times of all rounds. */
function reportPooled(what: string, pairs: readonly (readonly [Cost, Cost])[], share: number): void {
  const ratiosOf = (some: readonly (readonly [Cost, Cost])[]) =>
    ([0, 1] as const).map((i) => quantile(ascending(some.flatMap((pair) => pair[i].times)), share))
  const [before, after] = ratiosOf(pairs)
  const ratios = Array.from({ length: DRAWS }, () => {
    const [first, other] = ratiosOf(pairs.map(() => nth(pairs, Math.floor(Math.random() * pairs.length))))
    return other! / first!
  })
  print(what, before!, after!, after! / before!, ascending(ratios))
}

function print(what: string, before: number, after: number, ratio: number, ratios: readonly number[]): void {
  const spread = [0.25, 0.75].map((share) => quantile(ratios, share).toFixed(3)).join(' to ')
  console.log(
    `${what.padEnd(16)} before ${before.toFixed(3)} ms, after ${after.toFixed(3)} ms: ${ratio.toFixed(3)} times (${spread})`,
  )
}

async function start(tree: string): Promise<Server> {
  const child = fork(fileURLToPath(import.meta.url), [tree], { env: { ...process.env, NODE_ENV: 'production' } })
  const next = <T>() =>
    new Promise<T>((resolve, reject) => {
      const ended = () => reject(new Error(`the server of ${tree} ended`))
      child.once('exit', ended).once('message', (message) => {
        child.off('exit', ended)
        resolve(message as T)
      })
    })
  const { port, keys } = await next<{ port: number; keys: readonly string[] }>()
  const cpu = () => {
    child.send('cpu')
    return next<Processor>()
  }
  return { port, keys, cpu, stop: () => child.kill() }
}

/** Requests answers one after the other, so that their times include no queueing. */
async function measure({ port, keys, cpu }: Server, kind: 'cold' | 'cached', answers: number): Promise<Cost> {
  const times: number[] = []
  const before = await cpu()
  for (let k = 0; k < answers; k++) {
    const i = kind === 'cold' ? answerCount++ : k % CACHED_POINTS
    const at = (origin: number, step: number) => (origin + 0.2 * ((i * step) % 1)).toFixed(4)
    const where = `lat=${at(39.6, 0.7548776662)}&lon=${at(-105, 0.5698402909)}`
    const from = performance.now()
    await fetched(port, `/v1/weather?${where}&include=current,hourly,daily,astro`, nth(keys, k % keys.length))
    times.push(performance.now() - from)
  }
  const after = await cpu()
  const perAnswer = (what: keyof Processor) => (after[what] - before[what]) / 1000 / answers
  return { processor: perAnswer('all'), main: perAnswer('main'), times: ascending(times) }
}

function fetched(port: number, path: string, key: string): Promise<void> {
  return new Promise((resolve, reject) => {
    get({ port, path, agent, host: '127.0.0.1', headers: { authorization: `Bearer ${key}` } }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`${path}: ${response.statusCode}`))
      response.on('error', reject).on('end', resolve).resume()
    }).on('error', reject)
  })
}

/** Starts the API of a checkout over the values of this checkout. For files that moved, the earlier path is second. */
async function serve(tree: string): Promise<void> {
  const load = (...paths: string[]) => {
    const existing = paths.find((path) => existsSync(join(tree, path)))
    if (!existing) throw new Error(`${tree}: none of ${paths.join(', ')}`)
    return import(pathToFileURL(join(tree, existing)).href)
  }
  const { loadedCurrent } = await import('../api/analytic-runs.ts')
  const { forgetStorms } = await import('../../infra/simulator/storms.ts')
  const { startApi } = await load('api/main.ts')
  const { issueKey } = await load('api/keys/issue.ts')
  const { loadConfig } = await load('ingest/config.ts')
  const { openDatabase } = await load('ingest/ports/database/open.ts', 'ingest/ports/database.ts')
  const { openEvents } = await load('ingest/ports/events/open.ts', 'ingest/ports/events.ts')
  const { openObjects } = await load('ingest/ports/objects/open.ts', 'ingest/ports/objects.ts')
  const folder = mkdtempSync(join(tmpdir(), 'hexcast-before-'))
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
  for (const end of ['SIGTERM', 'disconnect']) process.on(end, () => process.exit())
  const config = loadConfig({ DATA_DIR: folder, PORT: '0', LOG_LEVEL: 'silent' })
  const database = await openDatabase(config)
  const objects = await openObjects(config)
  const events = await openEvents(config, database)
  // The last three are earlier names of invalidation.
  const current = { ...loadedCurrent(Date.now()), touch() {}, bump() {}, sweep: 0 }
  // All values exist now. The simulator's memory is released, because no API process has it and the garbage collector would visit it.
  for (const dataset of [...gridDatasets.map(({ id }) => id), PAST_HOURS]) current.served(dataset, 'conus')
  forgetStorms()
  const api = await startApi(config, { database, objects, events, current })
  const keys: string[] = []
  for (let i = 0; i < KEYS; i++)
    keys.push((await issueKey(database, { name: 'bench', plan: 'professional', channel: 'bench' })).key)
  process.on('message', () => {
    const processorTime = ({ user, system }: NodeJS.CpuUsage) => user + system
    process.send!({ all: processorTime(process.cpuUsage()), main: processorTime(process.threadCpuUsage()) })
  })
  process.send!({ port: api.port, keys })
}

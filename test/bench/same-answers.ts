/**
 * Checks whether two checkouts give the same answers: `node test/bench/same-answers.ts CHECKOUT [--places=30]`
 *
 * Each serves simulated weather from its own process, with the clock stopped at the same moment. Both get requests for places by
 * sections, units and views, each twice, so that the second answer comes from the cache. Prints how many answers are equal in
 * status, headers and body, and where the first different answers differ. Exits with 1 if any answer differs.
 */

import { fork } from 'node:child_process'
import { join, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { issueKey as IssueKeyOf } from '../../api/keys/issue.ts'
import { nth } from '../../ingest/domain/nth.ts'
import type { loadedCurrent as LoadedCurrentOf } from '../api/analytic-runs.ts'
import type { skyServer as SkyServerOf } from '../api/sky-server.ts'

interface Served {
  readonly base: string
  readonly keys: readonly string[]
}

/** Number of keys: with a stopped clock a key has no more calls than its burst. */
const CALLS_OF_A_KEY = 400
const KEYS = 24
const frames = 'precip-rate precip-flag reflectivity lightning-prob lightning-density qpe-1h qpe-24h'.split(' ')
const sections = 'current hourly daily alerts outlooks astro narrations guidance discussions nowcast radar metar'
const includes = [
  ...sections.split(' '),
  'current,hourly,daily,astro,uncertainty',
  'current,hourly,daily,provenance,uncertainty',
  sections.replaceAll(' ', ','),
]
const options = ['', '&units=metric', '&view=detailed&days=10', '&view=concise&hourly_hours=12&past_hours=6']
const others = [
  ...['/healthz', '/v1/nowhere', '/nowhere', '/docs', '/v1/weather/', '/v1/weather?lat=1', '/v1/catalog', '/v1/alerts'],
  ...[
    '/v1/weather?lat=39.74&lon=-104.99&format=csv',
    '/v1/weather?zip=80202&format=ics',
    '/v1/stations?lat=40&lon=-100',
  ],
  ...['/edr/collections', '/stac', '/v1/storm-tracks?lat=40&lon=-100', '/v1/observations?lat=40&lon=-100', '/errors'],
]
if (process.argv[2] === '--serve') await serve(nth(process.argv, 3), Number(process.argv[4]))
else await compare()

async function serve(checkout: string, moment: number): Promise<void> {
  const load = (path: string) => import(pathToFileURL(join(checkout, path)).href)
  const { skyServer } = (await load('test/api/sky-server.ts')) as { skyServer: typeof SkyServerOf }
  const { loadedCurrent } = (await load('test/api/analytic-runs.ts')) as { loadedCurrent: typeof LoadedCurrentOf }
  const { issueKey } = (await load('api/keys/issue.ts')) as { issueKey: typeof IssueKeyOf }
  const models = loadedCurrent(moment)
  const listed = [...frames.map((name) => `mrms-${name}`), 'glm', 'storm-tracks', 'storm-cells']
  const { base, database } = await skyServer({ coarse: 8, frames: listed, models })
  const keys: string[] = []
  while (keys.length < KEYS) {
    const { key } = await issueKey(database, { name: 'test', plan: 'professional', channel: 'test' })
    keys.push(key)
  }
  // An unknown key makes the server read all new keys.
  await fetch(`${base}/v1/catalog`, { headers: { authorization: `Bearer ${keys[0]}` } })
  process.send?.({ base, keys } satisfies Served)
}

function start(checkout: string, moment: number) {
  // The clock is stopped in every thread and process, the embedded database included.
  const env = { ...process.env, NODE_OPTIONS: `--import=data:text/javascript,Date.now=()=>${moment}` }
  const child = fork(fileURLToPath(import.meta.url), ['--serve', checkout, String(moment)], { env })
  const served = new Promise<Served>((done, failed) => {
    child.once('message', (message) => done(message as Served))
    child.once('exit', () => failed(new Error(`the server of ${checkout} ended`)))
  })
  return { child, served }
}

async function compare(): Promise<void> {
  const checkout = process.argv.slice(2).find((word) => !word.startsWith('--'))
  if (!checkout) throw new Error('the folder of another checkout is missing. Pass it as the argument.')
  const places = Number(process.argv.find((word) => word.startsWith('--places='))?.split('=')[1] ?? 30)
  const moment = Date.now()
  const here = fileURLToPath(new URL('../..', import.meta.url))
  const started = [start(here, moment), start(resolve(checkout), moment)]
  const [first, other] = await Promise.all(started.map(({ served }) => served))
  const paths = [...others]
  for (let i = 0; i < places; i++) {
    const where = `lat=${(26 + ((i * 13.7) % 22)).toFixed(2)}&lon=${(-122 + ((i * 29.3) % 50)).toFixed(2)}`
    for (const include of includes)
      for (const option of options) paths.push(`/v1/weather?${where}&include=${include}${option}`)
  }
  const different: string[] = []
  // Requests run one after the other, because the headers have the remaining calls of a key.
  for (const [i, path] of paths.entries()) {
    for (const round of ['made', 'cached']) {
      const answers = await Promise.all([first!, other!].map((server) => answer(server, path, i)))
      if (answers[0] !== answers[1])
        different.push(`${round} ${path}\n${firstDifference(nth(answers, 0), nth(answers, 1))}`)
    }
  }
  console.log(`${2 * paths.length - different.length} equal, ${different.length} different`)
  for (const text of different.slice(0, 20)) console.log(text)
  for (const { child } of started) child.kill()
  process.exit(different.length > 0 ? 1 : 0)
}

/** Returns the status, the headers that do not name this exchange or process, and the body. */
async function answer({ base, keys }: Served, path: string, count: number): Promise<string> {
  const key = nth(keys, Math.floor((2 * count) / CALLS_OF_A_KEY) % keys.length)
  const response = await fetch(base + path, { headers: { authorization: `Bearer ${key}` } })
  const headers = [...response.headers].filter(([name]) => !/^(date|etag|x-request-id|content-length)$/.test(name))
  return JSON.stringify([response.status, headers, (await response.text()).replaceAll(base, '')])
}

function firstDifference(first: string, other: string): string {
  let at = 0
  while (first[at] === other[at]) at++
  const around = (text: string) => `  ${text.slice(Math.max(0, at - 60), at + 60)}`
  return `${around(first)}\n${around(other)}`
}

/**
 * Fifty API processes over one PostgreSQL, Kafka and S3: statements a second at rest and under load, connections, memory of a process,
 * requests a second, and the time from an alert to the first answer with it in each process.
 *
 *     node test/bench/fleet.ts [--processes=50]
 *
 * It starts the engines with infra/native/up, unless DATABASE_URL names those to use.
 */
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { cpus, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { issueKey } from '../../api/keys/issue.ts'
import { loadConfig } from '../../ingest/config.ts'
import { nth } from '../../ingest/domain/nth.ts'
import { HOUR, runName } from '../../ingest/domain/time.ts'
import { openDatabase } from '../../ingest/ports/database/open.ts'
import { openEvents } from '../../ingest/ports/events/open.ts'
import { openUpstream } from '../../ingest/ports/upstream.ts'
import { sweepAlerts } from '../../ingest/steps/feeds/alerts.ts'
import { relayOutbox } from '../../ingest/steps/relay-outbox.ts'
import { alertFeature } from '../clients/alert-feature.ts'
import { Process } from '../drills/process.ts'
import { down, freePorts, up } from '../engines/native.ts'
import { freshPlace } from '../engines/place.ts'
import { startMirror } from '../walks/mirror.ts'
import { statementProxy } from './statement-proxy.ts'

const processes = Number(/--processes=(\d+)/.exec(process.argv.join(' '))?.[1] ?? 50)
/** Processes that start at once. */
const STARTING = 4
const MEASURED_SECONDS = 20
/** Answers of each process before the measurement. */
const WARMING = 100
const ALERTS = 5
const CORNERS = [
  [-105.2, 39.5],
  [-104.8, 39.5],
  [-104.8, 39.9],
  [-105.2, 39.9],
  [-105.2, 39.5],
]
const AROUND_DENVER = { type: 'Polygon', coordinates: [CORNERS] }
const print = (what: string, value: unknown) => console.log(`${what.padEnd(52)} ${value}`)

await using members = new AsyncDisposableStack()
const folder = await mkdtemp(join(tmpdir(), 'hexcast-fleet-'))
members.defer(() => rm(folder, { recursive: true, force: true }))
if (!process.env['DATABASE_URL']) {
  Object.assign(process.env, await up(folder, ['postgres', 'kafka', 's3'], await freePorts()))
  members.defer(() => down(folder))
}
const place = await freshPlace()
members.defer(() => place.drop())
const simulator = new Process(['infra/simulator/main.ts', '--port=0', '--coarse=32'], process.env)
members.defer(() => simulator.end('SIGKILL'))
const address = new URL(place.config.databaseUrl)
const proxy = await statementProxy(Number(address.port))
members.defer(() => proxy.close())
address.port = String(proxy.port)
const env = {
  ...place.env,
  DATABASE_URL: address.href,
  ...{ DATASETS: 'rtma,alerts', UPSTREAM: (await simulator.line('http://')).trim(), H3_RESOLUTION: '5', PORT: '0' },
  // 8 connections of 50 processes are more than PostgreSQL's default of 100.
  ...{ DATABASE_POOL: '2', OBJECTS_URL: `s3://hexcast/fleet-${process.pid}`, LOG_LEVEL: 'error', DRAIN_SECONDS: '0' },
  DATA_DIR: join(folder, 'data'),
}
const database = await openDatabase(place.config)
members.defer(() => database.close())
const events = await openEvents(loadConfig({ ...env, DATABASE_URL: place.config.databaseUrl }), database)
members.defer(() => events.close())
const run = runName(Math.floor(Date.now() / HOUR) * HOUR - 2 * HOUR)
const backfill = Process.hexcast(`backfill rtma ${run} ${run}`, env)
while (backfill.alive) await pause(100)

const began = performance.now()
const bases: string[] = []
const children: Process[] = []
members.defer(async () => void (await Promise.all(children.map((child) => child.end('SIGKILL')))))
for (const signal of ['SIGTERM', 'SIGINT'] as const)
  process.once(signal, () => void members.disposeAsync().finally(() => process.exit(1)))
while (bases.length < processes) {
  const some = Array.from({ length: Math.min(STARTING, processes - bases.length) }, () => {
    const child = Process.hexcast('api', { ...env, DATA_DIR: join(folder, `api-${children.length}`) })
    children.push(child)
    return child
  })
  for (const child of some) {
    const line = await child.line(/http:\/\/localhost:\d+/, 600)
    bases.push((/http:\/\/localhost:\d+/.exec(line)?.[0] ?? '').replace('localhost', '127.0.0.1'))
  }
}
print('processors, load of a minute before the start', `${cpus().length}, ${loadavg()[0]?.toFixed(1)}`)
print('processes; seconds until all answer', `${processes}; ${Math.round((performance.now() - began) / 1000)}`)

const { key } = await issueKey(database, { name: 'fleet', plan: 'professional', channel: 'test' })
const headers = { authorization: `Bearer ${key}` }
const get = async (base: string, path: string) => {
  const ask = () => fetch(base + path, { headers })
  // A process may close an idle connection at the moment in which it is used again.
  const response = await ask().catch(ask)
  return { status: response.status, text: await response.text() }
}
await Promise.all(bases.map((base) => get(base, '/v1/radars?id=FTG')))
// After its first answer, a process still loads its current data for some seconds.
await pause(15_000)

// The first answers of a process open connections to the store and compile code.
const firsts: number[] = []
const weatherAt = (base: string, i: number) =>
  get(base, `/v1/weather?lat=${(38 + (i % 200) / 100).toFixed(2)}&lon=-104&include=current&days=1`)
for (const base of bases) {
  const at = performance.now()
  await weatherAt(base, 0)
  firsts.push(performance.now() - at)
  for (let i = 1; i < WARMING; i++) await weatherAt(base, i)
}
print(
  'first weather of a process, ms: median, most',
  `${Math.round(middle(firsts))}, ${Math.round(Math.max(...firsts))}`,
)

function perProcess(value: number): string {
  return `${Math.round(value)}, ${(value / processes).toFixed(1)}`
}

async function measured(what: string, work: () => Promise<unknown>): Promise<void> {
  await pause(2000)
  const [from, at] = [proxy.statements, performance.now()]
  await work()
  await pause(1000)
  const seconds = (performance.now() - at) / 1000
  print(`statements a second, ${what}: all, of a process`, perProcess((proxy.statements - from) / seconds))
}

const busy = async () => Promise.all(children.map(({ child }) => processorSeconds(child.pid ?? 0)))
const before = await busy()
const restedAt = performance.now()
await measured('at rest', () => pause(MEASURED_SECONDS * 1000))
const rested = (performance.now() - restedAt) / 1000
const shares = (await busy()).map((seconds, i) => ((seconds - nth(before, i)) / rested) * 100)
print('processor time of a process at rest, % of a core', middle(shares).toFixed(1))
print('connections to PostgreSQL: all, of a process', perProcess(proxy.connections))
const memory = await Promise.all(children.map(({ child }) => memoryOf(child.pid ?? 0)))
print(
  'memory of a process, MB: private, median and most',
  `${Math.round(middle(memory))}, ${Math.round(Math.max(...memory))}`,
)

let requests = 0
const statuses: Record<number, number> = {}
await measured('under load', async () => {
  const until = performance.now() + MEASURED_SECONDS * 1000
  const client = async (n: number) => {
    for (let i = n; performance.now() < until; i += 16) {
      const { status } = await weatherAt(nth(bases, i % bases.length), i)
      statuses[status] = (statuses[status] ?? 0) + 1
      requests++
    }
  }
  await Promise.all(Array.from({ length: 16 }, (_, n) => client(n)))
})
print(
  'requests a second, client on the same cores',
  `${Math.round(requests / MEASURED_SECONDS)} (${JSON.stringify(statuses)})`,
)

const mirror = await startMirror()
members.defer(() => mirror.close())
const upstream = openUpstream({ mirror: mirror.url })
members.defer(() => upstream.close())
const issued: object[] = []
const delays: number[] = []
for (let i = 0; i < ALERTS; i++) delays.push(...(await delaysOfAlert(`fleet-${i}`)))
delays.sort((a, b) => a - b)
print(
  `alert to answer in each process, ms: p50, p99, most (${delays.length})`,
  [0.5, 0.99, 1].map((share) => Math.round(nth(delays, Math.ceil(share * delays.length) - 1))).join(', '),
)
print('load of a minute at the end', loadavg()[0]?.toFixed(1))

/** Issues an alert as upstream does, and returns the time from the end of its transaction until each process has it in its answers, ms. */
async function delaysOfAlert(id: string): Promise<number[]> {
  issued.push(alertFeature(id, 'Tornado Warning', 'Extreme', AROUND_DENVER))
  mirror.set('api.weather.gov/alerts/active', JSON.stringify({ type: 'FeatureCollection', features: issued }))
  const { state, why } = await sweepAlerts({ database, upstream })
  if (state !== 'changed') throw new Error(`the sweep of ${id} is ${state}: ${why ?? 'nothing changed'}`)
  const at = performance.now()
  await relayOutbox({ database, events })
  return Promise.all(
    bases.map(async (base) => {
      for (;;) {
        const { text } = await get(base, '/v1/weather?lat=39.74&lon=-104.99&include=alerts')
        const delay = performance.now() - at
        if (text.includes(`"${id}"`)) return delay
        if (delay > 30_000) throw new Error(`${base} does not answer with ${id}: ${text.slice(0, 500)}`)
        await pause(100)
      }
    }),
  )
}

/** Memory that a process shares with no other, MB. */
async function memoryOf(pid: number): Promise<number> {
  const rollup = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8')
  return [...rollup.matchAll(/^Private_(?:Clean|Dirty): +(\d+) kB/gm)].reduce(
    (sum, [, kb]) => sum + Number(kb) / 1024,
    0,
  )
}

/** Processor time of a process since its start, s. The kernel counts in hundredths of a second. */
async function processorSeconds(pid: number): Promise<number> {
  const fields = (await readFile(`/proc/${pid}/stat`, 'utf8')).split(') ')[1]?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) / 100
}

function middle(values: readonly number[]): number {
  return nth(
    [...values].sort((a, b) => a - b),
    values.length >> 1,
  )
}

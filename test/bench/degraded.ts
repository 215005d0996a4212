/**
 * Measures the throughput of /v1/weather while a source, the database, the broker or the store is away, as a share of the throughput
 * before. Fifty connections request twenty places of a complete API over the engines of infra/native. Exits with 1 if both shares are
 * below 70 %, of requests a second and of processor time for an answer, because a busy machine changes only the first.
 *
 * node test/bench/degraded.ts [--seconds=6]        four minutes and the first build of the engines
 */

import { setTimeout as pause } from 'node:timers/promises'
import { loadConfig } from '../../ingest/config.ts'
import { entryOf } from '../../ingest/domain/nth.ts'
import { openDatabase } from '../../ingest/ports/database/open.ts'
import { Process, until } from '../drills/process.ts'
import setup from '../drills/setup.ts'
import { startFaultyProxy } from '../engines/faulty-proxy.ts'
import { down, up } from '../engines/native.ts'
import { freshPlace } from '../engines/place.ts'
import { ask } from './whole/load.ts'
import { useOf } from './whole/processes.ts'

const SECONDS = Number(process.argv.find((arg) => arg.startsWith('--seconds='))?.slice(10) ?? 6)
const LEAST_SHARE = 0.7
const CONNECTIONS = 50
const places = Array.from(
  { length: 20 },
  (_, k) => `lat=${(34 + k * 0.4).toFixed(2)}&lon=${(-110 + k * 0.9).toFixed(2)}`,
)
const include = 'current,hourly,daily,alerts,outlooks,metar,radar,nowcast'
const pathOf = (place: string) => `/v1/weather?${place}&include=${include}`
/** The datasets of an answer without warnings about missing sources. */
const DATASETS = 'hrrr,rtma,metar,mrms-precip-rate,mrms-precip-flag,mrms-reflectivity-surface,mrms-qpe-24h'

const end = await setup()
const place = await freshPlace()
const simulator = entryOf(process.env, 'DRILL_UPSTREAM')
let stored = true
const store = await startFaultyProxy(entryOf(place.env, 'S3_ENDPOINT'), () => (stored ? undefined : 'hang up'))
const folder = entryOf(process.env, 'ENGINES_FOLDER')
const { TEMPORAL_ADDRESS: _address, TEMPORAL_NAMESPACE: _namespace, ...engines } = place.env
const env = {
  ...engines,
  DATASETS,
  UPSTREAM: simulator,
  H3_RESOLUTION: '5',
  ALERTS_POLL_SECONDS: '4',
  METAR_POLL_SECONDS: '4',
  OBJECTS_URL: `s3://hexcast/degraded-${process.pid}`,
  DATA_DIR: `${process.env['DRILL_FOLDER']}/degraded`,
  LOG_LEVEL: 'warn',
}
const worker = Process.hexcast('worker', env)
const api = Process.hexcast('api', { ...env, PORT: '0', S3_ENDPOINT: store.url, DATA_DIR: `${env.DATA_DIR}-api` })
const database = await openDatabase(loadConfig(env))
let failed = false
try {
  const base = /http:\/\/localhost:\d+/.exec(await api.line(/http:\/\/localhost:\d+/))![0]
  const key = await Process.hexcast('keys create --name bench --plan professional', env).line(/^hx_live_/)
  const headers = { authorization: `Bearer ${key}` }

  /** Counts the places whose answers are marked as degraded. */
  const marked = async () => {
    const replies = await Promise.all(places.map((at) => fetch(base + pathOf(at), { headers })))
    await Promise.all(replies.map((reply) => reply.arrayBuffer()))
    return replies.filter((reply) => reply.headers.get('cache-control')?.includes('no-store')).length
  }
  const untilWhole = () => until('whole answers', 240, async () => (await marked().catch(() => -1)) === 0)
  const requests = places
    .map((at) => `GET ${pathOf(at)} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${key}\r\n\r\n`)
    .join('')
  const load = async () => {
    const before = useOf(api.child.pid!)!.processor
    const load = await ask(new URL(base).port, requests, { seconds: SECONDS, connections: CONNECTIONS })
    const each = (useOf(api.child.pid!)!.processor - before) / load.answers
    return { ...load, rate: load.answers / load.seconds, each }
  }
  const misbehave = (rules: object[]) =>
    fetch(`${simulator}/_misbehave`, { method: 'POST', body: JSON.stringify(rules) })
  const without = (what: string): [string, () => Promise<unknown>, () => Promise<unknown>] => {
    let rows: Record<string, unknown>[] = []
    return [
      `without ${what}`,
      async () => {
        rows = await database.query(
          `delete from pointer where dataset like '${what}%' returning to_jsonb(pointer) as row`,
        )
      },
      () =>
        Promise.all(
          rows.map(({ row }) =>
            database.query(
              'insert into pointer select * from jsonb_populate_record(null::pointer, $1::jsonb) on conflict do nothing',
              [JSON.stringify(row)],
            ),
          ),
        ),
    ]
  }
  const refused = (what: string, path: string): [string, () => Promise<unknown>, () => Promise<unknown>] => [
    what,
    () => misbehave([{ path, how: '503' }]),
    () => misbehave([]),
  ]
  const cases = [
    ['store away', async () => (stored = false), async () => (stored = true)],
    ['broker away', () => down(folder, ['kafka'], { kill: true }), () => up(folder, ['kafka'])],
    ['database away', () => down(folder, ['postgres']), () => up(folder, ['postgres'])],
    without('hrrr'),
    without('rtma'),
    without('mrms'),
    refused('alert feed refuses', 'alerts'),
    refused('METAR cache refuses', 'metar'),
  ] as [string, () => Promise<unknown>, () => Promise<unknown>][]

  await untilWhole()
  await load()
  for (const [name, disturb, mend] of cases) {
    await untilWhole()
    const healthy = await load()
    await disturb()
    // This wait exceeds the polling interval of every source, and the time after which answers without a database are marked.
    await pause(13_000)
    const degraded = await marked()
    const result = await load()
    await mend()
    const share = result.rate / healthy.rate
    const byProcessor = healthy.each / result.each
    const bad = Object.keys(result.statuses).some((status) => status !== '200')
    if (bad || (share < LEAST_SHARE && byProcessor < LEAST_SHARE)) failed = true
    console.log(
      `${name.padEnd(22)} ${Math.round(result.rate)}/s of ${Math.round(healthy.rate)}/s: ${Math.round(100 * share)} %, by processor time ${Math.round(100 * byProcessor)} %; p99 ${result.p99} ms; ${degraded} of ${places.length} places marked; ${JSON.stringify(result.statuses)}`,
    )
  }
} finally {
  await Promise.all([worker.end('SIGKILL'), api.end('SIGKILL')])
  store.close()
  await database.close().catch(() => undefined)
  await end()
}
process.exit(failed ? 1 : 0)

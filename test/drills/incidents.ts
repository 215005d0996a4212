/**
 * Injects six incidents into a running system over the simulator, and prints what an operator sees: `hexcast status`,
 * `/v1/status`, the log, which alarm fires after how long, and whether its page in docs/RUNBOOK.md leads to the cause.
 * Needs promtool, PostGIS (infra/native/up postgres) and the right to mount a small file system. The exit status is 1 if an incident is not
 * found.
 */
import { execFile, execFileSync } from 'node:child_process'
import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { startSimulator } from '../../infra/simulator/main.ts'
import { HOUR, stamp } from '../../ingest/domain/time.ts'
import { down, freePorts, up } from '../engines/native.ts'
import { databaseProxy } from './database-proxy.ts'
import { firingAlarms, seriesOf } from './firing-alarms.ts'
import { Process, until } from './process.ts'

const folder = mkdtempSync(join(tmpdir(), 'hexcast-incidents-'))
const disk = join(folder, 'disk')
mkdirSync(disk)
const closers: (() => unknown)[] = [() => rmSync(folder, { recursive: true, force: true })]
const ports = await freePorts()

type Series = ReadonlyMap<string, number>

/** Returns whether a counter, whose series begin like this, has increased. */
const increased = (start: string) => (now: Series, before: Series) =>
  [...now].some(([series, value]) => series.startsWith(start) && value > (before.get(series) ?? 0))

/** The part of `/v1/status` that the drills read. */
interface StatusEntry {
  readonly dataset_id: string
  readonly state: string
  readonly last_failures: readonly { readonly detail: string }[]
  readonly quarantine: readonly { readonly variable: string | null; readonly detail: string }[]
}

interface Incident {
  readonly name: string
  readonly alarm: string
  /** Returns whether the metrics show the incident. */
  readonly sign: (now: Series, before: Series) => boolean
  inject(): void | Promise<void>
  end(): void | Promise<void>
  /** What names the cause: a pattern for the screen of `hexcast status` and for the log, and the text in `/v1/status`. */
  readonly signs: {
    readonly screen?: RegExp
    readonly log?: RegExp
    readonly status?: (datasets: readonly StatusEntry[]) => string | undefined
  }
  /** What the page of the alarm must tell the operator to check. */
  readonly page: RegExp
  readonly seconds: number
}

async function run(): Promise<boolean> {
  const settings = await up(join(folder, 'native'), ['postgres'], ports)
  closers.push(() => down(join(folder, 'native'), ['postgres']))
  const address = new URL(settings['DATABASE_URL'] ?? '')
  const proxy = await databaseProxy(Number(address.port))
  closers.push(() => proxy.close())
  address.port = String(proxy.port)
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1g', 'tmpfs', disk])
  closers.push(() => execFileSync('umount', ['-l', disk]))
  const simulator = await startSimulator({ coarse: 30 })
  closers.push(() => simulator.close())
  const { misbehaviours } = simulator
  const late = [0, 1, 2, 3].map((hours) => {
    const { day, hour } = stamp(Date.now() - hours * HOUR)
    return { path: `blend.${day}/${hour}/core`, how: 'late' } as const
  })
  misbehaviours.push(...late)
  const env = {
    ...process.env,
    DATABASE_URL: address.href,
    OBJECTS_URL: disk,
    DATA_DIR: join(folder, 'data'),
    UPSTREAM: simulator.url,
    DATASETS: 'nbm,storm-tracks,mrms-precip-rate,nws-alerts',
    H3_RESOLUTION: '5',
    RUNS_POLL_SECONDS: '5',
    ALERTS_POLL_SECONDS: '5',
    PORT: '18480',
    LOG_LEVEL: 'info',
  }
  const system = Process.hexcast('start', env)
  closers.push(() => system.end())
  // Prometheus aborts a scrape after ten seconds.
  const get = async (path: string) =>
    (await fetch(`http://127.0.0.1:${env.PORT}${path}`, { signal: AbortSignal.timeout(10_000) })).text()
  const metrics = () => get('/metrics').catch(() => '')
  // The simulator and the proxy are in this process, so a command must not block it.
  const screen = async () => {
    const words = ['bin/hexcast.mjs', 'status']
    const result = promisify(execFile)(process.execPath, words, { env, encoding: 'utf8', timeout: 60_000 })
    return result.then(
      ({ stdout }) => stdout,
      (error: { stdout?: string }) => error.stdout || String(error),
    )
  }
  await until('the system to serve a run, frames and alerts', 300, async () => {
    const text = await metrics()
    return (
      /run_age_seconds\{dataset="nbm",domain="conus"\}/.test(text) &&
      /alert_feed_age_seconds \d/.test(text) &&
      /run_age_seconds\{dataset="mrms-precip-rate",domain="conus"\}/.test(text)
    )
  })
  const onTime = (await metrics()).replaceAll(/(hexcast_run_late_seconds\{.*\}) \S+/g, '$1 0')
  const ballast = join(disk, 'ballast')
  let filling: NodeJS.Timeout | undefined
  const incidents: readonly Incident[] = [
    {
      name: 'NBM three hours late',
      alarm: 'HexcastRunLate',
      sign: (now) => (now.get('hexcast_run_late_seconds{dataset="nbm",domain="conus"}') ?? 0) > 0,
      inject: () => {},
      end: () => void misbehaviours.splice(0),
      signs: {
        screen: /nbm +conus .*LATE by.*/,
        status: (all) => all.find(({ dataset_id: id, state }) => id === 'nbm' && state === 'late') && 'nbm is late',
      },
      page: /hexcast status.*[\s\S]*has not begun it/,
      seconds: 60,
    },
    {
      name: 'poisoned GRIB message',
      alarm: 'HexcastQuarantineGrows',
      sign: increased('hexcast_quarantine_total{dataset="nbm",'),
      inject: () => void misbehaviours.push({ path: '.co.grib2', how: 'corrupt', every: 3, times: 3 }),
      end: () => void misbehaviours.splice(0),
      signs: {
        status: (all) =>
          all.find(({ dataset_id: id, quarantine }) => id === 'nbm' && quarantine.length > 0)?.quarantine[0]?.detail,
      },
      page: /hexcast quarantine list/,
      seconds: 240,
    },
    {
      name: 'frozen alert copy',
      alarm: 'HexcastAlertsUnconfirmed',
      sign: (now) => (now.get('hexcast_alert_feed_age_seconds') ?? 0) > 190,
      // The cache has not asked the source for 15 minutes. The path is that of the feed and of its index.
      inject: () =>
        void misbehaviours.push(
          { path: 'api.weather.gov/alerts/active', how: 'frozen', seconds: 900 },
          { path: 'WWA/watch_warn_adv', how: 'frozen', seconds: 900 },
        ),
      end: () => void misbehaviours.splice(0),
      signs: {
        screen: /! alerts: .*frozen copy.*/,
        status: (all) => all.find(({ dataset_id: id }) => id === 'nws-alerts')?.last_failures[0]?.detail,
      },
      page: /a cache serves a frozen copy/,
      seconds: 240,
    },
    {
      name: 'disk full',
      alarm: 'HexcastStorageFull',
      sign: increased('hexcast_storage_full_total{storage="disk"}'),
      // Retirement and the ends of steps free some space again.
      inject() {
        fill(ballast)
        filling = setInterval(() => fill(ballast), 1000)
      },
      end() {
        clearInterval(filling)
        rmSync(ballast, { force: true })
      },
      signs: { log: /.*(?:ENOSPC|no space left).*/ },
      page: /df -h "\$DATA_DIR"/,
      seconds: 240,
    },
    {
      name: 'database failover',
      alarm: 'HexcastDatabaseDown',
      sign: (now) => now.get('hexcast_database_up') === 0,
      inject: () => void (proxy.manner = 'refusing'),
      end: () => void (proxy.manner = 'passing'),
      signs: { screen: /DOWN +database.*/ },
      page: /complete the failover/,
      seconds: 90,
    },
    {
      name: 'database that never answers',
      alarm: 'HexcastDatabaseDown',
      sign: (now) => now.get('hexcast_database_up') === 0,
      inject: () => void (proxy.manner = 'silent'),
      end: () => void (proxy.manner = 'passing'),
      signs: { screen: /DOWN +database.*/ },
      page: /accepts connections and does not answer/,
      seconds: 90,
    },
  ]
  const words = process.argv.slice(2)
  const chosen = incidents.filter(({ name }) => words.length === 0 || words.some((word) => name.includes(word)))
  let good = true
  const looks = { metrics, screen, get, system, onTime }
  // A busy machine may miss a scrape, so an incident that was not found is injected once more; the table shows both.
  for (const incident of chosen) good = ((await drill(incident, looks)) || (await drill(incident, looks))) && good
  return good
}

/** Appends to a file until its disk is full. */
function fill(file: string): void {
  for (let size = 16 << 20; size >= 1 << 10; ) {
    try {
      appendFileSync(file, Buffer.alloc(size))
    } catch {
      size >>= 2
    }
  }
}

interface Looks {
  metrics(): Promise<string>
  screen(): Promise<string>
  get(path: string): Promise<string>
  readonly system: Process
  readonly onTime: string
}

const rows: string[][] = []
/** Time within which an operator must see the cause in a view, s. */
const VIEW_SECONDS = 120
/** An alarm fires at most this long after the incident. */
const MAX_MINUTES = 5

const datasetsIn = (text: string) => (JSON.parse(text) as { datasets?: StatusEntry[] }).datasets ?? []

/** Injects an incident, waits until the metrics show it, and reads what an operator reads. @returns whether it was found */
async function drill(incident: Incident, { metrics, screen, get, system, onTime }: Looks): Promise<boolean> {
  const { name, alarm, sign, signs } = incident
  // A busy worker may miss a scrape.
  const metricsOfBoth = async () => {
    const text = await metrics()
    return /hexcast_storage_full_total\{/.test(text) && /hexcast_database_up 1/.test(text) && text
  }
  const before = name.startsWith('NBM') ? onTime : await until('the metrics of both processes', 120, metricsOfBoth)
  const logged = system.lines.length
  const from = performance.now()
  await incident.inject()
  const after = await until(
    `the metrics to show: ${name}`,
    incident.seconds,
    async () => {
      const text = await metrics()
      return sign(seriesOf(text), seriesOf(before)) && text
    },
    1000,
  ).catch((error: Error) => error)
  const signSeconds = Math.round((performance.now() - from) / 1000)
  if (after instanceof Error) {
    rows.push([name, after.message, '', '', ''])
    writeFileSync(`${tmpdir()}/hexcast-incident-${alarm}.txt`, system.lines.slice(logged).join('\n'))
    await incident.end()
    return false
  }
  // A command may fail on a busy machine, and the status document is read again after some seconds.
  const look = <T>(find: () => Promise<T | undefined>) =>
    until('a view that names the cause', VIEW_SECONDS, find, 2000).catch(() => undefined)
  const views = {
    screen: signs.screen && (await look(async () => signs.screen?.exec(await screen())?.[0])),
    status: signs.status && (await look(async () => signs.status?.(datasetsIn(await get('/v1/status'))))),
    log: signs.log && (await look(async () => signs.log?.exec(system.lines.slice(logged).join('\n'))?.[0])),
  }
  const alarms = firingAlarms(before, after)
  const minutes = alarms.get(alarm)
  const expectedViews = (['screen', 'status', 'log'] as const).filter((view) => signs[view] !== undefined)
  const missing = expectedViews.filter((view) => views[view] === undefined)
  const page = readFileSync('docs/RUNBOOK.md', 'utf8').split(`## ${alarm}\n`)[1]?.split('\n## ')[0] ?? ''
  if (missing.length > 0 || minutes === undefined)
    writeFileSync(
      `${tmpdir()}/hexcast-incident-${alarm}.txt`,
      [await screen(), await get('/v1/status'), before, after].join('\n\n'),
    )
  console.log(`\n== ${name}: ${alarm} after ${minutes ?? 'no'} min; firing: ${[...alarms.keys()].join(', ')}`)
  for (const view of expectedViews) console.log(`   ${view}: ${views[view]?.slice(0, 300)}`)
  const leads = incident.page.test(page)
  rows.push([
    name,
    `${signSeconds} s`,
    minutes === undefined ? `${alarm} does not fire` : `${alarm} after ${minutes} min`,
    missing.length > 0 ? `not in ${missing.join(', ')}` : expectedViews.join(', '),
    leads ? 'yes' : 'no',
  ])
  await incident.end()
  await pause(3000)
  return minutes !== undefined && signSeconds / 60 + minutes <= MAX_MINUTES && missing.length === 0 && leads
}

let good = false
try {
  good = await run()
} finally {
  for (const close of closers.reverse()) {
    try {
      await close()
    } catch (error) {
      console.error(error)
    }
  }
}
console.log('\n| incident | metrics show it after | alarm | seen in | page leads to the cause |\n|---|---|---|---|---|')
for (const row of rows) console.log(`| ${row.join(' | ')} |`)
process.exit(good ? 0 : 1)

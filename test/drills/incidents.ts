/**
 * Injects five incidents into a running system over the simulator, and prints what an operator sees: `hexcast status`,
 * `/v1/status`, the log, which alarm fires after how long, and whether its page in docs/RUNBOOK.md leads to the cause.
 * Needs promtool, PostGIS (infra/native/up postgres) and the right to mount a small file system. Exit status 1 if an incident is not
 * found.
 */
import { execFile, execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { startSimulator } from '../../infra/simulator/main.ts'
import { HOUR, stamp } from '../../ingest/domain/time.ts'
import { down, freePorts, up } from '../engines/native.ts'
import { firingAlarms } from './firing-alarms.ts'
import { Process, until } from './process.ts'

const folder = mkdtempSync(join(tmpdir(), 'hexcast-incidents-'))
const disk = join(folder, 'disk')
mkdirSync(disk)
const closers: (() => unknown)[] = [() => rmSync(folder, { recursive: true, force: true })]
const ports = await freePorts()

/** A proxy before the database that refuses connections while it fails over. */
async function databaseProxy(target: number) {
  const sockets = new Set<Socket>()
  let isDown = false
  const server = createServer((client) => {
    if (isDown) return client.destroy()
    const upstream = connect(target, '127.0.0.1')
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket
        .on('error', () => {})
        .on('close', () => {
          sockets.delete(socket)
          client.destroy()
          upstream.destroy()
        })
    }
    client.pipe(upstream).pipe(client)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closers.push(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return {
    port: (server.address() as { port: number }).port,
    set down(value: boolean) {
      isDown = value
      if (value) for (const socket of sockets) socket.destroy()
    },
  }
}

interface Incident {
  readonly name: string
  readonly alarm: string
  /** What must be true of the metrics when the incident is seen. */
  readonly sign: RegExp
  inject(): void | Promise<void>
  end(): void | Promise<void>
  /** What names the cause: a pattern for the screen of `hexcast status`, for `/v1/status`, and for the log. */
  readonly seen: { readonly screen?: RegExp; readonly status?: RegExp; readonly log?: RegExp }
  /** What the page of the alarm must tell the operator to look at. */
  readonly page: RegExp
  readonly seconds: number
}

async function run(): Promise<boolean> {
  const settings = await up(join(folder, 'native'), ['postgres'], ports)
  closers.push(() => down(join(folder, 'native'), ['postgres']))
  const address = new URL(settings['DATABASE_URL'] ?? '')
  const proxy = await databaseProxy(Number(address.port))
  address.port = String(proxy.port)
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=512m', 'tmpfs', disk])
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
  const get = async (path: string) => (await fetch(`http://127.0.0.1:${env.PORT}${path}`)).text()
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
  const incidents: readonly Incident[] = [
    {
      name: 'NBM three hours late',
      alarm: 'HexcastRunLate',
      sign: /hexcast_run_late_seconds\{dataset="nbm",domain="conus"\} [1-9]/,
      inject: () => {},
      end: () => void misbehaviours.splice(0),
      seen: { screen: /nbm +conus .*LATE by/, status: /"dataset_id":"nbm".*?"state":"late"/ },
      page: /hexcast status.*[\s\S]*has not begun it/,
      seconds: 60,
    },
    {
      name: 'poisoned GRIB message',
      alarm: 'HexcastQuarantineGrows',
      sign: /hexcast_quarantine_total\{dataset="nbm",reason="\w+"\} [1-9]/,
      inject: () => void misbehaviours.push({ path: '.co.grib2', how: 'corrupt', every: 3, times: 3 }),
      end: () => void misbehaviours.splice(0),
      seen: { status: /"quarantine":\[\{[^\]]*"variable"/ },
      page: /hexcast quarantine list/,
      seconds: 240,
    },
    {
      name: 'frozen alert copy',
      alarm: 'HexcastAlertsUnconfirmed',
      sign: /hexcast_alert_feed_age_seconds (?:19\d|[2-9]\d\d|\d{4,})/,
      inject: () => void misbehaviours.push({ path: 'api.weather.gov/alerts/active', how: 'frozen', seconds: 900 }),
      end: () => void misbehaviours.splice(0),
      seen: {
        screen: /alerts +confirmed .* ago/,
        status: /"dataset_id":"nws-alerts"[^{]*"state":"(?:late|stale)"|old/,
      },
      page: /a cache serves a frozen copy/,
      // The frozen index counts as confirmed until its own time is ten minutes old.
      seconds: 900,
    },
    {
      name: 'disk full',
      alarm: 'HexcastStorageFull',
      sign: /hexcast_storage_full_total\{storage="disk"\} [1-9]/,
      inject: () => {
        const { bavail, bsize } = statfsSync(disk)
        writeFileSync(ballast, Buffer.alloc(bavail * bsize))
      },
      end: () => rmSync(ballast, { force: true }),
      seen: { log: /ENOSPC|no space left/ },
      page: /df -h "\$DATA_DIR"/,
      seconds: 240,
    },
    {
      name: 'database failover',
      alarm: 'HexcastDatabaseDown',
      sign: /hexcast_database_up 0/,
      inject: () => {
        proxy.down = true
      },
      end: () => {
        proxy.down = false
      },
      seen: { screen: /DOWN +database/ },
      page: /complete the failover/,
      seconds: 90,
    },
  ]
  let good = true
  for (const incident of incidents) good = (await drill(incident, { metrics, screen, get, system, onTime })) && good
  return good
}

interface Looks {
  metrics(): Promise<string>
  screen(): Promise<string>
  get(path: string): Promise<string>
  readonly system: Process
  readonly onTime: string
}

const rows: string[][] = []

/** Injects an incident, waits until the metrics show it, and reads what an operator reads. @returns whether it was found */
async function drill(incident: Incident, { metrics, screen, get, system, onTime }: Looks): Promise<boolean> {
  const { name, alarm, sign, seen } = incident
  // A busy worker may miss a scrape.
  const metricsOfBoth = async () => {
    const text = await metrics()
    return /hexcast_storage_full_total\{/.test(text) && /hexcast_database_up/.test(text) && text
  }
  const before = name.startsWith('NBM') ? onTime : await until('the metrics of both processes', 60, metricsOfBoth)
  const from = performance.now()
  await incident.inject()
  const after = await until(`the metrics to show: ${name}`, incident.seconds, async () => {
    const text = await metrics()
    return sign.test(text) && text
  }).catch((error: Error) => error)
  const signSeconds = Math.round((performance.now() - from) / 1000)
  if (after instanceof Error) {
    rows.push([name, after.message, '', '', ''])
    await incident.end()
    return false
  }
  await pause(6000)
  const views = { screen: await screen(), status: await get('/v1/status'), log: system.lines.join('\n') }
  const minutes = firingAlarms(before, after).get(alarm)
  const missing = (['screen', 'status', 'log'] as const).filter((view) => seen[view]?.test(views[view]) === false)
  const page = readFileSync('docs/RUNBOOK.md', 'utf8').split(`## ${alarm}\n`)[1]?.split('\n## ')[0] ?? ''
  if (missing.length > 0) writeFileSync(`${tmpdir()}/hexcast-incident-${alarm}.txt`, `${views.screen}\n${views.status}`)
  console.log(`\n== ${name}: ${alarm} after ${minutes ?? 'no'} min`)
  for (const [view, text] of Object.entries(views)) {
    const line = seen[view as keyof typeof views]?.exec(text)?.[0]
    if (line) console.log(`   ${view}: ${line.slice(0, 200)}`)
  }
  const leads = incident.page.test(page)
  rows.push([
    name,
    `${signSeconds} s`,
    minutes === undefined ? `${alarm} does not fire` : `${alarm} after ${minutes} min`,
    missing.length > 0 ? `not in ${missing.join(', ')}` : Object.keys(seen).join(', '),
    leads ? 'yes' : 'no',
  ])
  await incident.end()
  await pause(3000)
  return minutes !== undefined && missing.length === 0 && leads
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

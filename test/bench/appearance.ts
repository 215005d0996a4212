/**
 * Measures the time from a scan's appearance upstream to the first answer with it, with the whole system as `npm start` runs it, over
 * the simulator by the real clock, polling. Each scan of CONUS rain is timed from its Last-Modified in the bucket's listing to the first
 * /v1/weather whose `radar` and `nowcast` are of that scan, and to its first picture. Timing begins when the first runs of the models
 * are ingested (which needs the whole CPU for minutes), or with --at-once at the first nowcast. DATASETS applies as usual.
 * Exits with 1 if a p95 is 30 s or more.
 *
 * node test/bench/appearance.ts [--scans=6] [--coarse=12] [--at-once]        two minutes a scan; --coarse=1 gives the full grids
 */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { startSimulatorThread } from '../../infra/simulator/main.ts'
import { nth } from '../../ingest/domain/nth.ts'
import { stamp } from '../../ingest/domain/time.ts'

const word = (name: string) => process.argv.find((arg) => arg.startsWith(`--${name}=`))?.split('=')[1]
const SCANS = Number(word('scans') ?? 6)
const SCAN = 120_000
const LIMIT = 30
const ASKED_EVERY = 250
/** Timing starts when no model file was fetched for the first time, or after the second time at the latest. */
const QUIET = 30_000
const LONGEST = 20 * 60_000

const simulator = await startSimulatorThread({ coarse: Number(word('coarse') ?? 12) })
const folder = mkdtempSync(join(tmpdir(), 'hexcast-appearance-'))
const { PATH, HOME, DATASETS } = process.env
const system = spawn(process.execPath, [fileURLToPath(new URL('../../bin/hexcast.mjs', import.meta.url)), 'start'], {
  env: { PATH, HOME, DATASETS, DATA_DIR: folder, UPSTREAM: simulator.url, PORT: '0', LOG_LEVEL: 'error' },
  stdio: ['ignore', 'pipe', 'pipe'],
})
const lines: string[] = []
createInterface({ input: system.stdout! }).on('line', (line) => lines.push(line))
/** The last lines of the output. */
const lastLines: string[] = []
/** When a model file was last fetched, according to the output. */
let lastFetch = Date.now()
createInterface({ input: system.stderr! }).on('line', (line) => {
  if (lastLines.push(line) > 10) lastLines.shift()
  if (/ of \d+ files/.test(line)) lastFetch = Date.now()
})

/** Requests an answer; undefined if the system does not answer. */
async function ask<T>(path: string): Promise<T | undefined> {
  const reply = await fetch(`${base}${path}`, { headers: { authorization: `Bearer ${key}` } }).catch(() => undefined)
  return reply?.ok ? ((await reply.json().catch(() => undefined)) as T | undefined) : undefined
}

/** Returns when each scan of this and the last hour appeared in the bucket, by scan time. */
async function appeared(): Promise<Map<number, number>> {
  const times = new Map<number, number>()
  for (const now of [Date.now(), Date.now() - 3_600_000]) {
    const { day, hour } = stamp(now)
    const prefix = `CONUS/PrecipRate_00.00/${day}/MRMS_PrecipRate_00.00_${day}-${hour}`
    const address = `${simulator.url}/noaa-mrms-pds.s3.amazonaws.com/?list-type=2&prefix=${prefix}`
    const reply = await fetch(address).catch(() => undefined)
    const entries = ((await reply?.text()) ?? '').matchAll(
      /_(\d{8})-(\d\d)(\d\d)(\d\d)\.grib2\.gz<\/Key><LastModified>([^<]+)</g,
    )
    for (const [, date, h, m, s, modified] of entries) {
      const iso = `${date!.slice(0, 4)}-${date!.slice(4, 6)}-${date!.slice(6)}T${h}:${m}:${s}Z`
      times.set(Date.parse(iso), Date.parse(modified!))
    }
  }
  return times
}

const firsts = {
  radar: new Map<number, number>(),
  nowcast: new Map<number, number>(),
  picture: new Map<number, number>(),
}
const see = (what: keyof typeof firsts, time: string | undefined) => {
  const scan = Date.parse(time ?? '')
  if (!Number.isNaN(scan) && !firsts[what].has(scan)) firsts[what].set(scan, Date.now())
}

async function look(): Promise<void> {
  const weather = await ask<{ radar?: { valid_time: string }; nowcast?: { generated_at: string } }>(
    '/v1/weather?lat=39.74&lon=-104.99&include=radar,nowcast',
  )
  see('radar', weather?.radar?.valid_time)
  see('nowcast', weather?.nowcast?.generated_at)
  const picture = await fetch(`${base}/v1/radar/mrms-precip-rate.png?bbox=-106,39,-104,41&width=64`, {
    headers: { authorization: `Bearer ${key}` },
  }).catch(() => undefined)
  if (picture?.ok) see('picture', picture.headers.get('x-valid-time') ?? undefined)
  await picture?.arrayBuffer().catch(() => undefined)
}

let base = ''
let key = ''
let status = 0
try {
  while (!lines.some((line) => line.includes('hx_live_'))) {
    if (system.exitCode !== null) throw new Error(`the system ended before it was ready:\n${lastLines.join('\n')}`)
    await pause(100)
  }
  base = /http:\/\/localhost:\d+/.exec(lines.join('\n'))![0]
  key = /hx_live_[\w-]+/.exec(lines.join('\n'))![0]
  const begun = Date.now()
  while (firsts.nowcast.size === 0) {
    await look()
    await pause(ASKED_EVERY)
  }
  const answered = Date.now()
  if (!process.argv.includes('--at-once')) {
    while (Date.now() - lastFetch < QUIET && Date.now() - begun < LONGEST) await pause(1000)
  }
  const first = Date.now()
  const settled = first - begun > LONGEST ? `not settled after ${LONGEST / 60_000} minutes` : 'settled'
  console.log(
    `${((answered - begun) / 1000).toFixed(1)} s after it was ready the first nowcast, ${settled} after ${((first - begun) / 1000).toFixed(0)} s, load ${nth(loadavg(), 0).toFixed(1)}; now ${SCANS} scans, two minutes each`,
  )
  const times = new Map<number, number>()
  const counted = () => [...times].filter(([, at]) => at > first).sort((a, b) => a[0] - b[0])
  const done = () =>
    counted().filter(([scan]) => Object.values(firsts).every((shown) => shown.has(scan))).length >= SCANS
  for (let last = 0; !done() && Date.now() - first < (SCANS + 2) * SCAN; ) {
    if (Date.now() - last > 1000) {
      last = Date.now()
      for (const [scan, at] of await appeared()) times.set(scan, at)
    }
    await look()
    await pause(ASKED_EVERY)
  }
  for (const [what, shown] of Object.entries(firsts)) {
    const waits = counted()
      .slice(0, SCANS)
      .map(([scan, at]) => ((shown.get(scan) ?? Number.POSITIVE_INFINITY) - at) / 1000)
    const sorted = [...waits].sort((a, b) => a - b)
    const rank = (share: number) => nth(sorted, Math.min(sorted.length - 1, Math.floor(share * sorted.length)))
    if (sorted.length < SCANS || !(rank(0.95) < LIMIT)) status = 1
    console.log(
      `appearance → first ${what.padEnd(8)} ${sorted.length} scans: p50 ${rank(0.5).toFixed(1)} s, p95 ${rank(0.95).toFixed(1)} s (< ${LIMIT}), max ${rank(1).toFixed(1)} s; each: ${waits.map((wait) => wait.toFixed(1)).join(' ')}`,
    )
  }
} finally {
  system.kill('SIGTERM')
  if (system.exitCode === null) await once(system, 'exit')
  await simulator.close()
  rmSync(folder, { recursive: true, force: true })
}
process.exit(status)

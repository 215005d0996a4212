/**
 * From a file's appearance upstream to the first answer with it, over a mirror whose files this process shows one by one, with the whole
 * system as `npm start` runs it beside: scans of three domains, and the last file of HRRR runs whose other files were there before. Once
 * with notices of new objects through a queue (SQS by infra/native, which needs Java and Maven), once by listing at the usual intervals.
 * Exits with 1 where over the queue a p50 is above 3 s or a p99 above 6 s.
 *
 * node test/bench/availability.ts [--paths=queue,listing] [--scans=12] [--runs=6] [--coarse=2]        some 10 minutes; --coarse=1: radar in full, models at half of their resolution
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs'
import { feedSources } from '../../infra/simulator/feeds.ts'
import { startMirror } from '../../infra/simulator/mirror.ts'
import { modelSources } from '../../infra/simulator/models.ts'
import { radarSource } from '../../infra/simulator/radar.ts'
import type { Source } from '../../infra/simulator/source.ts'
import { hrrr } from '../../ingest/datasets/hrrr.ts'
import { floorTo, HOUR, isoSeconds, MINUTE, SECOND, stamp } from '../../ingest/domain/time.ts'
import { Process, until } from '../drills/process.ts'
import { down, freePorts, up } from '../engines/native.ts'

const word = (name: string) => process.argv.find((arg) => arg.startsWith(`--${name}=`))?.split('=')[1]
const SCANS = Number(word('scans') ?? 12)
const RUNS = Number(word('runs') ?? 6)
const COARSE = Number(word('coarse') ?? 2)
const PATHS = (word('paths') ?? 'queue,listing').split(',')
const LIMITS = { p50: 3, p99: 6 }
const RADAR = 'noaa-mrms-pds'
const MODEL = 'noaa-hrrr-bdp-pds'
const places = {
  CONUS: 'lat=39.74&lon=-104.99',
  ALASKA: 'lat=61.22&lon=-149.9',
  HAWAII: 'lat=21.31&lon=-157.86',
} as const
type Place = keyof typeof places
/** The products of a scan that the nowcast takes; `past`: seconds of their times after the whole minute. */
const products = [
  ['PrecipRate_00.00', 0],
  ['PrecipFlag_00.00', 0],
  ['SeamlessHSR_00.00', 36],
] as const

/** When each key was shown, ms. */
const shown = new Map<string, number>()

/** A source of which only the shown keys are there, since when they were shown. */
const gated = (source: Source, clock: (now: number) => number): Source => ({
  host: source.host,
  *list(prefix, now) {
    for (const one of source.list?.(prefix, clock(now)) ?? []) {
      const since = shown.get(one.key)
      if (since !== undefined) yield { ...one, lastModified: since }
    }
  },
  async find(path, query, now) {
    const since = shown.get(path.slice(1))
    const found = since === undefined ? undefined : await source.find(path, query, clock(now))
    return found && { ...found, lastModified: since! }
  },
})

const radar = radarSource(COARSE)
const models = modelSources(2 * COARSE).filter(({ host }) => host.startsWith(MODEL))
/** The radar of the simulator shows a scan 70 s after its time. */
const ahead = (now: number) => now + 2 * MINUTE
const mirror = await startMirror({
  sources: [gated(radar, ahead), ...models.map((source) => gated(source, ahead)), ...feedSources()],
  now: Date.now,
})

const scanKeys = (domain: Place, time: number) =>
  products.map(([product, past]) => {
    const { day, hour, minute, second } = stamp(time + past * SECOND)
    return `${domain}/${product}/${day}/MRMS_${product}_${day}-${hour}${minute}${second}.grib2.gz`
  })
const fileKeys = (run: number, lead: number) => {
  const { url, indexUrl } = hrrr.file(run, 'conus', lead)
  return [url, indexUrl!].map((address) => new URL(address).pathname.slice(1))
}

/** Makes the bytes before they are shown, so that the simulator's work is not measured. */
async function made(source: Source, keys: readonly string[]): Promise<void> {
  for (const key of keys) await (await source.find(`/${key}`, new URLSearchParams(), ahead(Date.now())))?.body()
}

interface Running {
  readonly system: Process
  readonly ask: <T>(path: string) => Promise<T | undefined>
  readonly show: (bucket: string, keys: readonly string[]) => Promise<number>
}

interface Weather {
  readonly radar?: { readonly valid_time: string }
  readonly meta: { readonly freshness: readonly { readonly product_id?: string; readonly reference_time?: string }[] }
}

const domains = Object.keys(places) as Place[]

/** Times of scans up to now, whose files are made: before the system starts, because that blocks the mirror. */
async function madeScans(): Promise<number[]> {
  const newest = floorTo(Date.now(), 2 * MINUTE)
  const rounds = Math.ceil(SCANS / domains.length)
  const times = Array.from({ length: rounds + 1 }, (_, index) => newest - (rounds - index) * 2 * MINUTE)
  if (SCANS > 0) for (const time of times) for (const domain of domains) await made(radar, scanKeys(domain, time))
  return times
}

async function scans(
  { ask, show }: Running,
  times: readonly number[],
  everyMs: readonly [number, number],
): Promise<number[]> {
  const seen = async (domain: Place) => {
    const answer = await ask<Weather>(`/v1/weather?${places[domain]}&include=radar`)
    return Date.parse(answer?.radar?.valid_time ?? '')
  }
  const waits: number[] = []
  for (const [index, time] of times.entries()) {
    for (const domain of domains) {
      const at = await show(RADAR, scanKeys(domain, time))
      await until(`scan ${isoSeconds(time)} of ${domain}`, 120, async () => (await seen(domain)) >= time)
      // The first are those of a fresh start.
      if (index > 0) waits.push((Date.now() - at) / SECOND)
      await pause(everyMs[0] + Math.random() * (everyMs[1] - everyMs[0]))
    }
  }
  return waits.slice(0, SCANS)
}

/** Resolves when the files of a run but the last were fetched, and nothing of them is asked for any more: upstream takes two minutes a file. */
async function sampled(run: number, last: number): Promise<void> {
  const [key] = fileKeys(run, last - 1)
  const asked = () =>
    mirror.log.filter((line) => line.includes('.grib2 206') && line.includes(key!.slice(0, 30))).length
  for (let before = -1, count = asked(), tries = 0; tries < 40; tries++) {
    if (count > 0 && count === before) return
    before = count
    await pause(5_000)
    count = asked()
  }
}

async function runs({ ask, show }: Running, phaseMs: number): Promise<number[]> {
  const newest = floorTo(Date.now() - 2 * HOUR, HOUR)
  const waits: number[] = []
  for (let index = 0; index <= RUNS; index++) {
    const run = newest - (RUNS - index) * HOUR
    const leads = hrrr.leads(run, 'conus')
    const last = leads.at(-1)!
    for (const lead of leads.slice(0, -1)) await show(MODEL, fileKeys(run, lead))
    for (const source of models) await made(source, fileKeys(run, last))
    await sampled(run, last)
    await pause(Math.random() * phaseMs)
    const at = await show(MODEL, fileKeys(run, last))
    const served = async () => {
      const answer = await ask<Weather>(`/v1/weather?${places.CONUS}&include=hourly`)
      return answer?.meta.freshness.some(
        (one) => one.product_id === 'hrrr' && Date.parse(one.reference_time ?? '') >= run,
      )
    }
    await until(`an answer of ${isoSeconds(run)}`, 240, async () => (await served()) === true)
    if (index > 0) waits.push((Date.now() - at) / SECOND)
  }
  return waits
}

/** ElasticMQ takes any. */
const credentials = { accessKeyId: 'any', secretAccessKey: 'any' }

/** @returns whether the limits are met */
function report(what: string, waits: readonly number[]): boolean {
  const sorted = [...waits].sort((a, b) => a - b)
  const rank = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))]!
  const met = rank(0.5) <= LIMITS.p50 && rank(0.99) <= LIMITS.p99
  const each = waits.map((wait) => wait.toFixed(1)).join(' ')
  console.log(
    `${what.padEnd(28)} ${waits.length}: p50 ${rank(0.5).toFixed(1)} s, p99 ${rank(0.99).toFixed(1)} s${met ? '' : ' (wanted 3 and 6)'}, load ${loadavg()[0]!.toFixed(1)}; each: ${each}`,
  )
  return met
}

async function measured(path: string, queueUrl: string | undefined): Promise<boolean> {
  shown.clear()
  const times = await madeScans()
  const folder = mkdtempSync(join(tmpdir(), 'hexcast-availability-'))
  const { PATH, HOME } = process.env
  const sqs = queueUrl
    ? new SQSClient({ region: 'us-east-1', endpoint: new URL(queueUrl).origin, credentials })
    : undefined
  const system = Process.hexcast('start', {
    ...{ PATH, HOME, DATA_DIR: folder, UPSTREAM: mirror.url, PORT: '0', LOG_LEVEL: 'error' },
    ...{ DATASETS: 'hrrr,mrms-precip-rate,mrms-precip-flag,mrms-reflectivity-surface,nws-alerts' },
    ...(queueUrl && { UPSTREAM_QUEUE_URL: queueUrl, ...{ AWS_ACCESS_KEY_ID: 'any', AWS_SECRET_ACCESS_KEY: 'any' } }),
  })
  try {
    const base = /http:\/\/localhost:\d+/.exec(await system.line(/http:\/\/localhost:\d+/))![0]
    const key = /hx_live_[\w-]+/.exec(await system.line('hx_live_'))![0]
    const running: Running = {
      system,
      async ask<T>(address: string) {
        const reply = await fetch(`${base}${address}`, { headers: { authorization: `Bearer ${key}` } }).catch(
          () => undefined,
        )
        return reply?.ok ? ((await reply.json().catch(() => undefined)) as T | undefined) : undefined
      },
      async show(bucket, keys) {
        const at = Date.now()
        for (const one of keys) shown.set(one, at)
        for (const one of sqs ? keys : []) {
          const Message = JSON.stringify({ Records: [{ s3: { bucket: { name: bucket }, object: { key: one } } }] })
          await sqs!.send(new SendMessageCommand({ QueueUrl: queueUrl, MessageBody: JSON.stringify({ Message }) }))
        }
        return at
      },
    }
    const radarMet =
      SCANS === 0 ||
      report(`${path}: a scan`, await scans(running, times, queueUrl ? [4_000, 8_000] : [14_000, 20_000]))
    const modelMet = report(`${path}: an HRRR file`, await runs(running, queueUrl ? 5_000 : 60_000))
    const metrics = await (await fetch(`${base}/metrics`)).text()
    for (const line of metrics.match(
      /^hexcast_(?:availability_seconds_(?:sum|count)|step_seconds_(?:sum|count).*(?:sampleFile|publishStage)).*$/gm,
    ) ?? [])
      console.log(`  ${line}`)
    return radarMet && modelMet
  } catch (error) {
    console.error(system.lines.slice(-10).join('\n'))
    throw error
  } finally {
    sqs?.destroy()
    await system.end()
    rmSync(folder, { recursive: true, force: true })
  }
}

let met = true
const engines = mkdtempSync(join(tmpdir(), 'hexcast-sqs-'))
try {
  for (const path of PATHS) {
    const queue = path === 'queue' ? (await up(engines, ['sqs'], await freePorts()))['UPSTREAM_QUEUE_URL'] : undefined
    const within = await measured(path, queue)
    if (queue) met = within
  }
} finally {
  if (PATHS.includes('queue')) await down(engines, ['sqs'])
  rmSync(engines, { recursive: true, force: true })
  await mirror.close()
}
process.exit(met ? 0 : 1)

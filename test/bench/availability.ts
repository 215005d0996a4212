/**
 * Measures the time from a file's appearance upstream to the first answer with it. A mirror in its own process publishes full-size files
 * one by one, and the whole system runs beside it as `npm start` runs it. The files are scans of three domains, and the last file of HRRR
 * runs whose other files exist already. The bench runs once with notices of new objects through a queue (SQS by infra/native, which
 * needs Java), and once by listing at the usual intervals. It prints the mean of `hexcast_availability_seconds` beside each figure.
 * Exits with 1 if over the queue a p50 is above 3 s or a p99 above 6 s, or if the histogram is off by more than a second.
 *
 * node test/bench/availability.ts [--mirror=FOLDER] [--paths=queue,listing] [--scans=12] [--runs=10] [--spans] [--coarse=1]
 *
 * The first use writes the mirror, in five minutes (--paths= does nothing else). It uses the HRRR files of whole.ts. --spans prints how
 * the median and the slowest run spent their time.
 */

import { mkdtempSync, rmSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs'
import { hrrr } from '../../ingest/datasets/hrrr.ts'
import { nth } from '../../ingest/domain/nth.ts'
import { floorTo, HOUR, isoSeconds, MINUTE, SECOND } from '../../ingest/domain/time.ts'
import { Process, until } from '../drills/process.ts'
import { openCollector } from '../engines/collector.ts'
import { down, freePorts, up } from '../engines/native.ts'
import { openMirrorProcess } from './availability/mirror.ts'
import { RADAR_BUCKET, type ScanDomain, scanDomains, scanKeys, writeScans } from './availability/scans.ts'
import { timeline } from './availability/timeline.ts'
import { writeFiles } from './whole/static-mirror.ts'

const word = (name: string) => process.argv.find((arg) => arg.startsWith(`--${name}=`))?.slice(name.length + 3)
const MIRROR = word('mirror') ?? join(tmpdir(), 'hexcast-mirror')
const SCANS = Number(word('scans') ?? 12)
/** An answer of now uses runs of the last 16 hours. */
const RUNS = Math.min(12, Number(word('runs') ?? 10))
const COARSE = Number(word('coarse') ?? 1)
const PATHS = (word('paths') ?? 'queue,listing').split(',').filter(Boolean)
const LIMITS = { p50: 3, p99: 6 }
const MODEL_BUCKET = 'noaa-hrrr-bdp-pds'
const SCAN_DATASETS = ['mrms-precip-rate', 'mrms-precip-flag', 'mrms-reflectivity-surface']
const places: Readonly<Record<ScanDomain, string>> = {
  CONUS: 'lat=39.74&lon=-104.99',
  ALASKA: 'lat=61.22&lon=-149.9',
  HAWAII: 'lat=21.31&lon=-157.86',
}

await writeFiles(MIRROR, COARSE, true, 'hrrr')
await writeScans(MIRROR, COARSE)
const mirror = await openMirrorProcess(MIRROR)
const collector = process.argv.includes('--spans') ? await openCollector() : undefined

const fileKeys = (run: number, lead: number) => {
  const { url, indexUrl } = hrrr.file(run, 'conus', lead)
  return [url, indexUrl!].map((address) => new URL(address).pathname.slice(1))
}

interface Running {
  readonly ask: <T>(path: string) => Promise<T | undefined>
  readonly show: (bucket: string, keys: readonly string[]) => Promise<number>
}

interface Weather {
  readonly radar?: { readonly valid_time: string }
  readonly meta: { readonly freshness: readonly { readonly product_id?: string; readonly reference_time?: string }[] }
}

/** When a file was published, and when an answer had it, ms. */
interface Appearance {
  readonly shown: number
  readonly answered: number
}

async function scans({ ask, show }: Running, everyMs: readonly [number, number]): Promise<Appearance[]> {
  if (SCANS === 0) return []
  const newest = floorTo(Date.now(), 2 * MINUTE)
  const rounds = Math.ceil(SCANS / scanDomains.length)
  const validTime = async (domain: ScanDomain) => {
    const answer = await ask<Weather>(`/v1/weather?${places[domain]}&include=radar`)
    return Date.parse(answer?.radar?.valid_time ?? '')
  }
  const appearances: Appearance[] = []
  for (let index = 0; index <= rounds; index++) {
    const time = newest - (rounds - index) * 2 * MINUTE
    for (const domain of scanDomains) {
      await mirror.prepare(scanKeys(domain, time))
      const shown = await show(RADAR_BUCKET, scanKeys(domain, time))
      await until(`scan ${isoSeconds(time)} of ${domain}`, 120, async () => (await validTime(domain)) >= time)
      // The first figures include the start of the system.
      if (index > 0) appearances.push({ shown, answered: Date.now() })
      await pause(everyMs[0] + Math.random() * (everyMs[1] - everyMs[0]))
    }
  }
  return appearances.slice(0, SCANS)
}

/** Resolves when all files of a run but the last were sampled, and no request is pending. Upstream takes two minutes a file. */
async function sampled(run: number): Promise<void> {
  const prefix = nth(fileKeys(run, 0), 0).slice(0, 31)
  let before = -1
  for (let quiet = 0, looks = 0; quiet < 4; looks++) {
    if (looks > 600) throw new Error(`${prefix}: files were still being fetched after ten minutes`)
    await pause(1_000)
    const count = await mirror.fetched(prefix)
    quiet = count > 0 && count === before ? quiet + 1 : 0
    before = count
  }
}

async function runs({ ask, show }: Running, phaseMs: number): Promise<Appearance[]> {
  const newest = floorTo(Date.now() - 2 * HOUR, HOUR)
  const appearances: Appearance[] = []
  for (let index = 0; index <= RUNS; index++) {
    const run = newest - (RUNS - index) * HOUR
    const leads = hrrr.leads(run, 'conus')
    const last = leads.at(-1)!
    await mirror.runs([run - HOUR, run])
    for (const lead of leads.slice(0, -1)) await show(MODEL_BUCKET, fileKeys(run, lead))
    // A fresh installation samples no part of a run before the run is complete.
    if (index > 0) await sampled(run)
    await mirror.prepare(fileKeys(run, last))
    await pause(Math.random() * phaseMs)
    const shown = await show(MODEL_BUCKET, fileKeys(run, last))
    const isServed = async () => {
      const answer = await ask<Weather>(`/v1/weather?${places.CONUS}&include=hourly`)
      return answer?.meta.freshness.some(
        (source) => source.product_id === 'hrrr' && Date.parse(source.reference_time ?? '') >= run,
      )
    }
    await until(`an answer of ${isoSeconds(run)}`, 240, async () => (await isServed()) === true)
    if (index > 0) appearances.push({ shown, answered: Date.now() })
  }
  return appearances
}

/** Returns count and sum of `hexcast_availability_seconds` of a dataset. */
async function histogram(base: string, dataset: string): Promise<{ count: number; sum: number }> {
  const text = await (await fetch(`${base}/metrics`)).text()
  const value = (member: string) =>
    Number(
      new RegExp(`^hexcast_availability_seconds_${member}\\{dataset="${dataset}"\\} (\\S+)$`, 'm').exec(text)?.[1] ?? 0,
    )
  return { count: value('count'), sum: value('sum') }
}

/** ElasticMQ accepts any credentials. */
const credentials = { accessKeyId: 'any', secretAccessKey: 'any' }

/**
 * Measures and prints the figures.
 * @param datasets the first dataset is timed; for the others only the histogram is read
 * @returns whether the limits are met, and whether the histogram agrees
 */
async function reported(what: string, base: string, datasets: readonly string[], measure: () => Promise<Appearance[]>) {
  const histograms = () => Promise.all(datasets.map((dataset) => histogram(base, dataset)))
  const before = await histograms()
  const appearances = await measure()
  const waits = appearances.map(({ shown, answered }) => (answered - shown) / SECOND)
  const sorted = [...waits].sort((a, b) => a - b)
  const rank = (share: number) => nth(sorted, Math.min(sorted.length - 1, Math.floor(share * sorted.length)))
  const within = rank(0.5) <= LIMITS.p50 && rank(0.99) <= LIMITS.p99
  const after = await histograms()
  const mean = waits.reduce((sum, wait) => sum + wait, 0) / waits.length
  const means = after.map(({ count, sum }, k) => (sum - nth(before, k).sum) / (count - nth(before, k).count))
  const agrees = Math.abs(nth(means, 0) - mean) <= 1
  console.log(
    `${what.padEnd(22)} ${waits.length}: p50 ${rank(0.5).toFixed(1)} s, p99 ${rank(0.99).toFixed(1)} s${within ? '' : ' (wanted 3 and 6)'}, mean ${mean.toFixed(2)}; the histogram's means ${datasets.map((dataset, k) => `${dataset} ${nth(means, k).toFixed(2)}`).join(', ')}${agrees ? '' : ' (wanted within 1 s)'}; load ${nth(loadavg(), 0).toFixed(1)}`,
  )
  console.log(`  each: ${waits.map((wait) => wait.toFixed(1)).join(' ')}`)
  if (collector) {
    await pause(1_000)
    for (const share of [0.5, 0.99]) {
      const { shown, answered } = nth(appearances, waits.indexOf(rank(share)))
      console.log(`  of ${rank(share).toFixed(2)} s:`)
      for (const line of timeline(collector.spans, shown, answered)) console.log(`  ${line}`)
    }
  }
  return { within, agrees }
}

async function measured(path: string, queueUrl: string | undefined): Promise<boolean> {
  await mirror.hideAll()
  const folder = mkdtempSync(join(tmpdir(), 'hexcast-availability-'))
  const { PATH, HOME } = process.env
  const sqs = queueUrl
    ? new SQSClient({ region: 'us-east-1', endpoint: new URL(queueUrl).origin, credentials })
    : undefined
  const system = Process.hexcast('start', {
    ...{ PATH, HOME, DATA_DIR: folder, UPSTREAM: mirror.url, PORT: '0', LOG_LEVEL: 'error' },
    DATASETS: ['hrrr', ...SCAN_DATASETS, 'nws-alerts'].join(),
    ...(queueUrl && { UPSTREAM_QUEUE_URL: queueUrl, ...{ AWS_ACCESS_KEY_ID: 'any', AWS_SECRET_ACCESS_KEY: 'any' } }),
    ...collector?.env,
  })
  try {
    const base = /http:\/\/localhost:\d+/.exec(await system.line(/http:\/\/localhost:\d+/, 300))![0]
    const key = /hx_live_[\w-]+/.exec(await system.line('hx_live_', 300))![0]
    const headers = { authorization: `Bearer ${key}` }
    const running: Running = {
      async ask<T>(address: string) {
        const reply = await fetch(`${base}${address}`, { headers }).catch(() => undefined)
        return reply?.ok ? ((await reply.json().catch(() => undefined)) as T | undefined) : undefined
      },
      async show(bucket, keys) {
        const at = await mirror.show(keys)
        for (const key of sqs ? keys : []) {
          const Message = JSON.stringify({ Records: [{ s3: { bucket: { name: bucket }, object: { key } } }] })
          await sqs!.send(new SendMessageCommand({ QueueUrl: queueUrl, MessageBody: JSON.stringify({ Message }) }))
        }
        return at
      },
    }
    const results = []
    if (SCANS > 0)
      results.push(
        await reported(`${path}: a scan`, base, SCAN_DATASETS, () =>
          // Files appear spread over a whole interval of 15 s, at any phase of polling.
          scans(running, queueUrl ? [4_000, 8_000] : [15_000, 30_000]),
        ),
      )
    if (RUNS > 0)
      results.push(
        await reported(`${path}: an HRRR file`, base, ['hrrr'], () => runs(running, queueUrl ? 5_000 : 60_000)),
      )
    return results.every(({ within, agrees }) => agrees && (within || !queueUrl))
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
    met = (await measured(path, queue)) && met
  }
} finally {
  if (PATHS.includes('queue')) await down(engines, ['sqs'])
  rmSync(engines, { recursive: true, force: true })
  collector?.close()
  await mirror.close()
}
process.exit(met ? 0 : 1)

/**
 * Measures how much the nowcast improves the first hourly rows: hit rate, false alarm ratio (at a probability of at least 50 %) and
 * Brier score of rows 0 and 1, blended and from the model alone. The truth is the simulator's rain, and recorded scans carried along known
 * flows (../shared/fixtures; skipped if absent). The model is the truth displaced, late, both, or unchanged.
 *
 * Row 0 is the running hour, whole; row 1 is the hour after. A row is wet from 0.254 mm.
 */

import type { Forecast } from '../../api/blend/columns.ts'
import { blendedFields, type Column } from '../../api/blend/fields.ts'
import { withNewestScan } from '../../api/blend/newest-scan.ts'
import { blendNowcast } from '../../api/blend/nowcast-hours.ts'
import { presentWeather } from '../../api/blend/present-weather.ts'
import type { NowcastAtPoint, RadarAtPoint } from '../../api/contract.ts'
import { precipProbability, precipRateAt } from '../../infra/simulator/atmosphere.ts'
import { entryOf, nth } from '../../ingest/domain/nth.ts'
import { HOUR, MINUTE } from '../../ingest/domain/time.ts'
import { reflectivityOf, strengthOf, WET_RATE } from '../../ingest/domain/weather/echo.ts'
import type { Image } from '../../ingest/nowcast/image.ts'
import { estimateMotion } from '../../ingest/nowcast/motion.ts'
import { nowcastSteps, originsOf } from '../../ingest/nowcast/point.ts'
import { summarise } from '../../ingest/nowcast/summary.ts'
import { recordedFrame } from './recorded-frame.ts'
import { carry, flows, type RateFrame } from './storms.ts'

/** A part of the composite's grid, in pixels of 0.01 degrees. */
const [NX, NY] = [1200, 1000]
const MARGIN = 160
const SPACING = 23
/** Age of the newest scan, and interval of the scans that motion is derived from, minutes. */
const SCAN_AGE = 3
const BETWEEN = 6
/** Interval of the scans from which the amount of the running hour is computed, minutes. */
const SCANS = 10
const STEP = 5
const WET = 0.254
/** Neighbourhood of the nowcast, as in api/live/nowcast.ts: 1.5 km and 0.35 km a minute. */
const SPREAD = { least: 1.5 / 1.112, perMinute: 0.35 / 1.112 }
/** Minutes past the hour at which answers are made. */
const PHASES = [7, 37]

interface Model {
  readonly name: string
  /** Delay in minutes, displacement in pixels. */
  readonly late: number
  readonly dx: number
  readonly dy: number
}
const models: readonly Model[] = [
  { name: 'displaced by 40 km', late: 0, dx: 35, dy: -20 },
  { name: 'late by 45 minutes', late: 45, dx: 0, dy: 0 },
  { name: 'displaced by 25 km and late by 30 minutes', late: 30, dx: -20, dy: 12 },
  { name: 'right', late: 0, dx: 0, dy: 0 },
]

interface Scene {
  readonly name: string
  /** Returns the rain at a minute from now. */
  at(minute: number): RateFrame
}

function simulated(name: string, time: number, north: number, west: number): Scene {
  const every = 4
  const at = (minute: number): RateFrame => {
    const values = new Float32Array(NX * NY)
    const columns = NX / every + 1
    const row = (j: number) =>
      Float32Array.from({ length: columns }, (_, i) =>
        precipRateAt(north - j * 0.01, west + i * every * 0.01, time + minute * MINUTE),
      )
    let below = row(0)
    for (let top = 0; top < NY; top += every) {
      const above = below
      below = row(top + every)
      for (let j = top; j < top + every; j++) {
        const py = (j - top) / every
        for (let i = 0; i < NX; i++) {
          const k = (i / every) | 0
          const px = (i - k * every) / every
          const rate =
            (1 - py) * ((1 - px) * nth(above, k) + px * nth(above, k + 1)) +
            py * ((1 - px) * nth(below, k) + px * nth(below, k + 1))
          values[j * NX + i] = rate < WET_RATE ? 0 : Math.round(rate * 10) / 10
        }
      }
    }
    return { nx: NX, ny: NY, values }
  }
  return { name, at }
}

/** Carries the part of a recorded scan with the most rain along a known flow. */
function recorded(name: string, file: string, kind: string): Scene | undefined {
  const full = recordedFrame(file, 7000, 3500)
  if (!full) return undefined
  let [left, top, most] = [0, 0, -1]
  for (let y = 0; y + NY <= 3500; y += 250) {
    for (let x = 0; x + NX <= 7000; x += 300) {
      let wet = 0
      for (let j = y; j < y + NY; j += 10)
        for (let i = x; i < x + NX; i += 10) if (nth(full.values, j * 7000 + i) >= 1) wet++
      if (wet > most) [left, top, most] = [x, y, wet]
    }
  }
  const values = new Float32Array(NX * NY)
  for (let j = 0; j < NY; j++) {
    values.set(full.values.subarray((top + j) * 7000 + left, (top + j) * 7000 + left + NX), j * NX)
  }
  const flow = entryOf(flows, kind)(NX, NY)
  return { name, at: (minute) => carry({ nx: NX, ny: NY, values }, flow, minute + 90) }
}

function* scenes(): Generator<Scene> {
  // Storms move with the simulator's clock, so the part of the country with the most rain depends on the hour.
  for (const start of ['2026-08-20T21:40:00Z', '2026-04-11T14:10:00Z', '2026-11-22T02:25:00Z']) {
    const time = Date.parse(start)
    let [north, west, most] = [0, 0, -1]
    for (let lat = 36; lat <= 48; lat += 3) {
      for (let lon = -122; lon <= -84; lon += 4) {
        let wet = 0
        for (let y = 0; y < 20; y++)
          for (let x = 0; x < 24; x++) if (precipRateAt(lat - y / 2, lon + x / 2, time) >= 1) wet++
        if (wet > most) [north, west, most] = [lat, lon, wet]
      }
    }
    yield simulated(`simulator, ${start}`, time, north, west)
  }
  for (const [file, kinds] of [
    ['MRMS_MergedReflectivityQCComposite_00.50_20220704-110040.grib2', ['advecting', 'turning', 'sheared']],
    ['CONUS_MRMS_MultiSensor_QPE_01H_Pass2_00.00_20220809-150000.grib2.gz', ['advecting']],
  ] as const) {
    for (const kind of kinds) {
      const scene = recorded(`recorded ${file.slice(0, 40)}…, ${kind}`, file, kind)
      if (scene) yield scene
      else console.log(`${file}: skipped, the fixtures are not there (../shared/fixtures)`)
    }
  }
}

class Score {
  hits = 0
  misses = 0
  falseAlarms = 0
  squares = 0
  count = 0

  add(probability: number, wet: boolean): void {
    const warned = probability >= 50
    if (wet && warned) this.hits++
    else if (wet) this.misses++
    else if (warned) this.falseAlarms++
    this.squares += (probability / 100 - (wet ? 1 : 0)) ** 2
    this.count++
  }

  get text(): string {
    const { hits, misses, falseAlarms, squares, count } = this
    const [rate, ratio, brier] = [hits / (hits + misses), falseAlarms / (hits + falseAlarms), squares / count]
    return [rate, ratio, brier].map((value) => (Number.isNaN(value) ? '    -' : value.toFixed(3))).join('  ')
  }

  get brier(): number {
    return this.squares / this.count
  }
}

function strengths({ values }: RateFrame): Image {
  const half = { nx: NX >> 1, ny: NY >> 1, values: new Float32Array((NX >> 1) * (NY >> 1)), shrink: 2 }
  for (let j = 0; j < NY; j++) {
    for (let i = 0; i < NX; i++) {
      const rate = nth(values, j * NX + i)
      if (rate > 0) half.values[(j >> 1) * half.nx + (i >> 1)]! += 0.25 * strengthOf(reflectivityOf(rate))
    }
  }
  return half
}

const nothing = { warnings: [], freshness: [], degraded: false } as const
const names: readonly Column[] = blendedFields
/** Returns the rows of a model that end at -phase, 60 - phase and 120 - phase minutes from now. */
function forecastOf(now: number, amounts: readonly number[]): Forecast {
  const columns = Object.fromEntries(names.map((name) => [name, new Float64Array(3).fill(Number.NaN)]))
  entryOf(columns, 'temperature').fill(290)
  entryOf(columns, 'humidity').fill(80)
  for (const [h, amount] of amounts.entries()) {
    entryOf(columns, 'precip_amount')[h] = amount
    entryOf(columns, 'precip_probability')[h] = Math.round(precipProbability(amount, 60))
  }
  return {
    start: Math.floor(now / HOUR) * HOUR,
    count: 3,
    now: 0,
    first: 1,
    columns,
    precipType: Uint8Array.from(amounts, (amount) => (amount > 0 ? 1 : 0)),
    ceilingUnlimited: new Uint8Array(amounts.length),
    bounds: { precipitation: new Uint8Array(3), thunder: new Uint8Array(3) },
    present: undefined,
  } as unknown as Forecast
}

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length

/** @returns scores by model and row, for the model alone and blended */
function scoresOf(scene: Scene, phase: number): Map<string, [Score, Score][]> {
  const frames = new Map<number, RateFrame>()
  const at = (minute: number) => {
    let frame = frames.get(minute)
    if (!frame) frames.set(minute, (frame = scene.at(minute)))
    return frame.values
  }
  const past = [2, 1, 0].map((back) => -SCAN_AGE - back * BETWEEN)
  const motion = estimateMotion(
    past.map((minute) => ({ minutes: minute + SCAN_AGE, image: strengths({ nx: NX, ny: NY, values: at(minute) }) })),
    { spacing: 32, limit: 5 },
  )
  const scan = at(-SCAN_AGE)
  // The clock matters only through the phase.
  const now = Date.UTC(2026, 6, 1, 12, phase)
  const minutes = (from: number, to: number) =>
    Array.from(
      { length: Math.max(1, Math.ceil((to - from) / STEP)) },
      (_, i) => Math.round((from + i * STEP) / STEP) * STEP,
    )
  const spans: readonly (readonly number[])[] = [minutes(-phase, 60 - phase), minutes(60 - phase, 120 - phase)]
  const hours: readonly (readonly number[])[] = [
    minutes(-60 - phase, -phase),
    minutes(-phase, 60 - phase),
    minutes(60 - phase, 120 - phase),
  ]
  const scores = new Map(models.map(({ name }) => [name, [0, 1].map((): [Score, Score] => [new Score(), new Score()])]))
  const rateOf = (values: Float32Array, x: number, y: number) => values[y * NX + x] ?? Number.NaN
  const inside = (x: number, y: number) => x >= 0 && y >= 0 && x < NX && y < NY
  for (let y = MARGIN; y < NY - MARGIN; y += SPACING) {
    for (let x = MARGIN; x < NX - MARGIN; x += SPACING) {
      const truths = spans.map((span) => mean(span.map((minute) => rateOf(at(minute), x, y))))
      if (truths.some(Number.isNaN)) continue
      const steps = nowcastSteps(
        originsOf(motion, { x, y }),
        (i, j) => (inside(i, j) ? rateOf(scan, i, j) : Number.NaN),
        SPREAD,
      )
      const points = steps.map(({ minutes: lead, rate, probability }) => ({
        time: now + (lead - SCAN_AGE) * MINUTE,
        type: Number.isNaN(rate) ? ('no_coverage' as const) : rate >= WET_RATE ? ('rain' as const) : ('none' as const),
        rate: Number.isNaN(rate) ? undefined : rate,
        dbz: 0,
        probability: Number.isNaN(probability) ? undefined : 100 * probability,
      }))
      const scanTime = now - SCAN_AGE * MINUTE
      const own = rateOf(scan, x, y)
      const radar: RadarAtPoint = {
        coverage: own > 0 ? 'value' : 'dry',
        validTime: scanTime,
        scanTime,
        precipRate: own,
        precipType: own > 0 ? 'rain' : 'none',
        ...nothing,
      }
      const summary = summarise(
        points.map(({ time, type, rate }) => ({ time, type, rate: rate ?? 0 })),
        5,
        now,
      )
      const current: NowcastAtPoint = { anchor: scanTime, product: 'x', points, summary, warnings: [], freshness: [] }
      const nowcast = withNewestScan(current, radar, now)
      const scans = Array.from({ length: Math.ceil(phase / SCANS) }, (_, i) => SCANS * i - phase)
        .filter((minute) => minute <= -SCAN_AGE)
        .map((minute) => ({ time: now + minute * MINUTE, rate: rateOf(at(minute), x, y) }))
      for (const { name, late, dx, dy } of models) {
        const amounts = hours.map((span) => mean(span.map((minute) => rateOf(at(minute - late), x - dx, y - dy) || 0)))
        const alone = forecastOf(now, amounts)
        const blended = forecastOf(now, amounts)
        const at0 = { now, radar, nowcast, lightning: undefined, temperature: 290, humidity: 80, warnedStorm: false }
        blendNowcast(blended, presentWeather({ ...at0, forecast: blended }), nowcast, now, scans)
        for (const [row, truth] of truths.entries()) {
          const pair = nth(scores.get(name)!, row)
          const h = blended.first + row
          pair[0].add(nth(alone.columns.precip_probability, h), truth >= WET)
          pair[1].add(nth(blended.columns.precip_probability, h), truth >= WET)
        }
      }
    }
  }
  return scores
}

console.log(
  'hit rate, false alarm ratio, Brier score (less is better): the model alone → blended; gain: share of the Brier score',
)
const worst = { gain: Number.POSITIVE_INFINITY, what: '' }
const only = process.argv.find((text) => text.startsWith('--only='))?.slice(7)
for (const scene of scenes()) {
  if (only && !scene.name.includes(only)) continue
  console.log(`\n${scene.name}`)
  const total = new Map<string, [Score, Score][]>()
  for (const phase of PHASES) {
    for (const [name, rows] of scoresOf(scene, phase)) {
      const sums = total.get(name) ?? [0, 1].map((): [Score, Score] => [new Score(), new Score()])
      total.set(name, sums)
      for (const [row, pair] of rows.entries()) {
        for (const [i, score] of pair.entries()) {
          for (const key of ['hits', 'misses', 'falseAlarms', 'squares', 'count'] as const)
            nth(nth(sums, row), i)[key] += score[key]
        }
      }
    }
  }
  for (const [name, rows] of total) {
    for (const [row, [alone, blended]] of rows.entries()) {
      const gain = 1 - blended.brier / alone.brier
      if (name !== 'right' && gain < worst.gain)
        Object.assign(worst, { gain, what: `${scene.name}, ${name}, row ${row}` })
      console.log(
        `  model ${name.padEnd(42)} row ${row}: ${alone.text} → ${blended.text}  gain ${(100 * gain).toFixed(0).padStart(4)} %`,
      )
    }
  }
}
console.log(`\nleast gain over a wrong model: ${(100 * worst.gain).toFixed(1)} % (${worst.what})`)
process.exitCode = worst.gain < 0 ? 1 : 0

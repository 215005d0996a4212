/**
 * Measures the skill of nowcasts: CSI at 0.1, 1 and 5 mm/h for leads of 5 to 60 minutes on sequences with a known truth, compared with persistence and
 * (where Python with pysteps is installed) pysteps' extrapolation and S-PROG on the same frames; mean endpoint error of the motion too.
 *
 * npm run bench:nowcast -- [--python=PATH] [--grid=7000x3500] ['--only=NAME;…']
 * npm run bench:nowcast -- --scans=FOLDER [--grid=1000x800]     real scans of MRMS at intervals of two minutes, without pysteps
 */

import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { precipRateAt } from '../../infra/simulator/atmosphere.ts'
import { entryOf, nth } from '../../ingest/domain/nth.ts'
import { reflectivityOf, strengthOf } from '../../ingest/domain/weather/echo.ts'
import { displacements } from '../../ingest/nowcast/advection.ts'
import { type EchoChange, forecastRate } from '../../ingest/nowcast/change.ts'
import { countIn, decibelsOf, emptyHistogram } from '../../ingest/nowcast/decibels.ts'
import type { Image } from '../../ingest/nowcast/image.ts'
import { estimateMotion, type Motion } from '../../ingest/nowcast/motion.ts'
import { estimateScales } from '../../ingest/nowcast/scale-estimate.ts'
import { count, criticalSuccess, emptyTally } from '../../ingest/nowcast/skill.ts'
import { estimateTrend } from '../../ingest/nowcast/trend.ts'
import { recordedFrame } from './recorded-frame.ts'
import { recordedSequence } from './recorded-sequence.ts'
import { scenes } from './scenes.ts'
import { carry, type Flow, flows, type RateFrame, stormField } from './storms.ts'

const word = (name: string) => process.argv.find((text) => text.startsWith(`--${name}=`))?.slice(name.length + 3)
let [NX, NY] = [7000, 3500]
const only = word('only')?.split(';')
/** Recorded scans have even minutes, and steps of the motion five minutes. */
const LEADS = word('scans') ? [10, 20, 30, 40, 50] : [5, 10, 15, 20, 30, 45, 60]
const THRESHOLDS = [0.1, 1, 5]
/** Minutes of the input frames of motion, as the worker chooses them. */
const PAST = [-12, -6, 0]

interface Scenario {
  readonly name: string
  readonly at: (minute: number) => RateFrame
  readonly flow?: Flow
}

function scenarios(): Scenario[] {
  const list: Scenario[] = []
  const folder = word('scans')
  if (folder) {
    const { parts, at } = recordedSequence(resolve(folder), NX, NY)
    return parts.map((part) => ({ name: part.name, at: (minute) => at(part, minute) }))
  }
  const moved = (name: string, base: () => RateFrame | undefined, kind: string) => {
    if (only && !only.includes(name)) return
    const frame = base()
    const flow = entryOf(flows, kind)(NX, NY)
    if (frame) list.push({ name, flow, at: (minute) => carry(frame, flow, minute + 30) })
    else console.log(`${name}: skipped, the fixtures are not there (../shared/fixtures)`)
  }
  const composite = 'MRMS_MergedReflectivityQCComposite_00.50_20220704-110040.grib2'
  moved('composite, turning', () => recordedFrame(composite, NX, NY), 'turning')
  moved('composite, sheared', () => recordedFrame(composite, NX, NY), 'sheared')
  moved(
    'hour of rain, fast',
    () => recordedFrame('CONUS_MRMS_MultiSensor_QPE_01H_Pass2_00.00_20220809-150000.grib2.gz', NX, NY),
    'fast',
  )
  moved('storms, advecting', () => stormField(NX, NY, 7, false)(0), 'advecting')
  for (const kind of ['advecting', 'turning']) {
    const name = `growing and dying, ${kind}`
    if (only && !only.includes(name)) continue
    const field = stormField(NX, NY, 11, true)
    const flow = entryOf(flows, kind)(NX, NY)
    list.push({ name, flow, at: (minute) => carry(field(minute), flow, minute + 30) })
  }
  list.push(...scenes(NX, NY).filter(({ name }) => !only || only.includes(name)))
  if (!only || only.includes('simulator')) list.push({ name: 'simulator', at: simulated })
  return list
}

/** The simulator's own storms and fronts, on the box of CONUS. */
function simulated(minute: number): RateFrame {
  const time = Date.parse('2026-08-20T21:40:00Z') + minute * 60_000
  const values = new Float32Array(NX * NY)
  // Smooth on the scale of kilometres: every fourth point, the rest between them.
  const step = 4
  const columns = Math.ceil(NX / step) + 1
  const row = (j: number) =>
    Float32Array.from({ length: columns }, (_, i) =>
      precipRateAt(55 - j * (35 / NY), -130 + i * step * (70 / NX), time),
    )
  for (let top = 0; top < NY; top += step) {
    const [a, b] = [row(top), row(top + step)]
    for (let j = top; j < Math.min(NY, top + step); j++) {
      const py = (j - top) / step
      for (let i = 0; i < NX; i++) {
        const k = (i / step) | 0
        const px = (i - k * step) / step
        values[j * NX + i] =
          (1 - py) * ((1 - px) * nth(a, k) + px * nth(a, k + 1)) + py * ((1 - px) * nth(b, k) + px * nth(b, k + 1))
      }
    }
  }
  return { nx: NX, ny: NY, values: values.map((rate) => Math.round(rate * 10) / 10) }
}

function strengths({ nx, ny, values }: RateFrame): Image {
  const count = (nx >> 1) * (ny >> 1)
  const half = {
    nx: nx >> 1,
    ny: ny >> 1,
    values: new Float32Array(count),
    shrink: 2,
    unseen: new Uint8Array(count),
  }
  for (let j = 0; j < half.ny * 2; j++) {
    for (let i = 0; i < half.nx * 2; i++) {
      const rate = nth(values, j * nx + i)
      if (rate > 0)
        half.values[(j >> 1) * half.nx + (i >> 1)] =
          nth(half.values, (j >> 1) * half.nx + (i >> 1)) + 0.25 * strengthOf(reflectivityOf(rate))
      else if (Number.isNaN(rate)) half.unseen[(j >> 1) * half.nx + (i >> 1)] = 1
    }
  }
  return half
}

function decibelsIn({ values }: RateFrame): Float64Array {
  const histogram = emptyHistogram()
  for (const rate of values) if (!Number.isNaN(rate)) countIn(histogram, decibelsOf(rate))
  return histogram
}

interface Scored {
  /** CSI by threshold and lead. */
  readonly csi: number[][]
  /** Scores of the motion alone, without growth and decay. */
  readonly moved?: number[][]
  readonly smooth?: number[][]
  readonly error?: number
  readonly seconds?: number
}

/** Returns the CSI of forecasts by threshold and lead. */
function scored(
  scenario: Scenario,
  forecast: (lead: number) => Float32Array,
  truths: ReadonlyMap<number, RateFrame>,
): number[][] {
  const rows = THRESHOLDS.map((): number[] => [])
  for (const lead of LEADS) {
    const truth = truths.get(lead) ?? scenario.at(lead)
    const predicted = forecast(lead)
    const tallies = THRESHOLDS.map(emptyTally)
    for (let k = 0; k < predicted.length; k++) {
      const observed = nth(truth.values, k)
      if (Number.isNaN(observed)) continue
      for (let t = 0; t < THRESHOLDS.length; t++) {
        count(nth(tallies, t), nth(predicted, k) >= nth(THRESHOLDS, t), observed >= nth(THRESHOLDS, t))
      }
    }
    for (const [t, tally] of tallies.entries()) nth(rows, t).push(criticalSuccess(tally))
  }
  return rows
}

/** Returns the mean difference of two velocity fields over wet pixels, pixels a minute. */
function endpointError(
  anchor: RateFrame,
  flow: Flow,
  flowAt: (x: number, y: number) => readonly [number, number],
): number {
  let sum = 0
  let wet = 0
  for (let y = 0; y < anchor.ny; y += 4) {
    for (let x = 0; x < anchor.nx; x += 4) {
      if (!(nth(anchor.values, y * anchor.nx + x) >= 0.1)) continue
      const [u, v] = flow(x, y)
      const [a, b] = flowAt(x, y)
      sum += Math.hypot(a - u, b - v)
      wet++
    }
  }
  return sum / wet
}

function extrapolated({ nx, ny, values }: RateFrame, motion: Motion, change: EchoChange, lead: number) {
  const out = new Float32Array(nx * ny)
  const origin = displacements(motion, lead / 5)
  for (let j = 0; j < ny; j++) {
    for (let i = 0; i < nx; i++) {
      const { dx, dy } = origin(i, j)
      const [x, y] = [Math.round(i + dx), Math.round(j + dy)]
      const inside = x >= 0 && y >= 0 && x < nx && y < ny
      out[j * nx + i] = inside ? forecastRate(change, x, y, lead, nth(values, y * nx + x)) : Number.NaN
    }
  }
  return out
}

function ours(scenario: Scenario, past: readonly RateFrame[], truths: ReadonlyMap<number, RateFrame>): Scored {
  const anchor = nth(past, past.length - 1)
  const begun = process.cpuUsage().user
  const images = past.map((frame, k) => ({
    minutes: nth(PAST, k),
    image: strengths(frame),
    decibels: decibelsIn(frame),
  }))
  const motion = estimateMotion(images, { spacing: 32, limit: 5 })
  const trend = estimateTrend(images, motion)
  const scales = estimateScales(images, motion)
  const seconds = (process.cpuUsage().user - begun) / 1e6
  const forecast = (change: EchoChange) => (lead: number) => extrapolated(anchor, motion, change, lead)
  const csi = scored(scenario, forecast({ trend, scales }), truths)
  const moved = scored(scenario, forecast({}), truths)
  const error =
    scenario.flow &&
    endpointError(anchor, scenario.flow, (x, y) => {
      const k = Math.round(y / 32) * motion.nx + Math.round(x / 32)
      return [nth(motion.u, k), nth(motion.v, k)]
    })
  return { csi, moved, error, seconds }
}

function pystepsPython(): string | undefined {
  for (const python of word('python') === 'none' || word('scans') ? [] : [word('python'), 'python3']) {
    if (!python) continue
    try {
      execFileSync(python, ['-c', 'import pysteps, cv2'], { stdio: 'ignore' })
      return python
    } catch {
      // --only skips this scenario.
    }
  }
  return undefined
}

function pysteps(
  python: string,
  scenario: Scenario,
  past: readonly RateFrame[],
  truths: ReadonlyMap<number, RateFrame>,
): Scored {
  const folder = mkdtempSync(join(tmpdir(), 'hexcast-pysteps-'))
  try {
    for (const [k, frame] of past.entries())
      writeFileSync(join(folder, `frame-${k}.f32`), new Uint8Array(frame.values.buffer))
    const script = fileURLToPath(new URL('pysteps-oracle.py', import.meta.url))
    const begun = performance.now()
    execFileSync(
      python,
      [script, folder, ...[NX, NY, nth(PAST, 1) - nth(PAST, 0), PAST.length, 5, 12].map(String), 'sprog'],
      {
        stdio: ['ignore', 'ignore', 'inherit'],
      },
    )
    const seconds = (performance.now() - begun) / 1000
    const read = (name: string) => new Float32Array(readFileSync(join(folder, name)).buffer)
    const csi = scored(scenario, (lead) => read(`lead-${lead / 5}.f32`), truths)
    const smooth = scored(scenario, (lead) => read(`sprog-${lead / 5}.f32`), truths)
    const [u, v] = [read('motion-u.f32'), read('motion-v.f32')]
    const error =
      scenario.flow &&
      endpointError(nth(past, past.length - 1), scenario.flow, (x, y) => [nth(u, y * NX + x), nth(v, y * NX + x)])
    return { csi, smooth, error, seconds }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length
const cells = (values: readonly number[]): string => values.map((value) => value.toFixed(3).padStart(6)).join(' ')
const line = (name: string, csi: readonly number[]): void =>
  console.log(`    ${name.padEnd(12)} ${cells(csi)}   ${mean(csi).toFixed(3)}`)

interface Difference {
  readonly scenario: string
  readonly threshold: number
  readonly name: string
  readonly by: number
}

/** Scores every scenario on one grid. @returns leads not above persistence, and the differences to pysteps */
function judge(grid: string, python: string | undefined): { below: number; differences: readonly Difference[] } {
  ;[NX, NY] = grid.split('x').map(Number) as [number, number]
  console.log(`\ngrid ${NX} × ${NY}; frames at ${PAST.join(', ')} min; CSI by lead, then its mean over leads`)
  const differences: Difference[] = []
  let below = 0
  for (const scenario of scenarios()) {
    const past = PAST.map((minute) => scenario.at(minute))
    const anchor = nth(past, past.length - 1)
    const truths = new Map(LEADS.map((lead) => [lead, scenario.at(lead)]))
    const mine = ours(scenario, past, truths)
    const stands = scored(scenario, () => anchor.values, truths)
    const theirs = python ? pysteps(python, scenario, past, truths) : undefined
    console.log(`\n${scenario.name}`)
    const errors = [
      mine.error !== undefined && `hexcast ${mine.error.toFixed(4)}`,
      theirs?.error !== undefined && `pysteps ${theirs.error.toFixed(4)}`,
    ].filter(Boolean)
    if (errors.length > 0) console.log(`  motion, mean endpoint error (pixels a minute): ${errors.join(', ')}`)
    console.log(
      `  seconds: hexcast motion and trend ${mine.seconds!.toFixed(1)} of a processor${theirs ? `, pysteps motion, forecasts and S-PROG ${theirs.seconds!.toFixed(1)}` : ''}`,
    )
    THRESHOLDS.forEach((threshold, t) => {
      console.log(`  ${`${threshold} mm/h`.padEnd(14)} ${LEADS.map((lead) => `${lead}'`.padStart(6)).join(' ')}   mean`)
      line('hexcast', nth(mine.csi, t))
      if (mine.moved !== mine.csi) line('motion alone', nth(mine.moved!, t))
      line('persistence', nth(stands, t))
      if (theirs) {
        line('pysteps', nth(theirs.csi, t))
        line('S-PROG', nth(theirs.smooth!, t))
        for (const [name, other] of [
          ['pysteps', nth(theirs.csi, t)],
          ['S-PROG', nth(theirs.smooth!, t)],
        ] as const)
          differences.push({ scenario: scenario.name, threshold, name, by: mean(nth(mine.csi, t)) - mean(other) })
      }
      LEADS.forEach((lead, k) => {
        if (lead >= 10 && nth(nth(mine.csi, t), k) <= nth(nth(stands, t), k)) below++
      })
    })
  }
  return { below, differences }
}

const python = pystepsPython()
if (!python)
  console.log(
    'pysteps: not at hand (pip install pysteps opencv-python-headless in a venv, then --python=PATH): not compared',
  )
// On the full grid pysteps takes five minutes and 10 GB for a scenario, so it is compared on a part; everything else uses the whole grid.
const gridName = word('grid') ?? (word('scans') && '1000x800')
const full = gridName ? undefined : judge('7000x3500', undefined)
const part = gridName || python ? judge(gridName ?? '1000x800', python) : undefined
const below = (full?.below ?? 0) + (part?.below ?? 0)
console.log(`\nleads from 10 minutes not above persistence: ${below}`)
const differences = part?.differences ?? []
if (python) {
  for (const name of ['pysteps', 'S-PROG']) {
    const matching = differences.filter((difference) => difference.name === name)
    const signed = (by: number) => `${by >= 0 ? '+' : ''}${by.toFixed(3)}`
    const behind = matching.filter(({ by }) => by < -0.0005).sort((a, b) => a.by - b.by)
    console.log(
      `difference to ${name} in the mean over leads: ${signed(mean(matching.map(({ by }) => by).filter((by) => !Number.isNaN(by))))} on average`,
    )
    for (const { scenario, threshold, by } of behind)
      console.log(`  behind: ${scenario}, ${threshold} mm/h: ${signed(by)}`)
  }
}
process.exitCode = differences.some(({ by }) => by < -0.02) ? 1 : 0

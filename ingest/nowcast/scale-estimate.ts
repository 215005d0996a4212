import { nth } from '../domain/nth.ts'
import { originOf, STRETCH } from './advection.ts'
import { countIn, decibelsOfStrength, emptyHistogram, matchOf } from './decibels.ts'
import { halve, type Image } from './image.ts'
import type { Motion, MotionFrame } from './motion.ts'
import { HORIZON_MINUTES } from './point.ts'
import { SCALE_QUANTUM, type ScaleLead, type Scales } from './scales.ts'

/** Number of halvings of the image that separate the scales: nodes are 8 frame pixels apart for an image pixel of 2. */
const HALVINGS = 2
/**
 * Every n-th pixel of the image in each direction takes part in the correlations. The distributions need all pixels,
 * because strong echo is rare.
 */
const SPARSE = 3
/** Correlations outside of these bounds come from images with hardly any echo. */
const [MOST, LEAST] = [0.9999, 0.05]

/**
 * Weight of the autoregressive process; the rest is persistence. A weight of one half gains more in lasting rain
 * (mountains +0.05 at 5 mm/h) and loses more in showers that live for half an hour.
 */
const MOMENTUM = 0.35

interface ScaleParts {
  readonly full: Image
  readonly smooth: Image
}

/**
 * Estimates the change of echoes by scale over three frames. The smooth part is forecast as the weighted mean of
 * persistence and of an autoregressive process of second order (as in S-PROG: Seed 2003), whose parameters are the
 * correlations of the frames along the motion. Persistence is the ratio of the correlations over the whole and over
 * half of the time, so that the effect of resampling on both does not count as change.
 * @returns undefined with fewer than three frames, on frames of less than 16 pixels a side, or without echoes that
 * persist
 */
export function estimateScales(frames: readonly MotionFrame[], motion: Motion): Scales | undefined {
  const ordered = [...frames].sort((a, b) => a.minutes - b.minutes).slice(-3)
  if (ordered.length < 3) return undefined
  const [oldest, middle, anchor] = ordered.map(({ image }) => partsOf(image)) as [ScaleParts, ScaleParts, ScaleParts]
  if (anchor.smooth.nx < 2 || anchor.smooth.ny < 2) return undefined
  const [t2, t1] = [-nth(ordered, 0).minutes, -nth(ordered, 1).minutes]
  const places = [originOf(motion, t1), originOf(motion, t2)] as const
  const before = moved(anchor.smooth, middle.smooth, places[0])
  const twice = moved(anchor.smooth, oldest.smooth, places[1])
  const smooth = [
    correlation(anchor.smooth.values, before, anchor.smooth.unseen),
    correlation(anchor.smooth.values, twice, anchor.smooth.unseen),
  ] as const
  const fine = fineCorrelations(anchor, [middle, oldest], places)
  if (!(smooth[0] > LEAST) || !(smooth[1] > LEAST)) return undefined
  // The estimate needs two equal steps; frames come at almost equal intervals.
  const step = t2 / 2
  const weights = leadWeights(fine, smooth, step)
  const differences = before.map((value, k) => value - anchor.smooth.values[k]!)
  const quantized = { ...anchor.smooth, values: anchor.smooth.values.map((value) => value / SCALE_QUANTUM) }
  const matchings = matchAll(anchor, differences, weights)
  return {
    nx: quantized.nx,
    ny: quantized.ny,
    spacing: quantized.shrink,
    smooth: Uint8Array.from(quantized.values, (value) => Math.min(255, Math.round(value))),
    before: Int8Array.from(differences, (value) => Math.max(-127, Math.min(127, Math.round(value / SCALE_QUANTUM)))),
    leads: weights.map((weight, k) => ({ ...weight, matching: nth(matchings, k) })),
  }
}

function partsOf({ values, ...image }: Image): ScaleParts {
  const full: Image = { ...image, values: values.map(decibelsOfStrength) }
  let smooth = full
  for (let k = 0; k < HALVINGS; k++) smooth = halve(smooth)
  return { full, smooth }
}

type WindowOrigin = ReturnType<typeof originOf>

/** The value at a position in pixels of the image, bilinear; undefined outside the image and without coverage. */
function valueAt({ nx, ny, values, unseen }: Image, x: number, y: number): number | undefined {
  if (!(x >= 0 && y >= 0 && x < nx - 1 && y < ny - 1)) return undefined
  const [i, j] = [x | 0, y | 0]
  const k = j * nx + i
  if (unseen && unseen[k]! | unseen[k + 1]! | unseen[k + nx]! | unseen[k + nx + 1]!) return undefined
  const [p, q] = [x - i, y - j]
  return (
    (1 - q) * ((1 - p) * values[k]! + p * values[k + 1]!) + q * ((1 - p) * values[k + nx]! + p * values[k + nx + 1]!)
  )
}

/**
 * An earlier smooth part at the origins of the anchor's nodes; without coverage there, the smooth part of the anchor.
 */
function moved(anchor: Image, earlier: Image, origin: WindowOrigin): Float32Array {
  const { nx, ny, shrink, values } = anchor
  const out = new Float32Array(nx * ny)
  for (let j = 0; j < ny; j++) {
    for (let i = 0; i < nx; i++) {
      const { dx, dy } = origin((i + 0.5) * shrink - 0.5, (j + 0.5) * shrink - 0.5)
      out[j * nx + i] = valueAt(earlier, i + dx / shrink, j + dy / shrink) ?? values[j * nx + i]!
    }
  }
  return out
}

/** Pearson's correlation, of pairs added in sequence. */
class Pairs {
  private n = 0
  private a = 0
  private b = 0
  private aa = 0
  private bb = 0
  private ab = 0

  add(a: number, b: number): void {
    this.n++
    this.a += a
    this.b += b
    this.aa += a * a
    this.bb += b * b
    this.ab += a * b
  }

  /** NaN without variance. */
  get correlation(): number {
    const { n, a, b } = this
    return (this.ab - (a * b) / n) / Math.sqrt((this.aa - (a * a) / n) * (this.bb - (b * b) / n))
  }
}

function correlation(a: Float32Array, b: Float32Array, unseen: Uint8Array | undefined): number {
  const pairs = new Pairs()
  for (let k = 0; k < a.length; k++) if (!unseen?.[k]) pairs.add(a[k]!, b[k]!)
  return pairs.correlation
}

/** Smooth part at a pixel of the whole image, bilinear; beyond the edge the value at the edge. */
function smoothAt({ full, smooth }: ScaleParts, x: number, y: number): number {
  const { nx, ny, values } = smooth
  const ratio = full.shrink / smooth.shrink
  const fx = Math.min(Math.max((x + 0.5) * ratio - 0.5, 0), nx - 1.001)
  const fy = Math.min(Math.max((y + 0.5) * ratio - 0.5, 0), ny - 1.001)
  const k = (fy | 0) * nx + (fx | 0)
  const [a, b, c, d] = [values[k]!, values[k + 1]!, values[k + nx]!, values[k + nx + 1]!]
  if (a === 0 && b === 0 && c === 0 && d === 0) return 0
  const [p, q] = [fx - (fx | 0), fy - (fy | 0)]
  return (1 - q) * ((1 - p) * a + p * b) + q * ((1 - p) * c + p * d)
}

/** Correlations of the small scales of the anchor with those of two earlier frames along the motion. */
function fineCorrelations(
  anchor: ScaleParts,
  earlier: readonly ScaleParts[],
  places: readonly WindowOrigin[],
): [number, number] {
  const { nx, ny, shrink, values, unseen } = anchor.full
  const all = earlier.map(() => new Pairs())
  for (let j = 0; j < ny; j += SPARSE) {
    for (let i = 0; i < nx; i += SPARSE) {
      if (unseen?.[j * nx + i]) continue
      const here = values[j * nx + i]! - smoothAt(anchor, i, j)
      for (let k = 0; k < earlier.length; k++) {
        const { dx, dy } = nth(places, k)((i + 0.5) * shrink - 0.5, (j + 0.5) * shrink - 0.5)
        const [x, y] = [i + dx / shrink, j + dy / shrink]
        const there = valueAt(nth(earlier, k).full, x, y)
        if (there === undefined) continue
        nth(all, k).add(here, there - smoothAt(nth(earlier, k), x, y))
      }
    }
  }
  return all.map((pairs) => pairs.correlation) as [number, number]
}

/** Coefficients of x(0) and x(−1) in the forecast of x(k), k = 0, 1, …, of the process with these autocorrelations at lags 1 and 2. */
export function autoregression(lag1: number, lag2: number, steps: number): { now: number[]; before: number[] } {
  const r1 = Math.min(MOST, Math.max(0, lag1))
  // Below this bound the process oscillates and decaying echoes would grow again (its characteristic polynomial has a
  // double root at the bound).
  const root = r1 > 0 ? (1 - Math.sqrt(1 - r1 * r1)) / r1 : 0
  const r2 = Math.min(MOST, Math.max(lag2, 2 * root * r1 - root * root))
  const first = (r1 * (1 - r2)) / (1 - r1 * r1)
  const second = (r2 - r1 * r1) / (1 - r1 * r1)
  const [now, before] = [
    [0, 1],
    [1, 0],
  ]
  for (let k = 2; k <= steps + 1; k++) {
    now.push(first * nth(now, k - 1) + second * nth(now, k - 2))
    before.push(first * nth(before, k - 1) + second * nth(before, k - 2))
  }
  return { now: now.slice(1), before: before.slice(1) }
}

type Weights = Omit<ScaleLead, 'matching'>

function leadWeights(fine: readonly [number, number], smooth: readonly [number, number], step: number): Weights[] {
  const ratio = ([lag1, lag2]: readonly [number, number]) =>
    Math.min(1, Math.max(LEAST, lag1 > LEAST ? lag2 / lag1 : LEAST))
  const [small, large] = [ratio(fine), ratio(smooth)]
  const count = Math.ceil(HORIZON_MINUTES / step) + 1
  const { now, before } = autoregression(smooth[0], smooth[1], count)
  return Array.from({ length: Math.ceil(HORIZON_MINUTES / STRETCH) }, (_, k) => {
    const steps = (STRETCH * (k + 1)) / step
    const wholeSteps = Math.floor(steps)
    const at = (list: readonly number[]) =>
      nth(list, wholeSteps) + (steps - wholeSteps) * (nth(list, wholeSteps + 1) - nth(list, wholeSteps))
    // The square root of persistence: halfway, in decibels, between what is visible and what correlates.
    const remaining = large ** (steps / 2)
    const carried = MOMENTUM * at(now) + (1 - MOMENTUM) * remaining
    const change = MOMENTUM * at(before)
    return { fine: small ** (steps / 2), smooth: carried + change, before: change }
  })
}

/** For each lead: the sums that correspond to levels of decibels. */
function matchAll({ full, smooth }: ScaleParts, differences: Float32Array, weights: readonly Weights[]) {
  const { nx, ny, values, unseen } = full
  const parts: ScaleParts = { full, smooth }
  const sums = weights.map(emptyHistogram)
  const observation = emptyHistogram()
  const change: ScaleParts = { full, smooth: { ...smooth, values: differences } }
  for (let j = 0; j < ny; j++) {
    for (let i = 0; i < nx; i++) {
      if (unseen?.[j * nx + i]) continue
      const decibels = values[j * nx + i]!
      const large = smoothAt(parts, i, j)
      countIn(observation, decibels)
      if (large === 0 && decibels === 0) continue
      const changed = smoothAt(change, i, j)
      for (let k = 0; k < weights.length; k++) {
        const weight = nth(weights, k)
        countIn(nth(sums, k), weight.fine * (decibels - large) + weight.smooth * large + weight.before * changed)
      }
    }
  }
  return sums.map((histogram) => matchOf(histogram, observation))
}

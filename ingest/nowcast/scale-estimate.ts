import { nth } from '../domain/nth.ts'
import { originOf, STRETCH } from './advection.ts'
import { countIn, decibelsOfEmphasis, decibelsOfStrength, emphasize, emptyHistogram, matchOf } from './decibels.ts'
import { halve, type Image } from './image.ts'
import type { Motion, MotionFrame } from './motion.ts'
import { HORIZON_MINUTES } from './point.ts'
import { SCALE_QUANTUM, type ScaleLead, type Scales } from './scales.ts'

/** Numbers of halvings of the image that make the levels: nodes are 4 and 16 frame pixels apart for an image pixel of 2. */
const HALVINGS = [1, 3]
/**
 * Every n-th pixel of the image in each direction takes part in the correlations. The distributions need all pixels,
 * because strong echo is rare.
 */
const SPARSE = 3
/** Correlations outside of these bounds come from images with hardly any echo. */
const [MOST, LEAST] = [0.9999, 0.05]

/** Weight of the autoregressive process in the forecast of a level. The rest of the weight is that of persistence. */
const MOMENTUM = 0.5

/**
 * Exponents of persistence, of structure below the finest level and of the levels. The persistence over the frames
 * overestimates that of fine structure at leads, because the motion was fitted to the same frames: in sequences of five
 * radar networks its best factor was about the power of 1.7. Levels fade less, because what remains visible counts.
 */
const [FINE_POWER, LEVEL_POWER] = [1.7, 0.7]

interface ScaleParts {
  readonly full: Image
  /** From fine to coarse. */
  readonly levels: readonly Image[]
}

/**
 * Estimates the change of echoes by scale over three frames. Each level is forecast as the weighted mean of
 * persistence and of an autoregressive process of second order (as in S-PROG: Seed 2003), whose parameters are the
 * correlations of the frames along the motion. Persistence is the ratio of the correlations over the whole and over
 * half of the time, so that the effect of resampling on both does not count as change.
 * @returns undefined with fewer than three frames, on frames of less than 64 pixels a side, or without echoes that
 * persist
 */
export function estimateScales(frames: readonly MotionFrame[], motion: Motion): Scales | undefined {
  const ordered = [...frames].sort((a, b) => a.minutes - b.minutes).slice(-3)
  if (ordered.length < 3) return undefined
  const [oldest, middle, anchor] = ordered.map(({ image }) => partsOf(image)) as [ScaleParts, ScaleParts, ScaleParts]
  const coarsest = nth(anchor.levels, anchor.levels.length - 1)
  if (coarsest.nx < 2 || coarsest.ny < 2) return undefined
  const [t2, t1] = [-nth(ordered, 0).minutes, -nth(ordered, 1).minutes]
  const places = [originOf(motion, t1), originOf(motion, t2)] as const
  const [before, twice] = [middle, oldest].map(({ levels }, k) =>
    levels.map((level, l) => moved(nth(anchor.levels, l), level, nth(places, k))),
  ) as [Image[], Image[]]
  const coarse = anchor.levels.map((_, l) => levelCorrelations(anchor.levels, [before, twice], l))
  if (!(nth(coarse, 0)[0] > LEAST) || !(nth(coarse, 0)[1] > LEAST)) return undefined
  const fine = fineCorrelations(anchor, [middle, oldest], places)
  // The estimate needs two equal steps; frames come at almost equal intervals.
  const weights = leadWeights(fine, coarse, t2 / 2)
  const differences = before.map(({ values, ...grid }, l): Image => {
    const level = nth(anchor.levels, l)
    return { ...grid, values: values.map((value, k) => value - level.values[k]!) }
  })
  const matchings = matchAll(anchor, differences, weights, nth(ordered, 2).decibels)
  return {
    levels: anchor.levels.map(({ nx, ny, shrink, values }, l) => ({
      ...{ nx, ny, spacing: shrink },
      smooth: Uint8Array.from(values, (value) => Math.min(255, Math.round(value / SCALE_QUANTUM))),
      before: Int8Array.from(nth(differences, l).values, (value) =>
        Math.max(-127, Math.min(127, Math.round(value / SCALE_QUANTUM))),
      ),
    })),
    leads: weights.map((weight, k) => ({ ...weight, matching: nth(matchings, k) })),
  }
}

function partsOf({ values, ...image }: Image): ScaleParts {
  const full: Image = { ...image, values: values.map((strength) => emphasize(decibelsOfStrength(strength))) }
  const all = [full]
  for (let k = 0; k < Math.max(...HALVINGS); k++) all.push(halve(nth(all, k)))
  return { full, levels: HALVINGS.map((halvings) => nth(all, halvings)) }
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
 * An earlier level at the origins of the anchor's nodes; without coverage there, the level of the anchor.
 */
function moved(anchor: Image, earlier: Image, origin: WindowOrigin): Image {
  const { nx, ny, shrink, values } = anchor
  const out = new Float32Array(nx * ny)
  for (let j = 0; j < ny; j++) {
    for (let i = 0; i < nx; i++) {
      const { dx, dy } = origin((i + 0.5) * shrink - 0.5, (j + 0.5) * shrink - 0.5)
      out[j * nx + i] = valueAt(earlier, i + dx / shrink, j + dy / shrink) ?? values[j * nx + i]!
    }
  }
  return { ...anchor, values: out }
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

/** Correlations of a level, without the part that the next level has, of the anchor with two earlier frames. */
function levelCorrelations(
  levels: readonly Image[],
  earlier: readonly (readonly Image[])[],
  l: number,
): [number, number] {
  const { nx, ny, shrink, values, unseen } = nth(levels, l)
  const all = earlier.map(() => new Pairs())
  for (let j = 0; j < ny; j++) {
    for (let i = 0; i < nx; i++) {
      const k = j * nx + i
      if (unseen?.[k]) continue
      const [x, y] = [(i + 0.5) * shrink - 0.5, (j + 0.5) * shrink - 0.5]
      const here = values[k]! - levelAt(levels[l + 1], x, y)
      for (let e = 0; e < earlier.length; e++)
        all[e]!.add(here, earlier[e]![l]!.values[k]! - levelAt(earlier[e]![l + 1], x, y))
    }
  }
  return all.map((pairs) => pairs.correlation) as [number, number]
}

/** Returns the value of a level at a pixel of the frame, interpolated between nodes; 0 if there is no level. */
function levelAt(level: Image | undefined, x: number, y: number): number {
  if (!level) return 0
  const { nx, ny, values, shrink } = level
  const fx = Math.min(Math.max((x + 0.5) / shrink - 0.5, 0), nx - 1.001)
  const fy = Math.min(Math.max((y + 0.5) / shrink - 0.5, 0), ny - 1.001)
  const k = (fy | 0) * nx + (fx | 0)
  const [a, b, c, d] = [values[k]!, values[k + 1]!, values[k + nx]!, values[k + nx + 1]!]
  if (a === 0 && b === 0 && c === 0 && d === 0) return 0
  const [p, q] = [fx - (fx | 0), fy - (fy | 0)]
  return (1 - q) * ((1 - p) * a + p * b) + q * ((1 - p) * c + p * d)
}

/** Correlations of the structure below the finest level of the anchor with that of two earlier frames along the motion. */
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
      const [x, y] = [(i + 0.5) * shrink - 0.5, (j + 0.5) * shrink - 0.5]
      const here = values[j * nx + i]! - levelAt(anchor.levels[0], x, y)
      for (let k = 0; k < earlier.length; k++) {
        const { dx, dy } = nth(places, k)(x, y)
        const there = valueAt(nth(earlier, k).full, i + dx / shrink, j + dy / shrink)
        if (there === undefined) continue
        nth(all, k).add(here, there - levelAt(nth(earlier, k).levels[0], x + dx, y + dy))
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

function leadWeights(
  fine: readonly [number, number],
  levels: readonly (readonly [number, number])[],
  step: number,
): Weights[] {
  const count = Math.ceil(HORIZON_MINUTES / step) + 1
  const processes = levels.map((lags) => ({ lags, ...autoregression(lags[0], lags[1], count) }))
  return Array.from({ length: Math.ceil(HORIZON_MINUTES / STRETCH) }, (_, k) => {
    const steps = (STRETCH * (k + 1)) / step
    const wholeSteps = Math.floor(steps)
    const at = (list: readonly number[]) =>
      nth(list, wholeSteps) + (steps - wholeSteps) * (nth(list, wholeSteps + 1) - nth(list, wholeSteps))
    const pixel = persistence(fine) ** (FINE_POWER * steps)
    const factors = processes.map(({ lags, now, before }) => {
      const carried = MOMENTUM * at(now) + (1 - MOMENTUM) * persistence(lags) ** (LEVEL_POWER * steps)
      const change = MOMENTUM * at(before)
      return { smooth: carried + change, before: change }
    })
    // A band is a level minus the next coarser level, and a factor belongs to a band.
    return {
      fine: pixel,
      smooth: factors.map(({ smooth }, l) => smooth - (factors[l - 1]?.smooth ?? pixel)),
      before: factors.map(({ before }, l) => before - (factors[l - 1]?.before ?? 0)),
    }
  })
}

/** Returns the share of the structure of one size that is still there after one interval between scans. */
const persistence = ([lag1, lag2]: readonly [number, number]): number =>
  Math.min(1, Math.max(LEAST, lag1 > LEAST ? lag2 / lag1 : LEAST))

/**
 * For each lead: the sums that correspond to levels of decibels. The image has less dry and less heavy rain than the
 * frame, of which it is a mean. Sums of means alone (`fine` is 0) are matched with the frame, sums of pixels with the
 * image.
 * @param frame histogram of the decibels of the frame
 */
function matchAll(
  { full, levels }: ScaleParts,
  differences: readonly Image[],
  weights: readonly Weights[],
  frame: Float64Array | undefined,
) {
  const { nx, ny, shrink, values, unseen } = full
  const sums = weights.map(emptyHistogram)
  const observation = emptyHistogram()
  const [means, changes] = [new Float64Array(levels.length), new Float64Array(levels.length)]
  for (let j = 0; j < ny; j++) {
    for (let i = 0; i < nx; i++) {
      if (unseen?.[j * nx + i]) continue
      const here = values[j * nx + i]!
      countIn(observation, decibelsOfEmphasis(here))
      const [x, y] = [(i + 0.5) * shrink - 0.5, (j + 0.5) * shrink - 0.5]
      means[0] = levelAt(levels[0], x, y)
      if (means[0] === 0 && here === 0) continue
      for (let l = 0; l < levels.length; l++) {
        if (l > 0) means[l] = levelAt(levels[l], x, y)
        changes[l] = levelAt(differences[l], x, y)
      }
      for (let k = 0; k < weights.length; k++) {
        const { fine, smooth, before } = weights[k]!
        let sum = fine * here
        for (let l = 0; l < levels.length; l++) sum += smooth[l]! * means[l]! + before[l]! * changes[l]!
        countIn(sums[k]!, sum)
      }
    }
  }
  if (!frame) return sums.map((histogram) => matchOf(histogram, observation))
  const total = (histogram: Float64Array) => histogram.reduce((sum, value) => sum + value, 0)
  const ratio = total(observation) / total(frame)
  const scaled = frame.map((count) => count * ratio)
  return sums.map((histogram, k) => {
    const [ofImage, ofFrame] = [matchOf(histogram, observation), matchOf(histogram, scaled)]
    const { fine } = nth(weights, k)
    return ofFrame.map((sum, level) => Math.round(1000 * (sum + fine * ((ofImage[level] ?? sum) - sum))) / 1000)
  })
}

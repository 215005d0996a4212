import { type Variable, variable } from '../dataset/variable.ts'
import { HOUR, type Instant } from '../time.ts'

/** The mean over all cells of a domain of one variable at one valid time. */
export interface Mean {
  readonly time: Instant
  readonly mean: number
  /** Of an earlier run: the run before had lost the variable. */
  readonly carried?: boolean
}

/** By variable. */
export type Means = ReadonlyMap<string, readonly Mean[]>

/**
 * How far the mean over a domain may be from that of the run before. Run to run it moves by some percent; another unit moves it by more:
 * knots in place of m/s by 1.94, feet in place of metres by 3.28, a fraction in place of percent by 100.
 */
type Bound =
  | { readonly difference: number }
  /** `calm` is added to both, so that nearly nothing and nothing are alike. */
  | { readonly factor: number; readonly calm: number }

const BOUNDS: Readonly<Partial<Record<Variable['unit'], Bound>>> = {
  K: { difference: 8 },
  Pa: { difference: 1500 },
  'm/s': { factor: 1.6, calm: 0.5 },
  m: { factor: 2.5, calm: 300 },
  mm: { factor: 15, calm: 0.2 },
  '%': { factor: 12, calm: 1.5 },
  'W/m2': { factor: 8, calm: 20 },
  'J/kg': { factor: 20, calm: 20 },
}

/** An analysis is compared with the one before: a mean moves little within so long. */
const MAX_APART_MS = 1.5 * HOUR
/** A variable that is lost is compared with the last good analysis for so long; then the new level is taken for right. */
const MAX_CARRIED_MS = 6 * HOUR
/** Ground moves by nothing. */
const TERRAIN: Bound = { factor: 1.2, calm: 20 }

/** Why a mean is unlike those of the run before at nearly the same time; undefined where it is like them, or nothing is known. */
export function changeOf(name: string, { time, mean }: Mean, before: readonly Mean[]): string | undefined {
  const row = variable(name)
  const bound = name === 'terrain_height' ? TERRAIN : name.endsWith('_stddev') ? undefined : BOUNDS[row.unit]
  let nearest: Mean | undefined
  for (const one of before) {
    const apart = Math.abs(one.time - time)
    if (apart <= (one.carried ? MAX_CARRIED_MS : MAX_APART_MS) && (!nearest || apart < Math.abs(nearest.time - time)))
      nearest = one
  }
  // The sun moves the mean of radiation from hour to hour.
  if (row.unit === 'W/m2' && nearest?.time !== time) return undefined
  if (!bound || !nearest || !Number.isFinite(mean) || !Number.isFinite(nearest.mean)) return undefined
  const far =
    'difference' in bound
      ? Math.abs(mean - nearest.mean) > bound.difference
      : ratio(mean + bound.calm, nearest.mean + bound.calm) > bound.factor
  if (!far) return undefined
  return `wanted a mean like that of the run before, ${nearest.mean.toPrecision(4)} ${row.unit}, got ${mean.toPrecision(4)}`
}

/** What the next run is compared with: this run's means, and where it lost a variable those that it was compared with itself. */
export function meansToKeep(own: Means, before: Means, lost: ReadonlySet<string>): Means {
  const kept = new Map(own)
  for (const name of lost) {
    const good = before.get(name)
    if (good) kept.set(name, [...(own.get(name) ?? []), ...good.map((one) => ({ ...one, carried: true }))])
  }
  return kept
}

function ratio(a: number, b: number): number {
  return a <= 0 || b <= 0 ? Number.POSITIVE_INFINITY : Math.max(a / b, b / a)
}

import { type Variable, variable } from '../dataset/variable.ts'
import { HOUR, type Instant } from '../time.ts'

/** The mean of a variable over all cells of a domain at one valid time. */
export interface Mean {
  readonly time: Instant
  readonly mean: number
  /** Whether the mean comes from an earlier run, because the previous run lacked the variable. */
  readonly carried?: boolean
}

/** Means by variable. */
export type Means = ReadonlyMap<string, readonly Mean[]>

/**
 * Maximum change between the means of consecutive runs. From run to run the mean changes by a few percent. Another unit changes it by more:
 * knots instead of m/s by 1.94, feet instead of metres by 3.28, a fraction instead of percent by 100.
 */
type Bound =
  | { readonly difference: number }
  /** `calm` is added to both means, so that tiny and zero means are alike. */
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

/** Maximum time between two analyses that are compared, because within it a mean changes little. */
const MAX_APART_MS = 1.5 * HOUR
/** Time for which a rejected variable is compared with the last good analysis. After it, the new level is accepted. */
const MAX_CARRIED_MS = 6 * HOUR
/** The ground height does not change. */
const TERRAIN: Bound = { factor: 1.2, calm: 20 }

/** Returns why a mean differs from the previous run at nearly the same time; undefined if it does not, or if there is no previous mean. */
export function changeOf(name: string, { time, mean }: Mean, before: readonly Mean[]): string | undefined {
  const row = variable(name)
  const bound = name === 'terrain_height' ? TERRAIN : name.endsWith('_stddev') ? undefined : BOUNDS[row.unit]
  let nearest: Mean | undefined
  for (const earlier of before) {
    const apart = Math.abs(earlier.time - time)
    if (
      apart <= (earlier.carried ? MAX_CARRIED_MS : MAX_APART_MS) &&
      (!nearest || apart < Math.abs(nearest.time - time))
    )
      nearest = earlier
  }
  // The mean of radiation changes with the sun from hour to hour.
  if (row.unit === 'W/m2' && nearest?.time !== time) return undefined
  if (!bound || !nearest || !Number.isFinite(mean) || !Number.isFinite(nearest.mean)) return undefined
  const far =
    'difference' in bound
      ? Math.abs(mean - nearest.mean) > bound.difference
      : ratio(mean + bound.calm, nearest.mean + bound.calm) > bound.factor
  if (!far) return undefined
  return `the mean must be near that of the previous run, ${nearest.mean.toPrecision(4)} ${row.unit}, but is ${mean.toPrecision(4)}`
}

/**
 * Returns the means for the comparison with the next run: this run's means, and for rejected variables the means with which they were
 * compared.
 */
export function meansToKeep(own: Means, before: Means, lost: ReadonlySet<string>): Means {
  const means = new Map(own)
  for (const name of lost) {
    const good = before.get(name)
    if (good) means.set(name, [...(own.get(name) ?? []), ...good.map((earlier) => ({ ...earlier, carried: true }))])
  }
  return means
}

function ratio(a: number, b: number): number {
  return a <= 0 || b <= 0 ? Number.POSITIVE_INFINITY : Math.max(a / b, b / a)
}

import { variable } from '../dataset/variable.ts'
import type { DomainId } from '../domain.ts'
import { HOUR, type Instant } from '../time.ts'
import type { Mean } from './run-change.ts'

/** An amount whose mean over all cells cannot be right. */
export interface UnlikelyAmount {
  readonly time: Instant
  /** Whether it differs from the run before; otherwise it differs from the hours beside it. */
  readonly isJump: boolean
  readonly detail: string
}

/**
 * Means that differ by this factor are not of one weather. The mean over the 48 contiguous states is a water balance and moves slowly:
 * they have 29.94 inches a year (NCEI, mean of the 20th century), 0.09 mm in an hour, and in their wettest month on record 4.36 inches (May 2015,
 * NCEI's national climate report), 0.15 mm in an hour. Hawaii is the size of one storm, and its mean can grow by more within hours. A storm
 * that multiplies the mean is in the hours beside it, in the run before and in other models too, at most some hours earlier or later. Wrong
 * units and scales give factors of 10, 25.4 or 1000.
 */
const FACTOR = 4
/** The factor where only the hours beside it can be compared. */
const FACTOR_OF_HOURS = 6
/** Is added to both means, so that showers over a domain that is otherwise dry are no reason; in Hawaii one shower counts for more. mm */
const CALM: Readonly<Record<DomainId, number>> = { conus: 0.02, alaska: 0.02, hawaii: 0.05 }
/** Hours that are further apart are not compared with each other. */
const MAX_STEP_MS = 6 * HOUR

/** Returns whether a variable is an amount or rate of water, snow or ice. */
export const isWater = (name: string): boolean => variable(name).unit === 'mm'

/** What the mean of an hour is compared with. Each list is empty if there is nothing to compare. */
interface References {
  readonly before: readonly number[]
  readonly others: readonly number[]
  readonly beside: readonly number[]
}

/**
 * Returns the hours of an amount whose mean cannot be right. An hour is doubted only if everything that it can be compared with disagrees:
 * the run before and other models from one hour of the series before it to one hour after it, because runs differ in the time of a storm, and
 * the hours beside it. Where these hours agree with it, the whole series must differ from the run before by as much.
 * @param series means of the run by ascending time
 * @param before means of the run before
 * @param others means of the same variable in the served runs of other models
 */
export function unlikelyAmounts(
  name: string,
  domain: DomainId,
  series: readonly Mean[],
  before: readonly Mean[],
  others: readonly (readonly Mean[])[],
): UnlikelyAmount[] {
  if (!isWater(name)) return []
  const calm = CALM[domain]
  const known = series.filter(({ mean }) => Number.isFinite(mean))
  const isScaled = differsAsWhole(known, before, calm)
  return known.flatMap((own, at) => {
    const near = [known[at - 1], known[at + 1]].flatMap((hour) =>
      hour && Math.abs(hour.time - own.time) <= MAX_STEP_MS ? hour : [],
    )
    const step = Math.min(MAX_STEP_MS, ...near.map(({ time }) => Math.abs(time - own.time)))
    const references: References = {
      before: around(before, own.time, step),
      others: others.flatMap((means) => around(means, own.time, step)),
      beside: near.map(({ mean }) => mean),
    }
    if (!isUnlikely(own.mean, references, isScaled, calm)) return []
    return [{ time: own.time, isJump: references.before.length > 0, detail: detailOf(own.mean, references) }]
  })
}

function isUnlikely(mean: number, { before, others, beside }: References, isScaled: boolean, calm: number): boolean {
  const differsFromAll = (means: readonly number[], factor = FACTOR) =>
    means.every((other) => ratio(mean, other, calm) > factor)
  if (!differsFromAll(before) || !differsFromAll(others)) return false
  const differsFromHours = beside.length > 0 && differsFromAll(beside)
  if (before.length > 0) return differsFromHours || isScaled
  if (others.length > 0) return differsFromHours
  return beside.length === 2 && differsFromAll(beside, FACTOR_OF_HOURS)
}

/** Whether the sum over the hours that both runs have differs: the whole run is scaled. */
function differsAsWhole(series: readonly Mean[], before: readonly Mean[], calm: number): boolean {
  let [own, other, hours] = [0, 0, 0]
  for (const { time, mean } of series) {
    const [known] = around(before, time, 0)
    if (known === undefined) continue
    own += mean
    other += known
    hours++
  }
  return hours > 0 && ratio(own / hours, other / hours, calm) > FACTOR
}

/**
 * Returns the means from `step` before to `step` after a time; none if there is none at the time itself. Means that were carried over from an
 * earlier run are not compared: a level that is really new costs one run.
 */
function around(means: readonly Mean[], time: Instant, step: number): number[] {
  const known = means.filter(({ mean, carried }) => !carried && Number.isFinite(mean))
  if (!known.some((one) => one.time === time)) return []
  return known.flatMap((one) => (Math.abs(one.time - time) <= step ? one.mean : []))
}

function ratio(one: number, other: number, calm: number): number {
  const [a, b] = [one + calm, other + calm]
  return Math.max(a / b, b / a)
}

function detailOf(mean: number, { before, others, beside }: References): string {
  const list = (means: readonly number[]) => {
    const [least, most] = [Math.min(...means).toPrecision(3), Math.max(...means).toPrecision(3)]
    return least === most ? least : `${least} to ${most}`
  }
  const parts = [
    ...(before.length > 0 ? [`${list(before)} mm in the run before`] : []),
    ...(others.length > 0 ? [`${list(others)} mm in other models`] : []),
    ...(beside.length > 0 ? [`${list(beside)} mm in the hours beside it`] : []),
  ]
  return `the mean over all cells is ${mean.toPrecision(3)} mm, but ${parts.join(', ')}`
}

import { variable } from '../dataset/variable.ts'
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
 * Means that differ by this factor are not of one weather. The mean over a domain is a water balance and moves slowly: the 48 contiguous
 * states have 29.94 inches a year (NCEI, mean of the 20th century), 0.09 mm in an hour, and in their wettest month on record 4.36 inches (May 2015,
 * NCEI's national climate report), 0.15 mm in an hour. A storm that multiplies it is in the hours beside it, in the run before and in other
 * models too. Wrong units and scales give factors of 10, 25.4 or 1000.
 */
const FACTOR = 4
/** The factor where only the hours beside it can be compared. */
const FACTOR_OF_HOURS = 6
/** Is added to both means, so that some showers over a small domain that is otherwise dry are no reason. mm */
const CALM = 0.05
/** Hours that are further apart are not compared with each other. */
const MAX_STEP_MS = 6 * HOUR

/** What the mean of an hour is compared with. Each list is empty if there is nothing to compare. */
interface References {
  readonly before: readonly number[]
  readonly others: readonly number[]
  readonly beside: readonly number[]
}

/**
 * Returns the hours of an amount whose mean cannot be right. An hour is doubted only if everything that it can be compared with disagrees:
 * the run before and other models at the same valid time, and the hours beside it. Where these hours agree with it, the whole series must
 * differ from the run before by as much.
 * @param series means of the run by ascending time
 * @param before means of the run before
 * @param others means of the same variable in the served runs of other models
 */
export function unlikelyAmounts(
  name: string,
  series: readonly Mean[],
  before: readonly Mean[],
  others: readonly (readonly Mean[])[],
): UnlikelyAmount[] {
  if (variable(name).unit !== 'mm') return []
  const known = series.filter(({ mean }) => Number.isFinite(mean))
  const isScaled = differsAsWhole(known, before)
  return known.flatMap((own, at) => {
    const references: References = {
      before: atTime(before, own.time),
      others: others.flatMap((means) => atTime(means, own.time)),
      beside: [known[at - 1], known[at + 1]].flatMap((hour) =>
        hour && Math.abs(hour.time - own.time) <= MAX_STEP_MS ? hour.mean : [],
      ),
    }
    if (!isUnlikely(own.mean, references, isScaled)) return []
    return [{ time: own.time, isJump: references.before.length > 0, detail: detailOf(own.mean, references) }]
  })
}

function isUnlikely(mean: number, { before, others, beside }: References, isScaled: boolean): boolean {
  const differsFromAll = (means: readonly number[], factor = FACTOR) =>
    means.every((other) => ratio(mean, other) > factor)
  if (!differsFromAll(before) || !differsFromAll(others)) return false
  const differsFromHours = beside.length > 0 && differsFromAll(beside)
  if (before.length > 0) return differsFromHours || isScaled
  if (others.length > 0) return differsFromHours
  return beside.length === 2 && differsFromAll(beside, FACTOR_OF_HOURS)
}

/** Whether the sum over the hours that both runs have differs: the whole run is scaled. */
function differsAsWhole(series: readonly Mean[], before: readonly Mean[]): boolean {
  let [own, other, hours] = [0, 0, 0]
  for (const { time, mean } of series) {
    const [known] = atTime(before, time)
    if (known === undefined) continue
    own += mean
    other += known
    hours++
  }
  return hours > 0 && ratio(own / hours, other / hours) > FACTOR
}

/** Means that were carried over from an earlier run are not compared: a level that is really new costs one run. */
function atTime(means: readonly Mean[], time: Instant): number[] {
  return means.flatMap((mean) => (mean.time === time && !mean.carried && Number.isFinite(mean.mean) ? mean.mean : []))
}

function ratio(left: number, right: number): number {
  const [a, b] = [left + CALM, right + CALM]
  return Math.max(a / b, b / a)
}

function detailOf(mean: number, { before, others, beside }: References): string {
  const list = (means: readonly number[]) => means.map((mean) => mean.toPrecision(3)).join(' and ')
  const parts = [
    ...(before.length > 0 ? [`${list(before)} mm in the run before`] : []),
    ...(others.length > 0 ? [`${list(others)} mm in other models`] : []),
    ...(beside.length > 0 ? [`${list(beside)} mm in the hours beside it`] : []),
  ]
  return `the mean over all cells is ${mean.toPrecision(3)} mm, but ${parts.join(', ')}`
}

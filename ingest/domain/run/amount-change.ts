import { variable } from '../dataset/variable.ts'
import type { DomainId } from '../domain.ts'
import { HOUR, type Instant } from '../time.ts'
import type { Mean } from './run-change.ts'

/** An amount whose mean over all cells is not plausible. */
export interface UnlikelyAmount {
  readonly time: Instant
  /** Whether the amount differs from the previous run; otherwise it differs from the neighbouring hours. */
  readonly isJump: boolean
  readonly detail: string
}

/**
 * Maximum plausible factor between two means. The mean over the 48 contiguous states is a water balance and changes slowly: they receive
 * 29.94 inches a year (NCEI, mean of the 20th century), which is 0.09 mm per hour, and in their wettest month on record 4.36 inches (May
 * 2015, NCEI's national climate report), which is 0.15 mm per hour. A storm that multiplies the mean also appears in the neighbouring hours,
 * in the previous run and in other models, shifted by at most some hours. Wrong units and scales cause factors of 10, 25.4 or 1000.
 */
const FACTOR = 4
/**
 * The maximum factor if the mean can be compared only with neighbouring hours. Hawaii is as small as one storm, so one hour of its mean can
 * be a multiple of the others.
 */
const FACTOR_OF_HOURS: Readonly<Record<DomainId, number>> = { conus: 6, alaska: 6, hawaii: 12 }
/**
 * Time before and after an hour of which the means are compared with it, ms; at least one step of the series. Over Hawaii a dry hour may be
 * between two storms, and a front may come a day earlier than in the previous run.
 */
const COMPARED_MS: Readonly<Record<DomainId, number>> = { conus: 0, alaska: 0, hawaii: 24 * HOUR }
/** Amount that is added to both means, mm, so that showers over an otherwise dry domain do not count. In Hawaii one shower weighs more. */
const CALM: Readonly<Record<DomainId, number>> = { conus: 0.02, alaska: 0.02, hawaii: 0.05 }
/** Maximum distance of neighbouring hours, and step of a series, ms. */
const MAX_STEP_MS = 6 * HOUR

/** Returns whether a variable is an amount or rate of water, snow or ice. */
export const isWater = (name: string): boolean => variable(name).unit === 'mm'

/** The means with which the mean of an hour is compared. A list is empty if there is nothing to compare. */
interface References {
  readonly before: readonly number[]
  readonly others: readonly number[]
  readonly beside: readonly number[]
}

/**
 * Returns the hours of an amount whose mean is not plausible. An hour is reported only if it disagrees with everything that it can be
 * compared with: the previous run and other models, from one step before it to one step after it (over Hawaii from a day before it to a day
 * after it), because runs differ in the time of a storm; and the neighbouring hours. If the neighbouring hours agree with it, it is reported
 * only if the whole series differs by the same factor from the previous run, or, without one, from all other models.
 * @param series means of the run in ascending order of time
 * @param before means of the previous run
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
  const isScaledToOthers = others.length > 0 && others.every((means) => differsAsWhole(known, means, calm))
  return known.flatMap((own, at) => {
    const near = [known[at - 1], known[at + 1]].flatMap((hour) =>
      hour && Math.abs(hour.time - own.time) <= MAX_STEP_MS ? hour : [],
    )
    const step = Math.min(MAX_STEP_MS, ...near.map(({ time }) => Math.abs(time - own.time)))
    const distance = Math.max(step, COMPARED_MS[domain])
    const references: References = {
      before: around(before, own.time, distance),
      others: others.flatMap((means) => around(means, own.time, distance)),
      beside: (COMPARED_MS[domain] > 0 ? besides(known, own.time, distance) : near).map(({ mean }) => mean),
    }
    const isWhole = references.before.length > 0 ? isScaled : isScaledToOthers
    if (!isUnlikely(own.mean, references, isWhole, domain)) return []
    return [{ time: own.time, isJump: references.before.length > 0, detail: detailOf(own.mean, references, domain) }]
  })
}

function isUnlikely(
  mean: number,
  { before, others, beside }: References,
  isScaled: boolean,
  domain: DomainId,
): boolean {
  const differsFromAll = (means: readonly number[], factor = FACTOR) =>
    means.every((other) => ratio(mean, other, CALM[domain]) > factor)
  if (!differsFromAll(before) || !differsFromAll(others)) return false
  const differsFromHours = beside.length > 0 && differsFromAll(beside)
  if (before.length > 0 || others.length > 0) return differsFromHours || isScaled
  return beside.length >= 2 && differsFromAll(beside, FACTOR_OF_HOURS[domain])
}

/** Returns the other hours of a series that are at most `distance` away. */
function besides(series: readonly Mean[], time: Instant, distance: number): Mean[] {
  return series.filter((hour) => hour.time !== time && Math.abs(hour.time - time) <= distance)
}

/** Returns whether the sums over the hours that both runs have differ, so that the whole run has a wrong scale. */
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
 * Returns the means from `step` before to `step` after a time; an empty list if the time itself has none. Means that were carried over from
 * an earlier run are not compared, so that a real change of level affects only one run.
 */
function around(means: readonly Mean[], time: Instant, step: number): number[] {
  const known = means.filter(({ mean, carried }) => !carried && Number.isFinite(mean))
  if (!known.some((entry) => entry.time === time)) return []
  return known.flatMap((entry) => (Math.abs(entry.time - time) <= step ? entry.mean : []))
}

function ratio(value: number, other: number, calm: number): number {
  const [a, b] = [value + calm, other + calm]
  return Math.max(a / b, b / a)
}

/** @param domain over Hawaii a day before and after is compared */
function detailOf(mean: number, { before, others, beside }: References, domain: DomainId): string {
  const within = COMPARED_MS[domain] > 0 ? ' within a day' : ''
  const list = (means: readonly number[]) => {
    const [least, most] = [Math.min(...means).toPrecision(3), Math.max(...means).toPrecision(3)]
    return least === most ? least : `${least} to ${most}`
  }
  const parts = [
    ...(before.length > 0 ? [`${list(before)} mm in the previous run${within}`] : []),
    ...(others.length > 0 ? [`${list(others)} mm in other models${within}`] : []),
    ...(beside.length > 0
      ? [`${list(beside)} mm in the ${within ? `other hours${within}` : 'neighbouring hours'}`]
      : []),
  ]
  return `the mean over all cells is ${mean.toPrecision(3)} mm, but ${parts.join(', ')}`
}

import type { GridDataset } from '../../domain/dataset/dataset.ts'
import { type Variable, variable } from '../../domain/dataset/variable.ts'
import { wantedVariables } from '../../domain/dataset/want.ts'
import { nth } from '../../domain/nth.ts'
import type { Lost } from '../../domain/quarantine.ts'
import { isWater, unlikelyAmounts } from '../../domain/run/amount-change.ts'
import { changeOf, type Mean, type Means } from '../../domain/run/run-change.ts'
import { HOUR, type Instant } from '../../domain/time.ts'
import { fewAreLost } from './few-lost.ts'
import type { RunPlan } from './plan.ts'
import type { Receipt } from './receipt.ts'
import type { SlabReport } from './sample-request.ts'

/**
 * Rows are mirrored if they are this many times rougher than columns and than rows two apart. Correct fields reached at
 * most 0.84; real fields that were read without their flag gave 10 or more.
 */
const MAX_ROUGHNESS = 3
/**
 * Rows are mirrored if their differences are this many times larger than after every second row is reversed. Of 266
 * real fields, correct fields reached at most 0.82 (vertical wind on a 32 km grid); without their flag they give the
 * inverse.
 */
const MIN_MIRRORED_RATIO = 1.25
/** Maximum share of cells with a value outside the variable's range. */
const MAX_REJECTED_SHARE = 0.0002
/** Maximum share of cells without a value in a required variable. */
const MAX_MISSING_SHARE = 0.5
/** The same limit for an optional variable that varies: NBM's land surfaces lack 62 % of the values. */
const MAX_OPTIONAL_MISSING_SHARE = 0.99

type Doubt = Pick<Lost, 'reason' | 'detail'>

/** Returns why a slab is implausible; undefined if it is plausible. */
export function implausibility(report: SlabReport, required = false): Doubt | undefined {
  const row = variable(report.variable)
  const { range, unit } = row
  if (report.rejected > MAX_REJECTED_SHARE) {
    const outside = (report.rejected * 100).toFixed(1)
    return {
      reason: 'range',
      detail: `values must be from ${range[0]} to ${range[1]} ${unit}, but ${outside} % are outside`,
    }
  }
  if (report.roughness > MAX_ROUGHNESS) {
    const detail = `rows are ${report.roughness.toFixed(1)} times as rough as columns, so alternating rows are reversed against their flag`
    return { reason: 'roughness', detail }
  }
  if (report.mirrored > MIN_MIRRORED_RATIO) {
    const detail = `rows match ${report.mirrored.toFixed(1)} times better with every second row reversed, so the flag of alternating rows is wrong`
    return { reason: 'roughness', detail }
  }
  if (report.missing > (required ? MAX_MISSING_SHARE : MAX_OPTIONAL_MISSING_SHARE) && (required || varies(row))) {
    return { reason: 'missing', detail: `${(report.missing * 100).toFixed(0)} % of the cells have no value` }
  }
  if (report.min === report.max && (required || varies(row))) {
    return { reason: 'constant', detail: `the same value everywhere, ${report.min} ${unit}` }
  }
  return undefined
}

/** Units of quantities that always vary over a domain and are always known. Cloud cover and rain may be the same everywhere. */
const VARYING_UNITS: ReadonlySet<string> = new Set(['K', 'Pa', 'm/s'])

/** A spread is a statistical product, which may be absent or uniform. */
function varies({ name, unit }: Variable): boolean {
  return VARYING_UNITS.has(unit) && !name.endsWith('_stddev')
}

/**
 * A mean over all cells is implausible if it jumps by this share of the variable's range and by 10 times its usual
 * change.
 */
const MIN_JUMP_SHARE = 0.05

/**
 * Units of variables whose mean over a domain changes slowly. The sky over Hawaii may clear within an hour, and a rain flag has only two
 * values.
 */
const SLOW_UNITS: ReadonlySet<string> = new Set(['K', 'Pa', 'm/s', 'mm'])

/** Returns the hours whose mean over all cells differs from both neighbours: a corrupted message that could still be decoded. */
export function outliersInTime(
  reports: readonly SlabReport[],
): readonly { report: SlabReport; between: readonly [number, number] }[] {
  // A receipt is stored as JSON, in which the mean of no values is null.
  const series = reports.filter(({ mean }) => Number.isFinite(mean)).sort((a, b) => a.time - b.time)
  if (series.length < 4 || !SLOW_UNITS.has(variable(nth(series, 0).variable).unit)) return []
  const moves = series.slice(1).map(({ mean }, at) => Math.abs(mean - nth(series, at).mean))
  const usual = nth(
    [...moves].sort((a, b) => a - b),
    moves.length >> 1,
  )
  const [low, high] = variable(nth(series, 0).variable).range
  return series.flatMap((report, at) => {
    const [before, after] = neighbours(series, at)
    const hours = (after.time - before.time) / 2 / HOUR
    const far = Math.max(10 * usual, MIN_JUMP_SHARE * (high - low) * Math.max(1, hours / 2))
    const [up, down] = [report.mean - before.mean, report.mean - after.mean]
    // On a ramp, such as at sunrise, one neighbour is below and one above.
    const alone = up * down > 0 && Math.min(Math.abs(up), Math.abs(down)) > far
    return alone ? [{ report, between: [before.mean, after.mean] as const }] : []
  })
}

function unlikeNeighbours(slabs: readonly SlabReport[], run: Instant): Outlier[] {
  return outliersInTime(slabs).map(({ report: { variable: name, time, mean }, between }) => {
    const [before, after] = between.map((value) => value.toPrecision(4))
    const detail = `mean ${mean.toPrecision(4)} between ${before} and ${after} at its neighbours`
    return { variable: name, time, leadHours: Math.round((time - run) / HOUR), reason: 'outlier', detail }
  })
}

/**
 * A variable that differs from the previous run at most of the common hours, and at least at two, is not trusted at the
 * other hours either.
 */
function unlikeRunBefore(slabs: readonly SlabReport[], run: Instant, before: readonly Mean[]): Outlier[] {
  const times = new Set(before.map(({ time }) => time))
  const compared = slabs.filter(({ time }) => times.has(time)).length
  const unlike = new Map<SlabReport, string>()
  for (const slab of slabs) {
    const why = changeOf(slab.variable, slab, before)
    if (why) unlike.set(slab, why)
  }
  const [first] = unlike.values()
  const all = first !== undefined && unlike.size > Math.max(1, compared / 2)
  return (all ? slabs : [...unlike.keys()]).map((slab) => {
    const { variable: name, time } = slab
    const detail = unlike.get(slab) ?? first!
    return { variable: name, time, leadHours: Math.round((time - run) / HOUR), reason: 'jump', detail }
  })
}

function unlikeAmounts(
  name: string,
  slabs: readonly SlabReport[],
  { run, domain }: Pick<RunPlan, 'run' | 'domain'>,
  before: readonly Mean[],
  others: readonly Means[],
): Outlier[] {
  const series = slabs.toSorted((a, b) => a.time - b.time)
  const means = others.map((model) => model.get(name) ?? [])
  return unlikelyAmounts(name, domain, series, before, means).map(({ time, isJump, detail }) => {
    const reason = isJump ? 'jump' : 'outlier'
    return { variable: name, time, leadHours: Math.round((time - run) / HOUR), reason, detail }
  })
}

/** At the ends, the missing neighbour is extrapolated from the two inner hours. */
function neighbours(series: readonly SlabReport[], at: number): readonly [Moment, Moment] {
  const beyond = (near: SlabReport, other: SlabReport): Moment => ({
    time: 2 * near.time - other.time,
    mean: 2 * near.mean - other.mean,
  })
  const [before, after] = [series[at - 1], series[at + 1]]
  if (before && after) return [before, after]
  return before ? [before, beyond(before, nth(series, at - 2))] : [beyond(after!, nth(series, at + 2)), after!]
}

type Moment = Pick<SlabReport, 'time' | 'mean'>

export interface Outlier extends Lost {
  readonly time: Instant
  readonly leadHours: number
}

export interface RunVerdict {
  /** Reasons not to publish. */
  readonly reasons: readonly string[]
  /** Whether the absent hours are few: at most one hour or a tenth of all hours. Single variables may also be lost. */
  readonly isNearlyComplete: boolean
  readonly wanted: number
  readonly got: number
  readonly missing: number
  /** Optional variables that no file of the run has, or that some files lost. */
  readonly missingOptional: readonly string[]
  /** Absent hours, in words. */
  readonly gaps: readonly string[]
  /** Required variables that are lost at single hours, in words; the rest is published. */
  readonly variableGaps: readonly string[]
  /** Fields that differ from their neighbours in time and are left out of the tiles. */
  readonly outliers: readonly Outlier[]
}

/**
 * Validates a stage before publishing. A lost variable is left out and reported. A run is rejected if it lacks a
 * required variable or if its values are broken. If more hours are absent than {@link fewAreLost} allows, the run is
 * incomplete, and the caller decides whether it is better than the served run.
 * @param before means of the previous run
 * @param others means of the served runs of other datasets in the domain
 */
export function validateRun(
  dataset: GridDataset,
  plan: RunPlan,
  receipts: readonly Receipt[],
  before: Means = new Map(),
  others: readonly Means[] = [],
): RunVerdict {
  const reasons: string[] = []
  const gaps: string[] = []
  const variableGaps: string[] = []
  const needed = new Set(dataset.wants.filter(({ optional }) => !optional).flatMap(wantedVariables))
  const sampled = new Set(receipts.flatMap(({ slabs }) => slabs.map((slab) => slab.variable)))
  const lost = receipts.flatMap(({ leadHours, missing }) => missing.map((loss) => ({ ...loss, leadHours })))
  const planned = new Set(receipts.map(({ leadHours }) => leadHours))
  const unread = plan.files.filter(({ leadHours }) => !planned.has(leadHours))

  if (plan.absent.length > 0) gaps.push(`upstream does not have hours ${list(plan.absent)}`)
  if (unread.length > 0) gaps.push(`hours ${list(unread.map(({ leadHours }) => leadHours))} could not be read`)
  for (const name of needed) {
    const without = receipts.filter(({ absent }) => absent.includes(name)).map(({ leadHours }) => leadHours)
    if (without.length > 0) variableGaps.push(`${name} is not offered at hours ${list(without)}`)
  }
  const usual = mostCommon(receipts.flatMap(({ cells }) => cells ?? []))
  for (const { leadHours, cells = usual } of receipts) {
    if (cells !== usual)
      reasons.push(`hour ${leadHours}: must have ${usual} cells like the other hours, but has ${cells}`)
  }
  for (const { leadHours, slabs } of receipts) {
    for (const slab of slabs) {
      const why = implausibility(slab, needed.has(slab.variable))
      if (why) reasons.push(`${slab.variable} at hour ${leadHours}: ${why.detail}`)
    }
  }
  const outliers: Outlier[] = []
  for (const name of sampled) {
    const slabs = receipts.flatMap((receipt) => receipt.slabs.filter((slab) => slab.variable === name))
    const known = before.get(name) ?? []
    const doubted = [
      ...unlikeNeighbours(slabs, plan.run),
      ...unlikeRunBefore(slabs, plan.run, known),
      ...unlikeAmounts(name, slabs, plan, known, others),
    ]
    for (const entry of new Map(doubted.map((outlier) => [outlier.time, outlier])).values()) {
      outliers.push(entry)
      // Amounts are optional in the declarations of datasets, but readers must know for which hours they come from
      // another run.
      if (needed.has(name) || isWater(name))
        variableGaps.push(`${name} is lost at hour ${entry.leadHours}: ${entry.detail}`)
    }
  }
  for (const { variable: name, leadHours, detail } of lost) {
    if (needed.has(name)) variableGaps.push(`${name} is lost at hour ${leadHours}: ${detail}`)
  }
  if (sampled.size === 0) reasons.push('the files have none of the requested variables')
  const bare = needed.size > 0 && ![...needed].some((name) => sampled.has(name))
  if (bare && sampled.size > 0) gaps.push(`the files have none of the required variables (${[...needed].join(', ')})`)

  const optional = dataset.wants
    .filter((want) => want.optional && !want.unseen && (!want.domains || want.domains.includes(plan.domain)))
    .flatMap(wantedVariables)
  const lostNames = new Set([...lost, ...outliers].map((entry) => entry.variable))
  const missingOptional = [...new Set(optional.filter((name) => !sampled.has(name) || lostNames.has(name)))]
  const wanted = receipts.reduce((sum, receipt) => sum + receipt.wanted, 0)
  const got = receipts.reduce((sum, receipt) => sum + receipt.got, 0)
  return {
    reasons,
    isNearlyComplete:
      !bare && (gaps.length === 0 || fewAreLost(unread.length + plan.absent.length, plan.files.length - unread.length)),
    wanted,
    got,
    missing: wanted - got,
    missingOptional,
    gaps,
    variableGaps,
    outliers,
  }
}

/** Returns the first required variable that was listed and lost from a file, with the reason; undefined if there is none. */
export function missingRequired(dataset: GridDataset, receipt: Receipt): string | undefined {
  const needed = new Set(dataset.wants.filter(({ optional }) => !optional).flatMap(wantedVariables))
  const lost = receipt.missing.find(({ variable }) => needed.has(variable))
  return lost && `${receipt.url}: ${lost.variable}: ${lost.detail}`
}

/** Returns the most frequent number, or the first among equally frequent numbers. */
export function mostCommon(numbers: Iterable<number>): number | undefined {
  const counts = new Map<number, number>()
  for (const number of numbers) counts.set(number, (counts.get(number) ?? 0) + 1)
  const most = Math.max(...counts.values())
  return [...counts].find(([, count]) => count === most)?.[0]
}

function list(hours: readonly number[]): string {
  return hours.length > 8 ? `${hours.slice(0, 6).join(', ')} and ${hours.length - 6} more` : hours.join(', ')
}

import type { GridDataset } from '../../domain/dataset.ts'
import { HOUR } from '../../domain/time.ts'
import { variable } from '../../domain/variable.ts'
import { wantedVariables } from '../../domain/want.ts'
import type { RunPlan } from './plan.ts'
import type { Receipt } from './receipt.ts'
import type { SlabReport } from './sample-request.ts'

/**
 * Rows this much rougher than columns, and than rows two apart, are mirrored. Correct fields gave at most 0.84, real ones read without
 * their flag 10 and more.
 */
const MAX_ROUGHNESS = 3
/**
 * Rows whose differences are this many times larger than with every second row turned are mirrored. Of 266 real fields
 * correct ones gave at most 0.82 (vertical wind on a grid of 32 km); the same without their flag give the inverse.
 */
const MIN_MIRRORED_RATIO = 1.25
/** Maximum share of cells with a value outside of the variable's range. */
const MAX_REJECTED_SHARE = 0.0002
/** Maximum share of cells without a value in a required variable. */
const MAX_MISSING_SHARE = 0.5

/** Why a slab is implausible; undefined where it is plausible. */
export function implausibility(report: SlabReport): string | undefined {
  const { range, unit } = variable(report.variable)
  if (report.rejected > MAX_REJECTED_SHARE) {
    return `wanted values from ${range[0]} to ${range[1]} ${unit}, got ${(report.rejected * 100).toFixed(1)} % outside`
  }
  if (report.roughness > MAX_ROUGHNESS) {
    return `wanted rows as smooth as columns, got ${report.roughness.toFixed(1)} times as rough: alternating rows are not turned back, or turned by a wrong flag`
  }
  if (report.mirrored > MIN_MIRRORED_RATIO) {
    return `wanted rows that fit each other, got rows that fit ${report.mirrored.toFixed(1)} times better with every second one turned: its flag of alternating rows is wrong`
  }
  return undefined
}

/** A mean over all cells that jumps by this share of the variable's range, and 10 times as far as it usually moves, is not weather. */
const MIN_JUMP_SHARE = 0.05

/**
 * Units of variables whose mean over a domain changes slowly. A sky over Hawaii may clear within the hour, and a rain flag is all or
 * nothing.
 */
const SLOW_UNITS: ReadonlySet<string> = new Set(['K', 'Pa', 'm/s', 'mm'])

/** Hours whose mean over all cells differs from both neighbours: a message that was corrupted and could still be decoded. */
export function outliersInTime(
  reports: readonly SlabReport[],
): readonly { report: SlabReport; between: readonly [number, number] }[] {
  // A receipt is stored as JSON, where a mean of no values is null.
  const series = reports.filter(({ mean }) => Number.isFinite(mean)).sort((a, b) => a.time - b.time)
  if (series.length < 4 || !SLOW_UNITS.has(variable(series[0]!.variable).unit)) return []
  const moves = series.slice(1).map(({ mean }, at) => Math.abs(mean - series[at]!.mean))
  const usual = [...moves].sort((a, b) => a - b)[moves.length >> 1]!
  const [low, high] = variable(series[0]!.variable).range
  return series.flatMap((report, at) => {
    const [before, after] = neighbours(series, at)
    const hours = (after.time - before.time) / 2 / HOUR
    const far = Math.max(10 * usual, MIN_JUMP_SHARE * (high - low) * Math.max(1, hours / 2))
    const [up, down] = [report.mean - before.mean, report.mean - after.mean]
    // A ramp has one neighbour below and one above: sunrise is no fault.
    const alone = up * down > 0 && Math.min(Math.abs(up), Math.abs(down)) > far
    return alone ? [{ report, between: [before.mean, after.mean] as const }] : []
  })
}

/** At the ends the missing neighbour is extrapolated from the two inside. */
function neighbours(series: readonly SlabReport[], at: number): readonly [Moment, Moment] {
  const beyond = (one: SlabReport, other: SlabReport): Moment => ({
    time: 2 * one.time - other.time,
    mean: 2 * one.mean - other.mean,
  })
  const [before, after] = [series[at - 1], series[at + 1]]
  if (before && after) return [before, after]
  return before ? [before, beyond(before, series[at - 2]!)] : [beyond(after!, series[at + 2]!), after!]
}

type Moment = Pick<SlabReport, 'time' | 'mean'>

export interface Verdict {
  /** Reasons against publishing; empty where there are none. */
  readonly reasons: readonly string[]
  /** Whether every required variable is there at every hour. */
  readonly whole: boolean
  readonly wanted: number
  readonly got: number
  readonly missing: number
  /** Optional variables that no file of the run has, or that were lost from some. */
  readonly missingOptional: readonly string[]
  /** Why the run is incomplete, in words. */
  readonly gaps: readonly string[]
}

/**
 * Validation before publishing. Broken values are a reason to reject; variables that upstream does not offer make the run
 * incomplete, and the caller decides whether that is better than the served run.
 */
export function validateRun(dataset: GridDataset, plan: RunPlan, receipts: readonly Receipt[]): Verdict {
  const reasons: string[] = []
  const gaps: string[] = []
  const needed = new Set(dataset.wants.filter(({ optional }) => !optional).flatMap(wantedVariables))
  const given = new Set(receipts.flatMap(({ slabs }) => slabs.map((slab) => slab.variable)))
  const lost = receipts.flatMap(({ leadHours, missing }) => missing.map((one) => ({ ...one, leadHours })))
  const planned = new Set(receipts.map(({ leadHours }) => leadHours))
  const unread = plan.files.filter(({ leadHours }) => !planned.has(leadHours))

  if (plan.absent.length > 0) gaps.push(`hours ${list(plan.absent)} are not upstream`)
  if (unread.length > 0) gaps.push(`hours ${list(unread.map(({ leadHours }) => leadHours))} could not be read`)
  for (const name of needed) {
    const without = receipts.filter(({ absent }) => absent.includes(name)).map(({ leadHours }) => leadHours)
    if (without.length > 0) gaps.push(`${name} is not offered at hours ${list(without)}`)
  }
  const usual = mostCommon(receipts.flatMap(({ cells }) => cells ?? []))
  for (const { leadHours, cells = usual } of receipts) {
    if (cells !== usual) reasons.push(`hour ${leadHours}: wanted the ${usual} cells of the other hours, got ${cells}`)
  }
  for (const { leadHours, slabs } of receipts) {
    for (const slab of slabs) {
      const why = implausibility(slab)
      if (why) reasons.push(`${slab.variable} at hour ${leadHours}: ${why}`)
      else if (needed.has(slab.variable) && slab.missing > MAX_MISSING_SHARE) {
        reasons.push(
          `${slab.variable} at hour ${leadHours}: ${(slab.missing * 100).toFixed(0)} % of the cells have no value`,
        )
      } else if (needed.has(slab.variable) && slab.min === slab.max) {
        reasons.push(`${slab.variable} at hour ${leadHours}: the same value everywhere, ${slab.min}`)
      }
    }
  }
  for (const name of given) {
    const slabs = receipts.flatMap((receipt) => receipt.slabs.filter((slab) => slab.variable === name))
    for (const { report, between } of outliersInTime(slabs)) {
      const [before, after] = between.map((mean) => mean.toPrecision(4))
      reasons.push(
        `${name} at hour ${Math.round((report.time - plan.run) / HOUR)}: mean ${report.mean.toPrecision(4)} between ${before} and ${after} at its neighbours`,
      )
    }
  }
  for (const { variable: name, leadHours, reason } of lost) {
    if (needed.has(name)) gaps.push(`${name} is lost at hour ${leadHours}: ${reason}`)
  }
  if (given.size === 0) reasons.push('nothing that is wanted was found')

  const optional = dataset.wants
    .filter((want) => want.optional && (!want.domains || want.domains.includes(plan.domain)))
    .flatMap(wantedVariables)
  const lostNames = new Set(lost.map((one) => one.variable))
  const missingOptional = [...new Set(optional.filter((name) => !given.has(name) || lostNames.has(name)))]
  const wanted = receipts.reduce((sum, receipt) => sum + receipt.wanted, 0)
  const got = receipts.reduce((sum, receipt) => sum + receipt.got, 0)
  return { reasons, whole: gaps.length === 0, wanted, got, missing: wanted - got, missingOptional, gaps }
}

/** The first required variable that was listed and lost from a file, with the reason; undefined where there is none. */
export function missingRequired(dataset: GridDataset, receipt: Receipt): string | undefined {
  const needed = new Set(dataset.wants.filter(({ optional }) => !optional).flatMap(wantedVariables))
  const lost = receipt.missing.find(({ variable }) => needed.has(variable))
  return lost && `${receipt.url}: ${lost.variable}: ${lost.reason}`
}

/** The most frequent number; of equally frequent ones the first. */
export function mostCommon(numbers: Iterable<number>): number | undefined {
  const counts = new Map<number, number>()
  for (const number of numbers) counts.set(number, (counts.get(number) ?? 0) + 1)
  const most = Math.max(...counts.values())
  return [...counts].find(([, count]) => count === most)?.[0]
}

function list(hours: readonly number[]): string {
  return hours.length > 8 ? `${hours.slice(0, 6).join(', ')} and ${hours.length - 6} more` : hours.join(', ')
}

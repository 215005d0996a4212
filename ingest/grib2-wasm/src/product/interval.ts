import { GribError } from '../fault.ts'
import type { MessageSection } from '../octets.ts'
import { readTime, unitSeconds } from './time.ts'

/** A time range of a statistically processed field. The first range is the outermost. */
export interface Range {
  /** Code table 4.10: 0 average, 1 accumulation, 2 maximum, 3 minimum, … */
  readonly process: number
  /** Type of time increment (code table 4.11). */
  readonly increments: number
  /** Length, in units of code table 4.4. */
  readonly unit: number
  readonly length: number
  readonly incrementUnit: number
  readonly increment: number
}

export interface Interval {
  /** The coded time; `undefined` if the octets are not a date (some writers leave them 0). */
  readonly end: Date | undefined
  readonly ranges: readonly Range[]
}

/** Statistics of code table 4.10 in wgrib2's abbreviations, with NCEP's own codes. */
const PROCESSES: Readonly<Record<number, string>> = {
  0: 'ave',
  1: 'acc',
  2: 'max',
  3: 'min',
  4: 'last-first',
  5: 'RMS',
  6: 'StdDev',
  7: 'covar',
  8: 'first-last',
  9: 'ratio',
  10: 'standardized anomaly',
  11: 'summation',
  192: 'clim mean',
  193: 'ave',
  194: 'ave',
  195: 'ave',
  196: 'acc',
  197: 'ave',
  198: 'ave',
  199: 'ave',
  200: 'ave',
  201: 'ave',
  202: 'ave',
  203: 'ave',
  204: 'ave',
  205: 'ave',
  206: 'ave',
  207: 'ave',
  255: 'missing',
}

export function processName(process: number): string {
  return PROCESSES[process] ?? `process ${process}`
}

function tryTime(section: MessageSection, octet: number): Date | undefined {
  try {
    return readTime(section, octet)
  } catch (error) {
    if (!(error instanceof GribError) || error.kind !== 'corrupt') throw error
    return undefined
  }
}

/** Reads the end and the ranges. UPP writes hour 0 of some fields without a range. */
export function readInterval(section: MessageSection, octet: number): Interval {
  const count = section.u1(octet + 7)
  const ranges: Range[] = []
  for (let k = 0; k < count; k++) {
    const at = octet + 12 + 12 * k
    ranges.push({
      process: section.u1(at),
      increments: section.u1(at + 1),
      unit: section.u1(at + 2),
      length: section.s4(at + 3),
      incrementUnit: section.u1(at + 7),
      increment: section.s4(at + 8),
    })
  }
  return { end: tryTime(section, octet), ranges }
}

const UNITS: readonly (readonly [seconds: number, name: string])[] = [
  [86400, 'day'],
  [3600, 'hour'],
  [60, 'min'],
  [1, 'sec'],
]

/** Returns the largest unit in which both ends of the window are integers. */
function unitOf(...seconds: number[]): readonly [seconds: number, name: string] {
  return UNITS.find(([length]) => seconds.every((value) => value % length === 0)) ?? UNITS[3]!
}

/** Returns `anl`, `6 hour fcst` or `-7 hour fcst`: the lead in the unit of the message (3, 6 and 12 hours count as hours). */
export function leadName(lead: number, unit: number): string {
  const seconds = unitSeconds(unit)
  if (lead === 0) return 'anl'
  if (seconds === undefined)
    return `${lead} ${{ 3: 'month', 4: 'year', 5: 'decade', 6: 'normal', 7: 'century' }[unit] ?? `unit ${unit}`} fcst`
  const [length, name] = UNITS[seconds >= 86400 ? 0 : seconds >= 3600 ? 1 : seconds >= 60 ? 2 : 3]!
  return `${(lead * seconds) / length} ${name} fcst`
}

/** Returns `11-12 hour acc fcst`, `0-1 day acc fcst` or `30-45 min ave fcst`: the window in the largest unit that divides both ends. */
export function intervalName(startSeconds: number, endSeconds: number, process: number): string {
  const [length, name] = unitOf(startSeconds, endSeconds)
  return `${startSeconds / length}-${endSeconds / length} ${name} ${processName(process)} fcst`
}

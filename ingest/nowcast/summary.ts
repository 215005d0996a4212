import { nth } from '../domain/nth.ts'
import { type Instant, MINUTE } from '../domain/time.ts'
import { WET_RATE } from '../domain/weather/echo.ts'
import type { FallenType } from './surface-type.ts'

export type StepType = FallenType | 'none' | 'no_coverage'
export type Intensity = 'none' | 'light' | 'moderate' | 'heavy' | 'violent'

export interface SummaryStep {
  readonly time: Instant
  readonly type: StepType
  /** mm/h, 0 without precipitation. */
  readonly rate: number
}

/** One step of a nowcast as an answer has it. */
export interface NowcastPoint {
  readonly time: Instant
  readonly type: StepType
  /** mm/h; undefined without coverage. */
  readonly rate?: number
  /** dBZ, 0 without an echo and without coverage. */
  readonly dbz: number
  /** 0 to 100; undefined if the neighbourhood has no coverage. */
  readonly probability?: number
}

export interface NowcastSummary {
  /** First of two consecutive wet steps that are not over; absent if there is none. */
  readonly startsAt?: Instant
  /**
   * End of the first uninterrupted wet run: its last wet step plus the interval. Undefined if the run lasts to the end
   * of the nowcast or there is none.
   */
  readonly endsAt?: Instant
  readonly durationMinutes?: number
  readonly type: FallenType | 'none'
  readonly peakIntensity: Intensity
  readonly alreadyOccurring: boolean
}

/**
 * Rates in mm/h from which rain is moderate, heavy and violent (WMO's classes). Snow has lower limits for the same
 * effect.
 */
const RAIN_CLASSES = [2.5, 7.6, 50]
const SNOW_CLASSES = [1, 2.5, 10]
const WORDS = ['light', 'moderate', 'heavy', 'violent'] as const

export function intensityOf(rate: number, type: StepType): Intensity {
  if (!(rate >= WET_RATE) || type === 'none' || type === 'no_coverage') return 'none'
  const classes = type === 'snow' ? SNOW_CLASSES : RAIN_CLASSES
  return nth(WORDS, classes.filter((limit) => rate >= limit).length)
}

const isWet = ({ type }: SummaryStep): boolean => type !== 'none' && type !== 'no_coverage'

/** If types are equally frequent, the most hazardous is reported. */
const HAZARD: readonly FallenType[] = ['freezing_rain', 'wintry_mix', 'snow', 'rain', 'unknown']

/** Index of the first of two consecutive wet steps whose run has not ended; -1 if there is none. */
function firstRun(steps: readonly SummaryStep[], ended: (index: number) => boolean): number {
  for (let i = 0; i + 1 < steps.length; i++) {
    if (!isWet(nth(steps, i))) continue
    let last = i
    while (last + 1 < steps.length && isWet(nth(steps, last + 1))) last++
    if (last > i && !ended(last)) return i
    i = last
  }
  return -1
}

/** @param interval minutes between steps @param now time of the request */
export function summarise(steps: readonly SummaryStep[], interval: number, now: Instant): NowcastSummary {
  // The steps begin with the scan; an episode that has already ended is not part of the summary.
  const ended = (i: number) => nth(steps, i).time + interval * MINUTE <= now
  const first = firstRun(steps, ended)
  if (first < 0) {
    // No coverage does not mean no precipitation: without any coverage the type is unknown.
    const blind = steps.length > 0 && steps.every(({ type }) => type === 'no_coverage')
    return { type: blind ? 'unknown' : 'none', peakIntensity: 'none', alreadyOccurring: false }
  }
  let last = first
  while (last + 1 < steps.length && isWet(nth(steps, last + 1))) last++
  const run = steps.slice(first, last + 1)
  const startsAt = nth(run, 0).time
  const endsAt = last === steps.length - 1 ? undefined : nth(run, run.length - 1).time + interval * MINUTE
  const type = HAZARD.reduce((best, candidate) => {
    const count = (kind: FallenType) => run.filter((step) => step.type === kind).length
    return count(candidate) > count(best) ? candidate : best
  })
  const peak = run.reduce((most, step) => (step.rate > most.rate ? step : most))
  return {
    startsAt,
    endsAt,
    durationMinutes: endsAt === undefined ? undefined : Math.round((endsAt - startsAt) / MINUTE),
    type,
    peakIntensity: intensityOf(peak.rate, peak.type),
    alreadyOccurring: startsAt <= now,
  }
}

import type { DomainId } from '../domain.ts'
import type { Instant } from '../time.ts'

/** The properties of the GRIB2 message for a variable. Every present member must match; numbers are those of the code tables. */
export interface Match {
  readonly discipline: number
  readonly category: number
  /** Several numbers if the producer changed from its local number to WMO's. */
  readonly number: number | readonly number[]
  /** Types of the first fixed surface (code table 4.5), in order of preference if a file has several. */
  readonly surface: readonly number[]
  /** Value of the first fixed surface, in the unit of its type. */
  readonly level?: number
  /** Length of the statistical interval in hours, `any` if it varies; absent for an instant. */
  readonly windowHours?: number | 'any'
  /** Type of statistical processing (code table 4.10): 0 average, 1 accumulation, 2 maximum, 3 minimum. */
  readonly process?: number
  readonly percentile?: number
  /** Limits of a probability. They are compared within half a percent, because index texts round them. */
  readonly probability?: Limits
  /** Derived forecast (code table 4.7). NBM uses 2 for its standard deviation; 4 is the spread of all members. */
  readonly derived?: readonly number[]
  /** Chemical constituent or aerosol (code tables 4.230 and 4.233); absent for other fields. */
  readonly constituent?: number
  /** Patterns of the `.idx` line after the date, in order of preference. They select messages before any message is fetched. */
  readonly idx: readonly RegExp[]
}

export interface Limits {
  readonly below?: number
  readonly above?: number
  readonly between?: readonly [number, number]
}

interface WantBase {
  /** Whether a run without it is still complete; only answers become less complete. */
  readonly optional?: boolean
  /** Whether no known file has it yet. It is read once upstream adds it; until then no run counts as incomplete without it. */
  readonly unseen?: true
  readonly domains?: readonly DomainId[]
  /** Returns whether a lead hour is expected to have it; if absent, every hour whose listing has it. */
  readonly leads?: (run: Instant, leadHours: number) => boolean
}

/** A variable that comes from one message. */
export interface ScalarWant extends WantBase {
  readonly kind: 'scalar'
  readonly variable: string
  readonly match: Match
  /** Converts to the unit of the variable table: value = native * scale + offset. */
  readonly scale?: number
  readonly offset?: number
  /** Native values that mean "missing" or "unlimited" in this product. */
  readonly missing?: readonly number[]
  /** Another field of the same file that is subtracted, in the same unit; no difference is below 0. */
  readonly minus?: Match
  /** Whether the value is the number of members that the message counts for its probability, the same at every point. */
  readonly members?: true
}

/** Wind components that become speed and direction; components relative to the grid are rotated to true north. */
export interface WindWant extends WantBase {
  readonly kind: 'wind'
  readonly speed: string
  readonly direction: string
  readonly u: Match
  readonly v: Match
}

/** A direction from true north, averaged as a vector together with the speed. */
export interface DirectionWant extends WantBase {
  readonly kind: 'direction'
  readonly variable: string
  readonly match: Match
  readonly by?: Match
}

export type Want = ScalarWant | WindWant | DirectionWant

export function wantedVariables(want: Want): readonly string[] {
  return want.kind === 'wind' ? [want.speed, want.direction] : [want.variable]
}

/** Returns the messages that a want needs, by role. */
export function matchesOf(want: Want): Readonly<Record<string, Match>> {
  if (want.kind === 'wind') return { u: want.u, v: want.v }
  if (want.kind === 'scalar' && want.minus) return { message: want.match, minus: want.minus }
  return want.kind === 'direction' && want.by ? { message: want.match, speed: want.by } : { message: want.match }
}

/** Returns whether the want is usable without the message of this role. */
export function roleIsOptional(want: Want, role: string): boolean {
  return want.kind === 'direction' && role === 'speed'
}

/** The identity that a message declares, with the members of {@link Match}. */
export interface MessageIdentity {
  readonly discipline: number
  readonly category: number
  readonly number: number
  readonly surface: number
  readonly level: number | undefined
  /** Length of the interval; 0 for an instant, undefined if the message does not state it. */
  readonly windowHours: number | undefined
  readonly process: number | undefined
  readonly percentile: number | undefined
  readonly probability: Limits | undefined
  readonly derived: number | undefined
  /** The chemical constituent or aerosol (code tables 4.230 and 4.233). */
  readonly constituent: number | undefined
  readonly run: Instant
  /** The end of the interval; undefined if the message does not state it. */
  readonly validTime: Instant | undefined
}

/** Returns why a message does not match, such as `its parameter is 0/0/6, not 0/0/0`; undefined if it matches. */
export function mismatch(match: Match, actual: MessageIdentity): string | undefined {
  const numbers = typeof match.number === 'number' ? [match.number] : match.number
  const { discipline, category } = match
  if (actual.discipline !== discipline || actual.category !== category || !numbers.includes(actual.number)) {
    const expected = `${discipline}/${category}/${numbers.join('|')}`
    return `its parameter is ${actual.discipline}/${actual.category}/${actual.number}, not ${expected}`
  }
  if (!match.surface.includes(actual.surface))
    return `its surface is of type ${actual.surface}, not ${match.surface.join('|')}`
  if (match.level !== undefined && !near(match.level, actual.level))
    return `its level is ${actual.level ?? 'none'}, not ${match.level}`
  const { windowHours = 0 } = match
  if (actual.windowHours === undefined) return 'its interval is unknown'
  if (windowHours !== 'any' && Math.abs(windowHours - actual.windowHours) > 1e-6)
    return `its interval has ${actual.windowHours} h, not ${windowHours} h`
  if (match.process !== undefined && actual.process !== match.process)
    return `its statistic has code ${actual.process ?? 'none'}, not ${match.process}`
  if (actual.percentile !== match.percentile)
    return `its percentile is ${actual.percentile ?? 'none'}, not ${match.percentile ?? 'none'}`
  const isDerived = match.derived ? match.derived.some((code) => code === actual.derived) : actual.derived === undefined
  if (!isDerived)
    return `its derived forecast is ${actual.derived ?? 'none'}, not ${match.derived?.join('|') ?? 'none'}`
  if (!sameLimits(match.probability, actual.probability))
    return `its probability is of ${describeLimits(actual.probability)}, not ${describeLimits(match.probability)}`
  if (actual.constituent !== match.constituent)
    return `its constituent is ${actual.constituent ?? 'none'}, not ${match.constituent ?? 'none'}`
  return undefined
}

/** Returns whether limits agree within half a percent: 914.5 m and 914.4 m both mean 3,000 feet. */
export function sameLimits(declared: Limits | undefined, actual: Limits | undefined): boolean {
  if (!declared || !actual) return declared === actual
  return (
    near(declared.below, actual.below) &&
    near(declared.above, actual.above) &&
    near(declared.between?.[0], actual.between?.[0]) &&
    near(declared.between?.[1], actual.between?.[1])
  )
}

function near(declared: number | undefined, actual: number | undefined): boolean {
  if (declared === undefined || actual === undefined) return declared === actual
  return Math.abs(declared - actual) <= Math.max(Math.abs(declared) * 0.005, 1e-9)
}

export function describeLimits(limits: Limits | undefined): string {
  if (!limits) return 'none'
  if (limits.between) return `${limits.between[0]} to ${limits.between[1]}`
  return limits.below !== undefined ? `below ${limits.below}` : `above ${limits.above}`
}

import type { DomainId } from '../domain.ts'
import type { Instant } from '../time.ts'

/**
 * The properties of a GRIB2 message that fills a variable. Every present member must match; numbers are those of the code tables.
 */
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
  /** Code table 4.10: 0 average, 1 accumulation, 2 maximum, 3 minimum. */
  readonly process?: number
  readonly percentile?: number
  /** Limits as decoded, compared within half a percent: index texts round them. */
  readonly probability?: Limits
  /** Code table 4.7. NBM writes 2 for its standard deviation; 4 is the spread of all members. */
  readonly derived?: readonly number[]
  /** Patterns of the `.idx` line after the date, in order of preference: a cheap filter before any byte is fetched. */
  readonly idx: readonly RegExp[]
}

export interface Limits {
  readonly below?: number
  readonly above?: number
  readonly between?: readonly [number, number]
}

interface WantBase {
  /** Whether its absence is no error and only degrades the answer. */
  readonly optional?: boolean
  readonly domains?: readonly DomainId[]
  /** Lead hours at which it is expected; default: wherever it is listed. */
  readonly leads?: (run: Instant, leadHours: number) => boolean
}

/** A variable from one message. */
export interface ScalarWant extends WantBase {
  readonly kind: 'scalar'
  readonly variable: string
  readonly match: Match
  /** Converts to the unit of the variable table: value = native * scale + offset. */
  readonly scale?: number
  readonly offset?: number
  /** Native values that mean "missing" or "unlimited" in this product. */
  readonly missing?: readonly number[]
}

/** Wind components that become speed and direction; grid-relative ones are rotated to true north. */
export interface WindWant extends WantBase {
  readonly kind: 'wind'
  readonly speed: string
  readonly direction: string
  readonly u: Match
  readonly v: Match
}

/** A direction from true north, averaged as a vector with the speed beside it. */
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

/** Returns the messages that a want needs by role. */
export function matchesOf(want: Want): Readonly<Record<string, Match>> {
  if (want.kind === 'wind') return { u: want.u, v: want.v }
  return want.kind === 'direction' && want.by ? { message: want.match, speed: want.by } : { message: want.match }
}

/** Returns whether the want is usable without the message of this role. */
export function roleIsOptional(want: Want, role: string): boolean {
  return want.kind === 'direction' && role === 'speed'
}

/** The identity that a message declares, in the members of {@link Match}. */
export interface MessageIdentity {
  readonly discipline: number
  readonly category: number
  readonly number: number
  readonly surface: number
  readonly level: number | undefined
  /** 0 for an instant. */
  readonly windowHours: number
  readonly process: number | undefined
  readonly percentile: number | undefined
  readonly probability: Limits | undefined
  readonly derived: number | undefined
  readonly run: Instant
  /** The end of the interval. */
  readonly validTime: Instant
}

/** Returns why a message does not match, such as `parameter: wanted 0/0/0, got 0/0/6`; undefined if it matches. */
export function mismatch(match: Match, got: MessageIdentity): string | undefined {
  const numbers = typeof match.number === 'number' ? [match.number] : match.number
  if (got.discipline !== match.discipline || got.category !== match.category || !numbers.includes(got.number)) {
    const wanted = `${match.discipline}/${match.category}/${numbers.join('|')}`
    return `parameter: wanted ${wanted}, got ${got.discipline}/${got.category}/${got.number}`
  }
  if (!match.surface.includes(got.surface)) {
    return `surface: wanted type ${match.surface.join('|')}, got ${got.surface}`
  }
  if (match.level !== undefined && !near(match.level, got.level)) {
    return `level: wanted ${match.level}, got ${got.level ?? 'none'}`
  }
  if (match.windowHours !== 'any' && Math.abs((match.windowHours ?? 0) - got.windowHours) > 1e-6) {
    return `window: wanted ${match.windowHours ?? 0} h, got ${got.windowHours} h`
  }
  if (match.process !== undefined && got.process !== match.process) {
    return `statistic: wanted code ${match.process}, got ${got.process ?? 'none'}`
  }
  if (got.percentile !== match.percentile) {
    return `percentile: wanted ${match.percentile ?? 'none'}, got ${got.percentile ?? 'none'}`
  }
  if (match.derived ? got.derived === undefined || !match.derived.includes(got.derived) : got.derived !== undefined) {
    return `derived forecast: wanted ${match.derived?.join('|') ?? 'none'}, got ${got.derived ?? 'none'}`
  }
  if (!sameLimits(match.probability, got.probability)) {
    return `probability: wanted ${describeLimits(match.probability)}, got ${describeLimits(got.probability)}`
  }
  return undefined
}

/** Compares within half a percent: 914.5 m and 914.4 m are both 3,000 feet. */
export function sameLimits(wanted: Limits | undefined, got: Limits | undefined): boolean {
  if (!wanted || !got) return wanted === got
  return (
    near(wanted.below, got.below) &&
    near(wanted.above, got.above) &&
    near(wanted.between?.[0], got.between?.[0]) &&
    near(wanted.between?.[1], got.between?.[1])
  )
}

function near(wanted: number | undefined, got: number | undefined): boolean {
  if (wanted === undefined || got === undefined) return wanted === got
  return Math.abs(wanted - got) <= Math.max(Math.abs(wanted) * 0.005, 1e-9)
}

export function describeLimits(limits: Limits | undefined): string {
  if (!limits) return 'none'
  if (limits.between) return `${limits.between[0]} to ${limits.between[1]}`
  return limits.below !== undefined ? `below ${limits.below}` : `above ${limits.above}`
}

import { DAY_LEAD_HOURS, LEAD_HOURS, MAX_LEADS, type VerifiedSource } from './forecast.ts'

/** Variables with scores. */
export const VARIABLES = [
  'temperature',
  'dew_point',
  'wind_speed',
  'wind_gust',
  'sky',
  'flight_category',
  'precip_probability',
  'high',
  'low',
] as const
export type VerifiedVariable = (typeof VARIABLES)[number]

export const PROBABILITY_BINS = 10
const bins = Array.from({ length: PROBABILITY_BINS }, (_, bin) => bin)
/** Flight categories as thresholds, which mean "this category or worse". */
export const FLIGHT_THRESHOLDS = ['mvfr', 'ifr', 'lifr'] as const

const errors = ['n', 'error', 'absolute', 'squared'] as const

/**
 * Counts and sums of the pairs of a day, which add up over days, stations and leads; `n` is always the first. Errors are forecast minus
 * observation in °C or m/s; for `sky`, in categories.
 */
export const STATISTICS: Readonly<Record<VerifiedVariable, readonly string[]>> = {
  temperature: errors,
  dew_point: errors,
  wind_speed: ['n', 'error', 'absolute'],
  wind_gust: ['n', 'error', 'absolute'],
  // These count pairs with the same category, and with a difference of at most one category.
  sky: ['n', 'error', 'same', 'near'],
  flight_category: [
    'n',
    ...FLIGHT_THRESHOLDS.flatMap((threshold) => [`${threshold}_hit`, `${threshold}_miss`, `${threshold}_false`]),
  ],
  // These are the squared errors of the probability and of the station's climatology, then the pairs, probabilities (0–1) and wet hours of
  // each bin.
  precip_probability: [
    'n',
    'wet',
    'brier',
    'reference',
    ...bins.flatMap((bin) => [`n_${bin}`, `probability_${bin}`, `wet_${bin}`]),
  ],
  // `within` counts errors of at most 3 °F.
  high: [...errors, 'within'],
  low: [...errors, 'within'],
}

/** A slot is a source at a lead. */
export interface Slot {
  readonly source: VerifiedSource
  readonly leadHours: number
}

/**
 * The sources in the order of stored sums. A new source is appended, so that sums from before it stay readable: they only have fewer slots.
 * `test/steps/verification.test.ts` has the first slots.
 */
const storedSources: readonly VerifiedSource[] = ['blend', 'nbm', 'hrrr', 'gfs', 'persistence', 'rtma', 'rrfs']

const lastLead = (source: VerifiedSource) => MAX_LEADS[source] ?? Number.POSITIVE_INFINITY

const hourSlots: readonly Slot[] = storedSources.flatMap((source): Slot[] =>
  source === 'rtma'
    ? [{ source, leadHours: 0 }]
    : LEAD_HOURS.filter((lead) => lead <= lastLead(source)).map((leadHours) => ({ source, leadHours })),
)
const daySlots: readonly Slot[] = hourSlots.filter(
  ({ source, leadHours }) =>
    // The row of a lead ends 24 hours after it.
    (DAY_LEAD_HOURS as readonly number[]).includes(leadHours) && leadHours + 24 <= lastLead(source),
)

/** Returns the slots of a variable, in the order of its stored sums. */
export function slotsOf(variable: VerifiedVariable): readonly Slot[] {
  return variable === 'high' || variable === 'low' ? daySlots : hourSlots
}

const places: Readonly<Record<'hour' | 'day', ReadonlyMap<string, number>>> = {
  hour: new Map(hourSlots.map((slot, i) => [nameOf(slot), i])),
  day: new Map(daySlots.map((slot, i) => [nameOf(slot), i])),
}

function nameOf({ source, leadHours }: Slot): string {
  return `${source}/${leadHours}`
}

/** Returns the index of a source and lead among the slots; undefined if there is no such slot. */
export function slotOf(kind: 'hour' | 'day', slot: Slot): number | undefined {
  return places[kind].get(nameOf(slot))
}

/** Returns the length of the stored sums of a variable: slots × statistics. */
export function sumsLength(variable: VerifiedVariable): number {
  return slotsOf(variable).length * STATISTICS[variable].length
}

/**
 * Number of the layout. It increases when statistics change, or slots other than by new ones at the end; rows of an older layout are
 * ignored.
 */
export const LAYOUT = 1
/** Number of days for which the sums are stored. */
export const VERIFICATION_DAYS = 400
/** Minimum number of pairs for a score. */
export const MIN_PAIRS = 30

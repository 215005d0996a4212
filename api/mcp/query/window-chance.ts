import { HOUR, type Instant } from '../../../ingest/domain/time.ts'
import type { PointTable } from '../../dataset/dataset-read.ts'
import type { UnitSystem } from '../../present/units.ts'
import { counted, dateTime } from '../words/reply.ts'
import type { JoinedChance } from './chance.ts'

export const chanceVariables = [
  'precip_amount',
  'snow_amount',
  'ice_amount',
  'wind_speed',
  'wind_gust',
  'temperature',
  'feels_like',
  'visibility',
  'cloud_ceiling',
  'thunderstorm',
] as const

export interface ChanceRequest {
  readonly variable: (typeof chanceVariables)[number]
  readonly comparison: 'above' | 'below'
  /** The threshold in `units`. */
  readonly threshold: number
  readonly start: Instant
  readonly end: Instant
  readonly how: 'any_hour' | 'total'
  readonly units: UnitSystem
  /** Time zone of the place, for the times in words. */
  readonly timezone: string
}

/** Values by variable and time, in the units of the request. */
export type StoredValues = (
  name: string,
) => ReadonlyMap<number, number | null> | NonNullable<ReturnType<PointTable['values']['get']>>

/** A chance from stored distributions, 0 to 1. */
export interface WindowChance {
  readonly chance: number | null
  readonly range: readonly [low: number, high: number] | null
  /** The datasets, the distributions and the rule of joining, or the reason why there is no chance. */
  readonly basis: string
}

export const JOINED =
  'Hours are joined by the rule of the hourly forecast, between hours that coincide (low bound) and independent hours (high bound); verification has not measured this dependence yet.'

/** Returns an unknown chance with the reason. */
export const unknown = (reason: string): WindowChance => ({ chance: null, range: null, basis: reason })

/** Returns the chance of the event, or below the threshold the chance that no hour and no amount is above it. */
export function sided(
  { comparison }: Pick<ChanceRequest, 'comparison'>,
  { chance, range }: JoinedChance,
  basis: string,
): WindowChance {
  if (comparison === 'above') return { chance, range, basis }
  return { chance: 1 - chance, range: [1 - range[1], 1 - range[0]], basis }
}

/** An interval with a stored value. */
export interface StoredInterval {
  readonly from: Instant
  readonly to: Instant
}

/** Returns the stored intervals that end in the window or cover its end, the shortest first, without overlaps. */
export function tiles(
  values: StoredValues,
  name: string,
  lengths: readonly number[],
  { start, end }: Pick<ChanceRequest, 'start' | 'end'>,
): (StoredInterval & { readonly value: number })[] {
  const chosen: (StoredInterval & { readonly value: number })[] = []
  for (const hours of lengths) {
    for (const [to, value] of values(hours === 1 ? name : `${name}_${hours}h`)) {
      const from = to - hours * HOUR
      const overlaps = chosen.some((tile) => from < tile.to && to > tile.from)
      if (value === null || to <= start || from >= end || overlaps) continue
      chosen.push({ from, to, value })
    }
  }
  return chosen
}

/** Returns the sentence that values end before a window does; empty if they reach its end. */
export function untilWords(last: Instant, { end, timezone }: Pick<ChanceRequest, 'end' | 'timezone'>): string {
  return last <= end - HOUR / 2 ? ` Values are stored until ${dateTime(last, timezone)} only.` : ''
}

/** Returns sentences about the parts of a window that the used intervals do not cover; empty if they cover all of it. */
export function gapWords(
  intervals: readonly StoredInterval[],
  request: Pick<ChanceRequest, 'start' | 'end' | 'timezone'>,
): string {
  const { start, end } = request
  let [last, gap] = [start, 0]
  for (const { from, to } of intervals.toSorted((a, b) => a.from - b.from)) {
    gap += Math.max(0, from - last)
    last = Math.max(last, to)
  }
  const hours = Math.round(gap / HOUR)
  const leftOut = hours > 0 ? ` The intervals leave out ${counted(hours, 'hour')} of the window.` : ''
  return `${leftOut}${untilWords(Math.min(last, end), request)}`
}

/** Returns the sentence about intervals that extend beyond the window; empty if none does. */
export function beyondWords(
  intervals: readonly StoredInterval[],
  { start, end }: Pick<ChanceRequest, 'start' | 'end'>,
): string {
  const count = intervals.filter(({ from, to }) => from < start || to > end).length
  return count > 0 ? ` ${counted(count, 'interval reaches', 'intervals reach')} beyond the window.` : ''
}

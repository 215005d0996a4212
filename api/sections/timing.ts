import { nth } from '../../ingest/domain/nth.ts'
import type { Instant } from '../../ingest/domain/time.ts'
import { HOUR } from '../../ingest/domain/time.ts'
import type { TimeZone } from '../../ingest/domain/timezone.ts'
import {
  FREEZING_RAIN,
  ICE_PELLETS,
  NONE,
  RAIN,
  SNOW,
  UNKNOWN,
  WINTRY_MIX,
} from '../../ingest/domain/weather/precip-type.ts'
import type { Forecast } from '../blend/columns.ts'
import { hourRangeOf } from './hour-range.ts'
import type { Stretch, Timing } from './narrative.ts'

/** An onset or end is mentioned if the probability changes by at least this much within the half. */
const MIN_CHANGE_PERCENT = 40
/** Maximum number of stretches that are mentioned; with more, the shortest gaps between them are closed. */
const MAX_STRETCHES = 2
/**
 * Minimum share of the amount times probability for each type of a change, the same where the narrative names snow beside
 * rain anyway, and maximum share that does not fit the change.
 */
const MIN_TYPE_SHARE = 0.25
const MIN_NAMED_SHARE = 0.03
const MAX_MISFIT = 0.25

/**
 * When precipitation of a type is likely within a half: the hours whose probability is above the middle of the least and
 * the greatest, in at most two stretches; and from which hour on another type replaces the first.
 * @param type of the half; a type that no hour has stands for all types
 * @param namesSnow whether the narrative names rain and snow whatever their shares
 * @returns undefined if the chances of all hours, and those of the hours of the type, differ by less than
 * `MIN_CHANGE_PERCENT` and no type replaces another
 */
export function timingOf(
  forecast: Forecast,
  from: Instant,
  to: Instant,
  zone: TimeZone,
  type: number,
  namesSnow = type === WINTRY_MIX,
): Timing | undefined {
  const { firstEnd, lastEnd } = hourRangeOf(forecast, from, to)
  const hourOf = (h: number) => Math.floor(zone.minuteOf(forecast.start + h * HOUR) / 60)
  // When the clock goes back, an hour has the name of the hour before it, which is not its end.
  const endOf = (h: number) => hourOf(hourOf(h) === hourOf(h - 1) ? h + 1 : h)
  const sequence =
    sequenceOf(forecast, firstEnd, lastEnd, MIN_TYPE_SHARE) ??
    (namesSnow ? sequenceOf(forecast, firstEnd, lastEnd, MIN_NAMED_SHARE) : undefined)
  if (sequence) {
    const [first = type, ...rest] = sequence.types
    const later = rest.map((laterType, i) => ({ type: laterType, after: hourOf((sequence.starts[i] ?? firstEnd) - 1) }))
    return { stretches: [], change: { first, later } }
  }
  const chances = chancesOf(forecast, firstEnd, lastEnd, type)
  const least = Math.min(...chances)
  const most = Math.max(...chances)
  const all = forecast.columns.precip_probability.subarray(firstEnd, lastEnd + 1)
  const change = Math.max(most - least, Math.max(...all) - Math.min(...all))
  if (!(change >= MIN_CHANGE_PERCENT)) return undefined
  const likely = likelyHours(chances, (most + least) / 2)
  const last = chances.length - 1
  return {
    stretches: likely.map(
      // Each interval ends at its hour.
      ([begin, end]): Stretch => ({
        ...(begin > 0 && { after: hourOf(firstEnd + begin - 1) }),
        ...(end < last && { before: endOf(firstEnd + end) }),
      }),
    ),
  }
}

/** Returns the probability of each hour. If any hour has the type of the half, hours of other types count as 0. */
function chancesOf({ columns, precipType }: Forecast, first: number, last: number, type: number): number[] {
  const hours = Array.from({ length: Math.max(0, last - first + 1) }, (_, i) => first + i)
  const isNamed = type !== WINTRY_MIX && type !== UNKNOWN && hours.some((h) => precipType[h] === type)
  const chances = columns.precip_probability
  return hours.map((h) => (isNamed && precipType[h] !== type && precipType[h] !== NONE ? 0 : nth(chances, h)))
}

/** Returns the stretches of hours whose probability reaches a limit: the first and last hour of each. */
function likelyHours(chances: readonly number[], least: number): [begin: number, end: number][] {
  const stretches: [begin: number, end: number][] = []
  for (const [i, chance] of chances.entries()) {
    if (!(chance >= least)) continue
    const last = stretches.at(-1)
    if (last && last[1] === i - 1) last[1] = i
    else stretches.push([i, i])
  }
  while (stretches.length > MAX_STRETCHES) closeShortestGap(stretches)
  return stretches
}

function closeShortestGap(stretches: [begin: number, end: number][]): void {
  let shortest = 1
  const gapBefore = (i: number) => (stretches[i]?.[0] ?? 0) - (stretches[i - 1]?.[1] ?? 0)
  for (let i = 2; i < stretches.length; i++) if (gapBefore(i) < gapBefore(shortest)) shortest = i
  const [closed] = stretches.splice(shortest, 1)
  const before = stretches[shortest - 1]
  if (closed && before) before[1] = closed[1]
}

const singleTypes = [RAIN, SNOW, FREEZING_RAIN, ICE_PELLETS]

/** Types in the order in which they fall, and the index of the first hour of each but the first. */
interface TypeSequence {
  readonly types: readonly number[]
  readonly starts: readonly number[]
}

/**
 * Returns the order in time of two or three types that have most of the precipitation of a half; undefined if they
 * alternate. Hours of a mix of rain and snow are a type of their own, or else belong to both.
 */
function sequenceOf(
  { columns, precipType }: Forecast,
  begin: number,
  end: number,
  leastShare: number,
): TypeSequence | undefined {
  const weights = Array.from({ length: Math.max(0, end - begin + 1) }, (_, i) => {
    if (precipType[begin + i] === NONE) return 0
    const chance = columns.precip_probability[begin + i] ?? Number.NaN
    return (columns.precip_amount[begin + i] || 0) * (Number.isNaN(chance) ? 100 : chance)
  })
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  const isExact = (i: number, type: number) => (precipType[begin + i] === type ? 1 : 0)
  /** Part of an hour that a type has. */
  const partOf = (i: number, type: number) => {
    if (precipType[begin + i] === WINTRY_MIX) return type === RAIN || type === SNOW ? 0.5 : 0
    return isExact(i, type)
  }
  for (const [types, part] of [
    [[WINTRY_MIX, ...singleTypes], isExact],
    [singleTypes, partOf],
  ] as const) {
    const shareOf = (type: number) => weights.reduce((sum, weight, i) => sum + part(i, type) * weight, 0)
    const main = types.filter((type) => shareOf(type) > 0 && shareOf(type) >= leastShare * total)
    const best = bestSequence(main, part, weights, MAX_MISFIT * total)
    if (best) return { types: best.types, starts: best.starts.map((start) => begin + start) }
  }
  return undefined
}

/**
 * Returns the order of two or three types, and the hours at which they change, with the least weight in hours of
 * another type; undefined if that weight is `limit` or more.
 */
function bestSequence(
  types: readonly number[],
  part: (i: number, type: number) => number,
  weights: readonly number[],
  limit: number,
): TypeSequence | undefined {
  if (types.length < 2 || types.length > 3) return undefined
  let best: TypeSequence | undefined
  let leastMisfit = limit
  const changes = startsOf(types.length - 1, 1, weights.length)
  for (const order of ordersOf(types)) {
    for (const starts of changes) {
      const misfit = misfitOf(order, starts, part, weights, leastMisfit)
      if (misfit >= leastMisfit) continue
      leastMisfit = misfit
      best = { types: order, starts }
    }
  }
  return best
}

/**
 * Returns the weight in hours of another type than a sequence has. A sum that reaches `limit` is returned at once: three types have
 * 330 sequences in a half, most of which are far worse than the best.
 */
function misfitOf(
  order: readonly number[],
  starts: readonly number[],
  part: (i: number, type: number) => number,
  weights: readonly number[],
  limit: number,
): number {
  let sum = 0
  let k = 0
  for (let i = 0; i < weights.length && sum < limit; i++) {
    if (i === starts[k]) k++
    sum += (1 - part(i, order[k] ?? NONE)) * (weights[i] ?? 0)
  }
  return sum
}

/** Every order of the elements of a short list. */
function ordersOf(list: readonly number[]): readonly (readonly number[])[] {
  if (list.length < 2) return [list]
  return list.flatMap((first) => ordersOf(list.filter((other) => other !== first)).map((rest) => [first, ...rest]))
}

/** Every ascending list of `count` whole numbers from `least` to below `end`. */
function startsOf(count: number, least: number, end: number): readonly (readonly number[])[] {
  if (count === 0) return [[]]
  return Array.from({ length: Math.max(0, end - least) }, (_, i) => least + i).flatMap((first) =>
    startsOf(count - 1, first + 1, end).map((rest) => [first, ...rest]),
  )
}

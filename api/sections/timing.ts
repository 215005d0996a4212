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
 * Minimum share of the amount times probability for each type of a change, and maximum share that does not fit the
 * change.
 */
const MIN_TYPE_SHARE = 0.25
const MAX_MISFIT = 0.25

/**
 * When precipitation of a type is likely within a half: the hours whose probability is above the middle of the least and
 * the greatest, in at most two stretches; and from which hour on another type replaces the first.
 * @param type of the half; a type that no hour has stands for all types
 * @returns undefined if the chances of all hours, and those of the hours of the type, differ by less than
 * `MIN_CHANGE_PERCENT` and no type replaces another
 */
export function timingOf(
  forecast: Forecast,
  from: Instant,
  to: Instant,
  zone: TimeZone,
  type: number,
): Timing | undefined {
  const { firstEnd, lastEnd } = hourRangeOf(forecast, from, to)
  const hourOf = (h: number) => Math.floor(zone.minuteOf(forecast.start + h * HOUR) / 60)
  // When the clock goes back, an hour has the name of the hour before it, which is not its end.
  const endOf = (h: number) => hourOf(hourOf(h) === hourOf(h - 1) ? h + 1 : h)
  const typeChange = changeOf(forecast, firstEnd, lastEnd)
  if (typeChange) return { stretches: [], change: { ...typeChange, after: hourOf(typeChange.from - 1) } }
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
  return hours.map((h) => (isNamed && precipType[h] !== type && precipType[h] !== NONE ? 0 : chances[h]!))
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

interface TypeChange {
  readonly first: number
  readonly second: number
  /** Index of the first hour of the second type. */
  readonly from: number
}

/**
 * Returns the change from one type to another within a half, if two types have most of the precipitation and one
 * follows the other. Hours of a mix of rain and snow belong to both.
 */
function changeOf({ columns, precipType }: Forecast, begin: number, end: number): TypeChange | undefined {
  const weightOf = (h: number) => {
    if (precipType[h] === NONE) return 0
    const chance = columns.precip_probability[h]!
    return (columns.precip_amount[h] || 0) * (Number.isNaN(chance) ? 100 : chance)
  }
  let total = 0
  for (let h = begin; h <= end; h++) total += weightOf(h)
  /** Part of an hour that a type has. */
  const partOf = (h: number, type: number) => {
    if (precipType[h] === WINTRY_MIX) return type === RAIN || type === SNOW ? 0.5 : 0
    return precipType[h] === type ? 1 : 0
  }
  const exactPart = (h: number, type: number) => (precipType[h] === type ? 1 : 0)
  const typesBy = (types: readonly number[], part: (h: number, type: number) => number) =>
    types.filter((type) => {
      let share = 0
      for (let h = begin; h <= end; h++) share += part(h, type) * weightOf(h)
      return share > 0 && share >= MIN_TYPE_SHARE * total
    })
  const exact = typesBy([WINTRY_MIX, ...singleTypes], exactPart)
  const parted = typesBy(singleTypes, partOf)
  return (
    bestChange(exact, exactPart, weightOf, total, begin, end) ?? bestChange(parted, partOf, weightOf, total, begin, end)
  )
}

/**
 * Returns the hour from which one of two types best replaces the other; undefined if they alternate or there are not
 * two types.
 */
function bestChange(
  [a, b, c]: readonly number[],
  part: (h: number, type: number) => number,
  weightOf: (h: number) => number,
  total: number,
  begin: number,
  end: number,
): TypeChange | undefined {
  if (a === undefined || b === undefined || c !== undefined) return undefined
  let best: TypeChange | undefined
  let leastMisfit = MAX_MISFIT * total
  for (const [first, second] of [
    [a, b],
    [b, a],
  ] as const) {
    for (let from = begin + 1; from <= end; from++) {
      let misfit = 0
      for (let h = begin; h <= end; h++) misfit += (1 - part(h, h < from ? first : second)) * weightOf(h)
      if (misfit >= leastMisfit) continue
      leastMisfit = misfit
      best = { first, second, from }
    }
  }
  return best
}

import { HOUR } from '../../../ingest/domain/time.ts'
import { counted } from '../words/reply.ts'
import { type AmountPart, anyOf, type Exceedance, ordered, sumAbove } from './chance.ts'
import {
  beyondWords,
  type ChanceRequest,
  gapWords,
  JOINED,
  type StoredInterval,
  type StoredValues,
  sided,
  tiles,
  unknown,
  type WindowChance,
} from './window-chance.ts'

/** Limits of snow whose probability is stored, inches. */
export const SNOW_LIMITS_IN = [1, 2, 4] as const
const SUMMED = 'Intervals are summed halfway between amounts that are high together and independent amounts.'

/** Returns whether a threshold is 0.01 in (0.254 mm) of precipitation. */
export function isMeasurable({
  variable,
  threshold,
  units,
}: Pick<ChanceRequest, 'variable' | 'threshold' | 'units'>): boolean {
  const measurable = units === 'imperial' ? 0.01 : 0.254
  return variable === 'precip_amount' && Math.abs(threshold - measurable) <= measurable / 20
}

/** Returns the chance that any hour has more than an amount. Only the amount of "measurable" has a stored hourly probability. */
export function hourlyAmountChance(values: StoredValues, request: ChanceRequest): WindowChance {
  if (!isMeasurable(request))
    return unknown('for single hours only the probability of 0.01 in of precipitation is stored; use how "total".')
  const used = tiles(values, 'precip_probability', [1, 6, 12], request)
  if (used.length === 0) return unknown('no probability of precipitation is stored for these hours.')
  const basis = `NBM probabilities of precipitation of ${counted(used.length, 'interval')}.${beyondWords(used, request)}${gapWords(used, request)} ${JOINED}`
  return sided(request, anyOf(used.map(({ value }) => value / 100)), basis)
}

/** Returns the chance that the total of the window exceeds an amount. */
export function totalChance(values: StoredValues, request: ChanceRequest): WindowChance {
  const { variable, threshold, units, start, end } = request
  const inch = units === 'imperial' ? 1 : 25.4
  const isSnow = variable === 'snow_amount'
  const hours = isSnow ? 24 : 6
  const prefix = isSnow ? 'snow_amount_24h_p' : 'precip_amount_p'
  // A stored probability of exactly this amount and window is the answer.
  const window = (end - start) / HOUR
  if (isMeasurable(request) && [1, 6, 12].includes(window)) {
    const exact = values(window === 1 ? 'precip_probability' : `precip_probability_${window}h`).get(end)
    if (typeof exact === 'number')
      return sided(
        request,
        { chance: exact / 100, range: [exact / 100, exact / 100] },
        `NBM probability of precipitation of exactly ${window === 1 ? 'this hour' : `these ${window} hours`}.`,
      )
  }
  const ends = intervalEnds(values(`${prefix}50`), { start, end }, hours)
  const parts = ends.flatMap((to): (AmountPart & StoredInterval)[] => {
    const points: Exceedance[] = [10, 50, 90].flatMap((p) => {
      const value = values(`${prefix}${p}`).get(to)
      return typeof value === 'number' ? [{ value, chance: 1 - p / 100 }] : []
    })
    if (points.length < 3) return []
    const share = shareOf(values, isSnow ? 'snow_amount' : 'precip_amount', { to, hours }, request)
    const known = ordered([{ value: 0, chance: 1 }, ...points, ...limitPoints(values, to, isSnow, inch)])
    return [{ points: known, share, from: to - hours * HOUR, to }]
  })
  // Without percentiles the probability of measurable precipitation is still stored.
  if (parts.length === 0 && isMeasurable(request)) return hourlyAmountChance(values, request)
  if (parts.length === 0) return unknown(`no percentiles of ${hours}-hour amounts are stored for these hours.`)
  const known = `NBM percentiles of ${counted(parts.length, `${hours}-hour amount`)}`
  const shared = parts.some(({ share }) => share < 0.999) ? ', by the share of the window' : ''
  const summed = parts.length > 1 ? ` ${SUMMED}` : ''
  return sided(request, sumAbove(parts, threshold), `${known}${shared}.${gapWords(parts, request)}${summed}`)
}

/** Returns the ends of stored intervals that tile a window: those at multiples of their length after the first one that covers its start. */
function intervalEnds(
  stored: ReadonlyMap<number, number | null>,
  { start, end }: { readonly start: number; readonly end: number },
  hours: number,
): number[] {
  const length = hours * HOUR
  const times = [...stored].flatMap(([time, value]) => (value === null ? [] : [time])).sort((a, b) => a - b)
  // An interval that begins with the window is used if it is stored, else the first that covers its start.
  const first = times.find((to) => Math.abs(to - length - start) < HOUR) ?? times.find((to) => to > start)
  if (first === undefined) return []
  return times.filter((to) => to >= first && (to - first) % length === 0 && to - length < end)
}

/** Returns the share of an interval that lies in the window: by its hourly amounts if all are stored, else by time. */
function shareOf(
  values: StoredValues,
  hourly: string,
  { to, hours }: { to: number; hours: number },
  { start, end }: ChanceRequest,
) {
  const from = to - hours * HOUR
  if (from >= start - HOUR && to <= end) return 1
  let [inside, total, known] = [0, 0, 0]
  for (let at = from + HOUR; at <= to; at += HOUR) {
    const amount = values(hourly).get(at)
    if (typeof amount !== 'number') continue
    known++
    total += amount
    if (at > start && at <= end) inside += amount
  }
  // An expected amount of zero is not certain, so the share by time leaves a chance.
  if (known === hours && inside > 0) return inside / total
  return Math.max(0, Math.min(to, end) - Math.max(from, start)) / (hours * HOUR)
}

/** Returns points of the distribution from stored probabilities: of 0.01 in of precipitation, or of 1, 2 and 4 in of snow. */
function limitPoints(values: StoredValues, to: number, isSnow: boolean, inch: number): Exceedance[] {
  const names = isSnow
    ? SNOW_LIMITS_IN.map((inches) => ({ name: `snow_prob_gt_${inches}in`, value: inches * inch }))
    : [{ name: 'precip_probability_6h', value: 0.01 * inch }]
  return names.flatMap(({ name, value }) => {
    const chance = values(name).get(to)
    return typeof chance === 'number' ? [{ value, chance: chance / 100 }] : []
  })
}

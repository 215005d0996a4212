import { HOUR, type Instant } from '../../../ingest/domain/time.ts'
import { leading } from '../../blend/field-table.ts'
import { familyOf } from '../../dataset/dataset.ts'
import { openReader, type PointTable } from '../../dataset/dataset-read.ts'
import type { Spot } from '../../dataset/spot.ts'
import type { UnitSystem } from '../../present/units.ts'
import type { ToolContext } from '../protocol/context.ts'
import { type AmountPart, anyOf, chanceAbove, type Exceedance, normalAbove, ordered, sumAbove } from './chance.ts'

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
  /** In `units`. */
  readonly threshold: number
  readonly start: Instant
  readonly end: Instant
  readonly how: 'any_hour' | 'total'
  readonly units: UnitSystem
}

/** A chance from stored distributions, 0 to 1. */
export interface StoredChance {
  readonly chance: number | null
  readonly range: readonly [low: number, high: number] | null
  /** The datasets, the distributions and the rule of joining, or the reason why there is no chance. */
  readonly basis: string
  readonly run: Instant | undefined
}

const JOINED =
  'Hours are joined by the rule of the hourly forecast, between hours that coincide (low bound) and independent hours (high bound); verification has not measured this dependence yet.'
const SUMMED = 'Intervals are summed halfway between amounts that are high together and independent amounts.'

/** The chance of a threshold in a window, from the distributions of the leading model. @throws Fault */
export async function storedChance(context: ToolContext, spot: Spot, request: ChanceRequest): Promise<StoredChance> {
  const { variable, how } = request
  if (variable === 'feels_like' || variable === 'ice_amount')
    return { ...unknown(`no distribution of ${variable} is stored, only its expected value.`), run: undefined }
  const names = variablesOf(variable)
  const family = familyOf(context, leading)
  const stored = names.filter((name) => family.variables.includes(name))
  const reader = await openReader(context, {
    family,
    variables: stored,
    // An interval that ends after the window may cover its end.
    from: Math.floor(request.start / HOUR) * HOUR,
    to: request.end + 24 * HOUR,
    units: request.units,
  })
  const table = await reader.point(spot.location.lat, spot.location.lon, spot.resolved.domain)
  const values: StoredValues = (name) => table?.values.get(name) ?? new Map<number, number | null>()
  const run = table?.run
  const answer = isAmount(variable)
    ? how === 'total'
      ? totalChance(values, request)
      : hourlyAmountChance(values, request)
    : variable === 'thunderstorm'
      ? thunderChance(values, request)
      : instantChance(values, request)
  return { ...answer, run }
}

type StoredValues = (
  name: string,
) => ReadonlyMap<number, number | null> | NonNullable<ReturnType<PointTable['values']['get']>>
type WindowChance = Omit<StoredChance, 'run'>

const unknown = (reason: string): WindowChance => ({ chance: null, range: null, basis: reason })
const isAmount = (variable: string): variable is 'precip_amount' | 'snow_amount' =>
  variable === 'precip_amount' || variable === 'snow_amount'

/** Limits of visibility (miles) and ceiling (feet) whose probability is stored, by the name of the variable. */
const limits = {
  visibility: [1, 2, 3, 5].map((miles) => ({ name: `visibility_prob_below_${miles}mi`, si: miles * 1609.344 })),
  cloud_ceiling: [500, 1000, 2000, 3000, 6600].map((feet) => ({
    name: `ceiling_prob_below_${feet}ft`,
    si: feet * 0.3048,
  })),
} as const
const SNOW_LIMITS_IN = [1, 2, 4] as const

function variablesOf(variable: ChanceRequest['variable']): string[] {
  switch (variable) {
    case 'precip_amount':
      return [
        ...['precip_amount', 'precip_probability', 'precip_probability_6h', 'precip_probability_12h'],
        ...[10, 50, 90].map((p) => `precip_amount_p${p}`),
      ]
    case 'snow_amount':
      return [
        ...['snow_amount', 'snow_amount_6h'],
        ...[10, 50, 90].map((p) => `snow_amount_24h_p${p}`),
        ...SNOW_LIMITS_IN.map((inches) => `snow_prob_gt_${inches}in`),
      ]
    case 'thunderstorm':
      return ['', '_3h', '_6h', '_12h'].map((window) => `thunderstorm_probability${window}`)
    case 'visibility':
    case 'cloud_ceiling':
      return limits[variable].map(({ name }) => name)
    default:
      return [variable, `${variable}_stddev`]
  }
}

const inWindow = (time: number, { start, end }: ChanceRequest): boolean => time > start - HOUR && time <= end

/** The chance of any hour from instants: normal around the forecast with the stored spread, or stored probabilities of limits. */
function instantChance(values: StoredValues, request: ChanceRequest): WindowChance {
  const { variable, comparison, threshold } = request
  if (variable === 'visibility' || variable === 'cloud_ceiling') return limitChance(values, request)
  const spreads = values(`${variable}_stddev`)
  const hours = [...values(variable)].flatMap(([time, mean]) => {
    const spread = spreads.get(time)
    if (!inWindow(time, request) || mean === null || typeof spread !== 'number') return []
    const above = normalAbove(threshold, mean, spread)
    return [comparison === 'above' ? above : 1 - above]
  })
  if (hours.length === 0) return unknown(`no spread of ${variable} is stored for these hours.`)
  const basis = `NBM ${variable.replaceAll('_', ' ')} with its ensemble spread, as a normal distribution, in ${hours.length} hours.`
  return { ...anyOf(hours), basis: `${basis} ${JOINED}` }
}

/** Chances of low visibility or ceiling, whose probabilities are stored for a few limits; null above the highest limit. */
function limitChance(values: StoredValues, request: ChanceRequest): WindowChance {
  const { comparison, threshold, units, variable } = request
  const known = limits[variable === 'visibility' ? 'visibility' : 'cloud_ceiling'].map(({ name, si }) => ({
    name,
    limit: inUnits(si, variable === 'visibility' ? 'visibility' : 'altitude', units),
  }))
  const highest = known.at(-1)?.limit ?? 0
  if (threshold > highest * 1.0001)
    return unknown(`probabilities are stored for limits up to ${Math.round(highest * 100) / 100} only.`)
  const times = [...new Set(known.flatMap(({ name }) => [...values(name).keys()]))].filter((at) =>
    inWindow(at, request),
  )
  const hours = times.flatMap((time) => {
    const points = known.flatMap(({ name, limit }) => {
      const chance = values(name).get(time)
      return typeof chance === 'number' ? [{ value: limit, chance: 1 - chance / 100 }] : []
    })
    if (points.length === 0) return []
    const above = chanceAbove(ordered([{ value: 0, chance: 1 }, ...points]), nearestLimit(threshold, known))
    return [comparison === 'below' ? 1 - above : above]
  })
  if (hours.length === 0) return unknown('no probability of such limits is stored for these hours.')
  return { ...anyOf(hours), basis: `NBM probabilities of limits in ${hours.length} hours. ${JOINED}` }
}

/** The limit that a threshold means, or the threshold itself: NBM rounds limits such as 3,000 feet. */
function nearestLimit(threshold: number, known: readonly { readonly limit: number }[]): number {
  return known.find(({ limit }) => Math.abs(limit - threshold) <= limit * 0.001)?.limit ?? threshold
}

const SI_PER = {
  visibility: { imperial: 1609.344, metric: 1000, si: 1 },
  altitude: { imperial: 0.3048, metric: 1, si: 1 },
}
const inUnits = (si: number, quantity: keyof typeof SI_PER, system: UnitSystem) => si / SI_PER[quantity][system]

/** Probabilities of thunder of the shortest stored intervals that tile the window. */
function thunderChance(values: StoredValues, request: ChanceRequest): WindowChance {
  const { comparison } = request
  const chances = tiles(values, 'thunderstorm_probability', [1, 3, 6, 12], request).map(({ value }) => value / 100)
  if (chances.length === 0) return unknown('no probability of thunderstorms is stored for these hours.')
  const joined = anyOf(chances)
  const basis = `NBM thunderstorm probabilities of ${chances.length} intervals. ${JOINED}`
  if (comparison === 'above') return { ...joined, basis }
  return { chance: 1 - joined.chance, range: [1 - joined.range[1], 1 - joined.range[0]], basis }
}

/** Stored intervals that end in the window or cover its end, the shortest first, without overlaps. */
function tiles(values: StoredValues, name: string, lengths: readonly number[], { start, end }: ChanceRequest) {
  const chosen: { readonly from: number; readonly to: number; readonly value: number }[] = []
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

/** Whether a threshold is 0.01 in (0.254 mm) of precipitation. */
export function isMeasurable({
  variable,
  threshold,
  units,
}: Pick<ChanceRequest, 'variable' | 'threshold' | 'units'>): boolean {
  const measurable = units === 'imperial' ? 0.01 : 0.254
  return variable === 'precip_amount' && Math.abs(threshold - measurable) <= measurable / 20
}

/** The chance that any hour has more than an amount: only for the amount of "measurable", whose hourly probability is stored. */
function hourlyAmountChance(values: StoredValues, request: ChanceRequest): WindowChance {
  if (!isMeasurable(request))
    return unknown('for single hours only the probability of 0.01 in of precipitation is stored; use how "total".')
  const chances = tiles(values, 'precip_probability', [1, 6, 12], request).map(({ value }) => value / 100)
  if (chances.length === 0) return unknown('no probability of precipitation is stored for these hours.')
  return sided(request, anyOf(chances), `NBM probabilities of precipitation of ${chances.length} intervals. ${JOINED}`)
}

function sided(
  { comparison }: ChanceRequest,
  { chance, range }: ReturnType<typeof anyOf>,
  basis: string,
): WindowChance {
  if (comparison === 'above') return { chance, range, basis }
  return { chance: 1 - chance, range: [1 - range[1], 1 - range[0]], basis }
}

/** The chance that the total of the window exceeds an amount. */
function totalChance(values: StoredValues, request: ChanceRequest): WindowChance {
  const { variable, threshold, units, start, end } = request
  const inch = units === 'imperial' ? 1 : 25.4
  const isSnow = variable === 'snow_amount'
  const hours = isSnow ? 24 : 6
  const prefix = isSnow ? 'snow_amount_24h_p' : 'precip_amount_p'
  // A stored probability of exactly this amount and window is the answer.
  const window = Math.round((end - start) / HOUR)
  if (!isSnow && Math.abs(threshold - 0.01 * inch) < 0.0005 * inch && [1, 6, 12].includes(window)) {
    const exact = values(window === 1 ? 'precip_probability' : `precip_probability_${window}h`).get(end)
    if (typeof exact === 'number')
      return sided(
        request,
        { chance: exact / 100, range: [exact / 100, exact / 100] },
        `NBM probability of precipitation of exactly these ${window} hours.`,
      )
  }
  const ends = intervalEnds(values(`${prefix}50`), { start, end }, hours)
  const parts = ends.flatMap((to): AmountPart[] => {
    const points: Exceedance[] = [10, 50, 90].flatMap((p) => {
      const value = values(`${prefix}${p}`).get(to)
      return typeof value === 'number' ? [{ value, chance: 1 - p / 100 }] : []
    })
    const share = shareOf(values, isSnow ? 'snow_amount' : 'precip_amount', { to, hours }, request)
    return points.length < 3
      ? []
      : [{ points: ordered([{ value: 0, chance: 1 }, ...points, ...limitPoints(values, to, isSnow, inch)]), share }]
  })
  // Without percentiles the probability of measurable precipitation is still stored.
  if (parts.length === 0 && isMeasurable(request)) return hourlyAmountChance(values, request)
  if (parts.length === 0) return unknown(`no percentiles of ${hours}-hour amounts are stored for these hours.`)
  const known = `NBM percentiles of ${parts.length} ${hours}-hour ${parts.length === 1 ? 'amount' : 'amounts'}`
  return sided(
    request,
    sumAbove(parts, threshold),
    `${known}${parts.some(({ share }) => share < 0.999) ? ', by the share of the window' : ''}. ${parts.length > 1 ? SUMMED : ''}`.trim(),
  )
}

/** Ends of stored intervals that tile a window: those at multiples of their length after the first one that covers its start. */
function intervalEnds(
  stored: ReadonlyMap<number, number | null>,
  { start, end }: { readonly start: number; readonly end: number },
  hours: number,
): number[] {
  const length = hours * HOUR
  const times = [...stored].flatMap(([time, value]) => (value === null ? [] : [time])).sort((a, b) => a - b)
  // An interval that begins with the window is used where one is stored, else the first that covers its start.
  const first = times.find((to) => Math.abs(to - length - start) < HOUR) ?? times.find((to) => to > start)
  if (first === undefined) return []
  return times.filter((to) => to >= first && (to - first) % length === 0 && to - length < end)
}

/** The share of an interval that lies in the window: by its hourly amounts where all are stored, else by time. */
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
  if (known === hours && total > 0) return inside / total
  return Math.max(0, Math.min(to, end) - Math.max(from, start)) / (hours * HOUR)
}

/** Points of the distribution from stored probabilities: of 0.01 in of precipitation, or of 1, 2 and 4 in of snow. */
function limitPoints(values: StoredValues, to: number, isSnow: boolean, inch: number): Exceedance[] {
  const names = isSnow
    ? SNOW_LIMITS_IN.map((inches) => ({ name: `snow_prob_gt_${inches}in`, value: inches * inch }))
    : [{ name: 'precip_probability_6h', value: 0.01 * inch }]
  return names.flatMap(({ name, value }) => {
    const chance = values(name).get(to)
    return typeof chance === 'number' ? [{ value, chance: chance / 100 }] : []
  })
}

import { HOUR, type Instant } from '../../../ingest/domain/time.ts'
import { leading } from '../../blend/field-table.ts'
import { familyOf } from '../../dataset/dataset.ts'
import { openReader } from '../../dataset/dataset-read.ts'
import type { Spot } from '../../dataset/spot.ts'
import { units } from '../../present/units.ts'
import type { ToolContext } from '../protocol/context.ts'
import { counted } from '../words/reply.ts'
import { hourlyAmountChance, SNOW_LIMITS_IN, totalChance } from './amount-chance.ts'
import { anyOf, chanceAbove, normalAbove, ordered } from './chance.ts'
import {
  beyondWords,
  type ChanceRequest,
  gapWords,
  JOINED,
  type StoredValues,
  sided,
  tiles,
  unknown,
  untilWords,
  type WindowChance,
} from './window-chance.ts'

/** A chance in a window, with the run that it comes from. */
export interface StoredChance extends WindowChance {
  readonly run: Instant | undefined
}

/** Returns the chance of a threshold in a window, from the distributions of the leading model. @throws Fault */
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

const isAmount = (variable: string): variable is 'precip_amount' | 'snow_amount' =>
  variable === 'precip_amount' || variable === 'snow_amount'

/** Limits of visibility (miles) and ceiling (feet) whose probability is stored, by the name of the variable. */
const limits = {
  visibility: [1, 2, 3, 5].map((miles) => ({
    name: `visibility_prob_below_${miles}mi`,
    si: miles / units.imperial.conversions.visibility.scale,
  })),
  cloud_ceiling: [500, 1000, 2000, 3000, 6600].map((feet) => ({
    name: `ceiling_prob_below_${feet}ft`,
    si: feet / units.imperial.conversions.altitude.scale,
  })),
} as const

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

/** Returns the chance of any hour from instants: normal around the forecast with the stored spread, or stored probabilities of limits. */
function instantChance(values: StoredValues, request: ChanceRequest): WindowChance {
  const { variable, comparison, threshold } = request
  if (variable === 'visibility' || variable === 'cloud_ceiling') return limitChance(values, request)
  const spreads = values(`${variable}_stddev`)
  const stored = [...values(variable)].flatMap(([time, mean]) => {
    const spread = spreads.get(time)
    if (mean === null || typeof spread !== 'number') return []
    const above = normalAbove(threshold, mean, spread)
    return [{ time, chance: comparison === 'above' ? above : 1 - above }]
  })
  const basis = `NBM ${variable.replaceAll('_', ' ')} with its ensemble spread, as a normal distribution,`
  return joined(stored, request, basis) ?? unknown(`no spread of ${variable} is stored for these hours.`)
}

/** Returns the chance of any of the stored times of the window; undefined without any. */
function joined(
  stored: readonly { readonly time: Instant; readonly chance: number }[],
  request: ChanceRequest,
  basis: string,
): WindowChance | undefined {
  const used = stored.filter(({ time }) => inWindow(time, request))
  if (used.length === 0) return undefined
  const until = untilWords(Math.max(...stored.map(({ time }) => time)), request)
  const words = `${basis} at ${counted(used.length, 'stored time')}.${until} ${JOINED}`
  return { ...anyOf(used.map(({ chance }) => chance)), basis: words }
}

/** Chances of low visibility or ceiling, whose probabilities are stored for a few limits; null above the highest limit. */
function limitChance(values: StoredValues, request: ChanceRequest): WindowChance {
  const { comparison, threshold, variable } = request
  const isVisibility = variable === 'visibility'
  const { scale } = units[request.units].conversions[isVisibility ? 'visibility' : 'altitude']
  const known = limits[isVisibility ? 'visibility' : 'cloud_ceiling'].map(({ name, si }) => ({
    name,
    limit: si * scale,
  }))
  const highest = known.at(-1)?.limit ?? 0
  if (threshold > highest * 1.0001)
    return unknown(`probabilities are stored for limits up to ${Math.round(highest * 100) / 100} only.`)
  const times = [...new Set(known.flatMap(({ name }) => [...values(name).keys()]))]
  const stored = times.flatMap((time) => {
    const points = known.flatMap(({ name, limit }) => {
      const chance = values(name).get(time)
      return typeof chance === 'number' ? [{ value: limit, chance: 1 - chance / 100 }] : []
    })
    if (points.length === 0) return []
    const above = chanceAbove(ordered([{ value: 0, chance: 1 }, ...points]), nearestLimit(threshold, known))
    return [{ time, chance: comparison === 'below' ? 1 - above : above }]
  })
  return (
    joined(stored, request, 'NBM probabilities of limits') ??
    unknown('no probability of such limits is stored for these hours.')
  )
}

/** Returns the limit that a threshold means, or the threshold itself: NBM rounds limits such as 3,000 feet. */
function nearestLimit(threshold: number, known: readonly { readonly limit: number }[]): number {
  return known.find(({ limit }) => Math.abs(limit - threshold) <= limit * 0.001)?.limit ?? threshold
}

/** Probabilities of thunder of the shortest stored intervals that tile the window. */
function thunderChance(values: StoredValues, request: ChanceRequest): WindowChance {
  const used = tiles(values, 'thunderstorm_probability', [1, 3, 6, 12], request)
  if (used.length === 0) return unknown('no probability of thunderstorms is stored for these hours.')
  const basis = `NBM thunderstorm probabilities of ${counted(used.length, 'interval')}.${beyondWords(used, request)}${gapWords(used, request)} ${JOINED}`
  return sided(request, anyOf(used.map(({ value }) => value / 100)), basis)
}

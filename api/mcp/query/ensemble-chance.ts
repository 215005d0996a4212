import { HOUR, type Instant } from '../../../ingest/domain/time.ts'
import { familyOf } from '../../dataset/dataset.ts'
import { openReader } from '../../dataset/dataset-read.ts'
import type { Spot } from '../../dataset/spot.ts'
import { units } from '../../present/units.ts'
import type { ToolContext } from '../protocol/context.ts'
import { dateTime } from '../words/reply.ts'
import { isMeasurable } from './amount-chance.ts'
import { anyOf } from './chance.ts'
import type { ChanceRequest, StoredValues } from './window-chance.ts'

export const ENSEMBLE = 'refs'
const MEMBERS = 'ensemble_members'
const MEASURABLE = 'ensemble_precip_probability'
const WINDOW = 24 * HOUR
/** A counted window of 24 hours answers for a requested window that has at most two hours that it lacks, and for which it has at most two more. */
const MAX_SHIFT = 2 * HOUR

/** A limit of REFS in the unit of its name: inches, miles or feet. */
interface NamedLimit {
  readonly name: string
  readonly value: number
}
const limits: Partial<Readonly<Record<ChanceRequest['variable'], readonly NamedLimit[]>>> = {
  snow_amount: [1, 3, 6, 12, 18].map((value) => ({ name: `ensemble_snow_nearby_prob_gt_${value}in`, value })),
  precip_amount: [0.1, 0.25, 0.5, 1, 2, 3, 5].map((value) => ({
    name: `ensemble_precip_prob_gt_${String(Math.round(value * 100)).padStart(3, '0')}in`,
    value,
  })),
  visibility: [1, 3, 5].map((value) => ({ name: `ensemble_visibility_prob_below_${value}mi`, value })),
  cloud_ceiling: [500, 1000, 3000].map((value) => ({ name: `ensemble_ceiling_prob_below_${value}ft`, value })),
}

/** What REFS counts of a threshold. Nothing is interpolated: for a threshold between two limits only the range between theirs is known. */
export interface EnsembleChance {
  /** 0 to 1; null if REFS does not count this threshold. */
  readonly chance: number | null
  readonly range: readonly [low: number, high: number]
  /** The window that was counted. */
  readonly start: Instant
  readonly end: Instant
  /** Least and greatest number of members; null if the run does not have it. */
  readonly members: readonly [least: number, most: number] | null
  readonly run: Instant | undefined
  readonly words: string
}

/** Reads the chance of a threshold from REFS; undefined if it has none, or a sentence about what it counts instead. @throws Fault */
export async function ensembleChance(
  context: ToolContext,
  { location, resolved }: Spot,
  request: ChanceRequest,
): Promise<EnsembleChance | string | undefined> {
  const own = limits[request.variable]
  if (!own) return undefined
  const family = familyOf(context, ENSEMBLE)
  const names = [...own.map(({ name }) => name), MEASURABLE, MEMBERS]
  const reader = await openReader(context, {
    family,
    variables: names.filter((name) => family.variables.includes(name)),
    from: Math.floor(request.start / HOUR) * HOUR,
    to: request.end + MAX_SHIFT,
    units: request.units,
  })
  const table = await reader.point(location.lat, location.lon, resolved.domain)
  if (!table) return undefined
  const values: StoredValues = (name) => table.values.get(name) ?? new Map<number, number | null>()
  const isAmount = request.variable === 'snow_amount' || request.variable === 'precip_amount'
  const counted = isMeasurable(request)
    ? inAnyHour(values, request, [{ name: MEASURABLE, value: 0.01 }])
    : isAmount
      ? inOneDay(values, request, own)
      : inAnyHour(values, request, own)
  return counted && typeof counted !== 'string' ? { ...counted, run: table.run } : counted
}

type Counted = Omit<EnsembleChance, 'run'>

/** The limits next to a threshold; the same limit twice if it is the threshold. REFS rounds limits: 1,600 m is 1 mile, 25 mm is 1 inch. */
function limitsAround(own: readonly NamedLimit[], { variable, threshold, units: system }: ChanceRequest) {
  const native = threshold / scaleOf(variable, system)
  const exact = own.find(({ value }) => Math.abs(value - native) <= value * 0.02)
  return {
    low: exact ?? own.findLast(({ value }) => value < native),
    high: exact ?? own.find(({ value }) => value > native),
  }
}

/** Returns the size of an inch, a mile or a foot in the units of a request. */
function scaleOf(variable: ChanceRequest['variable'], system: ChanceRequest['units']): number {
  if (variable === 'visibility' || variable === 'cloud_ceiling') {
    const quantity = variable === 'visibility' ? 'visibility' : 'altitude'
    return units[system].conversions[quantity].scale / units.imperial.conversions[quantity].scale
  }
  return system === 'imperial' ? 1 : 25.4
}

/** Chances of more than an amount in 24 hours. */
function inOneDay(
  values: StoredValues,
  request: ChanceRequest,
  own: readonly NamedLimit[],
): Counted | string | undefined {
  const ends = [...new Set(own.flatMap(({ name }) => known(values(name)).map(([time]) => time)))]
  if (ends.length === 0 || request.how !== 'total') return undefined
  const shift = (end: number) => Math.max(Math.abs(end - request.end), Math.abs(end - WINDOW - request.start))
  const end = ends.reduce((best, time) => (shift(time) < shift(best) ? time : best))
  if (shift(end) > MAX_SHIFT) return 'REFS counts amounts in 24 hours to its hour 60 only, not in this window.'
  const { low, high } = limitsAround(own, request)
  const chanceOf = (limit: NamedLimit | undefined) =>
    known(values(limit?.name ?? '')).find(([time]) => time === end)?.[1]
  const [most = 1, least = 0] = [chanceOf(low), chanceOf(high)]
  const [chance, range] = isAbove(request) ? [most, [least, most] as const] : [1 - most, [1 - most, 1 - least] as const]
  const nearby = request.variable === 'snow_amount' ? 'near the point ' : ''
  return described(own, request, {
    chance: low !== undefined && low === high ? chance : null,
    ...{ range, start: end - WINDOW, end, members: membersAt(values, [end]) },
    span: `${nearby}in the 24 hours to ${dateTime(end, request.timezone)}`,
  })
}

/** Chances of any hour of the window: of low visibility, of a low ceiling, or of measurable precipitation. */
function inAnyHour(values: StoredValues, request: ChanceRequest, own: readonly NamedLimit[]): Counted | undefined {
  const { low, high } = limitsAround(own, request)
  const hoursOf = (limit: NamedLimit | undefined) =>
    known(values(limit?.name ?? '')).filter(([time]) => time > request.start - HOUR && time <= request.end)
  const times = hoursOf(high ?? low).map(([time]) => time)
  const [first] = times
  const last = times.at(-1)
  if (first === undefined || last === undefined) return undefined
  const isAmount = request.variable === 'precip_amount'
  // An hour above a limit is one that is not below it; no hour above an amount is the complement of any hour above it.
  const isOpposite = !isAmount && isAbove(request)
  const joined = (limit: NamedLimit | undefined) =>
    limit && anyOf(hoursOf(limit).map(([, chance]) => (isOpposite ? 1 - chance : chance)))
  const [fewer, more] = isOpposite ? [joined(high), joined(low)] : [joined(low), joined(high)]
  const [least, most, middle] = [fewer?.range[0] ?? 0, more?.range[1] ?? 1, more?.chance ?? 1]
  const isNone = isAmount && !isAbove(request)
  return described(own, request, {
    chance: low !== undefined && low === high ? (isNone ? 1 - middle : middle) : null,
    range: isNone ? [1 - most, 1 - least] : [least, most],
    ...{ start: first, end: last, members: membersAt(values, times) },
    span: `in ${times.length === 1 ? 'the hour' : `${times.length} hours`} to ${dateTime(last, request.timezone)}`,
  })
}

const isAbove = ({ comparison }: ChanceRequest) => comparison === 'above'
const known = (values: ReturnType<StoredValues>) =>
  [...values].flatMap(([time, value]) => (value === null ? [] : [[time, value / 100] as const]))

function membersAt(values: StoredValues, times: readonly number[]): EnsembleChance['members'] {
  const counts = times.flatMap((time) => values(MEMBERS).get(time) ?? [])
  return counts.length > 0 ? [Math.min(...counts), Math.max(...counts)] : null
}

const percent = (share: number) => `${Math.round(share * 100)}%`

function described(
  own: readonly NamedLimit[],
  { variable }: ChanceRequest,
  { span, ...counted }: Omit<Counted, 'words'> & { readonly span: string },
): Counted {
  const { chance, range, members } = counted
  const between = `between ${percent(range[0])} and ${percent(range[1])}`
  const bounds = range[0] === range[1] ? '' : ` (${between})`
  const [fewest, greatest] = members ?? []
  const count = members ? `${fewest === greatest ? fewest : `${fewest} to ${greatest}`} members, ` : ''
  const unit = variable === 'visibility' ? 'mi' : variable === 'cloud_ceiling' ? 'ft' : 'in'
  const limitWords =
    chance === null
      ? ` Its limits are ${own.map(({ value }) => value).join(', ')} ${unit}; nothing is interpolated.`
      : ''
  const share = chance === null ? between : `${percent(chance)}${bounds}`
  return { ...counted, words: `REFS (${count}not calibrated): ${share} ${span}.${limitWords}` }
}

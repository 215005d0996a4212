import { HOUR } from '../../../ingest/domain/time.ts'
import type { DayValue, HourValue } from '../../answer/value.ts'
import type { UnitLabels } from '../../present/units.ts'
import { amountWords } from './forecast-words.ts'
import { clockFormat, phrase, shown } from './reply.ts'

/** Chance from which an hour counts as wet, percent: from it on the words of a row name precipitation. */
const WET_CHANCE = 15
/** Spells of precipitation that a text names. */
const MAX_SPELLS = 4
/** Spells of one kind of hazard that a text names. */
const MAX_HAZARD_SPELLS = 3

export const isWet = ({ precip_probability }: HourValue): boolean => (precip_probability ?? 0) >= WET_CHANCE

/** Consecutive rows for which a test is true, as first and last index. */
export interface Spell {
  readonly first: number
  readonly last: number
}

export function spellsOf(rows: readonly HourValue[], test: (row: HourValue) => boolean): Spell[] {
  const spells: Spell[] = []
  for (const [i, row] of rows.entries()) {
    if (!test(row)) continue
    const open = spells.at(-1)
    if (open?.last === i - 1) spells[spells.length - 1] = { first: open.first, last: i }
    else spells.push({ first: i, last: i })
  }
  return spells
}

const hazards: readonly (readonly [rank: number, words: RegExp])[] = [
  [6, /tornado|severe/i],
  [5, /thunder|freezing|blizzard|\bice\b|sleet/i],
  [4, /heavy/i],
  [3, /snow|wintry/i],
  [2, /rain|drizzle|shower|fog|smoke|dust/i],
]

/** Returns how bad the weather of an hour is: 0 for an hour that is dry and clear, 5 and more for a hazard. */
export function gravityOf(row: HourValue): number {
  // `severe` marks every hour under a severe outlook or warning, also those without a storm.
  if (row.severe && isWet(row)) return 6
  return hazards.find(([, words]) => words.test(row.conditions ?? ''))?.[0] ?? 0
}

/** Smallest rank of a likely hazard far ahead, and of any hazard of the next day, that a short text names. */
const FAR_HAZARD = 5
const NEAR_HAZARD = 3
const LIKELY_PERCENT = 50

/**
 * Returns the index of the day, after the first, whose weather is worst and worse than that of the first; undefined if no hazard is to
 * come. Days after the second count only with a hazard that is likely.
 */
export function worstLaterDay(
  daily: readonly Pick<DayValue, 'conditions' | 'precip_probability'>[],
): number | undefined {
  const rankOf = ({ conditions }: Pick<DayValue, 'conditions'>) =>
    hazards.find(([, words]) => words.test(conditions ?? ''))?.[0] ?? 0
  let worst: { index: number; rank: number } | undefined
  for (const [index, day] of daily.entries()) {
    const rank = rankOf(day)
    const isLikely = (day.precip_probability ?? 0) >= LIKELY_PERCENT
    const isNamed = index < 2 ? index === 0 || rank >= NEAR_HAZARD : rank >= FAR_HAZARD && isLikely
    if (isNamed && (!worst || rank > worst.rank)) worst = { index, rank }
  }
  return worst && worst.index > 0 ? worst.index : undefined
}

export const isHazardous = (row: HourValue): boolean => gravityOf(row) >= 4

/** Returns the index of the row with the greatest value of a field, or with the least; the first of equal ones. Undefined without values. */
export function extremeOf(
  rows: readonly HourValue[],
  field: 'temperature' | 'precip_probability' | 'precip_amount' | 'wind_speed' | 'wind_gust',
  sign: 1 | -1 = 1,
): number | undefined {
  let best: { index: number; value: number } | undefined
  for (const [index, row] of rows.entries()) {
    const value = row[field]
    if (typeof value === 'number' && (!best || sign * value > sign * best.value)) best = { index, value }
  }
  return best?.index
}

/** Returns the index of the hour with the worst weather: the most severe conditions, then the highest chance, then the strongest gust. Undefined if no hour is bad. */
export function worstHour(rows: readonly HourValue[]): number | undefined {
  let worst: { index: number; score: number } | undefined
  for (const [index, row] of rows.entries()) {
    const score = gravityOf(row) * 1000 + (row.precip_probability ?? 0) + (row.wind_gust ?? row.wind_speed ?? 0) / 1000
    if (!worst || score > worst.score) worst = { index, score }
  }
  return worst && worst.score >= WET_CHANCE ? worst.index : undefined
}

/** Indexes of the rows that must not be left out: highest and lowest values, begin and end of each wet and each hazardous spell. */
export function keyHours(rows: readonly HourValue[]): Set<number> {
  const spells = [...spellsOf(rows, isWet), ...spellsOf(rows, isHazardous)]
  const indexes = [
    extremeOf(rows, 'temperature'),
    extremeOf(rows, 'temperature', -1),
    extremeOf(rows, 'precip_probability'),
    extremeOf(rows, 'precip_amount'),
    extremeOf(rows, 'wind_speed'),
    extremeOf(rows, 'wind_gust'),
    worstHour(rows),
    ...spells.flatMap(({ first, last }) => [first, last]),
  ]
  return new Set(indexes.filter((index) => index !== undefined))
}

/** Returns `Sat 3 PM` in a time zone. */
export function hourClock(timezone: string): (time: string) => string {
  const format = clockFormat(timezone, 'weekday and hour', { weekday: 'short', hour: 'numeric' })
  return (time) => format.format(new Date(time)).replace(', ', ' ')
}

/** Returns `Sat 3 PM to Sat 9 PM`, or one hour. */
function spellWords(rows: readonly HourValue[], { first, last }: Spell, clock: (time: string) => string): string {
  const [begin, end] = [rows[first], rows[last]]
  if (!begin || !end) return ''
  return first === last ? clock(begin.time) : `${clock(begin.time)} to ${clock(end.time)}`
}

/** Returns the first spell and the likeliest others in the order of time, and how many more there are. */
function spellList(
  rows: readonly HourValue[],
  spells: readonly Spell[],
  most: number,
  clock: (time: string) => string,
): string {
  const chance = ({ first, last }: Spell) =>
    Math.max(...rows.slice(first, last + 1).map(({ precip_probability }) => precip_probability ?? 0))
  const [first, ...others] = spells
  if (!first) return ''
  const ranked = [first, ...others.toSorted((a, b) => chance(b) - chance(a) || a.first - b.first)]
  const named = ranked.slice(0, most).toSorted((a, b) => a.first - b.first)
  const [next] = ranked.slice(most)
  const more = next ? `, and ${ranked.length - most} more of at most ${chance(next)}%` : ''
  return `${named.map((spell) => spellWords(rows, spell, clock)).join(', ')}${more}`
}

/** Hazards by the words of the conditions, in the order of the text. */
const hazardKinds: readonly (readonly [name: string, words: RegExp])[] = [
  ['thunderstorms', /thunder/i],
  ['freezing rain', /freezing rain/i],
  ['sleet', /sleet/i],
  ['heavy snow', /heavy (?:snow|wintry)/i],
  ['heavy rain', /heavy (?:rain|precipitation|showers)/i],
]
const degrees = ['slight chance of ', 'chance of ', 'likely ', ''] as const

/** Returns how likely a hazard is by the words of an hour: an index of `degrees`; undefined if they do not name it. */
function degreeOf({ conditions = '' }: HourValue, words: RegExp): number | undefined {
  const part = conditions.split(',').find((piece) => words.test(piece))
  if (part === undefined) return undefined
  if (/slight chance/i.test(part)) return 0
  if (/chance/i.test(part)) return 1
  return /likely/i.test(part) ? 2 : 3
}

/** Returns `slight chance of thunderstorms Sat 9 AM to Sat 10 AM` for each kind of hazard. */
function hazardLines(rows: readonly HourValue[], clock: (time: string) => string): string[] {
  const isSevere = (row: HourValue) => row.severe === true && isWet(row)
  const severe = spellsOf(rows, isSevere)
  return [
    ...(severe.length > 0 ? [`severe weather possible ${spellList(rows, severe, MAX_HAZARD_SPELLS, clock)}`] : []),
    ...hazardKinds.flatMap(([name, words]) => {
      const spells = spellsOf(rows, (row) => degreeOf(row, words) !== undefined)
      const degree = Math.max(...rows.map((row) => degreeOf(row, words) ?? -1))
      const likelihood = degrees[degree]
      return likelihood === undefined
        ? []
        : [`${likelihood}${name} ${spellList(rows, spells, MAX_HAZARD_SPELLS, clock)}`]
    }),
  ]
}

/** Returns lines with the highest and lowest values of all rows with their hours, and with the wet and the hazardous spells. */
export function peakLines(rows: readonly HourValue[], units: UnitLabels, timezone: string): string[] {
  const clock = hourClock(timezone)
  const at = (words: string, field: Parameters<typeof extremeOf>[1], label: string, sign: 1 | -1 = 1) => {
    const row = rows[extremeOf(rows, field, sign) ?? -1]
    const value = row?.[field]
    return row && typeof value === 'number' ? `${words} ${shown(value, label)} ${clock(row.time)}` : ''
  }
  const wettest = rows[extremeOf(rows, 'precip_amount') ?? -1]
  const amount = wettest && amountWords('', wettest.precip_amount, units.precip_amount)
  const extremes = phrase(
    at('highest', 'temperature', units.temperature),
    at('lowest', 'temperature', units.temperature, -1),
    at('wind to', 'wind_speed', units.wind_speed),
    at('gusts to', 'wind_gust', units.wind_speed),
    (rows[extremeOf(rows, 'precip_probability') ?? -1]?.precip_probability ?? 0) > 0
      ? at('chance to', 'precip_probability', '%')
      : '',
    amount ? `most in one hour ${amount} ${clock(wettest.time)}` : '',
  )
  const hazards = hazardLines(rows, clock)
  const wet = spellsOf(rows, isWet)
  return [
    ...(extremes ? [`All hours: ${extremes}.`] : []),
    ...(hazards.length > 0 ? [`Hazardous: ${hazards.join('; ')}.`] : []),
    ...(wet.length > 0 ? [`Wet (chance of ${WET_CHANCE}% or more): ${spellList(rows, wet, MAX_SPELLS, clock)}.`] : []),
  ]
}

/** Returns `Worst hour: Sat 4 PM, Thunderstorms, 80%, 0.35 in, gusts 45 mph.`; empty if no hour is bad. */
export function worstHourLine(rows: readonly HourValue[], units: UnitLabels, timezone: string): string[] {
  const row = rows[worstHour(rows) ?? -1]
  if (!row) return []
  const words = phrase(
    hourClock(timezone)(row.time),
    typeof row.temperature === 'number' ? shown(row.temperature, units.temperature) : '',
    row.conditions,
    (row.precip_probability ?? 0) > 0 ? shown(row.precip_probability, '%') : '',
    amountWords('', row.precip_amount, units.precip_amount),
    typeof row.wind_gust === 'number' ? `gusts ${shown(row.wind_gust, units.wind_speed)}` : '',
  )
  return [`Worst hour: ${words}.`]
}

export interface PeriodOptions {
  readonly units: UnitLabels
  readonly timezone: string
  /** Hours of the local clock. */
  readonly length: number
  /** Whether ceiling, visibility, UV and CAPE are named. */
  readonly isDetailed?: boolean
}

/** Returns the lowest ceiling and visibility and the highest UV index and CAPE of some rows. */
export function aloftWords(rows: readonly HourValue[], units: UnitLabels): string {
  const known = (field: 'cloud_ceiling' | 'visibility' | 'uv_index' | 'cape') =>
    rows.map((row) => row[field]).filter((value) => typeof value === 'number')
  const least = (words: string, values: readonly number[], label: string) =>
    values.length > 0 ? `${words} ${shown(Math.min(...values), label)}` : ''
  const most = (words: string, values: readonly number[], label: string) =>
    values.some((value) => value > 0) ? `${words} ${shown(Math.max(...values), label)}` : ''
  return phrase(
    least('ceiling', known('cloud_ceiling'), units.altitude),
    least('visibility', known('visibility'), units.visibility),
    most('UV', known('uv_index'), ''),
    most('CAPE', known('cape'), ''),
  )
}

const DAY_HOURS = 24

/** Returns the local hour of the day of a time, 0 to 23. */
function localHours(timezone: string): (time: string) => number {
  const format = clockFormat(timezone, 'hour of 24', { hour: 'numeric', hourCycle: 'h23' })
  return (time) => Number(format.format(new Date(time))) % DAY_HOURS
}

/**
 * Returns one line for each period of `length` hours of the local clock: `Sat 1 PM to 6 PM: 45 to 57 °F, Rain Showers, 80% 4 PM, 0.35 in, wind to 22
 * mph, gusts 41 mph 2 PM`. The words are those of the worst hour; the amount is the sum of the rows.
 */
export function periodLines(
  rows: readonly HourValue[],
  { units, timezone, length, isDetailed = false }: PeriodOptions,
): string[] {
  const hourOf = localHours(timezone)
  const clock = hourClock(timezone)
  const short = (time: string) => clock(time).replace(/^\w+ /, '')
  const dates = clockFormat(timezone, 'day', { weekday: 'short', month: 'short', day: 'numeric' })
  const date = (time: string) => dates.format(new Date(time))
  const groups: HourValue[][] = []
  let key = ''
  for (const row of rows) {
    // The chance and amount of a row are for the hour that ends at its time, so a period begins after its full hour.
    const begin = new Date(Date.parse(row.time) - HOUR).toISOString()
    const next = `${clock(begin).slice(0, 3)} ${Math.floor(hourOf(begin) / length)}`
    if (next !== key) groups.push([])
    key = next
    groups.at(-1)?.push(row)
  }
  return groups.flatMap((group) => {
    const [first] = group
    const last = group.at(-1)
    if (!first || !last) return []
    const value = (field: Parameters<typeof extremeOf>[1], sign: 1 | -1 = 1) =>
      group[extremeOf(group, field, sign) ?? -1]
    const [low, high] = [value('temperature', -1), value('temperature')]
    const wettest = value('precip_probability')
    const gust = value('wind_gust')
    const sum = (field: 'precip_amount' | 'snow_amount') => group.reduce((total, row) => total + (row[field] ?? 0), 0)
    const worst = group[worstHour(group) ?? -1] ?? first
    const range =
      typeof low?.temperature === 'number' && typeof high?.temperature === 'number'
        ? `${low.temperature} to ${shown(high.temperature, units.temperature)}`
        : ''
    const words = phrase(
      range,
      worst.conditions,
      (wettest?.precip_probability ?? 0) > 0 && wettest ? `${wettest.precip_probability}% ${short(wettest.time)}` : '',
      amountWords('', sum('precip_amount'), units.precip_amount),
      amountWords('snow ', sum('snow_amount'), units.precip_amount),
      typeof value('wind_speed')?.wind_speed === 'number'
        ? `wind to ${shown(value('wind_speed')?.wind_speed, units.wind_speed)}`
        : '',
      typeof gust?.wind_gust === 'number' && gust.wind_gust >= NOTABLE_GUST_RATIO * (gust.wind_speed ?? 0)
        ? `gusts ${shown(gust.wind_gust, units.wind_speed)} ${short(gust.time)}`
        : '',
      isDetailed ? aloftWords(group, units) : '',
    )
    // A weekday alone is ambiguous over a week.
    const isLong = length >= 12
    const end = first === last ? '' : ` to ${short(last.time)}`
    const begin = isLong ? `${date(first.time)} ${short(first.time)}` : clock(first.time)
    const isWholeDay = length === DAY_HOURS && group.length >= DAY_HOURS - 1
    return words ? [`${isWholeDay ? date(first.time) : `${begin}${end}`}: ${words}`] : []
  })
}

/** Gusts are named if they exceed the wind of their hour by half. */
const NOTABLE_GUST_RATIO = 1.5

/** Returns `Temperatures (°F): Sun 6 PM 60.2, 7 PM 57.1, Mon 12 AM 48`; empty without values. */
export function temperatureLine(rows: readonly HourValue[], units: UnitLabels, timezone: string): string[] {
  const clock = hourClock(timezone)
  let day = ''
  const hours = rows.flatMap(({ time, temperature }) => {
    if (typeof temperature !== 'number') return []
    const [name = '', ...hour] = clock(time).split(' ')
    const begin = name === day ? '' : `${name} `
    day = name
    return [`${begin}${hour.join(' ')} ${temperature}`]
  })
  return hours.length > 0
    ? [`Temperatures (${units.temperature === 'K' ? 'K' : `°${units.temperature}`}): ${hours.join(', ')}.`]
    : []
}

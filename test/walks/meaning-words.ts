/** The members of an answer that the rules of meaning read, and the vocabulary of its words. */

import { LRUCache } from 'lru-cache'
import type { AnyJson } from '../../bin/doctor/answer-members.ts'

/** Answers for one place and moment: imperial and metric, detailed. */
export interface Pair {
  readonly imperial: AnyJson
  readonly metric: AnyJson
  /** The imperial answer to a request that includes only the current conditions. */
  readonly currentOnly: AnyJson
}

/** A rule yields `true` for each row that satisfies it and a description of each row that violates it. */
export interface MeaningRule {
  readonly name: string
  readonly check: (pair: Pair) => Iterable<string | true>
}

/** Inches from which precipitation is measurable. */
export const MEASURABLE = 0.01

export type Degree = 'slight chance' | 'chance' | 'likely' | 'plain'

/** Returns the word for a chance in percent. */
export function degreeOf(chance: number): Degree {
  if (chance < 25) return 'slight chance'
  if (chance < 55) return 'chance'
  return chance < 75 ? 'likely' : 'plain'
}

const wet =
  /rain|drizzle|snow|flurr|sleet|ice pellet|freezing|wintry|mix|shower|storm|thunder|hail|precipitation|blizzard/i
const dryIcons = /^(clear|partly-cloudy|mostly-cloudy|cloudy|fog|haze|smoke|dust|wind|breezy|hot|cold)/

export const namesPrecipitation = (words: string): boolean => wet.test(words)
export const drawsPrecipitation = (icon: string): boolean => !dryIcons.test(icon)
export const namesThunder = (words: string): boolean => /thunder|t-?storms?\b/i.test(words)
export const namesSnow = (words: string): boolean => /snow|wintry|mix|blizzard|flurr/i.test(words)
export const drawsSnow = (icon: string): boolean => /snow|sleet/.test(icon)

const degreeIn = (clause: string): Degree | undefined => {
  if (/slight chance/i.test(clause)) return 'slight chance'
  if (/chance/i.test(clause)) return 'chance'
  return /likely/i.test(clause) ? 'likely' : undefined
}

/**
 * Returns the degree words of precipitation and of thunder. In a list with `and`, a leading `chance` applies to the
 * words after it, and a closing `likely` to the words before it.
 */
export function degreesIn(words: string): { precipitation?: Degree; thunder?: Degree } {
  const degrees: { precipitation?: Degree; thunder?: Degree } = {}
  for (const list of words.split(/,|;|\bwith\b|\bthen\b/i)) {
    const names = list.split(/\band\b/i).filter(namesPrecipitation)
    let before: Degree | undefined = degreeIn(names.at(-1) ?? '') === 'likely' ? 'likely' : undefined
    for (const name of names) {
      const degree: Degree = degreeIn(name) ?? before ?? 'plain'
      before = degree
      if (namesThunder(name)) degrees.thunder ??= degree
      else degrees.precipitation ??= degree
    }
  }
  degrees.precipitation ??= degrees.thunder
  return degrees
}

/** Returns the types that words mention, with the values of `precip_type`. */
export function typesIn(words: string): Set<string> {
  const types = new Set<string>()
  if (/wintry|mix/i.test(words)) types.add('wintry_mix')
  if (/freezing (rain|drizzle)/i.test(words)) types.add('freezing_rain')
  if (/sleet|ice pellets/i.test(words)) types.add('ice_pellets')
  if (/snow|flurr/i.test(words)) types.add('snow')
  const remainder = words.replace(/freezing (rain|drizzle)|snow showers|wintry mix/gi, '')
  if (/rain|drizzle/i.test(remainder)) types.add('rain')
  if (types.size === 0 && /shower|storm/i.test(words)) types.add('rain')
  if (types.has('rain') && types.has('snow')) types.add('wintry_mix')
  return types
}

interface LocalHour {
  readonly date: string
  readonly hour: number
}
const formats = new Map<string, Intl.DateTimeFormat>()
/** Formatting takes 20 µs, and the rules ask for the same hours of a zone again and again. */
const locals = new LRUCache<string, LocalHour>({ max: 20_000 })

/** Local date and hour of a time in a zone. */
export function localOf(time: string | number, zone: string): LocalHour {
  const key = `${zone} ${time}`
  let local = locals.get(key)
  if (!local) locals.set(key, (local = formatted(time, zone)))
  return local
}

function formatted(time: string | number, zone: string): LocalHour {
  let format = formats.get(zone)
  if (!format) {
    format = new Intl.DateTimeFormat('en-CA', {
      timeZone: zone,
      hourCycle: 'h23',
      ...{ year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit' },
    })
    formats.set(zone, format)
  }
  const parts = Object.fromEntries(format.formatToParts(new Date(time)).map(({ type, value }) => [type, value]))
  return { date: `${parts['year']}-${parts['month']}-${parts['day']}`, hour: Number(parts['hour']) }
}

/** Returns the hours from 06:00 of `date`; a row belongs to the half in which its 60 minutes lie. */
export interface HalfHours {
  readonly day: AnyJson
  readonly name: 'day' | 'night'
  readonly half: AnyJson
  /** Rows whose 60 minutes lie in the half and have not ended. */
  readonly hours: readonly AnyJson[]
  /** Rows whose valid time lies in the half. */
  readonly instants: readonly AnyJson[]
  /** Whether the hours cover the whole half. */
  readonly isWhole: boolean
  readonly label: string
}

function halfOf(time: number, zone: string): string {
  const { date, hour } = localOf(time, zone)
  if (hour >= 6 && hour < 18) return `${date} day`
  return `${hour >= 18 ? date : localOf(time - 7 * 3_600_000, zone).date} night`
}

/** The halves of an answer with their hours. */
export function halvesOf(answer: AnyJson): HalfHours[] {
  const zone: string = answer.location.timezone
  const now = Date.parse(answer.meta.generated_at)
  const byHour = new Map<string, AnyJson[]>()
  const byInstant = new Map<string, AnyJson[]>()
  const add = (map: Map<string, AnyJson[]>, key: string, row: AnyJson) => map.set(key, [...(map.get(key) ?? []), row])
  for (const row of answer.hourly) {
    const time = Date.parse(row.time)
    add(byInstant, halfOf(time, zone), row)
    if (time > now) add(byHour, halfOf(time - 1, zone), row)
  }
  return answer.daily.flatMap((day: AnyJson) =>
    (['day', 'night'] as const).flatMap((name) => {
      const half = day[name]
      if (!half) return []
      const key = `${day.date} ${name}`
      const hours = byHour.get(key) ?? []
      return [{ day, name, half, hours, instants: byInstant.get(key) ?? [], isWhole: hours.length === 12, label: key }]
    }),
  )
}

/** Whether a row belongs to the running day, whose totals include past precipitation. */
export const isRunning = (day: AnyJson): boolean => day.active_period !== null

/** Describes an hour briefly. */
export const hourText = (h: AnyJson): string =>
  `${h.time} ${h.precip_probability}% ${h.precip_amount} snow ${h.snow_amount} thunder ${h.thunderstorm_probability} ${h.temperature}° ${h.precip_type} "${h.conditions}" ${h.icon}`

/** Describes a half or day briefly. */
export const rowText = (label: string, r: AnyJson): string =>
  `${label} ${r.precip_probability}% ${r.precip_total} snow ${r.snow_total} thunder ${r.thunderstorm_probability ?? r.thunderstorm_probability_max} ${r.precip_type ?? ''} "${r.conditions}" ${r.icon}${r.narrative ? ` | ${r.narrative}` : ''}`

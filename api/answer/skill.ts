import { setImmediate as yieldToEvents } from 'node:timers/promises'
import { nearest } from '../../ingest/domain/nearest.ts'
import { DAY, dateText, type Instant } from '../../ingest/domain/time.ts'
import {
  type Figure,
  figuresOf,
  type ReliabilityBin,
  SCORES_WITH_UNIT,
  scoresWithout,
} from '../../ingest/domain/verification/figures.ts'
import { SOURCES, type VerifiedSource } from '../../ingest/domain/verification/forecast.ts'
import { MIN_PAIRS, slotsOf, type VerifiedVariable } from '../../ingest/domain/verification/statistics.ts'
import { stations } from '../../ingest/geo/site.ts'
import { stateByCode } from '../../ingest/geo/state.ts'
import { officeById, officeList } from '../../ingest/geo/zone.ts'
import type { Database } from '../../ingest/ports/database.ts'
import { firstIssued, isVerifiedArea, lastVerifiedDay, verifiedStationsInBox } from '../../sql/queries/verification.ts'
import { type AreaKind, stationSums, sumsByDay } from '../../sql/queries/verification-sums.ts'
import { type UnitSystem, units } from '../present/units.ts'
import { Problem } from '../problem.ts'
import { parseBox } from '../query/box.ts'

/** A box is summed from its stations: so many days of stations at most. */
const MAX_STATION_DAYS = 6000

/** At most one of state, office, station, bbox; without one the 50 states and DC together. */
export interface SkillArea {
  readonly state?: string | undefined
  readonly office?: string | undefined
  readonly station?: string | undefined
  /** `west,south,east,north` */
  readonly bbox?: string | undefined
}

export interface SkillRequest extends SkillArea {
  readonly variable: VerifiedVariable
  /** Days of UTC before today. */
  readonly days: number
  readonly lead?: number | undefined
  readonly source?: VerifiedSource | undefined
  readonly units: UnitSystem
  readonly now: Instant
}

/** Scores of one source at one lead, from 30 pairs or more; in the units of the request. */
export interface SkillFigure {
  readonly source: VerifiedSource
  readonly leadHours: number
  readonly pairs: number
  readonly days: number
  /** With a 95 % interval; none from fewer than five days. */
  readonly scores: Readonly<Record<string, Figure>>
  readonly reliability?: readonly ReliabilityBin[]
}

export interface Skill {
  readonly unit: string | null
  /** `US`, a state, an office, a station or the box. */
  readonly area: string
  /** Of the period, `2026-11-22`. */
  readonly firstDay: string
  readonly lastDay: string
  readonly figures: readonly SkillFigure[]
  /** How many that were asked for have fewer than 30 pairs. */
  readonly leftOut: number
  /** Why there is no figure; null where there is one. */
  readonly whyEmpty: string | null
}

/**
 * Scores of the answer as served and of its inputs against the reports that came.
 * @throws Problem bad-request (two areas, too large a box), not-found (no such area)
 */
export async function skillOf(database: Database, asked: SkillRequest): Promise<Skill> {
  const { variable } = asked
  const { kind, areas, label } = await areaOf(database, asked)
  const [from, to] = periodOf(asked)
  const rows = areas.length === 0 ? [] : await sumsByDay(database, { kind, areas, variable, from, to })
  const { scale, unit } = skillUnit(variable, asked.units)
  const byDay = rows.map(({ sums }) => sums)
  const wanted = SOURCES.filter((source) => (asked.source ?? source) === source)
  const figures: SkillFigure[] = []
  let [leftOut, most] = [0, 0]
  for (const source of wanted) {
    const found = figuresOf(
      variable,
      byDay,
      (slot) => slot.source === source && (asked.lead ?? slot.leadHours) === slot.leadHours,
    )
    for (const { leadHours, n, days, scores, reliability } of found) {
      most = Math.max(most, n)
      if (!scores) leftOut++
      else
        figures.push({
          ...{ source, leadHours, pairs: n, days, scores: inUnit(scores, scale) },
          ...(reliability && { reliability }),
        })
    }
    // Intervals over 400 days take some milliseconds a source.
    await yieldToEvents()
  }
  const whyEmpty = figures.length > 0 ? null : await reasonOf(database, asked, label, rows.length, most)
  return { unit, area: label, firstDay: from, lastDay: to, figures, leftOut, whyEmpty }
}

/** Scores without intervals, of 30 pairs or more. */
export interface AreaScore {
  /** Id of the station, or postal code of the state. */
  readonly id: string
  readonly pairs: number
  readonly scores: Readonly<Record<string, number>>
}

export interface StationScore extends AreaScore {
  readonly name: string
  readonly lat: number
  readonly lon: number
}

export interface StationSkill {
  readonly stations: readonly StationScore[]
  readonly states: readonly (AreaScore & { readonly stations: number })[]
}

/** One source and lead at every station of an area, and of each state the sum of these stations, by id. */
export async function stationSkill(
  database: Database,
  asked: SkillRequest & { readonly source: VerifiedSource; readonly lead: number },
): Promise<StationSkill> {
  const { variable, source, lead } = asked
  const slot = slotsOf(variable).findIndex((one) => one.source === source && one.leadHours === lead)
  if (slot < 0) return { stations: [], states: [] }
  const { kind, areas } = await areaOf(database, asked)
  const [from, to] = periodOf(asked)
  const within = kind === 'all' ? undefined : { kind, areas }
  const found = await stationSums(database, { variable, from, to, within }, slot)
  const { scale } = skillUnit(variable, asked.units)
  const scored = (id: string, sums: ArrayLike<number>): AreaScore[] => {
    const scores = Object.entries(scoresWithout(variable, sums) ?? {})
    const shown = scores.map(([name, value]) => [name, rounded(scaledBy(name, scale) * value)] as const)
    return shown.length > 0 ? [{ id, pairs: sums[0]!, scores: Object.fromEntries(shown) }] : []
  }
  const states = new Map<string, { count: number; sums: Float64Array }>()
  for (const { state, sums } of found) {
    const { count, sums: before } = states.get(state) ?? { count: 0, sums: new Float64Array(sums.length) }
    states.set(state, { count: count + 1, sums: sums.map((value, i) => value + before[i]!) })
  }
  return {
    stations: found.flatMap(({ id, name, lat, lon, sums }) =>
      scored(id, sums).map((one) => ({ ...one, name, lat, lon })),
    ),
    states: [...states]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .flatMap(([id, { count, sums }]) => scored(id, sums).map((one) => ({ ...one, stations: count }))),
  }
}

function periodOf({ days, now }: Pick<SkillRequest, 'days' | 'now'>): [from: string, to: string] {
  const today = Math.floor(now / DAY)
  return [dateText(today - days), dateText(today - 1)]
}

interface ChosenArea {
  readonly kind: AreaKind
  readonly areas: readonly string[]
  readonly label: string
}

async function areaOf(database: Database, asked: SkillArea & { readonly days: number }): Promise<ChosenArea> {
  const given = (['state', 'office', 'station', 'bbox'] as const).filter((name) => asked[name] !== undefined)
  const [name] = given
  if (given.length > 1)
    throw new Problem('bad-request', `Wanted at most one of state, office, station, bbox; got ${given.join(' and ')}.`)
  if (name === undefined) return { kind: 'all', areas: ['US'], label: 'US' }
  const text = asked[name]!
  if (name === 'bbox') {
    const areas = await verifiedStationsInBox(database, parseBox(text))
    if (areas.length * asked.days > MAX_STATION_DAYS)
      throw new Problem(
        'bad-request',
        `bbox: ${areas.length} stations over ${asked.days} days are ${areas.length * asked.days} days of stations; at most ${MAX_STATION_DAYS}. Ask for a smaller box or fewer days, or by state.`,
      )
    return { kind: 'station', areas, label: text }
  }
  if (!known[name](text) && !(await isVerifiedArea(database, name, text))) {
    const suggestions = nearest(text, codes[name]()).slice(0, 3)
    throw new Problem(
      'not-found',
      `${name}: there is no ${name} "${text}".${suggestions.length > 0 ? ` Nearest: ${suggestions.join(', ')}.` : ''}`,
    )
  }
  return { kind: name, areas: [text], label: text }
}

const codes = {
  state: () => [...stateByCode.keys()],
  office: () => officeList().map(({ id }) => id),
  station: () => stations().map(({ id }) => id),
}
const known: Readonly<Record<keyof typeof codes, (text: string) => boolean>> = {
  state: (text) => stateByCode.has(text),
  office: (text) => officeById(text) !== undefined,
  station: (text) => stations().some(({ id }) => id === text),
}

/** What is missing, and what to do about it. */
async function reasonOf(
  database: Database,
  { variable, lead, source, days, now }: SkillRequest,
  area: string,
  comparedDays: number,
  most: number,
): Promise<string> {
  const fits = (slot: { source: VerifiedSource; leadHours: number }) =>
    (source ?? slot.source) === slot.source && (lead ?? slot.leadHours) === slot.leadHours
  if (!slotsOf(variable).some(fits))
    return `${source ?? 'No source'} ${source ? 'gives' : 'has'} no ${variable} at lead ${lead} h: ask for another lead or source.`
  const first = await firstIssued(database)
  if (!first)
    return 'No forecast has been kept yet. Each hour the answer is kept at stations with reports in 12 of the last 24 hours; scores follow after the first whole day (UTC).'
  const last = await lastVerifiedDay(database)
  if (last === undefined)
    return `Forecasts are kept since ${first.toISOString().slice(0, 16)}Z; no day has been compared yet. A day is compared two hours after its end (UTC).`
  if (comparedDays === 0) {
    const [from, to] = periodOf({ days, now })
    return `Nothing was compared in ${area} from ${from} to ${to}. The last day that was compared anywhere is ${last}.`
  }
  return `At most ${most} pairs of a forecast and a report in ${area}; scores need ${MIN_PAIRS}. Ask for more days or a larger area.`
}

/** Unit of errors, which are stored in °C and m/s; null where scores have none. */
export function skillUnit(variable: VerifiedVariable, system: UnitSystem): { scale: number; unit: string | null } {
  if (['temperature', 'dew_point', 'high', 'low'].includes(variable)) {
    const { scale, label } = units[system].of.temperature_spread
    return { scale, unit: label }
  }
  if (!variable.startsWith('wind')) return { scale: 1, unit: null }
  const { scale, label } = units[system].of.wind_speed
  return { scale, unit: label }
}

const scaledBy = (name: string, scale: number) => (SCORES_WITH_UNIT.has(name) ? scale : 1)

function inUnit(scores: Readonly<Record<string, Figure>>, scale: number): Record<string, Figure> {
  return Object.fromEntries(
    Object.entries(scores).map(([name, { value, low, high }]) => {
      const shown = (one: number) => rounded(scaledBy(name, scale) * one)
      return [
        name,
        { value: shown(value), low: low === null ? null : shown(low), high: high === null ? null : shown(high) },
      ]
    }),
  )
}

const rounded = (value: number) => Math.round(value * 1000) / 1000

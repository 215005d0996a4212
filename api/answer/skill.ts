import { setImmediate as yieldToEvents } from 'node:timers/promises'
import type { DomainId } from '../../ingest/domain/domain.ts'
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
import { domainOfState, stateByCode, states } from '../../ingest/geo/state.ts'
import { officeById, officeList } from '../../ingest/geo/zone.ts'
import type { Database } from '../../ingest/ports/database.ts'
import { firstIssued, isVerifiedArea, lastVerifiedDay, verifiedStationsInBox } from '../../sql/queries/verification.ts'
import { type AreaKind, stationSums, sumsByDay } from '../../sql/queries/verification-sums.ts'
import { type UnitSystem, units } from '../present/units.ts'
import { Problem } from '../problem.ts'
import { parseBox } from '../query/box.ts'

/** Limit of stations multiplied by days, because a box is summed from its stations. */
const MAX_STATION_DAYS = 6000

/** At most one of its members; without any, the 50 states and DC together. */
export interface SkillArea {
  /** The states of a domain; `conus` stands for the contiguous states and DC. */
  readonly domain?: DomainId | undefined
  readonly state?: string | undefined
  readonly office?: string | undefined
  readonly station?: string | undefined
  /** Degrees `west,south,east,north`. */
  readonly bbox?: string | undefined
}

export interface SkillRequest extends SkillArea {
  readonly variable: VerifiedVariable
  /** Number of UTC days before today. */
  readonly days: number
  readonly lead?: number | undefined
  readonly source?: VerifiedSource | undefined
  readonly units: UnitSystem
  readonly now: Instant
}

/** Scores of one source at one lead from at least 30 pairs, in the units of the request. */
export interface SkillFigure {
  readonly source: VerifiedSource
  readonly leadHours: number
  readonly pairs: number
  readonly days: number
  /** Scores with a 95 % interval; the interval is null for fewer than five days. */
  readonly scores: Readonly<Record<string, Figure>>
  readonly reliability?: readonly ReliabilityBin[]
}

export interface Skill {
  readonly unit: string | null
  /** `US`, a state, an office, a station or the box. */
  readonly area: string
  /** First day of the period, such as `2026-11-22`. */
  readonly firstDay: string
  readonly lastDay: string
  readonly figures: readonly SkillFigure[]
  /** Number of requested combinations that have fewer than 30 pairs. */
  readonly leftOut: number
  /** Reason why there is no figure; null if there is one. */
  readonly whyEmpty: string | null
}

/**
 * Scores of the served answer and of its inputs, against the reports at the valid times.
 * @throws Problem bad-request (two areas, too large a box), not-found (no such area)
 */
export async function skillOf(database: Database, request: SkillRequest): Promise<Skill> {
  const { variable } = request
  const { kind, areas, label } = await areaOf(database, request)
  const [from, to] = periodOf(request)
  const rows = areas.length === 0 ? [] : await sumsByDay(database, { kind, areas, variable, from, to })
  const { scale, unit } = skillUnit(variable, request.units)
  const byDay = rows.map(({ sums }) => sums)
  const requestedSources = SOURCES.filter((source) => (request.source ?? source) === source)
  const figures: SkillFigure[] = []
  let [leftOut, most] = [0, 0]
  for (const source of requestedSources) {
    const stationRows = figuresOf(
      variable,
      byDay,
      (slot) => slot.source === source && (request.lead ?? slot.leadHours) === slot.leadHours,
    )
    for (const { leadHours, n, days, scores, reliability } of stationRows) {
      most = Math.max(most, n)
      if (!scores) leftOut++
      else
        figures.push({
          ...{ source, leadHours, pairs: n, days, scores: inUnit(scores, scale) },
          ...(reliability && { reliability }),
        })
    }
    // Intervals over 400 days take some milliseconds for each source.
    await yieldToEvents()
  }
  const whyEmpty = figures.length > 0 ? null : await reasonOf(database, request, label, rows.length, most)
  return { unit, area: label, firstDay: from, lastDay: to, figures, leftOut, whyEmpty }
}

/** Scores without intervals, from at least 30 pairs. */
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

/**
 * Scores of one source and lead at every station of an area, and for each state the scores of all these stations
 * together, by id.
 */
export async function stationSkill(
  database: Database,
  request: SkillRequest & { readonly source: VerifiedSource; readonly lead: number },
): Promise<StationSkill> {
  const { variable, source, lead } = request
  const slot = slotsOf(variable).findIndex((candidate) => candidate.source === source && candidate.leadHours === lead)
  if (slot < 0) return { stations: [], states: [] }
  const { kind, areas } = await areaOf(database, request)
  const [from, to] = periodOf(request)
  const within = kind === 'all' ? undefined : { kind, areas }
  const stationRows = await stationSums(database, { variable, from, to, within }, slot)
  const scoresOf = (id: string, sums: ArrayLike<number>): AreaScore[] => {
    const scores = scoresInUnit(variable, scoresWithout(variable, sums) ?? {}, request.units)
    return Object.keys(scores).length > 0 ? [{ id, pairs: sums[0] ?? 0, scores }] : []
  }
  const states = new Map<string, { count: number; sums: Float64Array }>()
  for (const { state, sums } of stationRows) {
    const { count, sums: before } = states.get(state) ?? { count: 0, sums: new Float64Array(sums.length) }
    states.set(state, { count: count + 1, sums: sums.map((value, i) => value + (before[i] ?? 0)) })
  }
  return {
    stations: stationRows.flatMap(({ id, name, lat, lon, sums }) =>
      scoresOf(id, sums).map((score) => ({ ...score, name, lat, lon })),
    ),
    states: [...states]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .flatMap(([id, { count, sums }]) => scoresOf(id, sums).map((score) => ({ ...score, stations: count }))),
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

async function areaOf(database: Database, request: SkillArea & { readonly days: number }): Promise<ChosenArea> {
  const names = (['state', 'office', 'station', 'bbox', 'domain'] as const).filter(
    (area) => request[area] !== undefined,
  )
  const [name] = names
  if (names.length > 1)
    throw new Problem(
      'bad-request',
      `The request has ${names.join(' and ')}, but may have at most one of state, office, station, bbox and domain. Leave out the others.`,
    )
  const text = name && request[name]
  if (name === undefined || text === undefined) return { kind: 'all', areas: ['US'], label: 'US' }
  if (name === 'domain')
    return {
      kind: 'state',
      areas: states.flatMap(({ code }) => (domainOfState(code) === text ? [code] : [])),
      label: text,
    }
  if (name === 'bbox') {
    const areas = await verifiedStationsInBox(database, parseBox(text))
    if (areas.length * request.days > MAX_STATION_DAYS)
      throw new Problem(
        'bad-request',
        `bbox: ${areas.length} stations times ${request.days} days are ${areas.length * request.days}, but may be at most ${MAX_STATION_DAYS}. Use a smaller box, fewer days, or a state.`,
      )
    return { kind: 'station', areas, label: text }
  }
  if (!isKnownArea[name](text) && !(await isVerifiedArea(database, name, text))) {
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
const isKnownArea: Readonly<Record<keyof typeof codes, (text: string) => boolean>> = {
  state: (text) => stateByCode.has(text),
  office: (text) => officeById(text) !== undefined,
  station: (text) => stations().some(({ id }) => id === text),
}

/** The reason why there are no scores, and what to do about it. */
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
    return `${source ?? 'No source'} ${source ? 'has no' : 'has'} ${variable} at lead ${lead} h. Use another lead or source.`
  const first = await firstIssued(database)
  if (!first)
    return 'No forecast has been recorded yet. Each hour the answer is recorded at stations with reports in 12 of the last 24 hours; scores follow after the first whole day (UTC).'
  const last = await lastVerifiedDay(database)
  if (last === undefined)
    return `Forecasts have been recorded since ${first.toISOString().slice(0, 16)}Z, but no day has been compared yet. A day is compared two hours after its end (UTC).`
  if (comparedDays === 0) {
    const [from, to] = periodOf({ days, now })
    return `Nothing was compared in ${area} from ${from} to ${to}. The last day that was compared anywhere is ${last}.`
  }
  return `There are at most ${most} pairs of a forecast and a report in ${area}; scores need ${MIN_PAIRS}. Use more days or a larger area.`
}

/** Unit of errors, which are stored in °C and m/s; null where scores have none. */
export function skillUnit(variable: VerifiedVariable, system: UnitSystem): { scale: number; unit: string | null } {
  if (['temperature', 'dew_point', 'high', 'low'].includes(variable)) {
    const { scale, label } = units[system].conversions.temperature_spread
    return { scale, unit: label }
  }
  if (!variable.startsWith('wind')) return { scale: 1, unit: null }
  const { scale, label } = units[system].conversions.wind_speed
  return { scale, unit: label }
}

/** Converts scores without intervals to the units of a request, rounded as in answers. */
export function scoresInUnit(
  variable: VerifiedVariable,
  scores: Readonly<Record<string, number>>,
  system: UnitSystem,
): Record<string, number> {
  const { scale } = skillUnit(variable, system)
  return Object.fromEntries(
    Object.entries(scores).map(([name, value]) => [name, rounded(scaledBy(name, scale) * value)]),
  )
}

const scaledBy = (name: string, scale: number) => (SCORES_WITH_UNIT.has(name) ? scale : 1)

function inUnit(scores: Readonly<Record<string, Figure>>, scale: number): Record<string, Figure> {
  return Object.fromEntries(
    Object.entries(scores).map(([name, { value, low, high }]) => {
      const convert = (score: number) => rounded(scaledBy(name, scale) * score)
      return [
        name,
        { value: convert(value), low: low === null ? null : convert(low), high: high === null ? null : convert(high) },
      ]
    }),
  )
}

const rounded = (value: number) => Math.round(value * 1000) / 1000

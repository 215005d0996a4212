import { ANALYSES, kindOf } from '../../../ingest/domain/dataset/history.ts'
import { DAY, HOUR, parseDate } from '../../../ingest/domain/time.ts'
import { zone } from '../../../ingest/domain/timezone.ts'
import { type Family, families, storedTimes } from '../../dataset/dataset.ts'
import { openReader } from '../../dataset/dataset-read.ts'
import type { Spot } from '../../dataset/spot.ts'
import type { UnitSystem } from '../../present/units.ts'
import type { ToolContext } from '../protocol/context.ts'
import { ToolError } from '../protocol/error.ts'

/** `observed` for URMA, `analysis` for RTMA. */
export type AnalysisOrigin = ReturnType<typeof kindOf>

/** Families of hourly analyses, the more accurate first: URMA, whose values count as observed, then RTMA. */
export function analysisFamilies(context: Pick<ToolContext, 'deps'>): { family: Family; origin: AnalysisOrigin }[] {
  const all = families(context)
  return ANALYSES.flatMap((id) => {
    const family = all.find((candidate) => candidate.id === id)
    return family ? [{ family, origin: kindOf(id) }] : []
  })
}

/** Hourly analyses of a place by full hour: URMA if it is stored, else RTMA. */
export interface PastHours {
  readonly values: ReadonlyMap<string, ReadonlyMap<number, number>>
  /** Which analysis gave an hour. */
  readonly origin: ReadonlyMap<number, AnalysisOrigin>
  /** The datasets that gave values, each with its newest hour, the more accurate first. */
  readonly used: ReadonlyMap<string, number>
}

/** @param from and `to` are instants, both included */
export async function pastHours(
  context: ToolContext,
  spot: Spot,
  from: number,
  to: number,
  variables: readonly string[],
  units: UnitSystem,
): Promise<PastHours> {
  const columns = variables.map((name) => ({ name, values: new Map<number, number>() }))
  const used = new Map<string, number>()
  const origin = new Map<number, AnalysisOrigin>()
  for (const { family, origin: kind } of analysisFamilies(context)) {
    const reader = await openReader(context, { family, variables, from, to, units })
    const table = await reader.point(spot.location.lat, spot.location.lon, spot.resolved.domain)
    for (const { name, values } of columns) {
      for (const [time, value] of table?.values.get(name) ?? []) {
        if (time % HOUR !== 0 || typeof value !== 'number' || values.has(time)) continue
        values.set(time, value)
        if (!origin.has(time)) origin.set(time, kind)
        used.set(family.id, Math.max(time, used.get(family.id) ?? time))
      }
    }
  }
  return { values: new Map(columns.map(({ name, values }) => [name, values])), origin, used }
}

/** Returns the first hour with a stored analysis in any domain; undefined if there is none. */
export async function firstStoredTime(context: ToolContext): Promise<number | undefined> {
  const times = await Promise.all(analysisFamilies(context).map(({ family }) => storedTimes(context, family)))
  return times.flat().reduce<number | undefined>((first, time) => Math.min(first ?? time, time), undefined)
}

/** Returns a local calendar date as days since 1970-01-01. @throws ToolError bad-request */
export function dayNumber(date: string, field: string): number {
  const at = parseDate(date)
  if (Number.isNaN(at)) {
    throw new ToolError(
      'bad-request',
      `${field} must be a calendar date YYYY-MM-DD, but was "${date}".`,
      `correct ${field} and call again.`,
      { field, got: date },
    )
  }
  return at / DAY
}

/** Formats a day since 1970-01-01 as YYYY-MM-DD. */
export const dateOf = (day: number) => new Date(day * DAY).toISOString().slice(0, 10)

/** Returns the 23, 24 or 25 full hours of a local date, as instants. */
export function hoursOfDay(day: number, timezone: string): number[] {
  const place = zone(timezone)
  const hours: number[] = []
  for (let at = Math.ceil(place.startOfDay(day) / HOUR) * HOUR; at < place.startOfDay(day + 1); at += HOUR)
    hours.push(at)
  return hours
}

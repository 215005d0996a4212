import { DAY, HOUR, parseDate } from '../../../ingest/domain/time.ts'
import { zone } from '../../../ingest/domain/timezone.ts'
import { familyOf, storedTimes } from '../../dataset/dataset.ts'
import { openReader } from '../../dataset/dataset-read.ts'
import type { Spot } from '../../dataset/spot.ts'
import type { UnitSystem } from '../../present/units.ts'
import type { ToolContext } from '../protocol/context.ts'
import { ToolError } from '../protocol/error.ts'

const sources = ['urma', 'rtma'] as const

/** Hourly analyses of a place, URMA where it is stored, else RTMA; by full hour. */
export interface PastHours {
  readonly values: ReadonlyMap<string, ReadonlyMap<number, number>>
  /** Which dataset gave an hour. */
  readonly origin: ReadonlyMap<number, 'urma' | 'rtma'>
  /** The datasets that gave values, each with its newest hour. */
  readonly used: ReadonlyMap<string, number>
}

export async function pastHours(
  context: ToolContext,
  spot: Spot,
  from: number,
  to: number,
  variables: readonly string[],
  units: UnitSystem,
): Promise<PastHours> {
  const values = new Map<string, Map<number, number>>(variables.map((name) => [name, new Map()]))
  const used = new Map<string, number>()
  const origin = new Map<number, 'urma' | 'rtma'>()
  for (const id of sources) {
    const family = familyOf(context, id)
    const reader = await openReader(context, { family, variables, from, to, units })
    const table = await reader.point(spot.location.lat, spot.location.lon, spot.resolved.domain)
    for (const name of variables) {
      const into = values.get(name) as Map<number, number>
      for (const [time, value] of table?.values.get(name) ?? []) {
        if (time % HOUR !== 0 || typeof value !== 'number' || into.has(time)) continue
        into.set(time, value)
        if (!origin.has(time)) origin.set(time, id)
        used.set(id, Math.max(time, used.get(id) ?? time))
      }
    }
  }
  return { values, origin, used }
}

/** The first hour with a stored analysis in any domain; undefined where there is none. */
export async function firstStoredTime(context: ToolContext): Promise<number | undefined> {
  const times = await Promise.all(sources.map((id) => storedTimes(context, familyOf(context, id))))
  return times.flat().reduce<number | undefined>((first, time) => Math.min(first ?? time, time), undefined)
}

/** A local calendar date as days since 1970-01-01. @throws ToolError bad-request */
export function dayNumber(date: string, field: string): number {
  const at = parseDate(date)
  if (Number.isNaN(at)) {
    throw new ToolError(
      'bad-request',
      `${field}: wanted a date of the calendar YYYY-MM-DD, got "${date}".`,
      `mend ${field} and call again.`,
      { field, got: date },
    )
  }
  return at / DAY
}

export const dateOf = (day: number) => new Date(day * DAY).toISOString().slice(0, 10)

/** The full hours of a local date: 23, 24 or 25 of them. */
export function hoursOfDay(day: number, timezone: string): number[] {
  const place = zone(timezone)
  const hours: number[] = []
  for (let at = Math.ceil(place.startOfDay(day) / HOUR) * HOUR; at < place.startOfDay(day + 1); at += HOUR)
    hours.push(at)
  return hours
}

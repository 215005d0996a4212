import { z } from 'zod'
import { floorTo, HOUR, isoSeconds } from '../../../ingest/domain/time.ts'
import type { DayValue, WeatherValue } from '../../answer/value.ts'
import { findSpot, type Spot } from '../../dataset/spot.ts'
import type { UnitLabels, UnitSystem } from '../../present/units.ts'
import { ToolError } from '../protocol/error.ts'
import * as shape from '../protocol/input.ts'
import { contextAt, tool } from '../protocol/tool.ts'
import { alertsDoubt, forecastAt } from '../query/forecast.ts'
import { absence } from '../words/absence.ts'
import { dateTime, dayName, joinMeta, reply, shown } from '../words/reply.ts'
import { instantAt, isTime } from './get-route-weather.ts'

const DEFAULT_HOURS = 6
/** Changes in the text. */
const MAX_LINES = 12

export const whatChanged = tool({
  name: 'what_changed',
  title: 'What changed in the forecast',
  description:
    'How the forecast and the alerts of a place differ from those of some hours ago: "did the forecast for tomorrow change", "is the storm still coming". Six hours ago by default. The forecast itself: get_forecast.',
  input: z.strictObject({
    ...shape.place,
    ...shape.units,
    since: z.string().min(1).max(40).optional().describe('Date-time.'),
    days: z.number().int().min(1).max(10).default(3).describe('Days.'),
  }),
  output: z.object({
    location: shape.location,
    units: z.string(),
    since: z.string(),
    until: z.string(),
    changes: z.array(
      z.object({
        date: z.string(),
        member: z.string(),
        before: z.union([z.number(), z.string()]).nullable(),
        after: z.union([z.number(), z.string()]).nullable(),
        significance: z.number().describe('1: as large as the least change that counts'),
      }),
    ),
    alerts: z
      .object({ issued: z.array(z.string()), ended: z.array(z.string()) })
      .nullable()
      .describe('null: not known'),
    unchanged: z.boolean().nullable().describe('null: alerts are not known'),
    meta: shape.meta,
  }),
  async run(input, context) {
    const spot = findSpot(input)
    const since = sinceOf(input.since, context.now, spot.timezone)
    const earlier = await contextAt(context, since)
    const options = { units: input.units, include: ['daily', 'alerts'], days: input.days + 1, hours: 1 } as const
    const before = await forecastAt(earlier, spot, options)
    const after = await forecastAt(context, spot, options)
    const changes = changesOf(before.weather, after.weather, input.units, input.days)
    const doubt = alertsDoubt(after.meta) ?? earlierDoubt(before.weather)
    const alerts = doubt === undefined ? alertChanges(before.weather, after.weather) : null
    const lines = linesOf({ spot, since, changes, alerts, doubt, units: after.weather.units })
    const isUnchanged = changes.length === 0 && alerts !== null && alerts.issued.length + alerts.ended.length === 0
    return reply({
      structured: {
        location: spot.location,
        units: input.units,
        since: isoSeconds(since),
        until: isoSeconds(context.now),
        changes,
        alerts,
        unchanged: alerts === null && changes.length === 0 ? null : isUnchanged,
      },
      lines,
      meta: joinMeta([after.meta]),
      sections: ['daily', 'alerts'],
    })
  },
})

/** @throws ToolError bad-request for a time that cannot be read or is not in the past */
function sinceOf(text: string | undefined, now: number, timezone: string): number {
  if (text === undefined) return floorTo(now, HOUR) - DEFAULT_HOURS * HOUR
  const at = isTime(text) ? instantAt(text, timezone) : Number.NaN
  if (at < now) return at
  throw new ToolError(
    'bad-request',
    `since must be an ISO date-time before now, such as ${isoSeconds(now - DEFAULT_HOURS * HOUR)}, but was "${text}".`,
    'correct since and call again.',
    { field: 'since', got: text },
  )
}

/** Why the earlier alerts are not known. */
const earlierDoubt = ({ alerts }: WeatherValue): string | undefined =>
  alerts ? undefined : 'the alerts of that time are not stored'

type ChangedMember = 'high' | 'low' | 'precip_probability' | 'precip_total' | 'snow_total'

/** The least change that counts, by member and system of units. */
const least: Readonly<Record<ChangedMember, Readonly<Record<UnitSystem, number>>>> = {
  high: { imperial: 3, metric: 5 / 3, si: 5 / 3 },
  low: { imperial: 3, metric: 5 / 3, si: 5 / 3 },
  precip_probability: { imperial: 20, metric: 20, si: 20 },
  precip_total: { imperial: 0.1, metric: 2.54, si: 2.54 },
  snow_total: { imperial: 0.1, metric: 2.54, si: 2.54 },
}
const members = Object.keys(least) as ChangedMember[]

interface ForecastChange {
  readonly date: string
  readonly member: ChangedMember | 'wind'
  readonly before: number | string | null
  readonly after: number | string | null
  readonly significance: number
}

/** Upper bounds of the categories of wind, mph: Beaufort 4, 6, 8, 10 and 12 begin there. */
const categories: readonly (readonly [words: string, from: number])[] = [
  ['hurricane force', 73],
  ['storm force', 55],
  ['gale', 39],
  ['strong', 25],
  ['moderate', 13],
  ['light', 0],
]
const MPH: Readonly<Record<UnitSystem, number>> = { imperial: 1, metric: 1.609344, si: 0.44704 }

function windCategory({ wind_speed_max }: DayValue, system: UnitSystem): string | undefined {
  if (typeof wind_speed_max !== 'number') return undefined
  return categories.find(([, from]) => wind_speed_max >= from * MPH[system])?.[0]
}

/** The changes of the days that both answers have, the most significant first. */
export function changesOf(
  before: Pick<WeatherValue, 'daily'>,
  after: Pick<WeatherValue, 'daily'>,
  system: UnitSystem,
  days: number,
): ForecastChange[] {
  const earlier = new Map((before.daily ?? []).map((row) => [row.date, row]))
  const rows = (after.daily ?? []).filter(({ relative_day }) => relative_day >= 0).slice(0, days)
  const changes = rows.flatMap((row): ForecastChange[] => {
    const old = earlier.get(row.date)
    if (!old) return []
    const numbers = members.flatMap((member): ForecastChange[] => {
      const [from, to] = [old[member], row[member]]
      if (typeof from !== 'number' || typeof to !== 'number') return []
      const significance = Math.abs(to - from) / least[member][system]
      return significance < 1
        ? []
        : [{ date: row.date, member, before: from, after: to, significance: Math.round(significance * 10) / 10 }]
    })
    const [from, to] = [windCategory(old, system), windCategory(row, system)]
    const isOther = from !== undefined && to !== undefined && from !== to
    const wind: ForecastChange[] = isOther
      ? [{ date: row.date, member: 'wind', before: from, after: to, significance: 1 }]
      : []
    return [...numbers, ...wind]
  })
  return changes.sort((a, b) => b.significance - a.significance)
}

/** Events that are in effect only now or only then. An update of an alert keeps its event and is no change. */
function alertChanges(before: WeatherValue, after: WeatherValue): { issued: string[]; ended: string[] } {
  const events = ({ alerts = [] }: WeatherValue) => new Set(alerts.map(({ event }) => event))
  const [then, now] = [events(before), events(after)]
  return { issued: [...now].filter((event) => !then.has(event)), ended: [...then].filter((event) => !now.has(event)) }
}

interface ChangeWords {
  readonly spot: Spot
  readonly since: number
  readonly changes: readonly ForecastChange[]
  readonly alerts: { readonly issued: readonly string[]; readonly ended: readonly string[] } | null
  readonly doubt: string | undefined
  readonly units: UnitLabels
}

const words: Readonly<Record<ForecastChange['member'], string>> = {
  high: 'high',
  low: 'night low',
  precip_probability: 'chance of precipitation',
  precip_total: 'precipitation',
  snow_total: 'snow',
  wind: 'wind',
}

function linesOf({ spot, since, changes, alerts, doubt, units }: ChangeWords): string[] {
  const at = dateTime(since, spot.timezone)
  const label = (member: ForecastChange['member']) =>
    member === 'high' || member === 'low'
      ? units.temperature
      : member === 'precip_probability'
        ? '%'
        : units.precip_amount
  const value = (member: ForecastChange['member'], number: number | string | null) =>
    typeof number === 'string' ? number : shown(number, label(member))
  const issued = alerts?.issued ?? []
  const ended = alerts?.ended ?? []
  return [
    ...(alerts === null ? [absence('alerts', { where: `at ${spot.location.name}`, asOf: '' }, doubt)] : []),
    ...(issued.length > 0 ? [`Alerts issued since ${at}: ${issued.join(', ')}.`] : []),
    ...(ended.length > 0 ? [`Alerts ended since ${at}: ${ended.join(', ')}.`] : []),
    ...(changes.length > 0
      ? [`Changes of the forecast at ${spot.location.name} since ${at}, the largest first:`]
      : [absence('changes', { place: spot.location.name, since: at })]),
    ...changes
      .slice(0, MAX_LINES)
      .map(
        ({ date, member, before, after }) =>
          `${dayName(date)}, ${words[member]}: ${value(member, after)}, was ${value(member, before)}`,
      ),
    ...(changes.length > MAX_LINES ? [`${changes.length - MAX_LINES} more in data.`] : []),
  ]
}

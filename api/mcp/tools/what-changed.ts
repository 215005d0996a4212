import { z } from 'zod'
import { isFault } from '../../../ingest/domain/fault.ts'
import { floorTo, HOUR, isoSeconds } from '../../../ingest/domain/time.ts'
import type { DayValue, WeatherValue } from '../../answer/value.ts'
import { findSpot, type Spot } from '../../dataset/spot.ts'
import { type UnitLabels, type UnitSystem, units } from '../../present/units.ts'
import type { ToolContext } from '../protocol/context.ts'
import { ToolError } from '../protocol/error.ts'
import * as shape from '../protocol/input.ts'
import { instantAt, isTime } from '../protocol/local-time.ts'
import { contextAt, tool } from '../protocol/tool.ts'
import { alertsDoubt, forecastAt } from '../query/forecast.ts'
import { absence } from '../words/absence.ts'
import { dateTime, dayName, reply, shown } from '../words/reply.ts'

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
    changes: z
      .array(
        z.object({
          date: z.string(),
          member: z.string(),
          before: z.union([z.number(), z.string()]).nullable(),
          after: z.union([z.number(), z.string()]).nullable(),
          significance: z.number().describe('1: as large as the least change that counts'),
        }),
      )
      .nullable()
      .describe('null: not known'),
    alerts: z
      .object({ issued: z.array(z.string()), ended: z.array(z.string()) })
      .nullable()
      .describe('null: not known'),
    unchanged: z.boolean().nullable().describe('null: not known'),
    meta: shape.meta,
  }),
  async run(input, context) {
    const spot = findSpot(input)
    const since = sinceOf(input.since, context.now, spot.timezone)
    const earlier = await earlierContext(context, since)
    const options = { units: input.units, include: ['daily', 'alerts'], days: input.days + 1, hours: 1 } as const
    const before = await forecastAt(earlier, spot, options)
    const after = await forecastAt(context, spot, options)
    const compared = changesOf(before.weather, after.weather, input.units, input.days)
    const changes = compared?.changes ?? null
    const doubt = alertsDoubt(after.meta) ?? earlierDoubt(before.weather)
    const alerts = doubt === undefined ? alertChanges(before.weather, after.weather) : null
    const lines = linesOf({ spot, since, compared, days: input.days, alerts, doubt, labels: after.weather.units })
    return reply({
      structured: {
        location: spot.location,
        units: input.units,
        since: isoSeconds(since),
        until: isoSeconds(context.now),
        changes,
        alerts,
        unchanged: isUnchanged(changes, alerts),
      },
      lines,
      meta: after.meta,
      sections: ['daily', 'alerts'],
    })
  },
})

/** Returns the context of an earlier instant. @throws ToolError no-data outside the history that is stored */
async function earlierContext(context: ToolContext, since: number): Promise<ToolContext> {
  try {
    return await contextAt(context, since)
  } catch (error) {
    if (!isFault(error)) throw error
    throw new ToolError(
      'no-data',
      error.message.replace('as_of:', 'since:'),
      'call again with since in the time that is stored, or get_forecast for the forecast as it is now.',
      { field: 'since' },
    )
  }
}

/** Returns whether nothing has changed; null if no change is known and not everything could be compared. */
export function isUnchanged(changes: readonly ForecastChange[] | null, alerts: ChangedAlerts | null): boolean | null {
  if ((changes ?? []).length > 0 || (alerts && alerts.issued.length + alerts.ended.length > 0)) return false
  return changes && alerts ? true : null
}

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

/** Returns why the earlier alerts are not known. */
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

/** Lower bounds of the categories of wind, mph: Beaufort 4, 6, 8, 10 and 12 begin there. */
const categories: readonly (readonly [words: string, from: number])[] = [
  ['hurricane force', 73],
  ['storm force', 55],
  ['gale', 39],
  ['strong', 25],
  ['moderate', 13],
  ['light', 0],
]
function windCategory({ wind_speed_max }: DayValue, system: UnitSystem): string | undefined {
  if (typeof wind_speed_max !== 'number') return undefined
  const mph = units[system].conversions.wind_speed.scale / units.imperial.conversions.wind_speed.scale
  return categories.find(([, from]) => wind_speed_max >= from * mph)?.[0]
}

/**
 * Returns the changes of the days that both answers have, the most significant first, and the number of these days; undefined where no value can be
 * compared. The chance of the running day is that of its remaining hours, so it is not compared.
 */
export function changesOf(
  before: Pick<WeatherValue, 'daily'>,
  after: Pick<WeatherValue, 'daily'>,
  system: UnitSystem,
  days: number,
): { readonly changes: ForecastChange[]; readonly days: number } | undefined {
  const earlier = new Map((before.daily ?? []).map((row) => [row.date, row]))
  const rows = (after.daily ?? []).filter(({ relative_day }) => relative_day >= 0).slice(0, days)
  const byDay = rows.flatMap((row) => {
    const old = earlier.get(row.date)
    const changes = old && dayChanges(old, row, system)
    return changes ? [changes] : []
  })
  if (byDay.length === 0) return undefined
  return { changes: byDay.flat().sort((a, b) => b.significance - a.significance), days: byDay.length }
}

/** Returns the significant changes of one day; undefined if no value is in both rows. */
function dayChanges(old: DayValue, row: DayValue, system: UnitSystem): ForecastChange[] | undefined {
  const { date } = row
  const numbers = members
    .filter((member) => row.relative_day > 0 || member !== 'precip_probability')
    .flatMap((member): ForecastChange[] => {
      const [from, to] = [old[member], row[member]]
      if (typeof from !== 'number' || typeof to !== 'number') return []
      return [{ date, member, before: from, after: to, significance: Math.abs(to - from) / least[member][system] }]
    })
  const [from, to] = [windCategory(old, system), windCategory(row, system)]
  const wind: ForecastChange[] =
    from !== undefined && to !== undefined
      ? [{ date, member: 'wind', before: from, after: to, significance: from === to ? 0 : 1 }]
      : []
  const compared = [...numbers, ...wind]
  if (compared.length === 0) return undefined
  return compared
    .filter(({ significance }) => significance >= 1)
    .map((change) => ({ ...change, significance: Math.round(change.significance * 10) / 10 }))
}

interface ChangedAlerts {
  readonly issued: readonly string[]
  readonly ended: readonly string[]
}

/** Events that are in effect only now or only then. An update of an alert keeps its event and is no change. */
function alertChanges(before: WeatherValue, after: WeatherValue): ChangedAlerts {
  const events = ({ alerts = [] }: WeatherValue) => new Set(alerts.map(({ event }) => event))
  const [then, now] = [events(before), events(after)]
  return { issued: [...now].filter((event) => !then.has(event)), ended: [...then].filter((event) => !now.has(event)) }
}

interface ChangeWords {
  readonly spot: Spot
  readonly since: number
  readonly compared: ReturnType<typeof changesOf>
  /** Number of requested days. */
  readonly days: number
  readonly alerts: ChangedAlerts | null
  readonly doubt: string | undefined
  readonly labels: UnitLabels
}

const words: Readonly<Record<ForecastChange['member'], string>> = {
  high: 'high',
  low: 'night low',
  precip_probability: 'chance of precipitation',
  precip_total: 'precipitation',
  snow_total: 'snow',
  wind: 'wind',
}

export function linesOf({ spot, since, compared, days, alerts, doubt, labels }: ChangeWords): string[] {
  const changes = compared?.changes ?? []
  const at = dateTime(since, spot.timezone)
  const label = (member: ForecastChange['member']) =>
    member === 'high' || member === 'low'
      ? labels.temperature
      : member === 'precip_probability'
        ? '%'
        : labels.precip_amount
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
      : [
          absence(
            'changes',
            { place: spot.location.name, since: at },
            compared ? undefined : 'no day has values in both forecasts',
          ),
        ]),
    ...changes
      .slice(0, MAX_LINES)
      .map(
        ({ date, member, before, after }) =>
          `${dayName(date)}, ${words[member]}: ${value(member, after)}, was ${value(member, before)}`,
      ),
    ...(compared && compared.days < days ? [`${compared.days} of ${days} days could be compared.`] : []),
    ...(changes.length > MAX_LINES ? [`${changes.length - MAX_LINES} more in data.`] : []),
  ]
}

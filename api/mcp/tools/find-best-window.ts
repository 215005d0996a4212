import { z } from 'zod'
import { HOUR, isoSeconds } from '../../../ingest/domain/time.ts'
import { zone } from '../../../ingest/domain/timezone.ts'
import type { AstroValue, HourValue } from '../../answer/value.ts'
import { findSpot } from '../../dataset/spot.ts'
import type { UnitLabels } from '../../present/units.ts'
import { ToolError } from '../protocol/error.ts'
import * as shape from '../protocol/input.ts'
import { tool } from '../protocol/tool.ts'
import { alertsInForce, metaWith } from '../query/alerts-in-force.ts'
import { forecastAt } from '../query/forecast.ts'
import { localTime, reply, shown } from '../words/reply.ts'

const limit = (unit: string) => z.number().optional().describe(unit)

interface Criteria {
  readonly max_precipitation_probability?: number
  readonly min_temperature?: number
  readonly max_temperature?: number
  readonly max_wind_speed?: number
  readonly max_wind_gust?: number
  readonly min_visibility?: number
  readonly min_ceiling?: number
}

type WindowField = 'precip_probability' | 'temperature' | 'wind_speed' | 'wind_gust' | 'visibility' | 'cloud_ceiling'

/** The field that each criterion limits, and whether the limit is a minimum or a maximum. */
const rules: readonly { name: keyof Criteria; field: WindowField; side: 'min' | 'max' }[] = [
  { name: 'max_precipitation_probability', field: 'precip_probability', side: 'max' },
  { name: 'min_temperature', field: 'temperature', side: 'min' },
  { name: 'max_temperature', field: 'temperature', side: 'max' },
  { name: 'max_wind_speed', field: 'wind_speed', side: 'max' },
  { name: 'max_wind_gust', field: 'wind_gust', side: 'max' },
  { name: 'min_visibility', field: 'visibility', side: 'min' },
  { name: 'min_ceiling', field: 'cloud_ceiling', side: 'min' },
]

/**
 * Returns whether an hour meets a criterion. A missing ceiling counts as unlimited if clouds cover at most half of the sky; any other
 * missing value does not meet the criterion.
 */
function meets(row: HourValue, rule: (typeof rules)[number], bound: number): boolean {
  const value = row[rule.field]
  if (typeof value !== 'number')
    return rule.field === 'cloud_ceiling' && typeof row.cloud_cover === 'number' && row.cloud_cover <= 50
  return rule.side === 'min' ? value >= bound : value <= bound
}

/**
 * Returns whether the hour from a row's time to the time of the next row meets a criterion. The probability in a row is that of the hour that
 * ends at its time, so rain within this hour is in the next row, and rain that has just ended is in this row.
 * @param next undefined at the end of the forecast
 */
export function isMet(
  row: HourValue,
  next: HourValue | undefined,
  rule: (typeof rules)[number],
  bound: number,
): boolean {
  return meets(row, rule, bound) && (rule.field !== 'precip_probability' || !next || meets(next, rule, bound))
}

interface TimeWindow {
  readonly start: string
  readonly end: string
  readonly hours: number
}

export const findBestWindow = tool({
  name: 'find_best_window',
  title: 'Find the best time window',
  description:
    'When the weather is right to do something outside (paint a deck, run, fly, pour concrete): the periods in which every criterion is met, dry, warm, calm, in daylight by default. Give criteria and hours needed. The forecast itself: get_forecast.',
  input: z.strictObject({
    ...shape.place,
    ...shape.units,
    criteria: z
      .strictObject({
        max_precipitation_probability: z.number().min(0).max(100).optional().describe('Percent.'),
        min_temperature: limit('°F, °C or K.'),
        max_temperature: limit('°F, °C or K.'),
        max_wind_speed: limit('mph, km/h or m/s.'),
        max_wind_gust: limit('mph, km/h or m/s.'),
        min_visibility: limit('Miles, km or m.'),
        min_ceiling: limit('Feet or m.'),
      })
      .describe('What must hold in every hour of a window.'),
    hours: z.number().int().min(1).max(168).default(72).describe('Hours to look ahead.'),
    activity_duration_hours: z.number().int().min(1).max(24).default(2).describe('Consecutive hours needed.'),
    daylight_only: z.boolean().default(true).describe('Only hours between sunrise and sunset.'),
  }),
  output: z.object({
    location: shape.location,
    units: z.string(),
    windows: z.array(z.object({ start: z.string(), end: z.string(), hours: z.number() })),
    criteria_applied: z.looseObject({}),
    daylight_only: z.boolean(),
    activity_duration_hours: z.number(),
    sun_times: z.array(z.object({ sunrise: z.string(), sunset: z.string() })).optional(),
    message: z.string().optional(),
    meta: shape.meta,
  }),
  async run(input, context) {
    const { criteria } = input
    checkTemperatures(criteria)
    const spot = findSpot(input)
    const { weather, meta } = await forecastAt(context, spot, {
      units: input.units,
      include: ['hourly', 'daily', 'astro'],
      // The probability of an hour is in the row at its end, so one more row is read.
      hours: input.hours + 1,
      days: Math.min(14, Math.ceil(input.hours / 24) + 1),
    })
    const rows = weather.hourly ?? []
    const suns = (weather.daily ?? []).flatMap(({ astro }) => astro ?? [])
    const { windows, failures } = windowsIn(rows, input, suns)
    const message =
      windows.length > 0
        ? undefined
        : failures.length > 0
          ? `No window of ${input.activity_duration_hours} h in the next ${input.hours} h: ${failureWords(failures, Math.min(rows.length, input.hours))}.`
          : 'No hourly forecast is available for this place.'
    const hourly = rows.slice(0, input.hours).map(({ time }) => Date.parse(time))
    const sun_times = sunTimes(suns, spot.timezone, hourly[0] ?? context.now, hourly.at(-1) ?? context.now)
    const criteriaWords = criteriaPhrases(criteria, weather.units)
    const inForce = await alertsInForce(context, spot, context.now + input.hours * HOUR)
    const lines = [
      ...inForce.lines,
      `${spot.location.name}, windows of at least ${input.activity_duration_hours} h${input.daylight_only ? ' in daylight' : ''}${criteriaWords.length > 0 ? ` with ${criteriaWords.join(', ')}` : ''}:`,
      ...(message
        ? [message]
        : windows
            .slice(0, 10)
            .map(
              ({ start, end, hours }) =>
                `${localTime(start, spot.timezone)} to ${localTime(end, spot.timezone)} (${hours} h)`,
            )),
      ...(windows.length > 10 ? [`${windows.length - 10} more in data.`] : []),
    ]
    return reply({
      structured: {
        location: spot.location,
        units: input.units,
        windows,
        criteria_applied: criteria,
        daylight_only: input.daylight_only,
        activity_duration_hours: input.activity_duration_hours,
        ...(sun_times.length > 0 && { sun_times }),
        ...(message && { message }),
      },
      lines,
      meta: metaWith(context, meta, inForce),
      sections: ['hourly', 'alerts'],
    })
  },
})

/** @throws ToolError bad-request if the lowest temperature is above the highest */
function checkTemperatures(criteria: Criteria): void {
  const { min_temperature: least, max_temperature: most } = criteria
  if (least === undefined || most === undefined || least <= most) return
  throw new ToolError(
    'bad-request',
    `criteria: min_temperature ${least} is above max_temperature ${most}.`,
    'swap or widen the two and call again.',
    { field: 'criteria.min_temperature', got: criteria },
  )
}

interface WindowSearch {
  readonly criteria: Criteria
  readonly hours: number
  readonly activity_duration_hours: number
  readonly daylight_only: boolean
}

/** Returns the windows that meet all criteria, and how many hours each criterion excludes, the strictest criterion first. */
function windowsIn(
  rows: readonly HourValue[],
  { criteria, hours, activity_duration_hours: duration, daylight_only }: WindowSearch,
  suns: readonly AstroValue[],
): { windows: TimeWindow[]; failures: [name: string, hours: number][] } {
  const bounds = rules.flatMap((rule) => {
    const bound = criteria[rule.name]
    return bound === undefined ? [] : [{ rule, bound }]
  })
  const failures = new Map<string, number>()
  const windows: TimeWindow[] = []
  let run: number[] = []
  const close = () => {
    const [first] = run
    if (first !== undefined && run.length >= duration)
      windows.push({ start: isoSeconds(first), end: isoSeconds((run.at(-1) ?? first) + HOUR), hours: run.length })
    run = []
  }
  for (const [i, row] of rows.slice(0, hours).entries()) {
    const start = Date.parse(row.time)
    const next = rows[i + 1]
    const failed: string[] = bounds
      .filter(({ rule, bound }) => !isMet(row, next, rule, bound))
      .map(({ rule }) => rule.name)
    if (daylight_only && !isDaylight(start, suns)) failed.push('daylight_only')
    for (const name of failed) failures.set(name, (failures.get(name) ?? 0) + 1)
    if (failed.length > 0 || start - (run.at(-1) ?? start - HOUR) !== HOUR) close()
    if (failed.length === 0) run.push(start)
  }
  close()
  return { windows, failures: [...failures].sort((a, b) => b[1] - a[1]) }
}

/** Returns whether the whole hour from `start` lies between sunrise and sunset. */
function isDaylight(start: number, suns: readonly AstroValue[]): boolean {
  return suns.some((sun) =>
    sun.polar === 'midnight_sun'
      ? isSameDay(start, sun)
      : sun.sunrise !== null &&
        sun.sunset !== null &&
        start >= Date.parse(sun.sunrise) &&
        start + HOUR <= Date.parse(sun.sunset),
  )
}

/** Returns sunrise and sunset of the local dates from the first to the last hour. */
function sunTimes(suns: readonly AstroValue[], timezone: string, firstHour: number, lastHour: number) {
  const { dayOf } = zone(timezone)
  const isShown = (date: number) => date >= dayOf(firstHour) && date <= dayOf(lastHour + HOUR - 1)
  return suns
    .filter(({ solar_noon }) => solar_noon !== null && isShown(dayOf(Date.parse(solar_noon))))
    .filter(({ sunrise, sunset }) => sunrise !== null && sunset !== null)
    .map(({ sunrise, sunset }) => ({ sunrise, sunset }))
}

/** Returns `max wind speed 10 mph` for each criterion of the call. */
function criteriaPhrases(criteria: Criteria, units: UnitLabels): string[] {
  const labels: Readonly<Record<WindowField, string>> = {
    precip_probability: '%',
    temperature: units.temperature,
    wind_speed: units.wind_speed,
    wind_gust: units.wind_speed,
    visibility: units.visibility,
    cloud_ceiling: units.altitude,
  }
  return rules
    .filter(({ name }) => criteria[name] !== undefined)
    .map(({ name, field }) => `${name.replaceAll('_', ' ')} ${shown(criteria[name], labels[field])}`)
}

/** Returns `min_temperature failed in 72 of 72 hours, daylight_only in 60`. All criteria are listed, because relaxing only the first may not help. */
export function failureWords(
  [worst, ...further]: readonly (readonly [name: string, hours: number])[],
  total: number,
): string {
  if (!worst) return ''
  return [
    `${worst[0]} failed in ${worst[1]} of ${total} hours`,
    ...further.map(([name, hours]) => `${name} in ${hours}`),
  ].join(', ')
}

const isSameDay = (start: number, { solar_noon }: AstroValue) =>
  solar_noon !== null && Math.abs(start - Date.parse(solar_noon)) <= 12 * HOUR

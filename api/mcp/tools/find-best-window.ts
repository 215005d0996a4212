import { z } from 'zod'
import { HOUR } from '../../../ingest/domain/time.ts'
import { zone } from '../../../ingest/domain/timezone.ts'
import type { AstroValue, HourValue } from '../../answer/value.ts'
import { findSpot } from '../../dataset/spot.ts'
import { ToolError } from '../protocol/error.ts'
import * as shape from '../protocol/input.ts'
import { tool } from '../protocol/tool.ts'
import { alertsInForce, metaWith } from '../query/alerts-in-force.ts'
import { forecastAt } from '../query/forecast.ts'
import { localTime, reply, shown } from '../words/reply.ts'

const limit = (what: string) => z.number().optional().describe(what)

interface Criteria {
  readonly max_precipitation_probability?: number
  readonly min_temperature?: number
  readonly max_temperature?: number
  readonly max_wind_speed?: number
  readonly max_wind_gust?: number
  readonly min_visibility?: number
  readonly min_ceiling?: number
}

type Field = 'precip_probability' | 'temperature' | 'wind_speed' | 'wind_gust' | 'visibility' | 'cloud_ceiling'

/** Each criterion: the field it looks at, and which side it bounds. */
const rules: readonly { name: keyof Criteria; field: Field; side: 'min' | 'max' }[] = [
  { name: 'max_precipitation_probability', field: 'precip_probability', side: 'max' },
  { name: 'min_temperature', field: 'temperature', side: 'min' },
  { name: 'max_temperature', field: 'temperature', side: 'max' },
  { name: 'max_wind_speed', field: 'wind_speed', side: 'max' },
  { name: 'max_wind_gust', field: 'wind_gust', side: 'max' },
  { name: 'min_visibility', field: 'visibility', side: 'min' },
  { name: 'min_ceiling', field: 'cloud_ceiling', side: 'min' },
]

/** Whether an hour meets a criterion. No ceiling under a sky that is at most half covered is an unlimited one; other gaps meet nothing. */
export function meets(row: HourValue, rule: (typeof rules)[number], bound: number): boolean {
  const value = row[rule.field]
  if (typeof value !== 'number')
    return rule.field === 'cloud_ceiling' && typeof row.cloud_cover === 'number' && row.cloud_cover <= 50
  return rule.side === 'min' ? value >= bound : value <= bound
}

/**
 * Whether the hour from a row's time to the next row's meets a criterion. A row's probability is of the hour that ends at its time: rain
 * within the window is in the next row, rain that has just ended in this one.
 * @param next absent at the end of the forecast
 */
export function isMet(
  row: HourValue,
  next: HourValue | undefined,
  rule: (typeof rules)[number],
  bound: number,
): boolean {
  return meets(row, rule, bound) && (rule.field !== 'precip_probability' || !next || meets(next, rule, bound))
}

export const findBestWindow = tool({
  name: 'find_best_window',
  title: 'Find the best time window',
  description:
    'When the weather is right for doing something outside: the periods in which every given criterion is met (dry, warm enough, calm, clear), in daylight by default. For painting a deck, running, flying, pouring concrete, a picnic. Give criteria and how many hours the activity needs. For the forecast itself use get_forecast or get_hourly_forecast. 72 hours ahead by default, 168 at most. US states and DC.',
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
    const { criteria } = input as { criteria: Criteria }
    const { min_temperature: least, max_temperature: most } = criteria
    if (least !== undefined && most !== undefined && least > most) {
      throw new ToolError(
        'bad-request',
        `criteria: min_temperature ${least} is above max_temperature ${most}.`,
        'swap or widen the two and call again.',
        { field: 'criteria.min_temperature', got: criteria },
      )
    }
    const spot = findSpot(input)
    const found = await forecastAt(context, spot, {
      units: input.units,
      include: ['hourly', 'daily', 'astro'],
      // One row more: the probability of an hour is in the row at its end.
      hours: input.hours + 1,
      days: Math.min(14, Math.ceil(input.hours / 24) + 1),
    })
    const all = found.weather.hourly ?? []
    const rows = all.slice(0, input.hours)
    const suns = (found.weather.daily ?? []).flatMap(({ astro }) => astro ?? [])
    const isDay = (start: number) =>
      suns.some((sun) =>
        sun.polar === 'midnight_sun'
          ? sameDay(start, sun)
          : sun.sunrise !== null &&
            sun.sunset !== null &&
            start >= Date.parse(sun.sunrise) &&
            start + HOUR <= Date.parse(sun.sunset),
      )
    const given = rules.filter(({ name }) => criteria[name] !== undefined)
    const failed = new Map<string, number>()
    const windows: { start: string; end: string; hours: number }[] = []
    let run: number[] = []
    const close = () => {
      if (run.length >= input.activity_duration_hours)
        windows.push({ start: iso(run[0]), end: iso(run[run.length - 1] + HOUR), hours: run.length })
      run = []
    }
    for (const [i, row] of rows.entries()) {
      const start = Date.parse(row.time)
      const next = all[i + 1]
      const broken = given
        .filter((rule) => !isMet(row, next, rule, criteria[rule.name] as number))
        .map(({ name }) => name as string)
      if (input.daylight_only && !isDay(start)) broken.push('daylight_only')
      for (const name of broken) failed.set(name, (failed.get(name) ?? 0) + 1)
      if (run.length > 0 && start - run[run.length - 1] !== HOUR) close()
      if (broken.length > 0) close()
      else run.push(start)
    }
    close()
    const broken = [...failed].sort((a, b) => b[1] - a[1])
    const message =
      windows.length > 0
        ? undefined
        : broken.length > 0
          ? `No window of ${input.activity_duration_hours} h in the next ${input.hours} h: ${failureWords(broken, rows.length)}.`
          : 'No hourly forecast is available for this place.'
    const hourly = rows.map(({ time }) => Date.parse(time))
    const [begins, ends] = [hourly[0] ?? context.now, (hourly[hourly.length - 1] ?? context.now) + HOUR]
    const { dayOf } = zone(spot.timezone)
    const touched = (date: number) => date >= dayOf(begins) && date <= dayOf(ends - 1)
    const sun_times = suns
      .filter(({ solar_noon }) => solar_noon !== null && touched(dayOf(Date.parse(solar_noon))))
      .filter(({ sunrise, sunset }) => sunrise !== null && sunset !== null)
      .map(({ sunrise, sunset }) => ({ sunrise, sunset }))
    const { units } = found.weather
    const labels: Readonly<Record<Field, string>> = {
      precip_probability: '%',
      temperature: units.temperature,
      wind_speed: units.wind_speed,
      wind_gust: units.wind_speed,
      visibility: units.visibility,
      cloud_ceiling: units.altitude,
    }
    const criteriaWords = given.map(
      ({ name, field }) => `${name.replaceAll('_', ' ')} ${shown(criteria[name], labels[field])}`,
    )
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
      meta: metaWith(context, found.meta, inForce),
      sections: ['hourly', 'alerts'],
    })
  },
})

/** `min_temperature failed in 72 of 72 hours, daylight_only in 60`: to give way in the first alone may not help. */
export function failureWords(
  [worst, ...others]: readonly (readonly [name: string, hours: number])[],
  of: number,
): string {
  if (!worst) return ''
  return [
    `${worst[0]} failed in ${worst[1]} of ${of} hours`,
    ...others.map(([name, hours]) => `${name} in ${hours}`),
  ].join(', ')
}

const iso = (instant: number) => `${new Date(instant).toISOString().slice(0, 19)}Z`
const sameDay = (start: number, { solar_noon }: AstroValue) =>
  solar_noon !== null && Math.abs(start - Date.parse(solar_noon)) <= 12 * HOUR

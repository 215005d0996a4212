import { z } from 'zod'
import { ignoreFault } from '../../../ingest/domain/fault.ts'
import { HOUR, isoSeconds } from '../../../ingest/domain/time.ts'
import type { MetaWarning } from '../../contract.ts'
import { findSpot, type Spot } from '../../dataset/spot.ts'
import { unplacedNear } from '../../live/alerts.ts'
import { noOutlooks } from '../../sections/outlooks.ts'
import type { ToolContext } from '../protocol/context.ts'
import * as shape from '../protocol/input.ts'
import { pointAt } from '../protocol/point.ts'
import { tool } from '../protocol/tool.ts'
import { alertsDoubt, forecastAt, pick, type ToolForecast } from '../query/forecast.ts'
import { absence } from '../words/absence.ts'
import { quotedFields } from '../words/quote.ts'
import { counted, dayName, joinMeta, localTime, phrase, reply, spanWords, valueWords } from '../words/reply.ts'

const FIRE = /red flag|fire weather/i
const RED_FLAG = 'Red Flag Warning'

export const getFireWeather = tool({
  name: 'get_fire_weather',
  title: 'Get fire weather',
  description:
    'Fire danger at a US place: SPC fire weather outlooks, red flag warnings, fire weather watches, lowest humidity and strongest wind of each day: "is it safe to burn brush". All alerts: get_alerts. No smoke. Outlooks: lower 48.',
  input: z.strictObject({
    ...shape.place,
    ...shape.units,
    days: z.number().int().min(1).max(8).default(2).describe('Days ahead.'),
  }),
  output: z.object({
    location: shape.location,
    units: z.string(),
    outlooks: z
      .array(
        z.object({
          day: z.number(),
          type: z.enum(['wind_rh', 'dry_thunderstorm']),
          risk_label: z.string(),
          probability: z.number().nullable(),
          valid: z.string(),
          expires: z.string(),
        }),
      )
      .nullable()
      .describe('null: not known'),
    alerts: z
      .array(
        z.object({
          id: z.string(),
          event: z.string(),
          severity: z.string(),
          headline: z.string(),
          onset: z.string(),
          ends: z.string(),
        }),
      )
      .nullable()
      .describe('null: not known'),
    days: z.array(
      z.object({
        date: z.string(),
        humidity_min: z.number().nullable().describe('percent; for today the lowest of the remaining hours'),
        wind_speed_max: z.number().nullable(),
        wind_gust_max: z
          .number()
          .nullable()
          .describe('for today that of the remaining hours where the passed hours are not known'),
        precip_total: z.number().nullable(),
        thunderstorm_probability_max: z.number().nullable(),
      }),
    ),
    red_flag: z.boolean().nullable().describe('null: not known'),
    meta: shape.meta,
  }),
  async run(input, context) {
    const spot = findSpot(input)
    const forecast = await forecastAt(context, spot, {
      units: input.units,
      include: ['daily', 'hourly', 'alerts', 'outlooks'],
      days: input.days,
      hours: (input.days + 1) * 24,
    })
    const { weather } = forecast
    const flags = (weather.alerts ?? []).filter(({ event }) => FIRE.test(event))
    const { outlooks, warnings, doubt: outlookDoubt } = await fireOutlooks(context, spot, input.days)
    const days = fireDays(forecast, input.days)
    const flag = flags.find(({ event }) => event === RED_FLAG)
    const flagDoubt = flag ? undefined : redFlagDoubt(context, forecast)
    const alerts =
      flags.length === 0 && flagDoubt !== undefined
        ? null
        : flags.map((alert) => pick(alert, ['id', 'event', 'severity', 'headline', 'onset', 'ends']))
    const asOf = `as of ${localTime(context.now, spot.timezone)}`
    const span = (alert: { readonly onset: string; readonly ends: string }) =>
      spanWords(alert, context.now, spot.timezone)
    const otherAlerts = (weather.alerts ?? []).length - flags.length
    const watch = flags.find(({ event }) => event !== RED_FLAG)
    const lines = [
      flag
        ? `A Red Flag Warning is ${Date.parse(flag.onset) > context.now ? 'issued for' : 'in effect at'} ${spot.location.name} ${span(flag)}.`
        : absence('red_flag', { place: spot.location.name, asOf }, flagDoubt),
      ...(watch ? [`A ${watch.event} is active, ${span(watch)}.`] : []),
      ...(otherAlerts > 0
        ? [`${counted(otherAlerts, 'other alert is', 'other alerts are')} active there: get_alerts lists them.`]
        : []),
      ...(outlooks ?? []).map(
        ({ day, type, risk_label }) =>
          `SPC day ${day}, ${type === 'wind_rh' ? 'wind and low humidity' : 'dry thunderstorms'}: ${risk_label}`,
      ),
      ...(outlooks === null || outlooks.length === 0
        ? [absence('fire_outlook', { days: input.days }, outlookDoubt)]
        : []),
      ...days.map((row, i) => {
        const speed = weather.units.wind_speed
        const words = phrase(
          // The passed hours of today are not included, and the humidity may have been lower then.
          valueWords(i === 0 ? 'humidity from now on down to' : 'humidity down to', row.humidity_min, '%'),
          valueWords('wind up to', row.wind_speed_max, speed),
          valueWords('gusts', row.wind_gust_max, speed),
        )
        return `${dayName(row.date)}: ${words || 'humidity and wind are not known'}`
      }),
    ]
    return reply({
      structured: {
        location: spot.location,
        units: input.units,
        outlooks,
        alerts,
        days,
        red_flag: flag ? true : flagDoubt === undefined ? false : null,
      },
      lines,
      meta: joinMeta([forecast.meta], warnings),
      sections: ['alerts', 'outlooks'],
      quotes: quotedFields('NWS alerts', 'alerts[].headline'),
    })
  },
})

/** Returns why it is not known whether a Red Flag Warning is in effect at the place; undefined if the answer is certain. */
function redFlagDoubt(context: ToolContext, { weather, spot, meta }: ToolForecast): string | undefined {
  if (!weather.alerts) return alertsDoubt(meta) ?? 'the NWS alert feed could not be read'
  const doubt = alertsDoubt({ ...meta, warnings: meta.warnings.filter(({ code }) => code !== 'source_incomplete') })
  if (doubt !== undefined) return doubt
  // An alert of another event whose area is not known does not matter.
  const { index } = context.deps.alerts
  const unplaced = unplacedNear(index, spot.location, context.deps.alerts.now(context.now))
  return unplaced.some(({ head }) => FIRE.test(head.event)) ? alertsDoubt(meta) : undefined
}

/** Returns the SPC fire weather outlooks that cover a place; null with the doubt if they are not known. */
async function fireOutlooks(context: ToolContext, spot: Spot, lastDay: number) {
  if (spot.resolved.domain !== 'conus')
    return { outlooks: null, warnings: [noOutlooks], doubt: 'SPC outlooks cover the lower 48 states only' }
  const read = await context.deps.values.suppliers.outlooks?.(pointAt(context, spot)).catch(ignoreFault)
  const unread: MetaWarning = {
    code: 'source_failed',
    section: 'outlooks',
    detail: 'SPC fire weather outlooks could not be read: an empty list does not mean that there is none',
  }
  if (!read) return { outlooks: null, warnings: [unread], doubt: 'SPC fire weather outlooks could not be read' }
  const outlooks = read.outlooks
    .filter(({ type, day }) => /fire|wind_?rh|dry/.test(type) && day <= lastDay)
    .map(({ day, type, riskLabel, probability, valid, expires }) => ({
      day,
      type: /dry/.test(type) ? 'dry_thunderstorm' : 'wind_rh',
      risk_label: riskLabel,
      probability: probability ?? null,
      valid: isoSeconds(valid),
      expires: isoSeconds(expires),
    }))
  const doubt = outlooks.length > 0 || !read.degraded ? undefined : (read.warnings[0]?.detail ?? 'the outlooks are old')
  return { outlooks: doubt === undefined ? outlooks : null, warnings: read.warnings, doubt }
}

/** Returns the lowest humidity and strongest wind of each day from today. A row of `daily` begins at 6 in the morning, local time. */
function fireDays({ weather, spot }: ToolForecast, count: number) {
  const local = new Intl.DateTimeFormat('en-CA', { timeZone: spot.timezone })
  return (weather.daily ?? [])
    .filter(({ relative_day }) => relative_day >= 0)
    .slice(0, count)
    .map((row) => {
      const hours = (weather.hourly ?? []).filter(({ time }) => local.format(Date.parse(time) - 6 * HOUR) === row.date)
      const humidities = hours.map(({ humidity }) => humidity).filter((value) => typeof value === 'number')
      const gusts = hours.map(({ wind_gust }) => wind_gust).filter((value) => typeof value === 'number')
      return {
        date: row.date,
        humidity_min: humidities.length > 0 ? Math.min(...humidities) : null,
        wind_speed_max: row.wind_speed_max ?? null,
        // The row has no gust if the passed hours of the day are not known.
        wind_gust_max: row.wind_gust_max ?? (gusts.length > 0 ? Math.max(...gusts) : null),
        precip_total: row.precip_total ?? null,
        thunderstorm_probability_max: row.thunderstorm_probability_max ?? null,
      }
    })
}

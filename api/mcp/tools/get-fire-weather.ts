import { z } from 'zod'
import { HOUR } from '../../../ingest/domain/time.ts'
import type { MetaWarning } from '../../contract.ts'
import { findSpot } from '../../dataset/spot.ts'
import { noOutlooks } from '../../sections/outlooks.ts'
import { ToolError } from '../protocol/error.ts'
import * as shape from '../protocol/input.ts'
import { pointAt } from '../protocol/point.ts'
import { tool } from '../protocol/tool.ts'
import { alertsKnown, forecastAt } from '../query/forecast.ts'
import { quotedFields } from '../words/quote.ts'
import { counted, dayName, joinMeta, localTime, phrase, reply, spanWords, valueWords } from '../words/reply.ts'

const FIRE = /red flag|fire weather/i

export const getFireWeather = tool({
  name: 'get_fire_weather',
  title: 'Get fire weather',
  description:
    'Fire danger at a US place: SPC fire weather outlooks (wind with low humidity, dry thunderstorms), red flag warnings, fire weather watches, and the lowest humidity and strongest wind of each day: "is it safe to burn", "is there a red flag warning". For all alerts use get_alerts. No smoke, no air quality. 2 days by default, 8 at most; imperial units. US states and DC; outlooks lower 48 only.',
  input: z.strictObject({
    ...shape.place,
    ...shape.units,
    days: z.number().int().min(1).max(8).default(2).describe('Days ahead.'),
  }),
  output: z.object({
    location: shape.location,
    units: z.string(),
    outlooks: z.array(
      z.object({
        day: z.number(),
        type: z.enum(['wind_rh', 'dry_thunderstorm']),
        risk_label: z.string(),
        probability: z.number().nullable(),
        valid: z.string(),
        expires: z.string(),
      }),
    ),
    alerts: z.array(
      z.object({
        id: z.string(),
        event: z.string(),
        severity: z.string(),
        headline: z.string(),
        onset: z.string(),
        ends: z.string(),
      }),
    ),
    days: z.array(
      z.object({
        date: z.string(),
        humidity_min: z.number().nullable().describe('percent; of today the lowest of the hours to come'),
        wind_speed_max: z.number().nullable(),
        wind_gust_max: z
          .number()
          .nullable()
          .describe('of today that of the hours to come, where those that have passed are not known'),
        precip_total: z.number().nullable(),
        thunderstorm_probability_max: z.number().nullable(),
      }),
    ),
    red_flag: z.boolean(),
    meta: shape.meta,
  }),
  async run(input, context) {
    const spot = findSpot(input)
    const found = await forecastAt(context, spot, {
      units: input.units,
      include: ['daily', 'hourly', 'alerts', 'outlooks'],
      days: input.days,
      hours: (input.days + 1) * 24,
    })
    const flags = (found.weather.alerts ?? []).filter(({ event }) => FIRE.test(event))
    if (!found.weather.alerts || (flags.length === 0 && !alertsKnown(found.meta)))
      throw new ToolError(
        'no-data',
        'NWS alerts could not be read, so it is not known whether a red flag warning is in effect: this is not an all-clear.',
        'try again in a minute; get_service_status says since when.',
      )
    const suppliers = context.deps.values.suppliers
    const inside = spot.resolved.domain === 'conus'
    const known = inside ? await suppliers.outlooks?.(pointAt(context, spot)).catch(() => undefined) : undefined
    const unread: MetaWarning = {
      code: 'source_failed',
      section: 'outlooks',
      detail: 'SPC fire weather outlooks could not be read: that none is listed does not mean that there is none',
    }
    const meta = joinMeta([found.meta], known ? [] : [inside ? unread : noOutlooks])
    const iso = (at: number) => `${new Date(at).toISOString().slice(0, 19)}Z`
    const outlooks = (known?.outlooks ?? [])
      .filter(({ type, day }) => /fire|wind_?rh|dry/.test(type) && day <= input.days)
      .map(({ day, type, riskLabel, probability, valid, expires }) => ({
        day,
        type: /dry/.test(type) ? 'dry_thunderstorm' : 'wind_rh',
        risk_label: riskLabel,
        probability: probability ?? null,
        valid: iso(valid),
        expires: iso(expires),
      }))
    const alerts = flags.map(({ id, event, severity, headline, onset, ends }) => ({
      id,
      event,
      severity,
      headline,
      onset,
      ends,
    }))
    const hours = found.weather.hourly ?? []
    const local = new Intl.DateTimeFormat('en-CA', { timeZone: spot.timezone })
    const days = (found.weather.daily ?? [])
      .filter(({ relative_day }) => relative_day >= 0)
      .slice(0, input.days)
      .map((row) => {
        // A row of `daily` begins at 6 in the morning.
        const own = hours.filter(({ time }) => local.format(Date.parse(time) - 6 * HOUR) === row.date)
        const humid = own.map(({ humidity }) => humidity).filter((value) => typeof value === 'number')
        const gusts = own.map(({ wind_gust }) => wind_gust).filter((value) => typeof value === 'number')
        return {
          date: row.date,
          humidity_min: humid.length > 0 ? Math.min(...humid) : null,
          wind_speed_max: row.wind_speed_max ?? null,
          // Of a day whose passed hours are not known, the row has none.
          wind_gust_max: row.wind_gust_max ?? (gusts.length > 0 ? Math.max(...gusts) : null),
          precip_total: row.precip_total ?? null,
          thunderstorm_probability_max: row.thunderstorm_probability_max ?? null,
        }
      })
    const red_flag = alerts.some(({ event }) => event === 'Red Flag Warning')
    const asOf = `as of ${localTime(context.now, spot.timezone)}`
    const span = (alert: { readonly onset: string; readonly ends: string }) =>
      spanWords(alert, context.now, spot.timezone)
    const flag = flags.find(({ event }) => event === 'Red Flag Warning')
    const others = (found.weather.alerts ?? []).length - flags.length
    const watch = flags.find(({ event }) => event !== 'Red Flag Warning')
    const lines = [
      flag
        ? `A Red Flag Warning is ${Date.parse(flag.onset) > context.now ? 'issued for' : 'in effect at'} ${spot.location.name} ${span(flag)}.`
        : `No Red Flag Warning is in effect at ${spot.location.name} ${asOf}.${watch ? ` A ${watch.event} is active, ${span(watch)}.` : ''}`,
      ...(others > 0
        ? [`${counted(others, 'other alert is', 'other alerts are')} active there: get_alerts has them.`]
        : []),
      ...outlooks.map(
        (one) =>
          `SPC day ${one.day}, ${one.type === 'wind_rh' ? 'wind and low humidity' : 'dry thunderstorms'}: ${one.risk_label}`,
      ),
      ...(inside && known && outlooks.length === 0
        ? [`No SPC fire weather outlook area covers it on days 1 to ${input.days}.`]
        : []),
      ...days.map((row, i) => {
        const speed = found.weather.units.wind_speed
        const words = phrase(
          // The hours of today that have passed are not among them: the lowest may have been.
          valueWords(i === 0 ? 'humidity from now on down to' : 'humidity down to', row.humidity_min, '%'),
          valueWords('wind up to', row.wind_speed_max, speed),
          valueWords('gusts', row.wind_gust_max, speed),
        )
        return `${dayName(row.date)}: ${words || 'humidity and wind are not known'}`
      }),
    ]
    return reply({
      structured: { location: spot.location, units: input.units, outlooks, alerts, days, red_flag },
      lines,
      meta,
      sections: ['alerts', 'outlooks'],
      quotes: quotedFields('NWS alerts', 'alerts[].headline'),
    })
  },
})

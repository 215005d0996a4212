import { z } from 'zod'
import { noOutlooks } from '../sections/outlooks.ts'
import type { MetaWarning } from '../sections/section.ts'
import { ToolError } from './error.ts'
import { alertsKnown, findSpot, forecastAt, type Row, rowsOf } from './forecast.ts'
import * as shape from './input.ts'
import { pointAt } from './point.ts'
import { dayName, held, joinMeta, localTime, phrase, reply } from './reply.ts'
import { tool } from './tool.ts'

const ranks = ['TSTM', 'MRGL', 'SLGT', 'ENH', 'MDT', 'HIGH']

export const getSevereOutlook = tool({
  name: 'get_severe_outlook',
  title: 'Get severe weather outlook',
  description:
    'Risk of severe thunderstorms, tornadoes, hail and damaging wind at a place for days 1 to 8 by the Storm Prediction Center: category, probability, significant storms (CIG): "is there a tornado risk tomorrow". For warnings in effect now use get_alerts; storms on radar get_storm_tracks; fire weather get_fire_weather. 3 days by default. An empty list: no outlook area covers the place. Lower 48 states only.',
  input: z.strictObject({
    ...shape.place,
    days: z.number().int().min(1).max(8).default(3).describe('Days ahead, today is 1.'),
  }),
  output: z.object({
    location: shape.location,
    outlooks: z.array(
      z.looseObject({
        product_id: z.string(),
        type: z.string(),
        day: z.number(),
        risk_label: z.string(),
        valid: z.string(),
        expires: z.string(),
        cig: z.number().nullable(),
      }),
    ),
    max_risk: z.object({ day: z.number(), risk_label: z.string() }).nullable(),
    active_mcds: z.number().int(),
    meta: shape.meta,
  }),
  async run(input, context) {
    const spot = findSpot(input)
    const found = await forecastAt(context, spot, { include: ['outlooks'], days: 1, hours: 1 })
    const outside = spot.resolved.domain !== 'conus'
    if (!found.weather['outlooks'] && !outside) {
      const why = found.meta.warnings.find(({ section }) => section === 'outlooks')?.detail ?? 'no SPC outlook is held'
      throw new ToolError(
        'no-data',
        `SPC outlooks: ${why}.`,
        'say that the risk is not known, and try again in a few minutes; get_alerts may still answer for now.',
      )
    }
    const all = rowsOf(found.weather['outlooks']).filter((one) => Number(one['day']) <= input.days)
    const outlooks: Row[] = outside ? [] : all.map((one) => ({ ...one, cig: one['intensity_group'] ?? null }))
    const top = [...outlooks]
      .filter((one) => ranks.includes(String(one['risk'])))
      .sort(
        (a, b) =>
          ranks.indexOf(String(b['risk'])) - ranks.indexOf(String(a['risk'])) || Number(a['day']) - Number(b['day']),
      )[0]
    const meta = joinMeta(
      [found.meta],
      [
        outside
          ? noOutlooks
          : {
              code: 'not_held',
              section: 'active_mcds',
              detail: 'mesoscale discussions are not held: active_mcds 0 does not mean that there is none',
              fields: ['active_mcds'],
            },
      ],
    )
    const lines = outside
      ? [`SPC outlooks do not cover ${spot.location.name}.`]
      : outlooks.length === 0
        ? [`No severe weather outlook area covers ${spot.location.name} in the next ${input.days} days.`]
        : [
            `Severe weather outlook for ${spot.location.name}:`,
            ...outlooks.map(
              (one) =>
                `Day ${one['day']} ${one['type']}: ${one['risk_label']}${typeof one['probability'] === 'number' && !String(one['risk_label']).includes('%') ? ` (${Math.round((one['probability'] as number) * 100)}%)` : ''}${one['significant'] ? ', significant storms possible' : ''}, until ${localTime(String(one['expires']), spot.timezone)}`,
            ),
          ]
    return reply({
      structured: {
        location: spot.location,
        outlooks,
        max_risk: top ? { day: top['day'], risk_label: top['risk_label'] } : null,
        active_mcds: 0,
      },
      lines,
      meta,
    })
  },
})

export const getFireWeather = tool({
  name: 'get_fire_weather',
  title: 'Get fire weather',
  description:
    'Fire danger at a US place: SPC fire weather outlooks (wind with low humidity, dry thunderstorms), red flag warnings, fire weather watches, and the lowest humidity and strongest wind of each day: "is it safe to burn", "is there a red flag warning". For all alerts use get_alerts. No smoke, no air quality. 2 days by default, 8 at most; imperial units unless asked otherwise. 50 US states and DC; outlooks lower 48 only.',
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
        humidity_min: z.number().nullable(),
        wind_speed_max: z.number().nullable(),
        wind_gust_max: z.number().nullable(),
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
    const flags = rowsOf(found.weather['alerts']).filter(({ event }) => /red flag|fire weather/i.test(String(event)))
    if (!found.weather['alerts'] || (flags.length === 0 && !alertsKnown(found.meta)))
      throw new ToolError(
        'no-data',
        'NWS alerts could not be read, so it is not known whether a red flag warning is in effect.',
        'try again in a minute; get_service_status says since when.',
      )
    const suppliers = context.parts.values.suppliers
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
    const number = (value: unknown) => (typeof value === 'number' ? value : null)
    const hours = rowsOf(found.weather['hourly'])
    const local = new Intl.DateTimeFormat('en-CA', { timeZone: spot.timezone })
    const days = rowsOf(found.weather['daily'])
      .filter((row) => Number(row['relative_day']) >= 0)
      .slice(0, input.days)
      .map((row) => {
        const humid = hours
          .filter((hour) => local.format(new Date(String(hour['time']))) === row['date'])
          .map((hour) => hour['humidity'])
          .filter((value) => typeof value === 'number') as number[]
        return {
          date: row['date'],
          humidity_min: humid.length > 0 ? Math.min(...humid) : null,
          wind_speed_max: number(row['wind_speed_max']),
          wind_gust_max: number(row['wind_gust_max']),
          precip_total: number(row['precip_total']),
          thunderstorm_probability_max: number(row['thunderstorm_probability_max']),
        }
      })
    const red_flag = alerts.some(({ event }) => event === 'Red Flag Warning')
    const lines = [
      red_flag
        ? `A Red Flag Warning is in effect at ${spot.location.name}.`
        : `No Red Flag Warning is in effect at ${spot.location.name}.`,
      ...outlooks.map(
        (one) =>
          `SPC day ${one.day}, ${one.type === 'wind_rh' ? 'wind and low humidity' : 'dry thunderstorms'}: ${one.risk_label}`,
      ),
      ...days.map((row) => {
        const speed = found.weather.units['wind_speed']
        const words = phrase(
          held('humidity down to', row.humidity_min, '%'),
          held('wind up to', row.wind_speed_max, speed),
          held('gusts', row.wind_gust_max, speed),
        )
        return `${dayName(String(row.date))}: ${words || 'humidity and wind are not held'}`
      }),
    ]
    return reply({
      structured: { location: spot.location, units: input.units, outlooks, alerts, days, red_flag },
      lines,
      meta,
    })
  },
})

import { z } from 'zod'
import { ToolError } from './error.ts'
import { type Forecast, forecastAt, pick, type Row, rowsOf, type Spot, spotOrOutside } from './forecast.ts'
import * as shape from './input.ts'
import { held, joinMeta, localTime, phrase, plainMeta, reply } from './reply.ts'
import type { ToolMeta } from './tool.ts'
import { tool } from './tool.ts'

const HOUR = 3_600_000
const grave = ['Extreme', 'Severe', 'Moderate', 'Minor', 'Unknown']

export const getRouteWeather = tool({
  name: 'get_route_weather',
  title: 'Get weather along a route',
  description:
    'The forecast at each stop of a trip for the time of being there, the alerts on the way, and the worst stop: driving from Denver to Moab tomorrow. Give 2 to 20 stops with place and time (without a zone local to the stop), up to 14 days ahead. For places at the same times use compare_locations; for one place get_hourly_forecast. Imperial units unless asked otherwise. 50 US states and DC; stops outside are marked.',
  input: z.strictObject({
    stops: z
      .array(
        z.strictObject({
          ...shape.placed,
          time: z
            .string()
            .min(1)
            .max(40)
            .describe('When you are there: ISO date-time; without a zone local to the stop.'),
        }),
      )
      .min(2)
      .max(20)
      .describe('2 to 20 stops in order.'),
    ...shape.units,
  }),
  output: z.object({
    units: z.string(),
    stops: z.array(
      z.object({
        location: shape.location.nullable(),
        label: z.string().optional(),
        time: z.string(),
        status: z.enum(['ok', 'outside_coverage', 'beyond_forecast']),
        forecast: z.looseObject({}).nullable(),
        alerts: z.array(z.object({ id: z.string(), event: z.string(), severity: z.string() })),
      }),
    ),
    worst_stop: z.number().int().nullable(),
    meta: shape.meta,
  }),
  async run(input, context) {
    const metas: ToolMeta[] = []
    const lines: string[] = []
    const stops: Row[] = []
    for (const [i, stop] of input.stops.entries()) {
      const label = stop.label ? { label: stop.label } : {}
      const place = spotOrOutside(stop, `stops.${i}`)
      if ('outside' in place) {
        stops.push({
          location: null,
          ...label,
          time: stop.time,
          status: 'outside_coverage',
          forecast: null,
          alerts: [],
        })
        lines.push(`${stop.label ?? place.outside.name}: outside the coverage.`)
        continue
      }
      const { spot } = place
      const at = instantAt(stop.time, spot.timezone, i)
      if (at < context.now - HOUR)
        throw new ToolError(
          'bad-request',
          `stops.${i}.time: ${stop.time} is more than an hour past.`,
          'give a time from now on; get_past_weather answers for the past.',
          { field: `stops.${i}.time`, got: stop.time },
        )
      const found = await stopForecast(spot, at)
      metas.push(found.meta)
      const row = rowsOf(found.weather['hourly']).find(
        (one) => Math.abs(Date.parse(String(one['time'])) - Math.floor(at / HOUR) * HOUR) < HOUR / 2,
      )
      const alerts = rowsOf(found.weather['alerts'])
        .filter((alert) => Date.parse(String(alert['onset'])) <= at + HOUR && Date.parse(String(alert['ends'])) >= at)
        .map((alert) => pick(alert, ['id', 'event', 'severity']))
      const status = row && row['temperature'] !== null ? 'ok' : 'beyond_forecast'
      const iso = `${new Date(at).toISOString().slice(0, 19)}Z`
      stops.push({
        location: spot.location,
        ...label,
        time: iso,
        status,
        forecast: status === 'ok' ? (row as Row) : null,
        alerts,
      })
      const { units } = found.weather
      lines.push(
        status === 'ok'
          ? `${spot.location.name}, ${localTime(at, spot.timezone)}: ${phrase(held('', row?.['temperature'], units['temperature']), row?.['conditions'], held('rain or snow', row?.['precip_probability'], '%'), held('wind', row?.['wind_speed'], units['wind_speed']))}${alerts.length > 0 ? `; alerts: ${alerts.map(({ event }) => event).join(', ')}` : ''}`
          : `${spot.location.name}: ${localTime(at, spot.timezone)} is beyond the forecast.`,
      )
    }
    async function stopForecast(spot: Spot, at: number): Promise<Forecast> {
      const hours = Math.min(336, Math.max(1, Math.ceil((at - context.now) / HOUR) + 2))
      return forecastAt(context, spot, { units: input.units, include: ['hourly', 'alerts'], hours })
    }
    const worst_stop = worst(stops)
    if (worst_stop !== null) lines.push(`Worst stop: number ${worst_stop + 1}.`)
    const meta = metas.length > 0 ? joinMeta(metas) : plainMeta(context, ['nbm'])
    return reply({ structured: { units: input.units, stops, worst_stop }, lines, meta })
  },
})

/** The stop with the gravest alert, else that with the highest chance of precipitation of at least 50 %. */
export function worst(stops: readonly Row[]): number | null {
  let best: { index: number; rank: number } | undefined
  for (const [index, stop] of stops.entries()) {
    for (const alert of rowsOf(stop['alerts'])) {
      const rank = grave.indexOf(String(alert['severity']))
      if (!best || rank < best.rank) best = { index, rank }
    }
  }
  if (best) return best.index
  let wettest: { index: number; pop: number } | undefined
  for (const [index, stop] of stops.entries()) {
    const pop = (stop['forecast'] as Row | null)?.['precip_probability']
    if (typeof pop === 'number' && pop >= 50 && (!wettest || pop > wettest.pop)) wettest = { index, pop }
  }
  return wettest?.index ?? null
}

function instantAt(text: string, timezone: string, index: number): number {
  const bad = () =>
    new ToolError(
      'bad-request',
      `stops.${index}.time: wanted an ISO date-time such as 2026-08-20T15:00 (local) or 2026-08-20T21:00:00Z, got "${text}".`,
      'mend it and call again.',
      { field: `stops.${index}.time`, got: text },
    )
  if (!/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:?\d{2})?$/.test(text)) throw bad()
  if (/(Z|[+-]\d{2}:?\d{2})$/.test(text)) {
    const at = Date.parse(text)
    if (Number.isNaN(at)) throw bad()
    return at
  }
  const wall = Date.parse(`${text}Z`)
  if (Number.isNaN(wall)) throw bad()
  // The offset of the wall clock is found at the instant that it names: two looks settle a change of clocks.
  let at = wall
  for (let i = 0; i < 2; i++) at = wall - offsetAt(at, timezone)
  return at
}

function offsetAt(at: number, timezone: string): number {
  const parts = Object.fromEntries(
    new Intl.DateTimeFormat('en-US', {
      timeZone: timezone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    })
      .formatToParts(at)
      .map(({ type, value }) => [type, Number(value)]),
  )
  return (
    Date.UTC(parts['year'], parts['month'] - 1, parts['day'], parts['hour'], parts['minute'], parts['second']) -
    Math.floor(at / 1000) * 1000
  )
}

import { z } from 'zod'
import { HOUR } from '../../../ingest/domain/time.ts'
import type { HourValue } from '../../answer/value.ts'
import { findSpot } from '../../dataset/spot.ts'
import * as shape from '../protocol/input.ts'
import { tool } from '../protocol/tool.ts'
import { alertsInForce, metaWith } from '../query/alerts-in-force.ts'
import { forecastAt, pick } from '../query/forecast.ts'
import { hourlyDetailed, hourlyStandard } from '../query/forecast-columns.ts'
import { HOUR_OF_ROWS, hourLines } from '../words/forecast-words.ts'
import { localTime, reply, zoneName } from '../words/reply.ts'
import { entry, widgetOf } from '../words/widget-entries.ts'

/** Hours between rows after the hours that are all listed. */
const STEP_HOURS = 3

export const getHourlyForecast = tool({
  name: 'get_hourly_forecast',
  earlier: true,
  title: 'Get hourly forecast',
  description:
    'Hour by hour from the current hour on, for a time of day: how hot it will be at 3 PM tomorrow, when the rain starts tonight, the wind this evening. Whole days: get_forecast; the next 90 minutes: get_precipitation_nowcast; a table of many hours: query_dataset.',
  widget: true,
  input: z.strictObject({
    ...shape.place,
    days: z.number().int().min(1).max(7).default(2).describe('Days of 24 hours from the current hour.'),
    ...shape.units,
    detail_level: shape.detailLevel,
  }),
  output: z.object({
    location: shape.location,
    units: z.string(),
    forecast: shape.hourlyForecast,
    widget: shape.widget.optional(),
    meta: shape.meta,
  }),
  async run(input, context) {
    const spot = findSpot(input)
    const detailed = input.detail_level === 'detailed'
    const concise = input.detail_level === 'concise'
    const { weather, meta: own } = await forecastAt(context, spot, {
      units: input.units,
      include: ['hourly'],
      hours: input.days * 24,
      step: STEP_HOURS,
      stepFrom: detailed ? 48 : concise ? 6 : 24,
    })
    const inForce = await alertsInForce(context, spot, context.now + input.days * 24 * HOUR)
    const meta = metaWith(context, own, inForce)
    const rows = weather.hourly ?? []
    const first = rows[0] ? Date.parse(rows[0].time) : context.now
    const hourly = rows.map((row) =>
      pick(row, detailed && Date.parse(row.time) - first < 48 * HOUR ? hourlyDetailed : hourlyStandard),
    )
    const sampling = weather.meta.hourly_sampling
    const lines = fittedLines(concise ? CONCISE : STANDARD, rows, (shownRows) =>
      hourLines(shownRows, weather.units, spot.timezone),
    )
    const more = rows.length - lines.length
    return reply({
      structured: {
        location: spot.location,
        units: input.units,
        forecast: {
          timezone: spot.timezone,
          units: weather.units,
          hourly,
          ...(sampling && { hourly_sampling: sampling }),
        },
        widget: widgetOf([
          entry('HourlyChart', {
            hours: hourly
              .slice(0, 12)
              .map((row) => pick(row, ['time', 'temperature', 'precip_probability', 'wind_speed'])),
          }),
        ]),
      },
      lines: [
        ...inForce.lines,
        `Hourly forecast for ${spot.location.name}, times ${zoneName(first, spot.timezone)}; chance and amount are ${HOUR_OF_ROWS}; sky and wind where they change:`,
        // No row covers the precipitation in the hours between.
        ...(sampling
          ? [
              `From ${localTime(first + sampling.from_hour * HOUR, spot.timezone)} on only every third hour is listed, with the chance and amount of one hour, not of three.`,
            ]
          : []),
        ...(lines.length > 0 ? lines : ['No hourly forecast is available for this place now.']),
        ...(more > 0 ? [`${more} more in data.`] : []),
      ],
      meta,
      sections: ['hourly', 'alerts'],
      concise,
    })
  },
})

/** Limits of the hourly lines in the text. */
interface TextLimits {
  readonly lines: number
  /** Lines for consecutive hours from now; the other lines are spread over the remaining time. */
  readonly consecutive: number
  readonly characters: number
}
const STANDARD: TextLimits = { lines: 32, consecutive: 21, characters: 1300 }
const CONCISE: TextLimits = { lines: 8, consecutive: 5, characters: 400 }

/** As many lines as fit: hours with rain and wind have longer lines than a quiet day. */
function fittedLines(
  { lines, consecutive, characters }: TextLimits,
  rows: readonly HourValue[],
  linesOf: (rows: readonly HourValue[]) => string[],
): string[] {
  for (let most = lines; ; most--) {
    const fitting = linesOf(spread(rows, most, Math.min(consecutive, most - 2)))
    if (most <= 5 || fitting.reduce((sum, line) => sum + line.length + 1, 0) <= characters) return fitting
  }
}

/** The first rows one by one, then rows spread evenly over the rest; `most` rows in all. */
function spread(rows: readonly HourValue[], most: number, consecutive: number): readonly HourValue[] {
  if (rows.length <= most) return rows
  const count = most - consecutive
  const later = rows.slice(consecutive)
  const chosen = new Set(Array.from({ length: count }, (_, i) => Math.round(((i + 1) * later.length) / count) - 1))
  return [...rows.slice(0, consecutive), ...later.filter((_, i) => chosen.has(i))]
}

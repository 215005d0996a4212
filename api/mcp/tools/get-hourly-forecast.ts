import { z } from 'zod'
import { HOUR } from '../../../ingest/domain/time.ts'
import type { HourValue } from '../../answer/value.ts'
import { leading } from '../../blend/field-table.ts'
import { familyOf } from '../../dataset/dataset.ts'
import { openReader } from '../../dataset/dataset-read.ts'
import { findSpot, type Spot } from '../../dataset/spot.ts'
import type { UnitLabels } from '../../present/units.ts'
import type { ToolContext } from '../protocol/context.ts'
import * as shape from '../protocol/input.ts'
import { tool } from '../protocol/tool.ts'
import { alertsInForce, metaWith } from '../query/alerts-in-force.ts'
import { forecastAt, pick } from '../query/forecast.ts'
import { hourlyDetailed, hourlyStandard } from '../query/forecast-columns.ts'
import { HOUR_OF_ROWS, hourLines } from '../words/forecast-words.ts'
import { keyHours, peakLines, periodLines, temperatureLine, worstHourLine } from '../words/hour-peaks.ts'
import { lengthOf, localTime, reply, zoneName } from '../words/reply.ts'
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
    })
    const inForce = await alertsInForce(context, spot, context.now + input.days * 24 * HOUR)
    const meta = metaWith(context, own, inForce)
    const rows = weather.hourly ?? []
    const first = rows[0] ? Date.parse(rows[0].time) : context.now
    const sampled = sampledRows(rows, detailed ? 48 : concise ? 6 : 24)
    const hourly = sampled.rows.map((row) =>
      pick(row, detailed && Date.parse(row.time) - first < 48 * HOUR ? hourlyDetailed : hourlyStandard),
    )
    const hourLinesWithin = (room: number) => {
      if (rows.length === 0) return ['The hourly forecast is not available for this place now.']
      if (concise) return conciseLines(rows, weather.units, spot.timezone)
      return fittedLines(rows, { units: weather.units, timezone: spot.timezone, isDetailed: detailed, room })
    }
    const hourlyUntil = concise ? undefined : await lastHourlyChance(context, spot)
    const lastRow = Date.parse(rows.at(-1)?.time ?? '')
    return reply({
      structured: {
        location: spot.location,
        units: input.units,
        forecast: {
          timezone: spot.timezone,
          units: weather.units,
          hourly,
          ...(sampled.sampling && { hourly_sampling: sampled.sampling }),
        },
        widget: widgetOf([
          entry('HourlyChart', {
            hours: hourly
              .slice(0, 12)
              .map((row) => pick(row, ['time', 'temperature', 'precip_probability', 'wind_speed'])),
          }),
        ]),
      },
      lines: (room) => {
        const opening = [
          ...inForce.lines,
          `Hourly forecast for ${spot.location.name}, times ${zoneName(first, spot.timezone)}; chance and amount are ${HOUR_OF_ROWS}; sky and wind where they change:`,
          ...(hourlyUntil !== undefined && lastRow > hourlyUntil
            ? [
                `After ${localTime(hourlyUntil, spot.timezone)} the source gives chances of 6 or 12 hours: each hour has its share of them.`,
              ]
            : []),
        ]
        return [...opening, ...hourLinesWithin(room - lengthOf(opening))]
      },
      meta,
      sections: ['hourly', 'alerts'],
      concise,
    })
  },
})

/** Returns every row of the first hours, then every third row, and every row with a highest or lowest value, a begin, an end or a hazard. */
function sampledRows(rows: readonly HourValue[], fromHour: number) {
  const keys = keyHours(rows)
  const chosen = rows.filter((_, i) => i < fromHour || (i - fromHour) % STEP_HOURS === 0 || keys.has(i))
  const isSampled = chosen.length < rows.length
  return { rows: chosen, ...(isSampled && { sampling: { step_hours: STEP_HOURS, from_hour: fromHour } }) }
}

/** Returns the last time for which the leading model has a chance of one hour; undefined if it has none. */
async function lastHourlyChance(context: ToolContext, spot: Spot): Promise<number | undefined> {
  const { lat, lon } = spot.location
  const from = Math.floor(context.now / HOUR) * HOUR
  const query = { family: familyOf(context, leading), variables: [HOURLY_CHANCE], units: 'imperial' as const }
  const reader = await openReader(context, { ...query, from, to: from + LONGEST_HOURS * HOUR })
  const table = await reader.point(lat, lon, spot.resolved.domain)
  const times = [...(table?.values.get(HOURLY_CHANCE) ?? [])].flatMap(([time, value]) => (value === null ? [] : [time]))
  return times.length > 0 ? Math.max(...times) : undefined
}

const HOURLY_CHANCE = 'precip_probability'
/** Largest number of hours in a call. */
const LONGEST_HOURS = 168

/** Largest number of characters in the hourly lines of the text. */
const MAX_CHARACTERS = { standard: 1290, detailed: 1400 } as const
/** Hours that usually have a line each. */
const SINGLE_HOURS = { standard: 20, detailed: 12, ofManyDays: 6 } as const
const FEW_HOURS = 48
/** The hours until the same hour of the next day, each of which has its temperature. */
const DAY_HOURS = 24
const MAX_CONCISE_CHARACTERS = 290

/** Returns the lines of a concise answer: the worst hour, the highest and lowest values, and up to four hours. */
function conciseLines(rows: readonly HourValue[], units: UnitLabels, timezone: string): string[] {
  const lines = [...worstHourLine(rows, units, timezone), ...peakLines(rows, units, timezone).slice(0, 1)]
  const hours = hourLines(rows.slice(0, 4), units, timezone)
  let room = MAX_CONCISE_CHARACTERS - lines.join('\n').length
  for (const line of hours) {
    room -= line.length + 1
    if (room < 0) break
    lines.push(line)
  }
  return lines
}

/** Lengths of the periods of the later hours. */
const PERIOD_HOURS = [6, 12, 24]

/**
 * Returns the lines with the greatest count that fit, by bisection: more single hours make a longer text. Undefined if the
 * lines with the least count do not fit.
 */
function longestFitting(
  least: number,
  most: number,
  compose: (count: number) => string[],
  room: number,
): string[] | undefined {
  let fitting: string[] | undefined
  for (let [from, to] = [least, most]; from <= to; ) {
    // The least count is first, because all others are longer.
    const count = fitting ? Math.ceil((from + to) / 2) : least
    const lines = compose(count)
    const fits = lengthOf(lines) <= room
    if (fits) {
      fitting = lines
      from = count + 1
    } else {
      to = count - 1
    }
  }
  return fitting
}

/**
 * Returns the peaks of all hours, then as many single hours as fit, the temperatures until the same hour of the next day, and the other hours in
 * periods. The last hour is always among them.
 */
function fittedLines(
  rows: readonly HourValue[],
  {
    units,
    timezone,
    isDetailed,
    room,
  }: {
    readonly units: UnitLabels
    readonly timezone: string
    readonly isDetailed: boolean
    readonly room: number
  },
): string[] {
  const peaks = peakLines(rows, units, timezone)
  const most = Math.min(room, MAX_CHARACTERS[isDetailed ? 'detailed' : 'standard'])
  const hasTemperatures = !isDetailed && rows.length <= FEW_HOURS
  const compose = (count: number, length: number) => {
    const later = rows.slice(isDetailed ? 0 : count)
    const periods = periodLines(later, { units, timezone, length, isDetailed })
    const heading = periods.length > 0 && count > 0 ? ['In periods, with the hour of each peak:'] : []
    const temperatures = hasTemperatures ? temperatureLine(rows.slice(count, DAY_HOURS), units, timezone) : []
    return [...peaks, ...hourLines(rows.slice(0, count), units, timezone), ...temperatures, ...heading, ...periods]
  }
  const single = SINGLE_HOURS[rows.length > FEW_HOURS ? 'ofManyDays' : isDetailed ? 'detailed' : 'standard']
  const mostSingle = isDetailed ? single : Math.min(FEW_HOURS, rows.length)
  for (const length of PERIOD_HOURS) {
    const lines = longestFitting(single, mostSingle, (count) => compose(count, length), most)
    if (lines) return lines
  }
  for (let count = isDetailed ? -1 : single; count >= 0; count--) {
    const lines = compose(count, 24)
    if (lengthOf(lines) <= room) return lines
  }
  const days = periodLines(rows, { units, timezone, length: 24, isDetailed: false })
  const detailedDays = isDetailed ? periodLines(rows, { units, timezone, length: 24, isDetailed }) : days
  for (let count = days.length; count > 0; count--) {
    const lines = [...peaks, ...detailedDays.slice(0, count), ...days.slice(count)]
    if (lengthOf(lines) <= room) return lines
  }
  return lengthOf([...peaks, ...days]) <= room ? [...peaks, ...days] : days
}

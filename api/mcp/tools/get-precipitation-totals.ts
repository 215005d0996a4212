import { z } from 'zod'
import { HOUR, isoSeconds } from '../../../ingest/domain/time.ts'
import type { SourceFreshness } from '../../contract.ts'
import { findSpot } from '../../dataset/spot.ts'
import { DAY_TOTAL, sampleNewest } from '../../live/radar.ts'
import { units } from '../../present/units.ts'
import { ToolError } from '../protocol/error.ts'
import * as shape from '../protocol/input.ts'
import { pointAt } from '../protocol/point.ts'
import { tool } from '../protocol/tool.ts'
import { familyId } from '../query/family-id.ts'
import { HOURLY_TOTALS, HOURLY_TOTALS_PASS1, hourlyTotals, sumOf, type WindowTotal } from '../query/hourly-totals.ts'
import { certainAbsence } from '../words/absence.ts'
import { localTime, plainMeta, reply, shown } from '../words/reply.ts'

/** A window that ended longer ago does not count as the last hours. */
const MAX_AGE_MS = 4 * HOUR
const windows = [1, 3, 6, 12, 24, 48, 72] as const

export const getPrecipitationTotals = tool({
  name: 'get_precipitation_totals',
  title: 'Get precipitation totals',
  description:
    'How much rain or melted snow fell at a US place in the last 1 to 72 hours, from gauge-corrected radar: "how much rain did we get overnight". What falls now: get_radar; past days: get_past_weather. no_coverage is not dry.',
  input: z.strictObject({
    ...shape.place,
    ...shape.units,
    hours: z.number().int().min(1).max(72).default(24).describe('Longest window, hours.'),
  }),
  output: z.object({
    location: shape.location,
    units: z.string(),
    totals: z.array(
      z.object({
        hours: z.number(),
        amount: z.number().nullable(),
        coverage: z.enum(['value', 'dry', 'no_coverage', 'partial']),
        valid_time: z.string(),
        hours_available: z.number().int(),
        pass: z.number(),
      }),
    ),
    meta: shape.meta,
  }),
  async run(input, context) {
    const spot = findSpot(input)
    const at = pointAt(context, spot)
    const system = units[input.units]
    const { radar } = context.deps
    const lengths = windows.filter((length) => length <= input.hours)
    const longest = Math.max(...lengths)
    const ends = [HOURLY_TOTALS, HOURLY_TOTALS_PASS1].flatMap((id) => {
      const time = radar.newestTime(id, at.domain)
      return time === undefined || context.now - time > MAX_AGE_MS ? [] : [{ id, time }]
    })
    const end = ends.length > 0 ? Math.max(...ends.map(({ time }) => time)) : undefined
    const hourly = end === undefined ? [] : await hourlyTotals(radar, at, end, longest)
    const day = longest >= 24 ? await sampleNewest(radar, DAY_TOTAL, at, MAX_AGE_MS) : undefined
    const totals = lengths.flatMap((hours) => {
      const sum = end === undefined ? undefined : { ...sumOf(hourly.slice(0, hours)), end }
      // The 24-hour product is used if hours are missing, or if it is newer than the hourly totals.
      if (hours === 24 && day && (!sum || sum.coverage === 'partial' || day.validTime > sum.end))
        return row({ coverage: day.state, mm: day.value ?? 0, hours, stored: hours, pass: 2 }, day.validTime)
      return sum ? row(sum, sum.end) : []
    })
    const freshness: SourceFreshness[] = [
      ...ends.map(({ id, time }) => ({ source: familyId(context, id), product_id: id, referenceTime: time })),
      ...(day ? [{ source: familyId(context, DAY_TOTAL), product_id: DAY_TOTAL, referenceTime: day.validTime }] : []),
    ]
    function row({ coverage, mm, hours, stored, pass }: WindowTotal, validTime: number) {
      const amount = coverage === 'value' || coverage === 'dry' ? system.show('precip_amount', mm) : null
      return { hours, amount, coverage, valid_time: isoSeconds(validTime), hours_available: stored, pass }
    }
    if (totals.length === 0)
      throw new ToolError(
        'no-data',
        `No radar precipitation total of the last hours is available for ${spot.location.name}: it is not known how much fell.`,
        'get_forecast gives what is expected; get_service_status says what is missing.',
      )
    const label = system.conversions.precip_amount.label
    const partial = totals.filter(({ coverage }) => coverage === 'partial')
    const warnings =
      partial.length > 0
        ? [
            {
              code: 'source_missing' as const,
              section: 'totals',
              detail: `hours are missing, so no totals are given for ${partial.map(({ hours, hours_available }) => `${hours} h (${hours_available} stored)`).join(', ')}`,
            },
          ]
        : []
    const words = ({ coverage, amount, hours, hours_available }: (typeof totals)[number]) =>
      coverage === 'no_coverage'
        ? 'no radar coverage, not known'
        : coverage === 'partial'
          ? `not known, only ${hours_available} of ${hours} hours are stored`
          : coverage === 'dry'
            ? certainAbsence('total', {})
            : shown(amount, label)
    const lines = [
      `Precipitation at ${spot.location.name}:`,
      ...totals.map(
        (total) =>
          `${total.hours} h to ${localTime(total.valid_time, spot.timezone)}: ${words(total)}${total.pass === 1 && total.amount !== null ? ' (first pass)' : ''}`,
      ),
    ]
    return reply({
      structured: { location: spot.location, units: input.units, totals },
      lines,
      meta: plainMeta(context, [DAY_TOTAL, HOURLY_TOTALS], { freshness, warnings, spots: [spot] }),
    })
  },
})

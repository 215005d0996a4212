import { z } from 'zod'
import { units } from '../present/units.ts'
import { lookAt } from '../radar-at.ts'
import type { SourceFreshness } from '../sections/section.ts'
import { ToolError } from './error.ts'
import { fallen, HOURLY_TOTALS } from './fallen.ts'
import { findSpot } from './forecast.ts'
import * as shape from './input.ts'
import { pointAt } from './point.ts'
import { plainMeta, reply, shown } from './reply.ts'
import { tool } from './tool.ts'

const HOUR = 3_600_000
/** Windows that a product of its own gives, the better pass first. */
const products: Readonly<Record<number, readonly { id: string; pass: 1 | 2; holds: number }[]>> = {
  1: [
    { id: 'mrms-qpe-1h', pass: 2, holds: 3 * HOUR },
    { id: 'mrms-qpe-1h-pass1', pass: 1, holds: 2 * HOUR },
  ],
  24: [{ id: 'mrms-qpe-24h', pass: 2, holds: 4 * HOUR }],
}
const windows = [1, 3, 6, 12, 24, 48, 72] as const

export const getPrecipitationTotals = tool({
  name: 'get_precipitation_totals',
  title: 'Get precipitation totals',
  description:
    'How much rain or melted snow fell at a US place in the last hours, from radar corrected by gauges (MRMS QPE), over 1, 3, 6, 12, 24, 48 and 72 hours: "how much rain did we get overnight". For what falls now use get_radar; what will fall get_forecast; whole past days get_past_weather. 24 hours by default; inches unless asked otherwise. Tells no coverage, dry and a value apart. 50 US states and DC where radar reaches.',
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
        coverage: z.enum(['value', 'dry', 'no_coverage']),
        valid_time: z.string(),
        pass: z.number(),
      }),
    ),
    meta: shape.meta,
  }),
  async run(input, context) {
    const spot = findSpot(input)
    const at = pointAt(context, spot)
    const system = units[input.units]
    const freshness: SourceFreshness[] = []
    const totals: { hours: number; amount: number | null; coverage: string; valid_time: string; pass: number }[] = []
    const lacking: number[] = []
    for (const hours of windows.filter((one) => one <= input.hours)) {
      const found = products[hours] ? await first(hours) : await summed(hours)
      if (found) totals.push(found)
      else lacking.push(hours)
    }
    async function first(hours: number) {
      for (const { id, pass, holds } of products[hours]) {
        const look = await lookAt(context.parts.radar, id, at, holds)
        if (!look) continue
        freshness.push({ source: 'mrms', product_id: id, referenceTime: look.validTime })
        return total(hours, look.state, look.value ?? 0, look.validTime, pass)
      }
      return undefined
    }
    /** Hours that follow each other without a gap, from the frames that are held. */
    async function summed(hours: number) {
      const { radar } = context.parts
      const end = radar.newestTime(HOURLY_TOTALS, at.domain)
      if (end === undefined || context.now - end > 3 * HOUR) return undefined
      const sum = await fallen(radar, at, end, hours)
      return sum && total(hours, sum.state, sum.mm, end, 2)
    }
    function total(
      hours: number,
      coverage: 'value' | 'dry' | 'no_coverage',
      mm: number,
      validTime: number,
      pass: number,
    ) {
      const amount =
        coverage === 'no_coverage' ? null : (system.show('precip_amount', coverage === 'dry' ? 0 : mm) as number)
      return { hours, amount, coverage, valid_time: `${new Date(validTime).toISOString().slice(0, 19)}Z`, pass }
    }
    if (totals.length === 0)
      throw new ToolError(
        'no-data',
        `No radar precipitation total is held for ${spot.location.name} now.`,
        'get_forecast tells what is expected; get_service_status says what is missing.',
      )
    const label = system.of.precip_amount.label
    const warnings =
      lacking.length > 0
        ? [
            {
              code: 'source_missing' as const,
              section: 'totals',
              detail: `totals of ${lacking.join(', ')} h cannot be given: not all hours are held`,
            },
          ]
        : []
    const lines = [
      `Precipitation at ${spot.location.name}:`,
      ...totals.map(
        (one) =>
          `last ${one.hours} h: ${one.coverage === 'no_coverage' ? 'no radar coverage' : one.coverage === 'dry' ? 'none' : one.amount === null ? 'not known' : shown(one.amount, label)}`,
      ),
    ]
    return reply({
      structured: { location: spot.location, units: input.units, totals },
      lines,
      meta: plainMeta(context, ['mrms-qpe-24h'], { freshness, warnings, spots: [spot] }),
    })
  },
})

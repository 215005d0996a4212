import { z } from 'zod'
import { isoOrNull } from '../../../ingest/domain/time.ts'
import type { MetaWarning } from '../../contract.ts'
import { findSpot } from '../../dataset/spot.ts'
import { DENSITY, FLASHES } from '../../live/lightning.ts'
import { ToolError } from '../protocol/error.ts'
import * as shape from '../protocol/input.ts'
import { pointAt } from '../protocol/point.ts'
import { tool } from '../protocol/tool.ts'
import { absence } from '../words/absence.ts'
import { counted, localTime, plainMeta, reply } from '../words/reply.ts'

export const getLightningActivity = tool({
  name: 'get_lightning_activity',
  title: 'Get lightning activity',
  description:
    'Lightning near a US place now: GOES flashes within 30 km in 10 minutes, ground strikes, probability in 30 minutes: "was that thunder", "is it safe outside". Storm cells: get_storm_tracks. Most of Alaska: null, never 0.',
  input: z.strictObject({ ...shape.place }),
  output: z.object({
    location: shape.location,
    lightning: z.looseObject({
      flash_count: z.number().int().nullable(),
      flash_coverage: z.enum(['ok', 'no_coverage']),
      nearest_flash_km: z.number().nullable(),
      density: z.number().nullable(),
      probability_30min: z.number().nullable(),
      window_start: z.string().nullable(),
      window_end: z.string().nullable(),
      summary: z.string(),
    }),
    meta: shape.meta,
  }),
  async run(input, context) {
    const spot = findSpot(input)
    const supplier = context.deps.values.suppliers.lightning
    if (!supplier)
      throw new ToolError(
        'no-data',
        'This installation reads no source about lightning.',
        'get_hourly_forecast gives the chance of thunder.',
      )
    const activity = await supplier(pointAt(context, spot))
    const probability = activity.probability === undefined ? null : Math.round(activity.probability)
    const doubt = countDoubt(activity.flashes, activity.warnings)
    // A count of 0 from a part of the files does not mean that there was no flash.
    const count = doubt === undefined ? (activity.flashes ?? null) : null
    const near = activity.nearestKm === undefined ? null : Math.round(activity.nearestKm * 10) / 10
    const nearWords = near === null ? '' : `, the nearest ${near} km away`
    const parts = [
      count === null || count === 0
        ? absence('flashes', { nearest: nearWords }, doubt)
        : `${counted(count, 'flash', 'flashes')} within 30 km in 10 minutes${nearWords}.`,
      probabilityWords(probability, count),
    ]
    const lightning = {
      flash_count: count,
      flash_coverage: activity.flashes === undefined ? 'no_coverage' : 'ok',
      nearest_flash_km: near,
      density: activity.density ?? null,
      probability_30min: probability,
      window_start: isoOrNull(activity.window?.start),
      window_end: isoOrNull(activity.window?.end),
      summary: parts.join(' '),
    }
    const meta = plainMeta(context, ['glm', DENSITY], { ...activity, spots: [spot] })
    const when = activity.window
      ? [`Flashes in the 10 minutes to ${localTime(activity.window.end, spot.timezone)}.`]
      : []
    return reply({
      structured: { location: spot.location, lightning },
      lines: [`Lightning at ${spot.location.name}:`, ...parts, ...when],
      meta,
    })
  },
})

/** Returns a sentence about the probability. With counted flashes, a low probability says that flashes are near, because the two come from different sources. */
export function probabilityWords(probability: number | null, count: number | null): string {
  if (probability === null) return 'The 30-minute probability is not available.'
  const words = `Probability of lightning at the place in the next 30 minutes: ${probability}%`
  return (count ?? 0) > 0 && probability < 50 ? `${words} by MRMS, but flashes are near now.` : `${words}.`
}

/** Returns why it is not known whether there are flashes; undefined for flashes, and for a count of 0 from a complete window. */
function countDoubt(count: number | undefined, warnings: readonly MetaWarning[] = []): string | undefined {
  if (count !== undefined && count > 0) return undefined
  const warning = warnings.find(({ product_id, detail }) => product_id === FLASHES && detail)
  return warning?.detail ?? (count === undefined ? 'no satellite data on flashes are stored' : undefined)
}

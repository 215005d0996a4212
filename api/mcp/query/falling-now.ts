import { z } from 'zod'
import { ignoreFault } from '../../../ingest/domain/fault.ts'
import { type Instant, MINUTE } from '../../../ingest/domain/time.ts'
import type { WeatherValue } from '../../answer/value.ts'
import type { MetaWarning, SourceFreshness } from '../../contract.ts'
import type { Spot } from '../../dataset/spot.ts'
import { RATE } from '../../live/radar.ts'
import { fallingSentence, imperialNarration } from '../../sections/narration-words.ts'
import type { ToolContext } from '../protocol/context.ts'
import { absence, certainAbsence } from '../words/absence.ts'
import { capitalized, localTime } from '../words/reply.ts'
import { familyId } from './family-id.ts'
import { forecastAt } from './forecast.ts'

/** Precipitation at a place now, decided as for `current` of /v1/weather: by radar, else by the model. */
export const fallingNow = z.object({
  precip_type: z.string().nullable().describe('null: not known'),
  precip_rate: z.number().nullable().describe('in per hour'),
  conditions: z.string().nullable(),
  source: z.enum(['radar', 'model']).nullable().describe('model: no radar sees the place'),
  valid_time: z.string().nullable(),
  age_min: z.number().nullable(),
})
type FallingNow = z.infer<typeof fallingNow>

interface FallingReply {
  readonly value: FallingNow
  readonly line: string
  readonly warnings: readonly MetaWarning[]
  readonly sources: readonly string[]
  readonly freshness: readonly SourceFreshness[]
}

const BELOW_BEAM =
  'the station reports precipitation that the radar does not see, since drizzle and light snow can pass below the beam'

/** @param isReported whether the station nearby reports precipitation */
export async function fallingAt(context: ToolContext, spot: Spot, isReported: boolean): Promise<FallingReply> {
  const options = { include: ['current', 'radar', 'nowcast'], days: 1, hours: 1 } as const
  const forecast = await forecastAt(context, spot, options).catch(ignoreFault)
  const { current, radar } = forecast?.weather ?? {}
  const precip_rate = current?.precip_rate ?? null
  const type = current?.precip_type ?? null
  const known = {
    // `current` has the type "unknown" without a rate if it is not known whether anything falls.
    precip_type: type === 'unknown' && precip_rate === null ? null : type,
    precip_rate,
    conditions: current?.conditions === 'Unknown' ? null : (current?.conditions ?? null),
  }
  const scan = forecast && scanOf(forecast.weather, context.now)
  if (scan && known.precip_type !== null) {
    const valid = Date.parse(scan)
    const age_min = Math.max(0, Math.round((context.now - valid) / MINUTE))
    // If a station reports precipitation that the radar does not see, it is not known whether anything falls here.
    const isMissed = isReported && known.precip_type === 'none'
    const falling = isMissed ? { ...known, precip_type: null, precip_rate: null } : known
    const words = isMissed
      ? absence('precipitation_over', { place: spot.location.name, at: '' }, BELOW_BEAM)
      : radarWords(known)
    return {
      value: { ...falling, source: 'radar', valid_time: scan, age_min },
      line: `Radar of ${localTime(valid, spot.timezone)} (${age_min} min ago): ${words}`,
      warnings: [],
      sources: [RATE],
      freshness: [{ source: familyId(context, RATE), product_id: RATE, referenceTime: valid }],
    }
  }
  const isModelled = current?.temperature !== null && current?.temperature !== undefined
  const reason =
    forecast?.meta.warnings.find(({ section }) => section === 'radar')?.detail ??
    (radar?.coverage === 'no_coverage' ? 'no radar sees this place' : 'radar could not be read')
  const value: FallingNow = {
    precip_type: isModelled ? known.precip_type : null,
    precip_rate: null,
    conditions: known.conditions,
    source: isModelled && known.precip_type !== null ? 'model' : null,
    valid_time: null,
    age_min: null,
  }
  return {
    value,
    line: `${absence('precipitation_now', {}, reason)} ${modelWords(value)}`,
    warnings: [
      {
        code: 'no_coverage',
        section: 'precipitation',
        product_id: RATE,
        detail: `${reason}: it is not known whether anything falls now`,
      },
    ],
    sources: [],
    freshness: [],
  }
}

/** Returns the time of the scan that decides; undefined if no recent scan covers the place. */
function scanOf({ radar, nowcast }: WeatherValue, now: Instant): string | undefined {
  if (radar && radar.coverage !== 'no_coverage') return radar.valid_time
  const step = nowcast?.points.findLast(({ time }) => Date.parse(time) <= now)
  return step && step.type !== 'no_coverage' ? nowcast?.generated_at : undefined
}

type KnownFalling = Pick<FallingNow, 'precip_type' | 'precip_rate' | 'conditions'>

function radarWords({ precip_type, precip_rate, conditions }: KnownFalling): string {
  if (precip_type === 'none') return absence('precipitation_now', {})
  const falling = fallingSentence({ precip_type, precip_rate }, imperialNarration)
  const words = falling ?? `${kindOf(precip_type)} falling, less than 0.01 ${imperialNarration.rate}.`
  return `${words}${conditions ? ` Conditions: ${conditions}.` : ''}`
}

function modelWords({ source, precip_type }: FallingNow): string {
  if (source === null) return 'No model answers instead; this does not mean that it is dry.'
  if (precip_type === 'none') return certainAbsence('precipitation_of_model', {})
  return `The model has ${kindOf(precip_type).toLowerCase()} in this hour.`
}

function kindOf(type: string | null): string {
  return capitalized(type === null || type === 'unknown' ? 'precipitation' : type.replaceAll('_', ' '))
}

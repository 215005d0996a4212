import { z } from 'zod'
import { ignoreFault } from '../../../ingest/domain/fault.ts'
import { type Instant, MINUTE } from '../../../ingest/domain/time.ts'
import type { WeatherValue } from '../../answer/value.ts'
import type { MetaWarning, SourceFreshness } from '../../contract.ts'
import type { Spot } from '../../dataset/spot.ts'
import { fallingSentence, imperialNarration } from '../../sections/narration-words.ts'
import type { ToolContext } from '../protocol/context.ts'
import { localTime } from '../words/reply.ts'
import { forecastAt } from './forecast.ts'

/** What falls at a place now, as `current` of /v1/weather decides it: by radar, else by the model. */
export const fallingNow = z.object({
  precip_type: z.string().nullable().describe('null: not known'),
  precip_rate: z.number().nullable().describe('in per hour'),
  conditions: z.string().nullable(),
  source: z.enum(['radar', 'model']).nullable().describe('model: no radar sees the place'),
  valid_time: z.string().nullable(),
  age_min: z.number().nullable(),
})
type FallingNow = z.infer<typeof fallingNow>

interface Falling {
  readonly value: FallingNow
  readonly line: string
  readonly warnings: readonly MetaWarning[]
  readonly sources: readonly string[]
  readonly freshness: readonly SourceFreshness[]
}

const RADAR = 'mrms-precip-rate'

/** @param reported whether the station near by reports precipitation */
export async function fallingAt(context: ToolContext, spot: Spot, reported: boolean): Promise<Falling> {
  const options = { include: ['current', 'radar', 'nowcast'], days: 1, hours: 1 } as const
  const found = await forecastAt(context, spot, options).catch(ignoreFault)
  const { current } = found?.weather ?? {}
  const precip_rate = current?.precip_rate ?? null
  const type = current?.precip_type ?? null
  const known = {
    // Without a rate, "unknown" is what `current` has where nobody knows whether anything falls.
    precip_type: type === 'unknown' && precip_rate === null ? null : type,
    precip_rate,
    conditions: current?.conditions === 'Unknown' ? null : (current?.conditions ?? null),
  }
  const scan = found && scanOf(found.weather, context.now)
  if (scan && known.precip_type !== null) {
    const valid = Date.parse(scan)
    const age_min = Math.max(0, Math.round((context.now - valid) / MINUTE))
    const value: FallingNow = { ...known, source: 'radar', valid_time: scan, age_min }
    return {
      value,
      line: `Radar of ${localTime(valid, spot.timezone)} (${age_min} min ago): ${seenWords(known, reported)}`,
      warnings: [],
      sources: [RADAR],
      freshness: [{ source: 'mrms', product_id: RADAR, referenceTime: valid }],
    }
  }
  const modelled = current?.temperature !== null && current?.temperature !== undefined
  const reason =
    found?.meta.warnings.find(({ section }) => section === 'radar')?.detail ??
    (found?.weather.radar?.coverage === 'no_coverage' ? 'no radar sees this place' : 'radar could not be read')
  const value: FallingNow = {
    precip_type: modelled ? known.precip_type : null,
    precip_rate: null,
    conditions: known.conditions,
    source: modelled && known.precip_type !== null ? 'model' : null,
    valid_time: null,
    age_min: null,
  }
  return {
    value,
    line: `Whether anything falls here now is not known: ${reason}. ${modelWords(value)}`,
    warnings: [
      {
        code: 'no_coverage',
        section: 'precipitation',
        product_id: RADAR,
        detail: `${reason}: whether anything falls now is not known`,
      },
    ],
    sources: [],
    freshness: [],
  }
}

/** The time of the scan that decides; undefined where no recent one covers the place. */
function scanOf({ radar, nowcast }: WeatherValue, now: Instant): string | undefined {
  if (radar && radar.coverage !== 'no_coverage') return radar.valid_time
  const step = nowcast?.points.findLast(({ time }) => Date.parse(time) <= now)
  return step && step.type !== 'no_coverage' ? nowcast?.generated_at : undefined
}

type Known = Pick<FallingNow, 'precip_type' | 'precip_rate' | 'conditions'>

function seenWords({ precip_type, precip_rate, conditions }: Known, reported: boolean): string {
  if (precip_type === 'none')
    return reported
      ? 'no precipitation here; the station reports some: drizzle and light snow can pass below the beam.'
      : 'no precipitation here.'
  const falling = fallingSentence({ precip_type, precip_rate }, imperialNarration)
  const words = falling ?? `${kindOf(precip_type)} falling, less than 0.01 ${imperialNarration.rate}.`
  return `${words}${conditions ? ` Conditions: ${conditions}.` : ''}`
}

function modelWords({ source, precip_type }: FallingNow): string {
  if (source === null) return 'No model stands in; this does not mean that it is dry.'
  if (precip_type === 'none') return 'The model has nothing in this hour, which does not rule it out.'
  return `The model has ${kindOf(precip_type).toLowerCase()} in this hour.`
}

function kindOf(type: string | null): string {
  const words = type === null || type === 'unknown' ? 'precipitation' : type.replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

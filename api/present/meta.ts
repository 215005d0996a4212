import type { Dataset } from '../../ingest/domain/dataset/dataset.ts'
import { type Instant, isoSeconds } from '../../ingest/domain/time.ts'
import type { MetaWarning, SourceFreshness } from '../contract.ts'

export const SCHEMA_VERSION = '1.0.0'

/** The member `freshness`: one entry for each product, in the order of first mention. */
export function freshnessOf(all: readonly SourceFreshness[], now: Instant): { readonly age_seconds: number }[] {
  const first = all.filter(({ product_id }, i) => all.findIndex((other) => other.product_id === product_id) === i)
  return first.map(({ source, product_id, referenceTime, latestValid, availableAt, monitors }) => ({
    source,
    product_id,
    reference_time: referenceTime === undefined ? null : isoSeconds(referenceTime),
    latest_valid: latestValid === undefined ? null : isoSeconds(latestValid),
    available_at: availableAt === undefined ? null : isoSeconds(availableAt),
    age_seconds: referenceTime === undefined ? 0 : Math.max(0, Math.round((now - referenceTime) / 1000)),
    ...(monitors && { monitors: monitors.map(({ hour, ...monitor }) => ({ ...monitor, hour: isoSeconds(hour) })) }),
  }))
}

/** Attribution of everything that comes from the radar mosaic. */
export const MRMS_ATTRIBUTION = 'NOAA Multi-Radar/Multi-Sensor System (MRMS)'

/** Order of warnings: warnings about wrong or incomplete data precede warnings that explain. */
const gravest: readonly MetaWarning['code'][] = [
  'source_failed',
  'degraded',
  'stale_source',
  'source_missing',
  'feed_unconfirmed',
  'source_incomplete',
  'place_assumed',
  'source_fallback',
  'partial_day',
]

function rankOf({ code }: MetaWarning): number {
  const rank = gravest.indexOf(code)
  return rank < 0 ? gravest.length : rank
}

/**
 * Warnings without duplicates of code, section, product and fields, the most severe first.
 * @param fresh products of `meta.freshness`; a `product_id` that is not among them is removed, `detail` is unchanged
 */
export function warningsOf(all: readonly MetaWarning[], fresh?: readonly SourceFreshness[]): MetaWarning[] {
  const unique: MetaWarning[] = []
  for (const warning of all) if (!unique.some((other) => isSameWarning(warning, other))) unique.push(warning)
  unique.sort((a, b) => rankOf(a) - rankOf(b))
  return unique.map((warning) => {
    if (!fresh || !warning.product_id || fresh.some(({ product_id }) => product_id === warning.product_id))
      return warning
    const { product_id: _, ...withoutProduct } = warning
    return withoutProduct
  })
}

function isSameWarning(a: MetaWarning, b: MetaWarning): boolean {
  if (a.code !== b.code || a.section !== b.section || (a.product_id ?? '') !== (b.product_id ?? '')) return false
  return (a.fields?.join() ?? '') === (b.fields?.join() ?? '')
}

const NOTICE =
  'Weather data: NOAA. Places: GeoNames (CC BY 4.0). Not an official NOAA product; not for the protection of life or property.'
const PRELIMINARY = ' AirNow data are preliminary and not fully verified.'
const SIMULATED =
  'SIMULATED DATA: this is not weather. Everything in this answer was computed by a simulator of the sources; it does not describe the real sky.'

/** The member `attribution`. @param used ids of datasets @param named further sources, which sections name */
export function attributionOf(
  used: Iterable<string>,
  named: readonly string[],
  datasets: ReadonlyMap<string, Dataset>,
  simulated: boolean,
): { sources: string[]; notice: string } {
  const sources = new Set<string>()
  const ids = [...used, ...named]
  for (const id of ids) sources.add(datasets.get(id)?.attribution ?? id)
  const notice = simulated ? SIMULATED : NOTICE
  return { sources: [...sources], notice: ids.includes('airnow') ? notice + PRELIMINARY : notice }
}

export const simulatedWarning: MetaWarning = {
  code: 'simulated_data',
  section: 'meta',
  detail: 'The sources are simulated. Nothing in this answer is real weather.',
}

/** The warning about simulated weather, if the weather is simulated. */
export function simulatedWarnings(simulated: boolean): MetaWarning[] {
  return simulated ? [simulatedWarning] : []
}

/** A header with the codes of the warnings, for forms of an answer that have no place for them. */
export function warningsHeader(warnings: readonly { readonly code: string }[]): Record<string, string> {
  return warnings.length === 0 ? {} : { 'X-Warnings': [...new Set(warnings.map(({ code }) => code))].join(', ') }
}

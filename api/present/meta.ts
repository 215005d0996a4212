import type { Dataset } from '../../ingest/domain/dataset.ts'
import { type Instant, isoSeconds } from '../../ingest/domain/time.ts'
import type { MetaWarning, SourceFreshness } from '../sections/section.ts'

export const SCHEMA_VERSION = '1.0.0'

/** One entry a product, the order of first mention. */
export function freshnessOf(all: readonly SourceFreshness[], now: Instant): object[] {
  const seen = new Map<string, object>()
  for (const { source, product_id, referenceTime, latestValid } of all) {
    if (seen.has(product_id)) continue
    seen.set(product_id, {
      source,
      product_id,
      reference_time: referenceTime === undefined ? null : isoSeconds(referenceTime),
      latest_valid: latestValid === undefined ? null : isoSeconds(latestValid),
      age_seconds: referenceTime === undefined ? 0 : Math.max(0, Math.round((now - referenceTime) / 1000)),
    })
  }
  return [...seen.values()]
}

/**
 * Each once: the same code, section and product with the same fields says the same.
 * @param fresh products of meta.freshness: a `product_id` that none of them bears is left out, its words stay in `detail`
 */
export function warningsOf(all: readonly MetaWarning[], fresh?: readonly SourceFreshness[]): MetaWarning[] {
  const seen = new Map<string, MetaWarning>()
  for (const given of all) {
    let warning = given
    if (fresh && given.product_id && !fresh.some(({ product_id }) => product_id === given.product_id)) {
      const { product_id: _, ...rest } = given
      warning = rest
    }
    const key = `${given.code}|${given.section}|${given.product_id ?? ''}|${given.fields?.join() ?? ''}`
    if (!seen.has(key)) seen.set(key, warning)
  }
  return [...seen.values()]
}

const NOTICE =
  'Weather data: NOAA. Places: GeoNames (CC BY 4.0). Not an official NOAA product; not for the protection of life or property.'
const SIMULATED =
  'SIMULATED DATA: this is not weather. Everything in this answer was computed by a simulator of the sources and says nothing about the real sky.'

/** @param used ids of datasets @param named further sources that sections name themselves */
export function attributionOf(
  used: Iterable<string>,
  named: readonly string[],
  datasets: ReadonlyMap<string, Dataset>,
  simulated: boolean,
): { sources: string[]; notice: string } {
  const sources = new Set<string>()
  for (const id of used) sources.add(datasets.get(id)?.attribution ?? id)
  for (const name of named) sources.add(datasets.get(name)?.attribution ?? name)
  return { sources: [...sources], notice: simulated ? SIMULATED : NOTICE }
}

export const simulatedWarning: MetaWarning = {
  code: 'simulated_data',
  section: 'meta',
  detail: 'the sources are simulated: nothing in this answer is real weather',
}

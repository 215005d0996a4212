import type { Dataset } from '../../ingest/domain/dataset.ts'
import { type Instant, isoSeconds } from '../../ingest/domain/time.ts'
import type { MetaWarning, SourceFreshness } from '../sections/section.ts'

export const SCHEMA_VERSION = '1.0.0'

/** One entry a product, the order of first mention. */
export function freshnessOf(all: readonly SourceFreshness[], now: Instant): object[] {
  const first = all.filter(({ product_id }, i) => all.findIndex((other) => other.product_id === product_id) === i)
  return first.map(({ source, product_id, referenceTime, latestValid }) => ({
    source,
    product_id,
    reference_time: referenceTime === undefined ? null : isoSeconds(referenceTime),
    latest_valid: latestValid === undefined ? null : isoSeconds(latestValid),
    age_seconds: referenceTime === undefined ? 0 : Math.max(0, Math.round((now - referenceTime) / 1000)),
  }))
}

/**
 * Each once: the same code, section and product with the same fields says the same.
 * @param fresh products of meta.freshness: a `product_id` that none of them bears is left out, its words stay in `detail`
 */
export function warningsOf(all: readonly MetaWarning[], fresh?: readonly SourceFreshness[]): MetaWarning[] {
  const said: MetaWarning[] = []
  const told: MetaWarning[] = []
  for (const given of all) {
    if (said.some((other) => saysTheSame(given, other))) continue
    said.push(given)
    if (fresh && given.product_id && !fresh.some(({ product_id }) => product_id === given.product_id)) {
      const { product_id: _, ...rest } = given
      told.push(rest)
    } else told.push(given)
  }
  return told
}

function saysTheSame(a: MetaWarning, b: MetaWarning): boolean {
  if (a.code !== b.code || a.section !== b.section || (a.product_id ?? '') !== (b.product_id ?? '')) return false
  return (a.fields?.join() ?? '') === (b.fields?.join() ?? '')
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

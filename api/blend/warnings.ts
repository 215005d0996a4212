import { type Instant, isoSeconds } from '../../ingest/domain/time.ts'
import type { MetaWarning } from '../contract.ts'
import { leading } from './field-table.ts'

/**
 * The warnings about values that come from intervals of several hours.
 * @param split fields with amounts that were split from longer intervals
 * @param bound fields with probabilities of longer intervals
 */
export function warningsOf(split: readonly string[], bound: readonly string[], boundFrom: Instant): MetaWarning[] {
  const warnings: MetaWarning[] = []
  if (split.length) {
    warnings.push({
      code: 'amount_split',
      section: 'hourly',
      detail:
        'Beyond the hourly range of the source, amounts of 6 hours are split over their hours; the sums are preserved.',
      product_id: leading,
      fields: split,
      ...(bound.length > 0 && { from: isoSeconds(boundFrom) }),
    })
  }
  if (bound.length) {
    warnings.push({
      code: 'probability_upper_bound',
      section: 'hourly',
      detail:
        'Beyond the hourly range of the source, each hour has the probability of a longer interval, which is an upper bound.',
      product_id: leading,
      fields: bound,
      from: isoSeconds(boundFrom),
    })
  }
  return warnings
}

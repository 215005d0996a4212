import { type Instant, isoSeconds } from '../../ingest/domain/time.ts'
import type { MetaWarning } from '../contract.ts'
import { leading } from './field-table.ts'

/**
 * The warning about values that come from intervals of several hours.
 * @param fields fields with such values
 * @param from time of the first such value
 */
export function warningsOf(fields: readonly string[], from: Instant): MetaWarning[] {
  if (fields.length === 0) return []
  return [
    {
      code: 'amount_split',
      section: 'hourly',
      detail:
        'Beyond the hourly range of the source, amounts and probabilities of 3, 6 or 12 hours are apportioned to their hours. Sums are preserved.',
      product_id: leading,
      fields,
      from: isoSeconds(from),
    },
  ]
}

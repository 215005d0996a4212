import type { DomainId } from '../domain/dataset.ts'
import { type Instant, runName } from '../domain/time.ts'

/**
 * Where a run's tiles stand in the object store. A key is a function of what it holds,
 * so writing again writes the same bytes to the same place.
 */
export function runPrefix(dataset: string, domain: DomainId, run: Instant): string {
  return `tiles/v1/${dataset}/${domain}/${runName(run)}`
}

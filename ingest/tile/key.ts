import type { DomainId } from '../domain/domain.ts'
import { type Instant, runName } from '../domain/time.ts'

/**
 * Where a run's tiles stand in the object store. A key is a function of what it holds,
 * so writing again writes the same bytes to the same place.
 */
export function runPrefix(dataset: string, domain: DomainId, run: Instant): string {
  return `tiles/v1/${dataset}/${domain}/${runName(run)}`
}

/** @param inputs digest of what the stage is made of: the same stage of other slabs stands elsewhere */
export function stagePrefix(dataset: string, domain: DomainId, run: Instant, stage: string, inputs: string): string {
  return `${runPrefix(dataset, domain, run)}/${stage}-${inputs}`
}

export const manifestName = 'manifest'
export const sourcesName = 'sources'

export function tileName(shard: number): string {
  return `${String(shard).padStart(4, '0')}.tile`
}

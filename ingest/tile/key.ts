import type { DomainId } from '../domain/domain.ts'
import { type Instant, runName } from '../domain/time.ts'

/**
 * Keys of a run's tiles in the object store. A key is derived from the content, so a repeated write stores the same
 * bytes at the same key.
 */
export function runPrefix(dataset: string, domain: DomainId, run: Instant): string {
  return `tiles/v1/${dataset}/${domain}/${runName(run)}`
}

/** @param inputs digest of the stage's inputs: the same stage built from other slabs has another key */
export function stagePrefix(dataset: string, domain: DomainId, run: Instant, stage: string, inputs: string): string {
  return `${runPrefix(dataset, domain, run)}/${stage}-${inputs}`
}

/** @param place a domain, `all` where one object serves every domain, or the radar of a scan */
export function frameKey(dataset: string, place: string, time: Instant): string {
  return `frames/v1/${dataset}/${place}/${runName(time)}`
}

export const manifestName = 'manifest'
export const sourcesName = 'sources'

export function tileName(shard: number): string {
  return `${String(shard).padStart(4, '0')}.tile`
}

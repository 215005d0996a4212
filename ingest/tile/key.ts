import type { DomainId } from '../domain/domain.ts'
import { type Instant, runName } from '../domain/time.ts'

/**
 * Keys of a run's tiles in the object store. A key is derived from the content, so a repeated write stores the same
 * bytes at the same key.
 */
export function runPrefix(dataset: string, domain: DomainId, run: Instant): string {
  return `tiles/v1/${dataset}/${domain}/${runName(run)}`
}

/**
 * Version of our own code from upstream's bytes to stored bytes: decoding, checks of messages, sampling, slabs and
 * tiles. It is part of the keys of slabs and tiles, so two releases never write different bytes to the same key. Raise
 * it in each change after which the same upstream file can give other bytes of a slab or tile, a correction of a value
 * too; `test/tile/encoder-version.test.ts` fails until it is raised. Slabs of another version are sampled again. It is
 * not the version of the format, which says how bytes are read.
 */
export const ENCODER_VERSION = 3

/** A publication of a stage. */
export interface StageKey {
  readonly dataset: string
  readonly domain: DomainId
  readonly run: Instant
  /** Name of the stage, such as `h051`. */
  readonly stage: string
  /** Number of the republication of the run, from 0. */
  readonly revision: number
}

/** @param inputs digest of the inputs and the encoder: the same stage from other slabs or code has another key */
export function stagePrefix({ dataset, domain, run, stage, revision }: StageKey, inputs: string): string {
  return `${runPrefix(dataset, domain, run)}/${stage}-r${revision}-${inputs}`
}

/** Returns the revision in the key of an object of a run. Keys of earlier versions name none, and are of revision 0. */
export function revisionOfKey(key: string): number {
  return Number(/^\w{1,12}-r(\d{1,6})-/.exec(key.split('/')[5] ?? '')?.[1] ?? 0)
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

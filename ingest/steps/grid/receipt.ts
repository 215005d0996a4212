import type { DomainId } from '../../domain/domain.ts'
import type { Lost, Quarantined } from '../../domain/quarantine.ts'
import type { Instant } from '../../domain/time.ts'
import type { Objects } from '../../ports/objects.ts'
import type { Upstream } from '../../ports/upstream.ts'
import type { Pool } from '../pool-tasks.ts'
import type { SlabReport } from './sample-request.ts'
/** Result of sampling a file in a domain, stored beside the slabs. */
export interface Receipt {
  readonly dataset: string
  readonly domain: DomainId
  readonly run: Instant
  readonly leadHours: number
  readonly url: string
  readonly etag?: string
  readonly slabKey: string
  /** Number of cells of the fields; absent without slabs. */
  readonly cells?: number
  /** Number of messages that the index lists for our wants, and number of messages that became slabs. */
  readonly wanted: number
  readonly got: number
  /** Messages that are in the file but cannot be used. */
  readonly missing: readonly Lost[]
  /** Variables that this file does not offer. */
  readonly absent: readonly string[]
  readonly slabs: readonly SlabReport[]
  readonly fetchedBytes: number
}

/** Returns the key of the receipt of a slab, beside the slab, whose own key ends with its checksum. */
export function receiptKey(slabKey: string): string {
  return slabKey.replace(/(?:-[0-9a-f]{8})?\.slab$/, '.json')
}

export interface SamplePorts {
  readonly upstream: Upstream
  /** Store of slabs and receipts until the run is built; all workers share it. */
  readonly slabs: Pick<Objects, 'get' | 'put' | 'size'>
  readonly pool: Pool
  /** Stores rejected messages; absent for manual runs, which print the receipt instead. */
  readonly quarantine?: (entry: Quarantined) => Promise<void>
  /** The H3 resolution. */
  readonly resolution: number
  /** Version of the encoder in the keys of slabs and tiles: `ENCODER_VERSION`, unless a test sets another one. */
  readonly encoder?: number
  /** Clock that decides when an undelivered file is requested again; by default the machine's clock. */
  readonly clock?: () => Instant
  /** Time that a file may take with all retries, ms; set by tests. */
  readonly fileMs?: number
  /** Folder of the cached mappings grid → cells. */
  readonly cacheDir: string
}

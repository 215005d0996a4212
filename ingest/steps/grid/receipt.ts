import type { DomainId } from '../../domain/domain.ts'
import type { Lost, Quarantined } from '../../domain/quarantine.ts'
import type { Instant } from '../../domain/time.ts'
import type { Objects } from '../../ports/objects.ts'
import type { Upstream } from '../../ports/upstream.ts'
import type { Pool } from '../pool-tasks.ts'
import type { SlabReport } from './sample-request.ts'
/** Result of sampling one file in one domain: plain data, stored beside the slabs. */
export interface Receipt {
  readonly dataset: string
  readonly domain: DomainId
  readonly run: Instant
  readonly leadHours: number
  readonly url: string
  readonly etag?: string
  readonly slabKey: string
  /** Number of cells of its fields; absent where there is no slab. */
  readonly cells?: number
  /** Messages that upstream's index lists for our wants, and those that became slabs. */
  readonly wanted: number
  readonly got: number
  /** In the file, and not usable. */
  readonly missing: readonly Lost[]
  /** Wanted, and not offered by this file. */
  readonly absent: readonly string[]
  readonly slabs: readonly SlabReport[]
  readonly fetchedBytes: number
}

export interface SamplePorts {
  readonly upstream: Upstream
  /** Store of slabs and receipts until the run is built: shared by all its workers. */
  readonly slabs: Pick<Objects, 'get' | 'put' | 'size'>
  readonly pool: Pool
  /** Records what is not published; absent: by hand, where the receipt is shown. */
  readonly quarantine?: (entry: Quarantined) => Promise<void>
  /** H3 resolution. */
  readonly resolution: number
  /** The time by which a file that was not delivered is asked for again; absent: the machine's. */
  readonly clock?: () => Instant
  /** For tests: time that a file may take with all retries, ms. */
  readonly fileMs?: number
  /** Folder of the cached mappings grid → cells. */
  readonly cacheDir: string
}

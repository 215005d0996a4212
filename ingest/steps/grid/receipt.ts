import type { DomainId } from '../../domain/domain.ts'
import type { Instant } from '../../domain/time.ts'
import type { Objects } from '../../ports/objects.ts'
import type { Upstream } from '../../ports/upstream.ts'
import type { Pool } from '../pool-tasks.ts'
import type { SlabReport } from './sample-request.ts'
/** What became of one file in one domain: plain data, kept beside the slabs. */
export interface Receipt {
  readonly dataset: string
  readonly domain: DomainId
  readonly run: Instant
  readonly leadHours: number
  readonly url: string
  readonly etag?: string
  readonly slabKey: string
  /** How many cells its fields lie on; absent where there is no slab. */
  readonly cells?: number
  /** Messages that upstream's index promised for our wants, and those that became slabs. */
  readonly wanted: number
  readonly got: number
  /** Promised and lost. */
  readonly missing: readonly { variable: string; reason: string }[]
  /** Wanted, and not offered by this file. */
  readonly absent: readonly string[]
  readonly slabs: readonly SlabReport[]
  readonly fetchedBytes: number
}

export interface SamplePorts {
  readonly upstream: Upstream
  /** Where slabs and receipts are kept until the run is woven: shared by all who work on it. */
  readonly slabs: Pick<Objects, 'get' | 'put' | 'size'>
  readonly pool: Pool
  /** H3 resolution. */
  readonly resolution: number
  /** Folder of the mappings grid → cells. */
  readonly cacheDir: string
}

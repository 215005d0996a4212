import { join } from 'node:path'
import { gridDatasets } from '../../../ingest/catalog.ts'
import { mrmsProducts } from '../../../ingest/datasets/mrms-products.ts'
import { AMOUNTS } from '../../../ingest/domain/dataset/history.ts'
import { isFault } from '../../../ingest/domain/fault.ts'
import { HOUR, type Instant } from '../../../ingest/domain/time.ts'
import type { Database } from '../../../ingest/ports/database.ts'
import type { Objects } from '../../../ingest/ports/objects.ts'
import type { Upstream } from '../../../ingest/ports/upstream.ts'
import { sweepMrms } from '../../../ingest/steps/frames/mrms.ts'
import { takeRun } from '../../../ingest/steps/grid/take-run.ts'
import { openPool } from '../../../ingest/steps/pool.ts'

/** Number of hours of analyses: the local day of a place begins at most this long ago. */
const HOURS = 5

/** Ingests the analyses and accumulations of the last hours over the contiguous states, like the workers. */
export async function takeAnalyses(
  stores: {
    readonly database: Database
    readonly objects: Objects
    readonly upstream: Upstream
    readonly folder: string
    readonly resolution: number
  },
  now: Instant,
): Promise<void> {
  const pool = openPool({ threads: 2 })
  const ports = { ...stores, slabs: stores.objects, pool, cacheDir: join(stores.folder, 'grids') }
  try {
    for (let hour = Math.floor(now / HOUR) * HOUR - HOURS * HOUR; hour <= now; hour += HOUR) {
      for (const id of AMOUNTS) {
        const dataset = mrmsProducts.find((candidate) => candidate.id === id)!
        const domains = dataset.domains.filter((domain) => domain.id === 'conus')
        await sweepMrms(ports, { ...dataset, domains }, Math.min(now, hour + 0.8 * HOUR))
      }
      for (const id of ['rtma', 'urma']) {
        const full = gridDatasets.find((candidate) => candidate.id === id)!
        const dataset = { ...full, domains: full.domains.filter((domain) => domain.id === 'conus') }
        await takeRun(ports, dataset, { domains: ['conus'], run: hour }, () => now).catch((error: unknown) => {
          if (!isFault(error, 'NotYet')) throw error
        })
      }
    }
  } finally {
    await pool.close()
  }
}

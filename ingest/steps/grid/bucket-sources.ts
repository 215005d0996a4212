import { useSecondSource } from '../../../sql/queries/second-sources.ts'
import type { GridDataset } from '../../domain/dataset/dataset.ts'
import { nth } from '../../domain/nth.ts'
import type { Database } from '../../ports/database.ts'
import type { Upstream } from '../../ports/upstream.ts'

/** Time in seconds after which a record expires unless a worker renews it. */
const RECORD_SECONDS = 120

/** Records which datasets this worker reads from an address other than the first of their bucket. */
export async function recordBuckets(
  { database, upstream }: { readonly database: Database; readonly upstream: Upstream },
  datasets: readonly GridDataset[],
): Promise<void> {
  for (const { bucket, address, reason } of upstream.buckets.inUse()) {
    const { host: source } = new URL(address)
    for (const dataset of datasets) {
      if (dataset.listing(0, nth(dataset.domains, 0).id).bucket !== bucket) continue
      await useSecondSource(database, { dataset: dataset.id, source, reason }, RECORD_SECONDS)
    }
  }
}

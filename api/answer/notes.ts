import type { Dataset } from '../../ingest/domain/dataset/dataset.ts'
import type { Instant } from '../../ingest/domain/time.ts'
import type { MetaWarning, SourceFreshness } from '../contract.ts'
import { catalogRank, sortByRank } from './catalog-order.ts'

/** Warnings, freshness and other notes about the sources of an answer, collected while the sources are read. */
export class Notes {
  readonly warnings: MetaWarning[] = []
  readonly freshness: SourceFreshness[] = []
  /** Datasets whose values were used. */
  readonly used: string[] = []
  degraded = false
  /** Whether a stored run could not be read, as opposed to no run being stored. */
  unread = false
  /** The earliest expiry of the data that the answer depends on, apart from its sections. */
  until: Instant = Infinity

  /** Adds the warning of a failed read, unless it was added before. The answer must not be cached. */
  addFailure(warning: MetaWarning): void {
    this.degraded = true
    if (!this.warnings.includes(warning)) this.warnings.push(warning)
  }

  /** Sorts the notes into the order of the catalog, because the order of the reads varies between requests. */
  settle(datasets: ReadonlyMap<string, Dataset>): void {
    // The tile of passed hours is also of a product: of two entries the newer run counts, then the one that was first served.
    this.freshness.sort(
      (a, b) => (b.referenceTime ?? 0) - (a.referenceTime ?? 0) || (a.availableAt ?? 0) - (b.availableAt ?? 0),
    )
    sortByRank(this.freshness, ({ product_id }) => catalogRank(datasets, product_id))
    sortByRank(this.used, (id) => catalogRank(datasets, id))
    sortByRank(this.warnings, ({ product_id, section }) => catalogRank(datasets, product_id ?? section))
  }
}

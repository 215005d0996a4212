import type { Dataset } from '../../ingest/domain/dataset/dataset.ts'
import type { Instant } from '../../ingest/domain/time.ts'
import type { MetaWarning, SourceFreshness } from '../contract.ts'
import { catalogRank, order } from './catalog-order.ts'

/** What an answer reports about its sources, noted while they are read. */
export class Notes {
  readonly warnings: MetaWarning[] = []
  readonly freshness: SourceFreshness[] = []
  /** Datasets whose values were used. */
  readonly used: string[] = []
  degraded = false
  /** Whether a stored run could not be read, as opposed to no run being stored. */
  unread = false
  /** The earliest expiry of what the answer depends on, sections not counted. */
  until: Instant = Infinity

  /** Sorts into the order of the catalog: the order of the reads varies between requests. */
  settle(datasets: ReadonlyMap<string, Dataset>): void {
    order(this.freshness, ({ product_id }) => catalogRank(datasets, product_id))
    order(this.used, (id) => catalogRank(datasets, id))
    order(this.warnings, ({ product_id, section }) => catalogRank(datasets, product_id ?? section))
  }
}

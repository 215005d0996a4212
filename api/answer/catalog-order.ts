import type { Dataset } from '../../ingest/domain/dataset/dataset.ts'

/** Sorts a list in place by rank with a stable insertion sort, because lists are short and mostly sorted. */
export function sortByRank<T>(list: T[], rankOf: (item: T) => number): void {
  list.sort((a, b) => rankOf(a) - rankOf(b))
}

const catalogRanks = new WeakMap<ReadonlyMap<string, Dataset>, ReadonlyMap<string, number>>()

/** Rank of a dataset in the catalog; alerts and then outlooks follow the datasets. */
export function catalogRank(datasets: ReadonlyMap<string, Dataset>, name: string): number {
  let order = catalogRanks.get(datasets)
  if (!order) {
    order = new Map([...datasets.keys(), 'alerts', 'outlooks'].map((id, index) => [id, index]))
    catalogRanks.set(datasets, order)
  }
  return order.get(name) ?? order.size
}

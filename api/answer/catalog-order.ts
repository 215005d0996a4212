import type { Dataset } from '../../ingest/domain/dataset/dataset.ts'

/** Stable insertion sort: lists are short and mostly sorted. */
export function order<T>(list: T[], rankOf: (one: T) => number): void {
  for (let i = 1; i < list.length; i++) {
    const one = list[i]!
    const own = rankOf(one)
    let to = i
    for (; to > 0 && rankOf(list[to - 1]!) > own; to--) list[to] = list[to - 1]!
    list[to] = one
  }
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

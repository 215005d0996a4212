import type { ServedRun } from '../../api/contract.ts'
import type { Current } from '../../api/live/served-runs.ts'
import type { DomainId } from '../../ingest/domain/domain.ts'
import { parseRun } from '../../ingest/domain/time.ts'
import type { Objects } from '../../ingest/ports/objects.ts'
import { openRun } from '../../ingest/tile/read.ts'

/** Returns the served runs from the object store alone: the last stage of the newest run of each dataset and domain. */
export async function tileCurrent(objects: Objects): Promise<Current> {
  const newest = new Map<string, ServedRun>()
  for await (const { key } of objects.list('tiles/v1/')) {
    const parts = /^tiles\/v1\/([^/]+)\/([^/]+)\/([^/]+)\/([^/]+)\/manifest$/.exec(key)
    if (!parts) continue
    const [, dataset, domain, name] = parts
    const opened = await openRun(objects, key)
    const best = newest.get(`${dataset}/${domain}`)
    const run = parseRun(name!)
    const reach = Math.max(...[...opened.variables.values()].map(({ times }) => times.at(-1) ?? 0))
    if (best && (best.run > run || (best.run === run && reachOf(best) >= reach))) continue
    newest.set(`${dataset}/${domain}`, {
      dataset: dataset!,
      domain: domain as DomainId,
      run,
      manifestKey: key,
      publishedAt: run,
      opened,
      open: async () => opened,
    })
  }
  return {
    served: (dataset, domain) => newest.get(`${dataset}/${domain}`),
    earlier: () => [],
    all: () => newest.values(),
    generation: () => 1,
    mark: 0,
    changedSince: () => false,
    invalidate: () => {},
    invalidateAll: () => {},
    globalGeneration: 0,
    simulated: () => true,
    confirmedAt: () => Number.MAX_SAFE_INTEGER,
    close: async () => {},
  }
}

function reachOf({ opened }: ServedRun): number {
  return Math.max(...[...opened!.variables.values()].map(({ times }) => times.at(-1) ?? 0))
}

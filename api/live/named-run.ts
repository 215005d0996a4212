import type { DomainId } from '../../ingest/domain/domain.ts'
import { Fault } from '../../ingest/domain/fault.ts'
import { type Instant, isoSeconds } from '../../ingest/domain/time.ts'
import type { Database } from '../../ingest/ports/database.ts'
import type { TileObjects } from '../../ingest/tile/read.ts'
import { storedRuns } from '../../sql/queries/runs.ts'
import type { ServedRun } from '../contract.ts'
import { type Current, lazyRun } from './served-runs.ts'

/** Number of stored runs that the message lists. */
const MAX_LISTED = 24

/**
 * Returns the served runs, except that one dataset has the run with a given reference time instead of the newest, in
 * every domain that has it.
 * @throws Fault Missing with a list of the stored runs if no stored run has that reference time
 */
export async function namedRun(
  deps: { readonly database: Database; readonly objects: TileObjects; readonly current: Current },
  dataset: string,
  run: Instant,
): Promise<Current> {
  const { database, objects, current } = deps
  const rows = (await storedRuns(database, dataset)).filter(
    ({ state, manifest_key }) => state === 'published' && manifest_key,
  )
  const named = new Map<string, ServedRun>()
  for (const row of rows) {
    if (row.run.getTime() !== run || !row.manifest_key) continue
    const { manifest_key: manifestKey } = row
    const domain = row.domain as DomainId
    const newest = current.served(dataset, domain)
    const publishedAt = row.published_at?.getTime() ?? run
    named.set(
      domain,
      newest?.manifestKey === manifestKey
        ? newest
        : lazyRun(objects, { dataset, domain, run, manifestKey, publishedAt }),
    )
  }
  if (named.size === 0) {
    const times = [...new Set(rows.map((row) => row.run.getTime()))].sort((a, b) => b - a)
    const list = times.slice(0, MAX_LISTED).map(isoSeconds).join(', ')
    const more = times.length > MAX_LISTED ? ` and ${times.length - MAX_LISTED} older` : ''
    throw new Fault(
      'Missing',
      `run: ${dataset} has no stored run of ${isoSeconds(run)}; stored: ${list ? list + more : 'none'}.`,
      { field: 'run' },
    )
  }
  const otherDatasets = () => [...current.all()].filter((served) => served.dataset !== dataset)
  return Object.create(current, {
    served: {
      value: (id: string, domain: DomainId) => (id === dataset ? named.get(domain) : current.served(id, domain)),
    },
    all: { value: () => [...otherDatasets(), ...named.values()] },
  }) as Current
}

import type { DomainId } from '../../ingest/domain/domain.ts'
import { Fault } from '../../ingest/domain/fault.ts'
import { type Instant, isoSeconds } from '../../ingest/domain/time.ts'
import type { Database } from '../../ingest/ports/database.ts'
import { openRun, type TileObjects } from '../../ingest/tile/read.ts'
import { storedRuns } from '../../sql/queries/runs.ts'
import type { ServedRun } from '../contract.ts'
import type { Current } from './served-runs.ts'

/** Runs in a message. */
const MAX_LISTED = 24

/**
 * The served runs with one named run of a dataset in the place of its newest, in every domain that has it.
 * @throws Fault Missing with the stored runs where none is of that time
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
    if (row.run.getTime() !== run) continue
    const domain = row.domain as DomainId
    const known = current.served(dataset, domain)
    const manifestKey = row.manifest_key!
    named.set(
      domain,
      known?.manifestKey === manifestKey
        ? known
        : {
            dataset,
            domain,
            run,
            manifestKey,
            publishedAt: row.published_at?.getTime() ?? run,
            opened: undefined,
            open: () => openRun(objects, manifestKey),
          },
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
  const others = () => [...current.all()].filter((one) => one.dataset !== dataset)
  return Object.create(current, {
    served: {
      value: (id: string, domain: DomainId) => (id === dataset ? named.get(domain) : current.served(id, domain)),
    },
    all: { value: () => [...others(), ...named.values()] },
  }) as Current
}

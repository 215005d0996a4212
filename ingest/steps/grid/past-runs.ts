import { pointerOf, runStatesSince } from '../../../sql/queries/runs.ts'
import type { GridDataset } from '../../domain/dataset/dataset.ts'
import { nth } from '../../domain/nth.ts'
import { HOUR, type Instant, MINUTE, SECOND } from '../../domain/time.ts'
import type { Database } from '../../ports/database.ts'
import { domainGroups, type RunOf } from './grid-run.ts'

/** Number of past runs of a dataset that are processed concurrently; one of three places stays free for a newer run. */
const MAX_OPEN = 2
/** Time after which an offered run that has not ended no longer occupies its place. */
const MAX_OPEN_MS = 20 * MINUTE
/** Number of runs that a process remembers; two days in three domains have 141 runs. */
const MAX_REMEMBERED = 500

/**
 * Returns the runs before the served run that are not stored, at most two at a time, newest first. A run that was
 * rejected or that upstream does not have is offered once in the life of a process; the next start tries it again.
 */
export function createPastRuns(database: Database): (dataset: GridDataset, now: Instant) => Promise<readonly RunOf[]> {
  const offeredAt = new Map<string, Instant>()
  return async (dataset, now) => {
    if (dataset.pastHours === undefined) return []
    const oldest = now - dataset.keepSeconds * SECOND
    const rows = await runStatesSince(database, dataset.id, new Date(oldest))
    const states = new Map(rows.map(({ domain, run, state }) => [`${domain}/${run.getTime()}`, state]))
    const served = await Promise.all(
      domainGroups(dataset).map(async (domains) => ({
        domains,
        newest: (await pointerOf(database, dataset.id, nth(domains, 0)))?.run.getTime(),
      })),
    )
    const open: RunOf[] = []
    for (let back = 1; back <= dataset.pastHours; back++) {
      for (const { domains, newest } of served) {
        if (newest === undefined) continue
        const run = newest - back * HOUR
        if (run <= oldest || dataset.leads(run, nth(domains, 0)).length === 0) continue
        const name = `${dataset.id}/${domains[0]}/${run}`
        const state = states.get(`${domains[0]}/${run}`)
        if (state === 'published' || state === 'retired') continue
        const since = offeredAt.get(name)
        if (since !== undefined && (state === 'rejected' || state === 'gone' || now - since > MAX_OPEN_MS)) continue
        offeredAt.set(name, since ?? now)
        if (offeredAt.size > MAX_REMEMBERED) offeredAt.delete(offeredAt.keys().next().value!)
        open.push({ domains, run })
        if (open.length === MAX_OPEN) return open
      }
    }
    return open
  }
}

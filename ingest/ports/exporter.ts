import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'

/** Time for which a process exports the figures of a group after its last scrape, s: two scrapes a minute may be missed. */
const LEASE_SECONDS = 90
/** The metrics of a scrape share one answer. */
const SAME_SCRAPE_MS = 1000

/**
 * Returns whether this process exports a group of figures that the database counts for all processes. Only one of the
 * scraped processes does, so that a sum over instances counts each figure once.
 */
export type Exporter = (group: string) => Promise<boolean>

/**
 * @param hold takes or renews a lease in the database. If the database does not answer, a process that exported a group
 * continues to do so, and no other begins.
 */
export function openExporter(
  hold: (name: string, holder: string, seconds: number) => Promise<boolean>,
  clock: () => number = () => performance.now(),
): Exporter {
  const holder = `${hostname()}/${process.pid}/${randomUUID()}`
  const groups = new Map<string, { at: number; result: Promise<boolean>; last: boolean }>()
  return (group) => {
    const known = groups.get(group)
    if (known && clock() - known.at < SAME_SCRAPE_MS) return known.result
    const last = known?.last ?? false
    const lease = { at: clock(), last, result: hold(group, holder, LEASE_SECONDS).catch(() => last) }
    groups.set(group, lease)
    void lease.result.then((holds) => {
      lease.last = holds
    })
    return lease.result
  }
}

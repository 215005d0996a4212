import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { SCRAPE_TIMEOUT_MS } from './scrape.ts'
import { within } from './time-limit.ts'

/** Time for which a process exports the figures of a group after its last scrape, s. Two scrapes a minute apart may fail. */
const LEASE_SECONDS = 90
/** Time within which the metrics of one scrape share one answer of the database, ms. */
const SAME_SCRAPE_MS = 1000

/**
 * Returns whether this process exports a group of figures that the database counts for all processes. Only one of the
 * scraped processes does, so that a sum over instances counts each figure once.
 */
export type Exporter = (group: string) => Promise<boolean>

/** The leases that processes take in the database. */
export interface Leases {
  /**
   * Takes or renews a lease.
   * @returns whether `holder` now has the lease
   */
  hold(name: string, holder: string, seconds: number): Promise<boolean>
  release(holder: string): Promise<void>
}

export interface OpenExporter {
  readonly exports: Exporter
  /** Releases the leases, so that another process exports the figures at its next scrape. */
  close(): Promise<void>
}

/**
 * Opens the exporter of a process, which takes a lease for each group in the database. If the database does not answer in time, a process
 * that exported a group continues to do so, and no other process begins. After any other error, such as a missing privilege, every process
 * exports the group, because duplicate figures are better than none.
 */
export function openExporter(leases: Leases, clock: () => number = () => performance.now()): OpenExporter {
  const holder = `${hostname()}/${process.pid}/${randomUUID()}`
  const groups = new Map<string, { at: number; result: Promise<boolean>; last: boolean }>()
  const ask = async (group: string, last: boolean): Promise<boolean> => {
    let isLate = false
    const late = () => {
      isLate = true
      return new Error('the database did not answer the scrape in time')
    }
    try {
      return await within(SCRAPE_TIMEOUT_MS, leases.hold(group, holder, LEASE_SECONDS), late)
    } catch {
      return isLate ? last : true
    }
  }
  return {
    exports(group) {
      const known = groups.get(group)
      if (known && clock() - known.at < SAME_SCRAPE_MS) return known.result
      const last = known?.last ?? false
      const entry = { at: clock(), last, result: ask(group, last) }
      groups.set(group, entry)
      void entry.result.then((holds) => {
        entry.last = holds
      })
      return entry.result
    },
    async close() {
      if (groups.size === 0) return
      // If the database does not answer, the leases expire by themselves.
      await within(SCRAPE_TIMEOUT_MS, leases.release(holder), () => new Error('no answer')).catch(() => undefined)
    },
  }
}

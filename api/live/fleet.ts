import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { SECOND } from '../../ingest/domain/time.ts'
import type { Database } from '../../ingest/ports/database.ts'
import { within } from '../../ingest/ports/time-limit.ts'
import { joinFleet, releaseLeases } from '../../sql/queries/leases.ts'

/** Work that one API process does for all of them. */
const roles = ['webhooks', 'served states'] as const
export type FleetRole = (typeof roles)[number]

/** The API processes that serve one database, as this process sees them. */
export interface Fleet {
  /** Number of API processes, this one included; while the database is away, the number before. */
  processes(): number
  /** Returns false if the database did not answer the last time. */
  isReachable(): boolean
  /** Returns true while this process has a role. */
  holds(role: FleetRole): boolean
  /** Gives back the roles, so that another process takes them at its next renewal. */
  close(): Promise<void>
}

/** The fleet of a process that is alone at its database: it has every role, and asks nothing. */
export const aloneFleet: Fleet = {
  processes: () => 1,
  isReachable: () => true,
  holds: () => true,
  close: async () => undefined,
}

const RENEW_MS = 2 * SECOND
/** A process that has died loses its roles after this time; another one takes them at its next renewal. */
export const LEASE_MS = 6 * SECOND
/** A process stops working for a role this long before its lease ends. */
const MARGIN_MS = SECOND
const DATABASE_TIMEOUT_MS = SECOND
const unavailable = () => new Error(`the database did not answer within ${DATABASE_TIMEOUT_MS} ms`)

/** Joins the processes of a database. A single statement every two seconds renews all leases of the process. */
export async function openFleet(
  database: Pick<Database, 'query' | 'kysely'>,
  onFailure: (error: unknown) => void,
): Promise<Fleet> {
  const holder = `${hostname()}/${process.pid}/${randomUUID()}`
  let processes = 1
  let reachable = true
  let held = new Set<string>()
  let heldUntil = 0
  let isClosed = false
  let joining: Promise<void> = Promise.resolve()
  const join = async () => {
    const began = performance.now()
    try {
      const row = await within(DATABASE_TIMEOUT_MS, joinFleet(database, holder, roles, LEASE_MS / SECOND), unavailable)
      processes = row.processes
      held = new Set(row.roles)
      heldUntil = began + LEASE_MS - MARGIN_MS
      reachable = true
    } catch (error) {
      reachable = false
      if (!isClosed) onFailure(error)
    }
  }
  await join()
  const timer = setInterval(() => {
    joining = joining.then(() => (isClosed ? undefined : join()))
  }, RENEW_MS)
  timer.unref()
  return {
    processes: () => processes,
    isReachable: () => reachable,
    holds: (role) => held.has(role) && performance.now() < heldUntil,
    async close() {
      isClosed = true
      clearInterval(timer)
      await joining
      held.clear()
      // If the database does not answer, the leases expire by themselves.
      await within(DATABASE_TIMEOUT_MS, releaseLeases(database, holder), unavailable).catch(() => undefined)
    },
  }
}

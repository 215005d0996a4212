import type { Instant } from '../../ingest/domain/time.ts'
import type { Database } from '../../ingest/ports/database.ts'
import type { Caller } from '../route.ts'
import { ticketOf } from './issue.ts'
import { AddressMeter } from './meter.ts'
import { plans } from './plan.ts'
import { KeyRing } from './ring.ts'
import { SharedMeter } from './shared-meter.ts'

export interface CallerDeps {
  readonly database: Database
  readonly clock: () => Instant
  /** The processes that share the limits of plans. */
  readonly fleet: { processes(): number; isReachable(): boolean }
  readonly trialCalls: number
  readonly report: (what: string) => (error: unknown) => void
}

/** Opens the keys, plans and call counters of all callers. */
export async function openCallers(
  members: AsyncDisposableStack,
  { database, clock, fleet, trialCalls, report }: CallerDeps,
) {
  const byName = plans(trialCalls)
  const meter = new SharedMeter({
    ...{ database, clock, processes: fleet.processes, isReachable: fleet.isReachable },
    onFailure: report('calls could not be counted in the database; this process grants its share of the plans'),
  })
  members.defer(() => meter.close())
  const ring = new KeyRing(database, {
    onFailure: report('changes of API keys could not be read; retrying'),
    onRead: (callers) => {
      const planOf = new Map(callers.map(({ subject, plan }) => [subject, byName[plan]]))
      return meter.read(planOf)
    },
  })
  members.defer(() => ring.stop())
  await ring.start()
  return {
    ring,
    meter,
    addresses: new AddressMeter(),
    plans: byName,
    claim: (caller: Caller, base: string) => `${base}/auth/claim#${ticketOf(caller.prefix, ring.hashOf(caller))}`,
  }
}

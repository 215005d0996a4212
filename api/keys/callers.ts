import type { Instant } from '../../ingest/domain/time.ts'
import type { Database } from '../../ingest/ports/database.ts'
import type { Caller } from '../route.ts'
import { ticketOf } from './issue.ts'
import { AddressMeter, type Meter, OwnMeter, SharedMeter } from './meter.ts'
import { plans } from './plan.ts'
import { KeyRing } from './ring.ts'

export interface CallerDeps {
  readonly database: Database
  readonly clock: () => Instant
  /** Whether no other process serves this database, so that calls are counted in memory. */
  readonly alone: boolean
  readonly trialCalls: number
  readonly report: (what: string) => (error: unknown) => void
}

/** Opens the keys, plans and call counters of all callers. */
export async function openCallers(
  members: AsyncDisposableStack,
  { database, clock, alone, trialCalls, report }: CallerDeps,
) {
  const ring = new KeyRing(database, report('changes of API keys could not be read; retrying'))
  members.defer(() => ring.stop())
  await ring.start()
  const meter: Meter = alone
    ? new OwnMeter(database, report('call counts could not be saved; retrying'))
    : new SharedMeter(database, report('calls could not be counted in the database; this process counts alone'), clock)
  members.defer(() => meter.close())
  return {
    ring,
    meter,
    addresses: new AddressMeter(),
    plans: plans(trialCalls),
    claim: (caller: Caller, base: string) => `${base}/auth/claim#${ticketOf(caller.prefix, ring.hashOf(caller))}`,
  }
}

import type { Instant } from '../../ingest/domain/time.ts'
import type { Database } from '../../ingest/ports/database.ts'
import type { Events } from '../../ingest/ports/events.ts'
import { MOTION } from '../../ingest/tile/motion-file.ts'
import type { ValueDeps } from '../answer/values.ts'
import type { AuthDeps } from '../http/authenticate.ts'
import type { Fleet } from '../live/fleet.ts'
import type { Live } from '../live/index.ts'
import { fanOut } from '../webhooks/fan-out.ts'
import { type OnsetDeps, onsetWatch } from '../webhooks/onset-watch.ts'
import type { Receivers } from '../webhooks/request.ts'
import { startWebhookSender, type WebhookSender } from '../webhooks/sender.ts'
import { type EventStreams, eventStreams } from './events.ts'

export interface ChangeDeps {
  readonly database: Database
  readonly events: Events
  readonly clock: () => Instant
  readonly auth: Pick<AuthDeps, 'ring' | 'plans'>
  readonly fleet: Fleet
  readonly live: Live
  readonly values: ValueDeps
  readonly receivers: Receivers
  readonly version: string
  /** Returns the base URL of this process. */
  readonly base: () => string
  readonly report: (what: string) => (error: unknown) => void
}

/** Opens the delivery of changes to callers: event streams and webhook calls. */
export async function openChanges(
  members: AsyncDisposableStack,
  { database, events, clock, auth, fleet, live, values, receivers, version, base, report }: ChangeDeps,
): Promise<{ readonly streams: EventStreams; readonly sender: WebhookSender }> {
  const simulated = () => values.current.simulated()
  const onsets: OnsetDeps = {
    nowcast: live.suppliers.nowcast,
    anchorOf: (domain) => live.radar.newestTime(MOTION, domain),
    clock,
    resolution: values.resolution,
    simulated,
  }
  const streams = await eventStreams({
    database,
    events,
    onError: report('changes for event streams could not be read; retrying'),
    isActive: (caller) => auth.ring.isActive(caller, clock()),
    plans: auth.plans,
    onsets,
  })
  members.defer(() => streams.close())
  const lookForOnsets = onsetWatch({ ...onsets, database })
  const sender = startWebhookSender({
    database,
    receivers,
    version,
    isDispatcher: () => fleet.holds('webhooks'),
    fanOut: async () => {
      await lookForOnsets()
      return fanOut({ database, simulated, base })
    },
    report: report('webhook calls could not be sent; retrying'),
  })
  members.defer(() => sender.close())
  return { streams, sender }
}

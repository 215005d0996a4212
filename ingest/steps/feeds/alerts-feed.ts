import { removeOldChanges } from '../../../sql/queries/alerts.ts'
import { nwsAlerts } from '../../datasets/alerts.ts'
import { expireAlerts, sweepAlerts } from './alerts.ts'
import type { Feed } from './feed.ts'
import { hasZonesToCheck } from './zones.ts'

/** How long a reader of `/v1/events` may resume from its last event. */
const CHANGES_KEPT_HOURS = 168

/** NWS alerts. A new alert may name zones whose geometry is not loaded; the zones feed is then swept next. */
export const alertsFeed: Feed = {
  id: nwsAlerts.id,
  stateKey: nwsAlerts.stateKey,
  pollSeconds: nwsAlerts.pollSeconds,
  required: true,
  async sweep(deps) {
    const swept = await sweepAlerts(deps)
    const rejected = swept.rejected ? `, ${swept.rejected} rejected` : ''
    return {
      notes: [
        swept.why ?? `${swept.changes.length} changes${rejected}`,
        ...(swept.rejectedFeatures ?? []).map(
          ({ id, reason, detail }) => `rejected ${id ?? 'a feature without id'}: ${reason}: ${detail}`,
        ),
      ],
      nextExpiration: swept.nextExpiration,
      sweepNext: (await hasZonesToCheck(deps.database)) ? ['zones'] : [],
    }
  },
  expire: (deps) => expireAlerts(deps),
  retire: ({ database }) => removeOldChanges(database, CHANGES_KEPT_HOURS),
}

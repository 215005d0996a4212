import { watchCurrent } from '../../api/live/served-runs.ts'
import { openUpstream } from '../../ingest/ports/upstream.ts'
import { sweepAlerts } from '../../ingest/steps/feeds/alerts.ts'
import { startRelay } from '../../ingest/steps/relay-outbox.ts'
import { analyticCurrent } from '../api/analytic-runs.ts'
import { edgeServer } from '../api/http/test-server.ts'
import { withModels } from '../api/sky-server.ts'
import { startMirror } from '../walks/mirror.ts'
import { alertFeature } from './alert-feature.ts'

const FEED = 'api.weather.gov/alerts/active'

/** Starts a server with an alert feed that a test fills; the real steps store and publish its changes. */
export async function alertServer(settings: Record<string, string> = {}) {
  let watched: Awaited<ReturnType<typeof watchCurrent>> | undefined
  const edge = await edgeServer(settings, undefined, async (deps) => {
    watched = await watchCurrent({ ...deps, clock: Date.now })
    return withModels(watched, analyticCurrent(Date.now()))
  })
  const mirror = await startMirror()
  const upstream = openUpstream({ mirror: mirror.url })
  const relay = startRelay({ database: edge.database, events: edge.events }, () => undefined)
  const alerts: object[] = []
  let sweeping = Promise.resolve()
  const sweep = () => {
    mirror.set(FEED, JSON.stringify({ type: 'FeatureCollection', features: alerts }))
    sweeping = sweeping.then(async () => {
      await sweepAlerts({ database: edge.database, upstream, notify: relay.nudge }, Date.now())
    })
    return sweeping
  }
  await sweep()
  return {
    edge,
    /** Issues an alert for the county of Denver. */
    issue: (id: string, event: string, severity: string) => {
      alerts.push(alertFeature(id, event, severity))
      return sweep()
    },
    clear: () => {
      alerts.length = 0
      return sweep()
    },
    async close() {
      await sweeping
      await relay.stop()
      await upstream.close()
      await mirror.close()
      await edge.close()
      await watched?.close()
    },
  }
}

import { alertFeed } from '../../infra/simulator/feeds/alerts.ts'
import { startMirror } from '../../infra/simulator/mirror.ts'
import { openUpstream } from '../../ingest/ports/upstream.ts'
import { loadPublicZones } from '../../ingest/steps/feeds/public-zones.ts'
import type { SkyServer } from '../api/sky-server.ts'

/** Loads the forecast zones, which the NWS's clients need and the server reads in the background. */
export async function readZones({ database, objects }: SkyServer): Promise<void> {
  const mirror = await startMirror({ sources: [alertFeed()], now: Date.now })
  const upstream = openUpstream({ mirror: mirror.url })
  await loadPublicZones({ database, upstream, objects, clock: Date.now })
  await upstream.close()
  await mirror.close()
}

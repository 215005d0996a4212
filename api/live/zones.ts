import { isFault } from '../../ingest/domain/fault.ts'
import { usePublicZones } from '../../ingest/geo/zone.ts'
import { PUBLIC_ZONES, publicZonesKey } from '../../ingest/tile/public-zones-file.ts'
import { feedStates } from '../../sql/queries/feeds.ts'
import { isSimulated } from '../../sql/queries/origin.ts'
import { coalesced } from './coalesced.ts'
import type { LiveDeps, LiveSource } from './source.ts'

const POLL_INTERVAL_MS = 5_000

/** Loads the public forecast zones that a worker has stored, state by state. They change a few times a year. */
export async function openZones({ database, objects, current, report }: LiveDeps): Promise<LiveSource> {
  const editions = new Map<string, string>()
  const read = coalesced(async () => {
    const { feeds } = await feedStates(database, PUBLIC_ZONES)
    const simulated = (await isSimulated(database)) === true
    let changed = false
    for (const { feed, version } of feeds) {
      const state = feed.slice(PUBLIC_ZONES.length)
      const edition = `${simulated} ${version}`
      if (Number(version) === 0 || editions.get(state) === edition) continue
      try {
        usePublicZones(state, await objects.get(publicZonesKey(simulated, state)))
        changed = true
      } catch (error) {
        // A missing object is ignored here, because the worker stores it again.
        if (!isFault(error, 'Missing')) throw error
      }
      editions.set(state, edition)
    }
    // Cached answers are invalidated, because the texts for a point depend on its zone.
    if (changed) current.invalidateAll()
  })
  const readQuietly = () => read().catch(report('the public zones could not be read'))
  await readQuietly()
  const timer = setInterval(readQuietly, POLL_INTERVAL_MS)
  timer.unref()
  return {
    suppliers: {},
    read,
    async close() {
      clearInterval(timer)
    },
  }
}

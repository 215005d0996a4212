import { isFault } from '../../ingest/domain/fault.ts'
import { usePublicZones } from '../../ingest/geo/zone.ts'
import { PUBLIC_ZONES, publicZonesKey } from '../../ingest/tile/public-zones-file.ts'
import { feedStates } from '../../sql/queries/feeds.ts'
import { isSimulated } from '../../sql/queries/origin.ts'
import { coalesced } from './coalesced.ts'
import type { LiveDeps, LiveSource } from './source.ts'

const READ_MS = 5_000

/** The public forecast zones that a worker stored, taken into use state by state. They change some times a year. */
export async function openZones({ database, objects, current, report }: LiveDeps): Promise<LiveSource> {
  const seen = new Map<string, string>()
  const read = coalesced(async () => {
    const { feeds } = await feedStates(database, PUBLIC_ZONES)
    const simulated = (await isSimulated(database)) === true
    let changed = false
    for (const { feed, version } of feeds) {
      const state = feed.slice(PUBLIC_ZONES.length)
      const edition = `${simulated} ${version}`
      if (Number(version) === 0 || seen.get(state) === edition) continue
      try {
        usePublicZones(state, await objects.get(publicZonesKey(simulated, state)))
        changed = true
      } catch (error) {
        // The worker stores an object that is absent again.
        if (!isFault(error, 'Missing')) throw error
      }
      seen.set(state, edition)
    }
    // Texts are chosen by the zone of the point.
    if (changed) current.invalidateAll()
  })
  const readQuietly = () => read().catch(report('the public zones could not be read'))
  await readQuietly()
  const timer = setInterval(readQuietly, READ_MS)
  timer.unref()
  return {
    suppliers: {},
    read,
    async close() {
      clearInterval(timer)
    },
  }
}

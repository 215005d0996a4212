import type { Feed } from './feed.ts'
import { loadPublicZones } from './public-zones.ts'
import { loadZones } from './zones.ts'

/**
 * Geometry of the zones that alerts name, and of all public forecast zones. It is also swept after a read of the alerts that left a zone to
 * request. The interval is that after which a list of public zones is read again if it could not be read.
 */
export const zonesFeed: Feed = {
  id: 'zones',
  stateKey: 'zones',
  pollSeconds: 600,
  required: true,
  async sweep(deps) {
    const { changed, unknown } = await loadZones(deps)
    const loaded = await loadPublicZones(deps)
    const codes = unknown.map(({ code }) => code).sort()
    const examples = codes.slice(0, 3).join(', ') + (codes.length > 3 ? ', …' : '')
    return {
      notes: [
        ...(codes.length > 0
          ? [
              `no geometry for ${codes.length} zones (${examples}): the counties that their alerts name are used instead`,
            ]
          : []),
        ...(changed > 0 ? [`${changed} shapes`] : []),
        ...loaded,
      ],
    }
  },
}

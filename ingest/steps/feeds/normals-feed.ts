import { markConfirmed, storeRejected } from '../../../sql/queries/feeds.ts'
import { isSimulated } from '../../../sql/queries/origin.ts'
import { climateNormals } from '../../datasets/climate.ts'
import { loadStationList } from '../climate/station-normals.ts'
import type { Feed } from './feed.ts'

/** Number of unreadable lines that are stored for the operator. */
const MAX_REJECTED = 100

/** The list of stations with normals. The file of a station is read when it is first needed. */
export const normalsFeed: Feed = {
  id: climateNormals.id,
  stateKey: climateNormals.id,
  pollSeconds: climateNormals.pollSeconds,
  async sweep({ database, objects, upstream }) {
    const simulated = (await isSimulated(database)) === true
    const loaded = await loadStationList({ objects, upstream, simulated })
    if (!loaded) {
      await markConfirmed(database, climateNormals.id, { suspicious: false, rejected: {} })
      return { notes: [] }
    }
    const { stations, rejected, absent } = loaded
    await storeRejected(
      database,
      climateNormals.id,
      rejected.slice(0, MAX_REJECTED).map((line) => ({ reason: 'line', id: line.slice(0, 11), detail: line })),
    )
    await markConfirmed(database, climateNormals.id, { suspicious: false, rejected: { line: rejected.length } })
    return {
      notes: [
        `${stations.length} stations with daily normals`,
        ...(rejected.length > 0
          ? [`${rejected.length} lines of the station table could not be read, the first: ${rejected[0]}`]
          : []),
        ...(absent > 0 ? [`${absent} stations have a file of normals but no line in the table of stations`] : []),
      ],
    }
  },
}

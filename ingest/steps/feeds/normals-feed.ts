import { markConfirmed } from '../../../sql/queries/feeds.ts'
import { isSimulated } from '../../../sql/queries/origin.ts'
import { climateNormals } from '../../datasets/climate.ts'
import { loadStationList } from '../climate/station-normals.ts'
import type { Feed } from './feed.ts'

/** The list of stations that have normals; the stations' own files are read at their first use. */
export const normalsFeed: Feed = {
  id: climateNormals.id,
  stateKey: climateNormals.id,
  pollSeconds: climateNormals.pollSeconds,
  async sweep({ database, objects, upstream }) {
    const simulated = (await isSimulated(database)) === true
    const loaded = await loadStationList({ objects, upstream, simulated })
    await markConfirmed(database, climateNormals.id, { suspicious: false, rejected: {} })
    return { notes: loaded ? [`${loaded.length} stations with daily normals`] : [] }
  },
}

import { climateNormals, climateReports } from '../../ingest/catalog.ts'
import { SEASON_TILES } from '../../ingest/domain/dataset/season.ts'
import { feedState } from '../../sql/queries/feeds.ts'
import { seasonCounts } from '../../sql/queries/season.ts'
import type { FeedAge } from '../contract.ts'
import type { LiveDeps, LiveSource } from './source.ts'

const READ_MS = 15_000

/** When the lists of normals and of climate reports were last confirmed, and the last local date of the season by domain. */
export async function openClimateAges({ database, report }: LiveDeps): Promise<LiveSource> {
  let known: readonly FeedAge[] = []
  const read = async () => {
    const feeds = await Promise.all(
      [climateNormals, climateReports].map(async ({ id }): Promise<FeedAge[]> => {
        const at = (await feedState(database, id))?.confirmed_at?.getTime()
        return at === undefined ? [] : [{ dataset: id, domain: 'us', at }]
      }),
    )
    const days = (await seasonCounts(database)).map(
      ({ domain, last }): FeedAge => ({ dataset: SEASON_TILES, domain, at: Date.parse(last) }),
    )
    known = [...feeds.flat(), ...days]
  }
  const readQuietly = () => read().catch(report('the ages of climate data could not be read'))
  await readQuietly()
  const timer = setInterval(readQuietly, READ_MS)
  timer.unref()
  return {
    suppliers: {},
    ages: () => known,
    async close() {
      clearInterval(timer)
    },
  }
}

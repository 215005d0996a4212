import { climateNormals, climateReports } from '../../ingest/catalog.ts'
import { SEASON_TILES } from '../../ingest/domain/dataset/season.ts'
import { feedState } from '../../sql/queries/feeds.ts'
import { seasonCounts } from '../../sql/queries/season.ts'
import type { FeedAge } from '../contract.ts'
import type { LiveDeps, LiveSource } from './source.ts'

const POLL_INTERVAL_MS = 15_000

/** Reports when the lists of normals and of climate reports were last confirmed, and the last local date of the season in each domain. */
export async function openClimateAges({ database, report }: LiveDeps): Promise<LiveSource> {
  let ages: readonly FeedAge[] = []
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
    ages = [...feeds.flat(), ...days]
  }
  const readQuietly = () => read().catch(report('the ages of climate data could not be read'))
  await readQuietly()
  const timer = setInterval(readQuietly, POLL_INTERVAL_MS)
  timer.unref()
  return {
    suppliers: {},
    ages: () => ages,
    async close() {
      clearInterval(timer)
    },
  }
}

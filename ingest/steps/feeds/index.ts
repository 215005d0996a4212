import { airnowFeed } from './airnow.ts'
import { alertsFeed } from './alerts-feed.ts'
import { climateFeed } from './climate-feed.ts'
import type { Feed } from './feed.ts'
import { metarFeed } from './metar.ts'
import { normalsFeed } from './normals-feed.ts'
import { outlooksFeed } from './outlooks-feed.ts'
import { textsFeed } from './texts-feed.ts'
import { zonesFeed } from './zones-feed.ts'

/** All feeds, the most urgent first. Schedules, retirement and the `sweepFeed` workflow are derived from this list. */
export const feeds: readonly Feed[] = [
  // The most urgent first.
  alertsFeed,
  outlooksFeed,
  textsFeed,
  normalsFeed,
  climateFeed,
  metarFeed,
  airnowFeed,
  zonesFeed,
]

import { readdirSync } from 'node:fs'
import type { SimulatedHost } from './source.ts'

/** What each file of `feeds/` exports. */
interface SimulatedFeed {
  /** A new set for every mirror: some count the requests of their own. */
  sources(): readonly SimulatedHost[]
}

const folder = new URL('./feeds/', import.meta.url)

/**
 * The simulated upstreams of feeds, one a file of `feeds/`: a new one needs no line in a list. A request goes to the first that
 * answers it, in the order of the names of the files (`climate.ts` has some kinds of text, `texts.ts` all others).
 */
const simulatedFeeds: readonly SimulatedFeed[] = await Promise.all(
  readdirSync(folder)
    .filter((name) => name.endsWith('.ts'))
    .sort()
    .map((name) => import(new URL(name, folder).href) as Promise<SimulatedFeed>),
)

export const feedSources = (): readonly SimulatedHost[] => simulatedFeeds.flatMap((feed) => feed.sources())

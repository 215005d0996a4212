import { readdirSync } from 'node:fs'
import type { SimulatedHost } from './source.ts'

/** The exports of each file of `feeds/`. */
interface SimulatedFeed {
  /** Returns new sources for each mirror, because some sources count their requests. */
  sources(): readonly SimulatedHost[]
}

const folder = new URL('./feeds/', import.meta.url)

/**
 * The simulated upstreams of feeds. Each file of `feeds/` has one, so that a new feed needs no line in a list. The
 * first source that has the requested object answers, in the order of the file names (`climate.ts` has some kinds of
 * text, `texts.ts` all others).
 */
const simulatedFeeds: readonly SimulatedFeed[] = await Promise.all(
  readdirSync(folder)
    .filter((name) => name.endsWith('.ts'))
    .sort()
    .map((name) => import(new URL(name, folder).href) as Promise<SimulatedFeed>),
)

export const feedSources = (): readonly SimulatedHost[] => simulatedFeeds.flatMap((feed) => feed.sources())

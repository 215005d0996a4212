import { readdirSync } from 'node:fs'
import type { SimulatedHost } from './source.ts'

/** The exports of each file of `feeds/`. */
interface SimulatedFeed {
  /** Returns new sources for each mirror, because some sources count their requests. */
  sources(): readonly SimulatedHost[]
}

const folder = new URL('./feeds/', import.meta.url)

/**
 * The simulated upstreams of feeds. Each file of `feeds/` exports one, so a new feed needs no entry in a list. Sources
 * are tried in the order of their file names, and the first source that has the requested object answers (`climate.ts`
 * has some kinds of text, `texts.ts` all others).
 */
const simulatedFeeds: readonly SimulatedFeed[] = await Promise.all(
  readdirSync(folder)
    .filter((name) => name.endsWith('.ts'))
    .sort()
    .map((name) => import(new URL(name, folder).href) as Promise<SimulatedFeed>),
)

export const feedSources = (): readonly SimulatedHost[] => simulatedFeeds.flatMap((feed) => feed.sources())

import { frameDatasets, gridDatasets } from '../../catalog.ts'
import type { RadarSiteDataset } from '../../domain/dataset/dataset.ts'
import { takes } from '../../domain/dataset/takes.ts'
import type { Instant } from '../../domain/time.ts'
import type { Upstream } from '../../ports/upstream.ts'
import type { SecondSources } from '../feeds/feed.ts'
import { feedChecks } from './feed-check.ts'
import { type Check, type Finding, failed, findingsOf, passed, warning } from './finding.ts'
import { checkFrames, checkSites, type DecodeFrame } from './frame-check.ts'
import { checkGrid } from './grid-check.ts'

export interface LiveCheckSettings {
  /** The setting `DATASETS`. */
  readonly datasets: readonly string[]
  /** Contact address in the User-Agent, if there is one. */
  readonly contact?: string
  readonly secondSources: SecondSources
  /** Whether the upstream is NOAA itself, which asks for a contact address, and the operator has not declined (`CONTACT=none`). */
  readonly contactExpected: boolean
  /** Decodes frames in a thread; by default in this thread, in which each frame takes up to a second. */
  readonly decode?: DecodeFrame
}

/** Number of concurrent checks; the upstream port limits requests to a host. */
const AT_ONCE = 4

/**
 * Checks everything that ingestion expects of the upstream with some 350 small requests: keys, lead hours, index lines, a message of each
 * domain, frames, feeds, and our contact address. Findings are reported as they arrive.
 */
export async function liveCheck(
  source: Upstream,
  now: Instant,
  settings: LiveCheckSettings,
  report: (finding: Finding) => void,
): Promise<void> {
  const upstream = bounded(source)
  const isTaken = ({ id }: { readonly id: string }) => takes(settings, id)
  const grids = gridDatasets.filter(isTaken).flatMap((dataset) =>
    // A file of a shared dataset contains every domain.
    (dataset.shared ? dataset.domains.slice(0, 1) : dataset.domains).map(({ id }): Check => {
      return () => findingsOf(`${dataset.id}/${id}`, () => checkGrid(upstream, dataset, id, now))
    }),
  )
  const frames = frameDatasets
    .filter(isTaken)
    .filter((dataset) => !('listingsOf' in dataset))
    .flatMap((dataset) =>
      dataset.domains.map(({ id }): Check => {
        return () =>
          findingsOf(`${dataset.id}/${id} newest frame`, () => checkFrames(upstream, dataset, id, now, settings.decode))
      }),
    )
  const sites = frameDatasets
    .filter(isTaken)
    .filter((dataset): dataset is RadarSiteDataset => 'listingsOf' in dataset)
    .map(
      (dataset): Check =>
        () =>
          findingsOf(`${dataset.id} products`, () => checkSites(upstream, dataset, now)),
    )
  for (const finding of identity(settings)) report(finding)
  const checks = [...feedChecks(upstream, now, settings.secondSources), ...frames, ...sites, ...grids]
  const next = checks.values()
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (const check of next) for (const finding of await check()) report(finding)
    }),
  )
}

/** Time limit for one document or listing, ms, including the wait for its host. */
const READ_MS = 300_000

/**
 * Reads with few attempts and a time limit, because a host that does not answer must not hold up the other checks for
 * long.
 */
function bounded(upstream: Upstream): Upstream {
  const within = <T extends { readonly signal?: AbortSignal }>(options?: T) => {
    const signal = options?.signal ?? AbortSignal.timeout(READ_MS)
    return { attempts: 2, idleMs: 10_000, ...options, signal }
  }
  return {
    ...upstream,
    get: (url, options) => upstream.get(url, within(options)),
    list: (bucket, prefix, options) => upstream.list(bucket, prefix, within(options)),
  }
}

function identity({ contact, contactExpected }: LiveCheckSettings): Finding[] {
  if (contact) return [passed('identity', `requests carry ${contact} in the User-Agent`)]
  const detail =
    'requests carry no contact address: set CONTACT, because api.weather.gov and aviationweather.gov ask for a contact and refuse some clients without it'
  return [contactExpected ? failed('identity', detail) : warning('identity', detail)]
}

import { Fault, isFault } from '../../domain/fault.ts'
import { MINUTE, SECOND } from '../../domain/time.ts'
import type { Upstream } from '../../ports/upstream.ts'

/** A sweep ends its requests after so long: less than the timeout of its activity. */
const SWEEP_LIMIT_MS = 4 * MINUTE
/** A silent listing takes 20 s, and ends the requests to its host for the rest of the sweep. The next sweep, in seconds, tries again. */
const LISTING = { attempts: 2, idleMs: 10 * SECOND }
const OBJECT = { attempts: 2, idleMs: 15 * SECOND }
/** So many requests in a row that are refused or not answered end the requests to a host, too. */
const MAX_REFUSED = 8

/** For tests: other bounds than those above. */
export interface SweepBounds {
  readonly limitMs?: number
  readonly listing?: typeof LISTING
  readonly object?: typeof OBJECT
}

interface Host {
  readonly limit: AbortController
  /** Failed requests in a row. */
  refused: number
}

export interface BoundedUpstream {
  /** The upstream as one dataset of the sweep reads it. */
  of(dataset: string): Upstream
  /** Why most listings of a dataset failed; null where they were answered, undefined where there were none. */
  failureOf(dataset: string): string | null | undefined
  end(): void
}

interface Listings {
  answered: number
  failed: number
  /** By host: the first failure. */
  readonly failures: Map<string, string>
  isGivenUp: boolean
}

/**
 * Bounds the requests of a sweep: in time, and to a host that does not answer. Requests after the limit, and those that wait, fail with
 * Refused, `details.givenUp` where their host is given up.
 */
export function boundedUpstream(
  upstream: Upstream,
  { limitMs = SWEEP_LIMIT_MS, listing = LISTING, object = OBJECT }: SweepBounds = {},
): BoundedUpstream {
  const hosts = new Map<string, Host>()
  const listings = new Map<string, Listings>()
  const sweep = new AbortController()
  const timer = setTimeout(() => {
    const end = 'its requests were ended; the next sweep goes on'
    sweep.abort(new Fault('Refused', `sweep of frames: wanted an end within ${limitMs / SECOND} s, got none: ${end}`))
  }, limitMs)

  async function ask<T>(url: string, isListing: boolean, request: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const name = new URL(url).host
    const host = hosts.get(name) ?? { limit: new AbortController(), refused: 0 }
    hosts.set(name, host)
    const signal = AbortSignal.any([sweep.signal, host.limit.signal])
    signal.throwIfAborted()
    try {
      const reply = await request(signal)
      host.refused = 0
      return reply
    } catch (error) {
      // A wait that is aborted ends with an error of its own.
      if (signal.aborted) throw signal.reason
      if (!isFault(error, 'Refused')) throw error
      host.refused++
      if ((isListing && error.details['silent'] === true) || host.refused >= MAX_REFUSED) {
        const why = `${name}: not asked again in this sweep: ${error.message}`
        host.limit.abort(new Fault('Refused', why, { givenUp: true }))
      }
      throw error
    }
  }

  function listingsOf(dataset: string): Listings {
    const known = listings.get(dataset) ?? {
      answered: 0,
      failed: 0,
      failures: new Map<string, string>(),
      isGivenUp: false,
    }
    listings.set(dataset, known)
    return known
  }

  return {
    of: (dataset) => ({
      ...upstream,
      get: (url, options) => ask(url, false, (signal) => upstream.get(url, { ...object, ...options, signal })),
      async list(bucket, prefix, options) {
        const tally = listingsOf(dataset)
        try {
          const found = await ask(bucket, true, (signal) =>
            upstream.list(bucket, prefix, { ...listing, ...options, signal }),
          )
          tally.answered++
          return found
        } catch (error) {
          if (isFault(error)) {
            tally.failed++
            const { host } = new URL(bucket)
            if (!tally.failures.has(host)) tally.failures.set(host, error.message)
            tally.isGivenUp ||= error.details['givenUp'] === true || error.details['silent'] === true
          }
          throw error
        }
      },
    }),
    failureOf(dataset) {
      const tally = listings.get(dataset)
      if (!tally) return undefined
      if (!tally.isGivenUp && tally.failed <= tally.answered) return null
      // A message begins with its host.
      const [[, failure] = ['', ''], ...others] = tally.failures
      return [...others.map(([host]) => host), failure].join(' and ')
    },
    end: () => clearTimeout(timer),
  }
}

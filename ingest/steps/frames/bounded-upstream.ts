import { Fault, isFault } from '../../domain/fault.ts'
import { MINUTE, SECOND } from '../../domain/time.ts'
import type { Upstream } from '../../ports/upstream.ts'

/** Time after which a sweep ends its requests; it is shorter than the timeout of the activity. */
const SWEEP_LIMIT_MS = 4 * MINUTE
/**
 * A listing that does not answer takes 20 s and ends the requests to its host for the rest of the sweep. The next
 * sweep, seconds later, tries again.
 */
const LISTING = { attempts: 2, idleMs: 10 * SECOND }
const OBJECT = { attempts: 2, idleMs: 15 * SECOND }
/** This many consecutive refused or unanswered requests also end the requests to a host. */
const MAX_REFUSED = 8

/** Bounds that tests set instead of those above. */
export interface SweepBounds {
  readonly limitMs?: number
  readonly listing?: typeof LISTING
  readonly object?: typeof OBJECT
}

interface Host {
  readonly limit: AbortController
  /** Number of consecutive failed requests. */
  refused: number
}

export interface BoundedUpstream {
  /** The upstream that a dataset reads during a sweep. */
  upstreamOf(dataset: string): Upstream
  /** Why most listings of a dataset failed; null if they were answered; undefined if none was requested. */
  failureOf(dataset: string): string | null | undefined
  end(): void
}

interface Listings {
  answered: number
  failed: number
  /** The first fault of each host. */
  readonly failures: Map<string, string>
  isGivenUp: boolean
}

/**
 * Limits the requests of a sweep in time, and stops requests to a host that does not answer. Waiting requests and
 * requests after the limit fail with Refused, with `details.givenUp` if their host is no longer tried.
 */
export function boundedUpstream(
  upstream: Upstream,
  { limitMs = SWEEP_LIMIT_MS, listing = LISTING, object = OBJECT }: SweepBounds = {},
): BoundedUpstream {
  const hosts = new Map<string, Host>()
  const listings = new Map<string, Listings>()
  const sweep = new AbortController()
  const timer = setTimeout(() => {
    const end = 'Its requests were cancelled, and the next sweep continues.'
    sweep.abort(new Fault('Refused', `sweep of frames: not finished within ${limitMs / SECOND} s. ${end}`))
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
      // An aborted wait rejects with its own error.
      if (signal.aborted) throw signal.reason
      if (!isFault(error, 'Refused')) throw error
      host.refused++
      if ((isListing && error.details['silent'] === true) || host.refused >= MAX_REFUSED) {
        const why = `${name}: not requested again in this sweep: ${error.message}`
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
    upstreamOf: (dataset) => ({
      ...upstream,
      get: (url, options) => ask(url, false, (signal) => upstream.get(url, { ...object, ...options, signal })),
      async list(bucket, prefix, options) {
        const tally = listingsOf(dataset)
        try {
          const listed = await ask(bucket, true, (signal) =>
            upstream.list(bucket, prefix, { ...listing, ...options, signal }),
          )
          tally.answered++
          return listed
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
      // The message begins with the host.
      const [[, failure] = ['', ''], ...others] = tally.failures
      return [...others.map(([host]) => host), failure].join(' and ')
    },
    end: () => clearTimeout(timer),
  }
}

import { setTimeout as wait } from 'node:timers/promises'
import PQueue from 'p-queue'
import { Fault, isFault } from '../../domain/fault.ts'
import { randomWait } from '../random-wait.ts'
import { Broken, type RawReply } from './http.ts'

/** The limits of a host: concurrent requests, and requests per minute. */
export interface HostLimit {
  readonly atOnce: number
  readonly perMinute?: number
}
export type HostLimits = Readonly<Record<string, HostLimit>>

/**
 * Limits of known hosts. Buckets allow hundreds of requests per second. NOMADS bans clients above 120 requests per minute.
 * aviationweather.gov documents a limit of 100 per minute; api.weather.gov requests a reasonable rate.
 */
const KNOWN_HOSTS: HostLimits = {
  'nomads.ncep.noaa.gov': { atOnce: 2, perMinute: 60 },
  'aviationweather.gov': { atOnce: 2, perMinute: 60 },
  'api.weather.gov': { atOnce: 4, perMinute: 240 },
  'mrms.ncep.noaa.gov': { atOnce: 4, perMinute: 240 },
  // Its robots.txt asks for ten seconds between requests.
  'www.spc.noaa.gov': { atOnce: 1, perMinute: 6 },
  'files.airnowtech.org': { atOnce: 2, perMinute: 30 },
  'www.ncei.noaa.gov': { atOnce: 2, perMinute: 120 },
}
const BUCKET_LIMIT: HostLimit = { atOnce: 16 }
const DEFAULT_LIMIT: HostLimit = { atOnce: 4, perMinute: 240 }

/**
 * Maximum number of concurrent urgent requests of a host. They have a queue of their own, so that they do not wait for other requests that
 * hang. They are few: a read of alerts makes one or two every 30 s, and more only while the second source is read.
 */
const URGENT_AT_ONCE = 4

const MAX_RETRY_AFTER_MS = 60_000

export function hostLimiter(
  mirrored: boolean,
  limits: HostLimits = {},
  sleep: (ms: number, signal?: AbortSignal) => Promise<void> = (ms, signal) => wait(ms, undefined, { signal }),
) {
  // The map cannot grow without bound, because the catalog has a fixed number of hosts.
  const queues = new Map<string, PQueue>()
  const queueOf = (host: string, urgent: boolean): PQueue => {
    const name = urgent ? `${host} urgent` : host
    let queue = queues.get(name)
    if (!queue) {
      const { atOnce, perMinute } = limits[host] ?? (mirrored ? BUCKET_LIMIT : limitOf(host))
      // Requests are spread evenly over the minute, because hosts throttle bursts.
      const spread = perMinute ? { intervalCap: 1, interval: 60_000 / perMinute } : {}
      queue = new PQueue({ concurrency: urgent ? Math.min(URGENT_AT_ONCE, atOnce) : atOnce, ...spread })
      queues.set(name, queue)
    }
    return queue
  }
  const closing = new AbortController()

  return {
    /**
     * Runs `attempt` until it returns a final reply. It retries 302 (with which NOMADS throttles), 408, 425, 429, 5xx and broken
     * connections.
     * @param urgent whether the request uses the queue for urgent requests of its host
     */
    async withRetries(
      host: string,
      attempts: number,
      signal: AbortSignal | undefined,
      attempt: (number: number) => Promise<RawReply>,
      urgent = false,
    ): Promise<RawReply> {
      const stop = signal ? AbortSignal.any([signal, closing.signal]) : closing.signal
      let why = ''
      let silent = false
      for (let number = 0; number < attempts; number++) {
        let pause = randomWait(Math.min(500 * 2 ** number, 16_000), 0.25)
        try {
          const reply = await queueOf(host, urgent).add(() => attempt(number), { signal: stop })
          if (!isRetryable(reply.status)) return reply
          silent = false
          why = `status ${reply.status}`
          const retryAfterMs = retryAfter(reply.headers)
          if (retryAfterMs !== undefined && retryAfterMs > MAX_RETRY_AFTER_MS) {
            throw new Fault(
              'Refused',
              `${host}: status ${reply.status}, and Retry-After is ${retryAfterMs / 1000} s. Try again after that time.`,
              {
                host,
                status: reply.status,
                retryAfterSeconds: retryAfterMs / 1000,
              },
            )
          }
          pause = Math.max(pause, retryAfterMs ?? 0)
        } catch (error) {
          if (isFault(error) || !(error instanceof Broken)) throw error
          why = error.message
          silent = error.isSilence
        }
        if (number + 1 < attempts) await sleep(pause, stop)
      }
      throw new Fault('Refused', `${host}: no usable answer in ${attempts} attempts (${why}). Try again later.`, {
        host,
        silent,
      })
    },
    close: () => closing.abort(new Fault('Refused', 'upstream: closed', { closed: true })),
  }
}

/** Returns the limit of a host that is read without a mirror. */
export function limitOf(host: string): HostLimit {
  return isBucketHost(host) ? BUCKET_LIMIT : (KNOWN_HOSTS[host] ?? DEFAULT_LIMIT)
}

/** Returns whether a host is an object store. */
export function isBucketHost(host: string): boolean {
  return host.endsWith('.amazonaws.com') || host === 'storage.googleapis.com'
}

function isRetryable(status: number): boolean {
  return status === 302 || status === 408 || status === 425 || status === 429 || status >= 500
}

/** Returns Retry-After in ms. A date is relative to the server's own clock, which its `Date` header has. */
function retryAfter({ 'retry-after': header, date }: RawReply['headers']): number | undefined {
  if (!header) return undefined
  const seconds = Number(header)
  if (Number.isFinite(seconds)) return seconds >= 0 ? seconds * 1000 : undefined
  const wait = Date.parse(header) - Date.parse(date ?? '')
  return Number.isNaN(wait) ? undefined : Math.max(0, wait)
}

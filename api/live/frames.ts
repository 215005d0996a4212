import { LRUCache } from 'lru-cache'
import { datasetOf } from '../../ingest/catalog.ts'
import type { DomainId } from '../../ingest/domain/domain.ts'
import { isFault } from '../../ingest/domain/fault.ts'
import type { Instant } from '../../ingest/domain/time.ts'
import { type Flashes, readFlashes } from '../../ingest/tile/flash-file.ts'
import { type Frame, openFrame } from '../../ingest/tile/frame-read.ts'
import { frameKey } from '../../ingest/tile/key.ts'
import { MOTION, type MotionHead, type MotionNodes, openMotion } from '../../ingest/tile/motion-file.ts'
import type { Current } from './served-runs.ts'

interface FrameStore {
  get(key: string): Promise<Uint8Array>
  range(key: string, from: number, length: number): Promise<Uint8Array>
}

/**
 * Published frames, motions, lightning windows and storm lists. Each is opened once and cached; the least recently used
 * objects are evicted.
 */
export interface RadarFrames {
  /** The served frame of a dataset; undefined if there is none. */
  newest(dataset: string, domain: DomainId): Promise<Frame | undefined>
  /** Time of the served frame, without opening it. */
  newestTime(dataset: string, domain: DomainId): Instant | undefined
  /** The frame of a dataset at an exact time. @throws Fault Missing if it is not stored */
  at(dataset: string, domain: DomainId, time: Instant): Promise<Frame>
  /**
   * Like `at`, but undefined for a frame that is not stored. A missing frame is not looked up again, because frames
   * older than the newest are never published.
   */
  find(dataset: string, domain: DomainId, time: Instant): Promise<Frame | undefined>
  /** A scan of one radar, by its key in the list of scans. */
  scan(key: string): Promise<Frame>
  motion(domain: DomainId): Promise<{ head: MotionHead; nodes: MotionNodes } | undefined>
  flashes(domain: DomainId): Promise<Flashes | undefined>
  /** The served object of a dataset, parsed once by `read`. */
  object<T>(dataset: string, domain: DomainId, read: (bytes: Uint8Array, key: string) => T): Promise<T | undefined>
}

const FLASHES = datasetOf('lightning_flashes').id
const MAX_OPEN_OBJECTS = 64
/**
 * Number of open frames of a dataset: the newest, and the frame up to which motion was estimated. Each takes up to 8 MB
 * of decoded blocks.
 */
const OPEN_FRAMES_PER_DATASET = 2

export function openRadarFrames(current: Pick<Current, 'served'>, objects: FrameStore): RadarFrames {
  const cache = new LRUCache<string, Promise<unknown>>({ max: MAX_OPEN_OBJECTS })

  function once<T>(key: string, open: () => Promise<T>): Promise<T> {
    const cached = cache.get(key) as Promise<T> | undefined
    if (cached) return cached
    const opening = open()
    cache.set(key, opening)
    opening.catch(() => cache.peek(key) === opening && cache.delete(key))
    return opening
  }
  async function object<T>(
    dataset: string,
    domain: DomainId,
    read: (bytes: Uint8Array, key: string) => T,
  ): Promise<T | undefined> {
    const served = current.served(dataset, domain)
    if (!served) return undefined
    const key = served.manifestKey
    return once(key, async () => read(await objects.get(key), key))
  }
  const frame = (key: string) => once(key, () => openFrame(objects, key))
  /** Keys of the open frames by dataset and domain, newest first. */
  const recent = new Map<string, string[]>()
  function evictOlder(name: string, newest: string): void {
    const keys = recent.get(name) ?? []
    if (keys[0] === newest) return
    keys.unshift(newest)
    for (const old of keys.splice(OPEN_FRAMES_PER_DATASET)) cache.delete(old)
    recent.set(name, keys)
  }

  return {
    async newest(dataset, domain) {
      const served = current.served(dataset, domain)
      if (!served) return undefined
      evictOlder(`${dataset}/${domain}`, served.manifestKey)
      return frame(served.manifestKey)
    },
    newestTime: (dataset, domain) => current.served(dataset, domain)?.run,
    at: (dataset, domain, time) => frame(frameKey(dataset, domain, time)),
    find(dataset, domain, time) {
      const key = frameKey(dataset, domain, time)
      return once(`${key}?`, () =>
        frame(key).catch((error: unknown) => {
          if (isFault(error, 'Missing')) return undefined
          throw error
        }),
      )
    },
    scan: frame,
    async motion(domain) {
      const served = current.served(MOTION, domain)
      return served && once(served.manifestKey, () => openMotion(objects, served.manifestKey))
    },
    flashes: (domain) => object(FLASHES, domain, readFlashes),
    object,
  }
}

import type { Instant } from '../../domain/time.ts'

/** Other addresses of buckets, by the bucket's own: `https://BUCKET.s3.amazonaws.com` → the same keys elsewhere, in the order of use. */
export type BucketMirrors = Readonly<Record<string, readonly string[]>>

/**
 * Listings and objects of an address fail apart. What was listed at one address keeps its name while objects are read elsewhere: a run is
 * not sampled again from the start.
 */
export type BucketRead = 'listing' | 'objects'

/** An address that failed is asked again after so long, ms. */
const REST_MS = 120_000

/** A bucket that is not read from its first address. */
export interface BucketInUse {
  readonly bucket: string
  readonly address: string
  readonly reason: string
}

/** Which address of each bucket is asked: the first that has not just failed. */
export interface Buckets {
  /** Addresses of a bucket, `own` before the others, and those that failed within the last two minutes last. Never empty. */
  addressesOf(bucket: string, read: BucketRead, own?: string): readonly string[]
  /** The bucket of an address or of an object of it; undefined where it is none that has mirrors. */
  bucketOf(url: string): string | undefined
  failed(address: string, read: BucketRead, reason: string): void
  /** An address gave what was wanted. @param reason why it was asked, where it is not the first and that did not fail */
  answered(bucket: string, address: string, read: BucketRead, reason?: string): void
  /** What was last read from another than its first address. */
  inUse(): readonly BucketInUse[]
}

export function openBuckets(mirrors: BucketMirrors, clock: () => Instant = Date.now): Buckets {
  const failures = new Map<string, { at: Instant; reason: string }>()
  const used = new Map<string, BucketInUse>()
  const all = (bucket: string) => [bucket, ...(mirrors[bucket] ?? [])]
  const nameOf = (address: string, read: BucketRead) => `${read} ${address}`
  const rests = (name: string) => clock() - (failures.get(name)?.at ?? Number.NEGATIVE_INFINITY) < REST_MS
  return {
    addressesOf(bucket, read, own = bucket) {
      const rank = (address: string) => (rests(nameOf(address, read)) ? 2 : 0) + (address === own ? 0 : 1)
      return all(bucket).toSorted((a, b) => rank(a) - rank(b))
    },
    bucketOf: (url) =>
      Object.keys(mirrors).find((bucket) => all(bucket).some((address) => url.startsWith(`${address}/`))),
    failed: (address, read, reason) => void failures.set(nameOf(address, read), { at: clock(), reason }),
    answered(bucket, address, read, reason) {
      if (address === bucket) {
        failures.delete(nameOf(address, read))
        used.delete(nameOf(bucket, read))
      } else if (mirrors[bucket]) {
        const why = reason ?? failures.get(nameOf(bucket, read))?.reason ?? 'it failed before'
        used.set(nameOf(bucket, read), { bucket, address, reason: why })
      }
    },
    inUse: () => [...used.values()],
  }
}

import type { Instant } from '../../domain/time.ts'

/**
 * Addresses of copies of a bucket, in order of use, by the bucket's own address `https://BUCKET.s3.amazonaws.com`. The copies have the same
 * keys.
 */
export type BucketMirrors = Readonly<Record<string, readonly string[]>>

/**
 * The kind of read. Listings and objects of an address fail separately. A file keeps its name from the listing while its object is read
 * from another address, so that a run is not sampled again from the start.
 */
export type BucketRead = 'listing' | 'objects'

/** Time after which a failed address is tried again, ms. */
const REST_MS = 120_000

/** A bucket that is read from an address other than its first. */
export interface BucketInUse {
  readonly bucket: string
  readonly address: string
  readonly reason: string
}

/** Chooses the address of each bucket: the first one that has not failed recently. */
export interface Buckets {
  /** Returns the addresses of a bucket: `own` first, addresses that failed within the last two minutes last. The list is never empty. */
  addressesOf(bucket: string, read: BucketRead, own?: string): readonly string[]
  /** Returns the bucket of the URL of an address or object; undefined if the bucket has no mirrors. */
  bucketOf(url: string): string | undefined
  failed(address: string, read: BucketRead, reason: string): void
  /**
   * Records that an address answered.
   * @param reason why this address was used, if it is not the first one and the first one did not fail
   */
  answered(bucket: string, address: string, read: BucketRead, reason?: string): void
  /** Returns the buckets that were last read from an address other than the first. */
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

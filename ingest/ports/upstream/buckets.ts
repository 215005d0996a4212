import type { Instant } from '../../domain/time.ts'

/** Other addresses of buckets by the bucket's own address, `https://BUCKET.s3.amazonaws.com`, in order of use. They have the same keys. */
export type BucketMirrors = Readonly<Record<string, readonly string[]>>

/**
 * Listings and objects of an address fail separately. A listed file keeps its name while its object is read from another address, so that
 * a run is not sampled again from the start.
 */
export type BucketRead = 'listing' | 'objects'

/** Time after which a failed address is tried again, ms. */
const REST_MS = 120_000

/** A bucket that is not read from its first address. */
export interface BucketInUse {
  readonly bucket: string
  readonly address: string
  readonly reason: string
}

/** Chooses the address of each bucket: the first that has not failed recently. */
export interface Buckets {
  /** Returns the addresses of a bucket, `own` first, and addresses that failed within the last two minutes last. Never empty. */
  addressesOf(bucket: string, read: BucketRead, own?: string): readonly string[]
  /** Returns the bucket of an address or object; undefined if it has no mirrors. */
  bucketOf(url: string): string | undefined
  failed(address: string, read: BucketRead, reason: string): void
  /** Records that an address answered. @param reason why it was tried, if it is not the first and the first did not fail */
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

/** An object that a mirror can serve. */
export interface MirrorObject {
  /** ETag, which changes if and only if the bytes change. */
  readonly etag: string
  readonly lastModified: number
  readonly type: string
  /** Size if it is known without building the bytes, so that listings are cheap. */
  readonly size?: number
  body(): Uint8Array | Promise<Uint8Array>
}

export interface SimulatedListing {
  readonly key: string
  readonly size: number
  readonly etag: string
  readonly lastModified: number
}

/** An upstream host. `now` is the time of the simulator's clock, ms. */
export interface SimulatedHost {
  /** Name of the host, such as `api.weather.gov`, or `storage.googleapis.com/BUCKET` if its buckets are folders. */
  readonly host: string
  /** Lists the objects of a bucket whose keys begin with `prefix` and that exist at `now`, in order. */
  list?(prefix: string, now: number): Iterable<SimulatedListing>
  /** Finds an object. @param path path with its leading slash, without the query */
  find(path: string, query: URLSearchParams, now: number): MirrorObject | undefined | Promise<MirrorObject | undefined>
}

/** Returns the ETag of an object whose content follows from its name: two 32-bit FNV-1a hashes over UTF-16 units, as hex. */
export function nameTag(name: string): string {
  let first = 0x811c9dc5
  let second = 0xcbf29ce4
  for (let i = 0; i < name.length; i++) {
    const unit = name.charCodeAt(i)
    first = Math.imul(first ^ unit, 0x01000193)
    second = Math.imul(second ^ (unit + i), 0x01000193)
  }
  const hex = (hash: number) => (hash >>> 0).toString(16).padStart(8, '0')
  return `"${hex(first)}${hex(second)}"`
}

/** One object that a mirror can serve. */
export interface MirrorObject {
  /** Changes exactly when the bytes do. */
  readonly etag: string
  readonly lastModified: number
  readonly type: string
  /** Known without making the bytes, so that listings are cheap. */
  readonly size?: number
  body(): Uint8Array | Promise<Uint8Array>
}

export interface SimulatedListing {
  readonly key: string
  readonly size: number
  readonly etag: string
  readonly lastModified: number
}

/** One upstream host. A bucket can be listed; any host finds an object. `now` is the simulator's clock, ms. */
export interface SimulatedHost {
  /** `noaa-nbm-grib2-pds.s3.amazonaws.com`, `api.weather.gov`; `storage.googleapis.com/BUCKET` where buckets are folders */
  readonly host: string
  /** Keys of a bucket that begin with `prefix` and exist at `now`, in order. */
  list?(prefix: string, now: number): Iterable<SimulatedListing>
  /** @param path with its leading slash, without the query */
  find(path: string, query: URLSearchParams, now: number): MirrorObject | undefined | Promise<MirrorObject | undefined>
}

/** FNV-1a over UTF-16 units, as hex: an ETag of an object whose content follows from its name. */
export function nameTag(name: string): string {
  let h = 0xcbf29ce484222325n
  for (let i = 0; i < name.length; i++) h = BigInt.asUintN(64, (h ^ BigInt(name.charCodeAt(i))) * 0x100000001b3n)
  return `"${h.toString(16).padStart(16, '0')}"`
}

import type { Instant } from './time.ts'

export type DomainId = 'conus' | 'alaska' | 'hawaii'

/** A stretch of the world that a dataset covers with one grid. */
export interface Domain {
  readonly id: DomainId
  /** west, south, east, north in degrees; west may be greater than east across the antimeridian. */
  readonly bbox: readonly [number, number, number, number]
  readonly nativeKm: number
}

/** What one GRIB2 message must be to fill a variable. Every member that is given must match; numbers are those of the code tables. */
export interface Match {
  readonly discipline: number
  readonly category: number
  readonly number: number
  /** Type of the first fixed surface (code table 4.5), several where versions differ. */
  readonly surface?: readonly number[]
  /** Value of the first fixed surface, in the unit of its type. */
  readonly level?: number
  readonly secondSurface?: number
  readonly secondLevel?: number
  /** Seconds that a statistical interval lasts; 0 or absent: instantaneous. */
  readonly window?: number
  /** Code table 4.10: 0 average, 1 accumulation, 2 maximum, 3 minimum. */
  readonly process?: number
  readonly percentile?: number
  /** Limits as decoded, compared within half a percent. */
  readonly probability?: {
    readonly below?: number
    readonly above?: number
    readonly between?: readonly [number, number]
  }
  /** Code table 4.7: 2 standard deviation by NBM's coding, 4 spread. */
  readonly derived?: readonly number[]
  /** How the `.idx` line may begin and end: the cheap sieve before any byte is fetched. */
  readonly idx: readonly RegExp[]
}

/** One variable that a dataset gives. */
export interface Want {
  readonly variable: string
  readonly match: Match
  /** value = native * scale + offset, to the unit of the variable table. */
  readonly scale?: number
  readonly offset?: number
  /** Values that mean "missing" or "unlimited" in this product. */
  readonly missing?: readonly number[]
  /** Absent is no fault: the answer degrades and says so. */
  readonly optional?: boolean
  readonly domains?: readonly DomainId[]
  /** Lead hours at which upstream gives it; absent: wherever it is listed. */
  readonly leads?: (run: Instant, leadHours: number) => boolean
}

/** One upstream object that belongs to a run. */
export interface UpstreamFile {
  /** `https://BUCKET.s3.amazonaws.com/KEY` */
  readonly url: string
  /** Absent: the file is read whole. */
  readonly indexUrl?: string
  readonly domain: DomainId
  readonly run: Instant
  /** Hours after the run; 0 for an analysis. */
  readonly leadHours: number
}

/** A source as a declaration: facts and a few pure functions. */
export interface Dataset {
  readonly id: string
  readonly title: string
  readonly description: string
  readonly kind: 'grid' | 'station' | 'event' | 'text' | 'climatology'
  readonly provider: string
  /** How the source wants to be named in an answer. */
  readonly attribution: string
  readonly domains: readonly Domain[]
  readonly cadenceSeconds: number
  /** From the run's time to its last file upstream, as measured. */
  readonly latencySeconds: number
  /** Age of the run's reference time from which answers say `stale_source`. */
  readonly staleAfterSeconds: number
  /** After this age upstream is not waited for any longer. */
  readonly deadlineSeconds: number
}

/** A dataset of model runs on grids. */
export interface GridDataset extends Dataset {
  readonly kind: 'grid'
  readonly format: 'grib2'
  /** Runs that may exist at `now`, newest first. */
  runs(now: Instant): readonly Instant[]
  /** The last lead hour that a run is expected to reach in a domain, and which leads it has. */
  leads(run: Instant, domain: DomainId): readonly number[]
  file(run: Instant, domain: DomainId, leadHours: number): UpstreamFile
  /** Leads after which a part of the run may be published whole, ascending; the last is its end. */
  stages(run: Instant, domain: DomainId): readonly number[]
  readonly wants: readonly Want[]
}

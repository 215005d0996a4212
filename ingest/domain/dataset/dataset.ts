import type { DomainId } from '../domain.ts'
import type { Instant } from '../time.ts'
import type { ValueKind } from '../weather/echo.ts'
import type { DeclaredGrids } from './declared-grid.ts'
import type { Want } from './want.ts'

export type { Match, Want } from './want.ts'

/** An area that a dataset covers with one grid. */
export interface Domain {
  readonly id: DomainId
  /** West, south, east and north in degrees; west is greater than east if the box crosses the antimeridian. */
  readonly bbox: readonly [number, number, number, number]
  readonly nativeKm: number
}

/** One upstream object that belongs to a run. */
export interface UpstreamFile {
  /** Address of the object, such as `https://BUCKET.s3.amazonaws.com/KEY`. */
  readonly url: string
  /** Address of the index; absent if the whole file is read. */
  readonly indexUrl?: string
  readonly domain: DomainId
  readonly run: Instant
  /** Hours after the run; 0 for an analysis. */
  readonly leadHours: number
}

/** The declaration of a source: constants and a few pure functions. */
export interface Dataset {
  readonly id: string
  /** Public id of a source with several products, such as `hrrr` for `hrrr-long`; if absent, the id itself. */
  readonly family?: string
  readonly title: string
  readonly description: string
  readonly kind: 'grid' | 'frame' | 'station' | 'event' | 'text' | 'climatology'
  readonly provider: string
  /** The attribution that the source requests. */
  readonly attribution: string
  readonly domains: readonly Domain[]
  readonly cadenceSeconds: number
  /** Measured time from the run's reference time to its last file upstream. */
  readonly latencySeconds: number
  /** Age of the run's reference time from which answers carry the warning `stale_source`. */
  readonly staleAfterSeconds: number
  /** Age of a run after which its missing files are no longer expected. */
  readonly deadlineSeconds: number
  /** Whether answers warn if no run of the dataset is served. */
  readonly required?: true
  /** Whether upstream may not have it yet: it is late, stale or missing only once a run of it was served. */
  readonly provisional?: true
  /** Dataset that replaces this dataset's values, so that answers without this dataset are not degraded. */
  readonly replacedBy?: string
  /** Role of the dataset in answers. Each role has at most one dataset; see `datasetOf` in the catalog. */
  readonly role?: DatasetRole
}

/** The role of a dataset in answers. Each role has at most one dataset; code outside `ingest/datasets` uses roles, not ids. */
export type DatasetRole =
  | 'alerts'
  | 'outlooks'
  | 'texts'
  | 'station_reports'
  | 'air_quality'
  | 'normals'
  | 'precip_rate'
  | 'precip_type'
  | 'surface_reflectivity'
  | 'composite_reflectivity'
  | 'radar_quality'
  | 'precip_1h_radar'
  | 'precip_1h'
  | 'precip_24h'
  | 'lightning_density'
  | 'lightning_probability'
  | 'lightning_flashes'
  | 'site_scans'
  | 'storm_tracks'
  | 'storm_cells'
  | 'climate_reports'

/** A dataset that is read by conditional requests: issued texts, observations, alerts. It has no runs. */
export interface FeedDataset extends Dataset {
  readonly kind: 'event' | 'station' | 'text' | 'climatology'
  /** Seconds between reads. */
  readonly pollSeconds: number
  /** First part of the names under which the state of the feed is stored; if absent, the id. */
  readonly stateKey?: string
  /** The measured quantities in canonical units, with their names in answers. */
  readonly gives?: readonly { readonly name: string; readonly unit: string; readonly description: string }[]
}

/** A prefix of a run that may be published before the rest. */
export interface Stage {
  /** Name of the stage in the keys of its tiles, such as `h051`. */
  readonly name: string
  /** The last lead hour of the stage. */
  readonly to: number
}

/** A dataset of model runs on grids. */
export interface GridDataset extends Dataset {
  readonly kind: 'grid'
  readonly format: 'grib2'
  /** Whether a file contains every domain and is fetched once for all domains. */
  readonly shared?: boolean
  /** Age of the reference time after which a run is removed, unless it is served. */
  readonly keepSeconds: number
  /** Runs that may exist at `now`, newest first. */
  runs(now: Instant): readonly Instant[]
  /** Lead hours that a run is expected to have in a domain, ascending; empty if there is no such run. */
  leads(run: Instant, domain: DomainId): readonly number[]
  file(run: Instant, domain: DomainId, leadHours: number): UpstreamFile
  /**
   * Returns where upstream lists the files of a run.
   * @returns the bucket's address, a prefix of the keys, and the prefix of an announced layout to which upstream may change at any run or
   * hour
   */
  listing(
    run: Instant,
    domain: DomainId,
  ): { readonly bucket: string; readonly prefix: string; readonly nextPrefix?: string }
  /**
   * Returns the lead hour of a listed key with either prefix; undefined if the key is not a file of this run in this domain. The files in
   * the listing are read, even if they differ from `leads`.
   */
  leadOf(key: string, run: Instant, domain: DomainId): number | undefined
  /** The stages in ascending order; the last stage is the complete run. */
  stages(run: Instant, domain: DomainId): readonly Stage[]
  readonly wants: readonly Want[]
  /** Accepted grids by domain. A message whose section 3 describes another grid is not published. */
  readonly grids: DeclaredGrids
  /**
   * Hours before the served run for which runs that are not stored are also fetched, after a first start and after an outage. If absent,
   * only the newest run is fetched.
   */
  readonly pastHours?: number
  /** Whether the high and low of every cell and local day of this hourly analysis are stored for half a year (dataset/season.ts). */
  readonly season?: boolean
}

/** A source of answers that reads frames: current radar, the nowcast, lightning, the rain of the last hours, passed hours. */
export type FrameReader = 'radar' | 'nowcast' | 'lightning' | 'scans' | 'history'

/**
 * A dataset of observed frames (radar, lightning, storms). Frames are discovered by listing; each is published completely, the newest
 * first.
 */
export interface FrameDataset extends Dataset {
  readonly kind: 'frame'
  /** The decoder of the files. */
  readonly format: 'mrms' | 'glm' | 'probsevere' | 'nexrad-l3'
  /** The quantities with their units, and with their names in answers. */
  readonly gives: readonly { readonly name: string; readonly unit: string; readonly description: string }[]
  /** Seconds between listings, if they take many requests; if absent, each sweep of the family lists the dataset. */
  readonly pollSeconds?: number
  /** Age after which a frame that is no longer served is removed. */
  readonly keepSeconds: number
  /** Sources of answers that read the frames. A new frame invalidates the cached answers that use one of them; absent: none. */
  readonly shownBy?: readonly FrameReader[]
  /** Prefixes under which upstream lists new files at `now`, newest first. */
  listings(now: Instant, domain: DomainId): readonly { readonly bucket: string; readonly prefix: string }[]
  /** Returns the time in the name of a listed key; undefined if the key is not a file of this dataset. */
  timeOf(key: string): Instant | undefined
}

/** Products of single radars, combined into one frame for each domain. */
export interface RadarSiteDataset extends FrameDataset {
  readonly format: 'nexrad-l3'
  /** Radars of each domain by identifier, without the country's letter. */
  readonly sites: Readonly<Partial<Record<DomainId, readonly string[]>>>
  /** Mnemonics of the products; the first product determines the time of a site's data. */
  readonly products: readonly string[]
  /** Prefixes under which upstream lists a product of a site at `now`, newest first. */
  listingsOf(
    site: string,
    product: string,
    now: Instant,
  ): readonly { readonly bucket: string; readonly prefix: string }[]
}

/** An MRMS product, with the identity of its messages and the meaning of its numbers. */
export interface MrmsDataset extends FrameDataset {
  readonly format: 'mrms'
  /** Name of the parameter in MRMS's own table (discipline 209). */
  readonly parameter: string
  readonly unit: string
  /** Hours before the newest frame for which one frame an hour is also fetched; default: only the newest. */
  readonly pastHours?: number
  /** How the numbers encode "no coverage" and "no precipitation"; see echo.ts. */
  readonly values: ValueKind
  /** Allowed range of the share of no coverage in a frame, by domain. */
  readonly noCoverage: Readonly<Partial<Record<DomainId, readonly [least: number, most: number]>>>
}

import type { Amount, Analysis } from '../ingest/domain/dataset/history.ts'
import type { DomainId } from '../ingest/domain/domain.ts'
import type { TextIssue, TextKind, TextSegment } from '../ingest/domain/text/product.ts'
import type { Instant } from '../ingest/domain/time.ts'
import type { AirQuality } from '../ingest/domain/weather/air-quality.ts'
import type { StationNormals } from '../ingest/domain/weather/climate.ts'
import type { Observation } from '../ingest/domain/weather/observation.ts'
import type { NowcastPoint, NowcastSummary } from '../ingest/nowcast/summary.ts'
import type { OpenRun, PointSeries, ValueSource } from '../ingest/tile/read.ts'

/** The codes of `meta.warnings` with their meanings. A code is never renamed; new codes may be added. */
export const warningCodes = {
  simulated_data: 'the data come from a simulator and are not real weather',
  stale_source:
    'a source is older than its limit; its values are omitted or (alerts, radar, lightning) shown with this warning',
  source_missing: 'a source that should cover the point has no data for it now',
  source_incomplete: 'the run of a source lacks variables or hours that it should have; `fields` are null',
  source_failed: 'a source could not be read; a later request may succeed',
  not_held: 'this installation has no data of this kind',
  no_coverage: 'a source does not reach the place',
  fields_missing: 'fields are null for the whole section',
  nowcast_blended:
    'radar, lightning or the warning of a storm, named in `detail`, is blended with the model from `from` to `to`',
  source_fallback:
    'another source is used, named in `detail`; in current, the model at this hour if no analysis is newer than 90 minutes',
  partial_day:
    'no values are stored for a part of the current day that has passed: `fields` for the whole day are null in its row',
  sources_disagree: 'a total lies outside the percentiles beside it, because two sources disagree',
  amount_split: 'amounts and probabilities of 3, 6 or 12 hours are apportioned to their hours; sums are preserved',
  feed_unconfirmed: 'a feed could not be confirmed; the last known data are shown',
  area_approximated:
    'alerts for zones without geometry are shown for their whole counties: for too large an area, never too small',
  place_assumed: 'a place name has several meanings or names an area; `detail` says which place or point was chosen',
  truncated: 'a list was shortened to its limit; `detail` has the total',
  history_short: 'less history is stored than requested; `detail` has the first stored time',
  unreadable_product: 'a text product could not be read and was not used',
  location_unverified: 'the location lookup was unavailable',
  text_incomplete:
    'the newest text of an office or center could not be read; the previous text is shown while it is current',
  degraded: 'a part of the system answers from its last known state',
  unknown_event:
    'an alert filter names an event that is in no NWS list and has no current alert: an empty list is not an all-clear',
  deprecated: 'a requested part of the answer is deprecated; `detail` names its replacement',
  no_data: 'the station or place is known, but nothing is stored for the requested period',
} as const

export type WarningCode = keyof typeof warningCodes

export interface MetaWarning {
  readonly code: WarningCode
  readonly section: string
  readonly detail?: string
  /** Matches an entry of meta.freshness. */
  readonly product_id?: string
  readonly fields?: readonly string[]
  /** First and last valid time that the warning concerns, ISO 8601. */
  readonly from?: string
  readonly to?: string
}

export interface SourceFreshness {
  /** Family: `nbm`, `hrrr`, `rtma`, `mrms`, `nws-alerts`, … */
  readonly source: string
  readonly product_id: string
  /** The run or the newest confirmed read; undefined is shown as null. */
  readonly referenceTime?: Instant
  readonly latestValid?: Instant
  /** When the run was first served here; undefined for scans and feeds. */
  readonly availableAt?: Instant
  /** Air quality monitors behind the values, which may be some kilometres away. */
  readonly monitors?: readonly MonitorUsed[]
}

/** The monitor of a sub-index, its distance and the start of its hour. */
export interface MonitorUsed {
  readonly pollutant: string
  readonly id: string
  readonly name: string
  readonly distance_km: number
  readonly hour: Instant
}

/** The place of the answer, from reverse geocoding. */
export interface AnswerPlace {
  readonly name: string
  /** Postal abbreviation of the state. */
  readonly region?: string
  readonly country?: string
  readonly timezone: string
  readonly county?: string
  readonly zip?: string
}

/** One active alert at the point, with its times as instants and its REST object. */
export interface AlertAtPoint {
  readonly id: string
  readonly event: string
  readonly severity: string
  readonly urgency: string
  readonly certainty: string
  readonly onset: Instant
  readonly ends: Instant
  readonly expiration: Instant
  /** The Alert object of the answer, ready for JSON. */
  readonly rest: object
  /** Returns the Alert object with description, instruction and geometry. */
  full(): object
}

/** The alerts at a point. An empty list means that there are none; a feed that was never read throws a Fault instead. */
export interface AlertsAtPoint {
  readonly alerts: readonly AlertAtPoint[]
  /** The next onset or final expiration after now: the answer must not be cached longer. */
  readonly nextChange?: Instant
  readonly warnings: readonly MetaWarning[]
  readonly freshness: readonly SourceFreshness[]
  readonly degraded: boolean
}

export interface OutlookAtPoint {
  readonly product_id: string
  /** severe, tornado, hail, wind, thunderstorm, fire, excessive_rain … */
  readonly type: string
  readonly day: number
  /** Code of the Storm Prediction Center: MRGL, SLGT, ENH, MDT, HIGH, … */
  readonly risk?: string
  readonly riskLabel: string
  /** 0 to 1. */
  readonly probability?: number
  readonly significant?: boolean
  readonly valid: Instant
  readonly expires: Instant
  /** The Outlook object of the answer, ready for JSON; absent for outlooks that only serve threats (fire). */
  readonly rest?: object
}

export interface OutlooksAtPoint {
  readonly outlooks: readonly OutlookAtPoint[]
  readonly nextChange?: Instant
  readonly warnings: readonly MetaWarning[]
  readonly freshness: readonly SourceFreshness[]
  readonly degraded: boolean
}

/** The nearest station with temperature normals; undefined if none is within 150 km. */
export interface ClimateAtPoint {
  readonly nearest?: { readonly normals: StationNormals; readonly distanceKm: number }
}

export type PrecipType = 'none' | 'rain' | 'snow' | 'freezing_rain' | 'ice_pellets' | 'wintry_mix' | 'unknown'

/** The latest radar mosaic at the point. No coverage, a dry point and a value are three different states. */
export interface RadarAtPoint {
  readonly coverage: 'value' | 'dry' | 'no_coverage'
  readonly validTime: Instant
  /** mm/h; 0 if dry, undefined without coverage. */
  readonly precipRate?: number
  /** `none` if dry; undefined without coverage. */
  readonly precipType?: PrecipType
  /** Precipitation of the last 24 h, mm (QPE Pass 2); undefined without coverage or product. */
  readonly precip24h?: number
  /** dBZ */
  readonly reflectivity?: number
  /** The product of the reflectivity or, without reflectivity, of the rate. */
  readonly reflectivityProduct?: string
  /** Time of the scan; undefined if only accumulations are stored. */
  readonly scanTime?: Instant
  readonly warnings: readonly MetaWarning[]
  readonly freshness: readonly SourceFreshness[]
  readonly degraded: boolean
}

/** Lightning near the point. A member is undefined if its product does not cover the point: 0 always means that none was seen. */
export interface LightningAtPoint {
  /** Satellite flashes within 30 km in 10 minutes. */
  readonly flashes?: number
  /** Kilometres to the nearest flash at any distance. */
  readonly nearestKm?: number
  /** The ten minutes in which flashes were counted. */
  readonly window?: { readonly start: Instant; readonly end: Instant }
  /** Strikes per km² per minute, from the 5-minute grid of ground strikes. */
  readonly density?: number
  /** Probability in the next 30 minutes, 0 to 100. */
  readonly probability?: number
  readonly warnings: readonly MetaWarning[]
  readonly freshness: readonly SourceFreshness[]
  readonly degraded: boolean
}

/** A forecaster's text that is current at the point. */
export interface TextAtPoint {
  /** Id at api.weather.gov/products. */
  readonly id: string
  /** Issuing forecast office; null for national centers. */
  readonly wfo: string | null
  readonly issue: TextIssue
  /** The segment for the point, in HWO, NOW and HLS. */
  readonly segment?: TextSegment
}

/** Why texts of a kind may be missing or old. */
export interface TextDoubt {
  readonly kind: TextKind
  readonly code: 'stale_source' | 'text_incomplete' | 'degraded'
  readonly detail: string
}

/** Forecaster texts at a point. An undefined text was not issued, has expired, or is unknown if there is a doubt of its kind. */
export interface TextsAtPoint {
  readonly afd?: TextAtPoint
  readonly hwo?: TextAtPoint
  readonly now?: TextAtPoint
  readonly hls?: TextAtPoint
  /** Newest first; undefined if the list was never read or is 15 minutes old, because unknown does not mean none. */
  readonly mcds?: readonly TextAtPoint[]
  readonly mpds?: readonly TextAtPoint[]
  /** The newest text of each desk that covers the domain, newest first. */
  readonly pmds: readonly TextAtPoint[]
  /** When the next of the texts expires. */
  readonly nextEnd?: Instant
  readonly doubts: readonly TextDoubt[]
  readonly freshness: readonly SourceFreshness[]
}

/** The argument of a supplier: one point at one time. */
export interface PointAt {
  /** Degrees, rounded to 4 decimals. */
  readonly lat: number
  readonly lon: number
  /** H3 index at the resolution of the model cells. */
  readonly cell: string
  readonly domain: DomainId
  readonly now: Instant
}

/** Values of the lowest beam of one radar at a point; without a recent scan, only the radar is set. */
export interface SiteAtPoint {
  readonly site: {
    readonly id: string
    readonly name: string
    readonly lat: number
    readonly lon: number
    readonly distance_km: number
  }
  /** Start of the volume scan. */
  readonly validTime?: Instant
  /** Degrees above the horizon. */
  readonly elevation?: number
  readonly coverage: 'value' | 'dry' | 'no_coverage'
  /** dBZ */
  readonly reflectivity?: number
  /** m/s away from the radar. */
  readonly velocity?: number
  readonly stormRelativeVelocity?: number
  readonly hydrometeor?: string
}

/**
 * Suppliers of live data at a point. A supplier rejects with a Fault if its source cannot be read. An absent supplier means that this
 * installation has no such data.
 */
export interface Suppliers {
  readonly alerts?: (at: PointAt) => Promise<AlertsAtPoint>
  readonly outlooks?: (at: PointAt) => Promise<OutlooksAtPoint>
  readonly radar?: (at: PointAt) => Promise<RadarAtPoint>
  /** Resolves to undefined if no radar is near. */
  readonly radarSite?: (at: PointAt) => Promise<SiteAtPoint | undefined>
  readonly lightning?: (at: PointAt) => Promise<LightningAtPoint>
  readonly nowcast?: (at: PointAt) => Promise<NowcastAtPoint>
  readonly observations?: (at: PointAt) => Promise<ObservationsAtPoint>
  readonly airQuality?: (at: PointAt) => Promise<AirQualityAtPoint>
  readonly climate?: (at: PointAt) => Promise<ClimateAtPoint>
  readonly texts?: (at: PointAt) => Promise<TextsAtPoint>
  readonly history?: (at: PointAt) => Promise<HistoryAtPoint>
  readonly scans?: (at: PointAt) => Promise<ScansAtPoint>
}

/** Returns the GRIB message of a variable at a valid time; undefined if it was not recorded. */
export type Messages = (variable: string, time: Instant) => ValueSource | undefined

/** Values of one past hour at a point. */
export interface PastHour {
  /** Valid time, a full hour. */
  readonly time: Instant
  /** The analysis of the hour; undefined if no analysis that covers the point is stored. */
  readonly analysis?:
    | {
        readonly dataset: Analysis
        readonly series: PointSeries
        /** The messages of the run, for provenance; undefined if the run has been removed meanwhile. @throws Fault */
        messages(): Promise<Messages | undefined>
      }
    | undefined
  /** Liquid of the hour that ends at `time`, mm, NaN outside radar coverage; undefined if no accumulation is stored. */
  readonly amount?: { readonly dataset: Amount; readonly mm: number; readonly source: ValueSource } | undefined
}

/** Stored values of past hours at a point. */
export interface HistoryAtPoint {
  /** The full hours of a period, both ends included, ascending. `unread`: a stored hour could not be read. @throws Fault */
  hours(from: Instant, to: Instant): Promise<{ readonly hours: readonly PastHour[]; readonly unread: boolean }>
}

/** A station as answers show it. */
export interface ObservingStation {
  /** Id as in reports: KDEN, K0VG. */
  readonly id: string
  readonly name: string
  readonly state: string | null
  readonly country: string | null
  readonly lat: number
  readonly lon: number
  readonly elevation: number | null
}

/** The newest report of a station and, for a request with a point, the distance of the station. */
export interface StationReport {
  readonly station: ObservingStation
  readonly report: Observation
  readonly km?: number
}

/** The station that represents a point; undefined if there is none, with a warning that gives the reason. */
export interface ObservationsAtPoint {
  readonly nearest?: StationReport
  readonly warnings: readonly MetaWarning[]
  readonly freshness: readonly SourceFreshness[]
  readonly degraded: boolean
  /** When another station, or no station, represents the point if no new report arrives. */
  readonly nextChange?: Instant
}

export interface AirQualityAtPoint {
  readonly air: AirQuality
  /** The largest index forecast for a local date by the nearest reporting area within 75 km; undefined without a forecast. */
  forecast(date: string): number | undefined
  readonly warnings: readonly MetaWarning[]
  readonly freshness: readonly SourceFreshness[]
  readonly degraded: boolean
}

/** Precipitation at a point in one radar scan: mm/h, NaN without coverage. */
export type ScanRate = { readonly time: Instant; readonly rate: number }
/** Stored scans from just before `from` up to now, about ten minutes apart, ascending. @throws Fault */
export type ScansAtPoint = { since(from: Instant): Promise<readonly ScanRate[]> }

export type { NowcastPoint }

/** Radar extrapolation at a point, in steps of five minutes from the time of the scan. */
export interface NowcastAtPoint {
  readonly anchor: Instant
  readonly product: string
  readonly points: readonly NowcastPoint[]
  readonly summary: NowcastSummary
  readonly warnings: readonly MetaWarning[]
  readonly freshness: readonly SourceFreshness[]
  /** Days (UTC) of the scores that corrected the probabilities; absent if they are as computed. */
  readonly calibration?: { readonly firstDay: string; readonly lastDay: string }
}

/** A dataset without runs, with the time of its last issue or confirmation. */
export interface FeedAge {
  readonly dataset: string
  readonly domain: string
  readonly at: Instant
}

/** A published run of one dataset in one domain, opened at its first use. */
export interface ServedRun {
  readonly dataset: string
  readonly domain: DomainId
  readonly run: Instant
  readonly manifestKey: string
  /** When the pointer moved to this run. */
  readonly publishedAt: Instant
  /** The last published stage, from 0; absent for a complete run. */
  readonly stage?: number
  /** Optional variables that the run lacks, and texts that say why it is incomplete. */
  readonly missing?: readonly string[]
  readonly incomplete?: readonly string[]
  /** The open run; undefined before `open` has resolved. */
  readonly opened: OpenRun | undefined
  open(): Promise<OpenRun>
}

/** Data that a supplier returns at a point. */
export type Supplied<Name extends keyof Suppliers> = Awaited<ReturnType<NonNullable<Suppliers[Name]>>>

/** Content codings of answers. */
export type Encoding = 'br' | 'zstd' | 'gzip'

/** Formats of answers; each route lists its own. */
export type FormatName = 'json' | 'geojson' | 'csv' | 'parquet' | 'arrow' | 'covjson' | 'atom' | 'cap' | 'ics'

import type { Amount, Analysis } from '../ingest/domain/dataset/history.ts'
import type { DomainId } from '../ingest/domain/domain.ts'
import type { TextIssue, TextKind, TextSegment } from '../ingest/domain/text/product.ts'
import type { Instant } from '../ingest/domain/time.ts'
import type { AirQuality } from '../ingest/domain/weather/air-quality.ts'
import type { StationNormals } from '../ingest/domain/weather/climate.ts'
import type { Observation } from '../ingest/domain/weather/observation.ts'
import type { NowcastSummary, StepType } from '../ingest/nowcast/summary.ts'
import type { OpenRun, PointSeries, ValueSource } from '../ingest/tile/read.ts'

/** The stable codes of `meta.warnings`, and what each means. One is never renamed; new ones are added. */
export const warningCodes = {
  simulated_data: 'the data come from a simulator and are not real weather',
  stale_source:
    'a source is older than it may be; its values are left out or (alerts, radar, lightning) shown with this warning',
  source_missing: 'a source that should cover the point has nothing for it now',
  source_incomplete: 'the run of a source lacks variables or hours that it should have; `fields` stay null',
  source_failed: 'the read of a source failed; a later request may succeed',
  not_held: 'this installation has no data of this kind',
  no_coverage: 'a source does not reach the place',
  fields_missing: 'fields are null for the whole section',
  nowcast_blended:
    'radar and lightning are blended with the model in the hours from `from` to `to`: weight 1 now, 0 after 120 minutes',
  source_fallback:
    'another source stands in: `detail` says which; in current the model at this hour, where no analysis is of the last 90 minutes',
  partial_day:
    'a part of the current day has passed without stored values: `fields` for the whole day are null in its row',
  sources_disagree: 'a total lies outside of the percentiles beside it: two sources disagree',
  amount_split: 'amounts and probabilities of 3, 6 or 12 hours are apportioned to their hours; sums are preserved',
  feed_unconfirmed: 'a feed could not be confirmed; the last known data are shown',
  area_approximated:
    'alerts of zones without geometry are shown for the whole of their counties: too far, never too little',
  place_assumed: 'a place name fits several places; the most populous was taken',
  truncated: 'a list was cut at its limit; `detail` has the total',
  history_short: 'less history is stored than requested; `detail` has its first time',
  unreadable_product: 'a text product could not be read; nothing was taken from it',
  location_unverified: 'the location lookup was unavailable',
  text_incomplete:
    'the newest text of an office or center could not be read; the one before is given while it is current',
  degraded: 'a part of the system answers from its last known state',
  unknown_event:
    'a filter of alerts names an event that is in no list of the NWS and of which no alert is current: an empty list is not an all-clear',
  no_data: 'the station or place is known, but nothing of the requested period is stored',
} as const

export type WarningCode = keyof typeof warningCodes

export interface MetaWarning {
  readonly code: WarningCode
  readonly section: string
  readonly detail?: string
  /** Matches an entry of meta.freshness. */
  readonly product_id?: string
  readonly fields?: readonly string[]
  /** Valid times that it concerns, ISO. */
  readonly from?: string
  readonly to?: string
}

export interface SourceFreshness {
  /** Family: `nbm`, `hrrr`, `rtma`, `mrms`, `nws-alerts`, … */
  readonly source: string
  readonly product_id: string
  /** The run or the newest confirmed read; undefined becomes null. */
  readonly referenceTime?: Instant
  readonly latestValid?: Instant
  /** The instruments behind the values, where they are some kilometres away: air quality monitors. */
  readonly monitors?: readonly MonitorUsed[]
}

/** Which monitor gave a sub-index, how far away it is, and for which hour. */
export interface MonitorUsed {
  readonly pollutant: string
  readonly id: string
  readonly name: string
  readonly distance_km: number
  /** Start of the hour. */
  readonly hour: Instant
}

/** The place of the answer: the result of reverse geocoding. */
export interface AnswerPlace {
  readonly name: string
  /** Two letters. */
  readonly region?: string
  readonly country?: string
  readonly timezone: string
  readonly county?: string
  readonly zip?: string
}

/** One active alert at the point: its times as instants, and its JSON form of REST. */
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
  /** The same with description, instruction and geometry. */
  full(): object
}

/** An empty list means that there are none. A feed that could not be read and has nothing stored throws a Fault instead. */
export interface AlertsAtPoint {
  readonly alerts: readonly AlertAtPoint[]
  /** Nearest onset or final expiration after now: the answer may not live longer. */
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
  /** Upstream's code: MRGL, SLGT, ENH, MDT, HIGH, … */
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

/** The nearest station that has normals of temperature; undefined where none is within 150 km. */
export interface ClimateAtPoint {
  readonly nearest?: { readonly normals: StationNormals; readonly distanceKm: number }
}

export type PrecipType = 'none' | 'rain' | 'snow' | 'freezing_rain' | 'ice_pellets' | 'wintry_mix' | 'unknown'

/** The latest mosaic at the point. No coverage, dry and a value are three different things. */
export interface RadarAtPoint {
  readonly coverage: 'value' | 'dry' | 'no_coverage'
  readonly validTime: Instant
  /** mm/h; 0 where dry, undefined without coverage. */
  readonly precipRate?: number
  /** `none` where dry; undefined without coverage. */
  readonly precipType?: PrecipType
  /** mm, QPE Pass 2 of the trailing 24 h; undefined without coverage or product. */
  readonly precip24h?: number
  /** dBZ */
  readonly reflectivity?: number
  /** The product that the reflectivity, or without one the rate, comes from. */
  readonly reflectivityProduct?: string
  /** Time of the scan; undefined where only accumulations are stored. */
  readonly scanTime?: Instant
  readonly warnings: readonly MetaWarning[]
  readonly freshness: readonly SourceFreshness[]
  readonly degraded: boolean
}

/** Each member is undefined where its product does not cover the point (never 0 for "not seen"). */
export interface LightningAtPoint {
  /** Satellite flashes within 30 km in 10 minutes. */
  readonly flashes?: number
  /** Kilometres to the nearest of them, however far. */
  readonly nearestKm?: number
  /** The ten minutes of the count. */
  readonly window?: { readonly start: Instant; readonly end: Instant }
  /** Strikes per km² per minute, the 5-minute ground-strike grid. */
  readonly density?: number
  /** 0 to 100, the next 30 minutes. */
  readonly probability?: number
  readonly warnings: readonly MetaWarning[]
  readonly freshness: readonly SourceFreshness[]
  readonly degraded: boolean
}

/** A forecaster's text that is current at the point. */
export interface TextAtPoint {
  /** Of api.weather.gov/products. */
  readonly id: string
  /** Issuing forecast office; null for national centers. */
  readonly wfo: string | null
  readonly issue: TextIssue
  /** HWO, NOW and HLS: the segment for the point. */
  readonly segment?: TextSegment
}

/** Reason why texts of a kind may be missing or old. */
export interface TextDoubt {
  readonly kind: TextKind
  readonly code: 'stale_source' | 'text_incomplete' | 'degraded'
  readonly detail: string
}

/** Forecaster texts at a point. A member that is undefined was not issued, has expired, or (with a doubt of its kind) is unknown. */
export interface TextsAtPoint {
  readonly afd?: TextAtPoint
  readonly hwo?: TextAtPoint
  readonly now?: TextAtPoint
  readonly hls?: TextAtPoint
  /** Newest first; undefined where the list was never read or is 15 minutes old: unknown is not "none". */
  readonly mcds?: readonly TextAtPoint[]
  readonly mpds?: readonly TextAtPoint[]
  /** The newest of each desk that covers the domain, newest first. */
  readonly pmds: readonly TextAtPoint[]
  /** When the next of them ends. */
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

/** What one radar's lowest beam sees at a point; without a recent scan only the radar is known. */
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
 * Live data at a point. Each supplier rejects with a Fault when its source cannot be read;
 * an absent supplier means that this installation has no such data.
 */
export interface Suppliers {
  readonly alerts?: (at: PointAt) => Promise<AlertsAtPoint>
  readonly outlooks?: (at: PointAt) => Promise<OutlooksAtPoint>
  readonly radar?: (at: PointAt) => Promise<RadarAtPoint>
  /** Undefined where no radar is near. */
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

/** The message of a variable at a valid time; undefined where it was not recorded. */
export type Messages = (variable: string, time: Instant) => ValueSource | undefined

/** An hour that has passed at a point. */
export interface PastHour {
  /** A full hour. */
  readonly time: Instant
  /** The analysis of the hour; undefined where none that reaches the point is stored. */
  readonly analysis?:
    | {
        readonly dataset: Analysis
        readonly series: PointSeries
        /** The messages of the run, for provenance; undefined where it was removed meanwhile. @throws Fault */
        messages(): Promise<Messages | undefined>
      }
    | undefined
  /** Liquid of the hour that ends at the time, mm, NaN where radar does not reach; undefined where no accumulation is stored. */
  readonly amount?: { readonly dataset: Amount; readonly mm: number; readonly source: ValueSource } | undefined
}

/** What is stored of hours that have passed at a point. */
export interface HistoryAtPoint {
  /** The full hours of a period, both ends included, ascending; `unread`: a stored one could not be read. @throws Fault */
  hours(from: Instant, to: Instant): Promise<{ readonly hours: readonly PastHour[]; readonly unread: boolean }>
}

/** A station as answers name it. */
export interface ObservingStation {
  /** As in reports: KDEN, K0VG. */
  readonly id: string
  readonly name: string
  readonly state: string | null
  readonly country: string | null
  readonly lat: number
  readonly lon: number
  readonly elevation: number | null
}

/** The newest report of a station and, where a point was given, how far the station is. */
export interface StationReport {
  readonly station: ObservingStation
  readonly report: Observation
  readonly km?: number
}

/** The station that represents a point; undefined where there is none, with a warning that gives the reason. */
export interface ObservationsAtPoint {
  readonly nearest?: StationReport
  readonly warnings: readonly MetaWarning[]
  readonly freshness: readonly SourceFreshness[]
  readonly degraded: boolean
  /** When another station, or none, represents the point if no new report arrives. */
  readonly nextChange?: Instant
}

export interface AirQualityAtPoint {
  readonly air: AirQuality
  /** The largest index forecast for a local date by the nearest reporting area within 75 km; undefined: none. */
  forecast(date: string): number | undefined
  readonly warnings: readonly MetaWarning[]
  readonly freshness: readonly SourceFreshness[]
  readonly degraded: boolean
}

export interface NowcastPoint {
  readonly time: Instant
  readonly type: StepType
  /** mm/h; undefined without coverage. */
  readonly rate?: number
  /** dBZ, 0 without an echo and without coverage. */
  readonly dbz: number
  /** 0 to 100; undefined where the neighbourhood has no coverage. */
  readonly probability?: number
}

/** Precipitation at a point by one radar scan: mm/h, NaN without coverage. */
export type ScanRate = { readonly time: Instant; readonly rate: number }
/** Stored scans from just before `from` up to now, about ten minutes apart, ascending. @throws Fault */
export type ScansAtPoint = { since(from: Instant): Promise<readonly ScanRate[]> }

/** Radar extrapolation at a point, in steps of five minutes from the time of the scan. */
export interface NowcastAtPoint {
  readonly anchor: Instant
  readonly product: string
  readonly points: readonly NowcastPoint[]
  readonly summary: NowcastSummary
  readonly warnings: readonly MetaWarning[]
  readonly freshness: readonly SourceFreshness[]
}

/** A dataset without runs. */
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
  /** The last published stage, from 0; absent for a whole run. */
  readonly stage?: number
  /** Optional variables that it was published without, and reasons why it is incomplete, in words. */
  readonly missing?: readonly string[]
  readonly incomplete?: readonly string[]
  /** The open run; undefined before `open` has resolved. */
  readonly opened: OpenRun | undefined
  open(): Promise<OpenRun>
}

/** What a source supplies at a point. */
export type Supplied<Name extends keyof Suppliers> = Awaited<ReturnType<NonNullable<Suppliers[Name]>>>

/** Content codings of answers. */
export type Encoding = 'br' | 'zstd' | 'gzip'

/** Forms in which data are given; which of them, by route. */
export type FormatName = 'json' | 'geojson' | 'csv' | 'parquet' | 'arrow' | 'covjson' | 'atom' | 'cap' | 'ics'

import type { DomainId } from '../../ingest/domain/dataset.ts'
import type { DayWindow } from '../../ingest/domain/day-window.ts'
import type { Sky } from '../../ingest/domain/sky.ts'
import type { Soon } from '../../ingest/domain/soon.ts'
import type { Instant } from '../../ingest/domain/time.ts'
import type { Zone } from '../../ingest/domain/timezone.ts'
import type { PointSeries } from '../../ingest/tile/read.ts'
import type { Forecast } from '../blend/columns.ts'
import type { NowcastAtPoint } from '../nowcast-at.ts'
import type { Page } from '../present/page.ts'
import type { Units } from '../present/units.ts'
import type { WeatherQuery } from '../query.ts'

/** The stable codes of `meta.warnings`, and what each means. One is never renamed; new ones are added. */
export const warningCodes = {
  simulated_data: 'what is shown comes from a simulator, not from the sky',
  stale_source:
    'a source is older than it may be; its values are left out or (alerts, radar, lightning) shown with this word',
  source_missing: 'a source that should cover the point has nothing for it now',
  source_incomplete: 'the run of a source lacks variables or hours that it should have; `fields` stay null',
  source_failed: 'the read of a source failed; a later request may succeed',
  not_held: 'no data of this kind is held by this installation',
  no_coverage: 'a source does not reach the place',
  fields_missing: 'fields are null for the whole section',
  probability_upper_bound: 'a probability for 3, 6 or 12 hours is shown at each hour inside: an upper bound',
  probability_estimated: 'a probability that no source gives is estimated from the amount',
  amount_split: 'amounts of 6 hours are shown as hourly ones that keep the sum',
  feed_unconfirmed: 'a feed could not be confirmed; what is held is shown',
  area_approximated:
    'alerts of zones whose shape nobody has given yet are shown for the whole of their counties: too far, never too little',
  place_assumed: 'a place name fits several places; the most populous was taken',
  location_unverified: 'the location lookup was unavailable',
  degraded: 'a part of the system answers from what it last knew',
} as const
export type WarningCode = keyof typeof warningCodes

export interface MetaWarning {
  readonly code: WarningCode
  readonly section: string
  readonly detail?: string
  /** Matches an entry of meta.freshness. */
  readonly product_id?: string
  readonly fields?: readonly string[]
}

export interface SourceFreshness {
  /** Family: `nbm`, `hrrr`, `rtma`, `mrms`, `nws-alerts`, … */
  readonly source: string
  readonly product_id: string
  /** The run or the newest confirmed read; undefined becomes null. */
  readonly referenceTime?: Instant
  readonly latestValid?: Instant
}

/** Where the answer is for. What a reverse lookup knows of a point. */
export interface Place {
  readonly name: string
  /** Two letters. */
  readonly region?: string
  readonly country?: string
  readonly timezone: string
  readonly county?: string
  readonly zip?: string
}

/** One active alert at the point, in the form of REST (date-times as ISO strings), with its times as instants beside it. */
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
}

/** @throws never for "none": an empty list is a fact. A read that failed and holds nothing throws a Fault. */
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
  /** Upstream's short word: MRGL, SLGT, ENH, MDT, HIGH, … */
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
  /** Time of the scan; undefined where only accumulations are held. */
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
  /** The ten minutes that the count speaks of. */
  readonly window?: { readonly start: Instant; readonly end: Instant }
  /** Strikes per km² per minute, the 5-minute ground-strike grid. */
  readonly density?: number
  /** 0 to 100, the next 30 minutes. */
  readonly probability?: number
  readonly warnings: readonly MetaWarning[]
  readonly freshness: readonly SourceFreshness[]
  readonly degraded: boolean
}

/** What is asked of a supplier: one point at one time. */
export interface PointAt {
  /** Degrees, rounded to 4 decimals. */
  readonly lat: number
  readonly lon: number
  /** H3 index at the resolution of the model cells. */
  readonly cell: string
  readonly domain: DomainId
  readonly now: Instant
}

/**
 * The doors that other rooms stand behind. Each rejects with a Fault when nothing can be said;
 * `undefined` in place of a supplier means that this installation holds no such data.
 */
export interface Suppliers {
  readonly alerts?: (at: PointAt) => Promise<AlertsAtPoint>
  readonly outlooks?: (at: PointAt) => Promise<OutlooksAtPoint>
  readonly radar?: (at: PointAt) => Promise<RadarAtPoint>
  readonly lightning?: (at: PointAt) => Promise<LightningAtPoint>
  readonly nowcast?: (at: PointAt) => Promise<NowcastAtPoint>
}

/** What a section is given. The suppliers and reads are memoised: asking twice costs once. */
export interface SectionContext extends PointAt {
  readonly place: Place
  readonly query: WeatherQuery
  readonly units: Units
  readonly zone: Zone
  readonly sky: Sky
  /** The rows of `daily`. */
  readonly windows: readonly DayWindow[]
  /** The blended hourly axis that `current`, `hourly` and `daily` share; undefined where no source speaks of the place. */
  forecast(): Soon<Forecast | undefined>
  /** Whether a run that is held could not be read: then it is not true that there is none. */
  readonly unread: boolean
  /** The served run of a dataset at this cell; undefined where it has none, or none young enough (a warning is noted once). */
  read(dataset: string): Soon<PointSeries | undefined>
  /** The newest analysis (RTMA, the rapid one first) at this cell. */
  analysis(): Soon<PointSeries | undefined>
  /** Undefined where the installation has no such supplier. @throws Fault where it failed */
  alerts(): Promise<AlertsAtPoint | undefined>
  outlooks(): Promise<OutlooksAtPoint | undefined>
  radar(): Promise<RadarAtPoint | undefined>
  lightning(): Promise<LightningAtPoint | undefined>
  nowcast(): Promise<NowcastAtPoint | undefined>
}

/**
 * A section of the answer. `write` (to its place in the answer) wins over `json` (ready text), and that over `value`;
 * none of them: the section is absent and a warning says why.
 */
export interface SectionResult {
  /** Plain data for JSON.stringify: units converted, instants as ISO text. */
  readonly value?: unknown
  /** The same as ready JSON text. */
  readonly json?: string
  /** The same, written when all sections are built: nothing is waited for any more. */
  write?(page: Page): void
  readonly warnings?: readonly MetaWarning[]
  readonly freshness?: readonly SourceFreshness[]
  /** Names for attribution.sources. */
  readonly sources?: readonly string[]
  /** How long a client may keep what the section says. */
  readonly maxAgeSeconds: number
  /** The answer is `no-store`. */
  readonly degraded?: boolean
  /** An instant at which the section changes by itself (next alert change, next hour). */
  readonly expiresAt?: Instant
}

/** A section fails alone: a Fault that it throws becomes a warning and its absence, and `no-store` unless it is Missing. */
export interface Section {
  /** Key in the answer and token of `include`. */
  readonly name: string
  build(context: SectionContext): Promise<SectionResult> | SectionResult
}

/** Why a section that is made of the forecast is absent. */
export function withoutForecast({ unread }: SectionContext, section: string): MetaWarning {
  return unread
    ? { code: 'source_failed', section, detail: 'its sources could not be read just now' }
    : { code: 'source_missing', section, detail: 'no run that covers the place is held yet' }
}

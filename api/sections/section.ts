import type { z } from 'zod'
import type { DayWindow } from '../../ingest/domain/day-window.ts'
import type { MaybePromise } from '../../ingest/domain/maybe-promise.ts'
import type { Sky } from '../../ingest/domain/sky.ts'
import type { Instant } from '../../ingest/domain/time.ts'
import type { Zone } from '../../ingest/domain/timezone.ts'
import type { PointSeries } from '../../ingest/tile/read.ts'
import type { Forecast } from '../blend/columns.ts'
import type {
  AlertsAtPoint,
  LightningAtPoint,
  MetaWarning,
  NowcastAtPoint,
  OutlooksAtPoint,
  Place,
  PointAt,
  RadarAtPoint,
  SourceFreshness,
  Supplied,
  Suppliers,
} from '../contract.ts'
import type { Page } from '../present/page.ts'
import type { Units } from '../present/units.ts'
import type { WeatherQuery } from '../query/query.ts'

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
  forecast(): MaybePromise<Forecast | undefined>
  /** Whether a run that is held could not be read: then it is not true that there is none. */
  readonly unread: boolean
  /** The served run of a dataset at this cell; undefined where it has none, or none young enough (a warning is noted once). */
  read(dataset: string): MaybePromise<PointSeries | undefined>
  /** The newest analysis (RTMA, the rapid one first) at this cell. */
  analysis(): MaybePromise<PointSeries | undefined>
  /** What a live source supplies at the point; undefined where the installation has no such source. @throws Fault where it failed */
  source<Name extends keyof Suppliers>(name: Name): Promise<Supplied<Name> | undefined>
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
  /** Its value in the OpenAPI document; the older sections have theirs in `routes/weather-schema.ts`. */
  readonly schema?: z.ZodType
  build(context: SectionContext): Promise<SectionResult> | SectionResult
}

/** Why a section that is made of the forecast is absent. */
export function withoutForecast({ unread }: SectionContext, section: string): MetaWarning {
  return unread
    ? { code: 'source_failed', section, detail: 'its sources could not be read just now' }
    : { code: 'source_missing', section, detail: 'no run that covers the place is held yet' }
}

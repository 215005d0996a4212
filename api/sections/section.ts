import type { z } from 'zod'
import type { DayWindow } from '../../ingest/domain/day-window.ts'
import type { Sky } from '../../ingest/domain/sky/sky.ts'
import type { Instant } from '../../ingest/domain/time.ts'
import type { TimeZone } from '../../ingest/domain/timezone.ts'
import type { PointSeries } from '../../ingest/tile/read.ts'
import type { WeatherNow } from '../blend/weather-now.ts'
import type {
  AlertsAtPoint,
  AnswerPlace,
  Messages,
  MetaWarning,
  NowcastAtPoint,
  OutlooksAtPoint,
  PointAt,
  SourceFreshness,
  Supplied,
  Suppliers,
} from '../contract.ts'
import type { Page } from '../present/page.ts'
import type { Units } from '../present/units.ts'
import type { WriterMemory } from '../present/writer-memory.ts'
import type { WeatherQuery } from '../query/query.ts'

/** Context of the sections of one answer. Suppliers and reads are memoized. */
export interface SectionContext extends PointAt {
  readonly place: AnswerPlace
  readonly query: WeatherQuery
  readonly units: Units
  readonly zone: TimeZone
  readonly sky: Sky
  readonly writerMemory: WriterMemory
  /**
   * Runs a computation when it is first used and shares its result between the sections of the answer.
   * @param compute a function that must be the same object at each call
   */
  once<T>(compute: (context: SectionContext) => T): T
  /** The rows of `daily`. */
  readonly windows: readonly DayWindow[]
  /** The weather that all sections share; it is blended once, and no section changes it. */
  weatherNow(): Promise<WeatherNow>
  /** Whether a stored run could not be read, as opposed to no run being stored. */
  readonly unread: boolean
  /** Whether this installation ingests any model. If it ingests none, no forecast is missing. */
  readonly takesModels: boolean
  /**
   * Returns the served run of a dataset at this cell; undefined if there is none or only a stale run, which adds a
   * warning.
   */
  read(dataset: string): Promise<PointSeries | undefined>
  /**
   * Returns the upstream messages of a series that was read, by variable and time; undefined if its run has been
   * deleted.
   */
  messagesOf(series: PointSeries): Promise<Messages | undefined>
  /** The newest analysis (RTMA, preferably its rapid update) at this cell. */
  analysis(): Promise<PointSeries | undefined>
  /**
   * Returns data of a live source at the point; undefined if the installation has no such source.
   * @throws Fault if the source failed
   */
  source<Name extends keyof Suppliers>(name: Name): Promise<Supplied<Name> | undefined>
  /**
   * Returns alerts at the point; undefined if the installation has no such supplier. The same applies to the next two
   * members.
   * @throws Fault if the supplier failed
   */
  alerts(): Promise<AlertsAtPoint | undefined>
  outlooks(): Promise<OutlooksAtPoint | undefined>
  nowcast(): Promise<NowcastAtPoint | undefined>
}

/** Cache lifetime of values that depend on radar scans, which arrive every two minutes. */
export const SCAN_SECONDS = 120

/** Result of a section. Without `value` and `write` the section is absent, and a warning gives the reason. */
export interface SectionResult {
  /** The member of the answer: plain data, units converted, instants as ISO text. */
  readonly value?: unknown
  /**
   * Used instead of `value` by sections with many numbers. It writes the member, and is called synchronously after all
   * sections are built.
   */
  write?(page: Page): void
  readonly warnings?: readonly MetaWarning[]
  readonly freshness?: readonly SourceFreshness[]
  /** Names for `attribution.sources`. */
  readonly sources?: readonly string[]
  /** Cache lifetime of the section. */
  readonly maxAgeSeconds: number
  /** Whether the answer is `no-store`. */
  readonly degraded?: boolean
  /** Instant at which the section changes without new data (next alert change, next hour). */
  readonly expiresAt?: Instant
}

/**
 * A section of the answer. If it throws a Fault, the section is absent with a warning, and the answer is `no-store`
 * unless the Fault is `Missing`.
 */
export interface Section {
  /** Key in the answer and token of `include`. */
  readonly name: string
  /** Schema of the value in the OpenAPI document. The schemas of other sections are in `answer/weather-schema.ts`. */
  readonly schema?: z.ZodType
  build(context: SectionContext): Promise<SectionResult> | SectionResult
}

/** Returns the warning of a section that is absent because there is no forecast. */
export function withoutForecast({ unread, takesModels }: SectionContext, section: string): MetaWarning {
  if (unread)
    return { code: 'source_failed', section, detail: 'The sources of this section could not be read at this time.' }
  return takesModels
    ? { code: 'source_missing', section, detail: 'No run that covers the place is available yet.' }
    : { code: 'not_held', section, detail: 'This installation has no forecast models.' }
}

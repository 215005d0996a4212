import type { Instant } from '../../ingest/domain/time.ts'
import type { MetaWarning } from '../contract.ts'
import type { Column } from './fields.ts'
import type { PassedHours } from './passed-hours.ts'
import type { Periods } from './periods.ts'
import type { FieldTrace } from './trace.ts'

/**
 * What falls at the point now. There is one decision per answer: newest radar scan, else the nowcast step that covers now,
 * else the model's hour. The table of it is docs/CONSISTENCY.md.
 */
export interface PresentWeather {
  readonly source: 'radar' | 'model' | 'none'
  /** Code of `precip-type.ts`; NONE where it is dry. */
  readonly type: number
  /** mm/h of liquid; 0 where it is dry. */
  readonly rate: number
  /** Percent, 100 where flashes or strikes are observed; NaN where neither a satellite nor a ground network covers the point. */
  readonly thunder: number
  /** Lightning at the point: conditions name thunder where it rains. */
  readonly thunderstorm: boolean
}

/**
 * The blended forecast of one cell: canonical units (K, m/s, Pa, m, mm, percent), an entry an hour, NaN where no
 * source has a value. Everything of `hourly` and `daily` is read from here, so the two cannot disagree.
 */
export interface Forecast {
  readonly start: Instant
  readonly count: number
  /** Index of the current hour. */
  readonly now: number
  readonly columns: Readonly<Record<Column, Readonly<Float64Array>>>
  /** Codes of `precip-type.ts`. */
  readonly precipType: Readonly<Uint8Array>
  /** 1 at hours whose probability is that of a longer interval: an upper bound, from which no words, type or thunder are derived. */
  readonly bounds: { readonly precipitation: Readonly<Uint8Array>; readonly thunder: Readonly<Uint8Array> }
  /** What falls now, where radar or lightning were blended into the first rows. */
  readonly present: PresentWeather | undefined
  /** The analysed hours of the last day; undefined where none are stored. */
  readonly passed: PassedHours | undefined
  /** Where the values come from; undefined unless it was asked for. */
  readonly traces?: ReadonlyMap<Column, FieldTrace>
  /** Probability, type and words of the first row speak of the next 30 minutes as radar sees them; else of the hour that has passed. */
  readonly nowFromRadar: boolean
  /** The amount of the first row is of radar scans, which come before the accumulation of its hour. */
  readonly scanned: boolean
  /** 1 where the source of ceilings has the hour and no ceiling in it. */
  readonly ceilingUnlimited: Readonly<Uint8Array>
  /** Sine of the altitude of the sun's centre. */
  readonly sun: Readonly<Float64Array>
  /** Height of the ground above the sea, m; NaN where no source gives it. */
  readonly ground: number
  /** NBM at this cell: periods (12-hour extremes and probabilities, percentiles) that have no hour of their own. */
  readonly periods: Periods
  readonly warnings: readonly MetaWarning[]
  /** Returns the buffers to the pool. Call at most once, after the last read: a later forecast overwrites them. Optional. */
  release(): void
}

/** A forecast while it is blended: its rows are still written. */
export interface Draft extends Forecast {
  readonly columns: Readonly<Record<Column, Float64Array>>
  readonly precipType: Uint8Array
  readonly bounds: { readonly precipitation: Uint8Array; readonly thunder: Uint8Array }
  readonly ceilingUnlimited: Uint8Array
  readonly sun: Float64Array
  present: PresentWeather | undefined
  nowFromRadar: boolean
  scanned: boolean
}

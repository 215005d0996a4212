import type { Instant } from '../../ingest/domain/time.ts'
import type { MetaWarning } from '../contract.ts'
import type { Column } from './fields.ts'
import type { PassedHours } from './passed-hours.ts'
import type { Periods } from './periods.ts'
import type { FieldTrace } from './trace.ts'

/**
 * Precipitation and thunder at the point now, determined once for each answer: from the newest radar scan, otherwise
 * from the nowcast step that covers now, otherwise from the model's hour. docs/CONSISTENCY.md has the table.
 */
export interface PresentWeather {
  readonly source: 'radar' | 'model' | 'none'
  /** Code of `precip-type.ts`; NONE if it is dry. */
  readonly type: number
  /** mm/h of liquid; 0 if it is dry. */
  readonly rate: number
  /**
   * Probability, percent; 100 if flashes or strikes are observed, NaN if neither a satellite nor a ground network
   * covers the point.
   */
  readonly thunder: number
  /** Whether there is lightning at the point: conditions then name thunder if it rains. */
  readonly thunderstorm: boolean
}

/** How radar and the nowcast were blended into an hour. */
export interface BlendedHour {
  /** Index of the hour. */
  readonly h: number
  /** Weight of the nowcast in the probability, 0 to 1. The model has the rest. */
  readonly weight: number
  /** Probability of the nowcast, percent; NaN if it has none. */
  readonly chance: number
  /** Minutes that scans or steps of the nowcast describe, and their amount, mm. The model has its share of the others. */
  readonly minutes: number
  readonly amount: number
}

/** Copies of the columns, by field, after a step of the blend. The first step, `blend`, fills them from the sources. */
export interface BlendStage {
  readonly name: 'blend' | 'moisture' | 'consistency' | 'measured' | 'nowcast'
  readonly columns: ReadonlyMap<string, Readonly<Float64Array>>
}

/**
 * The blended forecast of one cell in canonical units (K, m/s, Pa, m, mm, percent): one entry for each hour, NaN where
 * no source has a value. All of `hourly` and `daily` is read from here, so the two cannot disagree.
 */
export interface Forecast {
  readonly start: Instant
  readonly count: number
  /** Index of the full hour at or before now. */
  readonly now: number
  /** Index of the running hour, which is named by its end and is the first row that is shown. */
  readonly first: number
  readonly columns: Readonly<Record<Column, Readonly<Float64Array>>>
  /** Codes of `precip-type.ts`. */
  readonly precipType: Readonly<Uint8Array>
  /** Weather at the point now; undefined until radar and lightning have been blended into the first rows. */
  readonly present: PresentWeather | undefined
  /** The analyzed hours of the last day; undefined if none are stored. */
  readonly passed: PassedHours | undefined
  /** The hours into which radar and the nowcast were blended. */
  readonly blendedHours?: BlendedHour[]
  /** Where the values come from; undefined unless `BlendInput.traced` is set. */
  readonly traces?: ReadonlyMap<Column, FieldTrace>
  /** The columns after each step that changes them; undefined unless `BlendInput.traced` is set. */
  readonly stages?: readonly BlendStage[]
  /** Whether the amount of the last completed hour comes from radar scans, which arrive before its accumulation. */
  readonly scanned: boolean
  /** 1 at hours for which the source of ceilings has values but no ceiling. */
  readonly ceilingUnlimited: Readonly<Uint8Array>
  /** Sine of the altitude of the sun's centre. */
  readonly sun: Readonly<Float64Array>
  /** Height of the ground above sea level, m; NaN if no source has it. */
  readonly ground: number
  /**
   * Variables of NBM at this cell that have intervals longer than an hour: 12-hour extremes and probabilities,
   * percentiles.
   */
  readonly periods: Periods
  readonly warnings: readonly MetaWarning[]
  /**
   * Returns the buffers to the pool. The call is optional, but must happen at most once and after the last read,
   * because a later forecast overwrites the buffers.
   */
  release(): void
}

/** A forecast whose rows are still being written. */
export interface Draft extends Forecast {
  readonly columns: Readonly<Record<Column, Float64Array>>
  readonly precipType: Uint8Array
  readonly ceilingUnlimited: Uint8Array
  readonly sun: Float64Array
  present: PresentWeather | undefined
  scanned: boolean
}

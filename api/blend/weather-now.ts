import { type Sky, SUN_HORIZON } from '../../ingest/domain/sky/sky.ts'
import { HOUR, type Instant, isoSeconds, MINUTE } from '../../ingest/domain/time.ts'
import { type KnownWords, wordsOf } from '../../ingest/domain/weather/conditions.ts'
import { NONE } from '../../ingest/domain/weather/precip-type.ts'
import type { PointSeries } from '../../ingest/tile/read.ts'
import type {
  AlertAtPoint,
  LightningAtPoint,
  MetaWarning,
  NowcastAtPoint,
  RadarAtPoint,
  ScanRate,
  SourceFreshness,
} from '../contract.ts'
import type { Blender, BlendInput } from './blend.ts'
import type { Forecast, PresentWeather } from './columns.ts'
import { ANALYSIS_MAX_AGE_MS, conditionsNow, type Now, type Values } from './conditions-now.ts'
import { type IncompleteRun, incompleteRuns, type ReadRun } from './incompleteness.ts'
import { type BlendedRows, blendNowcast } from './nowcast-hours.ts'
import { presentWeather } from './present-weather.ts'
import { typeProbabilities } from './type-probabilities.ts'
import { isStormWarning, overlaps } from './warned.ts'
import { alignSky } from './wet-sky.ts'

/** Everything that is read at a point for one answer. */
export interface WeatherInputs {
  readonly now: Instant
  readonly sky: Sky
  /** Undefined if no model covers the place. */
  readonly models: BlendInput | undefined
  /** The runs of the models, for warnings about missing variables and hours. */
  readonly runs: readonly ReadRun[]
  readonly analysis: PointSeries | undefined
  readonly radar: RadarAtPoint | undefined
  readonly lightning: LightningAtPoint | undefined
  readonly nowcast: NowcastAtPoint | undefined
  readonly alerts: readonly AlertAtPoint[]
  /** Rates of the running hour, and of the hour before if its accumulation has not arrived yet. */
  readonly scans: readonly ScanRate[]
  /** Warnings about radar and lightning that could not be read. */
  readonly unread: readonly MetaWarning[]
}

/** The weather at a point from now on. All sections of an answer read it, and no section changes it. */
export interface WeatherNow {
  /** The forecast, with radar and lightning blended into its first rows. */
  readonly forecast: Forecast | undefined
  readonly present: PresentWeather
  /** Words of `current`; undefined if neither clouds nor precipitation are known. */
  readonly words: KnownWords | undefined
  /** Values at `time`; undefined if neither the analysis nor a model has a value. */
  readonly at: Now | undefined
  readonly radar: RadarAtPoint | undefined
  readonly lightning: LightningAtPoint | undefined
  readonly alerts: readonly AlertAtPoint[]
  /** Runs that lack a variable or an hour that this answer needs. */
  readonly incomplete: readonly IncompleteRun[]
  /** Ages of those of radar, nowcast and lightning that are blended into the first rows. */
  readonly blended: readonly SourceFreshness[]
  /** Warnings by section. */
  readonly warnings: {
    readonly current: readonly MetaWarning[]
    readonly hourly: readonly MetaWarning[]
  }
}

/** Blends the models, then the analysis, then radar and lightning. */
export function blendWeather(blender: Blender, inputs: WeatherInputs): WeatherNow {
  const { now, sky, models, analysis, radar, lightning, nowcast, alerts, scans, unread } = inputs
  const forecast = models && blender.blend(models)
  const incomplete = forecast ? incompleteRuns(inputs.runs, forecast) : []
  const at = conditionsNow(now, sky, forecast, analysis)
  const present = presentWeather({
    now,
    radar,
    lightning,
    nowcast,
    forecast,
    temperature: at?.values.temperature ?? Number.NaN,
    humidity: at?.values.humidity ?? Number.NaN,
    warnedStorm: isStormWarned(inputs),
  })
  if (at && present.source === 'radar' && present.type !== NONE) {
    alignSky(at.values, present.type, present.rate)
    at.ceilingUnlimited = false
  }
  const changed = forecast && blendNowcast(forecast, present, nowcast, now, scans)
  return {
    forecast,
    present,
    words: currentWords(now, sky, present, at?.values ?? {}),
    at,
    radar,
    lightning,
    alerts,
    incomplete,
    blended: changed ? blendedSources(inputs, changed) : [],
    warnings: {
      current: [...(analysis && at && !at.analysed ? [fallbackWarning(analysis, now)] : []), ...unread],
      hourly: changed ? [blendedWarning(forecast, inputs, changed)] : [],
    },
  }
}

const isStormWarned = ({ alerts, now }: WeatherInputs) =>
  alerts.some((alert) => isStormWarning(alert) && overlaps(alert, now, now + 1))

/** Whether a lightning source covers the place: it then has a value, which may be zero. */
const isLightningKnown = ({ lightning }: WeatherInputs) =>
  (lightning?.flashes ?? lightning?.density ?? lightning?.probability) !== undefined

/** The sources that changed rows, for their ages. */
function blendedSources(inputs: WeatherInputs, { byRadar, afterwards, byThunder }: BlendedRows) {
  const { radar, nowcast, lightning } = inputs
  const sources = [
    ...(byRadar ? [radar] : []),
    ...(afterwards === 'nowcast' ? [nowcast] : []),
    ...(byThunder && isLightningKnown(inputs) ? [lightning] : []),
  ]
  return sources.flatMap((source) => source?.freshness ?? [])
}

/** Made once, because it takes longer than a warning. */
const list = new Intl.ListFormat('en')

/** Where the amounts of the rows are from. */
const amountWords: Readonly<Record<BlendedRows['afterwards'], string>> = {
  nowcast: 'Amounts are measured, then taken from the steps of the nowcast.',
  continued: 'Amounts are measured; for the next 30 minutes the precipitation is assumed to continue.',
  models: 'Amounts are measured, then taken from the models.',
}

function blendedWarning(
  { start }: Forecast,
  inputs: WeatherInputs,
  { first, last, byRadar, afterwards, byThunder }: BlendedRows,
): MetaWarning {
  const sources = [
    ...(byRadar ? ['radar'] : []),
    ...(byThunder && isLightningKnown(inputs) ? ['lightning'] : []),
    ...(byThunder && isStormWarned(inputs) ? ['the warning of a storm'] : []),
  ]
  return {
    code: 'nowcast_blended',
    section: 'hourly',
    detail: `In these hours the models are blended with ${list.format(sources)}: weight 1 now, 0 after 120 minutes.${byRadar ? ` ${amountWords[afterwards]}` : ''}`,
    fields: [
      ...(byRadar
        ? (['precip_probability', 'precip_amount', 'precip_type', ...typeProbabilities, 'snow_amount'] as const)
        : []),
      ...(byThunder ? (['thunderstorm_probability'] as const) : []),
    ],
    from: isoSeconds(start + first * HOUR),
    to: isoSeconds(start + last * HOUR),
  }
}

/** Returns the warning that `current` comes from the model although an analysis is stored. */
function fallbackWarning({ dataset, run }: PointSeries, now: Instant): MetaWarning {
  const isOld = now - run > ANALYSIS_MAX_AGE_MS
  return {
    code: 'source_fallback',
    section: 'current',
    product_id: dataset,
    detail: isOld
      ? `The newest analysis is ${Math.round((now - run) / MINUTE)} minutes old, so current comes from the forecast.`
      : 'The analysis has nothing for this place, so current comes from the forecast.',
  }
}

/** The words of `current`. */
function currentWords(
  now: Instant,
  sky: Sky,
  { type, rate, thunder, thunderstorm }: PresentWeather,
  v: Partial<Values>,
): KnownWords | undefined {
  return wordsOf({
    cloudCover: v.cloud_cover ?? Number.NaN,
    precipProbability: Number.NaN,
    precipAmount: rate,
    precipType: type,
    thunder: thunderstorm ? 100 : thunder,
    cape: v.cape ?? Number.NaN,
    visibility: v.visibility ?? Number.NaN,
    humidity: v.humidity ?? Number.NaN,
    smoke: v.smoke ?? Number.NaN,
    windSpeed: v.wind_speed ?? Number.NaN,
    day: sky.sun(now) > SUN_HORIZON,
    observed: true,
  })
}

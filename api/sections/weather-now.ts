import { type KnownWords, wordsOf } from '../../ingest/domain/conditions.ts'
import { relativeHumidity } from '../../ingest/domain/derive.ts'
import { ignoreFault, isFault } from '../../ingest/domain/fault.ts'
import { feelsLike } from '../../ingest/domain/feels-like.ts'
import { SUN_HORIZON } from '../../ingest/domain/sky.ts'
import { floorTo, HOUR, type Instant, isoSeconds, MINUTE } from '../../ingest/domain/time.ts'
import { uvIndexOf } from '../../ingest/domain/uv.ts'
import type { PointSeries } from '../../ingest/tile/read.ts'
import type { Forecast, PresentWeather } from '../blend/columns.ts'
import type { Column } from '../blend/fields.ts'
import { blendNowcast } from '../blend/nowcast-hours.ts'
import { presentWeather } from '../blend/present-weather.ts'
import { typeProbabilities } from '../blend/type-probabilities.ts'
import type { LightningAtPoint, MetaWarning, NowcastAtPoint, RadarAtPoint, ScanRate } from '../contract.ts'
import type { SectionContext } from './section.ts'
import { alertsOf, isStormWarning, overlaps } from './severe.ts'

/** Oldest analysis that is used as the current value. */
const ANALYSIS_MAX_AGE_MS = 90 * MINUTE

/** Current conditions, shared by all sections of one answer. */
export interface WeatherNow {
  /** With radar and lightning blended into its first rows. */
  readonly forecast: Forecast | undefined
  readonly present: PresentWeather
  /** Of `current`; undefined where neither clouds nor precipitation are known. */
  readonly words: KnownWords | undefined
  /** Values at `time`; undefined where neither analysis nor model has any. */
  readonly at: Now | undefined
  readonly radar: RadarAtPoint | undefined
  readonly lightning: LightningAtPoint | undefined
  readonly nowcast: NowcastAtPoint | undefined
  /** For the sections that show the named source. */
  readonly warnings: {
    readonly current: readonly MetaWarning[]
    readonly hourly: readonly MetaWarning[]
  }
}

/** Computed once for all sections of an answer. */
export function weatherNow(context: SectionContext): Promise<WeatherNow> {
  return context.once(computeNow)
}

async function computeNow(context: SectionContext): Promise<WeatherNow> {
  const warnings: MetaWarning[] = []
  const [forecast, analysis, radar, lightning, nowcast, alerts, scans] = await Promise.all([
    context.forecast(),
    context.analysis(),
    tolerant('radar', warnings, ['precip_rate', 'precip_24h'], () => context.radar()),
    tolerant('lightning', warnings, ['lightning_density', 'lightning_prob', 'lightning_flashes'], () =>
      context.lightning(),
    ),
    // The section `nowcast` reports the reason.
    context.nowcast().catch(ignoreFault),
    alertsOf(context),
    scansOf(context),
  ])
  const at = conditionsNow(context, forecast, analysis)
  if (analysis && at && !at.analysed) warnings.unshift(fallback(analysis, context.now))
  const present = presentWeather({
    now: context.now,
    radar,
    lightning,
    nowcast,
    forecast,
    temperature: at?.values.temperature ?? Number.NaN,
    humidity: at?.values.humidity ?? Number.NaN,
    warnedStorm: alerts.some((alert) => isStormWarning(alert) && overlaps(alert, context.now, context.now + 1)),
  })
  const changed = forecast && blendNowcast(forecast, present, nowcast, context.now, scans)
  return {
    forecast,
    present,
    words: describe(context, present, at?.values ?? {}),
    at,
    radar,
    lightning,
    nowcast,
    warnings: { current: warnings, hourly: changed ? [blended(forecast, changed)] : [] },
  }
}

/** Rates of the running hour, and of the hour before where its accumulation is not there yet. Without them the model has these minutes. */
async function scansOf(context: SectionContext): Promise<readonly ScanRate[]> {
  try {
    const [forecast, scans] = await Promise.all([context.forecast(), context.source('scans')])
    const thisHour = floorTo(context.now, HOUR)
    const measured = !Number.isNaN(forecast?.passed?.amount(thisHour) ?? Number.NaN)
    return (await scans?.since(measured ? thisHour : thisHour - HOUR)) ?? []
  } catch (error) {
    if (!isFault(error)) throw error
    return []
  }
}

function blended({ start }: Forecast, { first, last }: { first: number; last: number }): MetaWarning {
  return {
    code: 'nowcast_blended',
    section: 'hourly',
    detail:
      'radar and lightning are blended into these hours: weight 1 now, 0 after 120 minutes; amounts are what fell and the steps of the nowcast',
    fields: [
      'precip_probability',
      'precip_amount',
      'precip_type',
      ...typeProbabilities,
      'snow_amount',
      'thunderstorm_probability',
    ],
    from: isoSeconds(start + first * HOUR),
    to: isoSeconds(start + last * HOUR),
  }
}

/** Columns of the current conditions, shown or needed for words; some are derived from others. */
const shownNow = [
  'temperature',
  'feels_like',
  'humidity',
  'dew_point',
  'pressure',
  'wind_speed',
  'wind_gust',
  'wind_direction',
  'visibility',
  'cloud_cover',
  'cloud_ceiling',
  'cloud_cover_low',
  'cloud_cover_mid',
  'cloud_cover_high',
  'uv_index',
  'cape',
  'smoke',
  'ozone',
] as const satisfies readonly Column[]
export type Values = Record<(typeof shownNow)[number], number>
export type Now = {
  readonly time: Instant
  readonly analysed: boolean
  readonly values: Values
  readonly ceilingUnlimited: boolean
}

/** The analysis where there is one of the last hour and a half; every other field from the forecast at that time. */
function conditionsNow(
  context: SectionContext,
  forecast: Forecast | undefined,
  analysis: PointSeries | undefined,
): Now | undefined {
  const temperature = analysis?.variables.get('temperature')
  let at = -1
  for (let i = 0; i < (temperature?.times.length ?? 0); i++) {
    const time = temperature!.times[i]!
    if (
      time <= context.now + 5 * MINUTE &&
      time >= context.now - ANALYSIS_MAX_AGE_MS &&
      !Number.isNaN(temperature!.values[i]!)
    )
      at = i
  }
  if (at < 0 && !forecast) return undefined
  const time = at >= 0 ? temperature!.times[at]! : floorTo(context.now, MINUTE)
  const values = forecast ? interpolated(forecast, Math.max(time, forecast.start)) : ({} as Values)
  if (at < 0) {
    close(values)
    return Number.isNaN(values.temperature)
      ? undefined
      : { time, analysed: false, values, ceilingUnlimited: without(forecast, time) }
  }
  for (const name of [
    'temperature',
    'dew_point',
    'wind_speed',
    'wind_direction',
    'wind_gust',
    'visibility',
    'cloud_cover',
  ] as const) {
    const value = valueAt(analysis!, name, time)
    // Temperature and dew point stay a pair: humidity is of one source.
    if (!Number.isNaN(value) || name === 'dew_point') values[name] = value
  }
  const cover = analysis!.variables.get('cloud_ceiling')
  if (cover) values.cloud_ceiling = valueAt(analysis!, 'cloud_ceiling', time)
  const sun = (Math.asin(context.sky.sun(time)) * 180) / Math.PI
  if (!Number.isNaN(values.ozone))
    values.uv_index = uvIndexOf(values.ozone, sun, values.cloud_cover, forecast?.ground || 0)
  close(values)
  const ceilingUnlimited = cover ? Number.isNaN(values.cloud_ceiling) : without(forecast, time)
  return { time, analysed: true, values, ceilingUnlimited }
}

/** Whether the hour has no ceiling. */
function without(forecast: Forecast | undefined, time: Instant): boolean {
  if (!forecast) return false
  return forecast.ceilingUnlimited[Math.max(0, Math.floor((time - forecast.start) / HOUR))] === 1
}

/** The warning that current is from the model although an analysis is stored. */
function fallback({ dataset, run }: PointSeries, now: Instant): MetaWarning {
  const old = now - run > ANALYSIS_MAX_AGE_MS
  return {
    code: 'source_fallback',
    section: 'current',
    product_id: dataset,
    detail: old
      ? `the newest analysis is ${Math.round((now - run) / MINUTE)} minutes old: current is the forecast`
      : 'the analysis has nothing here: current is the forecast',
  }
}

function valueAt(series: PointSeries, name: string, time: Instant): number {
  const of = series.variables.get(name)
  const index = of ? of.times.indexOf(time) : -1
  return index < 0 ? Number.NaN : of!.values[index]!
}

/** Between two rows of the hourly axis. */
function interpolated({ columns, count, start }: Forecast, time: Instant): Values {
  const place = Math.min(count - 1, (time - start) / HOUR)
  const h = Math.floor(place)
  const u = place - h
  const next = Math.min(count - 1, h + 1)
  const values = {} as Values
  for (const name of shownNow) {
    const a = columns[name][h]!
    const b = columns[name][next]!
    if (u === 0 || Number.isNaN(b)) values[name] = a
    else if (Number.isNaN(a)) values[name] = u < 0.5 ? a : b
    else if (name === 'wind_direction') values[name] = (a + (((b - a + 540) % 360) - 180) * u + 360) % 360
    else values[name] = a + (b - a) * u
  }
  return values
}

function close(values: Values): void {
  const { temperature } = values
  if (values.dew_point > temperature) values.dew_point = temperature
  values.humidity = Number.isNaN(values.dew_point) ? Number.NaN : relativeHumidity(temperature, values.dew_point)
  if (values.wind_gust < values.wind_speed) values.wind_gust = values.wind_speed
  values.wind_direction = Math.round(values.wind_direction) % 360
  // Words are of the cover that is published: 87.4 % would be Cloudy beside an hour of 87 % that is Mostly Cloudy.
  values.cloud_cover = Math.round(values.cloud_cover)
  values.feels_like = feelsLike(temperature, values.humidity, values.wind_speed)
}

/** A supplier that fails leaves its fields null and adds a warning; the section is kept. One that this installation has not is not missing. */
export async function tolerant<T extends { readonly warnings: readonly MetaWarning[] }>(
  product: string,
  warnings: MetaWarning[],
  fields: readonly string[],
  supply: () => Promise<T | undefined>,
): Promise<T | undefined> {
  try {
    return await supply()
  } catch (error) {
    const missing = isFault(error, 'Missing') || isFault(error, 'Gone')
    const detail = missing ? error.message : `${product} could not be read just now`
    warnings.push({ code: missing ? 'source_missing' : 'source_failed', section: 'current', detail, fields })
    return undefined
  }
}

/** The words of `current`. */
function describe(
  context: SectionContext,
  { type, rate, thunderstorm }: PresentWeather,
  v: Partial<Values>,
): KnownWords | undefined {
  return wordsOf({
    cloudCover: v.cloud_cover ?? Number.NaN,
    precipProbability: Number.NaN,
    precipAmount: rate,
    precipType: type,
    thunder: thunderstorm ? 100 : 0,
    cape: v.cape ?? Number.NaN,
    visibility: v.visibility ?? Number.NaN,
    humidity: v.humidity ?? Number.NaN,
    smoke: v.smoke ?? Number.NaN,
    windSpeed: v.wind_speed ?? Number.NaN,
    day: context.sky.sun(context.now) > SUN_HORIZON,
    observed: true,
  })
}

import { THUNDER_LEADS, type Words, wordsOf } from '../../ingest/domain/conditions.ts'
import { relativeHumidity } from '../../ingest/domain/derive.ts'
import { isFault } from '../../ingest/domain/fault.ts'
import { feelsLike } from '../../ingest/domain/feels-like.ts'
import { NONE, type PrecipWord, precipTypes, RAIN, SNOW, UNKNOWN } from '../../ingest/domain/precip-type.ts'
import { SUN_HORIZON } from '../../ingest/domain/sky.ts'
import { floorTo, HOUR, type Instant, MINUTE } from '../../ingest/domain/time.ts'
import { uvIndexOf } from '../../ingest/domain/uv.ts'
import type { PointSeries } from '../../ingest/tile/read.ts'
import type { Column, Forecast } from '../blend/columns.ts'
import { instantText, shown } from '../present/text.ts'
import { currentNumbers } from './current-numbers.ts'
import {
  type LightningAtPoint,
  type MetaWarning,
  type RadarAtPoint,
  type Section,
  type SectionContext,
  type SectionResult,
  withoutForecast,
} from './section.ts'
import { overlaps, severeAlerts } from './severe.ts'

/** An analysis speaks of now for so long. */
const ANALYSIS_HOLDS = 90 * MINUTE
/** What is imminent: within the hour. */
const IMMINENT = HOUR

export const current: Section = {
  name: 'current',
  async build(context: SectionContext): Promise<SectionResult> {
    const [forecast, analysis] = await Promise.all([context.forecast(), context.analysis()])
    const now = conditionsNow(context, forecast, analysis)
    if (!now) {
      return {
        maxAgeSeconds: 60,
        degraded: true,
        warnings: [withoutForecast(context, 'current')],
      }
    }
    const warnings: MetaWarning[] = [
      {
        code: 'not_held',
        section: 'current',
        detail: 'no air quality source is held',
        fields: ['aqi', 'aqi_category', 'pm25', 'ozone', 'pm10'],
      },
    ]
    if (analysis && !now.analysed) warnings.push(passedOver(analysis, context.now))
    const [radar, lightning, alerts] = await Promise.all([
      tolerant('radar', warnings, ['precip_rate', 'precip_24h'], () => context.radar()),
      tolerant('lightning', warnings, ['lightning_density', 'lightning_prob', 'lightning_flashes'], () =>
        context.lightning(),
      ),
      severeAlerts(context),
    ])
    const { type, amount, observed } = falling(now, radar, forecast, context)
    const words = describe(context, now, type, amount, observed, thunderNow(lightning, forecast))
    const severe = alerts.some((alert) => overlaps(alert, context.now, context.now + IMMINENT))
    const { units } = context
    const json =
      `{"time":${instantText(now.time)}${currentNumbers({ values: now.values, radar }, units)}` +
      `,"precip_type":"${precipTypes[type]}"` +
      `,"lightning_density":${lightning?.density === undefined ? 'null' : Math.round(lightning.density * 1e4) / 1e4}` +
      `,"lightning_prob":${shown(lightning?.probability ?? Number.NaN, units.of.percent)}` +
      `,"lightning_flashes":${shown(lightning?.flashes ?? Number.NaN, units.of.whole)}` +
      `,"conditions":"${words.conditions}","icon":"${words.icon}","severe":${severe}}`
    const parts = [radar, lightning].filter((part) => part !== undefined)
    return {
      json,
      warnings: [...warnings, ...parts.flatMap((part) => part.warnings)],
      freshness: parts.flatMap((part) => part.freshness),
      degraded: parts.some((part) => part.degraded) || warnings.some(({ code }) => code === 'source_failed'),
      maxAgeSeconds: 120,
      expiresAt: floorTo(context.now, HOUR) + HOUR,
    }
  },
}

/** What is shown of now, and what its words are found by; some of it follows from the rest. */
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
type Values = Record<(typeof shownNow)[number], number>
type Now = { readonly time: Instant; readonly analysed: boolean; readonly values: Values }

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
      time >= context.now - ANALYSIS_HOLDS &&
      !Number.isNaN(temperature!.values[i]!)
    )
      at = i
  }
  if (at < 0 && !forecast) return undefined
  const time = at >= 0 ? temperature!.times[at]! : floorTo(context.now, MINUTE)
  const values = forecast ? interpolated(forecast, Math.max(time, forecast.start)) : ({} as Values)
  if (at < 0) {
    close(values)
    return Number.isNaN(values.temperature) ? undefined : { time, analysed: false, values }
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
  if (!Number.isNaN(values.ozone)) values.uv_index = uvIndexOf(values.ozone, sun, values.cloud_cover, forecast?.ground)
  close(values)
  return { time, analysed: true, values }
}

/** Why current is the forecast although an analysis is held. */
function passedOver({ dataset, run }: PointSeries, now: Instant): MetaWarning {
  const old = now - run > ANALYSIS_HOLDS
  return {
    code: old ? 'stale_source' : 'source_missing',
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
  values.feels_like = feelsLike(temperature, values.humidity, values.wind_speed)
}

/** What falls now: as the radar sees it; without coverage, as the hour's forecast has it where it is more likely than not. */
function falling(
  now: Now,
  radar: RadarAtPoint | undefined,
  forecast: Forecast | undefined,
  context: SectionContext,
): { type: number; amount: number; observed: boolean } {
  if (radar && radar.coverage !== 'no_coverage') {
    const type = precipTypes.indexOf((radar.precipType ?? 'unknown') as PrecipWord)
    if (radar.coverage === 'dry' || !((radar.precipRate ?? 0) > 0)) return { type: NONE, amount: 0, observed: true }
    const seen = type > NONE ? type : UNKNOWN
    return { type: seen === UNKNOWN ? typeOfAir(now) : seen, amount: radar.precipRate!, observed: true }
  }
  if (!forecast) return { type: NONE, amount: 0, observed: false }
  // The hour under way ends at the next row.
  const h = Math.min(forecast.count - 1, forecast.now + (context.now % HOUR === 0 ? 0 : 1))
  const amount = forecast.columns.precip_amount[h]!
  const likely = forecast.columns.precip_probability[h]! >= 50 && amount > 0
  return { type: likely ? forecast.precipType[h]! : NONE, amount: likely ? amount : 0, observed: false }
}

const typeOfAir = ({ values }: Now) => (values.temperature <= 273.65 ? SNOW : RAIN)

function describe(
  context: SectionContext,
  now: Now,
  type: number,
  amount: number,
  observed: boolean,
  thunder: number,
): Words {
  const v = now.values
  const words = wordsOf({
    cloudCover: v.cloud_cover ?? Number.NaN,
    precipProbability: Number.NaN,
    precipAmount: amount,
    precipType: type,
    thunder,
    cape: v.cape ?? Number.NaN,
    visibility: v.visibility ?? Number.NaN,
    humidity: v.humidity ?? Number.NaN,
    smoke: v.smoke ?? Number.NaN,
    windSpeed: v.wind_speed ?? Number.NaN,
    day: context.sky.sun(context.now) > SUN_HORIZON,
    observed,
  })
  return words ?? { conditions: 'Unknown', icon: 'unknown' }
}

/** Lightning that is seen; where nothing would see it, the hour's forecast from even odds on. */
function thunderNow(lightning: LightningAtPoint | undefined, forecast: Forecast | undefined): number {
  if ((lightning?.flashes ?? 0) > 0 || (lightning?.density ?? 0) > 0) return 100
  if (lightning?.flashes !== undefined || lightning?.density !== undefined || !forecast) return 0
  const odds = forecast.columns.thunderstorm_probability[forecast.now]!
  return odds >= THUNDER_LEADS ? odds : 0
}

/** A supplier that fails leaves its fields null, with a word; the section stands. */
async function tolerant<T extends { readonly warnings: readonly MetaWarning[] }>(
  product: string,
  warnings: MetaWarning[],
  fields: readonly string[],
  supply: () => Promise<T | undefined>,
): Promise<T | undefined> {
  try {
    const given = await supply()
    if (!given) warnings.push({ code: 'not_held', section: 'current', detail: `no ${product} is held`, fields })
    return given
  } catch (error) {
    const missing = isFault(error, 'Missing') || isFault(error, 'Gone')
    const detail = missing ? error.message : `${product} could not be read just now`
    warnings.push({ code: missing ? 'source_missing' : 'source_failed', section: 'current', detail, fields })
    return undefined
  }
}

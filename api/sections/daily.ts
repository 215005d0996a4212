import { withAlerts } from '../../ingest/domain/alert-threat.ts'
import {
  THUNDER_POSSIBLE_CAPE,
  THUNDER_POSSIBLE_PROBABILITY,
  type Words,
  wordsOf,
} from '../../ingest/domain/conditions.ts'
import type { DayWindow } from '../../ingest/domain/day-window.ts'
import { precipTypes } from '../../ingest/domain/precip-type.ts'
import { SUN_HORIZON } from '../../ingest/domain/sky.ts'
import { type Threat, threatsOf } from '../../ingest/domain/threat.ts'
import { dateText, HOUR } from '../../ingest/domain/time.ts'
import type { Forecast } from '../blend/columns.ts'
import { type MemberField, membersOf } from '../present/members.ts'
import { shown } from '../present/text.ts'
import type { Units } from '../present/units.ts'
import { astroText } from './astro.ts'
import { type Fold, fold, highest, highOf, joined, lowOf, mean, period, stretch } from './day-fold.ts'
import { periodNumbers, rowNumbers } from './day-numbers.ts'
import { tell } from './narrative.ts'
import {
  type AlertAtPoint,
  type OutlookAtPoint,
  type Section,
  type SectionContext,
  type SectionResult,
  withoutForecast,
} from './section.ts'
import { alertsOf, outlooksOf, overlaps, severeHours } from './severe.ts'

export const daily: Section = {
  name: 'daily',
  async build(context: SectionContext): Promise<SectionResult> {
    const forecast = await context.forecast()
    if (!forecast) {
      return {
        maxAgeSeconds: 60,
        degraded: true,
        warnings: [withoutForecast(context, 'daily')],
      }
    }
    const [severe, outlooks, alerts] = await Promise.all([
      severeHours(context, forecast),
      outlooksOf(context),
      alertsOf(context),
    ])
    let rows = ''
    for (const window of context.windows)
      rows += (rows && ',') + rowText(context, forecast, severe, outlooks, alerts, window)
    return {
      json: `[${rows}]`,
      warnings:
        context.query.view === 'detailed'
          ? [
              {
                code: 'not_held',
                section: 'daily',
                detail: 'no air quality source is held',
                fields: ['aqi_max', 'aqi'],
              },
            ]
          : [],
      maxAgeSeconds: 600,
      expiresAt: (Math.floor(context.now / HOUR) + 1) * HOUR,
    }
  },
}

function rowText(
  context: SectionContext,
  forecast: Forecast,
  severe: Uint8Array,
  outlooks: readonly OutlookAtPoint[],
  alerts: readonly AlertAtPoint[],
  window: DayWindow,
): string {
  const { units, query, zone, sky } = context
  const concise = query.view === 'concise'
  const day = fold(forecast, window.start, window.nightfall, severe)
  const night = fold(forecast, window.nightfall, window.end, severe)
  const whole = joined(forecast, window, day, night)
  const high = highOf(forecast, window, day)
  const low = lowOf(forecast, window, night)
  const sunUp = (hour: number) => sky.sun(zone.at(window.day, hour)) > SUN_HORIZON
  const dayWords = wordsOfFold(day, sunUp(12))
  const nightWords = wordsOfFold(night, sunUp(22))
  const rowWords = day.hours ? dayWords : wordsOfFold(night, sunUp(12))
  const folds = { day, night, whole, high, low }

  let text = `{"date":"${dateText(window.day)}","relative_day":${window.relative},"active_period":${activePeriod(context, window)}`
  if (concise) {
    text += rowNumbers(folds, 'concise', units)
    text += `${wordsText(rowWords)},"severe":${whole.severe}`
    text += `,"day":{"precip_probability":${shown(day.precipProbability, units.of.percent)}}`
    text += `,"night":{"precip_probability":${shown(night.precipProbability, units.of.percent)}}`
    if (query.include.has('uncertainty')) text += `,"uncertainty":${uncertaintyText(forecast, window, units)}`
    return `${text}}`
  }
  text += rowNumbers(folds, 'detailed', units)
  text += `${wordsText(rowWords)},"severe":${whole.severe},"thunder_possible":${thunder(whole)}`
  text += `,"astro":${astroText(context, window.day)}`
  text += `,"day":${periodText(context, day, high, dayWords, 'day')}`
  text += `,"night":${periodText(context, night, low, nightWords, 'night')}`
  const found = threats(forecast, window, day, night, whole, outlooks, alerts)
  text += `,"threats":${found.length ? JSON.stringify(found) : '[]'}`
  if (query.include.has('uncertainty')) text += `,"uncertainty":${uncertaintyText(forecast, window, units)}`
  return `${text}}`
}

const thunder = (f: Fold) => f.thunder >= THUNDER_POSSIBLE_PROBABILITY || f.cape >= THUNDER_POSSIBLE_CAPE
const wordsText = (words: Words | undefined) =>
  words ? `,"conditions":"${words.conditions}","icon":"${words.icon}"` : ''

/** Day from 06:00 to 17:59 of the row's date, night to 05:59 of the next: only in the row that holds now. */
function activePeriod({ now }: SectionContext, window: DayWindow): string {
  if (now < window.start || now >= window.end) return 'null'
  return now < window.nightfall ? '"day"' : '"night"'
}

function wordsOfFold(half: Fold, day: boolean): Words | undefined {
  if (!half.hours) return undefined
  return wordsOf({
    cloudCover: half.cloudCover,
    precipProbability: half.precipProbability,
    precipAmount: half.precipPeak,
    precipType: half.precipType,
    thunder: half.thunder,
    cape: half.cape,
    visibility: half.visibilityTypical,
    humidity: half.humidity,
    smoke: half.smoke,
    windSpeed: half.windSpeed,
    day,
  })
}

function periodText(
  { units }: SectionContext,
  half: Fold,
  temperature: number,
  words: Words | undefined,
  name: 'day' | 'night',
): string {
  const feelsLike = name === 'day' ? half.feelsLikeHigh : half.feelsLikeLow
  const text = `{"temperature":${shown(temperature, units.of.temperature)}${periodNumbers({ half, feelsLike }, name, units)}`
  const narrative = tell(
    {
      half: name,
      conditions: words?.conditions,
      temperature,
      windSpeed: half.windSpeed,
      windGust: half.windGust,
      windDirection: half.windDirection,
      precipProbability: half.precipProbability,
      precipTotal: half.precipTotal,
      snowTotal: half.snowTotal,
    },
    units,
  )
  return `${text},"precip_type":"${precipTypes[half.precipType]}"${wordsText(words)}${narrative ? `,"narrative":"${narrative}"` : ''},"thunder_possible":${thunder(half)},"severe":${half.severe}}`
}

function threats(
  forecast: Forecast,
  window: DayWindow,
  day: Fold,
  night: Fold,
  whole: Fold,
  outlooks: readonly OutlookAtPoint[],
  alerts: readonly AlertAtPoint[],
): Threat[] {
  const snow = (limit: number) => period(forecast, `snow_prob_gt_${limit}in`, 24, window.start, window.end, 18)
  const own = threatsOf({
    feelsLikeHigh: day.feelsLikeHigh,
    feelsLikeLow: night.feelsLikeLow,
    gust: whole.windGust,
    snow: whole.snowTotal,
    ice: whole.iceTotal,
    snowAbove1in: snow(1),
    snowAbove4in: snow(4),
  })
  const here = alerts.filter((alert) => overlaps(alert, window.start, window.end))
  return withAlerts(
    [...outlookThreats(outlooks, window), ...own],
    here.map(({ event }) => event),
  )
}

/** Outlooks whose time is mostly this row's: severe with the greatest probability of its hazards, fire, flood. */
function outlookThreats(outlooks: readonly OutlookAtPoint[], window: DayWindow): Threat[] {
  const here = outlooks.filter((outlook) => {
    const common = Math.min(outlook.expires, window.end) - Math.max(outlook.valid, window.start)
    return common > (outlook.expires - outlook.valid) / 2
  })
  const hazards = here.filter(({ type }) => ['severe', 'tornado', 'hail', 'wind'].includes(type))
  const most = Math.max(...hazards.map(({ probability }) => probability ?? 0))
  const found: Threat[] = []
  for (const [type, names] of [
    ['severe', ['severe']],
    ['fire', ['fire']],
    ['flood', ['excessive_rain', 'flood']],
  ] as const) {
    // General thunder is no severe threat.
    const outlook = here.find(({ type, risk }) => (names as readonly string[]).includes(type) && risk !== 'TSTM')
    if (!outlook) continue
    const probability = type === 'severe' && most > 0 ? most : outlook.probability
    found.push({
      type,
      ...(outlook.risk && { risk: outlook.risk }),
      ...(probability !== undefined && { probability }),
      risk_label: outlook.riskLabel,
    })
  }
  return found
}

function uncertaintyText(forecast: Forecast, window: DayWindow, units: Units): string {
  const c = forecast.columns
  const { first, last } = stretch(forecast, window.start, window.end)
  const snow = (variable: string) => period(forecast, variable, 24, window.start, window.end, 18)
  const { values, text } = membersOf(uncertainNumbers, units)
  values.set([
    mean(c.temperature_stddev, first, last),
    mean(c.dew_point_stddev, first, last),
    mean(c.wind_speed_stddev, first, last),
    mean(c.wind_gust_stddev, first, last),
    highest(c.visibility_prob_below_1mi, first, last),
    highest(c.ceiling_prob_below_1000ft, first, last),
    snow('snow_amount_24h_p10'),
    snow('snow_amount_24h_p50'),
    snow('snow_amount_24h_p90'),
    snow('snow_prob_gt_1in'),
    snow('snow_prob_gt_2in'),
    snow('snow_prob_gt_4in'),
  ])
  return values.every(Number.isNaN) ? 'null' : `{${text().slice(1)}}`
}

/** DailyUncertainty. */
const uncertainNumbers: readonly MemberField[] = [
  { name: 'temperature_stddev_avg', quantity: 'temperature_spread' },
  { name: 'dew_point_stddev_avg', quantity: 'temperature_spread' },
  { name: 'wind_speed_stddev_avg', quantity: 'wind_speed' },
  { name: 'wind_gust_stddev_avg', quantity: 'wind_speed' },
  { name: 'visibility_prob_below_1mi_max', quantity: 'percent' },
  { name: 'ceiling_prob_below_1000ft_max', quantity: 'percent' },
  { name: 'snow_total_p10', quantity: 'snow_amount' },
  { name: 'snow_total_p50', quantity: 'snow_amount' },
  { name: 'snow_total_p90', quantity: 'snow_amount' },
  { name: 'snow_prob_gt_1in', quantity: 'percent' },
  { name: 'snow_prob_gt_2in', quantity: 'percent' },
  { name: 'snow_prob_gt_4in', quantity: 'percent' },
]

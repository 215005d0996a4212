import { HOUR, type Instant, MINUTE, parseInstant, SECOND } from '../../../ingest/domain/time.ts'
import { zone } from '../../../ingest/domain/timezone.ts'
import type { NowcastValue, WeatherValue } from '../../answer/value.ts'
import type { TypedAnswer, Weather } from '../../answer/weather.ts'
import { round } from '../../present/units.ts'
import { Problem } from '../../problem.ts'
import { decimal, displayed, fourth, parseWeather } from '../../query/query.ts'
import type { Answer, CompatibleFailure, Route, RouteRequest } from '../../route.ts'
import { mergedOf } from './merged.ts'
import { dayPoints } from './pirate-weather-days.ts'
import { iconOf, PiratePoints, type PirateUnits, presentOf, rowsOf, typeOf } from './pirate-weather-points.ts'

/**
 * `/forecast/{key}/{latitude},{longitude}` of Pirate Weather, which has Dark Sky's format
 * (https://docs.pirateweather.net/en/latest/API/), with the values of `GET /v1/weather`. What differs is in docs/COMPATIBLE.md.
 */

const HOURS = 48
const EXTENDED_HOURS = 168
const DAYS = 8
const MINUTES = 61
const MAX_PAST_HOURS = 25
const blocks = ['currently', 'minutely', 'hourly', 'daily', 'alerts', 'flags'] as const
type PirateBlock = (typeof blocks)[number]

interface PirateQuery {
  readonly lat: number
  readonly lon: number
  readonly units: PirateUnits
  readonly wants: (block: PirateBlock) => boolean
  readonly hours: number
  /** Whether members that Dark Sky does not have are included. */
  readonly hasExtras: boolean
}

export function pirateWeatherRoute(weather: Weather): Route {
  return {
    method: 'get',
    path: '/pirate-weather/forecast/:key/:point',
    handle: (request) => forecast(weather, request),
    compatibility: { keyOf: pathKey, failure },
  }
}

/** Returns the key in the path; undefined if there is none. */
const pathKey = (url: string): string | undefined =>
  /^\/pirate-weather\/forecast\/([A-Za-z0-9._~+=-]{1,200})\//.exec(url)?.[1]

/** The gateway of Pirate Weather, which checks keys and limits, rejects requests in another form than the service behind it. */
const gateSlugs: ReadonlySet<string> = new Set(['unauthorized', 'forbidden', 'trial-ended'])

function failure({ status, slug, detail, id }: CompatibleFailure) {
  const isOfGate = status === 429 || gateSlugs.has(slug)
  return {
    status: slug === 'outside-coverage' ? 400 : status,
    type: 'application/json; charset=utf-8',
    body: isOfGate ? { message: detail, request_id: id } : { detail },
  }
}

const invalid = (reason: string) => new Problem('bad-request', reason)

function pointOf(text: string, now: Instant): Pick<PirateQuery, 'lat' | 'lon'> {
  const [lat, lon, time, ...rest] = text.split(',', 5).map((part) => part.trim())
  if (lon === undefined || rest.length > 0)
    throw invalid(`Invalid Location Specification: ${displayed(text)}. Use latitude,longitude.`)
  const degrees = (part = '') => (decimal.test(part) ? Number(part) : Number.NaN)
  const [latitude, longitude] = [degrees(lat), degrees(lon)]
  if (!(Math.abs(latitude) <= 90)) throw invalid(`Invalid Latitude: ${displayed(lat)}.`)
  if (!(longitude >= -180 && longitude <= 360)) throw invalid(`Invalid Longitude: ${displayed(lon)}.`)
  if (time !== undefined) requireNow(time, now)
  return { lat: fourth(latitude), lon: fourth(longitude > 180 ? longitude - 360 : longitude) }
}

/** A time within an hour of now counts as now, as at Pirate Weather. @throws Problem for another time, which would need the time machine */
function requireNow(text: string, now: Instant): void {
  const seconds = /^-?\d{1,11}$/.test(text) ? Number(text) * SECOND : Number.NaN
  const at = Number.isNaN(seconds) ? parseInstant(text) : seconds < 0 ? now + seconds : seconds
  if (Math.abs(at - now) < HOUR) return
  throw invalid(`This server has no time machine: the time must be within an hour of now, but was ${displayed(text)}.`)
}

function queryOf({ query, params, now }: RouteRequest): PirateQuery {
  const { units = 'us', exclude = '', extend, lang = 'en', version } = query
  const system = units === 'auto' ? 'us' : units === 'uk2' ? 'uk' : units
  if (system !== 'us' && system !== 'si' && system !== 'ca' && system !== 'uk')
    throw invalid(`units must be us, si, ca, uk or auto, but was ${displayed(units)}.`)
  if (lang !== 'en') throw invalid(`lang must be en: summaries are in English. It was ${displayed(lang)}.`)
  if (extend && extend !== 'hourly') throw invalid(`extend must be hourly, but was ${displayed(extend)}.`)
  const excluded = exclude.split(',').filter(Boolean)
  const unknown = excluded.find((name) => name !== 'summary' && !blocks.includes(name as PirateBlock))
  if (unknown !== undefined)
    throw invalid(`exclude must be a list of ${blocks.join(', ')}, but has ${displayed(unknown)}.`)
  return {
    ...pointOf(params['point'] ?? '', now),
    units: system,
    wants: (block) => !excluded.includes(block),
    hours: extend ? EXTENDED_HOURS : HOURS,
    hasExtras: Number(version) >= 2,
  }
}

async function forecast(weather: Weather, request: RouteRequest): Promise<Answer> {
  const { now } = request
  const query = queryOf(request)
  const answers = await answersFor(weather, query, now)
  const [{ value: metric }, other] = answers
  if (query.wants('alerts') && !metric.alerts) {
    // Without the block, or with an empty block, the answer would read as an all-clear.
    const reason = 'The alerts are not known yet. Retry in a minute, or add exclude=alerts.'
    throw new Problem('service-unavailable', reason, { retryAfter: 30 })
  }
  return { body: bodyOf(query, metric, other?.value, now), ...mergedOf(answers, now) }
}

async function answersFor(
  weather: Weather,
  { lat, lon, units, wants, hours }: PirateQuery,
  now: Instant,
): Promise<[TypedAnswer, ...TypedAnswer[]]> {
  const include = ['current', 'hourly', ...(['daily', 'alerts'] as const).filter(wants)]
  if (wants('minutely')) include.push('nowcast')
  if (wants('hourly')) include.push('narrations')
  const parameters = {
    ...{ lat: String(lat), lon: String(lon), include: include.join(), alert_detail: 'full' },
    ...{ days: String(DAYS), past_hours: String(wants('daily') ? MAX_PAST_HOURS : 0) },
    hourly_hours: String(wants('daily') ? Math.max(hours, (DAYS + 1) * 24) : hours),
  }
  const inUnits = (system: string) => weather.value(parseWeather({ ...parameters, units: system }), now)
  const hasImperial = units === 'us' || units === 'uk'
  const [metric, imperial] = await Promise.all([inUnits('metric'), hasImperial ? inUnits('imperial') : undefined])
  return imperial ? [metric, imperial] : [metric]
}

function bodyOf(
  query: PirateQuery,
  metric: WeatherValue,
  imperial: WeatherValue | undefined,
  now: Instant,
): Record<string, unknown> {
  const { wants, units, hours, hasExtras } = query
  const { location, attribution, meta } = metric
  const points = new PiratePoints(units)
  const rows = rowsOf(metric, imperial)
  const running = Math.floor(now / HOUR) * HOUR
  const present = presentOf(metric, imperial)
  const own = points.hasFahrenheit && imperial ? imperial : metric
  const hourly = Array.from({ length: hours }, (_, i) => running + i * HOUR).flatMap((at) => {
    const [start, end] = [at === running ? present : rows.get(at), rows.get(at + HOUR)]
    return start && end ? [points.hour(at, start, end, hasExtras)] : []
  })
  const ending = rows.get(running + HOUR)
  const hexcast = { attribution, warnings: meta.warnings ?? [] }
  return {
    latitude: location.lat,
    longitude: location.lon,
    timezone: location.timezone,
    offset: zone(location.timezone).offset(now) / HOUR,
    elevation: location.elevation ?? undefined,
    ...(wants('currently') &&
      metric.current && {
        currently: {
          time: Date.parse(metric.current.time) / SECOND,
          summary: metric.current.conditions,
          icon: iconOf(metric.current),
          precipIntensity: points.intensity(present),
          precipProbability: ending && points.probability(ending),
          precipType: typeOf(metric.current.precip_type),
          ...points.instant(present),
        },
      }),
    ...(wants('minutely') && own.nowcast && { minutely: minutelyOf(own.nowcast, now) }),
    ...(wants('hourly') && { hourly: { summary: own.narrations?.short_term, data: hourly } }),
    ...(wants('daily') && {
      daily: { data: dayPoints({ metric, imperial }, DAYS, now, { points, rows, running, hasExtras }) },
    }),
    ...(wants('alerts') && { alerts: metric.alerts?.map(alertOf) }),
    // Some clients accept no member of the answer that they do not know, but any member of `flags`.
    ...(wants('flags') ? { flags: { ...flagsOf(metric, units), hexcast } } : { hexcast }),
  }
}

/** Returns the next hour by minutes, each with the step of the nowcast that is nearest to it. */
function minutelyOf({ points: steps, summary }: NowcastValue, now: Instant): object {
  const first = Math.floor(now / MINUTE) * MINUTE
  const times = steps.map(({ time }) => Date.parse(time))
  const data = Array.from({ length: MINUTES }, (_, i) => {
    const at = first + i * MINUTE
    const nearest = times.reduce(
      (best, time, n) => (Math.abs(time - at) < Math.abs((times[best] ?? 0) - at) ? n : best),
      0,
    )
    const { type, precip_rate: rate, precip_probability: chance } = steps[nearest] ?? {}
    return {
      time: at / SECOND,
      precipIntensity: rate ?? undefined,
      precipProbability: typeof chance === 'number' ? round(chance / 100, 2) : undefined,
      precipType: typeOf(type),
    }
  })
  return { summary: summary && minutesInWords(summary, now, steps), data }
}

function minutesInWords(
  { type, starts_at: starts, ends_at: ends, already_occurring: isFalling }: NonNullable<NowcastValue['summary']>,
  now: Instant,
  steps: NowcastValue['points'],
): string | undefined {
  if (steps.some(({ precip_rate: rate }) => typeof rate !== 'number')) return undefined
  const minutesTo = (at: string | null | undefined) => (at ? Math.round((Date.parse(at) - now) / MINUTE) : Number.NaN)
  const [start, end] = [minutesTo(starts), minutesTo(ends)]
  const names: Readonly<Record<string, string>> = { freezing_rain: 'Freezing rain', wintry_mix: 'Wintry mix' }
  const name =
    names[type] ?? (type === 'rain' || type === 'snow' ? `${type[0]?.toUpperCase()}${type.slice(1)}` : 'Precipitation')
  if (isFalling) return end > 0 && end < MINUTES ? `${name} stopping in ${end} min.` : `${name} for the hour.`
  return start > 0 && start < MINUTES ? `${name} starting in ${start} min.` : 'No precipitation for the hour.'
}

type AlertValue = NonNullable<WeatherValue['alerts']>[number] & { readonly description?: string | null }

const alertOf = (alert: AlertValue): object => ({
  title: alert.headline || alert.event,
  regions: alert.area_desc?.split(';').map((area) => area.trim()) ?? [],
  severity: alert.severity,
  time: Date.parse(alert.effective) / SECOND,
  expires: Date.parse(alert.expiration) / SECOND,
  description: alert.description ?? '',
  uri: `https://api.weather.gov/alerts/${alert.id}`,
})

const KM_PER_MILE = 1.609344

function flagsOf({ meta, gis }: WeatherValue, units: PirateUnits): object {
  const runs = (meta.freshness ?? []).flatMap(({ product_id: id, reference_time: at }) =>
    at ? [[id, `${at.slice(0, 10)} ${at.slice(11, 13)}Z`] as const] : [],
  )
  const kilometres = gis.nearest_station?.distance_km
  const isInMiles = units === 'us' || units === 'uk'
  return {
    sources: runs.map(([id]) => id),
    sourceTimes: Object.fromEntries(runs),
    'nearest-station':
      typeof kilometres === 'number' ? round(isInMiles ? kilometres / KM_PER_MILE : kilometres, 1) : undefined,
    units,
  }
}

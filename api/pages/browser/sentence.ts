import { HOUR } from '../../../ingest/domain/time.ts'
import type { Alert, Hour, Nowcast, PageWeather } from './api.ts'
import { type Clock, degrees, duration, isNumber } from './format.ts'

const severities = ['Unknown', 'Minor', 'Moderate', 'Severe', 'Extreme']
export const bySeverity = (a: Alert, b: Alert) => severities.indexOf(b.severity) - severities.indexOf(a.severity)
const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

export interface Statement {
  readonly text: string
  /** Of the alert that is stated. */
  readonly severity?: string
}

/** What matters most now, in one or two short sentences: warnings, what falls within 90 minutes, heat, cold, wind, rain later. */
export function statements(weather: PageWeather, clock: Clock, now: number): Statement[] {
  const thunder = /thunder/i.test(weather.current?.conditions ?? '')
  const alert = warning(weather.alerts, clock, now)
  const parts = [alert?.text, rainNow(weather.nowcast, now, thunder)].filter((part) => part !== undefined)
  const hours = (weather.hourly ?? []).filter(({ time }) => Date.parse(time) > now - HOUR).slice(0, 24)
  if (parts.length < 2) {
    const falls = rainNow(weather.nowcast, now) !== undefined
    const more = [falls ? undefined : rainLater(hours, clock, now), extremes(weather, hours, clock, now)]
    parts.push(...more.filter((part) => part !== undefined).slice(0, 2 - parts.length))
  }
  if (parts.length === 0) parts.push(weather.narrations?.current ?? quiet(weather))
  return parts.map((text) => (alert?.text === text ? alert : { text }))
}

function warning(alerts: readonly Alert[] | undefined, clock: Clock, now: number): Statement | undefined {
  if (!alerts) return { text: 'Alerts could not be read just now: this is no all-clear.' }
  const [first, ...others] = [...alerts].sort(bySeverity)
  if (!first) return undefined
  const more = others.length > 0 ? `, and ${others.length} more alert${others.length > 1 ? 's' : ''}` : ''
  const from = Date.parse(first.onset) > now ? ` from ${clock.near(first.onset, now)}` : ''
  return { text: `${first.event}${from} until ${clock.near(first.ends, now)}${more}.`, severity: first.severity }
}

const names: Readonly<Record<string, string>> = {
  freezing_rain: 'freezing rain',
  wintry_mix: 'wintry mix',
  unknown: 'precipitation',
}

/**
 * From the radar: what falls now or begins within 90 minutes.
 * @param thunder whether the conditions of now are thunderstorms, which rain of now then is a part of
 */
export function rainNow(nowcast: Nowcast | undefined, now: number, thunder = false): string | undefined {
  const summary = nowcast?.summary
  // Without radar coverage the type is unknown and nothing begins: that is no statement about what falls.
  if (!summary || summary.type === 'none' || !(summary.already_occurring || summary.starts_at)) return undefined
  // The summary has the type of the whole; what falls now is that of the running step.
  const running = nowcast.points.findLast(({ time }) => Date.parse(time) <= now) ?? nowcast.points[0]
  const first = summary.already_occurring ? running?.type : undefined
  const type = first && first !== 'none' && first !== 'no_coverage' ? first : summary.type
  const storms = thunder && type === 'rain' && summary.already_occurring
  const what = storms ? 'Thunderstorms' : capital(kindOf(type))
  const ends = summary.ends_at ? Date.parse(summary.ends_at) : undefined
  const starts = Date.parse(summary.starts_at ?? '') || now
  if (summary.already_occurring || starts <= now) {
    const turn = turnOf(nowcast.points, type, now, ends ?? Number.POSITIVE_INFINITY)
    const end = ends
      ? `ending in about ${duration(ends - now)}`
      : turn
        ? 'no end within 90 minutes'
        : 'for at least 90 minutes'
    return `${what} now, ${turn}${end}.`
  }
  return `${what} in about ${duration(starts - now)}${ends ? `, for about ${duration(ends - starts)}` : ''}.`
}

const kindOf = (type: string) => names[type] ?? type.replaceAll('_', ' ')

/** Another type that falls for two steps at least, or to the end; empty where there is none. */
function turnOf(points: Nowcast['points'], type: string, now: number, end: number): string {
  const steps = points.filter(({ time }) => Date.parse(time) > now && Date.parse(time) < end)
  const other = steps.find(
    (step, i) =>
      step.type !== type &&
      !['none', 'no_coverage', 'unknown'].includes(step.type) &&
      (steps[i + 1]?.type ?? step.type) === step.type,
  )
  return other ? `turning to ${kindOf(other.type)} in about ${duration(Date.parse(other.time) - now)}, ` : ''
}

function extremes({ units }: PageWeather, hours: readonly Hour[], clock: Clock, now: number): string | undefined {
  const metric = units?.temperature === 'C'
  const most = (name: 'feels_like' | 'wind_gust', sign: number) =>
    hours.filter((hour) => isNumber(hour[name])).sort((a, b) => sign * (Number(b[name]) - Number(a[name])))[0]
  const hottest = most('feels_like', 1)
  if (hottest && Number(hottest.feels_like) >= (metric ? 35 : 95))
    return `Feels like ${degrees(hottest.feels_like)} by ${clock.hourNear(hottest.time, now)}.`
  const coldest = most('feels_like', -1)
  if (coldest && Number(coldest.feels_like) <= (metric ? -15 : 5))
    return `Feels like ${degrees(coldest.feels_like)} by ${clock.hourNear(coldest.time, now)}.`
  const gust = most('wind_gust', 1)
  if (gust && Number(gust.wind_gust) >= (metric ? 60 : 38))
    return `Gusts to ${Math.round(Number(gust.wind_gust))} ${metric ? 'km/h' : 'mph'} around ${clock.hourNear(gust.time, now)}.`
  return undefined
}

function rainLater(hours: readonly Hour[], clock: Clock, now: number): string | undefined {
  const wet = hours.find(({ precip_probability }) => Number(precip_probability ?? 0) >= 50)
  if (!wet) return undefined
  const what =
    names[wet.precip_type ?? ''] ?? (wet.precip_type && wet.precip_type !== 'none' ? wet.precip_type : 'rain')
  return `${capital(what)} likely around ${clock.hourNear(wet.time, now)} (${Math.round(wet.precip_probability!)}%).`
}

function quiet({ daily, current }: PageWeather): string {
  const today = daily?.find(({ relative_day }) => relative_day === 0) ?? daily?.[0]
  const words = current?.conditions ?? today?.conditions
  const range = today && isNumber(today.high) ? `, high ${degrees(today.high)}` : ''
  return words ? `${words}${range}; no precipitation expected soon.` : 'No forecast is available just now.'
}

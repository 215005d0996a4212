import { HOUR } from '../../../ingest/domain/time.ts'
import type { Alert, Hour, Nowcast, PageWeather } from './api.ts'
import { type Clock, degrees, duration, isNumber } from './format.ts'

const severities = ['Unknown', 'Minor', 'Moderate', 'Severe', 'Extreme']
export const bySeverity = (a: Alert, b: Alert) => severities.indexOf(b.severity) - severities.indexOf(a.severity)
const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

export interface Statement {
  readonly text: string
  /** Severity of the alert; absent for other statements. */
  readonly severity?: string
}

/** The most important facts in one or two short sentences: warnings, precipitation within 90 minutes, heat, cold, wind, rain later. */
export function statements(weather: PageWeather, clock: Clock, now: number): Statement[] {
  const thunder = /thunder/i.test(weather.current?.conditions ?? '')
  const alert = warning(weather.alerts, clock, now)
  const parts = [alert?.text, rainNow(weather.nowcast, now, thunder)].filter((part) => part !== undefined)
  const hours = (weather.hourly ?? []).filter(({ time }) => Date.parse(time) > now - HOUR).slice(0, 24)
  if (parts.length < 2) {
    const hasRain = rainNow(weather.nowcast, now) !== undefined
    const more = [hasRain ? undefined : rainLater(hours, clock, now), extremes(weather, hours, clock, now)]
    parts.push(...more.filter((part) => part !== undefined).slice(0, 2 - parts.length))
  }
  if (parts.length === 0) parts.push(weather.narrations?.current ?? quiet(weather))
  return parts.map((text) => (alert?.text === text ? alert : { text }))
}

function warning(alerts: readonly Alert[] | undefined, clock: Clock, now: number): Statement | undefined {
  if (!alerts) return { text: 'Alerts could not be read just now: this is no all-clear.' }
  const [first, ...further] = [...alerts].sort(bySeverity)
  if (!first) return undefined
  const more = further.length > 0 ? `, and ${further.length} more alert${further.length > 1 ? 's' : ''}` : ''
  const from = Date.parse(first.onset) > now ? ` from ${clock.near(first.onset, now)}` : ''
  return { text: `${first.event}${from} until ${clock.near(first.ends, now)}${more}.`, severity: first.severity }
}

const names: Readonly<Record<string, string>> = {
  freezing_rain: 'freezing rain',
  wintry_mix: 'wintry mix',
  unknown: 'precipitation',
}

/**
 * The precipitation that radar shows now or expects within 90 minutes; undefined if there is none.
 * @param thunder true if the current conditions are thunderstorms, so that rain is reported as thunderstorms
 */
export function rainNow(nowcast: Nowcast | undefined, now: number, thunder = false): string | undefined {
  const summary = nowcast?.summary
  // Without radar coverage the type is unknown and no start is given, which says nothing about precipitation.
  if (!summary || summary.type === 'none' || !(summary.already_occurring || summary.starts_at)) return undefined
  // The summary has the main type of the whole period; the current type is that of the running step.
  const running = nowcast.points.findLast(({ time }) => Date.parse(time) <= now) ?? nowcast.points[0]
  const first = summary.already_occurring ? running?.type : undefined
  const type = first && first !== 'none' && first !== 'no_coverage' ? first : summary.type
  const isStorm = thunder && type === 'rain' && summary.already_occurring
  const name = isStorm ? 'Thunderstorms' : capital(kindOf(type))
  const ends = summary.ends_at ? Date.parse(summary.ends_at) : undefined
  const starts = Date.parse(summary.starts_at ?? '') || now
  if (summary.already_occurring || starts <= now) {
    const turn = turnOf(nowcast.points, type, now, ends ?? Number.POSITIVE_INFINITY)
    const end = ends
      ? `ending in about ${duration(ends - now)}`
      : turn
        ? 'no end within 90 minutes'
        : 'for at least 90 minutes'
    return `${name} now, ${turn}${end}.`
  }
  return `${name} in about ${duration(starts - now)}${ends ? `, for about ${duration(ends - starts)}` : ''}.`
}

const kindOf = (type: string) => names[type] ?? type.replaceAll('_', ' ')

/** The change to another type that lasts at least two steps or to the end, as text; empty if there is none. */
function turnOf(points: Nowcast['points'], type: string, now: number, end: number): string {
  const steps = points.filter(({ time }) => Date.parse(time) > now && Date.parse(time) < end)
  const change = steps.find(
    (step, i) =>
      step.type !== type &&
      !['none', 'no_coverage', 'unknown'].includes(step.type) &&
      (steps[i + 1]?.type ?? step.type) === step.type,
  )
  return change ? `turning to ${kindOf(change.type)} in about ${duration(Date.parse(change.time) - now)}, ` : ''
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
  const wetHour = hours.find(({ precip_probability }) => Number(precip_probability ?? 0) >= 50)
  if (!wetHour) return undefined
  const { time, precip_type: type, precip_probability: chance } = wetHour
  const name = names[type ?? ''] ?? (type && type !== 'none' ? type : 'rain')
  return `${capital(name)} likely around ${clock.hourNear(time, now)} (${Math.round(Number(chance))}%).`
}

/** The statement for a day without special weather. */
function quiet({ daily, current }: PageWeather): string {
  const today = daily?.find(({ relative_day }) => relative_day === 0) ?? daily?.[0]
  const words = current?.conditions ?? today?.conditions
  const range = today && isNumber(today.high) ? `, high ${degrees(today.high)}` : ''
  return words ? `${words}${range}; no precipitation expected soon.` : 'No forecast is available just now.'
}

import { nth } from '../../domain/nth.ts'
import { DAY, type Instant, MINUTE } from '../../domain/time.ts'
import type { MetarReport, ObservationRejection, RejectedReport, SkyLayer } from '../../domain/weather/observation.ts'
import {
  isPresentWeather,
  layerOf,
  pressureOf,
  type Temperatures,
  temperaturesOf,
  tenthsOf,
  visibilityOf,
  type Wind,
  windOf,
} from './metar-groups.ts'

/** Maximum length of a report. The longest of 14,000 real reports has 225 characters. */
const MAX_RAW = 1000
const MAX_LAYERS = 12
const MAX_WEATHER = 12
/** Maximum difference, °C, between a `T` group and the rounded temperature of the body. Beyond it the `T` group is ignored. */
const MAX_TENTHS_DIFFERENCE = 0.6

const BODY_END = /^(?:RMK|TEMPO|BECMG|NOSIG|INTER$|PROB\d\d$)/

export type DecodedMetar = { readonly report: MetarReport } | { readonly rejected: RejectedReport }

/**
 * Decodes a raw METAR or SPECI. It never throws: a text that is not a valid report gives the reason of its rejection.
 * @param near the report has only day, hour and minute; the month and year are those that give the time nearest to this
 */
export function decodeMetar(text: string, near: Instant): DecodedMetar {
  const refuse = (reason: ObservationRejection): DecodedMetar => ({
    rejected: { reason, detail: text.slice(0, 120) },
  })
  if (text.length > MAX_RAW) return refuse('too_long')
  const raw = text
    .trim()
    .replace(/\s+/g, ' ')
    .replace(/(?<!=)=+$/, '')
    .trimEnd()
  const tokens = raw.split(' ')
  let at = 0
  let type: MetarReport['type'] = 'METAR'
  let corrected = false
  for (; at < tokens.length; at++) {
    if (tokens[at] === 'SPECI') type = 'SPECI'
    else if (tokens[at] === 'COR') corrected = true
    else if (tokens[at] !== 'METAR') break
  }
  const station = tokens[at] ?? ''
  if (!/^[A-Z][A-Z0-9]{3}$/.test(station)) return refuse('no_station')
  const observedAt = timeOf(tokens[at + 1] ?? '', near)
  if (observedAt === undefined) return refuse('no_time')

  const end = tokens.findIndex((token, index) => index > at + 1 && BODY_END.test(token))
  const body = tokens.slice(at + 2, end < 0 ? undefined : end)
  if (body.includes('NIL')) return refuse('nil')
  const groups = readBody(body)
  const exact = tokens
    .slice(at + 2)
    .reduce<Temperatures | undefined>((known, token) => known ?? tenthsOf(token), undefined)
  const temperature = preferTenths(exact?.temperature, groups.temperatures?.temperature)
  const dewPoint = preferTenths(exact?.dewPoint, groups.temperatures?.dewPoint)
  const { wind, visibility = null, pressure = null, layers } = groups
  const sky = layers?.some(({ cover, convective }) => cover !== '///' || convective !== undefined)
  const measured = [wind?.speed, wind?.direction, visibility, temperature, dewPoint, pressure]
  if (!sky && measured.every((value) => value === null || value === undefined)) return refuse('empty')
  return {
    report: {
      station,
      observedAt,
      type,
      corrected: corrected || groups.corrected,
      auto: body.includes('AUTO'),
      raw,
      temperature,
      dewPoint: temperature !== null && dewPoint !== null && dewPoint > temperature ? null : dewPoint,
      windDirection: wind?.direction ?? null,
      windSpeed: wind?.speed ?? null,
      windGust: wind?.gust ?? null,
      visibility,
      pressure,
      ...(layers ? { layers } : {}),
      weather: groups.weather,
    },
  }
}

interface ReportBody {
  wind?: Wind
  visibility?: number | null
  pressure?: number | null
  temperatures?: Temperatures
  layers?: SkyLayer[]
  weather: string[]
  corrected: boolean
}

/**
 * Reads the body; the first occurrence of each group counts. Weather, visibility and sky groups are read only before temperature and
 * pressure.
 */
function readBody(tokens: readonly string[]): ReportBody {
  const body: ReportBody = { weather: [], corrected: false }
  const layers: SkyLayer[] = []
  for (let at = 0; at < tokens.length; at++) {
    const token = nth(tokens, at)
    if (token === 'COR' || /^CC[A-Z]$/.test(token)) {
      body.corrected = true
      continue
    }
    if (body.wind === undefined && (body.wind = windOf(token))) continue
    const temperatures = body.temperatures ? undefined : temperaturesOf(token)
    if (temperatures) {
      // `/////` may be a missing wind or temperature, so a later group with values replaces it.
      if (temperatures.temperature !== null || temperatures.dewPoint !== null) body.temperatures = temperatures
      continue
    }
    const pressure = pressureOf(token)
    if (pressure !== undefined) {
      body.pressure ??= pressure
      continue
    }
    if (body.temperatures || body.pressure !== undefined) continue
    if (token === 'CAVOK') body.visibility ??= 10_000
    const visibility = body.visibility === undefined ? visibilityOf(tokens, at) : undefined
    if (visibility) {
      body.visibility = visibility.meters
      at += visibility.tokens - 1
      continue
    }
    const layer = layerOf(token)
    if (layer) {
      if (layers.length < MAX_LAYERS) layers.push(layer)
    } else if (isPresentWeather(token) && body.weather.length < MAX_WEATHER) body.weather.push(token)
  }
  const clouds = layers.filter(({ cover }) => cover !== 'CLR')
  if (layers.length > 0) body.layers = clouds.length > 0 ? clouds : [{ cover: 'CLR' }]
  return body
}

function preferTenths(exact: number | null | undefined, rounded: number | null | undefined): number | null {
  if (rounded === null || rounded === undefined) return null
  if (exact === null || exact === undefined) return rounded
  return Math.abs(exact - rounded) <= MAX_TENTHS_DIFFERENCE + 1e-9 ? exact : rounded
}

/** Returns the time `ddhhmmZ` that is nearest to `near`; the day may belong to the previous or next month. */
function timeOf(token: string, near: Instant): Instant | undefined {
  const part = /^(\d\d)(\d\d)(\d\d)Z$/.exec(token)
  if (!part) return undefined
  const [day, hour, minute] = [Number(part[1]), Number(part[2]), Number(part[3])]
  if (day < 1 || day > 31 || hour > 23 || minute > 59) return undefined
  const clock = (hour * 60 + minute) * MINUTE
  const there = new Date(near)
  let best: Instant | undefined
  for (const offset of [-1, 0, 1]) {
    const date = Date.UTC(there.getUTCFullYear(), there.getUTCMonth() + offset, 1) + (day - 1) * DAY
    // This month does not have that day.
    if (new Date(date).getUTCDate() !== day) continue
    const instant = date + clock
    if (best === undefined || Math.abs(instant - near) < Math.abs(best - near)) best = instant
  }
  return best
}

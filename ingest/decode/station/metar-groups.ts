/** Readers of the groups in the body of a METAR, one function per group (WMO-No. 306 FM 15 and Federal Meteorological Handbook No. 1). */
import { nth } from '../../domain/nth.ts'
import {
  METERS_PER_MILE,
  METERS_PER_SECOND_PER_KNOT,
  PASCALS_PER_INCH,
  type SkyCover,
  type SkyLayer,
} from '../../domain/weather/observation.ts'

export interface Wind {
  readonly direction: number | null
  readonly speed: number | null
  readonly gust: number | null
}

const WIND = /^(\d{3}|VRB|\/{3})P?(\d{2,3}|\/\/)(?:GP?(\d{2,3}|\/\/))?(KTS?|MPS|KMH|KPH)$/
/**
 * Maximum plausible wind, m/s, above the highest ever measured at a surface station (113 m/s). A larger number is an error of the sensor or
 * the coder.
 */
const MAX_WIND = 115

/** Returns the wind of a token; undefined if the token is not a wind group. */
export function windOf(token: string): Wind | undefined {
  const part = WIND.exec(token)
  if (!part) return undefined
  const unit = part[4] === 'MPS' ? 1 : nth(part, 4).startsWith('KT') ? METERS_PER_SECOND_PER_KNOT : 1 / 3.6
  const speed = speedOf(part[2], unit)
  const gust = speedOf(part[3], unit)
  const degrees = /^\d/.test(nth(part, 1)) ? Number(part[1]) : null
  return {
    direction: degrees === null || degrees > 360 || speed === 0 ? null : degrees,
    speed,
    gust: gust === null || speed === null || gust < speed ? null : gust,
  }
}

function speedOf(digits: string | undefined, unit: number): number | null {
  if (digits === undefined || digits === '//') return null
  const speed = Number(digits) * unit
  return speed > MAX_WIND ? null : speed
}

/** The visibility in m, or null if the group has no value; and the number of its tokens. */
export interface Visibility {
  readonly meters: number | null
  readonly tokens: number
}

const MILES = /^([MP]?)(?:(\d{1,3})|(\d{1,2})\/(\d{1,2}))$/
const METRIC = /^[MP]?(\d{4})(?:NDV|[NS][EW]?|[EW])?$/
const MAX_MILES = 100

/** Reads the visibility that begins at `tokens[at]`, such as `10SM`, `1 1/2SM`, `M1/4SM`, `10 SM`, `9999`, `0800NE` or `////`. */
export function visibilityOf(tokens: readonly string[], at: number): Visibility | undefined {
  const [first = '', second = '', third = ''] = tokens.slice(at, at + 3)
  if (first === '////' || first === '////SM') return { meters: null, tokens: 1 }
  if (first.endsWith('SM')) return inMiles(first.slice(0, -2), 1)
  if (/^\d{1,2}$/.test(first) && second.includes('/')) {
    const fraction = second.endsWith('SM') ? second.slice(0, -2) : third === 'SM' ? second : undefined
    const part = fraction === undefined ? undefined : inMiles(fraction, second.endsWith('SM') ? 2 : 3)
    if (part && part.meters !== null) return { ...part, meters: part.meters + Number(first) * METERS_PER_MILE }
  }
  if (second === 'SM') return inMiles(first, 2)
  if (/^\d{1,2}KM$/.test(first)) return { meters: Number(first.slice(0, -2)) * 1000, tokens: 1 }
  const metric = METRIC.exec(first)
  if (!metric) return undefined
  return { meters: metric[1] === '9999' ? 10_000 : Number(metric[1]), tokens: 1 }
}

function inMiles(text: string, tokens: number): Visibility | undefined {
  const part = MILES.exec(text)
  if (!part) return undefined
  let miles = Number(part[2])
  if (part[2] === undefined) {
    const bottom = Number(part[4])
    if (bottom === 0) return { meters: null, tokens }
    // The space may be missing: `11/2SM` means 1 1/2.
    const lost = nth(part, 3).length === 2 && Number(part[3]) >= bottom
    miles = lost ? Number(nth(part, 3)[0]) + Number(nth(part, 3)[1]) / bottom : Number(part[3]) / bottom
  }
  return { meters: miles > MAX_MILES ? null : miles * METERS_PER_MILE, tokens }
}

const LAYER = /^(FEW|SCT|BKN|OVC|VV)(\d{3}|\/{3})?(CB|TCU|\/{3})?(?:ST|SC|CU|AC|AS|NS|CI|CC|CS)?$/
const UNKNOWN_LAYER = /^\/{3}(\d{3}|\/{3})?(CB|TCU|\/{3})?$/
const CLEAR = new Set(['CLR', 'SKC', 'NSC', 'NCD', 'CAVOK'])

export function layerOf(token: string): SkyLayer | undefined {
  if (CLEAR.has(token)) return { cover: 'CLR' }
  const named = LAYER.exec(token)
  // `///` alone is a missing colour state or weather group, not a cloud layer.
  const part = named ?? (token.length > 3 ? UNKNOWN_LAYER.exec(token) : null)
  if (!part) return undefined
  const [base, kind] = named ? [part[2], part[3]] : [part[1], part[2]]
  return {
    cover: named ? (part[1] as SkyCover) : '///',
    ...(base !== undefined && base !== '///' ? { base_ft: Number(base) * 100 } : {}),
    ...(kind === 'CB' || kind === 'TCU' ? { convective: kind } : {}),
  }
}

export interface Temperatures {
  readonly temperature: number | null
  readonly dewPoint: number | null
}

const BODY_TEMPERATURES = /^([M-]?\d\d|\/\/|XX)\/([M-]?\d{1,2}|\/\/|XX)?$/

export function temperaturesOf(token: string): Temperatures | undefined {
  const part = BODY_TEMPERATURES.exec(token)
  return part ? { temperature: wholeDegrees(part[1]), dewPoint: wholeDegrees(part[2]) } : undefined
}

function wholeDegrees(text: string | undefined): number | null {
  if (text === undefined || text === '//' || text === 'XX') return null
  // `M00` means a temperature between -0.5 and 0. It is read as zero, not as minus zero.
  return /^[M-]/.test(text) ? 0 - Number(text.slice(1)) : Number(text)
}

const TENTHS = /^T([01])(\d{3})(?:([01])(\d{3})|\/{4})?$/

/** Reads the `T` group of the remarks, which has 0.1 °C. */
export function tenthsOf(token: string): Temperatures | undefined {
  const part = TENTHS.exec(token)
  if (!part) return undefined
  const value = (sign: string | undefined, digits: string | undefined) =>
    digits === undefined ? null : sign === '1' ? 0 - Number(digits) / 10 : Number(digits) / 10
  return { temperature: value(part[1], part[2]), dewPoint: value(part[3], part[4]) }
}

/** Reads the altimeter setting in Pa: null if the group has no usable value, undefined if the token is another group. */
export function pressureOf(token: string): number | null | undefined {
  const part = /^(?:(A|Q)(\d{4})|QNH(\d{4})(?:INS)?|[AQ]\/{4})$/.exec(token)
  if (!part) return /^[AQ]\d{1,3}\/{0,2}$/.test(token) ? null : undefined
  const digits = Number(part[2] ?? part[3] ?? Number.NaN)
  const inches = part[1] === 'A' || (part[3] !== undefined && digits > 2000)
  const pascals = inches ? (digits / 100) * PASCALS_PER_INCH : digits * 100
  return pascals >= 85_000 && pascals <= 110_000 ? pascals : null
}

const PRESENT_WEATHER =
  /^(?:[-+]?VC|[-+])?((?:MI|PR|BC|DR|BL|SH|TS|FZ){0,2})((?:DZ|RA|SN|SG|IC|PL|PE|GR|GS|UP|BR|FG|FU|VA|DU|SA|HZ|PY|PO|SQ|FC|SS|DS){0,4})$/

/** Returns whether a token is a present-weather group. Only `TS` and `SH` may occur without a phenomenon. */
export function isPresentWeather(token: string): boolean {
  if (token.length > 14) return false
  const part = PRESENT_WEATHER.exec(token)
  return part !== null && (part[2] !== '' || /(?:TS|SH)$/.test(nth(part, 1)))
}

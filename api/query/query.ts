import { LRUCache } from 'lru-cache'
import { z } from 'zod'
import { MAX_PAST_HOURS } from '../../ingest/domain/dataset/history.ts'
import { Fault } from '../../ingest/domain/fault.ts'
import { edits } from '../../ingest/domain/nearest.ts'
import { parseInstant } from '../../ingest/domain/time.ts'
import { parseCoordinates } from '../../ingest/geo/gazetteer.ts'
import type { UnitSystem } from '../present/units.ts'
import { isPlainText } from './printable.ts'

export const includeTokens = [
  'current',
  'hourly',
  'daily',
  'alerts',
  'outlooks',
  'astro',
  'narrations',
  'guidance',
  'discussions',
  'nowcast',
  'radar',
  'climate',
  'metar',
  'uncertainty',
  'provenance',
] as const
export type IncludeToken = (typeof includeTokens)[number]
export const defaultInclude = 'current,hourly,daily,alerts,outlooks,astro'

/** A decimal number without exponent. Linear: digits can be matched in one way only. */
export const decimal = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)$/
/** Characters of one parameter; `points` has a bound of its own. The longest that is valid names 20 variables. */
const MAX_TEXT_LENGTH = 2000
const toNumber = (value: unknown) =>
  typeof value === 'string' && decimal.test(value.trim()) ? Number(value.trim()) : value
const whole = (least: number, most: number, fallback: number, description: string) =>
  z
    .preprocess(toNumber, z.number().int().min(least).max(most))
    .default(fallback)
    .meta({
      description,
      wanted: `a whole number from ${least} to ${most}`,
    })
const degrees = (most: number, description: string) =>
  z
    .preprocess(toNumber, z.number().min(-most).max(most))
    .optional()
    .meta({ description, wanted: `degrees from -${most} to ${most}` })

/** An instant with its offset, as milliseconds; undefined where it was not given. */
export const instantShape = (description: string) =>
  z
    .string()
    .max(40)
    .optional()
    .transform((text, context) => {
      if (text === undefined) return undefined
      const at = parseInstant(text)
      if (Number.isFinite(at)) return at
      context.addIssue({ code: 'custom', message: `"${text}"` })
      return z.NEVER
    })
    .meta({ description, wanted: 'an instant such as 2026-08-20T12:00:00Z', format: 'date-time' })

export const asOfShape = instantShape(
  'The answer as it was given at this instant, such as the meta.generated_at of an earlier answer; absent: now',
)

/** A point that distinguishes places of one name. */
export const nearShape = z
  .string()
  .max(60)
  .transform((text, context) => {
    const point = parseCoordinates(text)
    if (point) return point
    context.addIssue({ code: 'custom', message: displayed(text) })
    return z.NEVER
  })
  .optional()
  .meta({
    description: 'lat,lon: of places of one name the nearer counts for more',
    wanted: 'latitude,longitude such as 39.74,-104.99',
  })

/** The place: exactly one of `lat`+`lon`, `location`, `zip`. */
export const selectorShape = {
  lat: degrees(90, 'Latitude in degrees, with lon; rounded to 4 decimals'),
  lon: degrees(180, 'Longitude in degrees, with lat; rounded to 4 decimals'),
  location: z.string().trim().min(1).max(200).refine(isPlainText).optional().meta({
    description: 'Place: "Denver, CO", "Denver", a US ZIP code, or "39.74,-104.99"',
    wanted: 'a place name of 1 to 200 characters, such as Denver, CO',
  }),
  zip: z
    .preprocess((value) => (typeof value === 'number' ? String(value).padStart(5, '0') : value), z.string())
    .pipe(z.string().regex(/^\d{5}(-\d{4})?$/))
    .optional()
    .meta({
      description: 'US ZIP code: 80202 or 80202-1234',
      wanted: 'a US ZIP code such as 80202 or 80202-1234',
      pattern: '^\\d{5}(-\\d{4})?$',
    }),
  near: nearShape,
}

const MAX_SHARED_SETS = 256
const sets = new LRUCache<string, ReadonlySet<IncludeToken>>({ max: MAX_SHARED_SETS })

/** Requests with the same tokens share a set, by which the answer remembers what it derives from it. */
function sharedSet(tokens: readonly IncludeToken[]): ReadonlySet<IncludeToken> {
  const text = tokens.join()
  let set = sets.get(text)
  if (!set) sets.set(text, (set = new Set(tokens)))
  return set
}

/** Options of the answer. Every member has a default. */
export const weatherShape = {
  units: z
    .enum(['imperial', 'metric'])
    .default('imperial')
    .meta({ description: 'System of units', wanted: 'imperial or metric' }),
  include: z
    .string()
    .default(defaultInclude)
    .transform((text, context) => {
      const tokens = text.split(',').map((token) => token.trim())
      const unknown = tokens.filter((token) => !includeTokens.includes(token as IncludeToken))
      if (unknown.length) {
        context.addIssue({ code: 'custom', message: `unknown ${unknown.map((token) => `"${token}"`).join(', ')}` })
        return z.NEVER
      }
      return sharedSet(tokens as IncludeToken[])
    })
    .meta({
      description: `Sections, separated by commas: ${includeTokens.join(', ')}`,
      wanted: `tokens separated by commas out of ${includeTokens.join(', ')}`,
      pattern: `^ *(${includeTokens.join('|')}) *(, *(${includeTokens.join('|')}) *)*$`,
    }),
  view: z
    .enum(['detailed', 'concise'])
    .default('detailed')
    .meta({ description: 'Every column of hourly and daily, or a subset', wanted: 'detailed or concise' }),
  alert_detail: z.enum(['concise', 'full']).default('concise').meta({
    description: 'full: alerts with description, instruction and geometry; concise: with a link to them',
    wanted: 'concise or full',
  }),
  days: whole(1, 14, 10, 'Number of daily rows; a row of the current night (relative_day -1) is not counted'),
  hourly_hours: whole(1, 336, 48, 'Horizon of the hourly rows in hours, before rows are dropped'),
  hourly_step: whole(1, 24, 1, 'Keep every Nth hourly row'),
  hourly_step_from: whole(0, 336, 0, 'Row from which hourly_step applies; those before all stay'),
  past_hours: whole(
    0,
    MAX_PAST_HOURS,
    0,
    'Hourly rows before the current one, of analyses and measured amounts; of these hourly_step keeps every Nth, counted back from the current row',
  ),
}

export const weatherSchema = z.object({ ...selectorShape, ...weatherShape })

/** Validated options of a request; the place is resolved separately. */
export interface WeatherQuery {
  readonly units: UnitSystem
  readonly include: ReadonlySet<IncludeToken>
  readonly view: 'detailed' | 'concise'
  readonly alertDetail: 'concise' | 'full'
  readonly days: number
  readonly hourlyHours: number
  readonly hourlyStep: number
  readonly hourlyStepFrom: number
  /** Rows before the current one. */
  readonly pastHours: number
}

export type Selector =
  | { readonly kind: 'point'; readonly lat: number; readonly lon: number }
  | { readonly kind: 'place'; readonly text: string; readonly near?: { readonly lat: number; readonly lon: number } }
  | { readonly kind: 'zip'; readonly zip: string }

export interface WeatherRequest {
  readonly selector: Selector
  readonly query: WeatherQuery
}

type Raw = Readonly<Record<string, unknown>>
type QueryShape = Readonly<Record<string, z.ZodType>>

/**
 * Reads query parameters (or members of a body) by a shape. Names all faults at once.
 * @throws Fault Invalid: parameter, wanted, got; an unknown one with the nearest known
 */
export function parseParameters<S extends QueryShape>(shape: S, raw: Raw): z.output<z.ZodObject<S>> {
  const known = Object.keys(shape)
  const faults: { readonly field: string; readonly text: string }[] = []
  for (const name of Object.keys(raw)) {
    if (!known.includes(name)) {
      const shown = displayed(name.slice(0, 60))
      faults.push({
        field: shown.slice(1, -1),
        text: `unknown parameter ${shown}: did you mean "${meantBy(name, known)}"?`,
      })
    }
  }
  const refuse = (field: string, wanted: string, got: string) =>
    faults.push({ field, text: `${field}: wanted ${wanted}; got ${got}.` })
  const values: Record<string, unknown> = {}
  for (const name of known) {
    const text = raw[name]
    if (typeof text === 'string' && !isPlainText(text)) {
      refuse(name, 'text without control characters', displayed(text))
      continue
    }
    if (typeof text === 'string' && text.length > MAX_TEXT_LENGTH) {
      refuse(name, `at most ${MAX_TEXT_LENGTH} characters`, String(text.length))
      continue
    }
    const parsed = text === undefined ? absent(shape[name]!) : shape[name]!.safeParse(text)
    if (parsed.success) {
      values[name] = parsed.data
      continue
    }
    const wanted = (shape[name]!.meta() as { wanted?: string } | undefined)?.wanted ?? 'another value'
    const custom = parsed.error.issues.find((issue) => issue.code === 'custom')
    refuse(name, wanted, custom ? custom.message : `${displayed(text)}${nearestHint(parsed.error, text)}`)
  }
  if (faults.length) throw new Fault('Invalid', faults.map(({ text }) => text).join(' '), { field: faults[0]!.field })
  return values as z.output<z.ZodObject<S>>
}

/** The nearest of the words that a parameter may be; empty where it is no choice of words. */
function nearestHint({ issues }: z.ZodError, text: unknown): string {
  const choice = issues.find((issue) => issue.code === 'invalid_value')?.values.filter((one) => typeof one === 'string')
  return typeof text === 'string' && choice && choice.length > 1 ? `, nearest: ${nearestWord(text, choice)}` : ''
}

/** Defaults of parameters that were not given: parsed once, since most parameters of a request are absent. */
const defaults = new WeakMap<z.ZodType, ReturnType<z.ZodType['safeParse']>>()

function absent(type: z.ZodType): ReturnType<z.ZodType['safeParse']> {
  let parsed = defaults.get(type)
  if (!parsed) defaults.set(type, (parsed = type.safeParse(undefined)))
  return parsed
}

const parameters = { ...selectorShape, ...weatherShape }

/** The parameters of `GET /v1/weather`. @throws Fault Invalid */
export function parseWeather(raw: Raw): WeatherRequest {
  const values = parseParameters(parameters, raw)
  return { selector: selectorOf(values), query: queryOf(values) }
}

export function queryOf(values: z.output<z.ZodObject<typeof weatherShape>>): WeatherQuery {
  return {
    units: values.units,
    include: values.include,
    view: values.view,
    alertDetail: values.alert_detail,
    days: values.days,
    hourlyHours: values.hourly_hours,
    hourlyStep: values.hourly_step,
    hourlyStepFrom: values.hourly_step_from,
    pastHours: values.past_hours,
  }
}

/** Exactly one selector. @throws Fault Invalid */
export function selectorOf(values: z.output<z.ZodObject<typeof selectorShape>>): Selector {
  const { lat, lon, location, zip, near } = values
  const point = lat !== undefined || lon !== undefined
  const given = Number(point) + Number(location !== undefined) + Number(zip !== undefined)
  if (given !== 1 || (point && (lat === undefined || lon === undefined))) {
    throw new Fault(
      'Invalid',
      `wanted exactly one of lat with lon, location, or zip; got ${
        Object.entries({ lat, lon, location, zip })
          .filter(([, value]) => value !== undefined)
          .map(([name]) => name)
          .join(' and ') || 'none'
      }. Provide location OR zip OR lat with lon, such as lat=39.74&lon=-104.99.`,
      { field: 'lat' },
    )
  }
  if (zip !== undefined) return { kind: 'zip', zip }
  return location === undefined
    ? { kind: 'point', lat: fourth(lat!), lon: fourth(lon!) }
    : placeSelector(location, near)
}

function placeSelector(location: string, near: z.output<typeof nearShape>): Selector {
  const pair = /^([+-]?\d+(?:\.\d+)?)\s*,\s*([+-]?\d+(?:\.\d+)?)$/.exec(location)
  if (pair) {
    const lat = Number(pair[1])
    const lon = Number(pair[2])
    if (Math.abs(lat) > 90 || Math.abs(lon) > 180) {
      throw new Fault('Invalid', `location: wanted latitude,longitude in degrees; got "${location}".`, {
        field: 'location',
      })
    }
    return { kind: 'point', lat: fourth(lat), lon: fourth(lon) }
  }
  return /^\d{5}(-\d{4})?$/.test(location)
    ? { kind: 'zip', zip: location }
    : { kind: 'place', text: location, ...(near && { near }) }
}

/** About 11 m: nearby requests share an answer. Never -0. */
export function fourth(degrees: number): number {
  return Math.round(degrees * 1e4) / 1e4 + 0
}

/** A value of a request for a message: shortened, without control characters. */
export function displayed(value: unknown): string {
  if (Array.isArray(value)) return `a list of ${value.length}`
  if (typeof value === 'object' && value !== null) return 'an object'
  const text = typeof value === 'string' ? `"${value.slice(0, 100)}"` : String(value)
  const safe = text.replace(/[\p{Cc}\p{Cf}]/gu, '�')
  return safe.length > 80 ? `${safe.slice(0, 77)}…"` : safe
}

/** Names that other weather services and maps give to the same parameter. */
const aliases: Readonly<Record<string, string>> = {
  ...{ latitude: 'lat', y: 'lat', longitude: 'lon', long: 'lon', lng: 'lon', x: 'lon' },
  ...{ q: 'location', query: 'location', place: 'location', city: 'location', address: 'location', name: 'location' },
  ...{ zipcode: 'zip', zip_code: 'zip', postal_code: 'zip', postalcode: 'zip', postcode: 'zip' },
  ...{
    forecast_days: 'days',
    forecast_hours: 'hourly_hours',
    history_hours: 'past_hours',
    unit: 'units',
    unit_system: 'units',
  },
  ...{ state: 'area', bounds: 'bbox', box: 'bbox', f: 'format', dataset: 'dataset_id', model: 'dataset_id' },
}

function meantBy(name: string, known: readonly string[]): string {
  const folded = name.toLowerCase().replaceAll('-', '_')
  const alias = Object.hasOwn(aliases, folded) ? aliases[folded]! : undefined
  return alias !== undefined && known.includes(alias) ? alias : nearestWord(name, known)
}

/** The known word with the smallest edit distance (insertion, deletion, substitution, transposition). */
export function nearestWord(word: string, known: readonly string[]): string {
  let best = known[0]!
  let least = Number.POSITIVE_INFINITY
  for (const candidate of known) {
    const distance = edits(word.slice(0, 60).toLowerCase(), candidate.toLowerCase())
    if (distance < least) {
      least = distance
      best = candidate
    }
  }
  return best
}

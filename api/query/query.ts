import { LRUCache } from 'lru-cache'
import { z } from 'zod'
import { MAX_PAST_HOURS } from '../../ingest/domain/dataset/history.ts'
import { Fault } from '../../ingest/domain/fault.ts'
import { edits, nearest } from '../../ingest/domain/nearest.ts'
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

/** A decimal number without exponent. The expression is linear: digits match in only one way. */
export const decimal = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)$/
/** Characters of one parameter; `points` has its own limit. The longest valid parameter names 20 variables. */
const MAX_TEXT_LENGTH = 2000
const toNumber = (value: unknown) =>
  typeof value === 'string' && decimal.test(value.trim()) ? Number(value.trim()) : value
const integer = (least: number, most: number, fallback: number, description: string) =>
  z
    .preprocess(toNumber, z.number().int().min(least).max(most))
    .default(fallback)
    .meta({
      description,
      expected: `a whole number from ${least} to ${most}`,
    })
const degrees = (most: number, description: string) =>
  z
    .preprocess(toNumber, z.number().min(-most).max(most))
    .optional()
    .meta({ description, expected: `a number of degrees from -${most} to ${most}` })

/** Schema of an instant with its offset, parsed to milliseconds since 1970; undefined if it is absent. */
export const instantShape = (description: string) =>
  z
    .string()
    .max(40)
    .optional()
    .transform((text, context) => {
      if (text === undefined) return undefined
      const at = parseInstant(text)
      if (Number.isFinite(at)) return at
      context.addIssue({ code: 'custom', message: displayed(text) })
      return z.NEVER
    })
    .meta({ description, expected: 'an instant such as 2026-08-20T12:00:00Z', format: 'date-time' })

export const asOfShape = instantShape(
  'Instant whose answer is returned, such as the meta.generated_at of an earlier answer; default: now',
)

/** A point that decides between places with the same name. */
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
    description: 'lat,lon: among places with the same name, nearer places are preferred',
    expected: 'latitude,longitude such as 39.74,-104.99',
  })

/** Parameters of a place: exactly one of `lat`+`lon`, `location`, `zip`. */
export const selectorShape = {
  lat: degrees(90, 'Latitude in degrees, with lon; rounded to 4 decimals'),
  lon: degrees(180, 'Longitude in degrees, with lat; rounded to 4 decimals'),
  location: z.string().trim().min(1).max(200).refine(isPlainText).optional().meta({
    description: 'Place: "Denver, CO", "Denver", a US ZIP code, or "39.74,-104.99"',
    expected: 'a place name of 1 to 200 characters, such as Denver, CO',
  }),
  zip: z
    .preprocess((value) => (typeof value === 'number' ? String(value).padStart(5, '0') : value), z.string())
    .pipe(z.string().regex(/^\d{5}(-\d{4})?$/))
    .optional()
    .meta({
      description: 'US ZIP code: 80202 or 80202-1234',
      expected: 'a US ZIP code such as 80202 or 80202-1234',
      pattern: '^\\d{5}(-\\d{4})?$',
    }),
  near: nearShape,
}

const MAX_SHARED_SETS = 256
const sets = new LRUCache<string, ReadonlySet<IncludeToken>>({ max: MAX_SHARED_SETS })

/** Returns one set for all requests with the same tokens, because answers cache what they derive from a set. */
function sharedSet(tokens: readonly IncludeToken[]): ReadonlySet<IncludeToken> {
  const text = tokens.join()
  let set = sets.get(text)
  if (!set) sets.set(text, (set = new Set(tokens)))
  return set
}

/** Parameters of the answer. Every parameter has a default. */
export const weatherShape = {
  units: z
    .enum(['imperial', 'metric'])
    .default('imperial')
    .meta({ description: 'System of units', expected: 'imperial or metric' }),
  include: z
    .string()
    .default(defaultInclude)
    .transform((text, context) => {
      const tokens = text.split(',').map((token) => token.trim())
      const unknown = tokens.filter((token) => !includeTokens.includes(token as IncludeToken))
      if (unknown.length) {
        context.addIssue({ code: 'custom', message: unknown.map(displayed).join(', ') })
        return z.NEVER
      }
      return sharedSet(tokens as IncludeToken[])
    })
    .meta({
      description: `Sections, separated by commas: ${includeTokens.join(', ')}`,
      expected: `one or more of ${includeTokens.join(', ')}, separated by commas`,
      pattern: `^ *(${includeTokens.join('|')}) *(, *(${includeTokens.join('|')}) *)*$`,
    }),
  view: z.enum(['detailed', 'concise']).default('detailed').meta({
    description: 'detailed: every column of hourly and daily; concise: a subset',
    expected: 'detailed or concise',
  }),
  alert_detail: z.enum(['concise', 'full']).default('concise').meta({
    description: 'full: alerts with description, instruction and geometry; concise: alerts with a link to these',
    expected: 'concise or full',
  }),
  days: integer(1, 14, 10, 'Number of daily rows; a row for the current night (relative_day -1) is not counted'),
  hourly_hours: integer(1, 336, 48, 'Horizon of the hourly rows in hours, before hourly_step drops rows'),
  hourly_step: integer(1, 24, 1, 'Keep every Nth hourly row'),
  hourly_step_from: integer(0, 336, 0, 'Row from which hourly_step applies; all rows before it stay'),
  past_hours: integer(
    0,
    MAX_PAST_HOURS,
    0,
    'Hourly rows before the running hour, from analyses and measured amounts; the last of them is the hour that ended last. hourly_step keeps every Nth of them, counted back from the running hour',
  ),
}

export const weatherSchema = z.object({ ...selectorShape, ...weatherShape })

/** Validated parameters of an answer; the place is resolved separately. */
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

/** The first sentences of a message about one value: what it must be, and what it was. @param actual text as `displayed` returns it */
const mustBe = (name: string, expected: string, actual: string) => `\`${name}\` must be ${expected}, but was ${actual}.`

/** The message about one value of a request: what it must be, what it was, and what to do. */
export const mismatchText = (name: string, expected: string, actual: string): string =>
  `${mustBe(name, expected, actual)} Change \`${name}\` and try again.`

/** The fault of one parameter, or of one member of a body. @param actual text as `displayed` returns it */
export const invalidValue = (name: string, expected: string, actual: string): Fault =>
  new Fault('Invalid', mismatchText(name, expected, actual), { field: name })

/**
 * Parses query parameters, or members of a body, by a shape.
 * @throws Fault Invalid that names every wrong value and every unknown parameter, with the nearest known name
 */
export function parseParameters<S extends QueryShape>(shape: S, raw: Raw): z.output<z.ZodObject<S>> {
  const known = Object.keys(shape)
  const faults: { readonly field: string; readonly text: string }[] = []
  for (const name of Object.keys(raw)) {
    if (!known.includes(name)) {
      const field = displayed(name.slice(0, 60)).slice(1, -1)
      faults.push({ field, text: `Unknown parameter \`${field}\`: did you mean \`${meantBy(name, known)}\`?` })
    }
  }
  const reject = (field: string, expected: string, actual: string) =>
    faults.push({ field, text: mustBe(field, expected, actual) })
  const values: Record<string, unknown> = {}
  for (const [name, schema] of Object.entries(shape)) {
    const text = raw[name]
    if (typeof text === 'string' && !isPlainText(text)) {
      reject(name, 'text without control characters', displayed(text))
      continue
    }
    if (typeof text === 'string' && text.length > MAX_TEXT_LENGTH) {
      reject(name, `at most ${MAX_TEXT_LENGTH} characters long`, `${text.length} characters long`)
      continue
    }
    const parsed = text === undefined ? parsedDefault(schema) : schema.safeParse(text)
    if (parsed.success) {
      values[name] = parsed.data
      continue
    }
    const expected = (schema.meta() as { expected?: string } | undefined)?.expected ?? 'a valid value'
    const custom = parsed.error.issues.find((issue) => issue.code === 'custom')
    reject(name, expected, custom ? custom.message : `${displayed(text)}${nearestHint(parsed.error, text)}`)
  }
  const [first] = faults
  if (first) {
    const names = faults.map(({ field }) => `\`${field}\``).join(' and ')
    const message = `${faults.map(({ text }) => text).join(' ')} Change ${names} and try again.`
    throw new Fault('Invalid', message, { field: first.field })
  }
  return values as z.output<z.ZodObject<S>>
}

/** Returns a hint with the nearest allowed word; empty if the parameter is not a choice of words. */
function nearestHint({ issues }: z.ZodError, text: unknown): string {
  const choice = issues
    .find((issue) => issue.code === 'invalid_value')
    ?.values.filter((word) => typeof word === 'string')
  return typeof text === 'string' && choice && choice.length > 1 ? ` (nearest: ${nearestWord(text, choice)})` : ''
}

/** Defaults of absent parameters. They are parsed once, because most parameters of a request are absent. */
const defaults = new WeakMap<z.ZodType, ReturnType<z.ZodType['safeParse']>>()

function parsedDefault(type: z.ZodType): ReturnType<z.ZodType['safeParse']> {
  let parsed = defaults.get(type)
  if (!parsed) defaults.set(type, (parsed = type.safeParse(undefined)))
  return parsed
}

const parameters = { ...selectorShape, ...weatherShape }

/** Parses the parameters of `GET /v1/weather`. @throws Fault Invalid */
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

/** Returns the selector of a place. @throws Fault Invalid unless there is exactly one */
export function selectorOf(values: z.output<z.ZodObject<typeof selectorShape>>): Selector {
  const { lat, lon, location, zip, near } = values
  const names = Object.entries({ lat, lon, location, zip }).flatMap(([name, value]) =>
    value === undefined ? [] : name,
  )
  if (names.length === 1 && zip !== undefined) return { kind: 'zip', zip }
  if (names.length === 1 && location !== undefined) return placeSelector(location, near)
  if (names.length === 2 && lat !== undefined && lon !== undefined)
    return { kind: 'point', lat: fourth(lat), lon: fourth(lon) }
  throw new Fault(
    'Invalid',
    `The place must be exactly one of \`lat\` with \`lon\`, \`location\`, or \`zip\`, but was ${
      names.map((name) => `\`${name}\``).join(' and ') || 'absent'
    }. Provide location OR zip OR lat with lon, such as lat=39.74&lon=-104.99.`,
    { field: 'lat' },
  )
}

function placeSelector(location: string, near: z.output<typeof nearShape>): Selector {
  const pair = /^([+-]?\d+(?:\.\d+)?)\s*,\s*([+-]?\d+(?:\.\d+)?)$/.exec(location)
  if (pair) {
    const lat = Number(pair[1])
    const lon = Number(pair[2])
    if (Math.abs(lat) > 90 || Math.abs(lon) > 180) {
      throw invalidValue('location', 'latitude,longitude in degrees', displayed(location))
    }
    return { kind: 'point', lat: fourth(lat), lon: fourth(lon) }
  }
  return /^\d{5}(-\d{4})?$/.test(location)
    ? { kind: 'zip', zip: location }
    : { kind: 'place', text: location, ...(near && { near }) }
}

/** Rounds to 4 decimals, about 11 m, so that nearby requests share an answer. Never returns -0. */
export function fourth(degrees: number): number {
  return Math.round(degrees * 1e4) / 1e4 + 0
}

/** Returns a value of a request for use in a message: quoted if it is text, shortened, without control characters. */
export function displayed(value: unknown): string {
  if (Array.isArray(value)) return `a list of ${value.length}`
  if (typeof value === 'object' && value !== null) return 'an object'
  const text = typeof value === 'string' ? `"${value.slice(0, 100)}"` : String(value)
  const safe = text.replace(/[\p{Cc}\p{Cf}]/gu, '�')
  return safe.length > 80 ? `${safe.slice(0, 77)}…"` : safe
}

/** Names of the same parameters in other weather services and maps. */
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
  const normalized = name.toLowerCase().replaceAll('-', '_')
  const alias = Object.hasOwn(aliases, normalized) ? aliases[normalized] : undefined
  return alias !== undefined && known.includes(alias) ? alias : nearestWord(name, known)
}

/**
 * Returns the known word that is most similar, or else the one with the smallest edit distance (insertion, deletion, substitution,
 * transposition); empty if no word is known.
 */
export function nearestWord(word: string, known: readonly string[]): string {
  const [similar] = nearest(word, known, 1)
  if (similar !== undefined) return similar
  let [best = ''] = known
  let least = Number.POSITIVE_INFINITY
  const start = word.slice(0, 60).toLowerCase()
  for (const candidate of known) {
    // Words differ by at least the difference of their lengths.
    if (Math.abs(start.length - candidate.length) >= least) continue
    const distance = edits(start, candidate.toLowerCase())
    if (distance < least) {
      least = distance
      best = candidate
    }
  }
  return best
}

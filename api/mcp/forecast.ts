import { isFault } from '../../ingest/domain/fault.ts'
import { findZip, parseCoordinates } from '../../ingest/geo/gazetteer.ts'
import { type Resolved, resolve } from '../place.ts'
import type { UnitSystem } from '../present/units.ts'
import { fourth, type IncludeToken, parseWeather, type Selector, type WeatherQuery } from '../query.ts'
import type { ToolContext } from './context.ts'
import { ToolError } from './error.ts'
import { metaOf } from './reply.ts'
import type { ToolMeta } from './tool.ts'

export interface PlaceInput {
  readonly location?: string
  readonly lat?: number
  readonly lon?: number
}

/** A point with its name, or the refusal that an assistant can mend. */
export interface Spot {
  readonly selector: Selector
  readonly resolved: Resolved
  readonly location: { readonly lat: number; readonly lon: number; readonly name: string }
  readonly timezone: string
}

const ONE_PLACE = 'Provide location OR lat+lon, not both.'

/** @throws ToolError bad-request, not-found, ambiguous-place, outside-coverage */
export function findSpot(input: PlaceInput, field = 'location'): Spot {
  const point = input.lat !== undefined || input.lon !== undefined
  if (point === (input.location !== undefined) || (point && (input.lat === undefined || input.lon === undefined))) {
    const got = Object.entries({ location: input.location, lat: input.lat, lon: input.lon }).filter(
      ([, value]) => value !== undefined,
    )
    throw new ToolError(
      'bad-request',
      `A place is one of location, or lat with lon; got ${got.map(([name]) => name).join(' and ') || 'nothing'}. ${ONE_PLACE}`,
      'call again with one of the two, for example location "Denver, CO".',
      { field, got: Object.fromEntries(got) },
    )
  }
  const selector: Selector = point
    ? { kind: 'point', lat: fourth(input.lat as number), lon: fourth(input.lon as number) }
    : selectorOf(input.location as string)
  try {
    const resolved = resolve(selector)
    const { name, region, timezone } = resolved.place
    return {
      selector,
      resolved,
      location: { lat: resolved.lat, lon: resolved.lon, name: region ? `${name}, ${region}` : name },
      timezone,
    }
  } catch (error) {
    throw refused(error, input, field)
  }
}

/** A place of a list that lies outside: it keeps its row, and says so. */
export interface Outside {
  readonly lat: number
  readonly lon: number
  readonly name: string
}

/** One place of a list. @throws ToolError bad-request, not-found, ambiguous-place */
export function spotOrOutside(
  input: PlaceInput,
  field: string,
): { readonly spot: Spot } | { readonly outside: Outside } {
  try {
    return { spot: findSpot(input, field) }
  } catch (error) {
    if (!(error instanceof ToolError) || error.code !== 'outside-coverage') throw error
    const { location = '' } = input
    const at = parseCoordinates(location) ?? findZip(location) ?? { lat: input.lat ?? 0, lon: input.lon ?? 0 }
    const [lat, lon] = [fourth(at.lat), fourth(at.lon)]
    return { outside: { lat, lon, name: location.trim() || `${lat}, ${lon}` } }
  }
}

function selectorOf(location: string): Selector {
  try {
    return parseWeather({ location }).selector
  } catch (error) {
    throw refused(error, { location }, 'location')
  }
}

function refused(error: unknown, input: PlaceInput, field: string): unknown {
  if (!isFault(error)) return error
  const got = input.location?.replace(/\s+/g, ' ') ?? `${input.lat},${input.lon}`
  if (error.details['slug'] === 'outside-coverage') {
    return new ToolError(
      'outside-coverage',
      `${got} is outside the coverage, which is the 50 US states and DC.`,
      'tell the user; do not retry, this does not change for a place.',
      { field, got, allowed: '50 US states and DC' },
    )
  }
  const several = /called "[^"]*": (.*?)\. Add the state/.exec(error.message)
  if (several) {
    const suggestions = several[1].split('; ').slice(0, 5)
    return new ToolError(
      'ambiguous-place',
      `"${got}" may be ${suggestions.join('; ')}.`,
      'ask the user which one, then call again with it as location.',
      { field, got, suggestions },
    )
  }
  if (error.kind === 'Missing') {
    const near = /Nearest names: (.*?)\.(?: Ask|$)/.exec(error.message)?.[1]?.split('; ').slice(0, 5) ?? []
    return new ToolError(
      'not-found',
      `No place in the 50 US states and DC is called "${got}".${near.length > 0 ? ` Nearest: ${near.join('; ')}.` : ''}`,
      'call again with a place, a ZIP code or coordinates; search_locations finds places by name.',
      { field, got, suggestions: near },
    )
  }
  return new ToolError('bad-request', error.message, `mend ${field} and call again.`, { field, got })
}

export interface Forecast {
  readonly spot: Spot
  /** The answer of the pipeline: the Weather object of REST. */
  readonly weather: Readonly<Record<string, unknown>> & { readonly units: Readonly<Record<string, string>> }
  readonly meta: ToolMeta
}

/** Whether "no alerts" may be said: the feed was read, and not too long ago. An empty list is worth nothing otherwise. */
export function alertsKnown({ freshness }: ToolMeta): boolean {
  const read = freshness.find(({ product_id }) => product_id === 'nws-alerts')
  return typeof read?.age_seconds === 'number' && read.age_seconds <= CONFIRMED_SECONDS
}

/** A feed that was confirmed longer ago cannot say that there is nothing. */
export const CONFIRMED_SECONDS = 300

export interface ForecastAsk {
  readonly units?: UnitSystem
  readonly include: readonly IncludeToken[]
  readonly days?: number
  readonly hours?: number
  readonly step?: number
  readonly stepFrom?: number
  readonly concise?: boolean
}

/** Answers that a tool gave before; kept no longer than the cache keeps them. */
const given = new WeakSet<object>()

/** The published answer for a place, by the pipeline and the cache of REST. */
export async function forecastAt(context: ToolContext, spot: Spot, ask: ForecastAsk): Promise<Forecast> {
  const query: WeatherQuery = {
    units: ask.units ?? 'imperial',
    include: new Set(ask.include),
    view: ask.concise ? 'concise' : 'detailed',
    days: ask.days ?? 10,
    hourlyHours: ask.hours ?? 48,
    hourlyStep: ask.step ?? 1,
    hourlyStepFrom: ask.stepFrom ?? 0,
  }
  const answer = await context.parts.weather.answer({ selector: spot.selector, query }, context.now)
  context.reused(given.has(answer))
  given.add(answer)
  context.signal.throwIfAborted()
  const weather = answer.value() as Forecast['weather'] & Parameters<typeof metaOf>[0]
  return { spot, weather, meta: metaOf(weather) }
}

/** Of an alert in a list: who says what, how grave, and until when. */
export const briefAlert = [
  'id',
  'event',
  'severity',
  'urgency',
  'certainty',
  'headline',
  'onset',
  'ends',
  'expiration',
  'sender',
] as const

/** Members of a row, those that are named and there. */
export function pick(row: Readonly<Record<string, unknown>>, names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(names.filter((name) => row[name] !== undefined).map((name) => [name, row[name]]))
}

export type Row = Record<string, unknown>
export const rowsOf = (value: unknown): Row[] => (Array.isArray(value) ? (value as Row[]) : [])

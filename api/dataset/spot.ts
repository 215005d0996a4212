import { isFault } from '../../ingest/domain/fault.ts'
import { pause } from '../../ingest/domain/pacer.ts'
import { findZip, parseCoordinates } from '../../ingest/geo/gazetteer.ts'
import type { Resolved } from '../query/location.ts'
import { resolve } from '../query/location.ts'
import type { PlaceFaultDetails } from '../query/place-fault.ts'
import type { Selector } from '../query/query.ts'
import { fourth, parseWeather } from '../query/query.ts'
import { QueryError } from './error.ts'

/** A resolved place with its point and name. */
export interface Spot {
  readonly selector: Selector
  readonly resolved: Resolved
  readonly location: { readonly lat: number; readonly lon: number; readonly name: string }
  readonly timezone: string
}

export interface PlaceInput {
  readonly location?: string
  readonly lat?: number
  readonly lon?: number
}

export const ONE_PLACE = 'Provide location OR lat+lon, not both.'

/** Resolves one place. @throws QueryError bad-request, not-found, ambiguous-place, outside-coverage */
export function findSpot(input: PlaceInput, field = 'location'): Spot {
  const hasPoint = input.lat !== undefined || input.lon !== undefined
  if (
    hasPoint === (input.location !== undefined) ||
    (hasPoint && (input.lat === undefined || input.lon === undefined))
  ) {
    const fields = Object.entries({ location: input.location, lat: input.lat, lon: input.lon }).filter(
      ([, value]) => value !== undefined,
    )
    throw new QueryError(
      'bad-request',
      `A place must be either location, or lat with lon, but the call has ${fields.map(([name]) => name).join(' and ') || 'neither'}. ${ONE_PLACE}`,
      'ask the user for their location if it is not known, then call again with one of the two, for example location "Denver, CO".',
      { field, got: Object.fromEntries(fields) },
    )
  }
  const selector: Selector = hasPoint
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

/**
 * Throws for a county, because the alerts at one of its points are not the alerts of the whole county. @throws
 * QueryError ambiguous-place
 */
export function requirePoint({ location, resolved: { countyZone } }: Spot): void {
  if (!countyZone) return
  throw new QueryError(
    'ambiguous-place',
    `${location.name} is a county, and its alerts differ from place to place.`,
    `call search_alerts with zone "${countyZone}" for the whole county, or call again with a town in it.`,
    { field: 'location', got: location.name },
  )
}

/** The result for one place of a list. A failure is a result, so that the other places can still be answered. */
export type SpotResult =
  | { readonly status: 'ok'; readonly spot: Spot; readonly location: Spot['location'] }
  | {
      readonly status: 'outside_coverage'
      /** Absent if only the name of the place is known. */
      readonly location?: Spot['location']
      readonly failure: PlaceFailure
    }
  | { readonly status: 'not_found' | 'ambiguous'; readonly failure: PlaceFailure }

/** Coordinates and name of a place of a list; the coordinates are null if only its name is known. */
export function shownPlace(result: SpotResult): { lat: number | null; lon: number | null; name: string } {
  if ('location' in result && result.location) return result.location
  return { lat: null, lon: null, name: 'failure' in result ? result.failure.query : '' }
}

export interface PlaceFailure {
  /** The name in the request. */
  readonly query: string
  /** The reason, in one sentence. */
  readonly message: string
  /** Possible places, each usable as `location`. */
  readonly candidates: readonly string[]
}

/** Resolves one place of a list. @throws QueryError bad-request if the input does not describe one place */
export function resolveSpot(input: PlaceInput, field: string): SpotResult {
  try {
    const spot = findSpot(input, field)
    return { status: 'ok', spot, location: spot.location }
  } catch (error) {
    if (!(error instanceof QueryError) || error.code === 'bad-request') throw error
    const { location = '' } = input
    const query = location.trim() || `${input.lat}, ${input.lon}`
    const failure = { query, message: error.message, candidates: error.details.suggestions ?? [] }
    if (error.code === 'ambiguous-place') return { status: 'ambiguous', failure }
    if (error.code !== 'outside-coverage') return { status: 'not_found', failure }
    const at = parseCoordinates(location) ?? findZip(location) ?? pointOf(input)
    if (!at) return { status: 'outside_coverage', failure }
    const [lat, lon] = [fourth(at.lat), fourth(at.lon)]
    return { status: 'outside_coverage', location: { lat, lon, name: query }, failure }
  }
}

const pointOf = ({ lat, lon }: PlaceInput) => (lat === undefined || lon === undefined ? undefined : { lat, lon })

/**
 * Resolves all places of a list, with pauses, because 500 take 50 ms. @throws QueryError the error of the first place
 * if no place could be resolved
 */
export async function findEach(inputs: readonly PlaceInput[], field: string): Promise<SpotResult[]> {
  const results: SpotResult[] = []
  for (const [i, input] of inputs.entries()) {
    await pause()
    results.push(resolveSpot(input, `${field}.${i}`))
  }
  const hasPlace = results.some((result) => result.status === 'ok' || 'location' in result)
  if (!hasPlace) findSpot(inputs[0] ?? {}, `${field}.0`)
  return results
}

export function selectorOf(location: string): Selector {
  try {
    return parseWeather({ location }).selector
  } catch (error) {
    throw refused(error, { location }, 'location')
  }
}

export function refused(error: unknown, input: PlaceInput, field: string): unknown {
  if (!isFault(error)) return error
  const text = input.location?.replaceAll(/\s/g, ' ') ?? `${input.lat},${input.lon}`
  const { slug, reason, labelled = [], sentence, next } = error.details as PlaceFaultDetails & { reason?: string }
  const suggestions = labelled.slice(0, 5)
  if (slug === 'outside-coverage') {
    const where = reason ? ` (it is ${reason})` : ''
    return new QueryError(
      'outside-coverage',
      sentence ?? `${text} is outside the coverage, which is the 50 US states and DC${where}.`,
      next ?? 'tell the user; do not retry, since the coverage does not change.',
      { field, got: text, allowed: '50 US states and DC', ...(suggestions.length > 0 && { suggestions }) },
    )
  }
  if (sentence && next)
    return new QueryError(error.kind === 'Missing' ? 'not-found' : 'ambiguous-place', sentence, next, {
      field,
      got: text,
      suggestions,
    })
  if (error.kind === 'Missing')
    return new QueryError(
      'not-found',
      `No place in the 50 US states and DC is called "${text}".`,
      'call again with a place, a ZIP code or coordinates; search_locations finds places by name.',
      { field, got: text, suggestions },
    )
  return new QueryError('bad-request', error.message, `correct ${field} and call again.`, { field, got: text })
}

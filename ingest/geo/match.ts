import type { Abroad } from './abroad.ts'
import type { Feature } from './feature.ts'
import type { NamedArea } from './named-area.ts'
import { countyAt, placeAt } from './place.ts'
import { countyPopulations, type Populated } from './populated.ts'
import { distanceKm } from './sphere.ts'

/** A place that a text names. */
export interface PlaceMatch {
  readonly kind: 'place' | 'zip' | 'coordinates' | 'feature'
  readonly name: string
  readonly state: string
  readonly county?: string
  readonly zip?: string
  readonly lat: number
  readonly lon: number
  readonly population: number | null
  readonly timezone?: string
  /** Kind of a feature: airport, county, park, summit, lake, … */
  readonly feature?: string
  /** How the name matches the text of a search. */
  readonly fit?: NameFit
}

/**
 * How a name matches: `exact` is the place's own name, `other` another name of it, `prefix` the beginning of its name, `similar` a
 * misspelling of its name.
 */
export type NameFit = 'exact' | 'other' | 'prefix' | 'similar'

/** Result of a place selector. */
export type Reading =
  | {
      readonly kind: 'found'
      readonly match: PlaceMatch
      /** If the larger of two places was chosen: the next place with the name. */
      readonly assumed?: PlaceMatch
      /** Whether the text is not the own name but another name of the place. */
      readonly isOtherName?: boolean
      /** A city outside coverage that has the same name. */
      readonly abroad?: Abroad
      /** A state that has the same name. */
      readonly area?: NamedArea
    }
  | {
      readonly kind: 'ambiguous'
      readonly candidates: readonly PlaceMatch[]
      /** How many more places have the name. */
      readonly more?: number
      readonly abroad?: Abroad
      readonly area?: NamedArea
    }
  /** The text names a state, a region or the country; the namesakes are towns with the name. */
  | { readonly kind: 'area'; readonly area: NamedArea; readonly namesakes: readonly PlaceMatch[] }
  /** The text names a place outside coverage. */
  | { readonly kind: 'abroad'; readonly abroad: Abroad; readonly namesakes: readonly PlaceMatch[] }
  | {
      readonly kind: 'unknown'
      readonly nearest: readonly PlaceMatch[]
      /** A state whose name the text may misspell. */
      readonly area?: NamedArea
    }

export const MAX_CANDIDATES = 5

/** The reading of a name that several places have, the first of them as candidates. */
export function ambiguous(matches: readonly PlaceMatch[]): Reading & { readonly kind: 'ambiguous' } {
  const more = matches.length - MAX_CANDIDATES
  return { kind: 'ambiguous', candidates: matches.slice(0, MAX_CANDIDATES), ...(more > 0 && { more }) }
}

/** Maximum distance between the points of one lake that lies in two states, km. */
const SAME_WATER_KM = 30

/**
 * Returns the reading of features that share a name.
 * @param features features with one name, prominent features first
 */
export function featureReading(features: readonly Feature[]): Reading | undefined {
  const [first, second] = features
  if (!first) return undefined
  if (!second || (first.prominent && !second.prominent)) return { kind: 'found', match: featureMatch(first) }
  if (
    features.filter(({ prominent }) => prominent).length === 2 &&
    first.kind === second.kind &&
    distanceKm(first.lat, first.lon, second.lat, second.lon) < SAME_WATER_KM
  )
    return { kind: 'found', match: featureMatch(first), assumed: featureMatch(second) }
  const isCounty = features.every(({ kind }) => kind === 'county')
  return ambiguous((isCounty ? largestFirst(features) : features).map(featureMatch))
}

/** Sorts counties by the people of the towns in them. */
function largestFirst(features: readonly Feature[]): Feature[] {
  const people = countyPopulations()
  const peopleOf = new Map(
    features.map((feature) => [feature, people.get(countyAt(feature.lat, feature.lon)?.fips ?? '') ?? 0]),
  )
  return features.toSorted((a, b) => (peopleOf.get(b) ?? 0) - (peopleOf.get(a) ?? 0))
}

export function featureMatch({ name, kind, state, lat, lon }: Feature): PlaceMatch {
  const known = placeAt(lat, lon)
  return {
    kind: 'feature',
    feature: kind,
    name,
    state,
    ...(known?.county && { county: known.county }),
    ...(known?.zip && { zip: known.zip }),
    lat,
    lon,
    population: null,
    ...(known && { timezone: known.timezone }),
  }
}

export function placeMatch(place: Populated): PlaceMatch {
  const known = placeAt(place.lat, place.lon)
  return {
    kind: 'place',
    name: place.name,
    state: place.state,
    ...(known?.county && { county: known.county }),
    ...(known?.zip && { zip: known.zip }),
    lat: place.lat,
    lon: place.lon,
    population: place.population,
    ...(known && { timezone: known.timezone }),
  }
}

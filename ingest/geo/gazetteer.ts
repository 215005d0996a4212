import { airportOf, featuresByName, SMALL_TOWN } from './airport.ts'
import { parseCoordinates } from './coordinates.ts'
import { type Feature, featuresBeginning } from './feature.ts'
import { featureMatch, type NameFit, type PlaceMatch, placeMatch } from './match.ts'
import { placeAt } from './place.ts'
import type { Populated } from './populated.ts'
import { aliasMatch } from './resolve.ts'
import { readings } from './state-name.ts'
import { townsAlsoNamed, townsBeginning, townsNamed, townsSpelledLike, weight } from './town-name.ts'
import { findZip, zipMatch } from './zip-match.ts'

export { parseCoordinates } from './coordinates.ts'
export type { NameFit, PlaceMatch, Reading } from './match.ts'
export { resolvePlace } from './resolve.ts'
export { findZip } from './zip-match.ts'

/**
 * Searches for places while the user types. Places with exactly this name come first. Places with this text as another name, as a prefix or
 * as a misspelling follow; each has its `fit`. Within a group the largest place comes first.
 */
export function findPlaces(text: string, limit = 10): PlaceMatch[] {
  const point = parseCoordinates(text)
  if (point) return pointMatch(point)
  const zip = findZip(text)
  if (zip !== undefined) return zip ? [{ ...zipMatch(zip), fit: 'exact' }] : []
  const read = readings(text)
  const airport = airportOf(text.trim())
  const exactTowns = new Map(
    read.flatMap(({ name, state }) => townsNamed(name, state)).map((place) => [place.index, place]),
  )
  const exactFeatures = airport ? [airport] : read.flatMap(({ name, state }) => featuresByName(name, state))
  const ranked: { place: Populated; fit: NameFit }[] = []
  for (const [fit, more] of [
    ['other', townsAlsoNamed],
    ['prefix', townsBeginning],
    ['similar', townsSpelledLike],
  ] as const) {
    if (exactTowns.size + ranked.length >= limit) break
    const further = new Map<number, Populated>()
    for (const { name, state } of read)
      for (const place of more(name, state).filter(isNotable(fit, state)))
        if (!exactTowns.has(place.index) && !ranked.some((known) => known.place.index === place.index))
          further.set(place.index, place)
    for (const place of [...further.values()].sort((a, b) => weight(b) - weight(a))) ranked.push({ place, fit })
  }
  const furtherFeatures: Feature[] = []
  if (exactFeatures.length === 0 && exactTowns.size + ranked.length < limit)
    for (const { name, state } of read)
      if (name.length >= 3) furtherFeatures.push(...featuresBeginning(name, limit, state))
  const towns = [...exactTowns.values()].sort((a, b) => weight(b) - weight(a))
  const isLarge = ({ population }: Populated) => population >= SMALL_TOWN
  const exact = (place: Populated): PlaceMatch => ({ ...placeMatch(place), fit: 'exact' })
  const feature = (fit: NameFit) => (place: Feature) =>
    place.kind === 'alias' ? { ...aliasMatch(place), fit: 'other' as const } : { ...featureMatch(place), fit }
  const matches = [
    ...(airport ? [feature('exact')(airport)] : []),
    ...towns.filter(isLarge).map(exact),
    ...exactFeatures.filter(({ prominent }) => prominent && !airport).map(feature('exact')),
    ...towns.filter((place) => !isLarge(place)).map(exact),
    ...exactFeatures.filter(({ prominent }) => !prominent && !airport).map(feature('exact')),
    ...ranked.filter(({ place }) => isLarge(place)).map(({ place, fit }) => ({ ...placeMatch(place), fit })),
    ...furtherFeatures.filter(({ prominent }) => prominent).map(feature('prefix')),
    ...ranked.filter(({ place }) => !isLarge(place)).map(({ place, fit }) => ({ ...placeMatch(place), fit })),
    ...furtherFeatures.filter(({ prominent }) => !prominent).map(feature('prefix')),
  ]
  return [...new Map(matches.toReversed().map((match) => [`${match.name} ${match.lat} ${match.lon}`, match])).values()]
    .toReversed()
    .slice(0, limit)
}

/** Population below which other names of a place are ignored if the text has no state, because many of them are names of something else. */
const LISTED_NAME_POPULATION = 50_000
const isNotable = (fit: NameFit, state: string | undefined) => (place: Populated) =>
  fit !== 'other' || state !== undefined || place.population >= LISTED_NAME_POPULATION

function pointMatch({ lat, lon }: { lat: number; lon: number }): PlaceMatch[] {
  const place = placeAt(lat, lon)
  if (!place) return []
  const { name, state, county, zip, population, timezone } = place
  return [{ kind: 'coordinates', lat, lon, name, state, county, zip, population, timezone, fit: 'exact' }]
}

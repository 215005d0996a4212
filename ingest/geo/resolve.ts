import { edits } from '../domain/nearest.ts'
import { areaAbroad, cityAbroad, placeAbroad } from './abroad.ts'
import { airportOf, featuresByName, SMALL_TOWN } from './airport.ts'
import { MAX_PLACE_LENGTH, parseCoordinates } from './coordinates.ts'
import { type Feature, featuresBeginning, featuresNamed } from './feature.ts'
import { fold } from './fold.ts'
import {
  ambiguous,
  featureMatch,
  featureReading,
  MAX_CANDIDATES,
  type PlaceMatch,
  placeMatch,
  type Reading,
} from './match.ts'
import { areaNamed, type NamedArea, stateSpelledLike } from './named-area.ts'
import type { Populated } from './populated.ts'
import { distanceKm } from './sphere.ts'
import { type NameReading, namesCountry, readings } from './state-name.ts'
import { townsAlsoNamed, townsBeginning, townsNamed, townsSpelledLike, weight } from './town-name.ts'
import { findZip, zipAfterState, zipMatch } from './zip-match.ts'

/** Ratio of populations from which a bare name means the largest place, compared with the next place of the name. */
const PLAIN = 5
/**
 * Distance in km from which an island takes precedence over a place that formerly had its name: `St. Paul, AK` is a former name of Kodiak,
 * but means the island in the Pribilofs.
 */
const SAME_PLACE_KM = 100
/** Population above which a name means the city instead of the state: New York means the city, Washington the state. */
const NAMED_LIKE_STATE = 5_000_000
/** Population below which a city is not assumed if a well-known foreign city has its name: London, KY has 8,000 people. */
const NAMESAKE_POPULATION = 100_000
/** Ratio of populations from which a well-known foreign city makes the name of a large city ambiguous. */
const LARGER_ABROAD = 3
/** Population from which a city can be named by another name without its state. */
const OTHER_NAME_POPULATION = 100_000
/** A small town in the same state is this near to a feature of its name if it is named after it, km. */
const SAME_NAME_KM = 25
const MAX_SUGGESTIONS = 3

/**
 * Resolves the text of `location`. The kinds are tried in this order: point, ZIP code, airport code, state or region, place, foreign place.
 */
export function resolvePlace(text: string): Reading {
  if (text.length > MAX_PLACE_LENGTH) return { kind: 'unknown', nearest: [] }
  const trimmed = text.trim()
  const open = trimmed.lastIndexOf('(')
  const labelledPoint = open > 0 && trimmed.endsWith(')') ? parseCoordinates(trimmed.slice(open)) : undefined
  if (labelledPoint) return namedAt(trimmed.slice(0, open).trim(), labelledPoint)
  const point = parseCoordinates(text)
  if (point)
    return { kind: 'found', match: { kind: 'coordinates', name: text.trim(), state: '', population: null, ...point } }
  const zip = findZip(text)
  if (zip !== undefined) {
    const abroad = placeAbroad(text)
    if (abroad) return { kind: 'abroad', abroad, namesakes: [] }
    return zip ? { kind: 'found', match: zipMatch(zip) } : { kind: 'unknown', nearest: [] }
  }
  const after = zipAfterState(trimmed)
  if (after) return { kind: 'found', match: zipMatch(after) }
  const area = areaNamed(trimmed)
  // IND means the airport, not Indiana. USA is not an airport.
  const airport = area && area.kind !== 'state' ? undefined : airportOf(trimmed)
  if (airport) return { kind: 'found', match: featureMatch(airport) }
  if (area) return areaReading(area, readings(text)[0]?.name ?? '')
  return named(trimmed)
}

/**
 * Resolves `Springfield, MO (37.2153, -93.2982)`, the form in which candidates are offered, as the place with that name at the point, or
 * otherwise as the point.
 */
function namedAt(name: string, { lat, lon }: { lat: number; lon: number }): Reading {
  for (const reading of readings(name)) {
    const there = [...townsNamed(reading.name, reading.state), ...townsAlsoNamed(reading.name, reading.state)].find(
      (place) => Math.abs(place.lat - lat) < 0.01 && Math.abs(place.lon - lon) < 0.01,
    )
    if (there) return { kind: 'found', match: placeMatch(there) }
  }
  return { kind: 'found', match: { kind: 'coordinates', name: name.trim(), state: '', population: null, lat, lon } }
}

function named(text: string): Reading {
  const read = readings(text)
  const isOurs = namesCountry(text)
  const abroad = isOurs ? undefined : placeAbroad(text)
  const isNamedWhole = text.includes(',') || areaAbroad(read[0]?.name ?? '') !== undefined
  if (abroad && abroad.kind !== 'city' && isNamedWhole) {
    const towns = townsNamed(read[0]?.name ?? '').slice(0, MAX_CANDIDATES)
    const namesakes = towns.map(placeMatch)
    if (!towns[0] || weight(towns[0]) < NAMESAKE_POPULATION) return { kind: 'abroad', abroad, namesakes }
    return { kind: 'ambiguous', candidates: namesakes, abroad }
  }
  for (const reading of read) {
    const exact = exactReading(reading)
    if (exact) return reading.state || isOurs ? exact : besideAbroad(exact, reading.name)
  }
  if (abroad?.kind === 'city' && !abroad.isWellKnown) {
    const other = otherReading(read)
    if (other?.kind === 'found' && (other.match.population ?? 0) > abroad.population) return other
  }
  if (abroad) return { kind: 'abroad', abroad, namesakes: [] }
  return otherReading(read) ?? unknownReading(text, read)
}

/** Resolves the name of a state or region. If people usually mean a city with that name, the result is the city. */
function areaReading(area: NamedArea, name: string): Reading {
  if (area.kind !== 'state') return { kind: 'area', area, namesakes: townsNamed(name).slice(0, 3).map(placeMatch) }
  const alias = aliasReading(featuresNamed(name))
  if (alias) return { ...alias, area }
  const [code = ''] = area.states
  const [city] = townsAlsoNamed(name, code)
  if (city && city.population > NAMED_LIKE_STATE) return { kind: 'found', match: placeMatch(city), area }
  const namesakes = townsNamed(name).slice(0, MAX_CANDIDATES)
  // The capital is as well known as the state of the same name.
  if (namesakes[0]?.state === 'DC') return { kind: 'ambiguous', candidates: [placeMatch(namesakes[0])], area }
  return { kind: 'area', area, namesakes: namesakes.map(placeMatch) }
}

/** Returns the town for a short name from the table of aliases, such as `Philly`. */
function aliasReading(features: readonly Feature[]): (Reading & { kind: 'found' }) | undefined {
  const alias = features.find(({ kind }) => kind === 'alias')
  return alias && { kind: 'found', match: aliasMatch(alias), isOtherName: true }
}

/** Returns the town that an alias stands for; without such a town, the position of the alias. */
export function aliasMatch(alias: Feature): PlaceMatch {
  const town = readings(alias.name)
    .flatMap(({ name }) => [...townsNamed(name, alias.state), ...townsAlsoNamed(name, alias.state)])
    .find(({ lat, lon }) => distanceKm(lat, lon, alias.lat, alias.lon) < SAME_PLACE_KM)
  return town ? placeMatch(town) : featureMatch({ ...alias, kind: aliasKind(alias) })
}

function aliasKind({ name }: Feature): string {
  if (name.endsWith('Airport')) return 'airport'
  if (name.endsWith('County')) return 'county'
  return /\b(?:Mount|Peak|Mountain|Dome|Kuwohi)\b/.test(name) ? 'summit' : 'landmark'
}

/** Returns a place by its own name, by a short name of a town, or as a feature. */
function exactReading({ name, state }: NameReading): Reading | undefined {
  const towns = townsNamed(name, state)
  const features = featuresByName(name, state)
  const largest = towns[0]?.population ?? 0
  if (largest < SMALL_TOWN) {
    const alias = aliasReading(features)
    if (alias && !isSamePlace(alias.match, towns[0])) return { ...alias, ...besides(towns[0]) }
    const known = alias || state ? undefined : knownReading(features, towns[0])
    if (known) return known
  }
  // New York means New York City, not New York Mills.
  const larger = townsAlsoNamed(name, state).find(
    (place) => towns[0] && weight(place) > 10 * weight(towns[0]) && fold(place.name).startsWith(`${name} `),
  )
  const all = larger ? [larger, ...towns] : towns
  if (all.length > 0) return townReading(all, name, state)
  if (state) {
    const other = features[0]?.kind === 'airport' ? undefined : otherTown(name, state)
    if (other) return other
  }
  const isFeature = state || features[0]?.prominent || features.some(({ kind }) => kind === 'county')
  const feature = isFeature ? featureReading(features) : undefined
  return feature ?? airportOfCity(name, state)
}

/** Whether a town is the place itself, or lies at a cape or in a park of its name. */
const isSamePlace = (match: Pick<PlaceMatch, 'state' | 'lat' | 'lon'>, town: Populated | undefined) =>
  town?.state === match.state && distanceKm(match.lat, match.lon, town.lat, town.lon) < SAME_NAME_KM

const besides = (town: Populated | undefined) => (town ? { assumed: placeMatch(town) } : {})

/** A well-known feature with the name of a small town; ambiguous if several features are well known. */
function knownReading(features: readonly Feature[], town: Populated | undefined): Reading | undefined {
  const [known, second] = features
  if (!known?.prominent || !town) return undefined
  const match = featureMatch(known)
  if (!second?.prominent) return { kind: 'found', match, ...(isSamePlace(match, town) ? {} : besides(town)) }
  return ambiguous([...features.map(featureMatch), placeMatch(town)])
}

function townReading(towns: readonly Populated[], name: string, state: string | undefined): Reading {
  const [first, second] = towns as [Populated, Populated | undefined]
  if (!second) return { kind: 'found', match: placeMatch(first) }
  if (!state && weight(first) < PLAIN * weight(second)) return ambiguous(towns.map(placeMatch))
  const isPlain = state !== undefined && weight(first) >= PLAIN * weight(second)
  const isNamedSo = townsNamed(name, state).some(({ index }) => index === second.index)
  const isAnother = distanceKm(first.lat, first.lon, second.lat, second.lon) > 1
  return {
    kind: 'found',
    match: placeMatch(first),
    ...(!isPlain && isNamedSo && isAnother && { assumed: placeMatch(second) }),
  }
}

/** Returns a town by another of its names, with its state. */
function otherTown(name: string, state: string): Reading | undefined {
  const [town] = townsAlsoNamed(name, state)
  if (!town) return undefined
  const island = featuresNamed(`${name} island`, state)[0]
  if (island && distanceKm(island.lat, island.lon, town.lat, town.lon) > SAME_PLACE_KM)
    return { kind: 'found', match: featureMatch(island), assumed: placeMatch(town) }
  // New York City is the only city that is named with its state's name.
  return { kind: 'found', match: placeMatch(town), ...(town.population < NAMED_LIKE_STATE && { isOtherName: true }) }
}

/** Resolves `Denver airport`: the airports with scheduled flights whose name begins with the name of the city. */
function airportOfCity(name: string, state: string | undefined): Reading | undefined {
  const city = / (?:international |intl )?airport$/.test(name)
    ? name.replace(/ (?:international |intl )?airport$/, '')
    : ''
  if (!city || townsNamed(city, state).length === 0) return undefined
  const airports = featuresBeginning(`${city} `, 20, state).filter(
    ({ kind, prominent }) => kind === 'airport' && prominent,
  )
  return featureReading(airports)
}

/** Adds the foreign city with the same name to a reading, or makes the reading ambiguous. */
function besideAbroad(reading: Reading, name: string): Reading {
  const abroad = cityAbroad(name)
  if (!abroad || (reading.kind !== 'found' && reading.kind !== 'ambiguous')) return reading
  const matches =
    reading.kind === 'ambiguous' ? reading.candidates : [reading.match, ...(reading.assumed ? [reading.assumed] : [])]
  const [first] = matches
  if (first?.kind !== 'place' && first?.feature !== 'neighborhood') return reading
  const ours = first.population ?? 0
  if (abroad.isWellKnown && ours < NAMESAKE_POPULATION)
    return { kind: 'abroad', abroad, namesakes: matches.slice(0, MAX_CANDIDATES) }
  if (reading.kind === 'ambiguous') return abroad.population > ours ? { ...reading, abroad } : reading
  if (abroad.isWellKnown && abroad.population > LARGER_ABROAD * ours)
    return { kind: 'ambiguous', candidates: matches, abroad }
  return abroad.population > ours ? { ...reading, abroad } : reading
}

/** Resolves another name of a large city, or a feature that is known only in its region. */
function otherReading(read: readonly NameReading[]): Reading | undefined {
  for (const { name, state } of read) {
    const [first, second] = townsAlsoNamed(name, state)
    // Names of three letters in this column are airport codes.
    const isLarge = first && name.length > 3 && first.population >= OTHER_NAME_POPULATION
    if (isLarge && (!second || weight(first) >= PLAIN * weight(second)))
      return { kind: 'found', match: placeMatch(first), isOtherName: true }
    const feature = featureReading(featuresByName(name, state))
    if (feature) return feature
  }
  return undefined
}

/** Returns suggestions for a text that is no name: towns with this other name, then towns with similar and longer names. */
function unknownReading(text: string, read: readonly NameReading[]): Reading {
  const area = stateSpelledLike(text, edits)
  const similar = read.flatMap(({ name, state }) => [
    ...townsAlsoNamed(name, state).slice(0, 2),
    ...townsSpelledLike(name, state).slice(0, 3),
    ...townsBeginning(name, state).slice(0, 2),
  ])
  const features = read.flatMap(({ name, state }) => (name.length < 3 ? [] : featuresBeginning(name, 2, state)))
  const towns = [...new Map(similar.map((place) => [place.index, place])).values()].slice(0, MAX_SUGGESTIONS)
  const similarNames = [...towns.map(placeMatch), ...features.map(featureMatch)].slice(0, MAX_SUGGESTIONS)
  const nearest = [...similarNames, ...partReading(text, read)].slice(0, MAX_CANDIDATES)
  return { kind: 'unknown', nearest, ...(area && { area }) }
}

/** A text is split at its commas, and a place is looked for in this many of the last parts. */
const MAX_PARTS = 4

/**
 * Suggestions for a text of which a part names a place: the towns with the name in other states (`Denver, CA`), the town before words
 * that name no state (`Boston, Massachusets`), and the place after an address (`350 5th Ave, New York, NY`).
 */
function partReading(text: string, read: readonly NameReading[]): PlaceMatch[] {
  const elsewhere = read.flatMap(({ name, state }) => (state ? townsNamed(name) : []))
  const towns = elsewhere.length > 0 ? elsewhere : townsBefore(text)
  if (towns.length > 0) return towns.slice(0, MAX_SUGGESTIONS).map(placeMatch)
  // The text after each comma is read in turn; an address has few of them.
  const parts = text.split(',').slice(1).slice(-MAX_PARTS)
  const tail = parts.length === 0 ? undefined : resolvePlace(parts.join(','))
  if (tail?.kind === 'found') return [tail.match]
  return tail?.kind === 'unknown' ? tail.nearest.slice() : []
}

/** The towns whose name is followed by a comma or by a misspelled state, those of that state first. */
function townsBefore(text: string): Populated[] {
  const comma = text.indexOf(',')
  const words = fold(text.slice(0, MAX_PLACE_LENGTH)).split(' ')
  const cuts = comma < 0 ? [1, 2].map((count) => words.length - count).filter((cut) => cut > 0) : []
  for (const cut of cuts) {
    const state = stateSpelledLike(words.slice(cut).join(' '), edits)?.states[0]
    const towns = state ? townsNamed(words.slice(0, cut).join(' '), state) : []
    if (towns.length > 0) return towns
  }
  if (comma < 0) return []
  const state = stateSpelledLike(text.slice(comma + 1), edits)?.states[0]
  const name = fold(text.slice(0, comma))
  const ours = state ? townsNamed(name, state) : []
  return ours.length > 0 ? ours : townsNamed(name)
}

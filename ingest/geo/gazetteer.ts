import { type Feature, featuresBeginning, featuresNamed } from './feature.ts'
import { fold } from './fold.ts'
import { featureMatch, featureReading, type PlaceMatch, placeMatch, type Reading } from './match.ts'
import { NameIndex } from './name-index.ts'
import { placeAt } from './place.ts'
import { type Populated, places } from './populated.ts'
import { distanceKm } from './sphere.ts'
import { stateByCode, states } from './state.ts'
import { once } from './table.ts'
import { type Zip, zips } from './zip.ts'

export type { PlaceMatch, Reading } from './match.ts'

/** A bare name means the largest place if its population is this many times that of the next place. */
const PLAIN = 5
/**
 * A former name of a place does not match if an island with that name is this far away, km: `St. Paul, AK`, a former name of Kodiak, is the
 * island in the Pribilofs.
 */
const SAME_PLACE_KM = 100

/** Places by their own name and by other names, most populous first. */
const names = once((): { readonly own: NameIndex; readonly other: NameIndex } => {
  const own: [string, number][] = []
  const other: [string, number][] = []
  for (const { index, name } of places()) {
    own.push([fold(name), index])
    for (const alias of places().aliasesOf(index)) other.push([alias, index])
  }
  return { own: new NameIndex(own), other: new NameIndex(other) }
})

const placesOf = (index: NameIndex, name: string): Populated[] => index.named(name).map((row) => places().at(row))

const stateNames = once(() => {
  const known = new Map<string, string>()
  for (const state of states) {
    known.set(fold(state.name), state.code)
    known.set(state.code.toLowerCase(), state.code)
  }
  known.set('d c', 'DC')
  known.set('washington d c', 'DC')
  const loose: Record<string, string> = {
    calif: 'CA',
    cal: 'CA',
    colo: 'CO',
    conn: 'CT',
    fla: 'FL',
    ill: 'IL',
    ind: 'IN',
    kans: 'KS',
    mass: 'MA',
    mich: 'MI',
    minn: 'MN',
    miss: 'MS',
    mont: 'MT',
    neb: 'NE',
    nebr: 'NE',
    nev: 'NV',
    okla: 'OK',
    ore: 'OR',
    penn: 'PA',
    penna: 'PA',
    tenn: 'TN',
    tex: 'TX',
    wash: 'WA',
    wis: 'WI',
    wisc: 'WI',
    wyo: 'WY',
    ariz: 'AZ',
    ark: 'AR',
    del: 'DE',
    'n mex': 'NM',
    'n m': 'NM',
    'n y': 'NY',
    'n j': 'NJ',
    'n c': 'NC',
    'n d': 'ND',
    'n h': 'NH',
    's c': 'SC',
    's d': 'SD',
    'w va': 'WV',
    'r i': 'RI',
  }
  for (const [word, code] of Object.entries(loose)) known.set(word, code)
  return known
})

/** A place's name, coordinates and their punctuation are shorter than this. */
const MAX_PLACE_LENGTH = 300
const latitude = /^([+-]?\d{1,2}(?:\.\d{1,20})?) ?°? ?([NS]?)$/i
const longitude = /^([+-]?\d{1,3}(?:\.\d{1,20})?) ?°? ?([EW]?)$/i
/** Separator of latitude and longitude: a comma or semicolon, or the space after the latitude or its letter. */
const spaceBetween = /^([+-]?\d{1,2}(?:\.\d{1,20})?(?: ?° ?[NS]?| ?[NS])?) (?=[+-]?\d)/i

/** `39.74,-104.99` (also with N, S, E, W); undefined if the text has no coordinates or they are out of range. */
export function parseCoordinates(text: string): { lat: number; lon: number } | undefined {
  if (text.length > MAX_PLACE_LENGTH) return undefined
  let bare = text.replace(/\s+/g, ' ').trim()
  if (bare.startsWith('(')) bare = bare.slice(1).trim()
  if (bare.endsWith(')')) bare = bare.slice(0, -1).trim()
  const comma = bare.search(/[,;]/)
  const at = comma >= 0 ? comma : (spaceBetween.exec(bare)?.[1]?.length ?? -1)
  if (at < 0) return undefined
  const north = latitude.exec(bare.slice(0, at).trim())
  const east = longitude.exec(bare.slice(at + 1).trim())
  if (!north || !east) return undefined
  const lat = Number(north[1]) * (/s/i.test(north[2]!) ? -1 : 1)
  const lon = Number(east[1]) * (/w/i.test(east[2]!) ? -1 : 1)
  return Math.abs(lat) <= 90 && Math.abs(lon) <= 180 ? { lat, lon } : undefined
}

/** `80202` or `80202-1234`; null for an unknown ZIP code, undefined for any other text. */
export function findZip(text: string): Zip | null | undefined {
  const parts = /^\s*(\d{5})(?:[- ]?\d{4})?\s*$/.exec(text)
  return parts ? (zips().find(parts[1]!) ?? null) : undefined
}

/** Splits `Denver, CO`, `denver colorado`, `Denver` into folded name and state. Returns several readings if words may be either. */
function readings(text: string): { name: string; state?: string }[] {
  const known = stateNames()
  const parts = text
    .split(',')
    .map((part) => fold(part))
    .filter(
      (part) => part && !['usa', 'us', 'united states', 'united states of america', 'u s a', 'u s'].includes(part),
    )
  if (!parts.length) return []
  const found: { name: string; state?: string }[] = []
  const last = parts.at(-1)!.replace(/ \d{5}( \d{4})?$/, '')
  if (parts.length > 1 && known.has(last)) {
    found.push({ name: parts.slice(0, -1).join(' '), state: known.get(last)! })
    if (parts.length > 2) found.push({ name: parts[0]!, state: known.get(last)! })
    return found
  }
  const whole = parts.join(' ').replace(/ (usa|us|united states)$/, '')
  found.push({ name: whole })
  const words = whole.split(' ')
  for (let tail = 1; tail <= 3 && tail < words.length; tail++) {
    const state = known.get(words.slice(-tail).join(' '))
    if (state) found.push({ name: words.slice(0, -tail).join(' '), state })
  }
  return found
}

/** Returns equivalent spellings, with and without City, Village, Township. */
function spellings(name: string): string[] {
  const found = [name]
  if (/ (city|village|township|town)$/.test(name)) found.push(name.replace(/ (city|village|township|town)$/, ''))
  else found.push(`${name} city`)
  if (/^(city|town|village) of /.test(name)) found.push(name.replace(/^(city|town|village) of /, ''))
  if (name.startsWith('the ')) found.push(name.slice(4))
  if (/^ste? /.test(name)) found.push(name.replace(/^(ste?) /, (_, word) => (word === 'st' ? 'ste ' : 'st ')))
  found.push(name.replaceAll(' ', '-'))
  return found
}

/** Returns the places with exactly this name, or else with this other name, most populous first. */
function exact(name: string, state?: string): Populated[] {
  const { own, other } = names()
  for (const spelling of spellings(name)) {
    for (const map of [own, other]) {
      const matches = placesOf(map, spelling).filter(
        (place) => (!state || place.state === state) && (map === own || !isWaterBeside(spelling, place)),
      )
      if (matches.length) return map === own ? withLargerNamesake(spelling, matches, state) : [...matches]
    }
  }
  return []
}

/** Excludes towns that have the name of a lake as another name: in the source, `Lake Tahoe` is another name of Stateline. */
function isWaterBeside(name: string, place: Populated): boolean {
  return /^(lake|gulf of) | (lake|bay|sound|sea|reservoir)$/.test(name) && !fold(place.name).includes(name)
}

/** Ranks a place first that has the name as another name and is ten times as large: New York means New York City and not New York Mills. */
function withLargerNamesake(name: string, matches: readonly Populated[], state?: string): Populated[] {
  const largest = weight(matches[0]!)
  const larger = placesOf(names().other, name).filter(
    (place) => (!state || place.state === state) && !has(matches, place) && weight(place) > 10 * largest,
  )
  return [...larger.slice(0, 1), ...matches].sort((a, b) => weight(b) - weight(a))
}

const has = (some: readonly Populated[], place: Populated) => some.some(({ index }) => index === place.index)

/** Ranks a part of a city after a separate place, because some rows have the population of the whole city. */
const weight = (place: Populated) => (place.section ? Math.min(place.population, 5000) : Math.max(place.population, 1))

/** Reads `Springfield, MO (37.2153, -93.2982)`, the form of candidates: the place with that name there, or else the point. */
function namedAt(name: string, { lat, lon }: { lat: number; lon: number }): Reading {
  for (const reading of readings(name)) {
    const there = exact(reading.name, reading.state).find(
      (place) => Math.abs(place.lat - lat) < 0.01 && Math.abs(place.lon - lon) < 0.01,
    )
    if (there) return { kind: 'found', match: placeMatch(there) }
  }
  return { kind: 'found', match: { kind: 'coordinates', name: name.trim(), state: '', population: null, lat, lon } }
}

/** Returns whether a feature that is known nationwide ranks before a smaller town of the same name. */
const SMALL_TOWN = 20_000

/**
 * `KDEN`, `ORD`, `JFK airport`: a code in capitals; a three-letter code only if airlines serve it and no larger town has that name.
 */
function airportOf(text: string): Feature | undefined {
  const [, code, word] = /^([A-Z]{3,4})( [Aa]irport)?$/.exec(text) ?? []
  if (!code) return undefined
  const key = code.toLowerCase()
  const airport = featuresNamed(key).find(({ kind }) => kind === 'airport')
  if (!airport || (code.length === 3 && !airport.prominent)) return undefined
  return word || (exact(key)[0]?.population ?? 0) < SMALL_TOWN ? airport : undefined
}

/** Resolves `location`, by the rule for bare names. */
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
  if (zip) return { kind: 'found', match: zipMatch(zip) }
  if (zip === null) return { kind: 'unknown', nearest: [] }
  const airport = airportOf(trimmed)
  if (airport) return { kind: 'found', match: featureMatch(airport) }
  const read = readings(text)
  for (const { name, state } of read) {
    const matches = exact(name, state)
    const features = featuresNamed(name, state)
    const known = features[0]?.prominent && !state ? features[0] : undefined
    if (known && matches.length > 0 && matches[0]!.population < SMALL_TOWN)
      return { kind: 'found', match: featureMatch(known), assumed: placeMatch(matches[0]!) }
    if (!matches.length) {
      const feature = featureReading(features)
      if (feature) return feature
      continue
    }
    const isOnlyAlias = state !== undefined && !names().own.named(name).includes(matches[0]!.index)
    const island = isOnlyAlias ? featuresNamed(`${name} island`, state)[0] : undefined
    if (island && distanceKm(island.lat, island.lon, matches[0]!.lat, matches[0]!.lon) > SAME_PLACE_KM)
      return { kind: 'found', match: featureMatch(island), assumed: placeMatch(matches[0]!) }
    if (matches.length === 1) return { kind: 'found', match: placeMatch(matches[0]!) }
    const [first, second] = matches as [Populated, Populated]
    if (state || weight(first) >= PLAIN * weight(second)) {
      const plain = state && weight(first) >= PLAIN * weight(second)
      const plainly = plain || !fold(second.name).includes(name)
      return { kind: 'found', match: placeMatch(first), ...(plainly ? {} : { assumed: placeMatch(second) }) }
    }
    return { kind: 'ambiguous', candidates: matches.slice(0, 5).map(placeMatch) }
  }
  return { kind: 'unknown', nearest: findPlaces(text, 3) }
}

/** Searches while typing: exact names, then names with this prefix, then names with one typing error; most populous first in each group. */
export function findPlaces(text: string, limit = 10): PlaceMatch[] {
  const point = parseCoordinates(text)
  if (point) {
    const place = placeAt(point.lat, point.lon)
    return place
      ? [
          {
            kind: 'coordinates',
            ...point,
            name: place.name,
            state: place.state,
            county: place.county,
            zip: place.zip,
            population: place.population,
            timezone: place.timezone,
          },
        ]
      : []
  }
  const zip = findZip(text)
  if (zip !== undefined) return zip ? [zipMatch(zip)] : []
  const found = new Map<number, Populated>()
  const read = readings(text)
  for (const { name, state } of read) {
    for (const place of exact(name, state)) found.set(place.index, place)
    if (!state)
      for (const place of placesOf(names().other, name)) if (place.population > 50_000) found.set(place.index, place)
  }
  const ranked = [...found.values()].sort((a, b) => weight(b) - weight(a))
  const airport = airportOf(text.trim())
  const features = airport ? [airport] : read.flatMap(({ name, state }) => featuresNamed(name, state))
  for (const more of [begins, typosOf]) {
    if (ranked.length >= limit) break
    const further = new Map<number, Populated>()
    for (const { name, state } of read)
      for (const place of more(name, state)) if (!found.has(place.index)) further.set(place.index, place)
    for (const place of [...further.values()].sort((a, b) => weight(b) - weight(a))) {
      found.set(place.index, place)
      ranked.push(place)
    }
  }
  if (features.length === 0 && ranked.length < limit)
    for (const { name, state } of read)
      if (name.length >= 3) features.push(...featuresBeginning(name, limit - ranked.length, state))
  const known = features.filter(({ prominent }) => prominent)
  const others = features.filter(({ prominent }) => !prominent)
  const large = ranked.filter(({ population }) => population >= SMALL_TOWN)
  const small = ranked.filter(({ population }) => population < SMALL_TOWN)
  return [
    ...large.map(placeMatch),
    ...known.map(featureMatch),
    ...small.map(placeMatch),
    ...others.map(featureMatch),
  ].slice(0, limit)
}

function begins(name: string, state?: string): Populated[] {
  if (name.length < 2) return []
  const found = Array.from(names().own.beginning(name), (row) => places().at(row))
  return state ? found.filter((place) => place.state === state) : found
}

/** Matches names with one letter added, omitted or changed, or two swapped; only if nothing else matches and the name has at least five letters. */
function typosOf(name: string, state?: string): Populated[] {
  if (name.length < 5) return []
  const found: Populated[] = []
  for (const [candidate, row] of names().own.ofLength(name.length))
    if (hasOneTypo(name, candidate)) found.push(places().at(row))
  return state ? found.filter((place) => place.state === state) : found
}

function hasOneTypo(a: string, b: string): boolean {
  let at = 0
  while (at < a.length && at < b.length && a[at] === b[at]) at++
  if (a.slice(at + 1) === b.slice(at) || a.slice(at) === b.slice(at + 1) || a.slice(at + 1) === b.slice(at + 1))
    return true
  return a[at] === b[at + 1] && a[at + 1] === b[at] && a.slice(at + 2) === b.slice(at + 2)
}

function zipMatch(zip: Zip): PlaceMatch {
  const known = placeAt(zip.lat, zip.lon)
  return {
    kind: 'zip',
    name: zip.city || known?.name || zip.code,
    state: stateByCode.has(zip.state) ? zip.state : (known?.state ?? zip.state),
    ...(known?.county && { county: known.county }),
    zip: zip.code,
    lat: zip.lat,
    lon: zip.lon,
    population: null,
    ...(known && { timezone: known.timezone }),
  }
}

import type { DomainId } from '../../ingest/domain/domain.ts'
import { Fault } from '../../ingest/domain/fault.ts'
import { nearestTown, placeAbroad, territoryAt } from '../../ingest/geo/abroad.ts'
import { fold } from '../../ingest/geo/fold.ts'
import { findZip, type PlaceMatch, parseCoordinates, type Reading, resolvePlace } from '../../ingest/geo/gazetteer.ts'
import { placeAt } from '../../ingest/geo/place.ts'
import { nearestRadar, nearestStation } from '../../ingest/geo/site.ts'
import { distanceKm } from '../../ingest/geo/sphere.ts'
import type { AnswerPlace, MetaWarning } from '../contract.ts'
import { fourth, type Selector } from './query.ts'

/** A resolved selector: the point, its name and its surroundings. */
export interface Resolved {
  readonly lat: number
  readonly lon: number
  readonly domain: DomainId
  readonly place: AnswerPlace
  readonly gis: object
  readonly warnings: readonly MetaWarning[]
}

/** Finds the point of a selector. @throws Fault Missing for an unknown place or one outside the coverage, Invalid for an ambiguous name */
export function resolve(selector: Selector): Resolved {
  if (selector.kind === 'point') return around(selector.lat, selector.lon)
  if (selector.kind === 'zip') {
    const zip = findZip(selector.zip)
    if (!zip) {
      refuseAbroad(selector.zip, 'zip')
      throw new Fault(
        'Missing',
        `\`zip\` must be a US ZIP code with a place, but was "${selector.zip}". Use \`lat\` and \`lon\` instead.`,
      )
    }
    return around(fourth(zip.lat), fourth(zip.lon), { name: zip.city, zip: zip.code })
  }
  const reading = nearestReading(resolvePlace(selector.text), selector.near)
  const abroad = parseCoordinates(selector.text) ? undefined : placeAbroad(selector.text)
  if (abroad && (abroad.kind !== 'city' || reading.kind === 'unknown') && !namedInState(reading, selector.text))
    refuseAbroad(selector.text, 'location')
  if (reading.kind === 'unknown') {
    const nearest = reading.nearest.map(labelled)
    throw new Fault(
      'Missing',
      `\`location\`: no place in the 50 US states and DC is called "${selector.text}".${nearest.length > 0 ? ` Nearest names: ${nearest.join('; ')}.` : ''} Use another name, or \`lat\` and \`lon\`.`,
      { field: 'location', nearest },
    )
  }
  if (reading.kind === 'ambiguous') {
    throw new Fault(
      'Invalid',
      `\`location\`: several places are called "${selector.text}": ${reading.candidates.map(labelled).join('; ')}. Add the state, or use \`lat\` and \`lon\`.`,
      {
        field: 'location',
        candidates: reading.candidates.map(({ name, state }) => `${name}, ${state}`),
        labelled: reading.candidates.map(labelled),
      },
    )
  }
  const { match, assumed } = reading
  if (abroad?.kind === 'city' && !namedInState(reading, selector.text)) refuseAbroad(selector.text, 'location')
  if (abroad?.kind === 'city' && match.kind === 'place' && (match.population ?? 0) < NAMESAKE_POPULATION) {
    const candidates = [match, ...(assumed ? [assumed] : [])]
    throw new Fault(
      'Invalid',
      `\`location\`: "${selector.text}" is best known as a city outside the coverage, which is the 50 US states and DC. Places of that name inside: ${candidates.map(labelled).join('; ')}. Add the state, or use \`lat\` and \`lon\`.`,
      {
        field: 'location',
        candidates: candidates.map(({ name, state }) => `${name}, ${state}`),
        labelled: candidates.map(labelled),
        abroad: true,
      },
    )
  }
  const names = match.kind === 'coordinates' ? undefined : { name: match.name, zip: match.zip }
  const resolved = around(fourth(match.lat), fourth(match.lon), names)
  if (!assumed) return resolved
  const warning: MetaWarning = {
    code: 'place_assumed',
    section: 'location',
    detail: `"${selector.text}" was read as ${labelled(match)}; the next ${selector.near ? 'by distance and population' : 'by population'} is ${labelled(assumed)}`,
  }
  return { ...resolved, warnings: [warning] }
}

/** Scale of the weight by distance: at this distance the population counts one eighth. */
const DISTANCE_SCALE_KM = 300

/** Sorts matches by population and distance. A match without population counts as a town of 20,000. */
export function nearestFirst(matches: readonly PlaceMatch[], near: { lat: number; lon: number }): PlaceMatch[] {
  const weight = ({ lat, lon, population }: PlaceMatch) =>
    (population ?? 20_000) / (1 + distanceKm(lat, lon, near.lat, near.lon) / DISTANCE_SCALE_KM) ** 3
  return [...matches].sort((a, b) => weight(b) - weight(a))
}

/** Replaces an ambiguous reading by the place nearest to the caller, weighted by population. */
function nearestReading(reading: Reading, near: { lat: number; lon: number } | undefined): Reading {
  if (!near || reading.kind === 'unknown') return reading
  const all =
    reading.kind === 'ambiguous' ? reading.candidates : [reading.match, ...(reading.assumed ? [reading.assumed] : [])]
  const [match, assumed] = nearestFirst(all, near)
  return match ? { kind: 'found', match, ...(assumed && { assumed }) } : reading
}

/** A US place with fewer people is not assumed if a large city abroad has the same name: London, KY has 8,000 people. */
const NAMESAKE_POPULATION = 100_000

/** Whether a US place has the whole name: Mexico, MO for "Mexico", but not for "Mexico City". */
function namedInState(reading: Reading, text: string): boolean {
  if (reading.kind === 'unknown') return false
  if (reading.kind === 'ambiguous') return true
  const [query, name] = [fold(text), fold(reading.match.name)]
  return reading.match.kind !== 'place' || query.startsWith(name) || name.startsWith(query)
}

/** @throws Fault Missing with the reason if the text names a place outside the coverage */
function refuseAbroad(text: string, field: string): void {
  const abroad = placeAbroad(text)
  if (!abroad) return
  const reason =
    abroad.kind === 'territory'
      ? `in ${abroad.where}, a US territory`
      : abroad.kind === 'country'
        ? `in ${abroad.where}`
        : 'abroad'
  throw new Fault(
    'Missing',
    `\`${field}\`: "${text}" is ${reason}: outside the coverage, which is the 50 US states and DC. This does not change for a place; do not retry.`,
    { slug: 'outside-coverage', field, reason },
  )
}

/** Returns why a point is not covered, with a suggestion. */
function outsideReason(lat: number, lon: number): string {
  const territory = territoryAt(lat, lon)
  if (territory) return `in ${territory}, a US territory`
  const mirrored = lon > 0 ? placeAt(lat, -lon) : undefined
  if (mirrored) return `abroad; west longitudes are negative: ${lat}, ${-lon} is ${mirrored.name}, ${mirrored.region}`
  const swapped = Math.abs(lon) <= 90 && Math.abs(lat) <= 180 ? placeAt(lon, lat) : undefined
  if (swapped) return `abroad; latitude comes first: ${lon}, ${lat} is ${swapped.name}, ${swapped.region}`
  const town = nearestTown(lat, lon)
  return `${Math.round(town.km)} km from the nearest town inside, ${town.name}`
}

/** Loads the tables of places, which takes 0.3 s, before the first request needs them. */
export function readPlaces(): void {
  around(39, -96)
}

function labelled(match: PlaceMatch): string {
  return `${match.name}, ${match.state} (${fourth(match.lat)}, ${fourth(match.lon)})`
}

function around(lat: number, lon: number, names?: { name: string; zip?: string }): Resolved {
  const at = placeAt(lat, lon)
  if (!at) {
    const reason = outsideReason(lat, lon)
    throw new Fault(
      'Missing',
      `${lat}, ${lon} is outside the coverage: the 50 US states and DC (it is ${reason}). This does not change for a point; do not retry.`,
      { slug: 'outside-coverage', reason },
    )
  }
  const radar = nearestRadar(lat, lon)
  const station = nearestStation(lat, lon)
  return {
    lat,
    lon,
    domain: at.region === 'AK' ? 'alaska' : at.region === 'HI' ? 'hawaii' : 'conus',
    place: {
      name: names?.name ?? at.name,
      region: at.region,
      country: at.country,
      timezone: at.timezone,
      county: at.county,
      zip: names?.zip ?? at.zip,
    },
    gis: {
      lat,
      lon,
      timezone: at.timezone,
      city: at.city,
      nearest_city: at.nearest_city,
      state: at.state,
      county: at.county,
      country: at.country,
      population: at.population,
      nearest_radar: {
        id: radar.id,
        name: radar.name,
        lat: radar.lat,
        lon: radar.lon,
        distance_km: radar.distance_km,
      },
      nearest_station: {
        id: station.id,
        name: station.name,
        state: station.state,
        lat: station.lat,
        lon: station.lon,
        elevation_m: station.elevation_m,
        distance_km: station.distance_km,
      },
    },
    warnings: [],
  }
}

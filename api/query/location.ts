import type { DomainId } from '../../ingest/domain/domain.ts'
import { Fault } from '../../ingest/domain/fault.ts'
import { abroadWords, nearestTown, placeAbroad, territoryAt } from '../../ingest/geo/abroad.ts'
import { fold } from '../../ingest/geo/fold.ts'
import { findZip, type PlaceMatch, type Reading, resolvePlace } from '../../ingest/geo/gazetteer.ts'
import { placeAt } from '../../ingest/geo/place.ts'
import { nearestRadar, nearestStation } from '../../ingest/geo/site.ts'
import { distanceKm } from '../../ingest/geo/sphere.ts'
import { zonesAt } from '../../ingest/geo/zone.ts'
import type { AnswerPlace, MetaWarning } from '../contract.ts'
import { labelled, offCoast, placeFault, pointOfArea } from './place-fault.ts'
import { fourth, type Selector } from './query.ts'

/** A resolved selector: the point, its name and its surroundings. */
export interface Resolved {
  readonly lat: number
  readonly lon: number
  readonly domain: DomainId
  readonly place: AnswerPlace
  readonly gis: object
  readonly warnings: readonly MetaWarning[]
  /** Code of the county that the text names; the point lies in it. */
  readonly countyZone?: string
}

/** Finds the point of a selector. @throws Fault Missing for an unknown place or one outside the coverage, Invalid for an ambiguous name */
export function resolve(selector: Selector): Resolved {
  if (selector.kind === 'point') return around(selector.lat, selector.lon)
  if (selector.kind === 'zip') {
    const zip = findZip(selector.zip)
    if (!zip) {
      const abroad = placeAbroad(selector.zip)
      if (abroad) throw placeFault({ kind: 'abroad', abroad, namesakes: [] }, selector.zip, 'zip')
      throw new Fault(
        'Missing',
        `\`zip\` must be a US ZIP code with a place, but was "${selector.zip}". Use \`lat\` and \`lon\` instead.`,
      )
    }
    return around(fourth(zip.lat), fourth(zip.lon), { name: zip.city, zip: zip.code })
  }
  const reading = nearestReading(resolvePlace(selector.text), selector.near)
  if (reading.kind !== 'found') throw placeFault(reading, selector.text)
  const { match } = reading
  if (match.kind === 'feature' && !placeAt(match.lat, match.lon)) throw offCoast(match, selector.text)
  const names = match.kind === 'coordinates' ? undefined : { name: match.name, zip: match.zip }
  const resolved = around(fourth(match.lat), fourth(match.lon), names)
  const detail = assumptions(reading, selector, resolved)
  const countyZone = match.feature === 'county' ? zonesAt(resolved.lat, resolved.lon).county : undefined
  if (detail.length === 0) return resolved
  return {
    ...resolved,
    warnings: [{ code: 'place_assumed', section: 'location', detail: detail.join('; ') }],
    ...(countyZone && { countyZone }),
  }
}

/** What was assumed about a name: which of several places, which class of place, or that the name is another name. */
function assumptions(
  { match, assumed, isOtherName, abroad, area }: Reading & { kind: 'found' },
  { text, near }: Selector & { kind: 'place' },
  { lat, lon, place }: Resolved,
): string[] {
  const isNear = fold(place.name ?? '') !== fold(match.name)
  const town = isNear ? undefined : nearestTown(lat, lon).name
  const sentences = [pointOfArea(text, match, { town, countyZone: zonesAt(lat, lon).county })]
  const read = `"${text}" was read as ${labelled(match)}`
  if (assumed && match.population === null && assumed.population === null && !near)
    sentences.push(`${read}; another is ${labelled(assumed)}`)
  else if (assumed)
    sentences.push(`${read}; the next ${near ? 'by distance and population' : 'by population'} is ${labelled(assumed)}`)
  else if (area) sentences.push(`${read}; ${area.name} is also a ${area.kind}`)
  else if (isOtherName) sentences.push(`${read}, which is also called so`)
  if (abroad) sentences.push(`${assumed ? '' : `${read}; `}${abroadWords(abroad)} is outside the coverage`)
  return sentences.filter((sentence) => sentence !== undefined)
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
  if (!near || (reading.kind !== 'found' && reading.kind !== 'ambiguous')) return reading
  const all =
    reading.kind === 'ambiguous' ? reading.candidates : [reading.match, ...(reading.assumed ? [reading.assumed] : [])]
  const [match, assumed] = nearestFirst(all, near)
  return match ? { kind: 'found', match, ...(assumed && { assumed }) } : reading
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

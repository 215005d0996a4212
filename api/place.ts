import type { DomainId } from '../ingest/domain/dataset.ts'
import { Fault } from '../ingest/domain/fault.ts'
import { findZip, type Match, resolvePlace } from '../ingest/geo/gazetteer.ts'
import { placeAt } from '../ingest/geo/place.ts'
import { nearestRadar, nearestStation } from '../ingest/geo/site.ts'
import { fourth, type Selector } from './query.ts'
import type { MetaWarning, Place } from './sections/section.ts'

/** A selector, resolved: the point, what it is called, and what lies around it. */
export interface Resolved {
  readonly lat: number
  readonly lon: number
  readonly domain: DomainId
  readonly place: Place
  readonly gis: object
  readonly warnings: readonly MetaWarning[]
}

/** @throws Fault Missing (unknown place, outside coverage), Invalid (a name that several places bear) */
export function resolve(selector: Selector): Resolved {
  if (selector.kind === 'point') return around(selector.lat, selector.lon)
  if (selector.kind === 'zip') {
    const zip = findZip(selector.zip)
    if (!zip) {
      throw new Fault(
        'Missing',
        `zip: there is no US ZIP code "${selector.zip}" with a place of its own. Ask by lat and lon instead.`,
      )
    }
    return around(fourth(zip.lat), fourth(zip.lon), { name: zip.city, zip: zip.code })
  }
  const reading = resolvePlace(selector.text)
  if (reading.kind === 'unknown') {
    const near = reading.nearest.map(labelled).join('; ')
    throw new Fault(
      'Missing',
      `location: no place in the 50 US states and DC is called "${selector.text}".${near ? ` Nearest names: ${near}.` : ''} Ask by lat and lon instead.`,
    )
  }
  if (reading.kind === 'ambiguous') {
    throw new Fault(
      'Invalid',
      `location: several places are called "${selector.text}": ${reading.candidates.map(labelled).join('; ')}. Add the state, or ask by lat and lon.`,
      { field: 'location', candidates: reading.candidates.map(({ name, state }) => `${name}, ${state}`) },
    )
  }
  const { match, assumed } = reading
  const own = match.kind === 'coordinates' ? undefined : { name: match.name, zip: match.zip }
  const found = around(fourth(match.lat), fourth(match.lon), own)
  if (!assumed) return found
  const warning: MetaWarning = {
    code: 'place_assumed',
    section: 'location',
    detail: `"${selector.text}" was taken as ${labelled(match)}; the next by people is ${labelled(assumed)}`,
  }
  return { ...found, warnings: [warning] }
}

/** Reads the tables of places now, 0.3 s, so that no request waits for them. */
export function readPlaces(): void {
  around(39, -96)
}

function labelled(match: Match): string {
  return `${match.name}, ${match.state} (${fourth(match.lat)}, ${fourth(match.lon)})`
}

function around(lat: number, lon: number, own?: { name: string; zip?: string }): Resolved {
  const at = placeAt(lat, lon)
  if (!at) {
    throw new Fault(
      'Missing',
      `${lat}, ${lon} is outside the coverage: the 50 US states and DC. This does not change for a point; do not retry.`,
      { slug: 'outside-coverage' },
    )
  }
  const radar = nearestRadar(lat, lon)
  const station = nearestStation(lat, lon)
  return {
    lat,
    lon,
    domain: at.region === 'AK' ? 'alaska' : at.region === 'HI' ? 'hawaii' : 'conus',
    place: {
      name: own?.name ?? at.name,
      region: at.region,
      country: at.country,
      timezone: at.timezone,
      county: at.county,
      zip: own?.zip ?? at.zip,
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

import { fold } from '../../ingest/geo/fold.ts'
import { findPlaces, findZip, type PlaceMatch, parseCoordinates, resolvePlace } from '../../ingest/geo/gazetteer.ts'
import { placeAt } from '../../ingest/geo/place.ts'
import { stateByCode } from '../../ingest/geo/state.ts'

/** A place that a link to the weather page names. */
export interface LinkedPlace {
  readonly lat: number
  readonly lon: number
  readonly name: string
  readonly region: string
}

const MAX_LINK_LENGTH = 80
const namePattern = /^[a-z0-9]+(?:-[a-z0-9]+)*-[a-z]{2}$/
const pointPattern = /^-?\d{1,2}(?:\.\d{1,8})?,-?\d{1,3}(?:\.\d{1,8})?$/
const zipPattern = /^\d{5}$/

/** Returns true if a path has the form of a place: `denver-co`, `80202`, `39.74,-104.99`. */
export function isPlaceLink(link: string): boolean {
  return link.length <= MAX_LINK_LENGTH && (namePattern.test(link) || pointPattern.test(link) || zipPattern.test(link))
}

/** The name of a place in a link: `denver-co`. */
export function slugOf(name: string, region: string): string {
  const plain = name
    .normalize('NFD')
    .replace(/\p{M}|['’ʻ]/gu, '')
    .toLowerCase()
  return `${plain
    .split(/[^a-z0-9]+/)
    .filter(Boolean)
    .join('-')}-${region.toLowerCase()}`
}

/** The place of a link; undefined if there is no such place or it is outside the coverage. */
export function placeOfLink(link: string): LinkedPlace | undefined {
  if (!isPlaceLink(link)) return undefined
  if (pointPattern.test(link)) {
    const at = parseCoordinates(link)
    const place = at && placeAt(at.lat, at.lon)
    return at && place && { ...at, name: place.name, region: place.region }
  }
  if (zipPattern.test(link)) {
    const zip = findZip(link)
    return zip ? { lat: zip.lat, lon: zip.lon, name: zip.city, region: zip.state } : undefined
  }
  const state = link.slice(-2).toUpperCase()
  if (!stateByCode.has(state)) return undefined
  const name = link.slice(0, -3).replaceAll('-', ' ')
  const text = `${name}, ${state}`
  const exact = findPlaces(text, 1).filter((place) => fold(place.name) === fold(name))
  const match = [...exact, ...otherNamed(text)].find((place) => place.state === state)
  if (!match) return undefined
  return { lat: match.lat, lon: match.lon, name: match.name, region: match.state }
}

/** The place that people call by another name than its own, such as New York for New York City. A similar spelling is no name. */
function otherNamed(text: string): PlaceMatch[] {
  const reading = resolvePlace(text)
  return reading.kind === 'found' ? [reading.match] : []
}

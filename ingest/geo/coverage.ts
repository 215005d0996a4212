import { nth } from '../domain/nth.ts'
import { distanceKm } from './sphere.ts'
import { shapes } from './table.ts'

const zones = shapes('timezones')

// The zone tables assign Midway's zone to Kure and Honolulu's zone to Johnston; legally it is the reverse.
const KURE = { lat: 28.4, lon: -178.3, km: 24 }
const JOHNSTON = { lat: 16.73, lon: -169.53, km: 60 }
/** Returns whether a point lies at Kure, the westernmost island of Hawaii, or in the sea around it. */
export const atKure = (lat: number, lon: number): boolean => distanceKm(lat, lon, KURE.lat, KURE.lon) < KURE.km
/** Width of a gap that simplification may leave where two clipped pieces of a border meet: a few metres. */
const SEAM_DEGREES = 1e-4

/**
 * Returns the IANA time zone of a point on land or in the territorial sea (12 nautical miles) of the 50 states and DC, and on the Great Lakes
 * to the international line; undefined elsewhere.
 */
export function timezoneAt(lat: number, lon: number): string | undefined {
  const areas = zones()
  // Shapes are cut at the antimeridian, which is their western edge.
  const x = lon >= 180 ? lon - 360 : lon < -180 ? lon + 360 : lon
  let index = areas.at(lat, x)[0]
  for (let i = 0; index === undefined && i < 4; i++) {
    index = areas.at(lat + (i < 2 ? SEAM_DEGREES : -SEAM_DEGREES), x + (i % 2 ? SEAM_DEGREES : -SEAM_DEGREES))[0]
  }
  if (index === undefined) return atKure(lat, x) ? 'Pacific/Honolulu' : undefined
  const name = nth(areas.names, index)
  if (name === 'Pacific/Honolulu' && distanceKm(lat, x, JOHNSTON.lat, JOHNSTON.lon) < JOHNSTON.km) return undefined
  return name
}

/** Returns whether a point is in the 50 states or DC, with their coast, piers and territorial sea. */
export function coverage(lat: number, lon: number): boolean {
  return timezoneAt(lat, lon) !== undefined
}

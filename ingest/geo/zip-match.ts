import type { PlaceMatch } from './match.ts'
import { placeAt } from './place.ts'
import { stateByCode } from './state.ts'
import { type Zip, zips } from './zip.ts'

/** Returns the ZIP code of a text such as `80202` or `80202-1234`; null for an unknown code, undefined for any other text. */
export function findZip(text: string): Zip | null | undefined {
  const parts = /^\s*(\d{5})(?:[- ]?\d{4})?\s*$/.exec(text)
  return parts ? (zips().find(parts[1]!) ?? null) : undefined
}

export function zipMatch(zip: Zip): PlaceMatch {
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

import { nth } from '../domain/nth.ts'
import type { PlaceMatch } from './match.ts'
import { placeAt } from './place.ts'
import { stateByCode } from './state.ts'
import { readings } from './state-name.ts'
import { type Zip, zips } from './zip.ts'

/** Returns the ZIP code of a text such as `80202`, `80202-1234` or `ZIP code 80202`; null for an unknown code, undefined for any other text. */
export function findZip(text: string): Zip | null | undefined {
  const parts = /^\s*(?:zip (?:code )?)?(\d{5})(?:[- ]?\d{4})?\s*$/i.exec(text)
  return parts ? (zips().find(nth(parts, 1)) ?? null) : undefined
}

/** The ZIP code at the end of `Boston, MA 02118`; undefined if it is not in the state before it. */
export function zipAfterState(text: string): Zip | undefined {
  const [, before = '', code = ''] = /^(.*[a-z.]),? (\d{5})(?:-\d{4})?$/i.exec(text.trim()) ?? []
  const zip = code ? zips().find(code) : undefined
  return zip && readings(before).some(({ state }) => state === zip.state) ? zip : undefined
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

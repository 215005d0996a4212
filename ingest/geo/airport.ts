import { type Feature, featuresNamed } from './feature.ts'
import { fold } from './fold.ts'
import { townsAlsoNamed, townsNamed } from './town-name.ts'

/** Population below which a town does not have priority over an airport code or a well-known feature with its name. */
export const SMALL_TOWN = 20_000

/**
 * Returns the airport of a text such as `KDEN`, `ORD`, `lax` or `jfk airport`. A three-letter code counts if airlines serve the airport, or
 * in capitals if its ICAO code is K with these letters. A code in capitals yields to a larger town of that name, a code in small letters to
 * any place of that name.
 */
export function airportOf(text: string): Feature | undefined {
  const [, code, word] = /^([a-z]{3,4})(,? (?:international |intl )?airport)?$/i.exec(text) ?? []
  if (!code) return undefined
  const key = code.toLowerCase()
  const airport = featuresNamed(key).find(({ kind }) => kind === 'airport')
  if (!airport) return undefined
  if (word) return airport
  const town = townsNamed(key)[0]?.population ?? 0
  const isCapital = code === code.toUpperCase()
  if (code.length === 3 && !airport.prominent)
    return isCapital && town === 0 && hasIcao(key, airport) ? airport : undefined
  if (isCapital) return town < SMALL_TOWN ? airport : undefined
  // Kona means the place, not the airport KONA of Winona.
  const isName =
    town > 0 ||
    featuresNamed(key).some(({ kind }) => kind !== 'airport') ||
    (key.length === 4 && townsAlsoNamed(key).length > 0)
  return code === key && !isName ? airport : undefined
}

/** Returns whether an airport code is also the end of the airport's ICAO code. */
const hasIcao = (key: string, { name }: Feature) => featuresNamed(`k${key}`).some((airport) => airport.name === name)

/** Returns the features with a name. Without a state, words such as `San` do not count as airport codes, which `airportOf` reads. */
export function featuresByName(name: string, state?: string): Feature[] {
  return featuresNamed(name, state).filter(
    (feature) => state !== undefined || feature.kind !== 'airport' || name.length > 4 || fold(feature.name) === name,
  )
}

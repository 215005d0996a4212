import { type Feature, featuresNamed } from './feature.ts'
import { fold } from './fold.ts'
import { townsAlsoNamed, townsNamed } from './town-name.ts'

/** A town with fewer people does not keep its name from an airport code or a well-known feature. */
export const SMALL_TOWN = 20_000

/**
 * The airport of `KDEN`, `ORD`, `lax` or `jfk airport`. A three-letter code counts if airlines serve the airport, or in capitals if
 * its ICAO code is K with these letters. In capitals it gives
 * way to a larger town of that name, in small letters to any place.
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
  // Kona is a place and not the airport KONA of Winona.
  const isName =
    town > 0 ||
    featuresNamed(key).some(({ kind }) => kind !== 'airport') ||
    (key.length === 4 && townsAlsoNamed(key).length > 0)
  return code === key && !isName ? airport : undefined
}

/** Whether the code of an airport is also the end of its ICAO code. */
const hasIcao = (key: string, { name }: Feature) => featuresNamed(`k${key}`).some((airport) => airport.name === name)

/** The features with a name. Without a state, words such as `San` are no codes of airports; `airportOf` reads those. */
export function featuresByName(name: string, state?: string): Feature[] {
  return featuresNamed(name, state).filter(
    (feature) => state !== undefined || feature.kind !== 'airport' || name.length > 4 || fold(feature.name) === name,
  )
}

import { nth } from '../domain/nth.ts'
import { timezoneAt } from './coverage.ts'
import { type Populated, places } from './populated.ts'
import { distanceKm, pointTree } from './sphere.ts'
import { type State, stateByFips } from './state.ts'
import { once, shapes } from './table.ts'
import { type Zip, zips } from './zip.ts'

/** The names of a point, all in English. `county` lacks the word County if the source omits it. */
export interface Place {
  readonly lat: number
  readonly lon: number
  /** The city that contains the point; otherwise `5 mi NE of` the nearest city within 25 km, the Great Lake, or the county. */
  readonly name: string
  /** Postal abbreviation of the state. */
  readonly region: string
  readonly country: 'US'
  readonly timezone: string
  readonly county?: string
  /** FIPS code of five digits: state and county. */
  readonly county_fips?: string
  readonly zip?: string
  readonly city?: string
  readonly nearest_city?: string
  readonly state: string
  readonly population: number | null
}

export const counties = shapes('counties')
/** Coordinates of all places, in the order of the table. */
export const placeTree = once(() => pointTree(places().lats, places().lons))
const zipTree = once(() => pointTree(zips().lats, zips().lons))
const LARGE = 40_000
/** Returns an index of the largest places only, which are the first rows of the table. */
const largeTree = once(() => {
  const { lats, lons, populations } = places()
  const count = populations.findIndex((population) => population < LARGE)
  return pointTree(lats.subarray(0, count), lons.subarray(0, count))
})

/** Numbers of the states, so that a search reads one byte for each point instead of scattered strings. */
const states = once(
  () => new Map([...new Set(Array.from(places(), ({ state }) => state))].map((code, i) => [code, i + 2])),
)
/** Numbers for points that a search skips, and for points that match every state. */
const NEVER = 0
const ANYWHERE = 1
const placeStates = once(() =>
  Uint8Array.from(places(), ({ state, section }) => (section ? NEVER : states().get(state)!)),
)
const zipStates = once(() => {
  const numbers = new Uint8Array(zips().count)
  for (let index = 0; index < numbers.length; index++) {
    const { state, radiusKm } = zips().at(index)
    numbers[index] = Number.isNaN(radiusKm) ? NEVER : state ? (states().get(state) ?? NEVER) : ANYWHERE
  }
  return numbers
})

/** Returns the typical radius of a city with this population, km (5,000 people 2 km, 700,000 people 11 km). */
const reach = (population: number) => 0.095 * Math.max(population, 200) ** 0.355

/** Returns latitude, longitude and radius of each place. */
const placeCircles = once(() => {
  const { count, lats, lons, populations } = places()
  const circles = new Float64Array(count * 3)
  for (let index = 0; index < count; index++)
    circles.set([lats[index]!, lons[index]!, reach(populations[index]!)], index * 3)
  return circles
})

interface County {
  readonly fips: string
  readonly name: string
  readonly state: State
  /** Distance from the point in km; 0 if the point is inside. */
  readonly km: number
}

/**
 * Returns county and state of a point. A point on water has the nearest county at any distance (the atolls northwest of Kauai belong to
 * Honolulu County).
 */
export function countyAt(lat: number, lon: number): County | undefined {
  const county = counties().nearest(lat, lon, 160) ?? counties().nearest(lat, lon, 3000)
  if (!county) return undefined
  const label = nth(counties().names, county.index)
  const fips = label.slice(0, 5)
  return { fips, name: label.slice(6), state: stateByFips.get(fips.slice(0, 2))!, km: county.km }
}

/** The Great Lakes by the first letters of their marine zones. */
const lakes: Readonly<Record<string, string>> = {
  LS: 'Lake Superior',
  LM: 'Lake Michigan',
  LH: 'Lake Huron',
  LC: 'Lake St. Clair',
  LE: 'Lake Erie',
  LO: 'Lake Ontario',
}
export const marineZones = shapes('marine-zones')

/** Returns the Great Lake that contains the point, from its marine zone. */
function lakeAt(lat: number, lon: number): string | undefined {
  const zone = marineZones().at(lat, lon)[0]
  return zone === undefined ? undefined : lakes[nth(marineZones().names, zone).slice(0, 2)]
}

/** Distance beyond which a point is named after its county, and distance beyond which it has no nearest city. */
const NAMED_WITHIN_KM = 25
const NEAREST_WITHIN_KM = 160
const KM_PER_MILE = 1.609344
const points = ['N', 'NE', 'E', 'SE', 'S', 'SW', 'W', 'NW'] as const

/**
 * Returns one of eight compass points.
 * @param degrees clockwise from north, at least -180
 */
export const compassPoint = (degrees: number): string => nth(points, (Math.round(degrees / 45) + 8) % 8)

/** Returns a name such as `5 mi NE of Baker`. */
function besideOf(town: Populated, km: number, lat: number, lon: number): string {
  const east = (lon - town.lon) * Math.cos((lat * Math.PI) / 180)
  const bearing = (Math.atan2(east, lat - town.lat) * 180) / Math.PI
  return `${Math.max(1, Math.round(km / KM_PER_MILE))} mi ${compassPoint(bearing)} of ${town.name}`
}

/** Parts of Alaska's unorganized borough. */
const censusAreas = new Set(
  ['016', '050', '063', '066', '070', '105', '158', '180', '198', '240', '290'].map((code) => `02${code}`),
)

/** Adds the kind of the county, which the source omits. Independent cities have codes from 500 on. */
function countyName({ fips, name }: County, state: string): string {
  if (Number(fips.slice(2)) >= 500 || state === 'DC') return name
  if (censusAreas.has(fips)) return `${name} Census Area`
  return `${name} ${state === 'LA' ? 'Parish' : state === 'AK' ? 'Borough' : 'County'}`
}

/**
 * Returns the ZIP code whose centre is nearest relative to its radius, from the four nearest centres. Of 27,500 addresses, 96.5 % receive
 * their own code; with the nearest centre alone, 93.4 %. A large code extends beyond the centres of its small neighbours.
 */
function zipAt(lat: number, lon: number, state: number | undefined): Zip | undefined {
  const zipOf = zipStates()
  const { lats, lons, radiiKm } = zips()
  let nearest: number | undefined
  let least = Number.POSITIVE_INFINITY
  for (const index of zipTree().indexesNear(lat, lon, 4, 120, (i) => zipOf[i] === state || zipOf[i] === ANYWHERE)) {
    const share = distanceKm(lat, lon, lats[index]!, lons[index]!) ** 2 / radiiKm[index]!
    if (share < least) {
      least = share
      nearest = index
    }
  }
  return nearest === undefined ? undefined : zips().at(nearest)
}

/** Returns the place of a point; undefined outside coverage. */
export function placeAt(lat: number, lon: number): Place | undefined {
  const timezone = timezoneAt(lat, lon)
  const county = timezone ? countyAt(lat, lon) : undefined
  if (!timezone || !county) return undefined
  const state = county.state.code
  const number = states().get(state)
  const stateOf = placeStates()
  const ours = (index: number) => stateOf[index] === number
  // The radius of a place with fewer than LARGE people is at most 7 km.
  const close = placeTree().indexesNear(lat, lon, 12, 7, ours)
  // A large city extends beyond the centres of its suburbs.
  const large = largeTree().indexesNear(lat, lon, 24, 45, ours)
  const circles = placeCircles()
  let cityIndex = -1
  let least = 1.5
  for (const near of [close, large]) {
    for (const index of near) {
      const away = distanceKm(lat, lon, circles[index * 3]!, circles[index * 3 + 1]!)
      const share = Math.max(0, away - 0.5) / circles[index * 3 + 2]!
      if (share < least) {
        least = share
        cityIndex = index
      }
    }
  }
  const city = cityIndex < 0 ? undefined : places().at(cityIndex)
  const [first] = close.length > 0 ? close : placeTree().indexesNear(lat, lon, 1, Infinity, ours)
  const nearest = first === undefined ? undefined : places().at(first)
  const nearestKm = nearest ? distanceKm(lat, lon, nearest.lat, nearest.lon) : Infinity
  // Beyond `NAMED_WITHIN_KM` a point has no city. In the middle of a lake it is named after the lake, and has no ZIP code.
  const lake = !city && nearestKm > NAMED_WITHIN_KM && county.km > 0 ? lakeAt(lat, lon) : undefined
  const zip = lake ? undefined : zipAt(lat, lon, number)
  return {
    lat,
    lon,
    name:
      city?.name ??
      lake ??
      (nearestKm <= NAMED_WITHIN_KM ? besideOf(nearest!, nearestKm, lat, lon) : countyName(county, state)),
    region: state,
    country: 'US',
    timezone,
    county: county.name,
    county_fips: county.fips,
    ...(zip && { zip: zip.code }),
    ...(city && { city: city.name }),
    ...(nearest && nearestKm <= NEAREST_WITHIN_KM && { nearest_city: nearest.name }),
    state,
    population: city?.population ?? null,
  }
}

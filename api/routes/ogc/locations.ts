import { populated } from '../../../ingest/geo/populated.ts'
import { stationById, stations } from '../../../ingest/geo/site.ts'
import type { QueryContext } from '../../dataset/context.ts'
import { allSites } from '../../dataset/station-read.ts'
import type { Where } from '../../dataset/where.ts'
import { placeOfLink, slugOf } from '../../pages/place-link.ts'
import { Problem } from '../../problem.ts'
import { contains, type QueryBox } from '../../query/box.ts'
import type { EdrCollection } from './collections.ts'

/** A named point: `KDEN`, or `denver-co`. */
export interface Location {
  readonly id: string
  readonly name: string
  readonly lat: number
  readonly lon: number
}

/** Places with fewer people can be queried by id, but are not listed. */
const LISTED_POPULATION = 10_000

/** Returns the stations of a collection; for a grid, the larger places, most populous first, and the stations of the US. */
export function locationsOf(
  context: QueryContext,
  { family, bbox }: EdrCollection,
  box: QueryBox | undefined,
): Location[] {
  const all: readonly Location[] =
    family.storage === 'stations' ? allSites(context, family) : [...listedPlaces(), ...stations()]
  return all.filter(
    ({ lat, lon }) => contains(bbox as unknown as QueryBox, lat, lon) && (!box || contains(box, lat, lon)),
  )
}

/** Listed places of the packaged table of 35,000 places, which does not change. They take 25 ms to read at the first use. */
let listed: readonly Location[] | undefined

function listedPlaces(): readonly Location[] {
  if (listed) return listed
  const ids = new Set<string>()
  listed = populated().flatMap(({ name, state, population, section, lat, lon }) => {
    if (population < LISTED_POPULATION || section) return []
    const id = slugOf(name, state)
    if (ids.has(id)) return []
    ids.add(id)
    return [{ id, name: `${name}, ${state}`, lat, lon }]
  })
  return listed
}

/** Returns the position of a location. @throws Problem not-found */
export function whereOf({ family }: EdrCollection, id: string): Where {
  if (family.storage === 'stations') return { stations: [id] }
  const place = stationById(id) ?? placeOfLink(id)
  if (!place)
    throw new Problem(
      'not-found',
      `No location "${id.slice(0, 60)}" is known. Use a station such as KDEN, a place such as denver-co, or a ZIP code.`,
    )
  return { lat: place.lat, lon: place.lon }
}

import { createRequire } from 'node:module'
import type { Feature, FeatureCollection, Geometry } from 'geojson'
import { feature, mesh } from 'topojson-client'
import type { GeometryCollection, Topology } from 'topojson-specification'
import { populated } from '../../../ingest/geo/populated.ts'

const require = createRequire(import.meta.url)
/** Counties are drawn from this zoom on. */
export const COUNTY_ZOOM = 6
/** Pixels between the middles of two names, in a tile of 512. */
const NAME_WIDTH = 96
const NAME_HEIGHT = 30
const MAX_NAMED_ZOOM = 9
/** People of the smallest town that is named, by zoom. */
const LEAST_PEOPLE = [0, 0, 0, 150_000, 60_000, 25_000, 8000, 2500, 800, 0]

type Atlas = Topology<Record<string, GeometryCollection>>
const collection = (...geometries: Geometry[]): FeatureCollection => ({
  type: 'FeatureCollection',
  features: geometries.map((geometry): Feature => ({ type: 'Feature', geometry, properties: {} })),
})

/** What the base map shows, by layer: land of all countries, the United States, borders of states and counties, towns by rank. */
export function baseLayers(): Readonly<Record<'land' | 'us' | 'states' | 'counties' | 'places', FeatureCollection>> {
  const world = require('world-atlas/countries-50m.json') as Atlas
  const states = require('us-atlas/states-10m.json') as Atlas
  const counties = require('us-atlas/counties-10m.json') as Atlas
  const countries = feature(world, world.objects['countries']!)
  return {
    // United States, Puerto Rico and the other territories have a finer outline in the layer `us`.
    land: { ...countries, features: countries.features.filter(({ id }) => id !== '840').map(unwrapped) },
    us: feature(states, states.objects['nation']!),
    states: collection(mesh(states, states.objects['states'] as never, (a, b) => a !== b)),
    counties: collection(mesh(counties, counties.objects['counties'] as never, (a, b) => a !== b)),
    places: placesByRank(),
  }
}

/**
 * Land across the antimeridian (Wrangel Island, Chukotka) with longitudes that go on beyond 180, which the cutter of tiles brings back: as
 * they come, their outlines jump from 180 to -180, and lie as bands of land around the world, over the sea north of Alaska.
 */
function unwrapped<T extends Feature>(land: T): T {
  const ring = (positions: number[][]) =>
    positions.some(([lon], i) => i > 0 && Math.abs(lon! - positions[i - 1]![0]!) > 180)
      ? positions.map(([lon, lat]) => [lon! < 0 ? lon! + 360 : lon!, lat!])
      : positions
  const { geometry } = land
  if (geometry.type === 'Polygon')
    return { ...land, geometry: { ...geometry, coordinates: geometry.coordinates.map(ring) } }
  if (geometry.type !== 'MultiPolygon') return land
  return { ...land, geometry: { ...geometry, coordinates: geometry.coordinates.map((polygon) => polygon.map(ring)) } }
}

/** Towns with the zoom from which their name has room among those of larger towns. */
function placesByRank(): FeatureCollection {
  const rank = new Map<number, number>()
  const all = populated()
  for (let zoom = 3; zoom <= MAX_NAMED_ZOOM; zoom++) {
    const world = 512 * 2 ** zoom
    const taken = new Map<string, (readonly [number, number])[]>()
    const least = LEAST_PEOPLE[zoom]!
    for (const [index, { lat, lon, population, section }] of all.entries()) {
      if (section || population < least) continue
      const x = ((lon + 180) / 360) * world
      const y = (0.5 - Math.asinh(Math.tan((lat * Math.PI) / 180)) / (2 * Math.PI)) * world
      const [column, row] = [Math.floor(x / NAME_WIDTH), Math.floor(y / NAME_HEIGHT)]
      let free = true
      for (let cell = 0; cell < 9 && free; cell++)
        free = !taken
          .get(`${column + (cell % 3) - 1},${row + Math.floor(cell / 3) - 1}`)
          ?.some(([otherX, otherY]) => Math.abs(otherX - x) < NAME_WIDTH && Math.abs(otherY - y) < NAME_HEIGHT)
      if (!free && !rank.has(index)) continue
      const name = `${column},${row}`
      taken.set(name, [...(taken.get(name) ?? []), [x, y]])
      if (!rank.has(index)) rank.set(index, zoom)
    }
  }
  return {
    type: 'FeatureCollection',
    features: [...rank].map(([index, zoom]) => {
      const { name, lat, lon, population } = all[index]!
      return {
        type: 'Feature',
        geometry: { type: 'Point', coordinates: [lon, lat] },
        properties: { name, zoom, size: population > 400_000 ? 2 : population > 60_000 ? 1 : 0 },
      }
    }),
  }
}

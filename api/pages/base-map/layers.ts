import { createRequire } from 'node:module'
import type { Feature, FeatureCollection, Geometry } from 'geojson'
import { feature, mesh } from 'topojson-client'
import type { GeometryCollection, Topology } from 'topojson-specification'
import { Fault } from '../../../ingest/domain/fault.ts'
import { populated } from '../../../ingest/geo/populated.ts'

const require = createRequire(import.meta.url)
/** Counties are drawn from this zoom on. */
export const COUNTY_ZOOM = 6
/** Pixels between the middles of two names, in a tile of 512. */
const NAME_WIDTH = 96
const NAME_HEIGHT = 30
const MAX_NAMED_ZOOM = 9
/** Population of the smallest town whose name is shown, by zoom. */
const MIN_POPULATION = [0, 0, 0, 150_000, 60_000, 25_000, 8000, 2500, 800, 0]

export type Atlas = Topology<Record<string, GeometryCollection>>

/** A layer of an atlas by name. @throws Fault Corrupt if the atlas has no such layer */
export function layerOf(atlas: Atlas, name: string): GeometryCollection {
  const layer = atlas.objects[name]
  if (!layer) throw new Fault('Corrupt', `base map: the atlas has no layer ${name}`)
  return layer
}

const collection = (...geometries: Geometry[]): FeatureCollection => ({
  type: 'FeatureCollection',
  features: geometries.map((geometry): Feature => ({ type: 'Feature', geometry, properties: {} })),
})

/** The layers of the base map: land of all countries, the United States, borders of states and counties, and towns by rank. */
export function baseLayers(): Readonly<Record<'land' | 'us' | 'states' | 'counties' | 'places', FeatureCollection>> {
  const world = require('world-atlas/countries-50m.json') as Atlas
  const states = require('us-atlas/states-10m.json') as Atlas
  const counties = require('us-atlas/counties-10m.json') as Atlas
  const countries = feature(world, layerOf(world, 'countries'))
  return {
    // The United States and its territories have a finer outline in the layer `us`.
    land: { ...countries, features: countries.features.filter(({ id }) => id !== '840').map(unwrapped) },
    us: feature(states, layerOf(states, 'nation')),
    states: collection(mesh(states, states.objects['states'] as never, (a, b) => a !== b)),
    counties: collection(mesh(counties, counties.objects['counties'] as never, (a, b) => a !== b)),
    places: placesByRank(),
  }
}

/**
 * Lets the longitudes of land across the antimeridian (Wrangel Island, Chukotka) continue beyond 180; the tile index brings them back.
 * Without this, the outlines jump from 180 to -180 and lie as bands of land around the world, over the sea north of Alaska.
 */
function unwrapped<T extends Feature>(land: T): T {
  const ring = (positions: number[][]) =>
    positions.some(([lon = 0], i) => i > 0 && Math.abs(lon - (positions[i - 1]?.[0] ?? lon)) > 180)
      ? positions.map(([lon = 0, lat = 0]) => [lon < 0 ? lon + 360 : lon, lat])
      : positions
  const { geometry } = land
  if (geometry.type === 'Polygon')
    return { ...land, geometry: { ...geometry, coordinates: geometry.coordinates.map(ring) } }
  if (geometry.type !== 'MultiPolygon') return land
  return { ...land, geometry: { ...geometry, coordinates: geometry.coordinates.map((polygon) => polygon.map(ring)) } }
}

/** Towns with the zoom from which their name has room among the names of larger towns. */
function placesByRank(): FeatureCollection {
  const rank = new Map<number, number>()
  const all = populated()
  for (let zoom = 3; zoom <= MAX_NAMED_ZOOM; zoom++) {
    const world = 512 * 2 ** zoom
    const occupied = new Map<string, (readonly [number, number])[]>()
    const least = MIN_POPULATION[zoom] ?? 0
    for (const [index, { lat, lon, population, section }] of all.entries()) {
      if (section || population < least) continue
      const x = ((lon + 180) / 360) * world
      const y = (0.5 - Math.asinh(Math.tan((lat * Math.PI) / 180)) / (2 * Math.PI)) * world
      const [column, row] = [Math.floor(x / NAME_WIDTH), Math.floor(y / NAME_HEIGHT)]
      let free = true
      for (let cell = 0; cell < 9 && free; cell++)
        free = !occupied
          .get(`${column + (cell % 3) - 1},${row + Math.floor(cell / 3) - 1}`)
          ?.some(([otherX, otherY]) => Math.abs(otherX - x) < NAME_WIDTH && Math.abs(otherY - y) < NAME_HEIGHT)
      if (!free && !rank.has(index)) continue
      const name = `${column},${row}`
      occupied.set(name, [...(occupied.get(name) ?? []), [x, y]])
      if (!rank.has(index)) rank.set(index, zoom)
    }
  }
  return {
    type: 'FeatureCollection',
    features: all.flatMap(({ name, lat, lon, population }, index): Feature[] => {
      const zoom = rank.get(index)
      if (zoom === undefined) return []
      const town: Feature = {
        type: 'Feature',
        geometry: { type: 'Point', coordinates: [lon, lat] },
        properties: { name, zoom, size: population > 400_000 ? 2 : population > 60_000 ? 1 : 0 },
      }
      return [town]
    }),
  }
}

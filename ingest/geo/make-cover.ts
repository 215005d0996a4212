// Creates ingest/domain/cover.bin: `node ingest/geo/make-cover.ts` (about a minute). A cell belongs to the cover if its centre or one of
// its corners lies in a time zone of the 50 states or DC. Those zones (OpenStreetMap's boundaries, from geo-tz) follow the land borders
// closely, include every island, and extend to 12 nautical miles at sea and to the middle of the Great Lakes. The cover therefore includes
// piers and nearshore waters, and excludes the opposite shore.
import { writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { deflateRawSync } from 'node:zlib'
import { find } from 'geo-tz/all'
import { feature } from 'topojson-client'
import type { GeometryCollection, Topology } from 'topojson-specification'
import {
  cellOf,
  cellsAround,
  cellsWithin,
  centreOf,
  cornersOf,
  fiveSided,
  idOfCell,
  packCover,
} from '../domain/cell.ts'
import { atKure } from './coverage.ts'

const zones = new Set(
  `New_York Detroit Kentucky/Louisville Kentucky/Monticello Indiana/Indianapolis Indiana/Vincennes Indiana/Winamac
   Indiana/Marengo Indiana/Petersburg Indiana/Vevay Chicago Indiana/Tell_City Indiana/Knox Menominee North_Dakota/Center
   North_Dakota/New_Salem North_Dakota/Beulah Denver Boise Phoenix Los_Angeles Anchorage Juneau Sitka Metlakatla Yakutat
   Nome Adak`
    .split(/\s+/)
    .map((name) => `America/${name}`),
).add('Pacific/Honolulu')

/** Johnston Atoll uses Honolulu's time and is not part of Hawaii. */
const johnston = (lat: number, lon: number) => lat < 18 && lon < -165
const inStates = (lat: number, lon: number) =>
  atKure(lat, lon) || (!johnston(lat, lon) && find(lat, lon).some((zone) => zones.has(zone)))
const belongs = (cell: string) =>
  inStates(...centreOf(cell)) || cornersOf(cell).some(([lat, lon]) => inStates(lat, lon > 180 ? lon - 360 : lon))

// The search begins with cells of resolution 6. Territorial waters are far wider than such a cell, so no island is missed.
const cover = new Set<string>()
let edge: string[] = []
for (const [west, east] of [[-180, -64] as const, [170, 180] as const]) {
  for (let lat = 18; lat < 73; lat += 0.05) {
    for (let lon = west; lon < east; lon += 0.05 / Math.cos((lat * Math.PI) / 180)) {
      if (!inStates(lat, lon)) continue
      const cell = cellOf(lat, lon, 7)
      if (!cover.has(cell) && belongs(cell)) {
        cover.add(cell)
        edge.push(cell)
      }
    }
  }
}
console.log(`${cover.size} seeds`)
const refused = new Set<string>()
while (edge.length) {
  const next: string[] = []
  for (const cell of edge) {
    for (const near of cellsAround(cell, 1)) {
      if (cover.has(near) || refused.has(near)) continue
      if (belongs(near)) {
        cover.add(near)
        next.push(near)
      } else refused.add(near)
    }
  }
  edge = next
}
if ([...cover].some(fiveSided))
  throw new Error('the cover must have no pentagon, because packCover does not support pentagons')
const ids = Uint32Array.from(cover, idOfCell).sort()
const packed = deflateRawSync(packCover(ids), { level: 9 })
writeFileSync(new URL('../domain/cover.bin', import.meta.url), packed)
console.log(`${ids.length} cells, ${packed.length} bytes`)

// Compares the cover with the Census states, which are generalised to 1:10 million.
const require = createRequire(import.meta.url)
const atlas = require('us-atlas/states-10m.json') as Topology<{ states: GeometryCollection<{ name: string }> }>
const territories = new Set(['60', '66', '69', '72', '78'])
let census = 0
let beyond = 0
for (const state of feature(atlas, atlas.objects.states).features) {
  if (territories.has(String(state.id))) continue
  const polygons = state.geometry.type === 'Polygon' ? [state.geometry.coordinates] : []
  if (state.geometry.type === 'MultiPolygon') polygons.push(...state.geometry.coordinates)
  for (const polygon of polygons) {
    for (const cell of cellsWithin(polygon, 7)) {
      census++
      if (!cover.has(cell)) beyond++
    }
  }
}
console.log(`${census} cells by the Census states, ${beyond} of them not in the cover`)

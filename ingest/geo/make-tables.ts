/**
 * Creates the tables of ingest/geo/data from their sources (see NOTICE there):
 *   node ingest/geo/make-tables.ts ../shared/fixtures/text
 * Run it again when a source has changed; the same sources give the same files.
 */

import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { gunzipSync, inflateRawSync, zstdCompressSync } from 'node:zlib'
import { setCache } from 'geo-tz/all'
import type { FeatureCollection, MultiPolygon, Polygon } from 'geojson'
import { feature } from 'topojson-client'
import type { GeometryCollection, Topology } from 'topojson-specification'
import { entryOf, nth } from '../domain/nth.ts'
import type { Ring } from '../domain/shape/ring.ts'
import { fold } from './fold.ts'
import { packShapes } from './shapes.ts'
import { thin } from './thin.ts'

const require = createRequire(import.meta.url)
const source = process.argv[2]
if (!source) {
  console.error('usage: node ingest/geo/make-tables.ts FOLDER   (the folder with geo/ and metar/)')
  process.exit(2)
}
const data = join(import.meta.dirname, 'data')
type Areas = FeatureCollection<Polygon | MultiPolygon, Record<string, string>>

function write(name: string, bytes: Uint8Array): void {
  writeFileSync(join(data, name), bytes)
  console.log(`${name.padEnd(22)} ${bytes.length} bytes`)
}

function table(name: string, rows: readonly (readonly (string | number | null | undefined)[])[]): void {
  const text = rows.map((row) => row.map((value) => value ?? '').join('\t')).join('\n')
  write(name, zstdCompressSync(Buffer.from(text), { params: { 100: 19 } }))
}

function ringsOf(shape: Polygon | MultiPolygon | null, tolerance: number): Ring[] {
  if (!shape) return []
  const polygons = shape.type === 'Polygon' ? [shape.coordinates] : shape.coordinates
  return polygons.flatMap((polygon) => polygon.map((ring) => thin(ring, tolerance))).filter((ring) => ring.length > 2)
}

// ---- time zones: land and territorial sea of the 50 states and DC, from the zones that only they have
const american = new Set(
  [
    'Adak Anchorage Boise Chicago Denver Detroit Juneau Los_Angeles Menominee Metlakatla New_York Nome Phoenix Sitka Yakutat',
    'Indiana/Indianapolis Indiana/Knox Indiana/Marengo Indiana/Petersburg Indiana/Tell_City Indiana/Vevay',
    'Indiana/Vincennes Indiana/Winamac Kentucky/Louisville Kentucky/Monticello',
    'North_Dakota/Beulah North_Dakota/Center North_Dakota/New_Salem',
  ]
    .join(' ')
    .split(' ')
    .map((name) => `America/${name}`)
    .concat('Pacific/Honolulu'),
)
const pieces = new Map<string, FeatureCollection<Polygon | MultiPolygon>>()
setCache({
  preload: true,
  store: { get: (key: string) => pieces.get(key), set: (key: string, value: never) => pieces.set(key, value) } as never,
})
type Leaf = { pos: number; len: number } | number[] | { [quadrant: string]: Leaf }
const zoneIndex = JSON.parse(
  readFileSync(join(require.resolve('geo-tz'), '..', '..', 'data', 'timezones.geojson.index.json'), 'utf8'),
) as { timezones: string[]; lookup: Leaf }
const zones: { name: string; rings: Ring[] }[] = []
const zonesMet = new Set<string>()
function walk(leaf: Leaf, path: string, west: number, south: number, east: number, north: number): void {
  if (Array.isArray(leaf)) {
    for (const id of leaf) {
      const name = nth(zoneIndex.timezones, id)
      if (american.has(name))
        zones.push({
          name,
          rings: [
            [
              [west, south],
              [east, south],
              [east, north],
              [west, north],
            ],
          ],
        })
    }
  } else if ('pos' in leaf) {
    for (const piece of pieces.get(path)?.features ?? []) {
      const name = piece.properties?.['tzid'] as string
      if (!american.has(name)) continue
      zonesMet.add(name)
      zones.push({ name, rings: ringsOf(piece.geometry, 5e-5) })
    }
  } else {
    const x = (west + east) / 2
    const y = (south + north) / 2
    const part = leaf as { [quadrant: string]: Leaf }
    if (part['a']) walk(part['a'], `${path}a`, x, y, east, north)
    if (part['b']) walk(part['b'], `${path}b`, west, y, x, north)
    if (part['c']) walk(part['c'], `${path}c`, west, south, x, y)
    if (part['d']) walk(part['d'], `${path}d`, x, south, east, y)
  }
}
walk(zoneIndex.lookup, '', -179.9999, -89.9999, 179.9999, 89.9999)
const unmet = [...american].filter((name) => !zonesMet.has(name))
if (unmet.length) throw new Error(`geo-tz lacks the time zones ${unmet.join(', ')}`)
write('timezones.zst', packShapes(zones))

// ---- counties: the shapes have names such as "08031 Denver"
const atlas = JSON.parse(readFileSync(require.resolve('us-atlas/counties-10m.json'), 'utf8')) as Topology<{
  counties: GeometryCollection<{ name: string }>
}>
const counties = feature(atlas, atlas.objects.counties).features as unknown as {
  id: string
  properties: { name: string }
  geometry: Polygon | MultiPolygon
}[]
const inUnion = (fips: string) => Number(fips.slice(0, 2)) <= 56
const geojson = (file: string) =>
  JSON.parse(
    gunzipSync(readFileSync(join(source, 'geo', 'nws', file)))
      .toString()
      .replaceAll(': NaN', ': null')
      .replaceAll(':NaN', ':null'),
  ) as Areas
// Valdez-Cordova (02261) was divided on 2 January 2019. The areas that replace it are in the county zones of the NWS.
const DIVIDED = '02261'
const successors = geojson('ugcs_county.geojson.gz').features.flatMap(({ properties, geometry }) => {
  const name = { AKC063: '02063 Chugach', AKC066: '02066 Copper River' }[properties['ugc'] ?? '']
  return name ? [{ name, rings: ringsOf(geometry, 5e-4) }] : []
})
write(
  'counties.zst',
  packShapes([
    ...counties
      .filter((county) => inUnion(county.id) && county.id !== DIVIDED)
      .map((county) => ({ name: `${county.id} ${county.properties.name}`, rings: ringsOf(county.geometry, 0) })),
    ...successors,
  ]),
)

// ---- forecast offices, county zones, fire weather zones, marine zones
write(
  'offices.zst',
  packShapes(
    geojson('cwa.geojson.gz').features.map((area) => ({
      name: entryOf(area.properties, 'wfo'),
      rings: ringsOf(area.geometry, 5e-4),
    })),
  ),
)
for (const [file, name] of [
  ['ugcs_county.geojson.gz', 'county-zones.zst'],
  ['ugcs_firewx.geojson.gz', 'fire-zones.zst'],
] as const) {
  write(
    name,
    packShapes(
      geojson(file).features.map((area) => ({
        name: `${area.properties['ugc']} ${area.properties['cwa']}`,
        rings: ringsOf(area.geometry, 5e-4),
      })),
    ),
  )
}
write(
  'marine-zones.zst',
  packShapes(
    geojson('marine_zones.gempak-2026-01.geojson.gz').features.map((area) => ({
      name: `${area.properties['ugc']} ${area.properties['wfo']} ${entryOf(area.properties, 'name').replaceAll('_', ' ').trim()}`,
      rings: ringsOf(area.geometry, 5e-4),
    })),
  ),
)

// ---- names of offices and zones
const words = (text: string) => title(text.replaceAll('_', ' ').trim())
const gempak = (file: string) =>
  readFileSync(join(source, 'geo', 'nws', file), 'latin1')
    .split('\n')
    .filter((line) => line.trim() && !line.startsWith('!'))
table(
  'office-names.zst',
  gempak('gempak-wfo.tbl').map((line) => [
    line.slice(0, 8).trim(),
    words(line.slice(16, 48)),
    line.slice(49, 51),
    Number(line.slice(54, 60)) / 100,
    Number(line.slice(60, 67)) / 100,
  ]),
)
table(
  'zone-names.zst',
  ['gempak-zones.tbl', 'gempak-firezones.tbl'].flatMap((file, kind) =>
    gempak(file).map((line) => [
      kind ? 'fire' : 'forecast',
      line.slice(0, 8).trim(),
      line.slice(16, 48).replaceAll('_', ' ').trim(),
      line.slice(49, 51),
      Number(line.slice(54, 60)) / 100,
      Number(line.slice(60, 67)) / 100,
      line.trim().slice(-3),
    ]),
  ),
)

// ---- places
const archive = readFileSync(join(source, 'geo', 'geonames', 'us.cities500.txt.zip'))
const nameLength = archive.readUInt16LE(26)
const extraLength = archive.readUInt16LE(28)
const text = inflateRawSync(archive.subarray(30 + nameLength + extraLength)).toString()
const places = text
  .split('\n')
  .map((line) => line.split('\t'))
  .filter((cells) => cells[8] === 'US' && !['PPLQ', 'PPLH'].includes(nth(cells, 7)))
  .map((cells) => {
    const own = new Set([fold(nth(cells, 1)), fold(nth(cells, 2))])
    // Only Latin letters are used; names in other scripts fold to an empty text.
    const others = new Set(
      nth(cells, 3)
        .split(',')
        .filter((name) => /^[\p{Script=Latin}\d .'’ʻ&-]+$/u.test(name) && name.length < 40)
        .map(fold)
        .filter((name) => name.length > 1 && !own.has(name)),
    )
    return [
      cells[1],
      cells[10],
      cells[11],
      Number(cells[14]),
      Number(cells[4]),
      Number(cells[5]),
      cells[7] === 'PPLX' ? 'x' : '',
      [...others].join('|'),
    ] as const
  })
  .sort((a, b) => b[3] - a[3] || (a[0]! < b[0]! ? -1 : 1))
table('places.zst', places)

// ---- METAR stations and radars
type StationRecord = {
  icaoId: string
  site: string
  lat: number
  lon: number
  elev: number
  state: string
  country: string
  siteType: string[]
}
const stations = JSON.parse(
  readFileSync(join(source, 'metar', 'stations', 'awc-stations.cache.2026-02.json'), 'utf8'),
) as StationRecord[]
table(
  'stations.zst',
  stations
    .filter((s) => s.country === 'US' && s.icaoId && s.siteType.includes('METAR'))
    .filter((s) => !['PR', 'VI', 'GU', 'MP', 'AS', 'UM', ''].includes(s.state))
    .map((s) => [s.icaoId, s.site, s.state, s.lat, s.lon, s.elev] as const)
    .sort((a, b) => (a[0] < b[0] ? -1 : 1)),
)
type RadarRecord = { icao: string; name: string; state: string; lat: number; lon: number; elev_m: number }
const radars = JSON.parse(readFileSync(join(source, 'geo', 'nexrad', 'nexrad-sites.json'), 'utf8')) as RadarRecord[]
table(
  'radars.zst',
  radars.map((r) => [r.icao, r.name.split('/').map(words).join('/'), r.state, r.lat, r.lon, r.elev_m]),
)

function title(name: string): string {
  return /[a-z]/.test(name)
    ? name
    : name.toLowerCase().replace(/(^|[\s/.-])(\p{L})/gu, (_, gap, letter) => gap + letter.toUpperCase())
}

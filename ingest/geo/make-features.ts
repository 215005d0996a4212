/**
 * Creates data/features.zst, the named places other than cities and ZIP codes, from the tables of `geo/places` (their README names sources):
 *   node ingest/geo/make-features.ts ../shared/fixtures/text
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { zstdCompressSync } from 'node:zlib'
import { fold } from './fold.ts'
import { byHand as handFeatures } from './hand-features.ts'

const source = process.argv[2]
if (!source) {
  console.error('usage: node ingest/geo/make-features.ts FOLDER   (the folder with geo/places)')
  process.exit(2)
}

interface FeatureRow {
  readonly name: string
  readonly others: readonly string[]
  readonly kind: string
  readonly state: string
  readonly lat: number
  readonly lon: number
  readonly extra: ReadonlyMap<string, string>
  readonly source: string
}

function read(file: string): FeatureRow[] {
  const lines = readFileSync(join(source!, 'geo', 'places', `${file}.tsv`), 'utf8')
    .trimEnd()
    .split('\n')
    .slice(1)
  return lines.map((line) => {
    const [name, others, kind, state, lat, lon, extra, from] = line.split('\t') as [
      string,
      string,
      string,
      string,
      string,
      string,
      string,
      string,
    ]
    const pairs = (extra ?? '').split('|').map((pair) => pair.split('=', 2) as [string, string])
    return {
      name,
      others: others ? others.split(';') : [],
      kind,
      state,
      lat: Number(lat),
      lon: Number(lon),
      extra: new Map(pairs),
      source: from ?? '',
    }
  })
}

/** GNIS lists thousands of small ponds and knobs. Only features that maps show are used. */
const known = ({ source: from, extra }: FeatureRow) => from !== 'gnis' || extra.get('quad') === '1'
const byHand = ({ source: from }: FeatureRow) => from === 'hand' || from === 'natural-earth' || from === 'nps'

/** The files in order of precedence: for a name in a state, the first file counts. */
const files: readonly {
  file: string
  kind?: string
  keep?: (row: FeatureRow) => boolean
  prominent?: (row: FeatureRow) => boolean
}[] = [
  { file: 'aliases', kind: 'alias', prominent: () => true },
  { file: 'national-parks', kind: 'park', prominent: () => true },
  { file: 'counties', kind: 'county' },
  {
    file: 'airports',
    kind: 'airport',
    keep: ({ extra }) => extra.has('icao') || extra.has('iata'),
    prominent: ({ extra }) => extra.get('sched') === '1',
  },
  { file: 'national-forests', kind: 'forest', prominent: () => true },
  { file: 'state-parks', kind: 'park' },
  { file: 'peaks', kind: 'summit', keep: known, prominent: byHand },
  { file: 'lakes', kind: 'lake', keep: known, prominent: byHand },
  { file: 'military', kind: 'military', prominent: byHand },
  { file: 'tribal', kind: 'tribal', prominent: byHand },
  { file: 'landmarks', prominent: () => true },
  { file: 'stadiums', kind: 'stadium', prominent: () => true },
  { file: 'universities', kind: 'university' },
  { file: 'ski-areas', kind: 'ski area' },
  { file: 'islands', kind: 'island', keep: byHand, prominent: byHand },
  { file: 'beaches', kind: 'beach', keep: byHand },
  { file: 'features', keep: byHand, prominent: byHand },
]

/** Codes of airports with airline service. Such a code means the airport, not the city, although aliases also assign it to the city. */
const servedCodes = new Set(
  read('airports')
    .filter(({ extra }) => extra.get('sched') === '1')
    .map(({ extra, state }) => `${extra.get('iata')} ${state}`),
)
/** The short name of a county does not name a place: Lyon is not Lyon County. */
const otherNames = (file: string, row: FeatureRow): readonly string[] =>
  file === 'aliases' || file === 'counties' ? [] : row.others

const lines = new Map<string, string>()
let written = 0
for (const line of handFeatures.trim().split('\n')) {
  const [name, kind, state, lat, lon] = line.split('\t') as [string, string, string, string, string]
  lines.set(`${fold(name)}\t${state}`, [fold(name), name, kind, state, lat, lon, 1].join('\t'))
  written++
}
for (const { file, kind, keep, prominent } of files) {
  for (const row of read(file)) {
    if (!row.state || (keep && !keep(row))) continue
    if (file === 'aliases' && servedCodes.has(`${row.name.toUpperCase()} ${row.state}`)) continue
    const codes = ['icao', 'iata'].flatMap((name) => row.extra.get(name)?.toLowerCase() ?? [])
    const name = file === 'aliases' ? (row.extra.get('for') ?? row.name) : row.name
    const rank = prominent?.(row) ? 1 : 0
    const main = row.name.replace(/[- ]Main Campus$/, '')
    for (const key of new Set([fold(row.name), fold(main), ...otherNames(file, row).map(fold), ...codes])) {
      if (!key || lines.has(`${key}\t${row.state}`)) continue
      lines.set(`${key}\t${row.state}`, [key, name, kind ?? row.kind, row.state, row.lat, row.lon, rank].join('\t'))
      written++
    }
  }
}
const text = [...lines.values()].sort((a, b) => (a < b ? -1 : 1)).join('\n')
const bytes = zstdCompressSync(Buffer.from(text), { params: { 100: 19 } })
writeFileSync(join(import.meta.dirname, 'data', 'features.zst'), bytes)
console.log(`features.zst: ${written} names, ${text.length} bytes, ${bytes.length} packed`)

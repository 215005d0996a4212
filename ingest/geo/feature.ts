import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { zstdDecompressSync } from 'node:zlib'
import { once } from './table.ts'

/** A named place other than a city or a ZIP code: airport, county, park, summit, lake, university, … */
export interface Feature {
  readonly name: string
  readonly kind: string
  readonly state: string
  readonly lat: number
  readonly lon: number
  /** Whether the feature is known nationwide, so that it ranks before a small town with its name. */
  readonly prominent: boolean
}

/** Well-known quarters of New York that the tables lack, by folded name. A position lies in the quarter, whose size is about 1 km. */
const neighborhoods: ReadonlyMap<string, Feature> = new Map(
  (
    [
      ['soho', 'SoHo', 40.7232, -74.003],
      ['tribeca', 'Tribeca', 40.7163, -74.0086],
      ['greenwich village', 'Greenwich Village', 40.7336, -74.0027],
    ] as const
  ).map(([key, name, lat, lon]) => [key, { name, kind: 'neighborhood', state: 'NY', lat, lon, prominent: true }]),
)

/** The lines `key name kind state lat lon prominent`, sorted by key. They are stored as bytes, and only the requested lines are decoded. */
const lines = once(() => {
  const bytes = zstdDecompressSync(readFileSync(join(import.meta.dirname, 'data', 'features.zst')))
  const starts: number[] = [0]
  for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, at + 1)) starts.push(at + 1)
  return { bytes, starts: Uint32Array.from([...starts, bytes.length + 1]) }
})

function keyOf(line: number): string {
  const { bytes, starts } = lines()
  return bytes.toString('latin1', starts[line]!, bytes.indexOf(9, starts[line]!))
}

function firstLine(key: string): number {
  const { starts } = lines()
  let low = 0
  let high = starts.length - 1
  while (low < high) {
    const middle = (low + high) >> 1
    if (keyOf(middle) < key) low = middle + 1
    else high = middle
  }
  return low
}

function read(line: number): Feature {
  const { bytes, starts } = lines()
  const [, name, kind, state, lat, lon, prominent] = bytes
    .toString('utf8', starts[line]!, starts[line + 1]! - 1)
    .split('\t')
  return { name: name!, kind: kind!, state: state!, lat: Number(lat), lon: Number(lon), prominent: prominent === '1' }
}

/** Returns the features with a folded name or a lower-case airport code, prominent features first. */
export function featuresNamed(key: string, state?: string): Feature[] {
  const features: Feature[] = []
  for (let line = firstLine(key); line < lines().starts.length - 1 && keyOf(line) === key; line++) {
    const feature = read(line)
    if (!state || feature.state === state) features.push(feature)
  }
  const quarter = neighborhoods.get(key)
  if (quarter && (!state || quarter.state === state)) features.push(quarter)
  return features.sort((a, b) => Number(b.prominent) - Number(a.prominent))
}

/** Returns at most `limit` features whose name has this prefix, prominent features first. */
export function featuresBeginning(key: string, limit: number, state?: string): Feature[] {
  const features = new Map<string, Feature>()
  for (let line = firstLine(key), count = 0; line < lines().starts.length - 1 && count < 400; line++, count++) {
    if (!keyOf(line).startsWith(key)) break
    const feature = read(line)
    if (!state || feature.state === state) features.set(`${feature.name}|${feature.state}`, feature)
  }
  return [...features.values()].sort((a, b) => Number(b.prominent) - Number(a.prominent)).slice(0, limit)
}

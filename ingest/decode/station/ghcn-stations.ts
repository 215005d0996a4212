import { Fault } from '../../domain/fault.ts'
import { storable } from '../../domain/storable.ts'
import type { ClimateStation } from '../../domain/weather/climate.ts'

const MISSING_ELEVATION = -999.9
const MAX_DETAIL = 120

export interface GhcnStations {
  readonly stations: readonly ClimateStation[]
  /** Lines of requested stations that could not be read. */
  readonly rejected: readonly string[]
}

/**
 * Reads NCEI's `ghcnd-stations.txt`, which has fixed columns (id 1–11, latitude 13–20, longitude 22–30, elevation 32–37, state 39–40, name
 * 42–71). Lines of other stations are skipped: the file has about 125,000 stations, whose ids can be any 11 characters (`US10adam001`).
 * @param isRequested returns whether a station is requested, by its id
 * @throws Fault Corrupt if no requested line can be read, or if more of them are unreadable than readable
 */
export function readGhcnStations(text: string, isRequested: (id: string) => boolean = () => true): GhcnStations {
  const stations: ClimateStation[] = []
  const rejected: string[] = []
  let lines = 0
  for (let from = 0; from < text.length; ) {
    const end = text.indexOf('\n', from)
    const line = text.slice(from, end < 0 ? text.length : end)
    from = end < 0 ? text.length : end + 1
    if (line.trim() === '') continue
    lines++
    if (!isRequested(line.slice(0, 11))) continue
    const station = readLine(line)
    if (station) stations.push(station)
    else rejected.push(storable(line.slice(0, MAX_DETAIL)))
  }
  if (stations.length === 0 || rejected.length > stations.length) {
    throw new Fault(
      'Corrupt',
      `GHCN stations: expected lines such as "USW00094765  43.6264  -72.3047  182.3 NH LEBANON MUNI AP", but of the lines of requested stations ${stations.length} can be read and ${rejected.length} cannot, among ${lines} lines: ${JSON.stringify(rejected[0] ?? text.slice(0, 60))}`,
    )
  }
  return { stations, rejected }
}

function readLine(line: string): ClimateStation | undefined {
  const id = line.slice(0, 11)
  if (!/^[A-Za-z0-9_-]{11}$/.test(id) || line[11] !== ' ') return undefined
  const lat = decimal(line.slice(12, 20))
  const lon = decimal(line.slice(21, 30))
  const elevation = decimal(line.slice(31, 37))
  if (lat === undefined || lon === undefined || Math.abs(lat) > 90 || Math.abs(lon) > 180) return undefined
  const state = line.slice(38, 40).trim()
  return {
    id,
    name: line.slice(41, 71).trim(),
    ...(/^[A-Z]{2}$/.test(state) && { state }),
    lat,
    lon,
    elevation: elevation === undefined || elevation <= MISSING_ELEVATION ? null : elevation,
  }
}

function decimal(cell: string): number | undefined {
  const text = cell.trim()
  return /^-?\d+(?:\.\d+)?$/.test(text) ? Number(text) : undefined
}

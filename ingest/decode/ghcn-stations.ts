import type { ClimateStation } from '../domain/climate.ts'
import { Fault } from '../domain/fault.ts'

/** Lines of the file that may be unreadable before it is refused whole. */
const MAX_BAD_SHARE = 0.01
const MISSING_ELEVATION = -999.9

/**
 * NCEI's `ghcnd-stations.txt`: fixed columns (id 1–11, latitude 13–20, longitude 22–30, elevation 32–37, state 39–40, name 42–71).
 * @param wanted keeps only these; the whole file names about 125,000
 * @throws Fault Corrupt where more than one line in a hundred does not fit the columns, or none is left
 */
export function readGhcnStations(text: string, wanted: (id: string) => boolean = () => true): ClimateStation[] {
  const stations: ClimateStation[] = []
  let lines = 0
  let bad = 0
  for (let from = 0; from < text.length; ) {
    const end = text.indexOf('\n', from)
    const line = text.slice(from, end < 0 ? text.length : end)
    from = end < 0 ? text.length : end + 1
    if (line.trim() === '') continue
    lines++
    const station = readLine(line)
    if (!station) bad++
    else if (wanted(station.id)) stations.push(station)
  }
  if (lines === 0 || bad > lines * MAX_BAD_SHARE) {
    throw new Fault(
      'Corrupt',
      `GHCN stations: wanted lines such as "USW00094765  43.6264  -72.3047  182.3 NH LEBANON MUNI AP", got ${bad} of ${lines} lines that do not fit`,
    )
  }
  return stations
}

function readLine(line: string): ClimateStation | undefined {
  const id = line.slice(0, 11)
  if (!/^[A-Z0-9_-]{11}$/.test(id) || line[11] !== ' ') return undefined
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

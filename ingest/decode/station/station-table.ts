import { z } from 'zod'
import { Fault } from '../../domain/fault.ts'
import { nth } from '../../domain/nth.ts'
import { type GeoPoint, validPlace } from '../../domain/weather/observation.ts'
import { gunzipped } from '../gzip.ts'
import { textOf } from './csv.ts'

const MAX_UNPACKED_BYTES = 64 << 20
const MAX_STATIONS = 100_000

/** A site of the station table that can report METARs. */
export interface StationSite {
  /** The identifier in reports, such as KDEN or K0VG. */
  readonly id: string
  readonly iata: string | null
  readonly faa: string | null
  readonly name: string
  /** State or province with two letters; null outside the US and Canada. */
  readonly state: string | null
  readonly country: string | null
  /** Location; null if the table has no coordinates (-99.99). */
  readonly place: GeoPoint | null
  /** Elevation, m. */
  readonly elevation: number | null
  /** Whether the table lists the site as reporting METARs. Some other sites report METARs too (K40B). */
  readonly metar: boolean
}

const text = z.string().nullish()
const row = z.object({
  id: z.string(),
  icaoId: text,
  iataId: text,
  faaId: text,
  site: text,
  lat: z.number().nullish(),
  lon: z.number().nullish(),
  elev: z.number().nullish(),
  state: text,
  country: text,
  siteType: z.array(z.string()).nullish(),
})

export interface StationFile {
  readonly stations: readonly StationSite[]
  /** The rows that could not be read. */
  readonly rejected: readonly string[]
}

/**
 * Reads `stations.cache.json.gz` of aviationweather.gov. Buoys and other sites without a METAR identifier are omitted.
 * @throws Fault Corrupt if the file is damaged, or if it is not a list of stations
 */
export function readStationTable(bytes: Uint8Array, source: string): StationFile {
  const body = textOf(gunzipped(bytes, source, MAX_UNPACKED_BYTES))
  let rows: unknown
  try {
    rows = JSON.parse(body)
  } catch (error) {
    throw new Fault(
      'Corrupt',
      `${source}: the body must be JSON, but begins with ${JSON.stringify(body.slice(0, 40))}`,
      {},
      error,
    )
  }
  if (!Array.isArray(rows) || rows.length > MAX_STATIONS)
    throw new Fault(
      'Corrupt',
      `${source}: must be a list of at most ${MAX_STATIONS} stations, but is ${Array.isArray(rows) ? `a list of ${rows.length}` : typeof rows}`,
    )
  const stations = new Map<string, StationSite>()
  const rejected: string[] = []
  for (const [index, value] of rows.entries()) {
    const read = row.safeParse(value)
    if (!read.success) {
      rejected.push(`row ${index}: ${nth(read.error.issues, 0).path.join('.')}: ${nth(read.error.issues, 0).message}`)
      continue
    }
    const site = siteOf(read.data)
    if (site) stations.set(site.id, site)
  }
  if (stations.size === 0) throw new Fault('Corrupt', `${source}: stations must have an icaoId, but none has one`)
  return { stations: [...stations.values()], rejected }
}

function siteOf(data: z.infer<typeof row>): StationSite | undefined {
  const id = data.icaoId ?? data.id
  if (!/^[A-Z][A-Z0-9]{3}$/.test(id)) return undefined
  const word = (value: string | null | undefined) => (value ? value : null)
  return {
    id,
    iata: word(data.iataId),
    faa: word(data.faaId),
    name: data.site?.trim() || id,
    state: word(data.state),
    country: word(data.country),
    place: validPlace(data.lat ?? undefined, data.lon ?? undefined) ?? null,
    elevation:
      data.elev === null || data.elev === undefined || data.elev >= 9000 || data.elev < -500 ? null : data.elev,
    metar: data.siteType?.includes('METAR') ?? false,
  }
}

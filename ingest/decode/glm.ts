import { Fault } from '../domain/fault.ts'
import { type Instant, SECOND } from '../domain/time.ts'

export interface Flash {
  readonly time: Instant
  readonly lat: number
  readonly lon: number
  /** Radiant energy, J. */
  readonly energy: number
}

/** A Level 2 file of the Geostationary Lightning Mapper, which covers 20 seconds of one satellite. */
export interface Granule {
  /** Id of the satellite, such as `G19`. */
  readonly satellite: string
  readonly start: Instant
  readonly end: Instant
  /** Longitude of the satellite's subpoint, degrees. */
  readonly subpoint: number
  /** South, north, west and east limit of the area that the file declares, degrees; west may be below -180. */
  readonly bounds: readonly [number, number, number, number]
  /** The flashes of usable quality, in the order of the file. */
  readonly flashes: readonly Flash[]
  /** Number of omitted flashes, which have events out of order or an invalid position. */
  readonly degraded: number
}

interface Opened {
  get(
    name: string,
  ): { shape: readonly number[] | null; value: unknown; attrs: Record<string, { value: unknown } | undefined> } | null
  attrs: Record<string, { value: unknown } | undefined>
  close(): number
}

/**
 * Values of flash_quality_flag that mark lightning. 0 is good. 3 and 5 are real flashes that the algorithm truncated because they had too
 * many events or lasted too long; these are the largest flashes (GOES-R PUG volume 5, GLM L2+). 1 marks events that are out of time order.
 */
const USABLE_QUALITY: ReadonlySet<number> = new Set([0, 3, 5])

let count = 0

/**
 * Reads a granule from a NetCDF-4 file.
 * @throws Fault Corrupt if the file is not a complete GLM Level 2 file
 */
export async function readGlm(bytes: Uint8Array, source: string): Promise<Granule> {
  checkLength(bytes, source)
  const { File, ready } = await import('h5wasm')
  const { FS } = (await ready) as unknown as {
    FS: { writeFile(name: string, bytes: Uint8Array): void; unlink(name: string): void }
  }
  const name = `glm-${count++}.nc`
  FS.writeFile(name, bytes)
  try {
    const file = new File(name, 'r') as unknown as Opened
    try {
      return granuleOf(file)
    } finally {
      file.close()
    }
  } catch (error) {
    throw new Fault(
      'Corrupt',
      `${source}: the file must be a GLM Level 2 file, but cannot be read (${(error as Error).message}). Fetch it again.`,
      {
        source,
      },
    )
  } finally {
    FS.unlink(name)
  }
}

const SIGNATURE = [0x89, 0x48, 0x44, 0x46, 0x0d, 0x0a, 0x1a, 0x0a]

/**
 * Checks the length of the file before the HDF5 library opens it, because the library writes long reports about a truncated file to stderr.
 * The superblock has the expected length.
 */
function checkLength(bytes: Uint8Array, source: string): void {
  if (bytes.length < 64 || SIGNATURE.some((octet, i) => bytes[i] !== octet)) {
    throw new Fault(
      'Corrupt',
      `${source}: the file must be HDF5, but its ${bytes.length} bytes are not. Fetch it again.`,
    )
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const version = bytes[8]!
  const end = Number(view.getBigUint64(version >= 2 ? 28 : version === 1 ? 44 : 40, true))
  if (end > bytes.length) {
    throw new Fault('Corrupt', `${source}: must have ${end} bytes, but has ${bytes.length}. Fetch it again.`, {
      source,
    })
  }
}

function granuleOf(file: Opened): Granule {
  const attribute = (name: string) => String(file.attrs[name]?.value ?? '')
  const start = Date.parse(attribute('time_coverage_start'))
  const end = Date.parse(attribute('time_coverage_end'))
  const satellite = attribute('platform_ID')
  if (Number.isNaN(start) || Number.isNaN(end) || !/^G\d\d$/.test(satellite)) {
    throw new Error(`platform "${satellite}" from ${attribute('time_coverage_start')}`)
  }
  const lat = column(file, 'flash_lat')
  const lon = column(file, 'flash_lon')
  const energy = column(file, 'flash_energy')
  const quality = column(file, 'flash_quality_flag')
  const offset = column(file, 'flash_time_offset_of_first_event')
  const flashes: Flash[] = []
  for (let i = 0; i < lat.length; i++) {
    if (!USABLE_QUALITY.has(quality[i]!) || !(Math.abs(lat[i]!) <= 90) || !(Math.abs(lon[i]!) <= 360)) continue
    flashes.push({ time: start + Math.round(offset[i]! * SECOND), lat: lat[i]!, lon: lon[i]!, energy: energy[i]! })
  }
  const latBounds = column(file, 'lat_field_of_view_bounds')
  const lonBounds = column(file, 'lon_field_of_view_bounds')
  return {
    satellite,
    start,
    end,
    subpoint: column(file, 'nominal_satellite_subpoint_lon')[0]!,
    bounds: [Math.min(...latBounds), Math.max(...latBounds), Math.min(...lonBounds), Math.max(...lonBounds)],
    flashes,
    degraded: lat.length - flashes.length,
  }
}

/**
 * Maximum number of flashes in a file; 20 seconds have several hundred. A file of 30 KB may declare millions, which would exhaust the
 * library's memory.
 */
const MAX_VALUES = 100_000

/** Reads a variable as numbers. Stored integers are unsigned if `_Unsigned` is set. They are scaled, and fill values become NaN. */
function column(file: Opened, name: string): Float64Array {
  const dataset = file.get(name)
  if (!dataset) throw new Error(`no variable ${name}`)
  const count = (dataset.shape ?? []).reduce((product, length) => product * length, 1)
  if (!(count <= MAX_VALUES)) throw new Error(`${count} values of ${name}`)
  const stored = dataset.value
  const values = typeof stored === 'number' ? [stored] : Array.from(stored as ArrayLike<number>, Number)
  const number = (attribute: string): number | undefined => {
    const attributeValue = dataset.attrs[attribute]?.value
    const first =
      ArrayBuffer.isView(attributeValue) || Array.isArray(attributeValue)
        ? (attributeValue as ArrayLike<number>)[0]
        : attributeValue
    return first === undefined ? undefined : Number(first)
  }
  const unsigned = String(dataset.attrs['_Unsigned']?.value ?? '') === 'true'
  const wrap = unsigned && ArrayBuffer.isView(stored) ? 2 ** (8 * (stored as Int16Array).BYTES_PER_ELEMENT) : 0
  const scale = number('scale_factor') ?? 1
  const add = number('add_offset') ?? 0
  const fill = number('_FillValue')
  return Float64Array.from(values, (value) =>
    value === fill ? Number.NaN : (wrap > 0 && value < 0 ? value + wrap : value) * scale + add,
  )
}

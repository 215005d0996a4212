import { File, ready } from 'h5wasm'
import { LRUCache } from 'lru-cache'
import { mapperSees } from '../../ingest/domain/shape/field-of-view.ts'
import { SECOND } from '../../ingest/domain/time.ts'
import { nameTag, type SimulatedHost } from './source.ts'
import { stormsAt } from './storms.ts'

const GRANULE_MS = 20 * SECOND
const LATENCY_MS = 14 * SECOND
const RETENTION_MS = 3600 * SECOND
const KM_PER_DEGREE = 111.19

interface Satellite {
  readonly name: string
  readonly slot: string
  readonly subpoint: number
}

const satellites: readonly Satellite[] = [
  { name: 'G19', slot: 'GOES-East', subpoint: -75.2 },
  { name: 'G18', slot: 'GOES-West', subpoint: -137.2 },
]

/** Returns deterministic noise in [0, 1). */
function noise(seed: number, salt: number): number {
  let h = Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(salt + 1, 0x27d4eb2f)
  h = Math.imul(h ^ (h >>> 15), 0x2c1b3c6d)
  h = Math.imul(h ^ (h >>> 12), 0x297a2d39)
  return ((h ^ (h >>> 15)) >>> 0) / 4294967296
}

export interface SimulatedFlash {
  readonly offset: number
  readonly lat: number
  readonly lon: number
  readonly quality: 0 | 3
}

/**
 * Returns the flashes in the 20 seconds from `start` that a satellite sees. The positions from two satellites differ a
 * little.
 */
export function flashesOf(satellite: Pick<Satellite, 'name' | 'subpoint'>, start: number): SimulatedFlash[] {
  const flashes: SimulatedFlash[] = []
  for (const { storm, lat, lon, rate } of stormsAt(start)) {
    const count = Math.floor(Math.max(0, rate - 10) / 4 + noise(start / GRANULE_MS, storm.birth % 7919))
    for (let n = 0; n < count; n++) {
      const seed = (start / GRANULE_MS) * 31 + n * 7 + Math.round(storm.lat * 1000)
      const km = storm.radiusKm * Math.sqrt(noise(seed, 1))
      const angle = 2 * Math.PI * noise(seed, 2)
      const shift = satellite.name === 'G18' ? 0.02 : 0
      const flash = {
        offset: 19 * noise(seed, 3) + (satellite.name === 'G18' ? 0.05 : 0),
        lat: lat + (km * Math.sin(angle)) / KM_PER_DEGREE + shift,
        lon: lon + (km * Math.cos(angle)) / KM_PER_DEGREE / Math.cos((lat * Math.PI) / 180) - shift,
        quality: (noise(seed, 4) > 0.97 ? 3 : 0) as 0 | 3,
      }
      if (mapperSees(satellite.subpoint, flash.lat, flash.lon)) flashes.push(flash)
    }
  }
  return flashes
}

let fileCount = 0

/** Writes a level 2 file (netCDF-4 in HDF5) with the variables that readers need, packed like NOAA's files. */
async function fileOf(satellite: Satellite, start: number): Promise<Uint8Array> {
  const { FS } = (await ready) as unknown as { FS: { readFile(name: string): Uint8Array; unlink(name: string): void } }
  const name = `simulated-${fileCount++}.nc`
  const flashes = flashesOf(satellite, start)
  const file = new File(name, 'w')
  const shape = [flashes.length]
  const floats = (label: string, flashValue: (flash: SimulatedFlash) => number) =>
    file.create_dataset({ name: label, data: Float32Array.from(flashes, flashValue), shape, dtype: '<f' })
  floats('flash_lat', ({ lat }) => lat)
  floats('flash_lon', ({ lon }) => lon)
  const shorts = (label: string, flashValue: (flash: SimulatedFlash) => number, scale?: number, offset?: number) => {
    const dataset = file.create_dataset({ name: label, data: Int16Array.from(flashes, flashValue), shape, dtype: '<h' })
    dataset.create_attribute('_Unsigned', 'true')
    if (scale !== undefined) dataset.create_attribute('scale_factor', Float32Array.of(scale), [1], '<f')
    if (offset !== undefined) dataset.create_attribute('add_offset', Float32Array.of(offset), [1], '<f')
  }
  const STEP = 0.00038147560553625226
  shorts('flash_time_offset_of_first_event', ({ offset }) => Math.round((offset + 5) / STEP), STEP, -5)
  shorts('flash_energy', () => 40, 9.999959802209943e-16, 2.8514998886357517e-16)
  shorts('flash_quality_flag', ({ quality }) => quality)
  const single = (label: string, value: number) =>
    file.create_dataset({ name: label, data: Float32Array.of(value), shape: [1], dtype: '<f' })
  single('nominal_satellite_subpoint_lon', satellite.subpoint)
  const pair = (label: string, values: readonly number[]) =>
    file.create_dataset({ name: label, data: Float32Array.from(values), shape: [2], dtype: '<f' })
  pair('lat_field_of_view_bounds', [57.6, -57.6])
  pair('lon_field_of_view_bounds', [satellite.subpoint - 64.2, satellite.subpoint + 64.2])
  const text = (at: number) => `${new Date(at).toISOString().slice(0, 21)}Z`
  file.create_attribute('platform_ID', satellite.name)
  file.create_attribute('orbital_slot', satellite.slot)
  file.create_attribute('time_coverage_start', text(start))
  file.create_attribute('time_coverage_end', text(start + GRANULE_MS))
  file.create_attribute('title', 'GLM L2 Lightning Detections: Events, Groups, and Flashes (simulated)')
  file.flush()
  file.close()
  const bytes = Uint8Array.from(FS.readFile(name))
  FS.unlink(name)
  return bytes
}

const digits = (value: number, width: number) => String(value).padStart(width, '0')

function momentOf(at: number): { text: string; folder: string } {
  const date = new Date(at)
  const year = date.getUTCFullYear()
  const day = digits(Math.floor((at - Date.UTC(year, 0, 1)) / 86_400_000) + 1, 3)
  const hour = digits(date.getUTCHours(), 2)
  const minuteAndSecond = digits(date.getUTCMinutes(), 2) + digits(date.getUTCSeconds(), 2)
  return { text: `${year}${day}${hour}${minuteAndSecond}0`, folder: `${year}/${day}/${hour}` }
}

function keyOf(satellite: Satellite, start: number): string {
  const { text, folder } = momentOf(start)
  const created = momentOf(start + GRANULE_MS + SECOND).text
  return `GLM-L2-LCFA/${folder}/OR_GLM-L2-LCFA_${satellite.name}_s${text}_e${momentOf(start + GRANULE_MS).text}_c${created}.nc`
}

function bucketOf(satellite: Satellite): SimulatedHost {
  const files = new LRUCache<string, Uint8Array>({ max: 100 })
  const appearanceOf = (start: number) => start + GRANULE_MS + LATENCY_MS
  return {
    host: `noaa-goes${satellite.name.slice(1)}.s3.amazonaws.com`,
    *list(prefix, now) {
      for (
        let start = Math.ceil((now - RETENTION_MS) / GRANULE_MS) * GRANULE_MS;
        appearanceOf(start) <= now;
        start += GRANULE_MS
      ) {
        const key = keyOf(satellite, start)
        if (key.startsWith(prefix)) yield { key, size: 20_000, etag: nameTag(key), lastModified: appearanceOf(start) }
      }
    },
    find(path, _query, now) {
      const parts = /_s(\d{4})(\d{3})(\d\d)(\d\d)(\d\d)0_/.exec(path)
      if (!parts) return undefined
      const [year = 0, day, hour, minute, second] = parts.slice(1).map(Number)
      const start = Date.UTC(year, 0, day, hour, minute, second)
      if (start % GRANULE_MS !== 0 || appearanceOf(start) > now || keyOf(satellite, start) !== path.slice(1))
        return undefined
      return {
        etag: nameTag(path.slice(1)),
        lastModified: appearanceOf(start),
        type: 'application/x-netcdf',
        async body() {
          let bytes = files.get(path)
          if (!bytes) {
            bytes = await fileOf(satellite, start)
            files.set(path, bytes)
          }
          return bytes
        },
      }
    },
  }
}

/** The buckets of the two GOES satellites. */
export const lightningSources: readonly SimulatedHost[] = satellites.map(bucketOf)

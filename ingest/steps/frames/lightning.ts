import PQueue from 'p-queue'
import { pointerOf } from '../../../sql/queries/runs.ts'
import { readGlm } from '../../decode/glm.ts'
import type { FrameDataset } from '../../domain/dataset/dataset.ts'
import { isFault } from '../../domain/fault.ts'
import { nth } from '../../domain/nth.ts'
import { isRedirected } from '../../domain/quarantine.ts'
import { kilometresBetween } from '../../domain/shape/field-of-view.ts'
import { type Instant, MINUTE, SECOND } from '../../domain/time.ts'
import { readFlashes, type SatelliteShare, writeFlashes } from '../../tile/flash-file.ts'
import { frameKey } from '../../tile/key.ts'
import { flashesInView } from './check-granule.ts'
import { publishFrame, quarantineFrame } from './frame.ts'
import type { FrameOutcome, FramePorts } from './frame-source.ts'

/** Period over which flashes are counted. */
export const WINDOW_MS = 10 * MINUTE
const GRANULE_MS = 20 * SECOND
const CONCURRENCY = 8
/** Flashes of two satellites are the same flash if their positions and times differ by less than this. */
const SAME_FLASH_KM = 10
const SAME_FLASH_MS = SECOND
/** GOES-West has the better view west of this longitude, degrees. */
const DIVIDING_LONGITUDE = -106

interface SeenFlash {
  readonly time: Instant
  readonly lat: number
  readonly lon: number
  readonly satellite: string
}

interface Share {
  id: string
  subpoint: number
  bounds: readonly [number, number, number, number]
  granules: Set<Instant>
  rejected: Set<Instant>
}

/**
 * Publishes the flashes of both satellites in the last ten minutes as one object. Flashes of the served window are carried over, and
 * only missing files are fetched. The function is idempotent. The window ends with the newest file.
 */
export async function sweepGlm(ports: FramePorts, dataset: FrameDataset, now: Instant): Promise<FrameOutcome> {
  const rejected: string[] = []
  const failures: string[] = []
  const listed: { url: string; name: string; satellite: string; time: Instant; modified?: Instant }[] = []
  const listFiles = async ({ bucket, prefix }: { bucket: string; prefix: string }) => {
    try {
      for (const { key, lastModified: modified } of await ports.upstream.list(bucket, prefix)) {
        const time = dataset.timeOf(key)
        const satellite = /_(G\d\d)_s/.exec(key)?.[1]
        if (time === undefined || !satellite || time > now + 2 * MINUTE) continue
        listed.push({ url: `${bucket}/${key}`, name: key.slice(key.lastIndexOf('/') + 1), satellite, time, modified })
      }
    } catch (error) {
      if (!isFault(error)) throw error
      if (!error.details['givenUp']) failures.push(`glm: ${error.message}`)
    }
  }
  // Both satellites are listed concurrently, so that a satellite that does not answer does not delay the other.
  await Promise.all(dataset.listings(now, 'conus').map(listFiles))
  const none = { dataset: dataset.id, published: [], superseded: [], rejected, failures }
  if (listed.length === 0) return none

  const end = Math.max(...listed.map(({ time }) => time)) + GRANULE_MS
  const { shares, earlierFlashes } = await carryOver(ports, dataset.id, end)
  const unreadFiles = listed.filter(({ satellite, time }) => {
    const share = shares.get(satellite)
    return time > end - WINDOW_MS - GRANULE_MS && !share?.granules.has(time) && !share?.rejected.has(time)
  })
  if (unreadFiles.length === 0) return none
  const takeFile = async (file: (typeof unreadFiles)[number]) => {
    const { url, name, satellite, time } = file
    let bytes: Uint8Array | undefined
    try {
      ;({ bytes } = await ports.upstream.get(url))
      const granule = await readGlm(bytes, name)
      const flashes = flashesInView(granule, name, satellite, time)
      const share = shareOf(shares, satellite, granule.subpoint, granule.bounds)
      share.granules.add(time)
      for (const flash of flashes) earlierFlashes.push({ ...flash, satellite })
    } catch (error) {
      if (!isFault(error)) throw error
      if (error.kind !== 'Corrupt') {
        if (isRedirected(error)) await quarantineFrame(ports, dataset.id, 'conus', file, error)
        failures.push(`${name}: ${error.message}`)
        return
      }
      rejected.push(error.message)
      shareOf(shares, satellite).rejected.add(time)
      await quarantineFrame(ports, dataset.id, 'conus', file, error, bytes)
    }
  }
  const newestFirst = [...unreadFiles].sort((a, b) => b.time - a.time)
  await new PQueue({ concurrency: CONCURRENCY }).addAll(newestFirst.map((file) => () => takeFile(file)))
  const times = unreadFiles.flatMap(({ modified }) => modified ?? [])
  const modified = times.length > 0 ? Math.max(...times) : undefined
  await publishWindow(ports, dataset, end, shares, earlierFlashes, now, modified)
  const published = dataset.domains.map(({ id }) => ({ domain: id, time: end }))
  return { dataset: dataset.id, published, superseded: [], rejected, failures }
}

function shareOf(
  shares: Map<string, Share>,
  id: string,
  subpoint = Number.NaN,
  bounds: Share['bounds'] = [0, 0, 0, 0],
): Share {
  let share = shares.get(id)
  if (!share) shares.set(id, (share = { id, subpoint, bounds, granules: new Set(), rejected: new Set() }))
  if (!Number.isNaN(subpoint)) {
    share.subpoint = subpoint
    share.bounds = bounds
  }
  return share
}

/** Returns the flashes of the served window that belong to the new window. */
async function carryOver(
  ports: FramePorts,
  dataset: string,
  end: Instant,
): Promise<{ shares: Map<string, Share>; earlierFlashes: SeenFlash[] }> {
  const shares = new Map<string, Share>()
  const earlierFlashes: SeenFlash[] = []
  const served = await pointerOf(ports.database, dataset, 'conus')
  const servedEnd = served?.run.getTime() ?? Number.NEGATIVE_INFINITY
  if (!served || servedEnd <= end - WINDOW_MS || servedEnd > end) return { shares, earlierFlashes }
  const stored = readFlashes(await ports.objects.get(served.manifest_key), served.manifest_key)
  // A window that was stored before migration 250-outcomes.sql has a different name for its list.
  for (const { id, subpoint, bounds, granules, rejected = [] } of stored.head.satellites) {
    const recent = (times: readonly Instant[]) => new Set(times.filter((time) => time > end - WINDOW_MS - GRANULE_MS))
    shares.set(id, { id, subpoint, bounds, granules: recent(granules), rejected: recent(rejected) })
  }
  for (let k = 0; k < stored.head.flashes; k++) {
    earlierFlashes.push({
      time: stored.head.end - stored.age[k]! * SECOND,
      lat: stored.lat[k]!,
      lon: stored.lon[k]!,
      satellite: nth(stored.head.satellites, stored.satellite[k]!).id,
    })
  }
  return { shares, earlierFlashes }
}

async function publishWindow(
  ports: FramePorts,
  dataset: FrameDataset,
  end: Instant,
  shares: ReadonlyMap<string, Share>,
  allFlashes: readonly SeenFlash[],
  now: Instant,
  modified: Instant | undefined,
): Promise<void> {
  const satellites: SatelliteShare[] = [...shares.values()].map(({ granules, rejected, ...share }) => ({
    ...share,
    granules: [...granules].sort((a, b) => a - b),
    rejected: [...rejected].sort((a, b) => a - b),
  }))
  const order = satellites.map(({ id }) => id)
  const flashes = joinSatellites(allFlashes.filter(({ time }) => time > end - WINDOW_MS && time <= end))
  const head = { end, minutes: WINDOW_MS / MINUTE, satellites, flashes: flashes.length }
  const bytes = writeFlashes({
    head,
    age: Float32Array.from(flashes, ({ time }) => (end - time) / SECOND),
    lat: Float32Array.from(flashes, ({ lat }) => lat),
    lon: Float32Array.from(flashes, ({ lon }) => lon),
    satellite: Uint8Array.from(flashes, ({ satellite }) => order.indexOf(satellite)),
  })
  // A window with the same end and one more file is a different object, so the key contains the number of files.
  const count = satellites.reduce((sum, { granules, rejected }) => sum + granules.length + rejected.length, 0)
  const key = `${frameKey(dataset.id, 'all', end)}-${count}`
  await ports.objects.put(key, bytes)
  for (const { id } of dataset.domains) {
    await publishFrame(
      ports.database,
      dataset.id,
      id,
      end,
      key,
      { satellites: order, flashes: flashes.length },
      now,
      count,
      modified,
    )
  }
}

/** Merges flashes that both satellites saw, and keeps the flash of the satellite with the better view. */
export function joinSatellites<T extends SeenFlash>(flashes: readonly T[]): T[] {
  const sorted = [...flashes].sort((a, b) => a.time - b.time)
  const dropped = new Set<T>()
  for (let i = 0; i < sorted.length; i++) {
    const flash = nth(sorted, i)
    if (dropped.has(flash)) continue
    for (let j = i + 1; j < sorted.length && nth(sorted, j).time - flash.time <= SAME_FLASH_MS; j++) {
      const other = nth(sorted, j)
      if (other.satellite === flash.satellite || dropped.has(other) || Math.abs(other.lat - flash.lat) > 0.1) continue
      if (kilometresBetween(flash.lat, flash.lon, other.lat, other.lon) > SAME_FLASH_KM) continue
      // Satellites with even numbers are GOES-West (G18), with odd numbers GOES-East (G19).
      const west = Number(flash.satellite.slice(1)) % 2 === 0
      const keepsFlash = flash.lon < DIVIDING_LONGITUDE === west
      dropped.add(keepsFlash ? other : flash)
      if (!keepsFlash) break
    }
  }
  return sorted.filter((flash) => !dropped.has(flash))
}

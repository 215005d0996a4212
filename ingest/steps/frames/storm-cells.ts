import { pointerOf } from '../../../sql/queries/runs.ts'
import { type Level3Product, readLevel3 } from '../../decode/radar/nexrad-l3.ts'
import {
  readMesocyclones,
  readStormCells,
  readTornadoSignatures,
  type StormCell,
} from '../../decode/radar/nexrad-l3-storms.ts'
import type { RadarSiteDataset } from '../../domain/dataset/dataset.ts'
import type { DomainId } from '../../domain/domain.ts'
import { isFault } from '../../domain/fault.ts'
import { nth } from '../../domain/nth.ts'
import { kilometresBetween } from '../../domain/shape/field-of-view.ts'
import type { Instant } from '../../domain/time.ts'
import { movedPlace, type StormList, type StormObject } from '../../domain/weather/storm.ts'
import { frameKey } from '../../tile/key.ts'
import { publishFrame } from './frame.ts'
import type { DomainOutcome, FrameOutcome, FramePorts } from './frame-source.ts'
import { newestScan, quarantineScans, type RejectedScan, readScan, type ScanFile } from './newest-scan.ts'

/** The products have no outline of a cell, so a circle of this radius is drawn. */
const OUTLINE_KM = 5
/** Cells of two radars within this distance are one storm. */
const SAME_STORM_KM = 8

function circle(lat: number, lon: number): (readonly [number, number])[] {
  return Array.from({ length: 13 }, (_, k) => {
    const angle = (2 * Math.PI * (k % 12)) / 12
    const metres = OUTLINE_KM * 1000
    const at = movedPlace(lat, lon, metres * Math.cos(angle), metres * Math.sin(angle), 1)
    return [at.lon, at.lat] as const
  })
}

function stormOf(site: string, time: Instant, cell: StormCell, details: Readonly<Record<string, string>>): StormObject {
  const { id, lat, lon, velocity, maxReflectivity } = cell
  return {
    id: `${site}-${id}`,
    outline: [circle(lat, lon)],
    lat,
    lon,
    east: velocity?.east ?? 0,
    north: velocity?.north ?? 0,
    ...(!velocity && { motionUnknown: true }),
    validTime: time,
    details: {
      SITE: site,
      ...(maxReflectivity !== undefined && { MAX_DBZ: String(maxReflectivity) }),
      ...details,
    },
  }
}

/** Returns the cells of a radar with their circulations and signatures; undefined if the list of cells is rejected. */
async function stormsOfSite(
  ports: FramePorts,
  site: string,
  files: ReadonlyMap<string, ScanFile>,
  rejected: RejectedScan[],
): Promise<StormObject[] | undefined> {
  const read = async <T>(product: string, records: (product: Level3Product) => readonly T[]) => {
    const file = files.get(product)
    if (!file) return []
    const scan = await readScan(ports, file, site, product, (bytes) => {
      const decoded = readLevel3(bytes)
      return { ...decoded, records: records(decoded) }
    })
    if (!('fault' in scan)) return scan.records
    rejected.push(scan)
    return undefined
  }
  const [tracks, circulations, signatures] = await Promise.all([
    read('NST', readStormCells),
    read('NMD', readMesocyclones),
    read('NTV', readTornadoSignatures),
  ])
  if (!tracks) return undefined
  const details = new Map<string, Record<string, string>>()
  const detailsOf = (cell: string | undefined) => {
    const known = cell === undefined ? undefined : details.get(cell)
    if (known || cell === undefined) return known ?? {}
    const created = {}
    details.set(cell, created)
    return created
  }
  for (const circulation of circulations ?? []) {
    const details: Record<string, string> = detailsOf(circulation.cell)
    if (Number(details['MESO_STRENGTH'] ?? 0) < circulation.strength)
      details['MESO_STRENGTH'] = String(circulation.strength)
  }
  for (const signature of signatures ?? []) {
    const details: Record<string, string> = detailsOf(signature.cell)
    details['TVS'] = signature.elevated ? (details['TVS'] ?? 'ETVS') : 'TVS'
  }
  const time = files.get('NST')!.time
  return tracks.map((cell) => stormOf(site, time, cell, details.get(cell.id) ?? {}))
}

/** Merges the cells that several radars see into one storm, from the newest scan. */
function withoutDuplicates(storms: readonly StormObject[]): StormObject[] {
  const merged: StormObject[] = []
  for (const storm of [...storms].sort((a, b) => b.validTime! - a.validTime!)) {
    const same = merged.some(
      (other) =>
        other.details['SITE'] !== storm.details['SITE'] &&
        kilometresBetween(other.lat, other.lon, storm.lat, storm.lon) < SAME_STORM_KM,
    )
    if (!same) merged.push(storm)
  }
  return merged
}

async function sweepDomain(
  ports: FramePorts,
  dataset: RadarSiteDataset,
  domain: DomainId,
  now: Instant,
  { published, rejected, failures }: DomainOutcome,
): Promise<void> {
  const storms: StormObject[] = []
  const missing: string[] = []
  const sites = dataset.sites[domain] ?? []
  const filesBySite = await Promise.all(
    sites.map(async (site) => {
      try {
        const files = await Promise.all(
          dataset.products.map(
            async (product) => [product, await newestScan(ports, dataset, site, product, now)] as const,
          ),
        )
        return new Map(files.flatMap(([product, file]) => (file ? [[product, file] as const] : [])))
      } catch (error) {
        if (!isFault(error)) throw error
        // A mirror without this bucket has no scans of the radar, which then counts as missing and not as failed.
        if (error.kind !== 'NotYet' && !error.details['givenUp'])
          failures.push(`${dataset.id}/${domain}: ${site}: ${error.message}`)
        return new Map<string, ScanFile>()
      }
    }),
  )
  const times = filesBySite.flatMap((files) => files.get('NST')?.time ?? [])
  const newest = Math.max(...times)
  const served = (await pointerOf(ports.database, dataset.id, domain))?.run.getTime() ?? Number.NEGATIVE_INFINITY
  if (times.length === 0 || newest <= served) return
  const corrupt: RejectedScan[] = []
  for (const [k, site] of sites.entries()) {
    const files = nth(filesBySite, k)
    if (!files.has('NST')) {
      missing.push(site)
      continue
    }
    try {
      const siteStorms = await stormsOfSite(ports, site, files, corrupt)
      if (siteStorms) storms.push(...siteStorms)
      else missing.push(site)
    } catch (error) {
      if (!isFault(error)) throw error
      missing.push(site)
      failures.push(`${files.get('NST')!.name}: ${error.message}`)
    }
  }
  const messages = await quarantineScans(ports, dataset, domain, corrupt)
  rejected.push(...messages)
  if (missing.length === sites.length) return
  const list: StormList = { validTime: newest, storms: withoutDuplicates(storms), rejected: messages, missing }
  const key = frameKey(dataset.id, domain, newest)
  await ports.objects.put(key, Buffer.from(JSON.stringify(list)))
  const manifest = { storms: list.storms.length, missing }
  const modified = filesBySite.map((files) => files.get('NST')).find((file) => file?.time === newest)?.modified
  await publishFrame(ports.database, dataset.id, domain, newest, key, manifest, now, 0, modified)
  published.push({ domain, time: newest })
}

/** Publishes the storm cells of every radar of a domain if a radar has a new volume scan. Idempotent. */
export async function sweepStormCells(
  ports: FramePorts,
  dataset: RadarSiteDataset,
  now: Instant,
): Promise<FrameOutcome> {
  const outcome: DomainOutcome = { published: [], rejected: [], superseded: [], failures: [] }
  for (const { id } of dataset.domains) {
    try {
      await sweepDomain(ports, dataset, id, now, outcome)
    } catch (error) {
      if (!isFault(error)) throw error
      outcome.failures.push(`${dataset.id}/${id}: ${error.message}`)
    }
  }
  return { dataset: dataset.id, ...outcome }
}

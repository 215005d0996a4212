import PQueue from 'p-queue'
import { pointerOf } from '../../../sql/queries/runs.ts'
import type { RadarSiteDataset } from '../../domain/dataset/dataset.ts'
import type { DomainId } from '../../domain/domain.ts'
import { isFault } from '../../domain/fault.ts'
import { type Instant, MINUTE } from '../../domain/time.ts'
import {
  type RadarProduct,
  radarProductOf,
  SITE_SCAN_MAX_AGE_MS,
  type SiteScan,
  type SiteScans,
} from '../../domain/weather/radar-scan.ts'
import { frameKey } from '../../tile/key.ts'
import { publishFrame } from './frame.ts'
import type { DomainOutcome, FrameOutcome, FramePorts } from './frame-source.ts'
import { newestScan, quarantineScans, type RejectedScan, readScan } from './newest-scan.ts'
import type { SiteScanResult, SiteScanTask } from './site-grid.ts'

/** A volume scan takes at least four minutes, so a product is not listed again earlier. */
const LEAST_CADENCE_MS = 4 * MINUTE
/** Number of products that are read at the same time. */
const CONCURRENCY = 8
interface ScanJob {
  readonly site: string
  readonly product: RadarProduct
  readonly known: SiteScan | undefined
}

/**
 * Reads the newest scan of a product of a site if it is newer than the stored scan. @returns a rejected file if it is corrupt
 * @throws Fault
 */
async function takeScan(
  ports: FramePorts,
  dataset: RadarSiteDataset,
  domain: DomainId,
  { site, product, known }: ScanJob,
  now: Instant,
): Promise<SiteScan | RejectedScan | undefined> {
  const { mnemonic } = product
  const file = await newestScan(ports, dataset, site, mnemonic, now)
  if (!file || (known && file.time <= known.time)) return undefined
  const { unit } = product
  const scan = await readScan(ports, file, site, mnemonic, (bytes) => {
    const task: SiteScanTask = { kind: 'site-scan', bytes, product: mnemonic, domain, unit, source: file.url }
    return ports.pool.run<SiteScanResult>(task)
  })
  if ('fault' in scan) return scan
  const key = `${frameKey(dataset.id, site, file.time)}/${mnemonic}`
  await ports.objects.put(key, scan.bytes)
  const { elevation, coveragePattern } = scan
  return { site, mnemonic, time: file.time, key, coveragePattern, ...(elevation !== undefined && { elevation }) }
}

/** Returns the served list; undefined if its object was deleted, in which case everything is fetched again. */
async function listAt({ objects }: FramePorts, key: string): Promise<SiteScans | undefined> {
  try {
    return JSON.parse(Buffer.from(await objects.get(key)).toString()) as SiteScans
  } catch (error) {
    if (isFault(error, 'Missing')) return undefined
    throw error
  }
}

async function sweepDomain(
  ports: FramePorts,
  dataset: RadarSiteDataset,
  domain: DomainId,
  now: Instant,
  outcome: DomainOutcome,
): Promise<void> {
  const { published, rejected, failures } = outcome
  const served = await pointerOf(ports.database, dataset.id, domain)
  const before = served && (await listAt(ports, served.manifest_key))
  const known = new Map(before?.scans.map((scan) => [`${scan.site} ${scan.mnemonic}`, scan]))
  const jobs = (dataset.sites[domain] ?? []).flatMap((site) =>
    dataset.products.flatMap((mnemonic): ScanJob[] => {
      const stored = known.get(`${site} ${mnemonic}`)
      if (stored && now - stored.time < LEAST_CADENCE_MS) return []
      return [{ site, product: radarProductOf(mnemonic)!, known: stored }]
    }),
  )
  const corrupt: RejectedScan[] = []
  let scanCount = 0
  let givenUp = false
  const work = async (job: ScanJob): Promise<void> => {
    if (givenUp) return
    try {
      const scan = await takeScan(ports, dataset, domain, job, now)
      if (scan && 'fault' in scan) corrupt.push(scan)
      else if (scan) {
        known.set(`${scan.site} ${scan.mnemonic}`, scan)
        scanCount++
      }
    } catch (error) {
      if (!isFault(error)) throw error
      // A mirror without this bucket has no scans; a listed object may have been deleted.
      if (['NotYet', 'Gone'].includes(error.kind)) return
      if (error.details['givenUp']) givenUp = true
      else failures.push(`${dataset.id}/${domain}: ${job.site}: ${error.message}`)
    }
  }
  await new PQueue({ concurrency: CONCURRENCY }).addAll(jobs.map((job) => () => work(job)))
  const messages = await quarantineScans(ports, dataset, domain, corrupt)
  rejected.push(...messages)
  if (scanCount === 0) return
  const scans = [...known.values()].filter(({ time }) => time >= now - 2 * SITE_SCAN_MAX_AGE_MS)
  const validTime = Math.max(...scans.map(({ time }) => time), before ? before.validTime + 1000 : 0)
  const listedKeys = new Set(scans.map(({ key }) => key))
  const replaced = before?.scans.flatMap(({ key }) => (listedKeys.has(key) ? [] : [key])) ?? []
  const list: SiteScans = { validTime, scans, rejected: messages, replaced }
  const key = frameKey(dataset.id, domain, validTime)
  await ports.objects.put(key, Buffer.from(JSON.stringify(list)))
  await publishFrame(ports.database, dataset.id, domain, validTime, key, { scans: scans.length }, now)
  published.push({ domain, time: validTime })
}

/** Publishes the newest scans of all radars of each domain if a radar has a new scan. Idempotent. */
export async function sweepRadarSites(
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

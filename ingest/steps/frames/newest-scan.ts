import type { RadarSiteDataset } from '../../domain/dataset/dataset.ts'
import type { DomainId } from '../../domain/domain.ts'
import { Fault, isFault } from '../../domain/fault.ts'
import { isRedirected } from '../../domain/quarantine.ts'
import { type Instant, isoSeconds, MINUTE } from '../../domain/time.ts'
import { productCodes, SITE_SCAN_MAX_AGE_MS } from '../../domain/weather/radar-scan.ts'
import { radarById } from '../../geo/site.ts'
import { quarantineFrame } from './frame.ts'
import type { FramePorts } from './frame-source.ts'

/** A scan further ahead of our clock is rejected. */
const AHEAD_MS = 2 * MINUTE
/** The time in a file name is the start of the volume scan; some names of 2021 were off by 110 s. */
const MAX_TIME_OFFSET_MS = 2 * MINUTE
/** A file whose radar is further than this from its position in our table belongs to a different radar. */
const MAX_OFFSET_DEGREES = 0.1
/**
 * Number of rejected files of a sweep that are recorded individually; a changed format affects all radars and products.
 */
const MAX_QUARANTINED = 20

/** A file of a product of a radar. */
export interface ScanFile {
  readonly url: string
  readonly name: string
  /** The start of the volume scan. */
  readonly time: Instant
  /** The Last-Modified of the file. */
  readonly modified?: Instant
}

/** Returns the newest file of a product of a radar; undefined if none is recent enough. @throws Fault */
export async function newestScan(
  { upstream }: Pick<FramePorts, 'upstream'>,
  dataset: RadarSiteDataset,
  site: string,
  product: string,
  now: Instant,
): Promise<ScanFile | undefined> {
  for (const { bucket, prefix } of dataset.listingsOf(site, product, now)) {
    let newest: ScanFile | undefined
    for (const { key, lastModified: modified } of await upstream.list(bucket, prefix)) {
      const time = dataset.timeOf(key)
      if (time === undefined || time > now + AHEAD_MS || time < now - SITE_SCAN_MAX_AGE_MS) continue
      if (!newest || time > newest.time) newest = { url: `${bucket}/${key}`, name: key, time, modified }
    }
    if (newest) return newest
  }
  return undefined
}

/** What a scan file states about its product, radar and time. */
interface ScanDescription {
  readonly code: number
  readonly lat: number
  readonly lon: number
  readonly volumeTime: Instant
}

/** @throws Fault Corrupt if the content does not match the name: another product, radar or scan */
function checkScan({ url, time }: ScanFile, site: string, mnemonic: string, scan: ScanDescription): void {
  const code = productCodes[mnemonic]
  if (scan.code !== code) {
    const detail = `${url}: must be product ${code} (${mnemonic}), but is ${scan.code}`
    throw new Fault('Corrupt', detail, { reason: 'parameter' })
  }
  const { lat, lon } = radarById(site)!
  if (Math.max(Math.abs(scan.lat - lat), Math.abs(scan.lon - lon)) > MAX_OFFSET_DEGREES) {
    const detail = `${url}: the radar must be at ${lat}, ${lon}, but is at ${scan.lat}, ${scan.lon}`
    throw new Fault('Corrupt', detail, { reason: 'grid' })
  }
  if (Math.abs(scan.volumeTime - time) > MAX_TIME_OFFSET_MS) {
    const detail = `${url}: the time of the scan must be that of the name, ${isoSeconds(time)}, but is ${isoSeconds(scan.volumeTime)}`
    throw new Fault('Corrupt', detail, { reason: 'time' })
  }
}

/**
 * Decodes a file and checks it against its name. @returns a rejected file if it is corrupt or if the address redirects
 * @throws Fault
 */
export async function readScan<T extends object>(
  { upstream }: Pick<FramePorts, 'upstream'>,
  file: ScanFile,
  site: string,
  mnemonic: string,
  read: (bytes: Uint8Array) => (T & ScanDescription) | Promise<T & ScanDescription>,
): Promise<T | RejectedScan> {
  let bytes: Uint8Array | undefined
  try {
    ;({ bytes } = await upstream.get(file.url))
    const decoded = await read(bytes)
    checkScan(file, site, mnemonic, decoded)
    return decoded
  } catch (error) {
    if (!isFault(error, 'Corrupt') && !isRedirected(error)) throw error
    return { file, part: `${site} ${mnemonic}`, fault: error, bytes }
  }
}

/** A rejected file, with its bytes if they were fetched. */
export interface RejectedScan {
  readonly file: ScanFile
  /** The radar and the product. */
  readonly part: string
  readonly fault: Fault
  readonly bytes?: Uint8Array
}

/** Puts rejected files of a sweep into quarantine. @returns their messages */
export async function quarantineScans(
  ports: Pick<FramePorts, 'quarantine'>,
  dataset: RadarSiteDataset,
  domain: DomainId,
  rejected: readonly RejectedScan[],
): Promise<string[]> {
  for (const { file, part, fault, bytes } of rejected.slice(0, MAX_QUARANTINED))
    await quarantineFrame(ports, dataset.id, domain, file, fault, bytes, part)
  return rejected.map(({ file, fault }) =>
    fault.message.includes(file.name) ? fault.message : `${file.name}: ${fault.message}`,
  )
}

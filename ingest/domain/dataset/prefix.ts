import type { DomainId } from '../domain.ts'
import { type Instant, SECOND } from '../time.ts'
import type { Dataset, FrameDataset, GridDataset, RadarSiteDataset } from './dataset.ts'

/** Bucket and prefix under which upstream lists new files of a dataset. */
export interface ListedPrefix {
  /** Name of the bucket without the host: `noaa-mrms-pds`. */
  readonly bucket: string
  readonly prefix: string
}

/** Returns where the newest run or frame that should exist at `now` is listed; undefined for a dataset without listings. */
export function newestPrefix(dataset: Dataset, domain: DomainId, now: Instant): ListedPrefix | undefined {
  const listing = listingOf(dataset, domain, now)
  return listing && { bucket: bucketName(listing.bucket), prefix: listing.prefix }
}

/** Two instants at which all date parts of a key differ. */
const FAR_APART = [Date.UTC(2031, 9, 27, 23, 46, 37), Date.UTC(2048, 2, 8, 6, 12, 8)] as const

/** Returns bucket and prefix without the date: `noaa-mrms-pds/CONUS/PrecipRate_00.00/`. It has few values, as a label of a metric must. */
export function datelessPrefix(dataset: Dataset, domain: DomainId): string | undefined {
  const [first, second] = FAR_APART.map((at) => newestPrefix(dataset, domain, at))
  if (!first || !second) return undefined
  let length = 0
  while (length < first.prefix.length && first.prefix[length] === second.prefix[length]) length++
  // The first digits of the years may be equal.
  while (length > 0 && /\d/.test(first.prefix[length - 1] ?? '')) length--
  return `${first.bucket}/${first.prefix.slice(0, length)}`
}

function listingOf(dataset: Dataset, domain: DomainId, now: Instant) {
  if (dataset.kind === 'grid') {
    const grid = dataset as GridDataset
    const exists = (run: Instant) => grid.leads(run, domain).length > 0
    const due = (run: Instant) => run + grid.latencySeconds * SECOND <= now
    const runs = grid.runs(now).filter(exists)
    const run = runs.find(due) ?? runs[0]
    return run === undefined ? undefined : grid.listing(run, domain)
  }
  if (dataset.kind !== 'frame') return undefined
  const { sites, products, listingsOf } = dataset as Partial<RadarSiteDataset>
  const [site] = sites?.[domain] ?? []
  const [product] = products ?? []
  if (listingsOf && site !== undefined && product !== undefined) return listingsOf(site, product, now)[0]
  return (dataset as FrameDataset).listings(now, domain)[0]
}

function bucketName(address: string): string {
  const { hostname, pathname } = new URL(address)
  return (hostname.split('.s3.', 1)[0] ?? hostname) + (pathname === '/' ? '' : pathname)
}

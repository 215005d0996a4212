import type { RadarSiteDataset } from '../domain/dataset/dataset.ts'
import { nth } from '../domain/nth.ts'
import { HOUR, stamp } from '../domain/time.ts'

const bucket = 'https://unidata-nexrad-level3.s3.amazonaws.com'

/** Keys are like `HKI_NST_2026_07_10_05_07_19`: site, product, and start of the volume scan (UTC). */
const KEY = /^([A-Z0-9]{3})_([A-Z0-9]{3})_(\d{4})_(\d\d)_(\d\d)_(\d\d)_(\d\d)_(\d\d)$/

/** Radars outside the contiguous states, by domain. */
export const outerSites = {
  alaska: ['ABC', 'ACG', 'AEC', 'AHG', 'AIH', 'AKC', 'APD'],
  hawaii: ['HKI', 'HKM', 'HMO', 'HWA'],
}

/** Location and polling interval of the bucket, which are the same for all Level III products. */
export const level3Bucket: Pick<
  RadarSiteDataset,
  | 'pollSeconds'
  | 'cadenceSeconds'
  | 'latencySeconds'
  | 'staleAfterSeconds'
  | 'deadlineSeconds'
  | 'keepSeconds'
  | 'listingsOf'
  | 'listings'
  | 'timeOf'
> &
  ThisType<RadarSiteDataset> = {
  pollSeconds: 120,
  cadenceSeconds: 300,
  latencySeconds: 240,
  staleAfterSeconds: 1800,
  deadlineSeconds: 1800,
  keepSeconds: 2 * 3600,
  listingsOf(site, product, now) {
    return [now, now - HOUR].map((instant) => {
      const { day, hour } = stamp(instant)
      const date = `${day.slice(0, 4)}_${day.slice(4, 6)}_${day.slice(6, 8)}`
      return { bucket, prefix: `${site}_${product}_${date}_${hour}` }
    })
  },
  listings(now, domain) {
    const sites = this.sites[domain] ?? []
    return sites.flatMap((site) => this.products.flatMap((product) => this.listingsOf(site, product, now)))
  },
  timeOf(key) {
    const part = KEY.exec(key)
    if (!part || !this.products.includes(nth(part, 2))) return undefined
    const [year, month, day, hour, minute, second] = part.slice(3)
    const instant = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`)
    return Number.isNaN(instant) ? undefined : instant
  },
}

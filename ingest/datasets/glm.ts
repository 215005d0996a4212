import type { FrameDataset } from '../domain/dataset/dataset.ts'
import { type Instant, MINUTE, stamp } from '../domain/time.ts'
import { alaska, conus, hawaii } from './domains.ts'

/** GOES-East (GOES-19 since April 2025) and GOES-West (GOES-18). */
const buckets = ['https://noaa-goes19.s3.amazonaws.com', 'https://noaa-goes18.s3.amazonaws.com'] as const

function dayOfYear(instant: Instant): string {
  const year = new Date(instant).getUTCFullYear()
  return String(Math.floor((instant - Date.UTC(year, 0, 1)) / 86_400_000) + 1).padStart(3, '0')
}

/** A new window is published every 20 seconds. It does not invalidate cached answers. */
export const glm: FrameDataset = {
  id: 'glm',
  role: 'lightning_flashes',
  title: 'Geostationary Lightning Mapper flashes',
  description: 'Lightning flashes, in clouds and to the ground, from GOES-East and GOES-West together.',
  kind: 'frame',
  format: 'glm',
  provider: 'NOAA/NESDIS',
  attribution: 'NOAA/NESDIS GOES-R Geostationary Lightning Mapper',
  gives: [{ name: 'lightning_flashes', unit: 'count', description: 'flashes within 30 km in 10 minutes' }],
  domains: [conus, alaska, hawaii],
  cadenceSeconds: 20,
  latencySeconds: 60,
  staleAfterSeconds: 300,
  deadlineSeconds: 600,
  keepSeconds: 1800,
  listings(now) {
    // A prefix of ten minutes lists 30 names. The window of flashes may begin in the preceding prefix.
    const blocks = [now, now - 10 * MINUTE]
    return buckets.flatMap((bucket) =>
      blocks.map((instant) => {
        const { day, hour, minute } = stamp(instant)
        const when = `${day.slice(0, 4)}/${dayOfYear(instant)}/${hour}`
        const satellite = `G${bucket.slice(17, 19)}`
        const block = `s${day.slice(0, 4)}${dayOfYear(instant)}${hour}${minute.slice(0, 1)}`
        return { bucket, prefix: `GLM-L2-LCFA/${when}/OR_GLM-L2-LCFA_${satellite}_${block}` }
      }),
    )
  },
  timeOf(key) {
    const match = /OR_GLM-L2-LCFA_G\d\d_s(\d{4})(\d{3})(\d\d)(\d\d)(\d\d)\d_e\d+_c\d+\.nc$/.exec(key)
    if (!match) return undefined
    const [year, day, hour, minute, second] = match.slice(1).map(Number) as [number, number, number, number, number]
    return Date.UTC(year, 0, day, hour, minute, second)
  },
}

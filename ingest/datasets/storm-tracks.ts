import type { FrameDataset } from '../domain/dataset/dataset.ts'
import { HOUR, stamp } from '../domain/time.ts'
import { conus } from './domains.ts'

const bucket = 'https://noaa-mrms-pds.s3.amazonaws.com'

export const stormTracks: FrameDataset = {
  id: 'storm-tracks',
  role: 'storm_tracks',
  title: 'ProbSevere storm objects',
  description: 'Storms with outline, motion and the probability that they become severe, every two minutes.',
  kind: 'frame',
  format: 'probsevere',
  provider: 'NOAA/NCEP',
  attribution: 'NOAA/CIMSS ProbSevere',
  gives: [{ name: 'severe_probability', unit: '%', description: 'probability of severe weather within an hour' }],
  domains: [conus],
  cadenceSeconds: 120,
  latencySeconds: 180,
  staleAfterSeconds: 900,
  deadlineSeconds: 900,
  keepSeconds: 2 * 3600,
  listings(now) {
    return [now, now - HOUR].map((instant) => {
      const { day, hour } = stamp(instant)
      return { bucket, prefix: `ProbSevere/${day}/MRMS_PROBSEVERE_${day}_${hour}` }
    })
  },
  timeOf(key) {
    const part = /MRMS_PROBSEVERE_(\d{4})(\d\d)(\d\d)_(\d\d)(\d\d)(\d\d)\.json$/.exec(key)
    if (!part) return undefined
    const [year, month, day, hour, minute, second] = part.slice(1)
    const instant = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`)
    return Number.isNaN(instant) ? undefined : instant
  },
}

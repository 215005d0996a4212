import type { MrmsDataset } from '../domain/dataset/dataset.ts'
import type { DomainId } from '../domain/domain.ts'
import { DAY, HOUR, type Instant, MINUTE, stamp } from '../domain/time.ts'
import { alaska, conus, hawaii } from './domains.ts'

const bucket = 'https://noaa-mrms-pds.s3.amazonaws.com'
const folders: Readonly<Record<DomainId, string>> = { conus: 'CONUS', alaska: 'ALASKA', hawaii: 'HAWAII' }
const domains = { conus, alaska, hawaii } as const

/** An hourly accumulation may be stamped this far from its hour: an Alaska QPE of 2022 is named 01:58:00. */
export const HOURLY_STAMP_TOLERANCE_MS = 5 * MINUTE

type GivenMember =
  | 'id'
  | 'title'
  | 'description'
  | 'gives'
  | 'parameter'
  | 'unit'
  | 'values'
  | 'noCoverage'
  | 'cadenceSeconds'
  | 'latencySeconds'
  | 'staleAfterSeconds'
  | 'keepSeconds'
  | 'pastHours'
  | 'invalidatesAnswers'
  | 'role'

/** The properties that differ between products; the rest is common to all of MRMS. */
export interface MrmsProduct extends Pick<MrmsDataset, GivenMember> {
  /** `PrecipRate_00.00`: folder and part of every name. */
  readonly product: string
  readonly over: readonly DomainId[]
}

/** A product of NOAA's Multi-Radar/Multi-Sensor system as the bucket names it: `CONUS/PrecipRate_00.00/20260219/MRMS_…-042400.grib2.gz`. */
export function mrms({ product, over, ...given }: MrmsProduct): MrmsDataset {
  const hourly = given.cadenceSeconds >= 3600
  const name = new RegExp(`/MRMS_${product.replaceAll('.', '\\.')}_(\\d{8})-(\\d{6})\\.grib2(?:\\.gz)?$`)
  return {
    ...given,
    family: 'mrms',
    kind: 'frame',
    format: 'mrms',
    provider: 'NOAA/NCEP',
    attribution: 'NOAA Multi-Radar/Multi-Sensor System (MRMS)',
    domains: over.map((domain) => domains[domain]),
    deadlineSeconds: given.staleAfterSeconds,
    listings(now, domain) {
      // A day of two-minute frames fills most of a listing page; an hour of them is 30 lines.
      const steps = hourly ? [now, now - DAY] : [now, now - HOUR]
      return steps.map((instant) => {
        const { day, hour } = stamp(instant)
        const folder = `${folders[domain]}/${product}/${day}/`
        return { bucket, prefix: hourly ? folder : `${folder}MRMS_${product}_${day}-${hour}` }
      })
    },
    timeOf(key) {
      const [, day, time] = name.exec(key) ?? []
      const stamped = day && time ? timeOfName(day, time) : undefined
      if (!hourly || stamped === undefined) return stamped
      const hour = Math.round(stamped / HOUR) * HOUR
      return Math.abs(stamped - hour) <= HOURLY_STAMP_TOLERANCE_MS ? hour : stamped
    },
  }
}

/** Returns date and time as in NOAA's names: `20260219` and `042400`. */
function timeOfName(day: string, time: string): Instant | undefined {
  const iso = `${day.slice(0, 4)}-${day.slice(4, 6)}-${day.slice(6)}T${time.slice(0, 2)}:${time.slice(2, 4)}:${time.slice(4)}Z`
  const instant = Date.parse(iso)
  return Number.isNaN(instant) ? undefined : instant
}

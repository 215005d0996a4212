import type { MrmsDataset } from '../domain/dataset/dataset.ts'
import type { DomainId } from '../domain/domain.ts'
import { DAY, HOUR, type Instant, MINUTE, stamp } from '../domain/time.ts'
import { alaska, conus, hawaii } from './domains.ts'

const bucket = 'https://noaa-mrms-pds.s3.amazonaws.com'
const folders: Readonly<Record<DomainId, string>> = { conus: 'CONUS', alaska: 'ALASKA', hawaii: 'HAWAII' }
const domains = { conus, alaska, hawaii } as const

/**
 * Maximum distance of the time in the name from the full hour, for an hourly accumulation: the name of an Alaska QPE of 2022 has 01:58:00.
 */
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
  | 'shownBy'
  | 'role'

/** The properties that differ between products. All other properties are common to MRMS. */
export interface MrmsProduct extends Pick<MrmsDataset, GivenMember> {
  /** Folder of the product and part of every file name, such as `PrecipRate_00.00`. */
  readonly product: string
  readonly over: readonly DomainId[]
}

/**
 * Returns the dataset of a product of NOAA's Multi-Radar/Multi-Sensor system. Its keys are like
 * `CONUS/PrecipRate_00.00/20260219/MRMS_…-042400.grib2.gz`.
 */
export function mrms({ product, over, ...options }: MrmsProduct): MrmsDataset {
  const hourly = options.cadenceSeconds >= 3600
  const name = new RegExp(`/MRMS_${product.replaceAll('.', '\\.')}_(\\d{8})-(\\d{6})\\.grib2(?:\\.gz)?$`)
  return {
    ...options,
    family: 'mrms',
    kind: 'frame',
    format: 'mrms',
    provider: 'NOAA/NCEP',
    attribution: 'NOAA Multi-Radar/Multi-Sensor System (MRMS)',
    domains: over.map((domain) => domains[domain]),
    deadlineSeconds: options.staleAfterSeconds,
    listings(now, domain) {
      // A day of two-minute frames fills most of a listing page, so such products are listed by the hour, with 30 entries.
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

/** Parses date and time in the form of NOAA's names: `20260219` and `042400`. */
function timeOfName(day: string, time: string): Instant | undefined {
  const iso = `${day.slice(0, 4)}-${day.slice(4, 6)}-${day.slice(6)}T${time.slice(0, 2)}:${time.slice(2, 4)}:${time.slice(4)}Z`
  const instant = Date.parse(iso)
  return Number.isNaN(instant) ? undefined : instant
}

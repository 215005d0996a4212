import type { GridDataset } from '../domain/dataset/dataset.ts'
import { type Field, fields, instant, over } from '../domain/dataset/field.ts'
import { HOUR, type Instant, stamp } from '../domain/time.ts'
import { alaska, conus, hawaii } from './domains.ts'
import { gfsGrids } from './grids.ts'
import { every, steps } from './runs.ts'
import { optional, required, windFrom } from './wants.ts'

const bucket = 'https://noaa-gfs-bdp-pds.s3.amazonaws.com'
const seaLevel: Field = { element: 'PRMSL', level: 'mean sea level', code: [0, 3, 1], surface: 101 }
const ozone: Field = {
  element: 'TOZNE',
  level: ['entire atmosphere (considered as a single layer)', 'entire atmosphere'],
  code: [0, 14, 0],
  surface: [200, 10],
}

/** Accumulations restart every 6 hours, so leads in steps of 3 hours have accumulations over 3 and 6 hours in turn. */
const middle = (_run: Instant, lead: number) => lead % 6 === 3
const everySixHours = (_run: Instant, lead: number) => lead > 0 && lead % 6 === 0
const atStart = (_run: Instant, lead: number) => lead === 0

function folder(run: Instant): string {
  const { day, hour } = stamp(run)
  return `gfs.${day}/${hour}/atmos/gfs.t${hour}z.pgrb2.0p25.f`
}

/** The layout of GFS v17, as NCEP's parallel run uses it. By November 2026 it had not replaced the operational layout. */
function nextFolder(run: Instant): string {
  const { day, hour } = stamp(run)
  return `gfs.${day}/${hour}/products/atmos/grib2/0p25/gfs.t${hour}z.pres_a.0p25.f`
}

export const gfs: GridDataset = {
  id: 'gfs',
  title: 'Global Forecast System, 0.25°',
  description:
    'The global model, every third hour to day 16: the days beyond the blend, pressure and cloud layers beyond HRRR, and the ozone that the UV index is computed from.',
  kind: 'grid',
  required: true,
  format: 'grib2',
  grids: gfsGrids,
  provider: 'NOAA/NCEP',
  attribution: 'NOAA/NCEP Global Forecast System',
  domains: [conus, alaska, hawaii].map((domain) => ({ ...domain, nativeKm: 28 })),
  shared: true,
  cadenceSeconds: 6 * 3600,
  // f000 reaches the bucket after 3.5 hours, f384 after 5 hours.
  latencySeconds: 5 * 3600,
  staleAfterSeconds: 18 * 3600,
  deadlineSeconds: 9 * 3600,
  keepSeconds: 18 * 3600,
  runs: every(6 * HOUR, 36 * HOUR),
  leads: () => steps(0, 384, 3),
  file(run, domain, leadHours) {
    const url = `${bucket}/${folder(run)}${String(leadHours).padStart(3, '0')}`
    return { url, indexUrl: `${url}.idx`, domain, run, leadHours }
  },
  listing: (run) => ({ bucket, prefix: folder(run), nextPrefix: nextFolder(run) }),
  leadOf(key, run) {
    const prefix = [folder(run), nextFolder(run)].find((candidate) => key.startsWith(candidate))
    const [, digits] = /^(\d{3})(?:\.grib2)?$/.exec(prefix === undefined ? '' : key.slice(prefix.length)) ?? []
    const lead = digits === undefined ? undefined : Number(digits)
    return lead !== undefined && lead % 3 === 0 ? lead : undefined
  },
  // In a new installation, the first 17 files already provide the UV index and the hours after the first stage of NBM.
  stages: () => [
    { name: 'f048', to: 48 },
    { name: 'f384', to: 384 },
  ],
  wants: [
    required('temperature', instant(fields.temperature)),
    required('dew_point', instant(fields.dewPoint)),
    windFrom(instant(fields.windU), instant(fields.windV)),
    optional('wind_gust', instant(fields.gustSurface)),
    required('pressure', instant(seaLevel)),
    optional('terrain_height', instant(fields.terrain), { leads: atStart }),
    optional('visibility', instant(fields.visibility)),
    optional('cloud_cover', instant(fields.cloudTotal)),
    optional('cloud_cover_low', instant(fields.cloudLow)),
    optional('cloud_cover_mid', instant(fields.cloudMid)),
    optional('cloud_cover_high', instant(fields.cloudHigh)),
    optional('cape', instant(fields.cape)),
    optional('precip_amount_3h', over(fields.precipitation, 3, 'acc'), { leads: middle }),
    optional('precip_amount_6h', over(fields.precipitation, 6, 'acc'), { leads: everySixHours }),
    optional('rain_flag', instant(fields.rain)),
    optional('snow_flag', instant(fields.snow)),
    optional('freezing_rain_flag', instant(fields.freezingRain)),
    optional('ice_pellets_flag', instant(fields.icePellets)),
    // Files of this grid have no UV radiation, so the UV index is computed from ozone, solar elevation and clouds.
    optional('ozone', instant(ozone)),
  ],
}

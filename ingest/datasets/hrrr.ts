import type { GridDataset, Stage } from '../domain/dataset/dataset.ts'
import { type Field, fields, instant, over } from '../domain/dataset/field.ts'
import type { Want } from '../domain/dataset/want.ts'
import type { DomainId } from '../domain/domain.ts'
import { HOUR, type Instant, stamp } from '../domain/time.ts'
import { alaska, conus } from './domains.ts'
import { hrrrGrids } from './grids.ts'
import { every, hourOf, steps } from './runs.ts'
import { optional, required, windFrom } from './wants.ts'

const bucket = 'https://noaa-hrrr-bdp-pds.s3.amazonaws.com'
const seaLevel: Field = { element: ['MSLMA', 'PRMSL'], level: 'mean sea level', code: [0, 3, [198, 1]], surface: 101 }
const smoke: Field = { element: 'MASSDEN', level: '8 m above ground', code: [0, 20, 0], surface: 103, at: 8 }
const atStart = (_run: Instant, lead: number) => lead === 0

const wants: readonly Want[] = [
  required('temperature', instant(fields.temperature)),
  required('dew_point', instant(fields.dewPoint)),
  windFrom(instant(fields.windU), instant(fields.windV)),
  optional('wind_gust', instant(fields.gustSurface)),
  required('pressure', instant(seaLevel)),
  optional('surface_pressure', instant(fields.surfacePressure)),
  optional('terrain_height', instant(fields.terrain), { leads: atStart }),
  optional('visibility', instant(fields.visibility)),
  optional('cloud_cover', instant(fields.cloudTotal)),
  optional('cloud_cover_low', instant(fields.cloudLow)),
  optional('cloud_cover_mid', instant(fields.cloudMid)),
  optional('cloud_cover_high', instant(fields.cloudHigh)),
  optional('cape', instant(fields.cape)),
  optional('solar_radiation', instant(fields.solar)),
  optional('smoke', instant(smoke)),
  optional('precip_amount', over(fields.precipitation, 1, 'acc')),
  // The unit is kg/m² per second, which equals mm per second.
  optional('precip_rate', instant(fields.precipitationRate), { scale: 3600 }),
  optional('rain_flag', instant(fields.rain)),
  optional('snow_flag', instant(fields.snow)),
  optional('freezing_rain_flag', instant(fields.freezingRain)),
  optional('ice_pellets_flag', instant(fields.icePellets)),
]

function key(run: Instant, domain: DomainId, lead: number): string {
  const { day, hour } = stamp(run)
  const step = String(lead).padStart(2, '0')
  return `hrrr.${day}/${domain}/hrrr.t${hour}z.wrfsfcf${step}${domain === 'alaska' ? '.ak' : ''}.grib2`
}

/** Returns whether a domain has this run. Alaska has runs every 3 hours only. */
function ran(run: Instant, domain: DomainId, everyHours: number): boolean {
  return hourOf(run) % (domain === 'alaska' ? Math.max(3, everyHours) : everyHours) === 0
}

const shape = {
  kind: 'grid',
  format: 'grib2',
  grids: hrrrGrids,
  provider: 'NOAA/NCEP',
  attribution: 'NOAA/NCEP High-Resolution Rapid Refresh',
  domains: [
    { ...conus, nativeKm: 3 },
    { ...alaska, nativeKm: 3 },
  ],
  file(run: Instant, domain: DomainId, leadHours: number) {
    const url = `${bucket}/${key(run, domain, leadHours)}`
    return { url, indexUrl: `${url}.idx`, domain, run, leadHours }
  },
  listing(run: Instant, domain: DomainId) {
    const { day, hour } = stamp(run)
    return { bucket, prefix: `hrrr.${day}/${domain}/hrrr.t${hour}z.wrfsfcf` }
  },
  wants,
} as const

function leadOf(list: string, domain: DomainId): number | undefined {
  const parts = /wrfsfcf(\d\d)(\.ak)?\.grib2$/.exec(list)
  return parts && Boolean(parts[2]) === (domain === 'alaska') ? Number(parts[1]) : undefined
}

export const hrrr: GridDataset = {
  ...shape,
  id: 'hrrr',
  required: true,
  title: 'High-Resolution Rapid Refresh, to hour 18',
  description:
    'The hourly 3 km model of NOAA: pressure, cloud layers, smoke and precipitation type, which NBM does not provide. CONUS every hour, Alaska every 3 hours.',
  cadenceSeconds: 3600,
  // f00 reaches the bucket after 51 minutes, f18 after 86 minutes.
  latencySeconds: 5160,
  staleAfterSeconds: 6 * 3600,
  deadlineSeconds: 3 * 3600,
  keepSeconds: 6 * 3600,
  runs: every(HOUR, 18 * HOUR),
  leads: (run, domain) => (ran(run, domain, 1) ? steps(0, 18) : []),
  leadOf(list, _run, domain) {
    const lead = leadOf(list, domain)
    return lead !== undefined && lead <= 18 ? lead : undefined
  },
  stages: (): Stage[] => [{ name: 'f18', to: 18 }],
}

/** Hours 19 to 48 are a separate dataset, so that a new hourly run of 18 hours does not replace them in answers. */
export const hrrrLong: GridDataset = {
  ...shape,
  id: 'hrrr-long',
  family: 'hrrr',
  replacedBy: 'gfs',
  title: 'High-Resolution Rapid Refresh, hours 19 to 48',
  description: 'Hours 19 to 48 of the HRRR cycles of 00, 06, 12 and 18 UTC.',
  cadenceSeconds: 6 * 3600,
  latencySeconds: 6600,
  staleAfterSeconds: 18 * 3600,
  deadlineSeconds: 4 * 3600,
  keepSeconds: 18 * 3600,
  runs: every(6 * HOUR, 36 * HOUR),
  leads: (run, domain) => (ran(run, domain, 6) ? steps(19, 48) : []),
  leadOf(list, run, domain) {
    const lead = leadOf(list, domain)
    return lead !== undefined && lead > 18 && ran(run, domain, 6) ? lead : undefined
  },
  stages: (): Stage[] => [{ name: 'f48', to: 48 }],
}

import type { GridDataset, Stage } from '../domain/dataset/dataset.ts'
import { aerosol, type Field, fields, instant, over } from '../domain/dataset/field.ts'
import type { Want } from '../domain/dataset/want.ts'
import type { DomainId } from '../domain/domain.ts'
import { HOUR, type Instant, stamp } from '../domain/time.ts'
import { alaska, conus, hawaii } from './domains.ts'
import { rrfsGrids } from './grids.ts'
import { every, hourOf, steps } from './runs.ts'
import { optional, required, windFrom } from './wants.ts'

// Keys, leads, grids and index lines are those of the feed before the implementation of 14 October 2026, the last that was seen.

export const rrfsBucket = 'https://noaa-rrfs-ops-pds.s3.amazonaws.com'
const seaLevel: Field = { element: 'MSLET', level: 'mean sea level', code: [0, 3, 192], surface: 101 }
const mass: Field = { element: 'MASSDEN', level: '8 m above ground', code: [0, 20, 0], surface: 103, at: 8 }
const organicMatter = 'aerosol=Particulate organic matter dry:aerosol_size <2.5e-06'
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
  // CEIL is above sea level, as `HGT:cloud ceiling` is, and missing without a ceiling; related fields of the post-processor have 20,000 m.
  optional('cloud_ceiling', instant(fields.ceiling), { missing: [20000], minus: instant(fields.terrain) }),
  optional('cape', instant(fields.cape)),
  optional('solar_radiation', instant(fields.solar)),
  optional('smoke', aerosol(mass, 62010, organicMatter)),
  optional('precip_amount', over(fields.precipitation, 1, 'acc')),
  optional('rain_flag', instant(fields.rain)),
  optional('snow_flag', instant(fields.snow)),
  optional('freezing_rain_flag', instant(fields.freezingRain)),
  optional('ice_pellets_flag', instant(fields.icePellets)),
]

/** Step of the grid and area in the names of files. */
export const rrfsAreas: Readonly<Record<DomainId, readonly [step: string, area: string]>> = {
  conus: ['3km', 'conus'],
  alaska: ['3km', 'ak'],
  hawaii: ['2p5km', 'hi'],
}

function prefix(run: Instant, domain: DomainId): string {
  const { day, hour } = stamp(run)
  return `rrfs.${day}/${hour}/rrfs.t${hour}z.2dfld.${rrfsAreas[domain][0]}.f`
}

function leadOf(key: string, run: Instant, domain: DomainId): number | undefined {
  const start = prefix(run, domain)
  const [, lead, area] =
    /^(\d{3})\.([a-z]{2,5})\.grib2$/.exec(key.startsWith(start) ? key.slice(start.length) : '') ?? []
  return area === rrfsAreas[domain][1] ? Number(lead) : undefined
}

const isLong = (run: Instant) => hourOf(run) % 6 === 0

const shape = {
  kind: 'grid',
  format: 'grib2',
  provisional: true,
  family: 'rrfs',
  replacedBy: 'gfs',
  grids: rrfsGrids,
  provider: 'NOAA/NCEP',
  attribution: 'NOAA/NCEP Rapid Refresh Forecast System',
  domains: [
    { ...conus, nativeKm: 3 },
    { ...alaska, nativeKm: 3 },
    { ...hawaii, nativeKm: 2.5 },
  ],
  file(run: Instant, domain: DomainId, leadHours: number) {
    const lead = String(leadHours).padStart(3, '0')
    const url = `${rrfsBucket}/${prefix(run, domain)}${lead}.${rrfsAreas[domain][1]}.grib2`
    return { url, indexUrl: `${url}.idx`, domain, run, leadHours }
  },
  listing: (run: Instant, domain: DomainId) => ({ bucket: rrfsBucket, prefix: prefix(run, domain) }),
  wants,
} as const

export const rrfs: GridDataset = {
  ...shape,
  id: 'rrfs',
  title: 'Rapid Refresh Forecast System, to hour 18',
  description:
    "NOAA's new 3 km model, every 3 hours, 2.5 km over Hawaii: pressure, cloud layers, ceiling, smoke and precipitation type.",
  cadenceSeconds: 3 * 3600,
  // f000 is in the bucket after 100 minutes, f018 after 141 minutes.
  latencySeconds: 8640,
  staleAfterSeconds: 12 * 3600,
  deadlineSeconds: 5 * 3600,
  keepSeconds: 12 * 3600,
  runs: every(3 * HOUR, 12 * HOUR),
  leads: () => steps(0, 18),
  leadOf(key, run, domain) {
    const lead = leadOf(key, run, domain)
    return lead !== undefined && lead <= 18 ? lead : undefined
  },
  stages: (): Stage[] => [{ name: 'f18', to: 18 }],
}

/** A separate dataset, so that a new run of 18 hours does not hide hours 19 to 84 from readers. */
export const rrfsLong: GridDataset = {
  ...shape,
  id: 'rrfs-long',
  title: 'Rapid Refresh Forecast System, hours 19 to 84',
  description: 'Hours 19 to 84 of the RRFS cycles of 00, 06, 12 and 18 UTC.',
  cadenceSeconds: 6 * 3600,
  // f084 is in the bucket after 212 minutes.
  latencySeconds: 12_900,
  staleAfterSeconds: 18 * 3600,
  deadlineSeconds: 8 * 3600,
  keepSeconds: 18 * 3600,
  runs: every(6 * HOUR, 24 * HOUR),
  leads: (run) => (isLong(run) ? steps(19, 84) : []),
  leadOf(key, run, domain) {
    const lead = isLong(run) ? leadOf(key, run, domain) : undefined
    return lead !== undefined && lead > 18 ? lead : undefined
  },
  stages: () => [
    { name: 'f48', to: 48 },
    { name: 'f84', to: 84 },
  ],
}

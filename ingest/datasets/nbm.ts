import type { GridDataset } from '../domain/dataset/dataset.ts'
import { type Field, fields, instant, over, probability, stddev } from '../domain/dataset/field.ts'
import type { DomainId } from '../domain/domain.ts'
import { HOUR, type Instant, stamp } from '../domain/time.ts'
import { alaska, conus, hawaii } from './domains.ts'
import { nbmGrids } from './grids.ts'
import { nbmCeilings, nbmSnowfall, nbmVisibilities } from './nbm-probabilities.ts'
import { every, hourOf, steps } from './runs.ts'
import { directionBy, optional, required } from './wants.ts'

const SURFACE = { level: 'surface', surface: 1 } as const

const sky: Field = { element: 'TCDC', code: [0, 6, 1], ...SURFACE }
const ice: Field = { element: 'FICEAC', code: [0, 1, 228], ...SURFACE }
const snowfall: Field = { element: 'ASNOW', code: [0, 1, 29], ...SURFACE }
const thunder: Field = { element: 'TSTM', code: [0, 19, 2], ...SURFACE }
const snowRatio: Field = { element: 'SNOWLR', code: [0, 1, 233], ...SURFACE }
const snowLevel: Field = {
  element: 'SNOWLVL',
  level: '0 m above mean sea level',
  code: [0, 19, 236],
  surface: 102,
  at: 0,
}
const dayMax: Field = { ...fields.temperature, element: 'TMAX', code: [0, 0, 4] }
const nightMin: Field = { ...fields.temperature, element: 'TMIN', code: [0, 0, 5] }
/** Version 4 of NBM files two of the four types under the level "entire atmosphere". */
const kind: Field = { element: 'PTYPE', level: ['surface', 'entire atmosphere'], code: [0, 1, 19], surface: [1, 10] }
const severe = (element: string, number: number): Field => ({ element, code: [0, 19, number], ...SURFACE })

/** Converts metres of snow to the millimetres of the variable table. */
const metres = { scale: 1000 } as const
const probabilityForecast = 'probability forecast'

const letters: Readonly<Record<DomainId, string>> = { conus: 'co', alaska: 'ak', hawaii: 'hi' }
export const nbmBucket = 'https://noaa-nbm-grib2-pds.s3.amazonaws.com'

/**
 * Returns the key of an NBM file.
 * @param suite `core` or `qmd`
 * @param lead hours
 */
export function nbmKey(suite: string, run: Instant, domain: DomainId, lead: number): string {
  const { day, hour } = stamp(run)
  const step = String(lead).padStart(3, '0')
  return `blend.${day}/${hour}/${suite}/blend.t${hour}z.${suite}.f${step}.${letters[domain]}.grib2`
}

export function nbmLead(suite: string, key: string, domain: DomainId): number | undefined {
  const parts = new RegExp(`/blend\\.t\\d\\dz\\.${suite}\\.f(\\d{3})\\.${letters[domain]}\\.grib2$`).exec(key)
  return parts ? Number(parts[1]) : undefined
}

/**
 * Returns the leads of the core files: every hour to 36; then the hours of the UTC clock that are multiples of 3; from the last multiple of
 * 6 at or before lead 192 only multiples of 6, to 264. Version 5 lists every hour to 69. These leads are the minimum; the bucket's listing
 * may have more.
 */
function leads(run: Instant): number[] {
  const hour = hourOf(run)
  const turn = 192 - (hour % 6)
  return steps(1, 264).filter((lead) => lead <= 36 || (hour + lead) % (lead <= turn ? 3 : 6) === 0)
}

export const nbm: GridDataset = {
  id: 'nbm',
  title: 'National Blend of Models, core',
  description:
    'The calibrated blend of NWS and other models on a 2.5 km grid: the hourly forecast, its day maxima and night minima, probabilities and spread.',
  kind: 'grid',
  required: true,
  format: 'grib2',
  grids: nbmGrids,
  provider: 'NOAA/NWS Meteorological Development Laboratory',
  attribution: 'NOAA/NWS National Blend of Models',
  domains: [conus, alaska, hawaii],
  cadenceSeconds: 3600,
  // The core files of a cycle reach the bucket about 55 minutes (first file) to 75 minutes (last file) after the cycle's hour.
  latencySeconds: 4500,
  staleAfterSeconds: 6 * 3600,
  deadlineSeconds: 3 * 3600,
  keepSeconds: 12 * 3600,
  runs: every(HOUR, 24 * HOUR),
  leads: (run) => leads(run),
  file(run, domain, leadHours) {
    const url = `${nbmBucket}/${nbmKey('core', run, domain, leadHours)}`
    return { url, indexUrl: `${url}.idx`, domain, run, leadHours }
  },
  listing(run) {
    const { day, hour } = stamp(run)
    return { bucket: nbmBucket, prefix: `blend.${day}/${hour}/core/` }
  },
  leadOf: (key, _run, domain) => nbmLead('core', key, domain),
  // The first stage covers the 48 hours of a default answer, even if the run is up to three hours old.
  stages: () => [
    { name: 'h051', to: 51 },
    { name: 'h264', to: 264 },
  ],
  wants: [
    required('temperature', instant(fields.temperature)),
    required('dew_point', instant(fields.dewPoint)),
    required('wind_speed', instant(fields.wind)),
    directionBy(instant(fields.windDirection), instant(fields.wind)),
    optional('wind_gust', instant(fields.gust10m)),
    optional('cloud_cover', instant(sky)),
    optional('temperature_max_12h', over(dayMax, 12, 'max')),
    optional('temperature_min_12h', over(nightMin, 12, 'min')),
    optional('visibility', instant(fields.visibility)),
    // 88,888 m means that the ceiling is unlimited.
    optional('cloud_ceiling', instant(fields.ceiling), { missing: [88888] }),
    optional('cape', instant(fields.cape)),
    // The value is instantaneous, not an average over the hour.
    optional('solar_radiation', instant(fields.solar)),
    optional('precip_amount', over(fields.precipitation, 1, 'acc')),
    optional('precip_amount_6h', over(fields.precipitation, 6, 'acc')),
    optional('precip_probability', probability(fields.precipitation, { above: 0.254 }, 1)),
    optional('precip_probability_6h', probability(fields.precipitation, { above: 0.254 }, 6)),
    optional('precip_probability_12h', probability(fields.precipitation, { above: 0.254 }, 12)),
    optional('snow_amount', over(snowfall, 1, 'acc'), metres),
    optional('snow_amount_6h', over(snowfall, 6, 'acc'), metres),
    optional('ice_amount', over(ice, 1, 'acc')),
    optional('ice_amount_6h', over(ice, 6, 'acc')),
    optional('snow_level', instant(snowLevel)),
    optional('snow_ratio', instant(snowRatio)),
    optional('precip_type_rain_prob', probability(kind, { between: [1, 2] })),
    optional('precip_type_snow_prob', probability(kind, { between: [5, 7] })),
    optional('precip_type_freezing_rain_prob', probability(kind, { between: [3, 4] })),
    optional('precip_type_ice_pellets_prob', probability(kind, { between: [8, 9] })),
    optional('thunderstorm_probability', over(thunder, 1, 'acc', probabilityForecast)),
    optional('thunderstorm_probability_3h', over(thunder, 3, 'acc', probabilityForecast)),
    optional('thunderstorm_probability_6h', over(thunder, 6, 'acc', probabilityForecast)),
    optional('thunderstorm_probability_12h', over(thunder, 12, 'acc', probabilityForecast)),
    optional('temperature_stddev', stddev(fields.temperature)),
    optional('dew_point_stddev', stddev(fields.dewPoint)),
    optional('wind_speed_stddev', stddev(fields.wind)),
    optional('wind_gust_stddev', stddev(fields.gust10m)),
    ...nbmVisibilities(fields.visibility),
    ...nbmCeilings(fields.ceiling),
    ...nbmSnowfall(snowfall),
    optional('wind_speed_prob_gt_75mph', probability(fields.wind, { above: 33.528 }), { unseen: true }),
    // NBM takes these probabilities from SPC's outlooks. Their interval ends at the valid hour. It begins with the outlook's day or with
    // the run.
    optional('severe_prob', probability(severe('PRSVR', 215), { above: 0 }, 'any'), { unseen: true }),
    optional('tornado_prob', probability(severe('TORPROB', 197), { above: 0 }, 'any')),
    optional('hail_prob', probability(severe('HAILPROB', 198), { above: 0 }, 'any')),
    optional('damaging_wind_prob', probability(severe('WINDPROB', 199), { above: 0 }, 'any')),
  ],
}

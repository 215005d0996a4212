import type { GridDataset } from '../domain/dataset/dataset.ts'
import { type Field, fields, instant, over, probability, spreadOf, weightedMean } from '../domain/dataset/field.ts'
import type { Want } from '../domain/dataset/want.ts'
import type { DomainId } from '../domain/domain.ts'
import { HOUR, type Instant, stamp } from '../domain/time.ts'
import { alaska, conus, hawaii } from './domains.ts'
import { rrfsGrids } from './grids.ts'
import { rrfsAreas, rrfsBucket } from './rrfs.ts'
import { every, steps } from './runs.ts'
import { optional, required } from './wants.ts'

// Keys and lines are those of REFS files of August to October 2026, before the implementation. Limits are exactly those of upstream.

const ceiling: Field = { element: 'HGT', level: 'cloud ceiling', code: [0, 3, 5], surface: 215 }
const snowfall: Field = { element: 'ASNOW', level: 'surface', code: [0, 1, [29, 57]], surface: 1 }
const seaLevel: Field = { element: 'MSLET', level: 'mean sea level', code: [0, 3, 192], surface: 101 }

/** Limits of visibility in m: upstream rounds miles, so that 1 mile is 1,600 m. */
const visibilities = [
  ['1mi', 1600],
  ['3mi', 4829],
  ['5mi', 8049],
] as const
/** Limits of the ceiling in m. */
const ceilings = [
  ['500ft', 152.4],
  ['1000ft', 305],
  ['3000ft', 915],
] as const
/** Limits of snow in 24 hours, m. */
const snows = [
  ['1in', 0.025],
  ['3in', 0.076],
  ['6in', 0.152],
  ['12in', 0.304],
  ['18in', 0.457],
] as const
/** Limits of precipitation in 24 hours, mm: hundredths of an inch. */
const rains = [
  ['010in', 2.54],
  ['025in', 6.35],
  ['050in', 12.7],
  ['100in', 25.4],
  ['200in', 50.8],
  ['300in', 76.2],
  ['500in', 127],
] as const

/** Windows of 6 and 24 hours end at every third hour. */
const third = { leads: (_run: Instant, lead: number) => lead % 3 === 0 }

/** The number of members, from a message that every file has. */
const members = (field: Field, limits: Parameters<typeof probability>[1], hours?: number): Want =>
  optional('ensemble_members', probability(field, limits, hours), { members: true })

// No probability is required: it may be 0 everywhere, and a required field of one value counts as broken.
const probabilities: readonly Want[] = [
  ...visibilities.map(([name, below]) =>
    optional(`ensemble_visibility_prob_below_${name}`, probability(fields.visibility, { below })),
  ),
  ...ceilings.map(([name, below]) => optional(`ensemble_ceiling_prob_below_${name}`, probability(ceiling, { below }))),
  ...snows.map(([name, above]) =>
    optional(`ensemble_snow_nearby_prob_gt_${name}`, probability(snowfall, { above }, 24), third),
  ),
  members(fields.visibility, { below: visibilities[0][1] }),
]

/** The probability of the agreement scale is that of the point; the limit 0.254 mm exists only in it, and only to 6 hours. */
const agreement: readonly Want[] = [
  optional('ensemble_precip_probability', probability(fields.precipitation, { above: 0.254 }, 1)),
  optional('ensemble_precip_probability_6h', probability(fields.precipitation, { above: 0.254 }, 6), third),
  ...rains.map(([name, above]) =>
    optional(`ensemble_precip_prob_gt_${name}`, probability(fields.precipitation, { above }, 24), third),
  ),
  members(fields.precipitation, { above: 0.254 }, 1),
]

const means: readonly Want[] = [
  required('temperature', weightedMean(instant(fields.temperature))),
  optional('dew_point', weightedMean(instant(fields.dewPoint))),
  optional('wind_speed', weightedMean(instant(fields.wind))),
  optional('pressure', weightedMean(instant(seaLevel))),
  optional('cloud_cover', weightedMean(instant(fields.cloudTotal))),
  optional('precip_amount', weightedMean(over(fields.precipitation, 1, 'acc'))),
]

const spreads: readonly Want[] = [
  required('temperature_stddev', spreadOf(instant(fields.temperature))),
  optional('dew_point_stddev', spreadOf(instant(fields.dewPoint))),
  optional('wind_speed_stddev', spreadOf(instant(fields.wind))),
]

function prefix(run: Instant, product: string): string {
  const { day, hour } = stamp(run)
  return `refs.${day}/${hour}/ensprod/refs.t${hour}z.${product}.f`
}

/** Upstream has a file for each product, so each product is a dataset of the family. */
function product(
  name: string,
  own: Pick<GridDataset, 'id' | 'title' | 'description'> & { readonly wants: readonly Want[] },
): GridDataset {
  return {
    ...own,
    kind: 'grid',
    format: 'grib2',
    provisional: true,
    family: 'refs',
    replacedBy: 'nbm',
    grids: rrfsGrids,
    provider: 'NOAA/NCEP',
    attribution: 'NOAA/NCEP Rapid Refresh Ensemble Forecast System',
    domains: [
      { ...conus, nativeKm: 3 },
      { ...alaska, nativeKm: 3 },
      { ...hawaii, nativeKm: 2.5 },
    ],
    cadenceSeconds: 6 * 3600,
    // Readers expect files from 115 to 240 minutes after the reference time; nobody has published recorded delays.
    latencySeconds: 240 * 60,
    staleAfterSeconds: 18 * 3600,
    deadlineSeconds: 8 * 3600,
    keepSeconds: 18 * 3600,
    runs: every(6 * HOUR, 24 * HOUR),
    leads: () => steps(1, 60),
    file(run: Instant, domain: DomainId, leadHours: number) {
      const lead = String(leadHours).padStart(2, '0')
      const url = `${rrfsBucket}/${prefix(run, name)}${lead}.${rrfsAreas[domain][1]}.grib2`
      return { url, indexUrl: `${url}.idx`, domain, run, leadHours }
    },
    listing: (run: Instant) => ({ bucket: rrfsBucket, prefix: prefix(run, name) }),
    leadOf(key: string, run: Instant, domain: DomainId) {
      const start = prefix(run, name)
      const [, lead, area] =
        /^(\d{2})\.([a-z]{2,5})\.grib2$/.exec(key.startsWith(start) ? key.slice(start.length) : '') ?? []
      return area === rrfsAreas[domain][1] ? Number(lead) : undefined
    },
    stages: () => [
      { name: 'f24', to: 24 },
      { name: 'f60', to: 60 },
    ],
  }
}

export const refs = product('prob', {
  id: 'refs',
  title: 'Rapid Refresh Ensemble Forecast System, probabilities',
  description:
    'Probabilities of low visibility and ceiling, and of snow near the point in 24 hours, counted from up to 14 members to hour 60.',
  wants: probabilities,
})

export const refsAgreement = product('eas', {
  id: 'refs-agreement',
  title: 'Rapid Refresh Ensemble Forecast System, precipitation',
  description: 'Probabilities of precipitation at the point by the ensemble agreement scale, to hour 60.',
  wants: agreement,
})

export const refsMean = product('mean', {
  id: 'refs-mean',
  title: 'Rapid Refresh Ensemble Forecast System, means',
  description: 'Means of the members of REFS to hour 60.',
  wants: means,
})

export const refsSpread = product('sprd', {
  id: 'refs-spread',
  title: 'Rapid Refresh Ensemble Forecast System, spreads',
  description: 'Standard deviations of the members of REFS to hour 60.',
  wants: spreads,
})

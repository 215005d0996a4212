import type { GridDataset } from '../domain/dataset/dataset.ts'
import { fields, percentile, probability } from '../domain/dataset/field.ts'
import { HOUR, stamp } from '../domain/time.ts'
import { alaska, conus, hawaii } from './domains.ts'
import { nbmGrids } from './grids.ts'
import { nbmBucket, nbmKey, nbmLead } from './nbm.ts'
import { endsAt, every, steps } from './runs.ts'
import { optional } from './wants.ts'

const tens = [10, 50, 90] as const

/** Percentiles, which exist only in NBM's quantile-mapped product (QMD): four cycles a day, available after 7.25 hours. */
export const nbmQmd: GridDataset = {
  id: 'nbm-qmd',
  family: 'nbm',
  title: 'National Blend of Models, percentiles',
  description: 'The 10th, 50th and 90th percentiles of wind, gust and 6-hour precipitation of the blend.',
  kind: 'grid',
  format: 'grib2',
  grids: nbmGrids,
  provider: 'NOAA/NWS Meteorological Development Laboratory',
  attribution: 'NOAA/NWS National Blend of Models',
  domains: [conus, alaska, hawaii],
  cadenceSeconds: 6 * 3600,
  // Delays recorded in 2026: the median is 435 minutes, the 90th percentile 441 minutes.
  latencySeconds: 441 * 60,
  staleAfterSeconds: 20 * 3600,
  deadlineSeconds: 12 * 3600,
  keepSeconds: 24 * 3600,
  runs: every(6 * HOUR, 30 * HOUR),
  leads: (run) => steps(6, 240, 6).filter((lead) => endsAt(6)(run, lead)),
  file(run, domain, leadHours) {
    const url = `${nbmBucket}/${nbmKey('qmd', run, domain, leadHours)}`
    return { url, indexUrl: `${url}.idx`, domain, run, leadHours }
  },
  listing(run) {
    const { day, hour } = stamp(run)
    return { bucket: nbmBucket, prefix: `blend.${day}/${hour}/qmd/` }
  },
  // QMD also has leads between the multiples of 6 hours, which no answer uses.
  leadOf(key, _run, domain) {
    const lead = nbmLead('qmd', key, domain)
    return lead !== undefined && lead % 6 === 0 ? lead : undefined
  },
  stages: () => [{ name: 'h240', to: 240 }],
  wants: [
    ...tens.map((p) => optional(`wind_speed_p${p}`, percentile(fields.wind, p))),
    ...tens.map((p) => optional(`wind_gust_p${p}`, percentile(fields.gust10m, p))),
    ...tens.map((p) => optional(`precip_amount_p${p}`, percentile(fields.precipitation, p, 6))),
    optional('wind_speed_prob_gt_75mph', probability(fields.wind, { above: 33.528 }), { unseen: true }),
  ],
}

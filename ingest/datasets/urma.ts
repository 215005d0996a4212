import type { GridDataset } from '../domain/dataset/dataset.ts'
import type { DomainId } from '../domain/domain.ts'
import { HOUR, type Instant, stamp } from '../domain/time.ts'
import { analysed } from './analysis.ts'
import { alaska, conus, hawaii } from './domains.ts'
import { analysisGrids } from './grids.ts'
import { every } from './runs.ts'

const bucket = 'https://noaa-urma-pds.s3.amazonaws.com'

function key(run: Instant, domain: DomainId): string {
  const { day, hour } = stamp(run)
  if (domain === 'alaska') return `akurma.${day}/akurma.t${hour}z.2dvaranl_ndfd_3p0.grb2`
  if (domain === 'hawaii') return `hiurma.${day}/hiurma.t${hour}z.2dvaranl_ndfd.grb2`
  return `urma2p5.${day}/urma2p5.t${hour}z.2dvaranl_ndfd.grb2_wexp`
}

export const urma: GridDataset = {
  id: 'urma',
  title: 'UnRestricted Mesoscale Analysis',
  description: 'The hourly surface analysis repeated 6 hours later with late observations: the record of past weather.',
  kind: 'grid',
  format: 'grib2',
  grids: analysisGrids,
  provider: 'NOAA/NCEP',
  attribution: 'NOAA/NCEP UnRestricted Mesoscale Analysis',
  domains: [conus, alaska, hawaii],
  cadenceSeconds: 3600,
  latencySeconds: 6 * 3600,
  staleAfterSeconds: 12 * 3600,
  deadlineSeconds: 12 * 3600,
  keepSeconds: 30 * 86_400,
  runs: every(HOUR, 18 * HOUR),
  leads: () => [0],
  file(run, domain) {
    const url = `${bucket}/${key(run, domain)}`
    return { url, indexUrl: `${url}.idx`, domain, run, leadHours: 0 }
  },
  listing: (run, domain) => ({ bucket, prefix: key(run, domain) }),
  leadOf: (list, run, domain) => (list === key(run, domain) ? 0 : undefined),
  stages: () => [{ name: 'anl', to: 0 }],
  wants: analysed,
  season: true,
}

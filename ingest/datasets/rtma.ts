import type { GridDataset } from '../domain/dataset/dataset.ts'
import type { DomainId } from '../domain/domain.ts'
import { HOUR, type Instant, stamp } from '../domain/time.ts'
import { analysed } from './analysis.ts'
import { alaska, conus, hawaii } from './domains.ts'
import { analysisGrids } from './grids.ts'
import { every } from './runs.ts'

const bucket = 'https://noaa-rtma-pds.s3.amazonaws.com'

/** Returns the key of an analysis. For CONUS we read the larger "west expanded" grid. */
function key(run: Instant, domain: DomainId): string {
  const { day, hour } = stamp(run)
  if (domain === 'alaska') return `akrtma.${day}/akrtma.t${hour}z.2dvaranl_ndfd_3p0.grb2`
  if (domain === 'hawaii') return `hirtma.${day}/hirtma.t${hour}z.2dvaranl_ndfd.grb2`
  return `rtma2p5.${day}/rtma2p5.t${hour}z.2dvaranl_ndfd.grb2_wexp`
}

export const rtma: GridDataset = {
  id: 'rtma',
  title: 'Real-Time Mesoscale Analysis',
  description:
    'The hourly analysis of the current surface weather: observations combined with a model on a 2.5 km grid (Alaska 3 km).',
  kind: 'grid',
  format: 'grib2',
  grids: analysisGrids,
  provider: 'NOAA/NCEP',
  attribution: 'NOAA/NCEP Real-Time Mesoscale Analysis',
  domains: [conus, alaska, hawaii],
  cadenceSeconds: 3600,
  latencySeconds: 2700,
  staleAfterSeconds: 3 * 3600,
  deadlineSeconds: 3 * 3600,
  keepSeconds: 48 * 3600,
  runs: every(HOUR, 6 * HOUR),
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
  // Runs are kept long enough for the past hours of today and for all of yesterday, in every time zone.
  pastHours: 47,
}

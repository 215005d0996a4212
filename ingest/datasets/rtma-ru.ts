import type { GridDataset } from '../domain/dataset/dataset.ts'
import { HOUR, type Instant, MINUTE, stamp } from '../domain/time.ts'
import { analysed } from './analysis.ts'
import { conus } from './domains.ts'
import { rapidUpdateGrids } from './grids.ts'
import { every } from './runs.ts'

const bucket = 'https://noaa-rtma-pds.s3.amazonaws.com'

function key(run: Instant): string {
  const { day, hour, minute } = stamp(run)
  return `rtma2p5_ru.${day}/rtma2p5_ru.t${hour}${minute}z.2dvaranl_ndfd.grb2`
}

export const rtmaRu: GridDataset = {
  id: 'rtma-ru',
  family: 'rtma',
  replacedBy: 'rtma',
  title: 'Real-Time Mesoscale Analysis, rapid update',
  description: 'The Real-Time Mesoscale Analysis every 15 minutes, for CONUS.',
  kind: 'grid',
  format: 'grib2',
  grids: rapidUpdateGrids,
  provider: 'NOAA/NCEP',
  attribution: 'NOAA/NCEP Real-Time Mesoscale Analysis',
  domains: [conus],
  cadenceSeconds: 900,
  latencySeconds: 1500,
  staleAfterSeconds: 3600,
  deadlineSeconds: 5400,
  keepSeconds: 2 * 3600,
  runs: every(15 * MINUTE, 2 * HOUR),
  leads: () => [0],
  file(run, domain) {
    const url = `${bucket}/${key(run)}`
    return { url, indexUrl: `${url}.idx`, domain, run, leadHours: 0 }
  },
  listing: (run) => ({ bucket, prefix: key(run) }),
  leadOf: (list, run) => (list === key(run) ? 0 : undefined),
  stages: () => [{ name: 'anl', to: 0 }],
  wants: analysed,
}

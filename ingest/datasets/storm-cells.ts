import type { RadarSiteDataset } from '../domain/dataset/dataset.ts'
import { alaska, hawaii } from './domains.ts'
import { level3Bucket, outerSites } from './level3-bucket.ts'

/** Storms outside ProbSevere's area, from the storm tracking and circulation products of single radars. */
export const stormCells: RadarSiteDataset = {
  id: 'storm-cells',
  role: 'storm_cells',
  family: 'storm-tracks',
  title: 'Storm cells of single radars',
  description: 'Storm cells with motion, circulations and tornadic vortex signatures, after every volume scan.',
  kind: 'frame',
  format: 'nexrad-l3',
  provider: 'NOAA/NWS',
  attribution: 'NOAA/NWS NEXRAD level 3',
  gives: [{ name: 'max_reflectivity', unit: 'dBZ', description: 'largest reflectivity of a storm cell' }],
  domains: [alaska, hawaii],
  sites: outerSites,
  products: ['NST', 'NMD', 'NTV'],
  ...level3Bucket,
}

import { glm } from '../../datasets/glm.ts'
import { mrmsProducts } from '../../datasets/mrms-products.ts'
import { radarSites } from '../../datasets/radar-sites.ts'
import { stormCells } from '../../datasets/storm-cells.ts'
import { stormTracks } from '../../datasets/storm-tracks.ts'
import type { FrameSource } from './frame-source.ts'
import { sweepGlm } from './lightning.ts'
import { followMrms, sweepMrms } from './mrms.ts'
import { sweepRadarSites } from './radar-sites.ts'
import { sweepStormCells } from './storm-cells.ts'
import { sweepStorms } from './storms.ts'

/**
 * All sources of frames: the frame datasets of the catalog with the functions that read them. The sources of the
 * nowcast come first.
 */
export const frameSources: readonly FrameSource[] = [
  ...mrmsProducts.map((dataset) => ({ dataset, sweep: sweepMrms, followUp: followMrms })),
  { dataset: glm, sweep: sweepGlm },
  { dataset: stormTracks, sweep: sweepStorms },
  { dataset: stormCells, sweep: sweepStormCells },
  { dataset: radarSites, sweep: sweepRadarSites },
]

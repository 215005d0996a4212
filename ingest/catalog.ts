import { airnow } from './datasets/airnow.ts'
import { nwsAlerts } from './datasets/alerts.ts'
import { climateNormals, climateReports } from './datasets/climate.ts'
import { gfs } from './datasets/gfs.ts'
import { glm } from './datasets/glm.ts'
import { hrrr, hrrrLong } from './datasets/hrrr.ts'
import { metar } from './datasets/metar.ts'
import { mrmsProducts } from './datasets/mrms-products.ts'
import { nbm } from './datasets/nbm.ts'
import { nbmQmd } from './datasets/nbm-qmd.ts'
import { radarSites } from './datasets/radar-sites.ts'
import { refs, refsAgreement, refsMean, refsSpread } from './datasets/refs.ts'
import { rrfs, rrfsLong } from './datasets/rrfs.ts'
import { rtma } from './datasets/rtma.ts'
import { rtmaRu } from './datasets/rtma-ru.ts'
import { outlookFiles, spcOutlooks } from './datasets/spc.ts'
import { stormCells } from './datasets/storm-cells.ts'
import { stormTracks } from './datasets/storm-tracks.ts'
import { nwsTexts } from './datasets/texts.ts'
import { urma } from './datasets/urma.ts'
import type { Dataset, DatasetRole, FeedDataset, FrameDataset, GridDataset } from './domain/dataset/dataset.ts'
import { Fault } from './domain/fault.ts'

/** The datasets of model runs, in the order in which a fresh installation needs them. */
export const gridDatasets: readonly GridDataset[] = [
  rtmaRu,
  rtma,
  nbm,
  hrrr,
  gfs,
  hrrrLong,
  nbmQmd,
  rrfs,
  rrfsLong,
  refs,
  refsAgreement,
  refsMean,
  refsSpread,
  urma,
]

/** Datasets of the air temperature near the surface, best first: analyses before forecasts. */
export const surfaceTemperatureDatasets: readonly GridDataset[] = [rtmaRu, rtma, hrrr, nbm, rrfs, gfs]

/** Datasets of the hourly type of precipitation at the surface, best first. */
export const precipTypeDatasets: readonly GridDataset[] = [hrrr, rrfs, gfs]

/** The datasets of observed frames; those of the nowcast come first. */
export const frameDatasets: readonly FrameDataset[] = [...mrmsProducts, glm, stormTracks, stormCells, radarSites]

/**
 * Returns the sweep of a frame dataset: the datasets of a family are swept together, unless a dataset has its own
 * interval.
 */
export const sweepNameOf = ({ id, family, pollSeconds }: FrameDataset): string =>
  pollSeconds === undefined ? (family ?? id) : id

/** Sources without runs, whose rows are issued and withdrawn. */
export const feedDatasets: readonly FeedDataset[] = [
  // These feeds are read by conditional requests.
  nwsAlerts,
  spcOutlooks,
  nwsTexts,
  climateReports,
  climateNormals,
  metar,
  airnow,
]

/** First segment of the names under which the state of a feed is stored. */
export const stateKeyOf = ({ id, stateKey }: FeedDataset): string => stateKey ?? id

export { climateNormals, climateReports, outlookFiles }

/** Every dataset. */
export const catalog: readonly Dataset[] = [...gridDatasets, ...frameDatasets, ...feedDatasets]

/** Ids of all datasets. */
export const datasetIds: readonly string[] = catalog.map(({ id }) => id)

/** Returns the dataset that declares a role. @throws Fault Missing if there is none */
export function datasetOf(role: DatasetRole): Dataset {
  const dataset = catalog.find((candidate) => candidate.role === role)
  if (!dataset) throw new Fault('Missing', `catalog: no dataset has the role ${role}; declare it in ingest/datasets`)
  return dataset
}

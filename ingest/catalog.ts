import { nwsAlerts } from './datasets/alerts.ts'
import { gfs } from './datasets/gfs.ts'
import { glm } from './datasets/glm.ts'
import { hrrr, hrrrLong } from './datasets/hrrr.ts'
import { mrmsProducts } from './datasets/mrms-products.ts'
import { nbm } from './datasets/nbm.ts'
import { nbmQmd } from './datasets/nbm-qmd.ts'
import { rtma } from './datasets/rtma.ts'
import { rtmaRu } from './datasets/rtma-ru.ts'
import { outlookFiles, spcOutlooks } from './datasets/spc.ts'
import { stormTracks } from './datasets/storm-tracks.ts'
import { urma } from './datasets/urma.ts'
import type { Dataset, FrameDataset, GridDataset } from './domain/dataset.ts'

/** The datasets of model runs, in the order in which a fresh installation needs them. */
export const gridDatasets: readonly GridDataset[] = [rtmaRu, rtma, nbm, hrrr, gfs, hrrrLong, nbmQmd, urma]

/** The datasets of observed frames, those that the nowcast needs first. */
export const frameDatasets: readonly FrameDataset[] = [...mrmsProducts, glm, stormTracks]

/** What is issued and withdrawn, and has no runs. */
export const eventDatasets: readonly Dataset[] = [nwsAlerts, spcOutlooks]

export { outlookFiles }

/** Every dataset. */
export const catalog: readonly Dataset[] = [...gridDatasets, ...frameDatasets, ...eventDatasets]

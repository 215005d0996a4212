import { gfs } from './datasets/gfs.ts'
import { hrrr, hrrrLong } from './datasets/hrrr.ts'
import { nbm } from './datasets/nbm.ts'
import { nbmQmd } from './datasets/nbm-qmd.ts'
import { rtma } from './datasets/rtma.ts'
import { rtmaRu } from './datasets/rtma-ru.ts'
import { urma } from './datasets/urma.ts'
import type { Dataset, GridDataset } from './domain/dataset.ts'

/** The datasets of model runs, in the order in which a fresh installation needs them. */
export const gridDatasets: readonly GridDataset[] = [rtmaRu, rtma, nbm, hrrr, gfs, hrrrLong, nbmQmd, urma]

/** Every dataset. */
export const catalog: readonly Dataset[] = [...gridDatasets]

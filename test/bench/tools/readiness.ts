import { HOUR } from './truth.ts'

/** A row of the tool `list_datasets`. */
export interface ListedDataset {
  readonly dataset_id: string
  readonly time_range: { readonly end: string } | null
  /** The newest run, frame or read; null before the first. */
  readonly reference_time: string | null
}

/** Hours ahead that a model must hold: its last lead hour less the age of a run that is replaced in time. */
const LEAST_HOURS: Readonly<Record<string, number>> = { hrrr: 12, nbm: 250, 'nbm-qmd': 215, gfs: 360 }

/** Returns what a Hexcast server has not read yet, each as `gfs: nothing`, or `nbm: 48 of 250 h`; empty for a server that is ready. */
export function unreadOf(datasets: readonly ListedDataset[], now: number): string[] {
  return datasets.flatMap(({ dataset_id, time_range, reference_time }) => {
    if (reference_time === null) return [`${dataset_id}: nothing`]
    const least = LEAST_HOURS[dataset_id]
    if (least === undefined) return []
    const ahead = time_range ? Math.floor((Date.parse(time_range.end) - now) / HOUR) : 0
    return ahead < least ? [`${dataset_id}: ${ahead} of ${least} h`] : []
  })
}

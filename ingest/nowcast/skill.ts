/** Counts hits, misses and false alarms of wet pixels at one threshold. */
export interface Tally {
  hits: number
  misses: number
  falseAlarms: number
}

export const emptyTally = (): Tally => ({ hits: 0, misses: 0, falseAlarms: 0 })

/** Critical success index: hits divided by hits, misses and false alarms; NaN without any. */
export function criticalSuccess(tally: Tally): number {
  return tally.hits / (tally.hits + tally.misses + tally.falseAlarms)
}

export function count(tally: Tally, forecast: boolean, truth: boolean): void {
  if (forecast && truth) tally.hits++
  else if (truth) tally.misses++
  else if (forecast) tally.falseAlarms++
}

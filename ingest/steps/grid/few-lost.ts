/** Whether so few hours are lost, beside those that are there, that a run is published without them: one, or a tenth of all. */
export function fewAreLost(lost: number, there: number): boolean {
  return there > 0 && lost <= Math.max(1, (lost + there) / 10)
}

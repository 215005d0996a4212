/** Whether so many hours, beside those that are there, hold no run back: one, or a tenth of all. */
export function fewAreLost(lost: number, there: number): boolean {
  return there > 0 && lost <= Math.max(1, (lost + there) / 10)
}

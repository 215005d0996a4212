/** Returns whether a run is published without its lost hours: at most one hour, or a tenth of all hours. */
export function fewAreLost(lost: number, there: number): boolean {
  return there > 0 && lost <= Math.max(1, (lost + there) / 10)
}

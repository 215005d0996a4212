/** A function of the numbers of a group. Nulls are left out before; an empty group gives null, and 0 for count. */
export function aggregate(name: string, numbers: readonly number[], circular: boolean): number | null {
  if (name === 'count') return numbers.length
  if (numbers.length === 0) return null
  if (circular) return circularMean(numbers)
  const sorted = () => [...numbers].sort((a, b) => a - b)
  const mean = () => numbers.reduce((a, b) => a + b, 0) / numbers.length
  switch (name) {
    case 'min':
      return numbers.reduce((a, b) => Math.min(a, b))
    case 'max':
      return numbers.reduce((a, b) => Math.max(a, b))
    case 'mean':
      return tidy(mean())
    case 'sum':
      return tidy(numbers.reduce((a, b) => a + b, 0))
    case 'median':
      return tidy(quantile(sorted(), 0.5))
    case 'stddev': {
      const middle = mean()
      return tidy(Math.sqrt(numbers.reduce((sum, x) => sum + (x - middle) ** 2, 0) / numbers.length))
    }
    default:
      return tidy(quantile(sorted(), Number(name.slice(1)) / 100))
  }
}

/** Linear interpolation between closest ranks. */
export function quantile(sorted: readonly number[], share: number): number {
  const at = share * (sorted.length - 1)
  const low = Math.floor(at)
  const high = Math.min(low + 1, sorted.length - 1)
  return sorted[low] + (sorted[high] - sorted[low]) * (at - low)
}

function circularMean(degrees: readonly number[]): number | null {
  const rad = Math.PI / 180
  const x = degrees.reduce((sum, one) => sum + Math.cos(one * rad), 0)
  const y = degrees.reduce((sum, one) => sum + Math.sin(one * rad), 0)
  if (Math.hypot(x, y) < 1e-9 * degrees.length) return null
  return Math.round((Math.atan2(y, x) / rad + 360) % 360)
}

const tidy = (value: number) => Math.round(value * 1e6) / 1e6

/** A value with its place and time. */
export interface Occurrence {
  readonly value: number
  readonly time: number
  readonly lat: number
  readonly lon: number
}

/**
 * The statistics of the numbers of one group, updated with each number. The numbers themselves are stored only if a
 * percentile needs them.
 */
export class Sample {
  count = 0
  least: Occurrence | undefined
  most: Occurrence | undefined
  #sum = 0
  #mean = 0
  #squares = 0
  #x = 0
  #y = 0
  readonly #numbers: number[] | undefined
  readonly #circular: boolean

  constructor(options: { readonly keepNumbers: boolean; readonly circular: boolean }) {
    this.#numbers = options.keepNumbers ? [] : undefined
    this.#circular = options.circular
  }

  add(value: number, time: number, lat: number, lon: number): void {
    this.count++
    this.#sum += value
    const step = value - this.#mean
    this.#mean += step / this.count
    this.#squares += step * (value - this.#mean)
    if (!this.least || value < this.least.value) this.least = { value, time, lat, lon }
    if (!this.most || value > this.most.value) this.most = { value, time, lat, lon }
    if (this.#circular) {
      this.#x += Math.cos(value * RADIANS)
      this.#y += Math.sin(value * RADIANS)
    }
    this.#numbers?.push(value)
  }

  /** Computes a function of the numbers; null for an empty group, except count, which is 0. */
  number(name: string): number | null {
    if (name === 'count') return this.count
    if (!this.least || !this.most) return null
    if (this.#circular) return this.#direction()
    switch (name) {
      case 'min':
        return this.least.value
      case 'max':
        return this.most.value
      case 'mean':
        return tidy(this.#sum / this.count)
      case 'sum':
        return tidy(this.#sum)
      case 'stddev':
        return tidy(Math.sqrt(Math.max(0, this.#squares / this.count)))
      default:
        return tidy(quantile(this.#sorted(), name === 'median' ? 0.5 : Number(name.slice(1)) / 100))
    }
  }

  #sorted(): Float64Array {
    if (!this.#numbers) throw new Error('Sample: a percentile needs keepNumbers, which was not set')
    return Float64Array.from(this.#numbers).sort()
  }

  /** Circular mean, whole degrees; null if the directions cancel each other. */
  #direction(): number | null {
    if (Math.hypot(this.#x, this.#y) < 1e-9 * this.count) return null
    return Math.round((Math.atan2(this.#y, this.#x) / RADIANS + 360) % 360)
  }
}

const RADIANS = Math.PI / 180
const tidy = (value: number) => Math.round(value * 1e6) / 1e6

/** Returns true if any of the functions needs all numbers of a group. */
export const needsNumbers = (functions: readonly string[]): boolean =>
  functions.some((name) => name === 'median' || /^p\d/.test(name))

/** Quantile by linear interpolation between the closest ranks. @param sorted not empty */
function quantile(sorted: Float64Array, share: number): number {
  const position = share * (sorted.length - 1)
  const rank = Math.floor(position)
  const low = sorted[rank] ?? Number.NaN
  const high = sorted[rank + 1] ?? low
  return low + (high - low) * (position - rank)
}

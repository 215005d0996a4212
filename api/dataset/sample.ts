/** Where and when a value was. */
export interface Occurrence {
  readonly value: number
  readonly time: number
  readonly lat: number
  readonly lon: number
}

/** Numbers of one group as they come: its statistics, and the numbers themselves where a percentile is asked for. */
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

  /** A function of the numbers; an empty group gives null, and 0 for count. */
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
    if (!this.#numbers) throw new Error('sample: wanted the numbers kept for a percentile')
    return Float64Array.from(this.#numbers).sort()
  }

  /** Circular mean, whole degrees; null where directions cancel each other. */
  #direction(): number | null {
    if (Math.hypot(this.#x, this.#y) < 1e-9 * this.count) return null
    return Math.round((Math.atan2(this.#y, this.#x) / RADIANS + 360) % 360)
  }
}

const RADIANS = Math.PI / 180
const tidy = (value: number) => Math.round(value * 1e6) / 1e6

export const needsNumbers = (functions: readonly string[]): boolean =>
  functions.some((one) => one === 'median' || /^p\d/.test(one))

/** Linear interpolation between closest ranks. */
function quantile(sorted: Float64Array, share: number): number {
  const at = share * (sorted.length - 1)
  const low = Math.floor(at)
  const high = Math.min(low + 1, sorted.length - 1)
  return sorted[low] + (sorted[high] - sorted[low]) * (at - low)
}

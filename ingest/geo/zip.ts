import { renamed } from './renamed.ts'
import { Lines, once, tableText } from './table.ts'

export interface Zip {
  readonly code: string
  readonly city: string
  readonly state: string
  readonly lat: number
  readonly lon: number
  /** Radius in km of a circle with the code's land area (Census ZCTA); NaN for a post-office box or a single building. */
  readonly radiusKm: number
}

/**
 * All codes in columns, in the order of the codes. As 42,000 objects they would take 8 MB, and a fifth of the time of a garbage collection
 * of the API.
 */
class ZipTable {
  readonly lats: Float64Array
  readonly lons: Float64Array
  readonly radiiKm: Float64Array
  readonly #lines: Lines

  constructor(text: Buffer) {
    this.#lines = new Lines(text)
    const { count } = this.#lines
    this.lats = new Float64Array(count)
    this.lons = new Float64Array(count)
    this.radiiKm = new Float64Array(count)
    for (let index = 0; index < count; index++) {
      const { lat, lon, radiusKm } = this.at(index)
      this.lats[index] = lat
      this.lons[index] = lon
      this.radiiKm[index] = radiusKm
    }
  }

  get count(): number {
    return this.lats.length
  }

  at(index: number): Zip {
    const cells = this.#lines.at(index).split('\t') as [string, string, string, string, string, string?]
    const [code, city, state, lat, lon, radius] = cells
    return {
      code,
      city: renamed[`${city} ${state}`] ?? city,
      state,
      lat: Number(lat),
      lon: Number(lon),
      radiusKm: radius ? Number(radius) : Number.NaN,
    }
  }

  /**
   * Returns a code.
   * @param code five digits
   */
  find(code: string): Zip | undefined {
    let low = 0
    let high = this.count
    while (low < high) {
      const middle = (low + high) >> 1
      if (this.#codeAt(middle) < code) low = middle + 1
      else high = middle
    }
    return low < this.count && this.#codeAt(low) === code ? this.at(low) : undefined
  }

  #codeAt(index: number): string {
    return this.#lines.at(index, 5)
  }
}

export const zips = once(() => new ZipTable(tableText('zips')))

import { fold } from './fold.ts'
import { renamed } from './renamed.ts'
import { Lines, once, tableText } from './table.ts'

/** One populated place of GeoNames, 500 people or more. */
export interface Populated {
  /** In the table, most populous first. */
  readonly index: number
  readonly name: string
  readonly state: string
  /** Three digits within the state. */
  readonly countyFips: string
  readonly population: number
  readonly lat: number
  readonly lon: number
  /** A part of a city: found by name, never used as the name of a point. */
  readonly section: boolean
}

/** The cell of a line with its other names, of which some have a hundred. */
const ALIASES = 7

/** The places as text, of which one line is read at a time, and what searches read of all of them: objects would be 12 MB of the heap. */
class PlaceTable {
  readonly lats: Float64Array
  readonly lons: Float64Array
  readonly populations: Float64Array
  readonly #lines: Lines

  constructor(text: Buffer) {
    this.#lines = new Lines(text)
    const { count } = this.#lines
    this.lats = new Float64Array(count)
    this.lons = new Float64Array(count)
    this.populations = new Float64Array(count)
    for (const { index, lat, lon, population } of this) {
      this.lats[index] = lat
      this.lons[index] = lon
      this.populations[index] = population
    }
  }

  get count(): number {
    return this.lats.length
  }

  at(index: number): Populated {
    const [name, state, countyFips, population, lat, lon, section] = this.#lines.at(index).split('\t', ALIASES)
    return {
      index,
      name: renamed[`${name} ${state}`] ?? name!,
      state: state!,
      countyFips: countyFips!,
      population: Number(population),
      lat: Number(lat),
      lon: Number(lon),
      section: section === 'x',
    }
  }

  /** Other names of a place, folded. */
  aliasesOf(index: number): readonly string[] {
    const cells = this.#lines.at(index).split('\t')
    const aliases = cells[ALIASES] ? cells[ALIASES].split('|') : []
    return renamed[`${cells[0]} ${cells[1]}`] ? [...aliases, fold(cells[0]!)] : aliases
  }

  /** All of them takes 30 ms. */
  *[Symbol.iterator](): Generator<Populated> {
    for (let index = 0; index < this.count; index++) yield this.at(index)
  }
}

export const places = once(() => new PlaceTable(tableText('places')))

/** Every place as an object, in the order of the table: 30 ms, and 5 MB for as long as they are referred to. */
export const populated = (): readonly Populated[] => [...places()]

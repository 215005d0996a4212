import { nth } from '../domain/nth.ts'
import { fold } from './fold.ts'
import { renamed } from './renamed.ts'
import { stateByCode } from './state.ts'
import { Lines, once, tableText } from './table.ts'

/** A populated place of GeoNames with 500 people or more. */
export interface Populated {
  /** Row in the table, which begins with the most populous place. */
  readonly index: number
  readonly name: string
  readonly state: string
  /** The three digits of the county in its FIPS code, after those of the state. */
  readonly countyFips: string
  readonly population: number
  readonly lat: number
  readonly lon: number
  /** Whether the place is a part of a city. Such a place can be found by its name, but no point is named after it. */
  readonly section: boolean
}

/** Column with the other names; some places have a hundred. */
const ALIASES = 7

/** The places as text that is read line by line, and the columns that searches need as arrays. Objects would take 12 MB of heap. */
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

  /** Returns the folded other names of a place. */
  aliasesOf(index: number): readonly string[] {
    const cells = this.#lines.at(index).split('\t')
    const aliases = cells[ALIASES] ? cells[ALIASES].split('|') : []
    return renamed[`${cells[0]} ${cells[1]}`] ? [...aliases, fold(nth(cells, 0))] : aliases
  }

  /** Yields all places with their other names, which takes 30 ms. */
  *[Symbol.iterator](): Generator<Populated> {
    for (let index = 0; index < this.count; index++) yield this.at(index)
  }
}

export const places = once(() => new PlaceTable(tableText('places')))

/** Returns every place as an object, in the order of the table; takes 30 ms, and 5 MB while referenced. */
export const populated = (): readonly Populated[] => [...places()]

/** Returns the most populous places of a state. */
export function largestTowns(state: string, count: number): Populated[] {
  const towns: Populated[] = []
  for (const place of places()) {
    if (place.state === state && !place.section) towns.push(place)
    if (towns.length === count) break
  }
  return towns
}

/** People of the towns of each county by its code of five digits, without the parts of cities. */
export const countyPopulations = once(() => {
  const people = new Map<string, number>()
  for (const { state, countyFips, population, section } of places()) {
    const fips = `${stateByCode.get(state)?.fips}${countyFips}`
    if (!section) people.set(fips, (people.get(fips) ?? 0) + population)
  }
  return people
})

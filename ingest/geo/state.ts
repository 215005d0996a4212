import type { DomainId } from '../domain/domain.ts'
import { nth } from '../domain/nth.ts'

/** The 50 states and DC, with postal abbreviation, name and FIPS code. */
const rows = `AL Alabama 01|AK Alaska 02|AZ Arizona 04|AR Arkansas 05|CA California 06|CO Colorado 08|CT Connecticut 09|DE Delaware 10|
DC District of Columbia 11|FL Florida 12|GA Georgia 13|HI Hawaii 15|ID Idaho 16|IL Illinois 17|IN Indiana 18|IA Iowa 19|KS Kansas 20|
KY Kentucky 21|LA Louisiana 22|ME Maine 23|MD Maryland 24|MA Massachusetts 25|MI Michigan 26|MN Minnesota 27|MS Mississippi 28|
MO Missouri 29|MT Montana 30|NE Nebraska 31|NV Nevada 32|NH New Hampshire 33|NJ New Jersey 34|NM New Mexico 35|NY New York 36|
NC North Carolina 37|ND North Dakota 38|OH Ohio 39|OK Oklahoma 40|OR Oregon 41|PA Pennsylvania 42|RI Rhode Island 44|
SC South Carolina 45|SD South Dakota 46|TN Tennessee 47|TX Texas 48|UT Utah 49|VT Vermont 50|VA Virginia 51|WA Washington 53|
WV West Virginia 54|WI Wisconsin 55|WY Wyoming 56`

export interface State {
  readonly code: string
  readonly name: string
  readonly fips: string
}

export const states: readonly State[] = rows.split('|').map((row) => {
  const words = row.trim().split(' ')
  return { code: nth(words, 0), name: words.slice(1, -1).join(' '), fips: words.at(-1)! }
})

export const stateByFips: ReadonlyMap<string, State> = new Map(states.map((state) => [state.fips, state]))
export const stateByCode: ReadonlyMap<string, State> = new Map(states.map((state) => [state.code, state]))

/** Returns the domain that has a state, by its postal code. */
export const domainOfState = (code: string | undefined): DomainId =>
  code === 'AK' ? 'alaska' : code === 'HI' ? 'hawaii' : 'conus'

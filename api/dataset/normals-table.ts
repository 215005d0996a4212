import { DAY, dateText } from '../../ingest/domain/time.ts'
import { type NormalRow, normalRow } from '../present/climate.ts'
import type { UnitSystem } from '../present/units.ts'
import type { QueryContext } from './context.ts'

/** Variables of the dataset `normals`. */
export const normalVariables = [
  'normal_high',
  'normal_low',
  'normal_mean',
  'normal_high_stddev',
  'normal_low_stddev',
  'normal_mean_stddev',
  'normal_precip',
] as const satisfies readonly (keyof NormalRow)[]

/** Accepted dates: normals have no year, so every year is valid. */
export const NORMALS_RANGE = { start: Date.UTC(1900, 0, 1), end: Date.UTC(2100, 11, 31) }

interface DateSpan {
  readonly variables: readonly string[]
  readonly from: number
  readonly to: number
  readonly units: UnitSystem
}

/** Values for each day, at 00 UTC of its date; undefined if no station with temperatures is within 150 km. */
export async function readNormals(
  { deps }: Pick<QueryContext, 'deps'>,
  lat: number,
  lon: number,
  { variables, from, to, units }: DateSpan,
) {
  const { nearest } = await deps.live.climate.at(lat, lon)
  if (!nearest) return undefined
  const times: number[] = []
  const values = new Map<string, Map<number, number | null>>(variables.map((name) => [name, new Map()]))
  for (let time = Math.ceil(from / DAY) * DAY; time <= to; time += DAY) {
    times.push(time)
    const row = normalRow(nearest.normals, dateText(time / DAY), units)
    for (const name of variables) {
      const variable = normalVariables.find((candidate) => candidate === name)
      values.get(name)?.set(time, variable ? row[variable] : null)
    }
  }
  return { times, values, run: undefined, runs: [], runByVariable: new Map<string, number>() }
}

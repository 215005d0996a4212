import { Aggregation } from '@openmeteo/sdk/aggregation.js'
import { Model } from '@openmeteo/sdk/model.js'
import { Unit } from '@openmeteo/sdk/unit.js'
import { Variable } from '@openmeteo/sdk/variable.js'
import { Builder, type Offset } from 'flatbuffers'
import { type Instant, SECOND } from '../../../ingest/domain/time.ts'
import {
  CURRENT_SECONDS,
  type ForecastColumn,
  type ForecastSection,
  type PlaceForecast,
  type PresentColumns,
} from './open-meteo-place.ts'
import { currentName } from './open-meteo-query.ts'

/**
 * The binary form that the SDKs of Open-Meteo read: a table `WeatherApiResponse` for each place, each with its size before it
 * (https://github.com/open-meteo/sdk). Their package has readers and numbers, but no writers: these write the same slots.
 */

/** Units by the labels of the text forms. */
const unitOf: Readonly<Record<string, Unit>> = {
  '°C': Unit.celsius,
  '°F': Unit.fahrenheit,
  'km/h': Unit.kilometres_per_hour,
  'm/s': Unit.metre_per_second,
  kn: Unit.knots,
  'mp/h': Unit.miles_per_hour,
  mm: Unit.millimetre,
  cm: Unit.centimetre,
  inch: Unit.inch,
  m: Unit.metre,
  ft: Unit.feet,
  '%': Unit.percentage,
  '°': Unit.degree_direction,
  hPa: Unit.hectopascal,
  'J/kg': Unit.joule_per_kilogram,
  '': Unit.dimensionless,
  'wmo code': Unit.wmo_code,
  h: Unit.hours,
  s: Unit.seconds,
}

const aggregations: Readonly<Record<string, Aggregation>> = {
  max: Aggregation.maximum,
  min: Aggregation.minimum,
  mean: Aggregation.mean,
  sum: Aggregation.sum,
  dominant: Aggregation.dominant,
}

interface Meaning {
  readonly variable: Variable
  /** Height above the ground, m. */
  readonly altitude: number
  readonly aggregation: Aggregation
}

/** Parses a name such as `wind_speed_10m_max`: a variable, a height and a way to add up. */
export function meaningOf(name: string): Meaning {
  const words = currentName(name).split('_')
  const fold = Object.hasOwn(aggregations, words.at(-1) ?? '') ? aggregations[words.pop() ?? ''] : undefined
  const height = /^(\d{1,3})m$/.exec(words.at(-1) ?? '')
  if (height) words.pop()
  return {
    variable: (Variable as unknown as Readonly<Record<string, Variable>>)[words.join('_')] ?? Variable.undefined,
    altitude: Number(height?.[1] ?? 0),
    aggregation: fold ?? Aggregation.none,
  }
}

export function flatbuffersOf(forecasts: readonly { forecast: PlaceForecast; milliseconds: number }[]): Buffer {
  return Buffer.concat(forecasts.map(({ forecast, milliseconds }, index) => placeTable(forecast, milliseconds, index)))
}

function placeTable({ weather, clock, ...sections }: PlaceForecast, milliseconds: number, index: number): Uint8Array {
  const builder = new Builder(4096)
  const { lat, lon, elevation } = weather.location
  const timezone = builder.createString(clock.timezone)
  const abbreviation = builder.createString(clock.abbreviation)
  const current = sections.current && presentTable(builder, sections.current)
  const [daily, hourly] = [sections.daily, sections.hourly].map((section) =>
    seriesTable(builder, section, clock.offset),
  )
  builder.startObject(14)
  builder.addFieldFloat32(0, lat, 0)
  builder.addFieldFloat32(1, lon, 0)
  builder.addFieldFloat32(2, elevation ?? Number.NaN, 0)
  builder.addFieldFloat32(3, milliseconds, 0)
  builder.addFieldInt64(4, BigInt(index), 0n)
  builder.addFieldInt8(5, Model.best_match, 0)
  builder.addFieldInt32(6, clock.offset / SECOND, 0)
  builder.addFieldOffset(7, timezone, 0)
  builder.addFieldOffset(8, abbreviation, 0)
  builder.addFieldOffset(9, current ?? 0, 0)
  builder.addFieldOffset(10, daily ?? 0, 0)
  builder.addFieldOffset(11, hourly ?? 0, 0)
  builder.finishSizePrefixed(builder.endObject())
  return builder.asUint8Array()
}

/** Returns the offset of a table `VariablesWithTime`; undefined if there are no columns. */
function seriesTable(builder: Builder, { axis, columns }: ForecastSection, offset: number): Offset | undefined {
  if (columns.length === 0) return undefined
  const first = axis.first - offset
  const variables = columns.map((column) => variableTable(builder, column, valuesVector(builder, column)))
  return timesTable(builder, variables, [first, first + axis.count * axis.step], axis.step / SECOND)
}

function presentTable(builder: Builder, { at, columns }: PresentColumns): Offset {
  const variables = columns.map((column) => variableTable(builder, column))
  return timesTable(builder, variables, [at, at + CURRENT_SECONDS * SECOND], CURRENT_SECONDS)
}

function timesTable(
  builder: Builder,
  variables: readonly Offset[],
  [from, to]: readonly [Instant, Instant],
  interval: number,
): Offset {
  builder.startVector(4, variables.length, 4)
  for (const variable of variables.toReversed()) builder.addOffset(variable)
  const list = builder.endVector()
  builder.startObject(4)
  builder.addFieldInt64(0, BigInt(from / SECOND), 0n)
  builder.addFieldInt64(1, BigInt(to / SECOND), 0n)
  builder.addFieldInt32(2, interval, 0)
  builder.addFieldOffset(3, list, 0)
  return builder.endObject()
}

/** Writes numbers as floats, with NaN for unknown values; times as seconds, with 0 for unknown times. */
function valuesVector(builder: Builder, { values, isTime }: ForecastColumn): Offset {
  const width = isTime ? 8 : 4
  builder.startVector(width, values.length, width)
  for (const value of values.toReversed()) {
    if (isTime) builder.addInt64(BigInt((value ?? 0) / SECOND))
    else builder.addFloat32(value ?? Number.NaN)
  }
  return builder.endVector()
}

/** @param values offset of the vector; absent for a single value */
function variableTable(
  builder: Builder,
  { name, label, isTime, values: all }: ForecastColumn,
  values?: Offset,
): Offset {
  const { variable, altitude, aggregation } = meaningOf(name)
  builder.startObject(13)
  builder.addFieldInt8(0, variable, 0)
  builder.addFieldInt8(1, isTime ? Unit.unix_time : (unitOf[label] ?? Unit.undefined), 0)
  if (values === undefined) builder.addFieldFloat32(2, all[0] ?? Number.NaN, 0)
  else builder.addFieldOffset(isTime ? 4 : 3, values, 0)
  builder.addFieldInt16(5, altitude, 0)
  builder.addFieldInt8(6, aggregation, 0)
  return builder.endObject()
}

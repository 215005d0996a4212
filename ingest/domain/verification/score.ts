import { DAY_ELEMENTS, elementsOf, HOUR_ELEMENTS, type HourElement, type IssuedForecasts } from './forecast.ts'
import { flightCategoryOf, type Observed, skyOfCover } from './observed.ts'
import {
  FLIGHT_THRESHOLDS,
  PROBABILITY_BINS,
  STATISTICS,
  slotOf,
  sumsLength,
  VARIABLES,
  type VerifiedVariable,
} from './statistics.ts'

/** A difference of 3 °F in °C, plus the rounding of a tenth of a degree. */
const WITHIN_C = 3 / 1.8 + 1e-6

/** Counts and sums of one area and day, by variable: slots × statistics. */
export type Sums = Readonly<Record<VerifiedVariable, Float64Array>>

export function emptySums(): Sums {
  return Object.fromEntries(VARIABLES.map((variable) => [variable, new Float64Array(sumsLength(variable))])) as Sums
}

/** Adds the sums of an area to those of an area that contains it. */
export function addSums(into: Sums, from: Sums): void {
  for (const variable of VARIABLES) {
    const to = into[variable]
    const what = from[variable]
    for (let i = 0; i < to.length; i++) to[i]! += what[i]!
  }
}

/** The observations with which forecasts are compared. */
export interface Truth {
  /** Undefined if the station has no report for the hour. */
  hour(station: string): Observed | undefined
  /** Returns high and low of the day that ends; NaN if unknown. */
  day(station: string): Readonly<Record<(typeof DAY_ELEMENTS)[number], number>> | undefined
  /** Returns the share of wet hours at the station, 0 to 1, known before the forecast. */
  climatology(station: string): number
}

/**
 * Compares forecasts of one valid time and lead with the observations.
 * @param sumsOf returns the sums of a station, to which its pairs are added
 */
export function score(forecasts: IssuedForecasts, truth: Truth, sumsOf: (station: string) => Sums): void {
  const { kind, stations, sources, values, leadHours } = forecasts
  const width = elementsOf(kind).length
  const slots = sources.map((source) => slotOf(kind, { source, leadHours }))
  const own = new Float64Array(HOUR_ELEMENTS.length)
  for (const [s, station] of stations.entries()) {
    const hour = kind === 'hour' ? truth.hour(station) : undefined
    const day = kind === 'day' ? truth.day(station) : undefined
    if (!hour && !day) continue
    const sums = sumsOf(station)
    for (const [i, slot] of slots.entries()) {
      if (slot === undefined) continue
      const at = (s * sources.length + i) * width
      for (let e = 0; e < width; e++) own[e] = values[at + e]!
      if (hour) scoreHour(sums, slot, own, hour, truth.climatology(station))
      else if (day)
        for (const [e, element] of DAY_ELEMENTS.entries()) addError(sums, element, slot, own[e]!, day[element])
    }
  }
}

const place = Object.fromEntries(HOUR_ELEMENTS.map((name, i) => [name, i])) as Record<HourElement, number>

function scoreHour(sums: Sums, slot: number, forecast: Float64Array, observed: Observed, climatology: number): void {
  const forecastOf = (element: HourElement) => forecast[place[element]]!
  addError(sums, 'temperature', slot, forecastOf('temperature'), observed.temperature)
  addError(sums, 'dew_point', slot, forecastOf('dew_point'), observed.dew_point)
  addError(sums, 'wind_speed', slot, forecastOf('wind_speed'), observed.wind_speed)
  addError(sums, 'wind_gust', slot, forecastOf('wind_gust'), observed.wind_gust)
  addSky(sums.sky, slot, skyOfCover(forecastOf('cloud_cover')), observed.sky)
  addFlight(
    sums.flight_category,
    slot,
    flightCategoryOf(forecastOf('cloud_ceiling'), forecastOf('visibility')),
    observed.flight_category,
  )
  addProbability(sums.precip_probability, slot, forecastOf('precip_probability') / 100, observed.wet, climatology)
}

function addError(sums: Sums, variable: VerifiedVariable, slot: number, forecast: number, observed: number): void {
  const error = forecast - observed
  if (Number.isNaN(error)) return
  const list = sums[variable]
  const names = STATISTICS[variable]
  const at = slot * names.length
  list[at]!++
  list[at + 1]! += error
  list[at + 2]! += Math.abs(error)
  if (names.length > 3) list[at + 3]! += error * error
  if (names.length > 4 && Math.abs(error) <= WITHIN_C) list[at + 4]!++
}

function addSky(list: Float64Array, slot: number, forecast: number, observed: number): void {
  const error = forecast - observed
  if (Number.isNaN(error)) return
  const at = slot * STATISTICS.sky.length
  list[at]!++
  list[at + 1]! += error
  if (error === 0) list[at + 2]!++
  if (Math.abs(error) <= 1) list[at + 3]!++
}

function addFlight(list: Float64Array, slot: number, forecast: number, observed: number): void {
  if (Number.isNaN(forecast - observed)) return
  const at = slot * STATISTICS.flight_category.length
  list[at]!++
  for (let t = 0; t < FLIGHT_THRESHOLDS.length; t++) {
    // The categories are numbers: MVFR is 2, IFR 1 and LIFR 0.
    const limit = FLIGHT_THRESHOLDS.length - 1 - t
    const warned = forecast <= limit
    const came = observed <= limit
    if (warned && came) list[at + 1 + 3 * t]!++
    else if (came) list[at + 2 + 3 * t]!++
    else if (warned) list[at + 3 + 3 * t]!++
  }
}

function addProbability(list: Float64Array, slot: number, forecast: number, wet: number, climatology: number): void {
  if (Number.isNaN(forecast - wet)) return
  const at = slot * STATISTICS.precip_probability.length
  const bin = Math.min(PROBABILITY_BINS - 1, Math.floor(forecast * PROBABILITY_BINS + 1e-9))
  list[at]!++
  list[at + 1]! += wet
  list[at + 2]! += (forecast - wet) ** 2
  list[at + 3]! += (climatology - wet) ** 2
  list[at + 4 + 3 * bin]!++
  list[at + 5 + 3 * bin]! += forecast
  list[at + 6 + 3 * bin]! += wet
}

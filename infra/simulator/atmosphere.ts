import { HOUR } from '../../ingest/domain/time.ts'
import { stormField } from './storms.ts'

/**
 * The exact weather at a place and time, in SI units, percent and degrees.
 * It is smooth on the scale of a coarse model grid, so that the expected value of any field is known everywhere.
 */
export interface SimulatedWeather {
  temperature: number
  dewPoint: number
  windU: number
  windV: number
  windSpeed: number
  windDirection: number
  windGust: number
  /** Pressure at mean sea level, Pa. */
  pressure: number
  /** Pressure at the simulator's surface, Pa. */
  surfacePressure: number
  cloudCover: number
  cloudLow: number
  cloudMid: number
  cloudHigh: number
  visibility: number
  /** Height above ground, m; NaN if there is no ceiling. */
  ceiling: number
  cape: number
  solar: number
  /** Column ozone, Dobson units. */
  ozone: number
  smoke: number
  /** Liquid precipitation, mm/h. */
  precipRate: number
  rainFraction: number
  snowFraction: number
  freezingFraction: number
  icePelletsFraction: number
  snowLevel: number
  snowRatio: number
  thunder: number
  /** 0 far from any front and 1 on a front. The spread of the forecast depends on it. */
  front: number
}

export function emptyWeather(): SimulatedWeather {
  return {
    temperature: 0,
    dewPoint: 0,
    windU: 0,
    windV: 0,
    windSpeed: 0,
    windDirection: 0,
    windGust: 0,
    pressure: 0,
    surfacePressure: 0,
    cloudCover: 0,
    cloudLow: 0,
    cloudMid: 0,
    cloudHigh: 0,
    visibility: 0,
    ceiling: 0,
    cape: 0,
    solar: 0,
    ozone: 0,
    smoke: 0,
    precipRate: 0,
    rainFraction: 0,
    snowFraction: 0,
    freezingFraction: 0,
    icePelletsFraction: 0,
    snowLevel: 0,
    snowRatio: 0,
    thunder: 0,
    front: 0,
  }
}

const TAU = 2 * Math.PI

/** Sharpness of fronts, in (0, 1). */
const R = 0.6

interface FrontState {
  theta: number
  cos: number
  band: number
}

function frontAt(lat: number, lon: number, hours: number, out: FrontState): void {
  // Fronts are 40 degrees apart, tilt with latitude and move east at 0.6 degrees an hour.
  out.theta = (TAU * (lon + 0.4 * (lat - 40) - 0.6 * hours)) / 40
  out.cos = Math.cos(out.theta)
  out.band = ((1 - R) * (1 - R)) / (1 - 2 * R * out.cos + R * R)
}

function frontalRate(band: number, lat: number, hours: number): number {
  const q = (band * band - 0.3) / 0.7
  if (q <= 0) return 0
  return 6 * q * q * (0.5 + 0.5 * Math.sin(TAU * (lat / 17 + hours / 31)))
}

const scratch: FrontState = { theta: 0, cos: 0, band: 0 }

/** Returns only the rain rate, mm/h of liquid, which is the integrand of accumulations. */
export function precipRateAt(lat: number, lon: number, time: number): number {
  return precipRatesAt(time)(lat, lon)
}

/** Returns the rain rate of one time as a function of the place, mm/h of liquid, for a whole grid. */
export function precipRatesAt(time: number): (lat: number, lon: number) => number {
  const hours = (time - EPOCH) / HOUR
  const storms = stormField(time)
  return (lat, lon) => {
    frontAt(lat, lon, hours, scratch)
    return frontalRate(scratch.band, lat, hours) + storms.rate(lat, lon > 180 ? lon - 360 : lon)
  }
}

/** Epoch of the simulator's hours, which keeps the arguments of sines small. */
export const EPOCH = Date.UTC(2026, 0, 1)

/**
 * Returns the sine of the sun's height, with the declination as a cosine of the day and the hour angle from the
 * longitude: accurate to a degree.
 */
export function sunSine(lat: number, lon: number, time: number): number {
  const days = (time - EPOCH) / 86_400_000
  const declination = (-23.44 * Math.cos((TAU * (days + 10)) / 365.2425) * Math.PI) / 180
  const hourAngle = TAU * ((days % 1) + lon / 360 - 0.5)
  const phi = (lat * Math.PI) / 180
  return Math.sin(phi) * Math.sin(declination) + Math.cos(phi) * Math.cos(declination) * Math.cos(hourAngle)
}

/**
 * Returns the weather at a point.
 * @param lon -180..180 or 0..360
 * @param time any instant, milliseconds since 1970
 * @param into object that is filled and returned, so that a whole grid allocates nothing
 */
export function weatherAt(
  lat: number,
  lon: number,
  time: number,
  into: SimulatedWeather = emptyWeather(),
): SimulatedWeather {
  if (lon > 180) lon -= 360
  const w = into
  const hours = (time - EPOCH) / HOUR
  frontAt(lat, lon, hours, scratch)
  const { theta, cos, band } = scratch
  const sharp = (2 * R * Math.sin(theta)) / (1 - 2 * R * cos + R * R)
  const wave = Math.sin(TAU * (lon / 23 + lat / 31 - hours / 60))
  const slow = Math.sin(TAU * (lon / 37 - lat / 25 + hours / 90))
  const moist = 0.5 + 0.5 * Math.sin(TAU * (lon / 29 - lat / 19 + hours / 70))

  w.front = band
  w.precipRate = frontalRate(band, lat, hours) + stormField(time).rate(lat, lon)

  w.cloudCover = 50 + 50 * Math.tanh(2.2 * band + 0.9 * moist + 0.5 * slow - 1.1 + 0.3 * Math.min(3, w.precipRate))
  w.cloudLow = w.cloudCover * (0.5 + 0.45 * Math.sin(TAU * (lon / 17 + hours / 40)))
  w.cloudMid = w.cloudCover * (0.5 + 0.45 * Math.sin(TAU * (lat / 13 - hours / 50)))
  w.cloudHigh = w.cloudCover * (0.55 + 0.4 * slow)

  const days = hours / 24
  const season = Math.cos((TAU * (days - 199)) / 365.2425)
  const solarHour = (((hours + lon / 15) % 24) + 24) % 24
  const diurnal = Math.cos((TAU * (solarHour - 15)) / 24)
  w.temperature =
    299 -
    0.6 * (lat - 20) +
    season * (6 + 0.15 * (lat - 20)) +
    5 * (1 - 0.006 * w.cloudCover) * diurnal +
    5 * sharp +
    2 * wave
  const depression = 0.4 + (1 - band) * (3 + 9 * (1 - moist) * (1 - moist) + 1.5 * (1 + diurnal))
  w.dewPoint = w.temperature - depression

  w.windU = 5 + 4 * slow + 3 * wave - 2 * sharp
  w.windV = 1.5 + 5 * sharp * 0.8 + 2 * Math.sin(TAU * (lat / 15 + hours / 33))
  w.windSpeed = Math.hypot(w.windU, w.windV)
  w.windDirection = (Math.atan2(-w.windU, -w.windV) * 180) / Math.PI
  if (w.windDirection < 0) w.windDirection += 360
  w.windGust = w.windSpeed * (1.35 + 0.1 * wave) + 0.8 * Math.sqrt(w.precipRate)

  w.pressure = 101500 + 900 * slow - 900 * band + 150 * wave
  const height = surfaceHeight(lat, lon)
  w.surfacePressure = w.pressure * Math.exp(-height / 8200)

  w.visibility = (16093 * (1 - 0.97 * Math.exp(-depression / 0.5))) / (1 + 0.5 * w.precipRate)
  w.ceiling = w.cloudCover > 55 ? 250 + 45 * (100 - w.cloudLow) + 400 * Math.min(4, depression) : Number.NaN
  const warm = Math.max(0, w.dewPoint - 280)
  w.cape = warm * warm * 9 * (0.25 + band) * (0.6 + 0.4 * diurnal)
  w.thunder = 100 * (1 - Math.exp(-w.cape / 2500)) * Math.min(1, 0.15 + band)

  const sun = sunSine(lat, lon, time)
  w.solar = sun > 0 ? 1098 * sun * Math.exp(-0.057 / Math.max(sun, 0.01)) * (1 - 0.0065 * w.cloudCover) : 0
  w.ozone = 300 + 30 * slow
  w.smoke = 2e-8 * (1 + slow) * (1 - band)

  const cold = w.temperature - 273.15
  w.freezingFraction = 0.45 * Math.exp(-(((cold + 1.2) / 1.1) ** 2)) * (0.5 + 0.5 * Math.sin(TAU * (lon / 31)))
  w.icePelletsFraction = 0.3 * Math.exp(-(((cold + 0.2) / 0.9) ** 2)) * (0.5 + 0.5 * Math.cos(TAU * (lon / 27)))
  const snow = 1 / (1 + Math.exp((cold - 0.4) / 0.6))
  const rainOrSnow = 1 - w.freezingFraction - w.icePelletsFraction
  w.snowFraction = rainOrSnow * snow
  w.rainFraction = rainOrSnow * (1 - snow)
  w.snowLevel = Math.max(0, 300 + cold * 140)
  w.snowRatio = 8 + 8 / (1 + Math.exp((cold + 6) / 3))
  return w
}

/**
 * Returns the height of the simulator's surface, m: smooth mountains in the west and east of CONUS, and almost none
 * elsewhere.
 */
export function surfaceHeight(lat: number, lon: number): number {
  if (lon > 180) lon -= 360
  return (
    1600 * Math.exp(-(((lon + 109) / 7) ** 2) - ((lat - 40) / 9) ** 2) +
    400 * Math.exp(-(((lon + 80) / 4) ** 2) - ((lat - 38) / 6) ** 2)
  )
}

/** Accumulated precipitation: mm of liquid, mm of snow depth and mm of flat ice. */
export interface Fallen {
  liquid: number
  snow: number
  ice: number
}

/** Number of steps in an hour. The true accumulation of an hour is the mean of the rates at the middle of each step. */
export const FALL_STEPS = 6

const fallWeather = emptyWeather()

/** Returns the precipitation of the hour that ends at `end`, with its types from the weather at `end`. */
export function fallenInHour(
  lat: number,
  lon: number,
  end: number,
  into: Fallen = { liquid: 0, snow: 0, ice: 0 },
): Fallen {
  let liquid = 0
  for (let step = 0; step < FALL_STEPS; step++) {
    liquid += precipRateAt(lat, lon, end - HOUR + ((step + 0.5) * HOUR) / FALL_STEPS)
  }
  liquid /= FALL_STEPS
  into.liquid = liquid
  into.snow = 0
  into.ice = 0
  if (liquid > 0) {
    const w = weatherAt(lat, lon, end, fallWeather)
    into.snow = liquid * w.snowFraction * w.snowRatio
    into.ice = liquid * w.freezingFraction * 0.6
  }
  return into
}

/**
 * Returns the probability of at least 0.254 mm in percent if `liquid` mm are expected under a cloud cover in percent.
 */
export function precipProbability(liquid: number, cloudCover: number): number {
  const wet = 100 * (1 - Math.exp(-liquid / 0.7))
  const grey = 25 * Math.max(0, (cloudCover - 60) / 40) ** 2
  return Math.min(100, Math.max(wet, grey))
}

/** Returns the standard deviations of the forecast, which grow with lead and near fronts. */
export function spreads(
  front: number,
  leadHours: number,
): { temperature: number; dewPoint: number; windSpeed: number; windGust: number } {
  const growth = 1 + leadHours / 60
  return {
    temperature: (0.6 + 1.2 * front) * growth,
    dewPoint: (0.7 + 1.0 * front) * growth,
    windSpeed: (0.5 + 0.8 * front) * growth,
    windGust: (0.9 + 1.1 * front) * growth,
  }
}

/**
 * Returns the probability in percent that a quantity with the expected value `value` is below `limit`, by a logistic
 * function of their ratio.
 */
export function probabilityBelow(value: number, limit: number, steepness: number): number {
  const expected = Number.isNaN(value) ? 15000 : Math.max(value, 1)
  return 100 / (1 + (expected / limit) ** steepness)
}

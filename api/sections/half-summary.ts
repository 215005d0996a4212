import { NONE } from '../../ingest/domain/weather/precip-type.ts'

/** Summary of the hours of a half of a row, in canonical units; NaN if no source has values. */
export interface HalfSummary {
  /** Number of hours with a temperature. */
  hours: number
  temperatureHigh: number
  temperatureLow: number
  feelsLikeHigh: number
  feelsLikeLow: number
  windSpeed: number
  windSpeedMax: number
  windGust: number
  windDirection: number
  /** Vector sum of the wind over all hours, from which the direction of both halves is computed. */
  windEast: number
  windNorth: number
  precipProbability: number
  precipTotal: number
  /** Largest amount of an hour, mm; of snow, its strength. */
  precipPeak: number
  /** Amount that has fallen in hours that have ended, mm; 0 in future rows. Only set for whole rows. */
  precipFallen: number
  snowTotal: number
  iceTotal: number
  precipType: number
  /** Whether the half is described as freezing rain although more of it falls as rain. */
  mostlyRain: boolean
  humidity: number
  dewPoint: number
  cloudCover: number
  dewPointMax: number
  dewPointMin: number
  visibilityMin: number
  visibilityTypical: number
  pressure: number
  ceilingMin: number
  /** Whether ceilings are known and every hour is without a ceiling. */
  ceilingUnlimited: boolean
  uvMax: number
  thunder: number
  /** Whether thunder is possible in any of the hours. */
  thunderPossible: boolean
  cape: number
  solarMax: number
  snowLevel: number
  smoke: number
  severe: boolean
}

/** A summary of no hours: all numbers are NaN. */
export function emptySummary(): HalfSummary {
  const none = Number.NaN
  return {
    hours: 0,
    temperatureHigh: none,
    temperatureLow: none,
    feelsLikeHigh: none,
    feelsLikeLow: none,
    windSpeed: none,
    windSpeedMax: none,
    windGust: none,
    windDirection: none,
    windEast: none,
    windNorth: none,
    precipProbability: none,
    precipTotal: none,
    precipPeak: none,
    precipFallen: none,
    snowTotal: none,
    iceTotal: none,
    precipType: NONE,
    mostlyRain: false,
    humidity: none,
    dewPoint: none,
    cloudCover: none,
    dewPointMax: none,
    dewPointMin: none,
    visibilityMin: none,
    visibilityTypical: none,
    pressure: none,
    ceilingMin: none,
    ceilingUnlimited: false,
    uvMax: none,
    thunder: none,
    thunderPossible: false,
    cape: none,
    solarMax: none,
    snowLevel: none,
    smoke: none,
    severe: false,
  }
}

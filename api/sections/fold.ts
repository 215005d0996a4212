/** Aggregates of a half of a row: canonical units, NaN where no source has values. */
export interface Fold {
  /** With a temperature. */
  hours: number
  temperatureHigh: number
  temperatureLow: number
  feelsLikeHigh: number
  feelsLikeLow: number
  windSpeed: number
  windSpeedMax: number
  windGust: number
  windDirection: number
  /** The wind's way over all hours, for the mean of two halves. */
  windEast: number
  windNorth: number
  precipProbability: number
  precipTotal: number
  precipPeak: number
  snowTotal: number
  iceTotal: number
  precipType: number
  /** It is named after its freezing rain, and more of it falls as rain. */
  mostlyRain: boolean
  humidity: number
  cloudCover: number
  dewPointMax: number
  dewPointMin: number
  visibilityMin: number
  visibilityTypical: number
  pressure: number
  ceilingMin: number
  /** Every hour of a known ceiling has none. */
  ceilingUnlimited: boolean
  uvMax: number
  thunder: number
  /** Of any of its hours. */
  thunderPossible: boolean
  cape: number
  solarMax: number
  snowLevel: number
  smoke: number
  severe: boolean
}

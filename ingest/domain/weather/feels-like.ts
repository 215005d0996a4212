const toFahrenheit = (kelvin: number) => kelvin * 1.8 - 459.67
const toKelvin = (fahrenheit: number) => (fahrenheit + 459.67) / 1.8
const toMilesPerHour = (metresPerSecond: number) => metresPerSecond * (3600 / 1609.344)

/**
 * Returns the heat index in °F by the NWS algorithm. Below 80 °F it is the simple form, averaged with the temperature; from 80 °F on it is
 * the regression of Rothfusz with its two adjustments. Source: wpc.ncep.noaa.gov/html/heatindex_equation.shtml
 * @param t °F
 * @param rh percent
 */
export function heatIndex(t: number, rh: number): number {
  const mean = simpleHeatIndex(t, rh)
  if (mean < 80) return mean
  let index =
    -42.379 +
    2.04901523 * t +
    10.14333127 * rh -
    0.22475541 * t * rh -
    0.00683783 * t * t -
    0.05481717 * rh * rh +
    0.00122874 * t * t * rh +
    0.00085282 * t * rh * rh -
    0.00000199 * t * t * rh * rh
  if (rh < 13 && t >= 80 && t <= 112) index -= ((13 - rh) / 4) * Math.sqrt((17 - Math.abs(t - 95)) / 17)
  else if (rh > 85 && t >= 80 && t <= 87) index += ((rh - 85) / 10) * ((87 - t) / 5)
  return index
}

function simpleHeatIndex(t: number, rh: number): number {
  return (0.5 * (t + 61 + (t - 68) * 1.2 + rh * 0.094) + t) / 2
}

/**
 * Returns the wind chill in °F (NWS 2001), which is defined at or below 50 °F with wind above 3 mph. Source:
 * weather.gov/safety/cold-wind-chill-chart
 * @param t °F
 * @param wind mph
 */
export function windChill(t: number, wind: number): number {
  // The power is computed by its logarithm, which is equal to 1e-15 and takes a third of the time.
  const power = Math.exp(0.16 * Math.log(wind))
  return 35.74 + 0.6215 * t - 35.75 * power + 0.4275 * t * power
}

/**
 * Returns the apparent temperature in K: the wind chill where it is defined (never above the temperature), the heat index if it reaches 80
 * °F, otherwise the temperature. The result is NaN if an input of the formula is missing.
 * @param temperature K
 * @param humidity percent
 * @param wind m/s
 */
export function feelsLike(temperature: number, humidity: number, wind: number): number {
  const t = toFahrenheit(temperature)
  if (t <= 50) {
    const speed = toMilesPerHour(wind)
    if (Number.isNaN(speed)) return Number.NaN
    return speed > 3 ? toKelvin(Math.min(t, windChill(t, speed))) : temperature
  }
  // Below 70 °F the index never reaches 80 °F, whatever the humidity.
  if (t < 70 || Number.isNaN(t)) return temperature
  if (Number.isNaN(humidity)) return Number.NaN
  return simpleHeatIndex(t, humidity) >= 80 ? toKelvin(heatIndex(t, humidity)) : temperature
}

const ZERO_C = 273.15

/**
 * Returns the saturation vapour pressure over water in hPa by the Magnus formula with the constants of Alduchov and Eskridge (1996).
 * @param kelvin temperature, K
 */
export function vapourPressure(kelvin: number): number {
  const c = kelvin - ZERO_C
  return 6.1094 * Math.exp((17.625 * c) / (243.04 + c))
}

/**
 * Returns the relative humidity in percent, 0 to 100, from temperature and dew point of the same source.
 * @param temperature K
 * @param dewPoint K
 */
export function relativeHumidity(temperature: number, dewPoint: number): number {
  if (dewPoint >= temperature) return 100
  const t = temperature - ZERO_C
  const d = dewPoint - ZERO_C
  return 100 * Math.exp((17.625 * d) / (243.04 + d) - (17.625 * t) / (243.04 + t))
}

/**
 * Returns the dew point in K from temperature (K) and relative humidity (percent; below 1 counts as 1). It is the inverse of
 * `relativeHumidity`.
 */
export function dewPoint(temperature: number, humidity: number): number {
  const c = temperature - ZERO_C
  const g = Math.log(Math.min(100, Math.max(1, humidity)) / 100) + (17.625 * c) / (243.04 + c)
  return ZERO_C + (243.04 * g) / (17.625 - g)
}

/**
 * Returns the wet-bulb temperature in K at sea-level pressure after Stull (2011), which is within 1 K for -20 to 50 °C and humidity of 5 to
 * 99 %.
 * @param temperature K
 * @param humidity percent
 */
export function wetBulb(temperature: number, humidity: number): number {
  const t = temperature - ZERO_C
  const rh = Math.min(100, Math.max(5, humidity))
  return (
    ZERO_C +
    t * Math.atan(0.151977 * Math.sqrt(rh + 8.313659)) +
    Math.atan(t + rh) -
    Math.atan(rh - 1.676331) +
    0.00391838 * rh ** 1.5 * Math.atan(0.023101 * rh) -
    4.686035
  )
}

/** Returns the UV index from the erythemal irradiance in W/m²: one unit is 25 mW/m² (WHO, WMO). */
export function uvIndex(irradiance: number): number {
  return irradiance * 40
}

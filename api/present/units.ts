/** Systems of units; `si` serves the tools, REST offers the first two. */
export type UnitSystem = 'imperial' | 'metric' | 'si'

/**
 * Conversion from the canonical unit of the tiles to a requested unit: `shown = canonical * scale + offset`, rounded
 * to `decimals`.
 */
export interface Conversion {
  readonly label: string
  readonly scale: number
  readonly offset: number
  readonly decimals: number
}

/** The quantities of fields. The first nine depend on `units`, the others do not. */
export type Quantity =
  | 'temperature'
  | 'temperature_spread'
  | 'wind_speed'
  | 'pressure'
  | 'visibility'
  | 'precip_amount'
  | 'snow_amount'
  | 'altitude'
  | 'solar_radiation'
  | 'percent'
  | 'direction'
  | 'whole'
  | 'tenth'
  | 'millimetre'
  | 'thousandth'

const MI = 1609.344
const MPH = 3600 / MI
const fixed: Pick<
  Record<Quantity, Conversion>,
  'solar_radiation' | 'percent' | 'direction' | 'whole' | 'tenth' | 'millimetre' | 'thousandth'
> = {
  solar_radiation: { label: 'W/m^2', scale: 1, offset: 0, decimals: 0 },
  percent: { label: '%', scale: 1, offset: 0, decimals: 0 },
  direction: { label: 'degrees', scale: 1, offset: 0, decimals: 0 },
  whole: { label: '', scale: 1, offset: 0, decimals: 0 },
  tenth: { label: '', scale: 1, offset: 0, decimals: 1 },
  millimetre: { label: 'mm', scale: 1, offset: 0, decimals: 2 },
  thousandth: { label: '', scale: 1, offset: 0, decimals: 3 },
}

const systems: Readonly<Record<UnitSystem, Readonly<Record<Quantity, Conversion>>>> = {
  imperial: {
    temperature: { label: 'F', scale: 1.8, offset: -459.67, decimals: 1 },
    temperature_spread: { label: 'F', scale: 1.8, offset: 0, decimals: 1 },
    wind_speed: { label: 'mph', scale: MPH, offset: 0, decimals: 1 },
    pressure: { label: 'inHg', scale: 1 / 3386.389, offset: 0, decimals: 2 },
    visibility: { label: 'mi', scale: 1 / MI, offset: 0, decimals: 2 },
    precip_amount: { label: 'in', scale: 1 / 25.4, offset: 0, decimals: 3 },
    snow_amount: { label: 'in', scale: 1 / 25.4, offset: 0, decimals: 2 },
    altitude: { label: 'ft', scale: 1 / 0.3048, offset: 0, decimals: 0 },
    ...fixed,
  },
  metric: {
    temperature: { label: 'C', scale: 1, offset: -273.15, decimals: 1 },
    temperature_spread: { label: 'C', scale: 1, offset: 0, decimals: 1 },
    wind_speed: { label: 'kph', scale: 3.6, offset: 0, decimals: 1 },
    pressure: { label: 'hPa', scale: 0.01, offset: 0, decimals: 1 },
    visibility: { label: 'km', scale: 0.001, offset: 0, decimals: 2 },
    precip_amount: { label: 'mm', scale: 1, offset: 0, decimals: 2 },
    snow_amount: { label: 'mm', scale: 1, offset: 0, decimals: 1 },
    altitude: { label: 'm', scale: 1, offset: 0, decimals: 0 },
    ...fixed,
  },
  si: {
    temperature: { label: 'K', scale: 1, offset: 0, decimals: 1 },
    temperature_spread: { label: 'K', scale: 1, offset: 0, decimals: 1 },
    wind_speed: { label: 'm/s', scale: 1, offset: 0, decimals: 1 },
    pressure: { label: 'Pa', scale: 1, offset: 0, decimals: 0 },
    visibility: { label: 'm', scale: 1, offset: 0, decimals: 0 },
    precip_amount: { label: 'mm', scale: 1, offset: 0, decimals: 2 },
    snow_amount: { label: 'mm', scale: 1, offset: 0, decimals: 1 },
    altitude: { label: 'm', scale: 1, offset: 0, decimals: 0 },
    ...fixed,
  },
}

export type UnitLabels = {
  readonly temperature: string
  readonly wind_speed: string
  readonly pressure: string
  readonly visibility: string
  readonly precip_amount: string
  readonly altitude: string
  readonly solar_radiation: string
}

/** A system of units: its labels, and `show`, which converts a canonical value (K, m/s, Pa, m, mm) and rounds it. */
export interface Units {
  readonly system: UnitSystem
  readonly labels: UnitLabels
  readonly conversions: Readonly<Record<Quantity, Conversion>>
  /**
   * The value in this system of units; null for undefined, NaN and values that are too large for the kernel, which
   * writes the same numbers as text.
   */
  show(quantity: Quantity, canonical: number | undefined): number | null
}

function unitsOf(system: UnitSystem): Units {
  const conversions = systems[system]
  const labels: UnitLabels = {
    temperature: conversions.temperature.label,
    wind_speed: conversions.wind_speed.label,
    pressure: conversions.pressure.label,
    visibility: conversions.visibility.label,
    precip_amount: conversions.precip_amount.label,
    altitude: conversions.altitude.label,
    solar_radiation: conversions.solar_radiation.label,
  }
  return {
    system,
    conversions,
    labels,
    show(quantity, canonical) {
      if (canonical === undefined) return null
      const { scale, offset, decimals } = conversions[quantity]
      const power = 10 ** decimals
      const steps = Math.round((canonical * scale + offset) * power)
      return Math.abs(steps) < MAX_STEPS ? steps / power + 0 : null
    },
  }
}

const MAX_STEPS = 2 ** 31

/** Rounds half up to a number of decimals, 0 to 4. It never returns -0. */
export function round(value: number, decimals: number): number {
  const power = 10 ** decimals
  return Math.round(value * power) / power + 0
}

export const units: Readonly<Record<UnitSystem, Units>> = {
  imperial: unitsOf('imperial'),
  metric: unitsOf('metric'),
  si: unitsOf('si'),
}

import { z } from 'zod'
import type { UnitLabels } from './units.ts'

type PropertyRange = readonly [unit: string, least: number, most: number]

/**
 * Units and ranges of numbers. The ranges are valid in every system of units: no value measured on land was ever
 * outside.
 */
const quantities = {
  temperature: ['°F or °C by units.temperature', -130, 180],
  spread: ['°F or °C by units.temperature', 0, 100],
  departure: ['°F or °C by units.temperature', -150, 150],
  fahrenheit: ['°F', -130, 180],
  wind: ['mph or km/h by units.wind_speed', 0, 500],
  radial: ['mph or km/h by units.wind_speed', -500, 500],
  pressure: ['inHg or hPa by units.pressure', 0, 1200],
  visibility: ['mi or km by units.visibility', 0, 500],
  amount: ['in or mm by units.precip_amount', 0, 10_000],
  rate: ['in or mm by units.precip_amount, an hour', 0, 5000],
  millimetres: ['mm', 0, 5000],
  inches: ['in', 0, 2000],
  altitude: ['ft or m by units.altitude', -1500, 100_000],
  radiation: ['W/m²', 0, 2000],
  percent: ['percent', 0, 100],
  fraction: ['1', 0, 1],
  direction: ['degrees from north through east', 0, 360],
  uv: ['UV index', 0, 50],
  aqi: ['AQI', 0, 5000],
  cape: ['J/kg', 0, 20_000],
  density: ['flashes', 0, 100_000],
  dbz: ['dBZ', -99, 100],
  count: ['1', 0, 1_000_000_000],
  pixels: ['1', 0, 1_000_000_000_000],
  intensity: ['mm/h', 0, 5000],
  number: ['1', 1, 9999],
  strength: ['rank', 1, 25],
  status: ['HTTP status', 400, 599],
  answerstatus: ['HTTP status', 0, 999],
  lat: ['degrees', -90, 90],
  lon: ['degrees', -180, 180],
  degrees: ['degrees', -360, 360],
  metres: ['m', -500, 9000],
  kilometres: ['km', 0, 20_100],
  feet: ['ft', 0, 100_000],
  metrespersecond: ['m/s', 0, 200],
  seconds: ['s', 0, 4_000_000_000],
  signed: ['s', -4_000_000_000, 4_000_000_000],
  offset: ['s', -86_400, 86_400],
  daylength: ['s', 0, 86_400],
  minutes: ['min', -60, 100_000],
  hours: ['h', 0, 336],
  lead: ['h', -72, 384],
  days: ['d', 1, 14],
  relative: ['d', -1, 14],
  outlookday: ['d', 1, 15],
  monthday: ['d', 1, 31],
  month: ['month', 1, 12],
  year: ['year', 1700, 2200],
  years: ['year', 0, 2200],
  resolution: ['H3 resolution', 0, 15],
  zoom: ['zoom', 0, 24],
  measure: ['°F or in', -130, 2000],
  stored: ['the unit that samplings states', -1_000_000_000, 1_000_000_000],
  factor: ['1', -1_000_000_000, 1_000_000_000],
} as const satisfies Record<string, PropertyRange>

/** Unit and range of a number as metadata of its schema. */
export function rangeOf(quantity: keyof typeof quantities) {
  const [unit, minimum, maximum] = quantities[quantity]
  return { 'x-unit': unit, minimum, maximum }
}

/** The schema of a property with its description and an example. */
export const doc = <S extends z.ZodType>(schema: S, description: string, example: unknown): S =>
  schema.meta({ description, examples: [example] })

/** The schema of a number with its description, unit, range and an example. */
export const measured = <S extends z.ZodType>(
  schema: S,
  quantity: keyof typeof quantities,
  example: number,
  description: string,
): S => schema.meta({ description, ...rangeOf(quantity), examples: [example] })

/**
 * The schema of a property that refers to a component. The description is that of the property, beside the reference.
 */
export const part = <S extends z.ZodType>(schema: S, description: string) => z.lazy(() => schema).describe(description)

/** The same members, which may be null or absent. */
export const nullish = <N extends string, S extends z.ZodType>(schemas: Readonly<Record<N, S>>) =>
  Object.fromEntries(Object.entries<S>(schemas).map(([name, schema]) => [name, schema.nullish()])) as Record<
    N,
    z.ZodOptional<z.ZodNullable<S>>
  >

type ObjectShape = Readonly<Record<string, z.ZodType>>

/** Unit of the property at `path` of an answer with these labels; null if it is not a measured value. */
export function unitOf(schema: z.ZodType, path: readonly string[], labels: UnitLabels): string | null {
  const property = path.reduce<z.ZodType | undefined>(
    (parent, name) => parent && (unwrapped(parent) as { shape?: ObjectShape }).shape?.[name],
    schema,
  )
  const unit = property && unwrapped(property, 'x-unit').meta()?.['x-unit']
  if (typeof unit !== 'string' || unit === '1') return null
  const label = unit.split(' by units.')[1]?.split(',')[0] as keyof UnitLabels | undefined
  return label ? labels[label] : unit === 'percent' ? '%' : unit
}

/**
 * The schema inside of optional and nullable schemas, lists and references, or the first of these that has the
 * metadata.
 */
function unwrapped(schema: z.ZodType, name?: string): z.ZodType {
  if (name && schema.meta()?.[name] !== undefined) return schema
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodLazy)
    return unwrapped(schema.unwrap() as z.ZodType, name)
  return schema instanceof z.ZodArray ? unwrapped(schema.element as z.ZodType, name) : schema
}

import type { UnitLabels } from '../present/units.ts'
import { propertyTable } from './property-table.ts'

interface Kind {
  readonly unit?: string
  readonly range?: readonly [least: number, most: number]
  /** Member of `units` that has the label of this kind. */
  readonly label?: keyof UnitLabels
}

const measured = (unit: string, least: number, most: number): Kind => {
  const label = unit.split(' by units.')[1]?.split(',')[0] as keyof UnitLabels | undefined
  return { unit, range: [least, most], ...(label && { label }) }
}
/** Ranges are valid in every system of units: nothing that was ever measured on land lies outside. */
const kinds: Readonly<Record<string, Kind>> = {
  text: {},
  code: {},
  codes: {},
  flag: {},
  time: {},
  times: {},
  date: {},
  object: {},
  list: {},
  literal: {},
  temperature: measured('°F or °C by units.temperature', -130, 180),
  spread: measured('°F or °C by units.temperature', 0, 100),
  departure: measured('°F or °C by units.temperature', -150, 150),
  fahrenheit: measured('°F', -130, 180),
  wind: measured('mph or km/h by units.wind_speed', 0, 500),
  radial: measured('mph or km/h by units.wind_speed', -500, 500),
  pressure: measured('inHg or hPa by units.pressure', 0, 1200),
  visibility: measured('mi or km by units.visibility', 0, 500),
  amount: measured('in or mm by units.precip_amount', 0, 10_000),
  rate: measured('in or mm by units.precip_amount, an hour', 0, 5000),
  millimetres: measured('mm', 0, 5000),
  inches: measured('in', 0, 2000),
  altitude: measured('ft or m by units.altitude', -1500, 100_000),
  radiation: measured('W/m²', 0, 2000),
  percent: measured('percent', 0, 100),
  fraction: measured('1', 0, 1),
  direction: measured('degrees from north through east', 0, 360),
  uv: measured('UV index', 0, 50),
  aqi: measured('AQI', 0, 5000),
  cape: measured('J/kg', 0, 20_000),
  density: measured('flashes', 0, 100_000),
  dbz: measured('dBZ', -99, 100),
  count: measured('1', 0, 1_000_000_000),
  number: measured('1', 1, 9999),
  strength: measured('rank', 1, 25),
  status: measured('HTTP status', 400, 599),
  answerstatus: measured('HTTP status', 0, 999),
  lat: measured('degrees', -90, 90),
  lon: measured('degrees', -180, 180),
  degrees: measured('degrees', -360, 360),
  metres: measured('m', -500, 9000),
  kilometres: measured('km', 0, 20_100),
  feet: measured('ft', 0, 100_000),
  metrespersecond: measured('m/s', 0, 200),
  seconds: measured('s', 0, 4_000_000_000),
  signed: measured('s', -4_000_000_000, 4_000_000_000),
  offset: measured('s', -86_400, 86_400),
  daylength: measured('s', 0, 86_400),
  minutes: measured('min', -60, 100_000),
  hours: measured('h', 0, 336),
  lead: measured('h', -72, 384),
  days: measured('d', 1, 14),
  relative: measured('d', -1, 14),
  outlookday: measured('d', 1, 15),
  monthday: measured('d', 1, 31),
  month: measured('month', 1, 12),
  year: measured('year', 1700, 2200),
  years: measured('year', 0, 2200),
  resolution: measured('H3 resolution', 0, 15),
  zoom: measured('zoom', 0, 24),
  measure: measured('°F or in', -130, 2000),
}

interface PropertyDoc {
  readonly kind: Kind
  readonly example: string
  readonly description: string
}

const docs: ReadonlyMap<string, PropertyDoc> = new Map(
  propertyTable
    .split('\n')
    .filter(Boolean)
    .map((line): [string, PropertyDoc] => {
      const [name, kind, example, description] = line.split(' | ') as [string, string, string, string]
      if (!kinds[kind]) throw new Error(`property-table.ts: ${name}: unknown kind "${kind}"`)
      return [name, { kind: kinds[kind], example, description }]
    }),
)

/** Names that have a line of their own, for the check that each is used. */
export const documentedNames: ReadonlySet<string> = new Set(docs.keys())

/** Unit of a property in an answer with these labels; null: it is no measured value. */
export function unitOf(parent: string, name: string, labels: UnitLabels): string | null {
  const { unit, label } = (docs.get(`${parent}.${name}`) ?? docs.get(name))?.kind ?? {}
  if (label) return labels[label]
  return unit === undefined || unit === '1' ? null : unit === 'percent' ? '%' : unit
}

interface DocumentedSchema {
  type?: string | readonly string[]
  $ref?: string
  description?: string
  enum?: readonly unknown[]
  default?: unknown
  properties?: Record<string, DocumentedSchema>
  items?: DocumentedSchema
  minimum?: number
  maximum?: number
  examples?: unknown[]
  'x-unit'?: string
}

/** Gives every property of the document its description, unit, range and example. @returns what was looked up: for the check */
export function documentProperties(document: object): { readonly used: Set<string>; readonly missing: string[] } {
  const found = { used: new Set<string>(), missing: [] as string[] }
  const { components, paths, webhooks } = document as {
    components?: { schemas?: object }
    paths?: object
    webhooks?: object
  }
  for (const [name, schema] of Object.entries(components?.schemas ?? {})) walk(schema, name, found)
  for (const [path, operations] of Object.entries({ ...paths, ...webhooks })) walk(operations, path, found)
  return found
}

type DocumentedProperties = ReturnType<typeof documentProperties>

function walk(node: unknown, parent: string, found: DocumentedProperties): void {
  if (typeof node !== 'object' || node === null) return
  const { properties, ...rest } = node as DocumentedSchema
  for (const [name, schema] of Object.entries(properties ?? {})) {
    document(schema, parent, name, found)
    walk(schema, name, found)
  }
  for (const [name, child] of Object.entries(rest))
    if (name !== 'example' && name !== 'examples') walk(child, parent, found)
}

function document(schema: DocumentedSchema, parent: string, name: string, found: DocumentedProperties): void {
  const own = `${parent}.${name}`
  const key = docs.has(own) ? own : name
  const doc = docs.get(key)
  if (!doc) return void found.missing.push(own)
  found.used.add(key)
  schema.description ??= doc.description
  const holder = schema.items && !schema.items.properties && !schema.items.$ref ? innermost(schema.items) : schema
  if (isNumeric(holder)) {
    const { unit, range } = doc.kind
    if (unit) holder['x-unit'] = unit
    if (range) {
      holder.minimum ??= range[0]
      holder.maximum ??= range[1]
    }
  }
  if (doc.example !== '-' && schema.type !== 'object' && !schema.examples)
    schema.examples = [exampleOf(schema, doc.example)]
}

/** GeoJSON nests positions in lists. */
function innermost(schema: DocumentedSchema): DocumentedSchema {
  return schema.items ? innermost(schema.items) : schema
}

export function isNumeric({ type }: DocumentedSchema): boolean {
  const types = typeof type === 'string' ? [type] : (type ?? [])
  return types.includes('number') || types.includes('integer')
}

function exampleOf(schema: DocumentedSchema, text: string): unknown {
  if (schema.items) return [exampleOf(schema.items, text)]
  if (isNumeric(schema)) return Number(text)
  const types = typeof schema.type === 'string' ? [schema.type] : (schema.type ?? [])
  if (types.includes('boolean')) return text === 'true'
  return schema.enum && !schema.enum.includes(text) ? schema.enum[0] : text
}

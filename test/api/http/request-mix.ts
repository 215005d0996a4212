import { seeded } from '../../tile/made-slabs.ts'

/** A JSON Schema as far as tools use it. */
interface Schema {
  readonly type?: string
  readonly enum?: readonly unknown[]
  readonly minimum?: number
  readonly maximum?: number
  readonly minItems?: number
  readonly maxItems?: number
  readonly pattern?: string
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly items?: Schema
}

export interface ToolSchema {
  readonly name: string
  readonly inputSchema: Schema
}

export type MixedRequest =
  | { readonly kind: 'get'; readonly path: string }
  | { readonly kind: 'tool'; readonly name: string; readonly arguments: Readonly<Record<string, unknown>> }

const tokens = [
  ...['current', 'hourly', 'daily', 'alerts', 'outlooks', 'astro', 'narrations', 'guidance', 'discussions'],
  ...['nowcast', 'radar', 'climate', 'metar', 'uncertainty', 'provenance'],
]
/** Edges of each domain: south, north, west, east. */
const boxes = {
  conus: [31, 46, -118, -80],
  alaska: [60, 68, -158, -143],
  hawaii: [19.3, 20.1, -155.9, -155.1],
} as const
const names = ['Denver, CO', 'Fairbanks, AK', 'Hilo, HI', '80202', '99501', '96813', 'Springfield', 'Nowhere, ZZ']
const variables = ['temperature', 'dew_point', 'wind_speed', 'wind_gust', 'precip_amount', 'cloud_cover', 'visibility']
const datasets = ['nbm', 'hrrr', 'gfs', 'rtma-ru', 'blend', 'nbm-qmd', 'mrms-reflectivity', 'none']
/** Texts for tool arguments by name; other names get a constant. */
const texts: Readonly<Record<string, readonly string[]>> = {
  location: names,
  query: names,
  dataset_id: datasets,
  variable: variables,
  crop: ['corn', 'soybean', 'wheat', 'grapes', 'kale'],
  include: ['current', 'current,daily', 'hourly,daily,alerts', 'daily,outlooks,uncertainty'],
  product: ['mrms-reflectivity', 'nbm/temperature', 'gfs/cape', 'alerts'],
  area: ['CO', 'AK', 'HI', 'TX'],
  zone: ['COZ040', 'AKZ101', 'HIZ001'],
  wfo: ['BOU', 'AFC', 'HFO'],
  site: ['KFTG', 'PAHG', 'FTG'],
  event: ['Tornado Warning', 'Flood Watch'],
  run: ['latest', '2026-11-21T18:00:00Z'],
  functions: ['mean', 'max', 'min', 'sum', 'p90', 'count'],
  stations: ['KDEN', 'PAFA', 'PHNL'],
}

/** An endless, seeded mix of requests that vary every parameter of callers, over three domains. */
export function requestMix(seed: number, now: number, tools: readonly ToolSchema[]): () => MixedRequest {
  const random = seeded(seed)
  const below = (count: number) => Math.floor(random() * count)
  const pick = <T>(list: readonly T[]): T => list[below(list.length)] as T
  const chance = (share: number) => random() < share
  const point = () => {
    const [south, north, west, east] = boxes[pick(['conus', 'conus', 'alaska', 'hawaii'] as const)]
    const at = (from: number, to: number) => Number((from + random() * (to - from)).toFixed(2))
    return { lat: at(south, north), lon: at(west, east) }
  }
  const query = (): Record<string, string> => ({
    ...(chance(0.7) && { units: pick(['imperial', 'metric']) }),
    ...(chance(0.8) && { include: tokens.filter(() => chance(0.4)).join() || 'current' }),
    ...(chance(0.5) && { view: pick(['detailed', 'concise']) }),
    ...(chance(0.7) && { days: String(1 + below(14)) }),
    ...(chance(0.5) && { hourly_hours: String(1 + below(chance(0.2) ? 336 : 72)) }),
    ...(chance(0.4) && { hourly_step: String(1 + below(24)) }),
    ...(chance(0.3) && { hourly_step_from: String(below(337)) }),
    ...(chance(0.2) && { past_hours: String(below(73)) }),
  })
  const address = (path: string, parameters: Record<string, string>) => `${path}?${new URLSearchParams(parameters)}`
  const points = (most: number) =>
    Array.from({ length: 1 + below(most) }, point)
      .map(({ lat, lon }) => `${lat},${lon}`)
      .join(';')
  /** Returns a time within two weeks of now, more often in the past. */
  const time = () => `${new Date(now + (random() - 0.7) * 20 * 86_400_000).toISOString().slice(0, 16)}:00Z`
  const stac = () => {
    const collection = `${pick(datasets)}-${pick(['conus', 'alaska', 'nowhere'])}`
    const run = `${collection}-${time().slice(0, 13)}Z`
    return pick([
      '/stac',
      '/stac/collections',
      `/stac/collections/${collection}`,
      address(`/stac/collections/${collection}/items`, { limit: String(below(120)), offset: String(below(5)) }),
      `/stac/collections/${collection}/items/${run}`,
      `/stac/collections/${collection}/items/${run}/assets/${pick(['manifest', '0000.tile', '..'])}`,
    ])
  }
  const restPath = (): string => {
    const which = random()
    if (which < 0.8) {
      const { lat, lon } = point()
      const place: Record<string, string> = chance(0.8)
        ? { lat: String(lat), lon: String(lon) }
        : { location: pick(names) }
      return address('/v1/weather', { ...place, ...query() })
    }
    if (which < 0.84) return address('/v1/weather/batch', { points: points(5), ...query() })
    const selection = {
      variables: variables.filter(() => chance(0.3)).join() || 'temperature',
      dataset_id: pick(datasets),
    }
    const past = { ...(chance(0.3) && { start: time() }), ...(chance(0.1) && { end: time() }) }
    if (which < 0.9)
      return address('/v1/point', { points: points(20), ...selection, ...(chance(0.3) ? { time: time() } : past) })
    if (which < 0.95)
      return address('/v1/series/batch', { points: points(5), ...selection, hours: String(1 + below(264)), ...past })
    if (which < 0.97) return stac()
    return address('/v1/geocode', { q: pick(names) })
  }

  const text = (name: string, { pattern }: Schema): string => {
    const known = texts[name]
    if (known) return pick(known)
    const at = new Date(now + (random() - 0.3) * 6 * 86_400_000).toISOString()
    if (pattern?.includes('\\d{4}')) return at.slice(0, 10)
    if (/time|start|end/.test(name)) return at
    return pick(['one', 'two', 'three'])
  }
  const value = (name: string, schema: Schema): unknown => {
    if (schema.enum) return pick(schema.enum)
    const { minimum = -50, maximum = 120 } = schema
    switch (schema.type) {
      case 'boolean':
        return chance(0.5)
      case 'integer':
        return minimum + below(Math.min(maximum, minimum + 1000) - minimum + 1)
      case 'number':
        return Number((minimum + random() * (maximum - minimum)).toFixed(2))
      case 'array': {
        if (name === 'bbox') return [-106, 39, -104, 41]
        const { minItems = 1, maxItems = 3 } = schema
        const item = name === 'variables' ? 'variable' : name
        const list = Array.from({ length: minItems + below(Math.min(maxItems, minItems + 2) - minItems + 1) }, () =>
          value(item, schema.items ?? { type: 'string' }),
        )
        return typeof list[0] === 'string' ? [...new Set(list)] : list
      }
      case 'object':
        return object(schema)
      default:
        return text(name, schema)
    }
  }
  /** Returns arguments with a point or a name as place, all required arguments, and some optional ones. */
  const object = ({ properties = {}, required = [] }: Schema): Record<string, unknown> => {
    const members: Record<string, unknown> = {}
    for (const [name, schema] of Object.entries(properties)) {
      if (['lat', 'lon', 'location', 'cursor', 'scene', 'width', 'height'].includes(name)) continue
      if (required.includes(name) || (name === 'units' ? chance(0.8) : chance(0.35)))
        members[name] = value(name, schema)
    }
    if ('lat' in properties) {
      if ('location' in properties && chance(0.3)) members['location'] = pick(names)
      else Object.assign(members, point())
    }
    return members
  }

  return () => {
    if (tools.length === 0 || chance(0.7)) return { kind: 'get', path: restPath() }
    const { name, inputSchema } = pick(tools)
    return { kind: 'tool', name, arguments: object(inputSchema) }
  }
}

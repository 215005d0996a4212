export interface Ready {
  readonly base: string
  readonly keys: readonly string[]
}

/** Returns a walk over the contiguous states that visits no place twice. */
let step = 0
function point(): { lat: number; lon: number } {
  step++
  const share = (by: number) => (step * by) % 1
  return {
    lat: Number((34 + 11 * share(0.7548776662)).toFixed(3)),
    lon: Number((-116 + 28 * share(0.5698402909)).toFixed(3)),
  }
}
const points = (count: number) => Array.from({ length: count }, point)
const variables = [
  ...['temperature', 'dew_point', 'humidity', 'feels_like', 'wind_speed', 'wind_gust', 'wind_direction', 'cloud_cover'],
  ...['visibility', 'pressure', 'precip_amount', 'precip_probability'],
]
const model = ['temperature', 'dew_point', 'wind_speed', 'wind_gust', 'cloud_cover']

type Call = readonly [path: string, body?: object]
const tool = (name: string, args: object): Call => [
  '/mcp',
  { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } },
]
const everything = 'current,hourly,daily,alerts,outlooks,astro,nowcast,radar,uncertainty,metar'

/** The largest request that a caller may make, and the usual request. */
export const kinds: Readonly<Record<string, () => Call>> = {
  'weather, as most ask': () => [
    `/v1/weather?${new URLSearchParams({ ...text(point()), include: 'current,hourly,daily' })}`,
  ],
  'weather, everything, 336 hours': () => [
    `/v1/weather?${new URLSearchParams({ ...text(point()), include: everything, days: '14', hourly_hours: '336' })}`,
  ],
  'weather of 50 points': () => [
    '/v1/weather/batch',
    { points: points(50), include: everything, days: 14, hourly_hours: 336 },
  ],
  'values at 500 points': () => ['/v1/point', { points: points(500), variables }],
  'series of 100 points, 264 hours': () => ['/v1/series/batch', { points: points(100), variables, hours: 264 }],
  ...Object.fromEntries(
    ['csv', 'parquet', 'arrow', 'covjson'].map((format) => [
      `series of 100 points as ${format}`,
      (): Call => ['/v1/series/batch', { points: points(100), variables, hours: 264, format }],
    ]),
  ),
  'EDR: a cube as GeoJSON': () => {
    const { lat, lon } = point()
    const [from, to] = [1, 99].map((hours) => new Date(Date.now() + hours * 3_600_000).toISOString())
    const bbox = [lon, lat, lon + 3, lat + 3].join()
    const grid = { 'resolution-x': '25', 'resolution-y': '20' }
    const query = { bbox, ...grid, 'parameter-name': 'temperature,wind_speed', datetime: `${from}/${to}`, f: 'geojson' }
    return [`/edr/collections/nbm-conus/cube?${new URLSearchParams(query)}`]
  },
  'EDR: outlooks': () => ['/edr/collections/outlooks/items?limit=1000'],
  'series of 100 points of NBM': () => [
    '/v1/series/batch',
    { points: points(100), variables: model, hours: 264, dataset_id: 'nbm' },
  ],
  'alerts of the country': () => ['/v1/alerts'],
  'alerts of the country as GeoJSON': () => ['/v1/alerts?format=geojson'],
  'storm tracks of the country': () => ['/v1/storm-tracks?bbox=-125,24,-66,50'],
  'observations of a box': () => ['/v1/observations?bbox=-110,30,-90,45&limit=500'],
  'radar of the country as PNG': () => ['/v1/radar/mrms-reflectivity.png?bbox=-125,24,-66,50&width=2000'],
  'zones as GeoJSON': () => [`/v1/zones?${new URLSearchParams({ ...text(point()), format: 'geojson' })}`],
  'names of places': () => ['/v1/geocode?q=san%20fran'],
  catalog: () => ['/v1/catalog'],
  'tools/list': () => ['/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }],
  'tool: forecast': () => tool('get_forecast', point()),
  'tool: hourly forecast': () => tool('get_hourly_forecast', point()),
  'tool: radar': () => tool('get_radar', point()),
  'tool: alerts': () => tool('search_alerts', {}),
  'tool: storm tracks': () => tool('get_storm_tracks', point()),
  'tool: a place by name': () => tool('get_current_conditions', { location: 'Springfield, IL' }),
  'tool: query, 50 × 264 × 5': () =>
    tool('query_dataset', { points: points(50), dataset_id: 'nbm', variables: model, hours: 264 }),
  'tool: query as CSV': () =>
    tool('query_dataset', {
      points: points(50),
      dataset_id: 'nbm',
      variables: model,
      hours: 264,
      format: 'csv',
      limit: 5000,
    }),
  'tool: query of the blend': () =>
    tool('query_dataset', { points: points(50), dataset_id: 'blend', variables: model, hours: 264, limit: 5000 }),
  'map, radar': () => tool('get_map_snapshot', { ...point(), zoom: 5 }),
  'map, radar, 2000 × 2000': () => tool('get_map_snapshot', { ...point(), zoom: 4, width: 2000, height: 2000 }),
  'map, NBM, 2000 × 2000': () =>
    tool('get_map_snapshot', { ...point(), product: 'nbm:temperature', zoom: 5, width: 2000, height: 2000 }),
  'map, alerts': () =>
    tool('get_map_snapshot', { lat: 39, lon: -98, product: 'alerts', zoom: 4, width: 2000, height: 1500 }),
  'refused: a body of 250 KB': () => ['/v1/point', { points: Array(9000).fill({ lat: 99, lon: '-104' }), variables }],
  'refused: a message of 1 MB': () => tool('get_forecast', { location: 'x', include: Array(100_000).fill('current') }),
  'refused: 8 KB of text': () => [`/v1/weather?location=${'a,'.repeat(950)}`],
}
const text = ({ lat, lon }: { lat: number; lon: number }) => ({ lat: String(lat), lon: String(lon) })

export async function send(
  { base, keys }: Ready,
  [path, body]: Call,
): Promise<{ status: number; head: string; bytes: number }> {
  const response = await fetch(base + path, {
    ...(body && { method: 'POST', body: JSON.stringify(body) }),
    headers: {
      authorization: `Bearer ${keys[step++ % keys.length]}`,
      accept: path === '/mcp' ? 'application/json, text/event-stream' : '*/*',
      ...(body && { 'content-type': 'application/json' }),
      ...(path === '/mcp' && { 'mcp-protocol-version': '2025-11-25' }),
    },
  })
  const bytes = new Uint8Array(await response.arrayBuffer())
  return { status: response.status, head: Buffer.from(bytes.subarray(0, 3000)).toString(), bytes: bytes.length }
}

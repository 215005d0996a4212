/**
 * Examples of answers whose schema has no properties: documents of other standards, and text. The examples of all other answers are made
 * of those of their properties.
 */

const HOST = 'https://weather.example.org'
const self = (path: string) => [{ href: `${HOST}${path}`, rel: 'self', type: 'application/json' }]
const BOX = [-126, 23.8, -66, 50]
const point = { type: 'Point', coordinates: [-104.99, 39.74] }
const RUN = '2026-08-20T12:00:00Z'

const collection = {
  id: 'nbm-conus',
  title: 'National Blend of Models, contiguous states',
  links: self('/edr/collections/nbm-conus'),
  extent: { spatial: { bbox: [BOX], crs: 'http://www.opengis.net/def/crs/OGC/1.3/CRS84' } },
  data_queries: {
    position: { link: { href: `${HOST}/edr/collections/nbm-conus/position`, rel: 'data' } },
  },
  parameter_names: {
    temperature: {
      type: 'Parameter',
      unit: { symbol: 'Cel' },
      observedProperty: { label: 'temperature' },
    },
  },
}
const feature = { type: 'Feature', id: 'KDEN', geometry: point, properties: { name: 'Denver International Airport' } }
const features = { type: 'FeatureCollection', numberMatched: 1, numberReturned: 1, features: [feature] }
const item = {
  type: 'Feature',
  stac_version: '1.1.0',
  id: 'nbm-conus-2026-08-20T12Z',
  collection: 'nbm-conus',
  bbox: BOX,
  properties: { datetime: RUN, reference_time: RUN, horizon_hours: 264, variables: ['temperature'] },
  assets: { manifest: { href: `${HOST}/stac/collections/nbm-conus/items/nbm-conus-2026-08-20T12Z/assets/manifest` } },
}
const stacCollection = {
  type: 'Collection',
  stac_version: '1.1.0',
  id: 'nbm-conus',
  license: 'other',
  extent: { spatial: { bbox: [BOX] }, temporal: { interval: [[RUN, null]] } },
  links: self('/stac/collections/nbm-conus'),
}
const coverage = {
  type: 'CoverageCollection',
  domainType: 'PointSeries',
  coverages: [
    {
      type: 'Coverage',
      domain: {
        type: 'Domain',
        axes: { x: { values: [-104.99] }, y: { values: [39.74] }, t: { values: ['2026-08-20T18:00:00Z'] } },
      },
      ranges: {
        temperature: {
          ...{ type: 'NdArray', dataType: 'float', axisNames: ['t'], shape: [1] },
          values: [21.8],
        },
      },
    },
  ],
}

/** Media type, end of the path, example; the first matching row is used. */
const table: readonly (readonly [type: string, pathEnd: RegExp, example: unknown])[] = [
  ['text/csv', /\/v1\/weather$/, 'time,temperature\r\n2026-08-20T12:00:00-06:00,71.2\r\n'],
  ['text/csv', /\/v1\/alerts$/, 'id,event\r\nurn:oid:2.49.0.1.840.0.8a1f.001.1,Severe Thunderstorm Warning\r\n'],
  ['text/csv', /\/v1\/observations$/, 'station_id,observed_at,temperature\r\nKDEN,2026-08-20T17:53:00Z,71.2\r\n'],
  ['text/csv', /./, 'name,lat,lon,valid_time,temperature\r\n"Denver, CO",39.74,-104.99,2026-08-20T18:00:00Z,21.8\r\n'],
  [
    'text/calendar',
    /./,
    'BEGIN:VCALENDAR\r\nVERSION:2.0\r\nBEGIN:VEVENT\r\nDTSTART;VALUE=DATE:20260820\r\nSUMMARY:82 / 57 Mostly Sunny\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n',
  ],
  [
    'application/atom+xml',
    /./,
    '<feed xmlns="http://www.w3.org/2005/Atom"><entry><title>Severe Thunderstorm Warning</title></entry></feed>',
  ],
  [
    'application/cap+xml',
    /./,
    '<alert xmlns="urn:oasis:names:tc:emergency:cap:1.2"><info><event>Severe Thunderstorm Warning</event></info></alert>',
  ],
  ['text/event-stream', /./, 'id: 1042\nevent: alert.issued\ndata: {"event":"Severe Thunderstorm Warning"}\n\n'],
  ['application/prs.coverage+json', /./, coverage],
  ['application/geo+json', /\/(position|area|radius|cube|\{location_id\})$/, features],
  ['application/json', /\/edr$/, { title: 'Hexcast', links: self('/edr') }],
  ['application/json', /\/stac$/, { type: 'Catalog', stac_version: '1.1.0', id: 'hexcast', links: self('/stac') }],
  [
    'application/json',
    /\/edr\/conformance$/,
    { conformsTo: ['http://www.opengis.net/spec/ogcapi-edr-1/1.1/conf/core'] },
  ],
  ['application/json', /\/stac\/conformance$/, { conformsTo: ['https://api.stacspec.org/v1.0.0/core'] }],
  ['application/json', /\/edr\/collections$/, { links: self('/edr/collections'), collections: [collection] }],
  ['application/json', /\/stac\/collections$/, { links: self('/stac/collections'), collections: [stacCollection] }],
  ['application/json', /\/stac\/collections\/\{collection_id\}$/, stacCollection],
  [
    'application/json',
    /\/instances$/,
    { links: self('/edr/collections/nbm-conus/instances'), instances: [{ ...collection, id: RUN }] },
  ],
  ['application/json', /\/\{instance_id\}$/, { ...collection, id: RUN }],
  ['application/json', /\/edr\/collections\/\{collection_id\}$/, collection],
  ['application/geo+json', /\/(locations|items)$/, features],
  ['application/geo+json', /\/\{feature_id\}$/, feature],
  ['application/geo+json', /\/\{item_id\}$/, item],
]

interface Content {
  schema?: { readonly type?: unknown; readonly properties?: object; readonly format?: string }
  example?: unknown
}

/** Adds examples to the successful answers that have no properties. @returns answers without an example, as "method path type" */
export function giveAnswerExamples(paths: Readonly<Record<string, Readonly<Record<string, object>>>>): string[] {
  const without: string[] = []
  for (const [path, operations] of Object.entries(paths))
    for (const [method, operation] of Object.entries(operations))
      for (const response of Object.values((operation as { responses?: object }).responses ?? {}))
        for (const [type, content] of Object.entries(
          (response as { content?: Record<string, Content> }).content ?? {},
        )) {
          const { type: kind, properties } = content.schema ?? {}
          const isOpen = kind === 'string' || (kind === 'object' && Object.keys(properties ?? {}).length === 0)
          if (!isOpen || type === 'application/problem+json') continue
          const row = table.find(([media, pathEnd]) => media === type && pathEnd.test(path))
          if (row) content.example = row[2]
          else without.push(`${method} ${path} ${type}`)
        }
  return without
}

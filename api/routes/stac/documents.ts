import { isoSeconds, SECOND } from '../../../ingest/domain/time.ts'
import { GEOJSON_TYPE, type Link, link } from '../ogc/links.ts'
import { objectsOf, type RunCollection, type RunItem } from './runs.ts'

export const STAC_VERSION = '1.1.0'
export const TILE_TYPE = 'application/vnd.hexcast.tile'
/** Media type of manifests: a line with a checksum, then JSON. */
export const MANIFEST_TYPE = 'application/vnd.hexcast.manifest'
const HOURS = 3600

export const stacConformance = ['core', 'collections'].map((name) => `https://api.stacspec.org/v1.0.0/${name}`)

export const rootOf = (base: string) => `${base}/stac`
export const collectionUrl = (base: string, id: string) => `${rootOf(base)}/collections/${id}`
export const itemUrl = (base: string, collection: string, id: string) =>
  `${collectionUrl(base, collection)}/items/${id}`

export function rootCatalog(base: string, collections: readonly RunCollection[], simulated: boolean): object {
  const root = rootOf(base)
  return {
    type: 'Catalog',
    stac_version: STAC_VERSION,
    id: 'hexcast',
    title: 'Hexcast runs',
    description: `Stored model runs and analyses, each with the objects of its tiles as assets.${simulated ? ' SIMULATED DATA: this is not real weather.' : ''}`,
    conformsTo: stacConformance,
    links: [
      link(root, 'self'),
      link(root, 'root'),
      link(`${base}/openapi.json`, 'service-desc', 'application/vnd.oai.openapi+json;version=3.1'),
      link(`${base}/docs`, 'service-doc', 'text/html'),
      link(`${root}/conformance`, 'conformance'),
      link(`${root}/collections`, 'data'),
      ...collections.map(({ id, dataset, domain }) =>
        link(collectionUrl(base, id), 'child', undefined, `${dataset.title}, ${domain.id}`),
      ),
    ],
  }
}

export interface Extent {
  readonly first: number
  readonly last: number
}

/** Returns the document of a collection. @param items links to its items */
export function collectionDocument(
  base: string,
  { id, dataset, domain }: RunCollection,
  { first }: Extent,
  items: readonly Link[] = [],
): object {
  const self = collectionUrl(base, id)
  return {
    type: 'Collection',
    stac_version: STAC_VERSION,
    id,
    title: `${dataset.title}, ${domain.id}`,
    description: dataset.description,
    license: 'other',
    keywords: ['weather', dataset.family ?? dataset.id, domain.id],
    providers: [
      { name: dataset.provider, description: dataset.attribution, roles: ['producer', 'licensor'] },
      { name: 'Hexcast', roles: ['processor', 'host'], url: base },
    ],
    // The end is open, because runs are added.
    extent: { spatial: { bbox: [domain.bbox] }, temporal: { interval: [[isoSeconds(first), null]] } },
    links: [
      link(self, 'self'),
      link(rootOf(base), 'root'),
      link(rootOf(base), 'parent'),
      link(`${self}/items`, 'items', GEOJSON_TYPE),
      ...items,
    ],
  }
}

export const itemLink = (base: string, collection: string, id: string): Link =>
  link(itemUrl(base, collection, id), 'item', GEOJSON_TYPE)

export function itemDocument(
  base: string,
  { id: collection, dataset, domain }: RunCollection,
  item: RunItem,
  simulated: boolean,
): object {
  const { manifest, run, availableAt } = item
  const self = itemUrl(base, collection, item.id)
  const leads = manifest.axes.flatMap((axis) => [axis[0] ?? 0, axis.at(-1) ?? 0])
  const [from, to] = [Math.min(...leads), Math.max(...leads)]
  return {
    type: 'Feature',
    stac_version: STAC_VERSION,
    stac_extensions: [],
    id: item.id,
    collection,
    bbox: domain.bbox,
    geometry: outlineOf(domain.bbox),
    properties: {
      title: `${dataset.title}, ${domain.id}, ${isoSeconds(run)}`,
      datetime: isoSeconds(run),
      // First and last valid time.
      start_datetime: isoSeconds(run + from * SECOND),
      end_datetime: isoSeconds(run + to * SECOND),
      reference_time: isoSeconds(run),
      available_at: availableAt === undefined ? null : isoSeconds(availableAt),
      horizon_hours: to / HOURS,
      stage: manifest.stage,
      revision: manifest.revision ?? 0,
      h3_resolution: manifest.resolution,
      cells: manifest.cells,
      variables: manifest.variables.map(({ name }) => name),
      ...(simulated && { simulated: true }),
    },
    links: [
      link(self, 'self', GEOJSON_TYPE),
      link(rootOf(base), 'root'),
      link(collectionUrl(base, collection), 'parent'),
      link(collectionUrl(base, collection), 'collection'),
    ],
    assets: Object.fromEntries(
      objectsOf(item).map(({ name, key, size, check }) => [
        name,
        {
          href: `${self}/assets/${name}`,
          type: size === undefined ? MANIFEST_TYPE : TILE_TYPE,
          roles: [size === undefined ? 'metadata' : 'data'],
          key,
          ...(size !== undefined && { size, directory_crc32: (check ?? 0).toString(16).padStart(8, '0') }),
        },
      ]),
    ),
  }
}

/** Returns a box as GeoJSON, in two parts if it crosses the antimeridian. */
function outlineOf([west, south, east, north]: readonly [number, number, number, number]): object {
  const ring = (left: number, right: number) => [
    [
      [left, south],
      [right, south],
      [right, north],
      [left, north],
      [left, south],
    ],
  ]
  return west <= east
    ? { type: 'Polygon', coordinates: ring(west, east) }
    : { type: 'MultiPolygon', coordinates: [ring(west, 180), ring(-180, east)] }
}

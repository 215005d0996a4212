import { z } from 'zod'
import { runName } from '../../../ingest/domain/time.ts'
import type { Database } from '../../../ingest/ports/database.ts'
import type { Objects } from '../../../ingest/ports/objects.ts'
import { Problem } from '../../problem.ts'
import { displayed, parseParameters } from '../../query/query.ts'
import type { Answer, Route, RouteRequest } from '../../route.ts'
import { offsetShape } from '../ogc/features.ts'
import { GEOJSON_TYPE, link, pageHref } from '../ogc/links.ts'
import { limitShape, noParameters } from '../shapes.ts'
import { assetReader } from './asset.ts'
import {
  collectionDocument,
  collectionUrl,
  itemDocument,
  itemLink,
  MANIFEST_TYPE,
  rootCatalog,
  rootOf,
  stacConformance,
  TILE_TYPE,
} from './documents.ts'
import {
  objectsOf,
  openStoredRuns,
  type RunCollection,
  runCollection,
  runCollections,
  type StoredRuns,
} from './runs.ts'

/** Largest number of links from a collection to its items: the hourly analyses of a month are 720. */
const MAX_ITEM_LINKS = 1000
const headers = { 'Cache-Control': 'max-age=30' }
const document = (description: string) => z.looseObject({}).meta({ description })
const name = (description: string) => z.string().max(100).meta({ description })
const page = { limit: limitShape(10, 100), offset: offsetShape }

export interface StacDeps {
  readonly database: Database
  readonly objects: Objects
  readonly simulated: () => boolean
}

const params = {
  collection_id: name('A collection of /stac/collections, such as nbm-conus'),
  item_id: name('A run of the collection, such as nbm-conus-2026-08-20T12Z'),
  asset_name: name('An asset of the run: manifest, sources, 0000.tile, …'),
}
const COLLECTION = '/stac/collections/:collection_id'
const requestedCollection = ({ params }: RouteRequest) => runCollection(params['collection_id'] ?? '')
const noRun = ({ id }: RunCollection) => new Problem('not-found', `${id} has no stored run now. See /stac/collections.`)

interface DocumentOptions {
  readonly type?: string
  readonly query?: Record<string, z.ZodType>
  readonly open?: boolean
  readonly description: string
}

function documentRoute(
  path: string,
  summary: string,
  read: (request: RouteRequest) => object | Promise<object>,
  { type, query, open, description }: DocumentOptions,
): Route {
  return {
    method: 'get',
    path,
    ...(open && { open: true, metered: true }),
    handle: async (request): Promise<Answer> => {
      if (!query) noParameters(request.query)
      return { body: JSON.stringify(await read(request)), type: type ?? 'application/json', headers }
    },
    contract: {
      tag: 'standards',
      summary,
      description,
      ...(path.includes(':') && {
        params: Object.fromEntries(Object.entries(params).filter(([parameter]) => path.includes(`:${parameter}`))),
      }),
      ...(query && { query }),
      answer: document(summary),
      ...(type && { type }),
    },
  }
}

/**
 * Returns the routes of a SpatioTemporal Asset Catalog of the stored runs: collections are datasets by domain, items are runs, assets are
 * the objects of runs.
 */
export function stacRoutes({ database, objects, simulated }: StacDeps): Route[] {
  const stored = openStoredRuns({ database, objects })
  return [...catalogRoutes(stored, simulated), ...itemRoutes(stored, simulated), assetRoute(stored, objects)]
}

function catalogRoutes(stored: StoredRuns, simulated: () => boolean): Route[] {
  return [
    documentRoute(
      '/stac',
      'Catalog of the stored runs (STAC)',
      async ({ base }) => {
        const spans = await stored.spans()
        const collections = runCollections.filter(({ id }) => spans.has(id))
        return rootCatalog(base, collections, simulated())
      },
      { open: true, description: 'Needs no key. STAC clients such as pystac-client start here and follow the links.' },
    ),
    documentRoute('/stac/conformance', 'Conformance classes of the catalog', () => ({ conformsTo: stacConformance }), {
      open: true,
      description: 'Needs no key. URIs of the classes of STAC API that are satisfied.',
    }),
    documentRoute(
      '/stac/collections',
      'Datasets of runs by domain, as STAC collections',
      async ({ base }) => {
        const spans = await stored.spans()
        return {
          collections: runCollections.flatMap((collection) => {
            const span = spans.get(collection.id)
            return span ? [collectionDocument(base, collection, span)] : []
          }),
          links: [
            link(`${rootOf(base)}/collections`, 'self'),
            link(rootOf(base), 'root'),
            link(rootOf(base), 'parent'),
          ],
        }
      },
      { description: 'Only datasets that have a stored run, each with its extent in space and time.' },
    ),
    documentRoute(
      COLLECTION,
      'One dataset in a domain, with links to its runs',
      async (request) => {
        const collection = requestedCollection(request)
        const times = await stored.times(collection, 0, MAX_ITEM_LINKS)
        const [last, first] = [times[0], times.at(-1)]
        if (first === undefined || last === undefined) throw noRun(collection)
        const { id } = collection
        const links = times.map((run) => itemLink(request.base, id, `${id}-${runName(run)}`))
        return collectionDocument(request.base, collection, { first, last }, links)
      },
      { description: `The ${MAX_ITEM_LINKS} newest runs are linked; the others are in /items.` },
    ),
  ]
}

function itemRoutes(stored: StoredRuns, simulated: () => boolean): Route[] {
  return [
    documentRoute(
      `${COLLECTION}/items`,
      'Stored runs, newest first, page by page',
      async (request) => {
        const { base, query, url } = request
        const collection = requestedCollection(request)
        const { limit, offset } = parseParameters(page, query)
        const span = (await stored.spans()).get(collection.id)
        if (!span) throw noRun(collection)
        const items = await stored.items(collection, offset, limit)
        return {
          type: 'FeatureCollection',
          features: items.map((item) => itemDocument(base, collection, item, simulated())),
          numberMatched: span.count,
          numberReturned: items.length,
          links: [
            link(`${base}${url}`, 'self', GEOJSON_TYPE),
            link(rootOf(base), 'root'),
            link(collectionUrl(base, collection.id), 'collection'),
            ...(offset + limit < span.count ? [link(pageHref(base, url, offset + limit), 'next', GEOJSON_TYPE)] : []),
          ],
        }
      },
      { type: GEOJSON_TYPE, query: page, description: 'Follow the link `next` for older runs.' },
    ),
    documentRoute(
      `${COLLECTION}/items/:item_id`,
      'One stored run, with the objects of its tiles as assets',
      async (request) => {
        const collection = requestedCollection(request)
        const item = await stored.item(collection, request.params['item_id'] ?? '')
        return itemDocument(request.base, collection, item, simulated())
      },
      {
        type: GEOJSON_TYPE,
        description:
          'An item has the time and stage of the run, its variables, and the size and checksum of each tile.',
      },
    ),
  ]
}

function assetRoute(stored: StoredRuns, objects: Objects): Route {
  const readAsset = assetReader(objects)
  return {
    method: 'get',
    path: `${COLLECTION}/items/:item_id/assets/:asset_name`,
    trial: false,
    handle: async (request) => {
      noParameters(request.query)
      const { item_id = '', asset_name = '' } = request.params
      const assets = objectsOf(await stored.item(requestedCollection(request), item_id))
      const asset = assets.find((candidate) => candidate.name === asset_name)
      if (!asset)
        throw new Problem(
          'not-found',
          `No asset ${displayed(asset_name.slice(0, 60))} exists. Use manifest, sources, or 0000.tile to ${assets.at(-1)?.name}.`,
        )
      return readAsset(request, asset, asset.size === undefined ? MANIFEST_TYPE : TILE_TYPE)
    },
    contract: {
      tag: 'standards',
      summary: 'An object of a run: a tile, its manifest, or the sources of its values',
      description:
        'Bytes as they are stored; ingest/tile/FORMAT.md describes them. `Range` returns a part. Every MiB, or less, counts as one call. Not open to trial keys.',
      params,
      answer: { 200: z.string(), 206: z.string() },
      type: TILE_TYPE,
    },
  }
}

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
import { objectsOf, openStoredRuns, type RunCollection, runCollection, runCollections } from './runs.ts'

/** Links of a collection document to its items: analyses of a month are 720. */
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

/** A SpatioTemporal Asset Catalog of the stored runs: catalog, collections (a dataset and domain), items (runs), assets (objects of tiles). */
export function stacRoutes({ database, objects, simulated }: StacDeps): Route[] {
  const stored = openStoredRuns({ database, objects })
  const asset = assetReader(objects)
  const params = {
    collection_id: name('A collection of /stac/collections, such as nbm-conus'),
    item_id: name('A run of the collection, such as nbm-conus-2026-08-20T12Z'),
    asset_name: name('An asset of the run: manifest, sources, 0000.tile, …'),
  }
  const json = (
    path: string,
    summary: string,
    work: (request: RouteRequest, collection: RunCollection) => object | Promise<object>,
    more: { readonly type?: string; readonly query?: Record<string, z.ZodType>; readonly open?: boolean } = {},
  ): Route => ({
    method: 'get',
    path,
    ...(more.open && { open: true, metered: true }),
    handle: async (request): Promise<Answer> => {
      if (!more.query) noParameters(request.query)
      const id = request.params['collection_id']
      const collection = id === undefined ? runCollections[0]! : runCollection(id)
      return { body: JSON.stringify(await work(request, collection)), type: more.type ?? 'application/json', headers }
    },
    contract: {
      tag: 'standards',
      summary,
      ...(path.includes(':') && {
        params: Object.fromEntries(Object.entries(params).filter(([one]) => path.includes(`:${one}`))),
      }),
      ...(more.query && { query: more.query }),
      answer: document(summary),
      ...(more.type && { type: more.type }),
    },
  })
  const collection = '/stac/collections/:collection_id'
  const none = ({ id }: RunCollection) =>
    new Problem('not-found', `${id} has no stored run now. See /stac/collections.`)

  return [
    json(
      '/stac',
      'Catalog of the stored runs (STAC)',
      async ({ base }) => {
        const spans = await stored.spans()
        return rootCatalog(
          base,
          runCollections.filter(({ id }) => spans.has(id)),
          simulated(),
        )
      },
      { open: true },
    ),
    json('/stac/conformance', 'Conformance classes of the catalog', () => ({ conformsTo: stacConformance }), {
      open: true,
    }),
    json('/stac/collections', 'Datasets of runs by domain, as STAC collections', async ({ base }) => {
      const spans = await stored.spans()
      return {
        collections: runCollections.flatMap((one) => {
          const span = spans.get(one.id)
          return span ? [collectionDocument(base, one, span)] : []
        }),
        links: [link(`${rootOf(base)}/collections`, 'self'), link(rootOf(base), 'root'), link(rootOf(base), 'parent')],
      }
    }),
    json(collection, 'One dataset in a domain, with links to its runs', async ({ base }, one) => {
      const times = await stored.times(one, 0, MAX_ITEM_LINKS)
      if (times.length === 0) throw none(one)
      const links = times.map((run) => itemLink(base, one.id, `${one.id}-${runName(run)}`))
      return collectionDocument(base, one, { first: times.at(-1)!, last: times[0]! }, links)
    }),
    json(
      `${collection}/items`,
      'Stored runs, newest first, page by page',
      async ({ base, query, url }, one) => {
        const { limit, offset } = parseParameters(page, query)
        const found = (await stored.spans()).get(one.id)
        if (!found) throw none(one)
        const items = await stored.items(one, offset, limit)
        return {
          type: 'FeatureCollection',
          features: items.map((item) => itemDocument(base, one, item, simulated())),
          numberMatched: found.count,
          numberReturned: items.length,
          links: [
            link(`${base}${url}`, 'self', GEOJSON_TYPE),
            link(rootOf(base), 'root'),
            link(collectionUrl(base, one.id), 'collection'),
            ...(offset + limit < found.count ? [link(pageHref(base, url, offset + limit), 'next', GEOJSON_TYPE)] : []),
          ],
        }
      },
      { type: GEOJSON_TYPE, query: page },
    ),
    json(
      `${collection}/items/:item_id`,
      'One stored run, with the objects of its tiles as assets',
      async ({ base, params: { item_id } }, one) =>
        itemDocument(base, one, await stored.item(one, item_id!), simulated()),
      { type: GEOJSON_TYPE },
    ),
    {
      method: 'get',
      path: `${collection}/items/:item_id/assets/:asset_name`,
      trial: false,
      handle: async (request) => {
        noParameters(request.query)
        const { collection_id, item_id, asset_name } = request.params
        const item = await stored.item(runCollection(collection_id!), item_id!)
        const all = objectsOf(item)
        const found = all.find((one) => one.name === asset_name)
        if (!found)
          throw new Problem(
            'not-found',
            `No asset ${displayed(asset_name!.slice(0, 60))}: wanted manifest, sources, or 0000.tile to ${all.at(-1)!.name}.`,
          )
        return asset(request, found, found.size === undefined ? MANIFEST_TYPE : TILE_TYPE)
      },
      contract: {
        tag: 'standards',
        summary: 'An object of a run: a tile, its manifest, or the sources of its values',
        description:
          'Bytes as they are stored; ingest/tile/FORMAT.md describes them. `Range` gives a part. Every MiB, or less, counts as one call. Not open to trial keys.',
        params,
        answer: { 200: z.string(), 206: z.string() },
        type: TILE_TYPE,
      },
    },
  ]
}

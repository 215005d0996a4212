import { z } from 'zod'
import { isoSeconds } from '../../../ingest/domain/time.ts'
import type { QueryDeps } from '../../dataset/context.ts'
import { runAsked } from '../../dataset/when.ts'
import { boxShape, parseBox } from '../../query/box.ts'
import { parseParameters } from '../../query/query.ts'
import type { Answer, Route, RouteRequest } from '../../route.ts'
import { limitShape } from '../shapes.ts'
import { collectionById, collectionDocument, collectionsOf, instanceTimes } from './collections.ts'
import { asProblem, contextOf, idShape } from './edr-query.ts'
import { featureSources } from './feature-sources.ts'
import { featureCollectionDocument, offsetShape, sourceById } from './features.ts'
import { GEOJSON_TYPE, JSON_TYPE, link, pageHref } from './links.ts'
import { locationsOf } from './locations.ts'

const conformsTo = [
  ...['core', 'collections', 'oas31', 'geojson', 'covjson'].map(
    (name) => `http://www.opengis.net/spec/ogcapi-edr-1/1.1/conf/${name}`,
  ),
  ...['core', 'collections'].map((name) => `http://www.opengis.net/spec/ogcapi-common-1/1.0/conf/${name}`),
  ...['core', 'geojson'].map((name) => `http://www.opengis.net/spec/ogcapi-features-1/1.0/conf/${name}`),
]

const headers = { 'Cache-Control': 'max-age=30' }
const f = z.enum(['json', 'application/json']).optional().meta({ description: 'Always JSON', wanted: 'json' })
const document = (description: string) => z.looseObject({}).meta({ description })
const described = (summary: string, description: string) => ({
  tag: 'standards',
  summary,
  query: { f },
  answer: document(description),
})

/** Documents of OGC API Common, EDR and Features: what there is, and where. */
export function ogcDocumentRoutes(deps: QueryDeps): Route[] {
  const json = (
    path: string,
    work: (request: RouteRequest) => object | Promise<object>,
    contract: Route['contract'],
  ): Route => ({
    method: 'get',
    path,
    handle: (request): Promise<Answer> =>
      asProblem(async () => {
        parseParameters({ f }, request.query)
        return { body: await work(request), headers }
      }),
    contract,
  })
  const open = (route: Route): Route => ({ ...route, open: true, metered: true })
  const collection_id = idShape('A collection of /edr/collections')
  return [
    open(
      json(
        '/edr',
        ({ base }) => ({
          title: 'Hexcast',
          description: 'Weather of the United States from the products of NOAA, as OGC API EDR and OGC API Features.',
          links: [
            link(`${base}/edr`, 'self'),
            link(`${base}/openapi.json`, 'service-desc', 'application/vnd.oai.openapi+json;version=3.1'),
            link(`${base}/docs`, 'service-doc', 'text/html'),
            link(`${base}/edr/conformance`, 'conformance'),
            link(`${base}/edr/collections`, 'data'),
            link(`${base}/stac`, 'related', JSON_TYPE, 'Catalog of the stored runs (STAC)'),
          ],
        }),
        described('Landing page of OGC API EDR and Features', 'Landing page of OGC API Common'),
      ),
    ),
    open(json('/edr/conformance', () => ({ conformsTo }), described('Conformance classes', 'Conformance declaration'))),
    json(
      '/edr/collections',
      async (request) => {
        const context = contextOf(deps, request)
        const { base } = request
        return {
          links: [link(`${base}/edr/collections`, 'self')],
          collections: [
            ...(await Promise.all(collectionsOf(context).map((one) => collectionDocument(context, base, one)))),
            ...featureSources.map((one) => featureCollectionDocument(base, one)),
          ],
        }
      },
      described('Every collection: datasets by domain, stations, features', 'Collections of OGC API EDR 1.1'),
    ),
    json(
      '/edr/collections/:collection_id',
      (request) => {
        const source = sourceById(request.params['collection_id']!)
        if (source) return featureCollectionDocument(request.base, source)
        const context = contextOf(deps, request)
        return collectionDocument(context, request.base, collectionById(context, request.params['collection_id']!))
      },
      { ...described('One collection', 'Collection of OGC API EDR 1.1'), params: { collection_id } },
    ),
    json(
      '/edr/collections/:collection_id/instances',
      async (request) => {
        const context = contextOf(deps, request)
        const collection = collectionById(context, request.params['collection_id']!)
        const times = await instanceTimes(context, collection)
        return {
          links: [link(`${request.base}/edr/collections/${collection.id}/instances`, 'self')],
          instances: await Promise.all(
            times.slice(0, MAX_INSTANCES).map((run) => collectionDocument(context, request.base, collection, run)),
          ),
        }
      },
      {
        ...described('Stored runs of a collection, newest first', 'Instances of OGC API EDR 1.1'),
        params: { collection_id },
      },
    ),
    json(
      '/edr/collections/:collection_id/instances/:instance_id',
      async (request) => {
        const context = contextOf(deps, request)
        const collection = collectionById(context, request.params['collection_id']!)
        const run = await runAsked(context, collection.family, request.params['instance_id']!)
        return collectionDocument(context, request.base, collection, run)
      },
      {
        ...described('One stored run', 'Instance of OGC API EDR 1.1'),
        params: { collection_id, instance_id: idShape('A run, or latest') },
      },
    ),
    ...['/edr/collections/:collection_id', '/edr/collections/:collection_id/instances/:instance_id'].map((base) =>
      locationsRoute(deps, base),
    ),
  ]
}

/** The newest: analyses are kept hourly for weeks. */
const MAX_INSTANCES = 100

function locationsRoute(deps: QueryDeps, base: string): Route {
  const shape = { bbox: boxShape, limit: limitShape(1000, 5000), offset: offsetShape }
  return {
    method: 'get',
    path: `${base}/locations`,
    formats: ['geojson'],
    formatParameter: 'f',
    handle: (request) =>
      asProblem(async () => {
        const { f: _, ...given } = request.query
        const { bbox, limit, offset } = parseParameters(shape, given)
        const context = contextOf(deps, request)
        const collection = collectionById(context, request.params['collection_id']!)
        const all = locationsOf(context, collection, bbox === undefined ? undefined : parseBox(bbox))
        const page = all.slice(offset, offset + limit)
        const body = {
          type: 'FeatureCollection',
          features: page.map(({ id, name, lat, lon }) => ({
            type: 'Feature',
            id,
            geometry: { type: 'Point', coordinates: [lon, lat] },
            properties: {
              name,
              label: name,
              edrqueryendpoint: `${request.base}/edr/collections/${collection.id}/locations/${id}`,
            },
          })),
          numberMatched: all.length,
          numberReturned: page.length,
          timeStamp: isoSeconds(request.now),
          links: [
            link(`${request.base}${request.url}`, 'self', GEOJSON_TYPE),
            ...(offset + page.length < all.length
              ? [link(pageHref(request.base, request.url, offset + page.length), 'next', GEOJSON_TYPE)]
              : []),
          ],
        }
        return { body: JSON.stringify(body), type: `${GEOJSON_TYPE}; charset=utf-8`, headers }
      }),
    contract: {
      tag: 'standards',
      summary: 'Stations and places of a collection, each with an id',
      params: {
        collection_id: idShape('A collection of /edr/collections'),
        ...(base.includes('instance') && { instance_id: idShape('A run: an instant of /instances') }),
      },
      query: {
        ...shape,
        f: z.enum(['geojson', 'GeoJSON']).optional().meta({ description: 'Always GeoJSON', wanted: 'geojson' }),
      },
      answer: document('GeoJSON FeatureCollection'),
    },
  }
}

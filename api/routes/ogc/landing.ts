import { z } from 'zod'
import { isoSeconds } from '../../../ingest/domain/time.ts'
import type { QueryContext, QueryDeps } from '../../dataset/context.ts'
import { requestedRun } from '../../dataset/when.ts'
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

/**
 * Conformance classes that are satisfied as a whole. Not claimed are EDR's `queries`, which requires trajectory and corridor;
 * `edr-geojson`, which requires a link in each feature; and the classes `oas30`, which require a document of OpenAPI 3.0.
 */
const conformanceClasses = {
  'ogcapi-common-1/1.0': ['core', 'landing-page', 'json'],
  'ogcapi-common-2/1.0': ['collections'],
  'ogcapi-edr-1/1.1': ['core', 'collections', 'json', 'geojson', 'covjson'],
  'ogcapi-features-1/1.0': ['core', 'geojson'],
}
const conformsTo = Object.entries(conformanceClasses).flatMap(([standard, names]) =>
  names.map((name) => `http://www.opengis.net/spec/${standard}/conf/${name}`),
)

const headers = { 'Cache-Control': 'max-age=30' }
const f = z.enum(['json', 'application/json']).optional().meta({ description: 'Always JSON', expected: 'json' })
const document = (description: string) => z.looseObject({}).meta({ description })
const described = (summary: string, description: string, about: string) => ({
  tag: 'standards',
  summary,
  description: about,
  query: { f },
  answer: document(description),
})

type ReadDocument = (request: RouteRequest) => object | Promise<object>

const documentRoute = (path: string, read: ReadDocument, contract: Route['contract']): Route => ({
  method: 'get',
  path,
  handle: (request): Promise<Answer> =>
    asProblem(async () => {
      parseParameters({ f }, request.query)
      return { body: await read(request), headers }
    }),
  contract,
})
const openRoute = (route: Route): Route => ({ ...route, open: true, metered: true })
const collection_id = idShape('A collection of /edr/collections')
const collectionOf = (context: QueryContext, { params }: RouteRequest) =>
  collectionById(context, params['collection_id'] ?? '')

/** Returns the routes of the documents of OGC API Common, EDR and Features. */
export const ogcDocumentRoutes = (deps: QueryDeps): Route[] => [
  openRoute(
    documentRoute(
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
      described(
        'Landing page of OGC API EDR and Features',
        'Landing page of OGC API Common',
        'Needs no key. Clients such as OWSLib and QGIS start here and follow the links.',
      ),
    ),
  ),
  openRoute(
    documentRoute(
      '/edr/conformance',
      () => ({ conformsTo }),
      described(
        'Conformance classes',
        'Conformance declaration',
        'Needs no key. URIs of the classes of OGC API Common, EDR and Features that are satisfied whole.',
      ),
    ),
  ),
  ...collectionRoutes(deps),
  ...instanceRoutes(deps),
  ...['/edr/collections/:collection_id', '/edr/collections/:collection_id/instances/:instance_id'].map((base) =>
    locationsRoute(deps, base),
  ),
]

function collectionRoutes(deps: QueryDeps): Route[] {
  return [
    documentRoute(
      '/edr/collections',
      async (request) => {
        const context = contextOf(deps, request)
        const { base } = request
        const collections = collectionsOf(context).map((collection) => collectionDocument(context, base, collection))
        return {
          links: [link(`${base}/edr/collections`, 'self')],
          collections: [
            ...(await Promise.all(collections)),
            ...featureSources.map((source) => featureCollectionDocument(base, source)),
          ],
        }
      },
      described(
        'All collections: datasets by domain, stations and features',
        'Collections of OGC API EDR 1.1',
        'Each collection has its extent in space and time, its parameters with units, and the queries that it supports.',
      ),
    ),
    documentRoute(
      '/edr/collections/:collection_id',
      (request) => {
        const source = sourceById(request.params['collection_id'] ?? '')
        if (source) return featureCollectionDocument(request.base, source)
        const context = contextOf(deps, request)
        return collectionDocument(context, request.base, collectionOf(context, request))
      },
      {
        ...described(
          'One collection',
          'Collection of OGC API EDR 1.1',
          'The document of a collection of /edr/collections, by its id.',
        ),
        params: { collection_id },
      },
    ),
  ]
}

function instanceRoutes(deps: QueryDeps): Route[] {
  return [
    documentRoute(
      '/edr/collections/:collection_id/instances',
      async (request) => {
        const context = contextOf(deps, request)
        const collection = collectionOf(context, request)
        const times = await instanceTimes(context, collection)
        return {
          links: [link(`${request.base}/edr/collections/${collection.id}/instances`, 'self')],
          instances: await Promise.all(
            times.slice(0, MAX_INSTANCES).map((run) => collectionDocument(context, request.base, collection, run)),
          ),
        }
      },
      {
        ...described(
          'Stored runs of a collection, newest first',
          'Instances of OGC API EDR 1.1',
          'At most 100 runs. An id of this list queries one run instead of the newest; stations and radar have no instances.',
        ),
        params: { collection_id },
      },
    ),
    documentRoute(
      '/edr/collections/:collection_id/instances/:instance_id',
      async (request) => {
        const context = contextOf(deps, request)
        const collection = collectionOf(context, request)
        const run = await requestedRun(context, collection.family, request.params['instance_id'] ?? '')
        return collectionDocument(context, request.base, collection, run)
      },
      {
        ...described(
          'One stored run',
          'Instance of OGC API EDR 1.1',
          'The document of a collection with the time of one run, or of the newest by `latest`.',
        ),
        params: { collection_id, instance_id: idShape('A run, or latest') },
      },
    ),
  ]
}

/** Largest number of listed instances, the newest: hourly analyses are stored for weeks. */
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
        const { f: _, ...parameters } = request.query
        const { bbox, limit, offset } = parseParameters(shape, parameters)
        const context = contextOf(deps, request)
        const collection = collectionOf(context, request)
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
      description:
        'Stations of a collection of stations; for a grid, the larger US places and the stations. Each feature has the address of its values.',
      params: {
        collection_id: idShape('A collection of /edr/collections'),
        ...(base.includes('instance') && { instance_id: idShape('A run, by an id of /instances') }),
      },
      query: {
        ...shape,
        f: z.enum(['geojson', 'GeoJSON']).optional().meta({ description: 'Always GeoJSON', expected: 'geojson' }),
      },
      answer: document('GeoJSON FeatureCollection'),
    },
  }
}

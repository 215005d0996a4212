import { z } from 'zod'
import { pause } from '../../../ingest/domain/pacer.ts'
import { isoSeconds } from '../../../ingest/domain/time.ts'
import { longJson } from '../../present/long-json.ts'
import { simulatedWarnings, warningsOf } from '../../present/meta.ts'
import { Problem } from '../../problem.ts'
import { boxShape, parseBox } from '../../query/box.ts'
import { parseParameters } from '../../query/query.ts'
import type { Route, RouteRequest } from '../../route.ts'
import { limitShape, noParameters } from '../shapes.ts'
import { parseInterval } from './datetime.ts'
import { idShape } from './edr-query.ts'
import { type FeatureDeps, type FeatureQuery, type FeatureSource, featureSources } from './feature-sources.ts'
import { GEOJSON_TYPE, JSON_TYPE, link, pageHref } from './links.ts'

export const offsetShape = z
  .preprocess(
    (text) => (typeof text === 'string' && /^\d{1,6}$/.test(text) ? Number(text) : text),
    z.number().int().min(0).max(999_999),
  )
  .default(0)
  .meta({
    description: 'Number of features before this page; the link with rel=next has the next offset',
    expected: 'a whole number from 0 to 999999',
  })

const shape = {
  bbox: boxShape,
  datetime: z.string().min(1).max(90).optional().meta({
    description: 'An instant or start/end, with .. for an open end: only features that are valid then',
    expected: 'an instant or an interval',
  }),
  limit: limitShape(100, 1000),
  offset: offsetShape,
}

export const sourceById = (id: string): FeatureSource | undefined => featureSources.find((source) => source.id === id)

/** Returns the document of a collection of features. */
export function featureCollectionDocument(base: string, { id, title, description }: FeatureSource): object {
  const self = `${base}/edr/collections/${id}`
  return {
    ...{ id, title, description },
    links: [link(self, 'self'), link(`${self}/items`, 'items', GEOJSON_TYPE)],
    extent: {
      spatial: { bbox: [[-180, 15, -60, 72]], crs: 'http://www.opengis.net/def/crs/OGC/1.3/CRS84' },
    },
    crs: ['http://www.opengis.net/def/crs/OGC/1.3/CRS84'],
    data_queries: {
      items: { link: { ...link(`${self}/items`, 'items', GEOJSON_TYPE), variables: { query_type: 'items' } } },
    },
    output_formats: ['GeoJSON'],
    parameter_names: {},
  }
}

export interface FeatureRouteDeps extends FeatureDeps {
  simulated(): boolean
}

const collection = z.looseObject({}).meta({ description: 'GeoJSON FeatureCollection of OGC API Features' })

/** Returns the routes of the items of OGC API Features, and of one item by id. */
export function featureRoutes(deps: FeatureRouteDeps): Route[] {
  const read = async ({ params }: RouteRequest, query: FeatureQuery) => {
    const id = params['collection_id'] ?? ''
    const source = sourceById(id)
    if (!source)
      throw new Problem(
        'not-found',
        `No collection of features "${id.slice(0, 60)}" exists. Use one of ${featureSources.map((source) => source.id).join(', ')}.`,
      )
    const { features, warnings } = await source.read(deps, query)
    return {
      source,
      features,
      warnings: warningsOf([...warnings, ...simulatedWarnings(deps.simulated())]),
      headers: { 'Cache-Control': warnings.length > 0 ? 'no-store' : 'max-age=15' },
    }
  }
  return [
    {
      method: 'get',
      path: '/edr/collections/:collection_id/items',
      formats: ['geojson'],
      formatParameter: 'f',
      handle: async (request) => {
        const { bbox, datetime, limit, offset } = parseParameters({ ...shape, f: fShape }, request.query)
        const { source, features, warnings, headers } = await read(request, {
          now: request.now,
          box: bbox === undefined ? undefined : parseBox(bbox),
          interval: datetime === undefined ? undefined : parseInterval(datetime),
        })
        const page = features.slice(offset, offset + limit)
        const body = {
          type: 'FeatureCollection',
          numberMatched: features.length,
          numberReturned: page.length,
          timeStamp: isoSeconds(request.now),
          links: [
            link(`${request.base}${request.url}`, 'self', GEOJSON_TYPE),
            link(`${request.base}/edr/collections/${source.id}`, 'collection', JSON_TYPE),
            ...(offset + page.length < features.length
              ? [link(pageHref(request.base, request.url, offset + page.length), 'next', GEOJSON_TYPE)]
              : []),
          ],
          warnings,
        }
        // The outlines of outlooks have 2.4 MB.
        return { body: await longJson(body, 'features', page, pause), type: `${GEOJSON_TYPE}; charset=utf-8`, headers }
      },
      contract: {
        tag: 'standards',
        summary: 'Features of a collection: alerts, outlooks, storm-tracks, observations',
        description: 'OGC API Features 1.0. Values are metric. Warnings say why the list may be incomplete.',
        params: { collection_id: idShape('A collection of features') },
        query: { ...shape, f: fShape },
        answer: collection,
      },
    },
    {
      method: 'get',
      path: '/edr/collections/:collection_id/items/:feature_id',
      formats: ['geojson'],
      formatParameter: 'f',
      handle: async (request) => {
        const { f: _, ...parameters } = request.query
        noParameters(parameters)
        const id = request.params['feature_id'] ?? ''
        const { source, features, headers } = await read(request, {
          now: request.now,
          box: undefined,
          interval: undefined,
        })
        const feature = features.find((candidate) => candidate.id === id)
        if (!feature) {
          const detail = `${source.id} has no feature "${id.slice(0, 100)}" now. See /edr/collections/${source.id}/items.`
          throw new Problem('not-found', detail)
        }
        const self = `${request.base}/edr/collections/${source.id}`
        const body = {
          ...feature,
          links: [
            link(`${self}/items/${encodeURIComponent(id)}`, 'self', GEOJSON_TYPE),
            link(self, 'collection', JSON_TYPE),
          ],
        }
        return { body: JSON.stringify(body), type: `${GEOJSON_TYPE}; charset=utf-8`, headers }
      },
      contract: {
        tag: 'standards',
        summary: 'One feature',
        description: 'A feature of /items by its id, with links. A feature that has expired is 404.',
        params: { collection_id: idShape('A collection of features'), feature_id: idShape('Id of a feature') },
        query: { f: fShape },
        answer: z.looseObject({}).meta({ description: 'GeoJSON Feature' }),
      },
    },
  ]
}

const fShape = z
  .enum(['geojson', 'GeoJSON'])
  .default('geojson')
  .meta({ description: 'Format of the answer', expected: 'geojson' })

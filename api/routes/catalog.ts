import { z } from 'zod'
import type { Dataset, GridDataset } from '../../ingest/domain/dataset/dataset.ts'
import { variables as table } from '../../ingest/domain/dataset/variable.ts'
import { wantedVariables } from '../../ingest/domain/dataset/want.ts'
import type { Instant } from '../../ingest/domain/time.ts'
import { labelsOf, type ValueDeps } from '../answer/values.ts'
import { simulatedWarnings } from '../present/meta.ts'
import { doc, measured, rangeOf } from '../present/property.ts'
import * as member from '../present/shared-properties.ts'
import { Problem } from '../problem.ts'
import { nearestWord } from '../query/query.ts'
import type { Route } from '../route.ts'
import { listMeta, metaOf, noParameters } from './shapes.ts'

const productSchema = z
  .object({
    product_id: member.product_id,
    source: member.source,
    title: member.title,
    description: member.description,
    kind: doc(z.enum(['grid', 'frame', 'station', 'event', 'text', 'climatology']), 'Kind of the dataset', 'grid'),
    provider: doc(z.string(), 'Producer of the dataset', 'NOAA NCEP'),
    attribution: member.attribution,
    cadence_seconds: measured(z.number(), 'seconds', 3600, 'Time between runs'),
    latency_seconds: measured(z.number(), 'seconds', 4200, 'Usual time from reference time to publication'),
    stale_after_seconds: measured(z.number(), 'seconds', 14400, 'Age at which the dataset counts as late'),
    h3_resolution: measured(
      z.int().nullable(),
      'resolution',
      7,
      'H3 resolution of the stored cells; null if the dataset is not stored by cell',
    ),
    coverage: z
      .array(
        z.object({
          domain: member.domain,
          bbox: doc(z.array(z.number().meta(rangeOf('degrees'))), 'west, south, east, north', [-125]),
          native_km: measured(z.number(), 'kilometres', 2.54, 'Grid spacing of the source'),
        }),
      )
      .describe('Domains of the dataset'),
    variables: z
      .array(
        z.object({
          name: doc(z.string(), 'Name of the variable in requests and answers', 'temperature'),
          unit: doc(z.string(), 'Unit of the stored values', 'K'),
          units: z
            .object({
              imperial: doc(z.string(), 'Unit with units=imperial', 'F'),
              metric: doc(z.string(), 'Unit with units=metric', 'C'),
            })
            .optional()
            .describe('Units of the variable in answers'),
          standard_name: doc(
            z.string().nullable(),
            'Standard name in the CF conventions; null if there is none',
            'air_temperature',
          ),
          description: member.description,
          kind: doc(
            z.string(),
            'Whether a value is for an instant, or for the interval that ends at its time',
            'instant',
          ),
        }),
      )
      .describe('Variables of the dataset'),
    served: z
      .array(
        z.object({
          domain: member.domain,
          run: doc(z.iso.datetime(), 'Reference time of the run', '2026-08-20T16:00:00Z'),
          published_at: doc(z.iso.datetime(), 'When it was published', '2026-08-20T17:12:00Z'),
          age_seconds: member.age_seconds,
          stale: doc(z.boolean(), 'Whether the run is older than stale_after_seconds', false),
        }),
      )
      .describe('Runs that answers use now'),
  })
  .meta({ id: 'Product' })

/** Routes of the catalog: every product with its variables, cadence, served runs and their age. */
export function catalogRoutes(parts: ValueDeps): Route[] {
  const product = (dataset: Dataset, now: Instant): z.infer<typeof productSchema> => ({
    product_id: dataset.id,
    source: dataset.family ?? dataset.id,
    title: dataset.title,
    description: dataset.description,
    kind: dataset.kind,
    provider: dataset.provider,
    attribution: dataset.attribution,
    cadence_seconds: dataset.cadenceSeconds,
    latency_seconds: dataset.latencySeconds,
    stale_after_seconds: dataset.staleAfterSeconds,
    h3_resolution: dataset.kind === 'grid' ? parts.resolution : null,
    coverage: dataset.domains.map(({ id, bbox, nativeKm }) => ({ domain: id, bbox: [...bbox], native_km: nativeKm })),
    variables: variablesOf(dataset),
    served: [...parts.current.all()]
      .filter((served) => served.dataset === dataset.id)
      .map((served) => {
        const age = Math.max(0, Math.round((now - served.run) / 1000))
        return {
          domain: served.domain,
          run: new Date(served.run).toISOString(),
          published_at: new Date(served.publishedAt).toISOString(),
          age_seconds: age,
          stale: age > dataset.staleAfterSeconds,
        }
      }),
  })
  const headers = { 'Cache-Control': 'max-age=30' }
  const meta = (now: Instant) => metaOf(now, undefined, simulatedWarnings(parts.current.simulated()))
  return [
    {
      method: 'get',
      path: '/v1/catalog',
      handle: ({ query, now }) => {
        noParameters(query)
        return {
          body: { products: parts.datasets.map((dataset) => product(dataset, now)), meta: meta(now) },
          headers,
        }
      },
      contract: {
        tag: 'catalog',
        summary: 'Every product and its served runs',
        description:
          'Datasets with their variables, domains, license and the age of what is served now. Ids of this list are the `dataset_id` of other routes.',
        query: {},
        answer: z.object({
          products: z.array(productSchema).describe('Datasets'),
          meta: listMeta,
        }),
      },
    },
    {
      method: 'get',
      path: '/v1/catalog/:product_id',
      handle: ({ query, params, now }) => {
        noParameters(query)
        const id = (params['product_id'] ?? '').toLowerCase()
        const dataset = parts.datasets.find((dataset) => dataset.id === id)
        if (!dataset) {
          const ids = parts.datasets.map(({ id }) => id)
          throw new Problem(
            'not-found',
            `\`product_id\`: no product "${id.slice(0, 60)}" is known. Nearest: ${nearestWord(id, ids)}. See /v1/catalog.`,
          )
        }
        return { body: { ...product(dataset, now), meta: meta(now) }, headers }
      },
      contract: {
        tag: 'catalog',
        summary: 'One product',
        description: 'The same members as in /v1/catalog, for one dataset. An unknown id is 404.',
        query: {},
        params: { product_id: z.string().meta({ description: 'An id of /v1/catalog' }) },
        answer: productSchema.extend({ meta: listMeta }),
      },
    },
  ]
}

function variablesOf(dataset: Dataset): z.infer<typeof productSchema>['variables'] {
  if (dataset.kind === 'frame' || dataset.kind === 'station') {
    const fields = (dataset as { gives?: readonly { name: string; unit: string; description: string }[] }).gives ?? []
    return fields.map(({ name, unit, description }) => ({
      name,
      unit,
      standard_name: null,
      description,
      kind: 'instant',
    }))
  }
  if (dataset.kind !== 'grid') return []
  const names = new Set((dataset as GridDataset).wants.flatMap(wantedVariables))
  return [...names].flatMap((name) => {
    const variable = table.get(name)
    if (!variable) return []
    return [
      {
        name,
        unit: variable.unit,
        units: {
          imperial: labelsOf([name], 'imperial')[name] ?? '',
          metric: labelsOf([name], 'metric')[name] ?? '',
        },
        standard_name: variable.standardName ?? null,
        description: variable.description,
        kind: variable.kind,
      },
    ]
  })
}

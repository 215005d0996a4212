import { z } from 'zod'
import type { Dataset, GridDataset } from '../../ingest/domain/dataset.ts'
import type { Instant } from '../../ingest/domain/time.ts'
import { variables as table } from '../../ingest/domain/variable.ts'
import { wantedVariables } from '../../ingest/domain/want.ts'
import { labelsOf, type ValueDeps } from '../answer/values.ts'
import { simulatedWarnings } from '../present/meta.ts'
import { Problem } from '../problem.ts'
import { nearestWord } from '../query/query.ts'
import type { Route } from '../route.ts'
import { listMeta, metaOf, noParameters } from './shapes.ts'

const productSchema = z
  .object({
    product_id: z.string(),
    source: z.string(),
    title: z.string(),
    description: z.string(),
    kind: z.enum(['grid', 'frame', 'station', 'event', 'text', 'climatology']),
    provider: z.string(),
    attribution: z.string(),
    cadence_seconds: z.number(),
    latency_seconds: z.number(),
    stale_after_seconds: z.number(),
    h3_resolution: z.int().nullable(),
    coverage: z.array(z.object({ domain: z.string(), bbox: z.array(z.number()), native_km: z.number() })),
    variables: z.array(
      z.object({
        name: z.string(),
        unit: z.string(),
        units: z.object({ imperial: z.string(), metric: z.string() }).optional(),
        standard_name: z.string().nullable(),
        description: z.string(),
        kind: z.string(),
      }),
    ),
    served: z.array(
      z.object({
        domain: z.string(),
        run: z.iso.datetime(),
        published_at: z.iso.datetime(),
        age_seconds: z.int(),
        stale: z.boolean(),
      }),
    ),
  })
  .meta({ id: 'Product' })

/** Every product: contents, cadence, the served run and its age. */
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
        summary: 'Every product and the run of it that is served now',
        query: {},
        answer: z.object({ products: z.array(productSchema), meta: listMeta }),
      },
    },
    {
      method: 'get',
      path: '/v1/catalog/:product_id',
      handle: ({ query, params, now }) => {
        noParameters(query)
        const id = params['product_id']!.toLowerCase()
        const dataset = parts.datasets.find((one) => one.id === id)
        if (!dataset) {
          const ids = parts.datasets.map((one) => one.id)
          throw new Problem(
            'not-found',
            `product_id: no product "${id.slice(0, 60)}"; nearest: ${nearestWord(id, ids)}. See /v1/catalog.`,
          )
        }
        return { body: { ...product(dataset, now), meta: meta(now) }, headers }
      },
      contract: {
        tag: 'catalog',
        summary: 'One product',
        query: {},
        params: { product_id: z.string().meta({ description: 'An id of /v1/catalog' }) },
        answer: productSchema.extend({ meta: listMeta }),
      },
    },
  ]
}

function variablesOf(dataset: Dataset): z.infer<typeof productSchema>['variables'] {
  if (dataset.kind === 'frame' || dataset.kind === 'station') {
    const gives = (dataset as { gives?: readonly { name: string; unit: string; description: string }[] }).gives ?? []
    return gives.map(({ name, unit, description }) => ({
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
    const known = table.get(name)
    if (!known) return []
    return [
      {
        name,
        unit: known.unit,
        units: { imperial: labelsOf([name], 'imperial')[name]!, metric: labelsOf([name], 'metric')[name]! },
        standard_name: known.standardName ?? null,
        description: known.description,
        kind: known.kind,
      },
    ]
  })
}

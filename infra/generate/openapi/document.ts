import {
  extendZodWithOpenApi,
  OpenAPIRegistry,
  OpenApiGeneratorV31,
  type ResponseConfig,
  type RouteConfig,
} from '@asteasolutions/zod-to-openapi'
import { z } from 'zod'
import type { FormatName } from '../../../api/contract.ts'
import { plans, policyOf } from '../../../api/keys/plan.ts'
import { doc, measured } from '../../../api/present/property.ts'
import { type Slug, slugs } from '../../../api/problem.ts'
import { bareType } from '../../../api/query/format.ts'
import type { Contract, Route } from '../../../api/route.ts'
import { knownWords } from '../../../ingest/domain/weather/conditions.ts'
import { giveAnswerExamples } from './answer-examples.ts'
import { giveExamples } from './parameter-examples.ts'

extendZodWithOpenApi(z)

const description = `Weather for the 50 US states and DC, from NOAA's own products.

One call to \`GET /v1/weather\` returns current conditions, hourly and daily forecast, alerts, convective outlooks, astronomy and more
as sections of one object. Every failure is a problem document (RFC 9457) that says what is wrong and what to do next.

**Limits.** A bucket of \`burst\` calls refills evenly at the rate per minute; separate limits apply to each day and month (UTC).
The \`RateLimit-*\` headers describe the most restrictive limit. Answers from the server's cache, 304 answers and failures of the server are
not counted; every other request with a valid key is. A batch of weather counts as one call per 10 points, values as one call per 10,000.

**Selecting sites and zones.** \`/v1/stations\` and \`/v1/radars\` take at most one of a point, \`bbox\`, \`state\` or \`id\`.
\`/v1/zones\` requires a point, \`state\`, \`office\`, \`id\` or \`kind=marine\`. \`Retry-After\` is in whole seconds.`

/** Slugs of icons with their `conditions`. */
const vocabulary = [...Map.groupBy(knownWords, ({ icon }) => icon)]
  .sort(([left], [right]) => (left < right ? -1 : 1))
  .map(([icon, words]) => `| \`${icon}\` | ${[...new Set(words.map(({ conditions }) => conditions))].join(', ')} |`)
  .join('\n')
const icons = `**Icons and conditions.** More values may be added.\n\n| \`icon\` | \`conditions\` |\n|---|---|\n${vocabulary}`

const problemSchema = z
  .looseObject({
    type: doc(
      z.string(),
      'Stable URI of the kind of failure, to compare and not to fetch',
      'https://weather.example.org/errors/bad-request',
    ),
    title: doc(z.string(), 'Title of the kind of failure', 'Bad request'),
    status: measured(z.int(), 'status', 400, 'Status code of the answer'),
    detail: doc(
      z.string().optional(),
      'What is wrong, what was expected, and what to do next',
      '`days` must be a whole number from 1 to 14, but was "0". Change `days` and try again.',
    ),
    instance: doc(z.string().optional(), 'Path of the request', '/v1/weather'),
    next_steps: z
      .record(
        z.string(),
        z.union([
          z.string(),
          z.looseObject({
            href: doc(z.string(), 'Address of the step', 'https://weather.example.org/docs/keys'),
            description: doc(z.string(), 'What the step does', 'How to get an API key.'),
          }),
        ]),
      )
      .optional()
      .describe('Links to next steps by name, on 401, 402, 403 and 429; `recommended` names the first to take'),
  })
  .meta({ id: 'Problem' })

const text = (description: string) => ({ schema: { type: 'string' as const }, description })
const integer = (description: string) => ({ schema: { type: 'integer' as const }, description })
const requestId = { 'X-Request-Id': text('Request id, also in the log of the server') }
const limits = {
  'RateLimit-Limit': integer('Limit of the most restrictive window'),
  'RateLimit-Remaining': integer('Remaining calls in it'),
  'RateLimit-Reset': integer('Seconds until it is reset'),
  'RateLimit-Policy': text(`All windows, such as ${policyOf(plans(500).free)}`),
}

/** Headers of routes whose single calls can be paid for, if payments are on. */
const offer = {
  'PAYMENT-REQUIRED': text('Price of this call where single calls can be paid for (x402 version 2), base64'),
}
const receipt = { 'PAYMENT-RESPONSE': text('Settlement of a paid call, base64') }
const conditional = {
  ETag: text('For If-None-Match'),
  'Cache-Control': text('max-age, or no-store if a source is degraded'),
}

const payment = {
  'Accept-Payment': z
    .string()
    .optional()
    .meta({ description: '`x402` without a key: the answer is 402 with the price of the call' }),
  'PAYMENT-SIGNATURE': z.string().optional().meta({ description: 'A payment by x402 version 2, base64' }),
}

const webhookHeaders = z.object({
  'webhook-id': z.string().meta({ description: 'Id of the call, the same at every attempt' }),
  'webhook-timestamp': z
    .string()
    .meta({ description: 'Time of the signature, seconds since 1970; reject calls that are older than 5 minutes' }),
  'webhook-signature': z.string().meta({ description: '`v1,` and the HMAC-SHA256 of id.timestamp.body in base64' }),
})

const tags = {
  weather: 'All weather information for a point',
  values: 'Single variables at many points',
  alerts: 'NWS alerts: lists, and changes as they happen',
  webhooks: 'Calls to your server when something changes',
  radar: 'Radar pictures and storm tracks',
  places: 'Places, stations, radars, offices and zones',
  catalog: 'Products, the served runs and their age',
  standards: 'OGC API EDR, OGC API Features, STAC and Zarr, as their standards describe them',
  keys: 'API keys of an account',
  health: 'Liveness and readiness',
} as const

/** Failures that a route may return, by status. */
function failures(route: Route): Map<number, { slugs: Slug[]; about: string }> {
  const byStatus = new Map<number, { slugs: Slug[]; about: string }>()
  const add = (status: number, slug: Slug, about: string = slugs[slug][2]) => {
    const group = byStatus.get(status)
    if (group) group.slugs.push(slug)
    else byStatus.set(status, { slugs: [slug], about })
  }
  add(400, 'bad-request')
  if (!route.open) {
    add(401, 'unauthorized')
    if (!route.own) {
      add(402, 'trial-ended')
      if (route.sold) add(402, 'unauthorized')
      add(403, 'trial-route-not-allowed')
      add(403, 'flag-disabled')
      add(429, 'rate-limit-exceeded')
    }
    add(403, 'forbidden')
    add(429, 'too-many-requests')
    add(404, 'not-found')
    add(404, 'outside-coverage')
    add(406, 'bad-request', 'The Accept header excludes the media types of this resource.')
  }
  if (route.metered) {
    add(429, 'too-many-requests')
    add(406, 'bad-request', 'The Accept header excludes the media types of this resource.')
  }
  if (route.path.includes(':') && !byStatus.has(404)) add(404, 'not-found')
  if (route.own) add(409, 'conflict')
  add(413, 'payload-too-large')
  add(414, 'bad-request', 'The URL is longer than 8192 characters.')
  if (['post', 'put', 'patch'].includes(route.method)) {
    add(408, 'timeout', 'The body was not complete within 30 s.')
    add(415, 'bad-request', 'The body is not JSON.')
  }
  add(431, 'bad-request', 'The headers are larger than 16 KB.')
  add(500, 'internal')
  add(502, 'upstream')
  add(503, 'service-unavailable')
  add(504, 'timeout')
  return byStatus
}

const successes: Readonly<Record<number, string>> = { 201: 'Created', 202: 'Accepted', 204: 'Done, without a body' }

function responsesOf(route: Route, contract: Contract): Record<string, ResponseConfig> {
  const responses: Record<string, ResponseConfig> = {}
  const answer = contract.answer ?? z.unknown()
  const byStatus: Record<number, z.ZodType> = isSchema(answer) ? { 200: answer } : (answer as Record<number, z.ZodType>)
  for (const [status, schema] of Object.entries(byStatus)) {
    responses[status] = {
      description: successes[Number(status)] ?? 'The answer',
      headers: {
        ...requestId,
        ...(isLimited(route) && limits),
        ...(contract.tagged && conditional),
        ...(route.sold && receipt),
      } as never,
      ...(Number(status) !== 204 && { content: contentOf(route, contract, schema) }),
    }
  }
  if (contract.tagged)
    responses[304] = {
      description: 'Unchanged since the ETag in the request; not counted as a call',
      headers: { ...requestId, ...limits, ...conditional } as never,
    }
  for (const [status, { slugs: kinds, about }] of failures(route)) {
    responses[status] = {
      description: `${about}\n\nType: ${kinds.map((kind) => `\`${kind}\``).join(', ')}`,
      headers: {
        ...requestId,
        ...(isLimited(route) && limits),
        ...((status === 429 || status === 503) && { 'Retry-After': integer('Seconds to wait') }),
        ...(route.sold && status === 401 && offer),
        ...(route.sold && status === 402 && { ...offer, ...receipt }),
        ...((status === 401 || status === 403) && { 'WWW-Authenticate': text('Challenge of RFC 6750') }),
      } as never,
      content: { 'application/problem+json': { schema: problemSchema } },
    }
  }
  return responses
}

const contentOf = ({ formats }: Route, { type }: Contract, schema: z.ZodType) =>
  formats
    ? Object.fromEntries(formats.map((format) => [bareType(format), { schema: formSchema(format, schema) }]))
    : { [type ?? 'application/json']: { schema } }

/** Whether answers of a route have RateLimit headers. */
const isLimited = (route: Route) => !route.open || route.metered === true

/** Returns the schema of one format: JSON and GeoJSON are described here, other formats by their standards. */
function formSchema(format: FormatName, schema: z.ZodType): z.ZodType {
  if (format === 'json' || format === 'geojson') return schema
  if (format === 'covjson') return z.looseObject({}).meta({ description: 'CoverageJSON 1.0' })
  const binary = format === 'parquet' || format === 'arrow'
  return z.string().meta({ description: bareType(format), ...(binary && { format: 'binary' }) })
}

const isSchema = (value: unknown): value is z.ZodType => value instanceof z.ZodType

/** Returns the OpenAPI 3.1 description of the routes, from the schemas that parse requests and type answers. */
export function openApiOf(routes: readonly Route[], version: string): object {
  const registry = new OpenAPIRegistry()
  registry.registerComponent('securitySchemes', 'key', {
    type: 'http',
    scheme: 'bearer',
    description: 'An API key: hx_live_… or hx_trial_…',
  })
  registry.registerComponent('securitySchemes', 'device', {
    type: 'http',
    scheme: 'bearer',
    description: 'An access token of the device authorization grant',
  })
  registry.registerComponent('securitySchemes', 'signature', {
    type: 'apiKey',
    in: 'header',
    name: 'webhook-signature',
    description: 'The signature of a call to your server, by Standard Webhooks, with the secret of the webhook',
  })
  for (const route of routes) {
    const { contract } = route
    if (!contract) continue
    const request: RouteConfig['request'] = {}
    const query: Record<string, z.ZodType> = { ...contract.query }
    if (Object.keys(query).length) request.query = z.object(query) as never
    if (contract.params) request.params = z.object(contract.params) as never
    if (contract.body) request.body = { required: true, content: { 'application/json': { schema: contract.body } } }
    const headers = {
      ...(contract.tagged && {
        'If-None-Match': z
          .string()
          .optional()
          .meta({ description: 'An ETag of an earlier answer; the answer is 304 if nothing has changed' }),
      }),
      ...(route.sold && payment),
    }
    if (Object.keys(headers).length) request.headers = z.object(headers) as never
    if (route.path === '/developer/keys' && route.method === 'post')
      request.headers = z.object({
        'Idempotency-Key': z.string().meta({
          description: 'A text of your choice; send the same text again after a lost answer to get the same key',
        }),
      }) as never
    registry.registerPath({
      method: route.method,
      path: route.path.replace(/:(\w+)/g, '{$1}'),
      operationId: operationOf(route),
      tags: [contract.tag],
      summary: contract.summary,
      ...(contract.description && { description: contract.description }),
      security: route.open ? [] : [{ [route.own ? 'device' : 'key']: [] }],
      ...(Object.keys(request).length && { request }),
      responses: responsesOf(route, contract),
    })
  }
  for (const [name, schema] of routes.flatMap(({ contract }) => Object.entries(contract?.calls ?? {}))) {
    registry.registerWebhook({
      method: 'post',
      path: name,
      tags: ['webhooks'],
      summary: `What your server receives: ${name}`,
      description: 'Signed by Standard Webhooks. Calls with the same webhook-id are attempts of the same call.',
      security: [{ signature: [] }],
      request: { headers: webhookHeaders, body: { required: true, content: { 'application/json': { schema } } } },
      responses: {
        200: { description: 'Accepted; any 2xx within 10 s counts' },
        410: { description: 'The receiver wants no more calls; the webhook is disabled' },
      },
    })
  }
  const document = new OpenApiGeneratorV31(registry.definitions, { unionPreferredType: 'oneOf' }).generateDocument({
    openapi: '3.1.0',
    info: {
      title: 'Hexcast',
      version,
      description: `${description}\n\n${icons}`,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: 'http://localhost:8080' }],
    tags: Object.entries(tags).map(([name, description]) => ({ name, description })),
  })
  return withSharedFailures(document as unknown as Document)
}

interface Document {
  readonly paths: Record<string, Record<string, { responses: Record<string, object> }>>
  readonly components: Record<string, Record<string, object>>
}

/** Moves failures that several routes share to the components, removes internal metadata, and adds examples. */
function withSharedFailures(document: Document): object {
  const names = new Map<string, string>()
  const shared: Record<string, object> = {}
  for (const operations of Object.values(document.paths)) {
    for (const { responses } of Object.values(operations)) {
      for (const [status, response] of Object.entries(responses)) {
        if (Number(status) < 400) continue
        const key = JSON.stringify(response)
        let name = names.get(key)
        if (!name) {
          const count = Object.keys(shared).filter((key) => key.startsWith(`Problem${status}`)).length
          name = `Problem${status}${count ? String.fromCharCode(65 + count) : ''}`
          names.set(key, name)
          shared[name] = response
        }
        responses[status] = { $ref: `#/components/responses/${name}` }
      }
    }
  }
  const published = publicSchema({ ...document, components: { ...document.components, responses: shared } })
  giveExamples(published.paths)
  giveAnswerExamples(published.paths)
  return published
}

/**
 * Returns a copy without `expected`, which is only for messages, and without undefined members. A nullable reference becomes the
 * reference itself, because the schema of its component already permits null.
 */
function publicSchema<T>(value: T): T {
  if (Array.isArray(value)) return value.map(publicSchema) as T
  if (typeof value !== 'object' || value === null) return value
  const { oneOf, ...siblings } = value as { oneOf?: readonly [{ $ref?: string }, { type?: string }?] }
  if (oneOf?.[0].$ref && oneOf[1]?.type === 'null') return { $ref: oneOf[0].$ref, ...publicSchema(siblings) } as T
  const members = Object.entries(value).filter(([name, member]) => name !== 'expected' && member !== undefined)
  return Object.fromEntries(members.map(([name, member]) => [name, publicSchema(member)])) as T
}

/** Returns the operation id of a route, such as `getV1WeatherBatch`. */
export function operationOf(route: Pick<Route, 'method' | 'path'>): string {
  return `${route.method}${route.path
    .split(/[^A-Za-z0-9]+/)
    .filter(Boolean)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('')}`
}

import {
  extendZodWithOpenApi,
  OpenAPIRegistry,
  OpenApiGeneratorV31,
  type ResponseConfig,
  type RouteConfig,
} from '@asteasolutions/zod-to-openapi'
import { z } from 'zod'
import { knownWords } from '../../ingest/domain/weather/conditions.ts'
import type { FormatName } from '../contract.ts'
import { plans, policyOf } from '../keys/plan.ts'
import { doc, measured } from '../present/property.ts'
import { type Slug, slugs } from '../problem.ts'
import { bareType } from '../query/format.ts'
import type { Contract, Route } from '../route.ts'
import { giveExamples } from './parameter-examples.ts'

extendZodWithOpenApi(z)

const description = `Weather for the 50 US states and DC, from NOAA's own products.

One call to \`GET /v1/weather\` returns current conditions, hourly and daily forecast, alerts, convective outlooks, astronomy and more
as sections of one object. Every failure is a problem document (RFC 9457) that says what to do next.

**Limits.** A bucket of \`burst\` calls refills evenly at the minute's rate; day and month (UTC) stand beside it. \`RateLimit-*\` tell of the
tightest window. Answers from the server's cache and 304 answers are not counted; everything else that passed the key is, failures of the
server excepted. A batch of weather counts one call for every 10 points, values one for every 10,000.

**Choices where the specification is silent.** \`/v1/stations\` and \`/v1/radars\` take one of a point, \`bbox\`, \`state\` or \`id\`.
\`/v1/zones\` wants one of a point, \`state\`, \`office\`, \`id\` or \`kind=marine\`. A \`Retry-After\` is in whole seconds.`

/** Slugs of icons with the words that go with them. */
const vocabulary = [...Map.groupBy(knownWords, ({ icon }) => icon)]
  .sort(([left], [right]) => (left < right ? -1 : 1))
  .map(([icon, words]) => `| \`${icon}\` | ${[...new Set(words.map(({ conditions }) => conditions))].join(', ')} |`)
  .join('\n')
const icons = `**Icons and conditions.** Further words may be added.\n\n| \`icon\` | \`conditions\` |\n|---|---|\n${vocabulary}`

const problemSchema = z
  .looseObject({
    type: doc(
      z.string(),
      'Stable address of the kind of failure; compared, never fetched',
      'https://weather.example.org/errors/bad-request',
    ),
    title: doc(z.string(), 'Title of the kind of failure', 'Bad request'),
    status: measured(z.int(), 'status', 400, 'Status code of the answer'),
    detail: doc(
      z.string().optional(),
      'What was wanted, what was found, and what to do next',
      'days: wanted a whole number from 1 to 14; got "0".',
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
      .describe('Relations by name; `recommended` names the one to take first. On 401, 402, 403 and 429'),
  })
  .meta({ id: 'Problem' })

const text = (description: string) => ({ schema: { type: 'string' as const }, description })
const whole = (description: string) => ({ schema: { type: 'integer' as const }, description })
const requestId = { 'X-Request-Id': text('Request id, also in the log of the server') }
const limits = {
  'RateLimit-Limit': whole('Limit of the most restrictive window'),
  'RateLimit-Remaining': whole('Remaining calls in it'),
  'RateLimit-Reset': whole('Seconds until it is reset'),
  'RateLimit-Policy': text(`All windows, such as ${policyOf(plans(500).free)}`),
}

/** Where single calls are sold, and they are switched on. */
const offer = {
  'PAYMENT-REQUIRED': text('Price of this call where single calls can be paid for (x402 version 2), base64'),
}
const receipt = { 'PAYMENT-RESPONSE': text('Settlement of a paid call, base64') }
const conditional = {
  ETag: text('For If-None-Match'),
  'Cache-Control': text('max-age, or no-store where a source is degraded'),
}

const payment = {
  'Accept-Payment': z.string().optional().meta({ description: '`x402`: without a key, 402 and what the call costs' }),
  'PAYMENT-SIGNATURE': z.string().optional().meta({ description: 'A payment of x402 version 2, base64' }),
}

const webhookHeaders = z.object({
  'webhook-id': z.string().meta({ description: 'Id of the call, the same at every attempt' }),
  'webhook-timestamp': z
    .string()
    .meta({ description: 'Seconds since 1970 at which it was signed; refuse what is older than 5 minutes' }),
  'webhook-signature': z.string().meta({ description: 'v1, and HMAC-SHA256 of id.timestamp.body, base64' }),
})

const tags = {
  weather: 'Everything about the weather of a point',
  values: 'Single variables at many points',
  alerts: 'NWS alerts: lists, and changes as they happen',
  webhooks: 'Calls to your server when something changes',
  radar: 'Radar pictures and storm tracks',
  places: 'Places, stations, radars, offices and zones',
  catalog: 'Products, the runs that are served, and their age',
  standards: 'OGC API EDR and Features, STAC: described by their standards',
  keys: 'API keys of an account',
  health: 'Liveness and readiness',
} as const

/** Failures that a route may answer, by status. */
function failures(route: Route): Map<number, { slugs: Slug[]; about: string }> {
  const found = new Map<number, { slugs: Slug[]; about: string }>()
  const add = (status: number, slug: Slug, about: string = slugs[slug][2]) => {
    const group = found.get(status)
    if (group) group.slugs.push(slug)
    else found.set(status, { slugs: [slug], about })
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
  if (route.path.includes(':')) found.has(404) || add(404, 'not-found')
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
  return found
}

function responsesOf(route: Route, contract: Contract): Record<string, ResponseConfig> {
  const responses: Record<string, ResponseConfig> = {}
  const answer = contract.answer ?? z.unknown()
  const byStatus: Record<number, z.ZodType> = isSchema(answer) ? { 200: answer } : (answer as Record<number, z.ZodType>)
  for (const [status, schema] of Object.entries(byStatus)) {
    responses[status] = {
      description: Number(status) === 201 ? 'Created' : 'The answer',
      headers: {
        ...requestId,
        ...(isLimited(route) && limits),
        ...(contract.tagged && conditional),
        ...(route.sold && receipt),
      } as never,
      content: route.formats
        ? Object.fromEntries(route.formats.map((format) => [bareType(format), { schema: formSchema(format, schema) }]))
        : { [contract.type ?? 'application/json']: { schema } },
    }
  }
  if (contract.tagged)
    responses[304] = {
      description: 'Unchanged since the ETag that was sent; not counted',
      headers: { ...requestId, ...limits, ...conditional } as never,
    }
  for (const [status, { slugs: kinds, about }] of failures(route)) {
    responses[status] = {
      description: `${about}\n\nType: ${kinds.map((kind) => `\`${kind}\``).join(', ')}`,
      headers: {
        ...requestId,
        ...(isLimited(route) && limits),
        ...((status === 429 || status === 503) && { 'Retry-After': whole('Seconds to wait') }),
        ...(route.sold && status === 401 && offer),
        ...(route.sold && status === 402 && { ...offer, ...receipt }),
        ...((status === 401 || status === 403) && { 'WWW-Authenticate': text('Challenge of RFC 6750') }),
      } as never,
      content: { 'application/problem+json': { schema: problemSchema } },
    }
  }
  return responses
}

/** Whether answers have RateLimit headers. */
const isLimited = (route: Route) => !route.open || route.metered === true

/** JSON and GeoJSON are described; another form is described by its standard. */
function formSchema(format: FormatName, schema: z.ZodType): z.ZodType {
  if (format === 'json' || format === 'geojson') return schema
  if (format === 'covjson') return z.looseObject({}).meta({ description: 'CoverageJSON 1.0' })
  const binary = format === 'parquet' || format === 'arrow'
  return z.string().meta({ description: bareType(format), ...(binary && { format: 'binary' }) })
}

const isSchema = (value: unknown): value is z.ZodType => value instanceof z.ZodType

/** The OpenAPI 3.1 description of the routes, from the schemas that read requests and type answers. */
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
          .meta({ description: 'An ETag that was given: 304 where nothing changed' }),
      }),
      ...(route.sold && payment),
    }
    if (Object.keys(headers).length) request.headers = z.object(headers) as never
    if (route.path === '/developer/keys' && route.method === 'post')
      request.headers = z.object({
        'Idempotency-Key': z
          .string()
          .meta({ description: 'The same text gives the same key: repeat it after a lost answer' }),
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
      description: 'Signed by Standard Webhooks; the same webhook-id is the same call.',
      request: { headers: webhookHeaders, body: { required: true, content: { 'application/json': { schema } } } },
      responses: {
        200: { description: 'Accepted; any 2xx within 10 s' },
        410: { description: 'No more calls, please' },
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
  return gathered(document as unknown as Document)
}

interface Document {
  readonly paths: Record<string, Record<string, { responses: Record<string, object> }>>
  readonly components: Record<string, Record<string, object>>
}

/** Failures that several routes share are written once. Words of ours about parameters stay inside. */
function gathered(document: Document): object {
  const names = new Map<string, string>()
  const shared: Record<string, object> = {}
  for (const operations of Object.values(document.paths)) {
    for (const { responses } of Object.values(operations)) {
      for (const [status, response] of Object.entries(responses)) {
        if (Number(status) < 400) continue
        const key = JSON.stringify(response)
        let name = names.get(key)
        if (!name) {
          const same = Object.keys(shared).filter((one) => one.startsWith(`Problem${status}`)).length
          name = `Problem${status}${same ? String.fromCharCode(65 + same) : ''}`
          names.set(key, name)
          shared[name] = response
        }
        responses[status] = { $ref: `#/components/responses/${name}` }
      }
    }
  }
  const whole = withoutWanted({ ...document, components: { ...document.components, responses: shared } })
  giveExamples(whole.paths)
  return whole
}

/**
 * A copy without `wanted`, which is for messages alone, and without members that are undefined. A reference that may be null is
 * the reference: the schema of its component already permits null.
 */
function withoutWanted<T>(value: T): T {
  if (Array.isArray(value)) return value.map(withoutWanted) as T
  if (typeof value !== 'object' || value === null) return value
  const { oneOf, ...rest } = value as { oneOf?: readonly [{ $ref?: string }, { type?: string }?] }
  if (oneOf?.[0].$ref && oneOf[1]?.type === 'null') return { $ref: oneOf[0].$ref, ...withoutWanted(rest) } as T
  const members = Object.entries(value).filter(([name, one]) => name !== 'wanted' && one !== undefined)
  return Object.fromEntries(members.map(([name, one]) => [name, withoutWanted(one)])) as T
}

/** `getV1WeatherBatch` */
export function operationOf(route: Pick<Route, 'method' | 'path'>): string {
  return `${route.method}${route.path
    .split(/[^A-Za-z0-9]+/)
    .filter(Boolean)
    .map((word) => word[0]!.toUpperCase() + word.slice(1))
    .join('')}`
}

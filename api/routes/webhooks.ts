import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import type { Instant } from '../../ingest/domain/time.ts'
import type { Database } from '../../ingest/ports/database.ts'
import {
  type DeliveryRow,
  deliveriesOf,
  insertDeliveries,
  probeReceiver,
  replayDeliveries,
} from '../../sql/queries/webhook-queue.ts'
import { deleteWebhook, insertWebhook, updateWebhook, type WebhookRow, webhooksOf } from '../../sql/queries/webhooks.ts'
import type { MetaWarning } from '../contract.ts'
import { Problem } from '../problem.ts'
import { printable } from '../query/printable.ts'
import { displayed, parseParameters } from '../query/query.ts'
import type { Route, RouteRequest } from '../route.ts'
import { bodyOf, deliveryId, maxWaiting } from '../webhooks/fan-out.ts'
import { filterSchema, shownFilter, storedFilter } from '../webhooks/filter.ts'
import { checkUrl, type Receivers } from '../webhooks/request.ts'
import { limitShape, listMeta, noParameters } from './shapes.ts'

const MAX_PER_KEY = 20

export const webhookEvents = [
  ...['alert.*', 'alert.issued', 'alert.updated', 'alert.cancelled', 'alert.expired'],
  ...['run.*', 'run.started', 'run.published', 'run.stage', 'run.late'],
  'nowcast.onset',
] as const

const bodyShape = {
  url: z.string().max(2000),
  events: z.array(z.enum(webhookEvents)).min(1).max(webhookEvents.length),
  filter: filterSchema.default({}),
  description: printable.max(200).default(''),
}
const newSchema = z.strictObject(bodyShape)
const patchSchema = z
  .strictObject({ ...bodyShape, filter: filterSchema, description: printable.max(200), enabled: z.boolean() })
  .partial()

const hookSchema = z
  .object({
    id: z.string(),
    url: z.string(),
    events: z.array(z.string()),
    filter: filterSchema,
    description: z.string(),
    enabled: z.boolean(),
    created_at: z.iso.datetime(),
    waiting: z.int(),
    failing_since: z.iso.datetime().nullable(),
    next_attempt_at: z.iso.datetime().nullable(),
    warnings: listMeta.shape.warnings.describe('What is doubtful about a filter that was sent: unknown_event'),
  })
  .meta({ id: 'Webhook' })
const deliverySchema = z
  .object({
    id: z.string(),
    type: z.string(),
    subject: z.string(),
    state: z.enum(['pending', 'delivered', 'dead']),
    attempts: z.int(),
    next_at: z.iso.datetime().nullable(),
    status: z.int().nullable(),
    error: z.string().nullable(),
    created_at: z.iso.datetime(),
    ended_at: z.iso.datetime().nullable(),
  })
  .meta({ id: 'WebhookDelivery' })
const at = z.iso.datetime()
const calls = {
  alert: z
    .object({
      type: z.enum(['alert.issued', 'alert.updated', 'alert.cancelled', 'alert.expired']),
      timestamp: at,
      data: z.object({
        ...{
          id: z.string(),
          event: z.string(),
          change: z.string(),
          areas: z.array(z.string()),
          expiration: at.nullable(),
        },
        replaces: z.array(z.string()).optional(),
        ...{ severity: z.string().optional(), urgency: z.string().optional(), certainty: z.string().optional() },
        ...{ headline: z.string().optional(), area_desc: z.string().optional(), geometry: z.string() },
        simulated: z.literal(true).optional(),
      }),
    })
    .meta({ id: 'AlertCall' }),
  run: z
    .object({
      type: z.enum(['run.started', 'run.published', 'run.stage', 'run.late']),
      timestamp: at,
      data: z.object({
        ...{ dataset: z.string(), domain: z.string().optional(), run: at, stage: z.int().optional(), at },
        ...{ expected_at: at.optional(), due_at: at.optional() },
        simulated: z.literal(true).optional(),
      }),
    })
    .meta({ id: 'RunCall' }),
  onset: z
    .object({
      type: z.literal('nowcast.onset'),
      timestamp: at,
      data: z.object({
        ...{ lat: z.number(), lon: z.number(), within_minutes: z.int() },
        ...{ starts_at: at, minutes: z.int(), ends_at: at.nullable() },
        ...{ type: z.string(), peak_intensity: z.string(), generated_at: at, at },
        simulated: z.literal(true).optional(),
      }),
    })
    .meta({ id: 'OnsetCall' }),
}
const deliveriesShape = {
  state: z
    .enum(['pending', 'delivered', 'dead'])
    .optional()
    .meta({ description: 'Only these', wanted: 'pending, delivered or dead' }),
  limit: limitShape(100, 1000),
}
const replaySchema = z.strictObject({ delivery_id: z.string().max(60).optional() })

export interface WebhookDeps {
  readonly database: Database
  readonly receivers: Pick<Receivers, 'loopback'>
  /** Something may be due. */
  readonly nudge: () => void
  /** Names of events of current alerts. */
  readonly activeEvents: (now: Instant) => Iterable<string>
}

/** Webhooks of a key: made, changed, tested, and what became of their calls. */
export function webhookRoutes({ database, receivers, nudge, activeEvents }: WebhookDeps): Route[] {
  const own = async (request: RouteRequest): Promise<WebhookRow> => {
    const found = (await webhooksOf(database, request.caller!.prefix)).find(({ id }) => id === request.params['id'])
    if (!found) throw absent()
    return found
  }
  const common = { tag: 'webhooks' }
  const params = { id: z.string().meta({ description: 'Id of a webhook of this key' }) }
  const route = (one: Pick<Route, 'method' | 'path' | 'handle' | 'contract'>): Route => ({ ...one, trial: false })
  return [
    route({
      method: 'post',
      path: '/v1/webhooks',
      handle: async (request) => {
        noParameters(request.query)
        const body = read(newSchema, request.body)
        const { filter, warnings } = storedFilter(body.filter, body.events, activeEvents(request.now))
        const hook = {
          id: `wh_${randomBytes(12).toString('base64url')}`,
          key_prefix: request.caller!.prefix,
          url: checkUrl(body.url, receivers),
          events: [...new Set(body.events)],
          filter: { ...filter },
          description: body.description,
          secret: `whsec_${randomBytes(32).toString('base64')}`,
        }
        const made = await database.transaction((tx) => insertWebhook(tx, hook, MAX_PER_KEY))
        if (!made) {
          throw new Problem('conflict', `This key has ${MAX_PER_KEY} webhooks. Delete one before making another.`)
        }
        nudge()
        return {
          status: 201,
          body: { ...shown(made, warnings), secret: hook.secret },
          headers: { 'Cache-Control': 'no-store' },
        }
      },
      contract: {
        ...common,
        summary: 'Be called when something changes',
        description:
          'Calls are signed by Standard Webhooks with the secret that is shown this once. At least once, in order for each alert event and dataset; a call that fails is repeated for 24 hours. Your receiver answers 2xx within 10 s.',
        body: newSchema,
        calls,
        answer: { 201: hookSchema.extend({ secret: z.string() }) },
      },
    }),
    route({
      method: 'get',
      path: '/v1/webhooks',
      handle: async (request) => {
        noParameters(request.query)
        return { body: { webhooks: (await webhooksOf(database, request.caller!.prefix)).map((hook) => shown(hook)) } }
      },
      contract: { ...common, summary: 'Webhooks of this key', answer: z.object({ webhooks: z.array(hookSchema) }) },
    }),
    route({
      method: 'get',
      path: '/v1/webhooks/:id',
      handle: async (request) => {
        noParameters(request.query)
        return { body: shown(await own(request)) }
      },
      contract: { ...common, summary: 'One webhook', params, answer: hookSchema },
    }),
    route({
      method: 'patch',
      path: '/v1/webhooks/:id',
      handle: async (request) => {
        noParameters(request.query)
        const body = read(patchSchema, request.body)
        const hook = await own(request)
        const checked =
          body.filter || body.events
            ? storedFilter(body.filter ?? shownFilter(hook), body.events ?? hook.events, activeEvents(request.now))
            : undefined
        const changed = {
          ...hook,
          ...(body.url !== undefined && { url: checkUrl(body.url, receivers) }),
          ...(body.events && { events: [...new Set(body.events)] }),
          ...(checked && { filter: { ...checked.filter } }),
          ...(body.description !== undefined && { description: body.description }),
          enabled: body.enabled ?? hook.disabled_at === null,
        }
        const stored = await updateWebhook(database, hook.key_prefix, changed)
        if (!stored) throw absent()
        nudge()
        return { body: shown(stored, checked?.warnings) }
      },
      contract: {
        ...common,
        summary: 'Change a webhook, pause it or go on with it',
        params,
        body: patchSchema,
        answer: hookSchema,
      },
    }),
    route({
      method: 'delete',
      path: '/v1/webhooks/:id',
      handle: async (request) => {
        noParameters(request.query)
        if (!(await deleteWebhook(database, request.caller!.prefix, request.params['id']!))) throw absent()
        return { status: 204 }
      },
      contract: { ...common, summary: 'Delete a webhook with what waits for it', params, answer: { 204: z.null() } },
    }),
    route({
      method: 'post',
      path: '/v1/webhooks/:id/test',
      handle: async (request) => {
        noParameters(request.query)
        const hook = await own(request)
        const id = deliveryId()
        const body = bodyOf('webhook.test', new Date(request.now).toISOString(), { webhook_id: hook.id })
        // Microseconds: two tests of one webhook differ.
        const sourceId = request.now * 1000 + Math.floor(Math.random() * 1000)
        const one = { id, webhookId: hook.id, subject: 'test', type: 'webhook.test', source: 'test', sourceId, body }
        await database.transaction(async (tx) => {
          const [full] = await insertDeliveries(tx, [one], maxWaiting)
          if (full) throw tooManyWait(full)
          await probeReceiver(tx, hook.id)
        })
        nudge()
        return { status: 202, body: { delivery_id: id } }
      },
      contract: {
        ...common,
        summary: 'Send a test call',
        params,
        answer: { 202: z.object({ delivery_id: z.string() }) },
      },
    }),
    route({
      method: 'get',
      path: '/v1/webhooks/:id/deliveries',
      handle: async (request) => {
        const { state, limit } = parseParameters(deliveriesShape, request.query)
        const hook = await own(request)
        return {
          body: { deliveries: (await deliveriesOf(database, hook.id, state ?? null, limit)).map(shownDelivery) },
        }
      },
      contract: {
        ...common,
        summary: 'Calls of a webhook, the newest first: what was answered, and when the next attempt is',
        description: 'What ended is listed for three days.',
        params,
        query: deliveriesShape,
        answer: z.object({ deliveries: z.array(deliverySchema) }),
      },
    }),
    route({
      method: 'post',
      path: '/v1/webhooks/:id/replay',
      handle: async (request) => {
        noParameters(request.query)
        const { delivery_id } = read(replaySchema, request.body ?? {})
        const hook = await own(request)
        const replayed = await replay(database, hook.id, delivery_id ?? null)
        nudge()
        return { status: 202, body: { replayed } }
      },
      contract: {
        ...common,
        summary: 'Make dead calls due again: all, or one',
        description: 'The oldest first, as many as may wait.',
        params,
        body: replaySchema,
        answer: { 202: z.object({ replayed: z.int() }) },
      },
    }),
  ]
}

const absent = () => new Problem('not-found', 'id: this key has no such webhook. See GET /v1/webhooks.')
const tooManyWait = (reason: string) =>
  new Problem('conflict', `Of the calls, ${reason}. Wait until the receivers have accepted some, or delete a webhook.`)

/** In short transactions, so that others come between. @throws Problem where no more may wait */
async function replay(database: Database, id: string, one: string | null): Promise<number> {
  let replayed = 0
  while (replayed < maxWaiting.webhook) {
    const step = await database.transaction((tx) => replayDeliveries(tx, id, one, maxWaiting))
    if (step.full && replayed === 0) throw tooManyWait(step.full)
    if (step.replayed === 0) break
    replayed += step.replayed
  }
  return replayed
}

/** @throws Problem with every fault of the body */
function read<S extends z.ZodType>(schema: S, body: unknown): z.output<S> {
  const parsed = schema.safeParse(body)
  if (parsed.success) return parsed.data
  const faults = parsed.error.issues.map(({ path, message }) => `${path.join('.') || 'body'}: ${displayed(message)}`)
  throw new Problem(
    'bad-request',
    `body: wanted url, events out of ${webhookEvents.join(', ')}, and perhaps filter and description; ${faults.slice(0, 5).join('; ')}.`,
  )
}

function shown(hook: Omit<WebhookRow, 'secret'>, warnings: readonly MetaWarning[] = []): z.infer<typeof hookSchema> {
  return {
    id: hook.id,
    url: hook.url,
    events: [...hook.events],
    filter: shownFilter(hook),
    description: hook.description,
    enabled: hook.disabled_at === null,
    created_at: hook.created_at.toISOString(),
    waiting: hook.waiting,
    failing_since: hook.failing_since?.toISOString() ?? null,
    next_attempt_at: hook.next_at?.toISOString() ?? null,
    ...(warnings.length > 0 && { warnings: warnings.map(({ code, section, detail }) => ({ code, section, detail })) }),
  }
}

function shownDelivery(one: DeliveryRow): z.infer<typeof deliverySchema> {
  const { id, type, subject, state, attempts, status, error } = one
  return {
    ...{ id, type, subject, state, attempts },
    next_at: state === 'pending' ? one.next_at.toISOString() : null,
    ...{ status, error },
    created_at: one.created_at.toISOString(),
    ended_at: one.ended_at?.toISOString() ?? null,
  }
}

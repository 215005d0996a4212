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
import { measured } from '../present/property.ts'
import { Problem } from '../problem.ts'
import { displayed, parseParameters } from '../query/query.ts'
import type { Route, RouteRequest } from '../route.ts'
import { bodyOf, deliveryId, maxWaiting } from '../webhooks/fan-out.ts'
import { shownFilter, storedFilter } from '../webhooks/filter.ts'
import { checkUrl, type Receivers } from '../webhooks/request.ts'
import { noParameters } from './shapes.ts'
import {
  calls,
  deliveriesShape,
  deliveryMember,
  deliverySchema,
  hookSchema,
  newHookSchema,
  newSchema,
  patchSchema,
  replaySchema,
  webhookEvents,
} from './webhooks-schema.ts'

const MAX_PER_KEY = 20

export interface WebhookDeps {
  readonly database: Database
  readonly receivers: Pick<Receivers, 'loopback'>
  /** Asks the sender to look for due calls now. */
  readonly nudge: () => void
  /** Returns the names of events of current alerts. */
  readonly activeEvents: (now: Instant) => Iterable<string>
}

/** Returns the prefix of the caller's key. */
function keyOf({ caller }: RouteRequest): string {
  if (!caller) throw new Error('a route of webhooks needs a caller')
  return caller.prefix
}

/** Returns the webhook that the path names. @throws Problem not-found */
async function webhookOf(database: Database, request: RouteRequest): Promise<WebhookRow> {
  const hook = (await webhooksOf(database, keyOf(request))).find(({ id }) => id === request.params['id'])
  if (!hook) throw absent()
  return hook
}

const common = { tag: 'webhooks' }
const params = { id: z.string().meta({ description: 'Id of a webhook of this key' }) }
const route = (parts: Pick<Route, 'method' | 'path' | 'handle' | 'contract'>): Route => ({ ...parts, trial: false })

/** Routes of the webhooks of a key and of their calls. */
export const webhookRoutes = (deps: WebhookDeps): Route[] => [
  ...creationRoutes(deps),
  ...changeRoutes(deps),
  ...callRoutes(deps),
]

/** Routes that create, list and show webhooks. */
function creationRoutes({ database, receivers, nudge, activeEvents }: WebhookDeps): Route[] {
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
          key_prefix: keyOf(request),
          url: checkUrl(body.url, receivers),
          events: [...new Set(body.events)],
          filter: { ...filter },
          description: body.description,
          secret: `whsec_${randomBytes(32).toString('base64')}`,
        }
        const row = await database.transaction((tx) => insertWebhook(tx, hook, MAX_PER_KEY))
        if (!row) {
          throw new Problem(
            'conflict',
            `This key has ${MAX_PER_KEY} webhooks, the maximum. Delete one before you create another.`,
          )
        }
        nudge()
        return {
          status: 201,
          body: { ...shown(row, warnings), secret: hook.secret },
          headers: { 'Cache-Control': 'no-store' },
        }
      },
      contract: {
        ...common,
        summary: 'Create a webhook, which is called when something changes',
        description:
          'Calls are signed by Standard Webhooks with the secret, which is shown only in this answer. Each event is delivered at least once, in order for each alert event and dataset. A failed call is repeated for 24 hours. Your receiver must answer 2xx within 10 s.',
        body: newSchema,
        calls,
        answer: {
          201: newHookSchema,
        },
      },
    }),
    route({
      method: 'get',
      path: '/v1/webhooks',
      handle: async (request) => {
        noParameters(request.query)
        return { body: { webhooks: (await webhooksOf(database, keyOf(request))).map((hook) => shown(hook)) } }
      },
      contract: {
        ...common,
        summary: 'Webhooks of this key',
        description: 'All webhooks of the key with their state, without their secrets.',
        answer: z.object({ webhooks: z.array(hookSchema).describe('Webhooks of the key') }),
      },
    }),
    route({
      method: 'get',
      path: '/v1/webhooks/:id',
      handle: async (request) => {
        noParameters(request.query)
        return { body: shown(await webhookOf(database, request)) }
      },
      contract: {
        ...common,
        summary: 'One webhook',
        description: 'The webhook with its filter and state, without its secret. A webhook of another key is 404.',
        params,
        answer: hookSchema,
      },
    }),
  ]
}

/** Routes that change and delete a webhook. */
function changeRoutes({ database, receivers, nudge, activeEvents }: WebhookDeps): Route[] {
  return [
    route({
      method: 'patch',
      path: '/v1/webhooks/:id',
      handle: async (request) => {
        noParameters(request.query)
        const body = read(patchSchema, request.body)
        const hook = await webhookOf(database, request)
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
        summary: 'Change, pause or resume a webhook',
        description:
          'Members that are absent stay as they are. A webhook that was disabled by failures is enabled again by `enabled`.',
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
        if (!(await deleteWebhook(database, keyOf(request), request.params['id'] ?? ''))) throw absent()
        return { status: 204 }
      },
      contract: {
        ...common,
        summary: 'Delete a webhook and its waiting calls',
        description: 'A call that is being made may still arrive. Deleting it again is 404.',
        params,
        answer: { 204: z.null() },
      },
    }),
  ]
}

/** Routes that test a webhook, and list and repeat its calls. */
function callRoutes({ database, nudge }: WebhookDeps): Route[] {
  return [
    route({
      method: 'post',
      path: '/v1/webhooks/:id/test',
      handle: async (request) => {
        noParameters(request.query)
        const hook = await webhookOf(database, request)
        const id = deliveryId()
        const body = bodyOf('webhook.test', new Date(request.now).toISOString(), { webhook_id: hook.id })
        // Microseconds distinguish two tests of one webhook.
        const sourceId = request.now * 1000 + Math.floor(Math.random() * 1000)
        const call = { id, webhookId: hook.id, subject: 'test', type: 'webhook.test', source: 'test', sourceId, body }
        await database.transaction(async (tx) => {
          const [full] = await insertDeliveries(tx, [call], maxWaiting)
          if (full) throw tooManyWaiting(full)
          await probeReceiver(tx, hook.id)
        })
        nudge()
        return { status: 202, body: { delivery_id: id } }
      },
      contract: {
        ...common,
        summary: 'Send a test call',
        description:
          'A signed call of the type webhook.test is sent to the address at once and is listed in the deliveries.',
        params,
        answer: { 202: z.object({ delivery_id: z.string().meta(deliveryMember) }) },
      },
    }),
    route({
      method: 'get',
      path: '/v1/webhooks/:id/deliveries',
      handle: async (request) => {
        const { state, limit } = parseParameters(deliveriesShape, request.query)
        const hook = await webhookOf(database, request)
        return {
          body: { deliveries: (await deliveriesOf(database, hook.id, state ?? null, limit)).map(shownDelivery) },
        }
      },
      contract: {
        ...common,
        summary: 'Calls of a webhook, newest first, with the last status and the next attempt',
        description: 'Calls that have ended are listed for three days.',
        params,
        query: deliveriesShape,
        answer: z.object({ deliveries: z.array(deliverySchema).describe('Calls, the newest first') }),
      },
    }),
    route({
      method: 'post',
      path: '/v1/webhooks/:id/replay',
      handle: async (request) => {
        noParameters(request.query)
        const { delivery_id } = read(replaySchema, request.body ?? {})
        const hook = await webhookOf(database, request)
        const replayed = await replay(database, hook.id, delivery_id ?? null)
        nudge()
        return { status: 202, body: { replayed } }
      },
      contract: {
        ...common,
        summary: 'Repeat all dead calls, or one',
        description: 'Makes dead calls due again, oldest first, up to the limit of waiting calls.',
        params,
        body: replaySchema,
        answer: { 202: z.object({ replayed: measured(z.int(), 'count', 3, 'Number of calls that are due again') }) },
      },
    }),
  ]
}

const absent = () => new Problem('not-found', '`id`: this key has no such webhook. See GET /v1/webhooks.')
const tooManyWaiting = (reason: string) =>
  new Problem(
    'conflict',
    `Too many calls: ${reason}. Wait until the receivers have accepted some, or delete a webhook.`,
  )

/**
 * Makes dead calls due again, in short transactions, so that other work runs between them.
 * @param only id of one call, or null for all
 * @throws Problem if no more calls may wait
 */
async function replay(database: Database, id: string, only: string | null): Promise<number> {
  let replayed = 0
  while (replayed < maxWaiting.webhook) {
    const step = await database.transaction((tx) => replayDeliveries(tx, id, only, maxWaiting))
    if (step.full && replayed === 0) throw tooManyWaiting(step.full)
    if (step.replayed === 0) break
    replayed += step.replayed
  }
  return replayed
}

/** Parses a body. @throws Problem with up to five faults of the body */
function read<S extends z.ZodType>(schema: S, body: unknown): z.output<S> {
  const parsed = schema.safeParse(body)
  if (parsed.success) return parsed.data
  const faults = parsed.error.issues.map(({ path, message }) => `${path.join('.') || 'body'}: ${displayed(message)}`)
  throw new Problem(
    'bad-request',
    `The body must have \`url\`, \`events\` out of ${webhookEvents.join(', ')}, and optionally \`filter\` and \`description\`, but is wrong: ${faults.slice(0, 5).join('; ')}. Change it and try again.`,
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

function shownDelivery(delivery: DeliveryRow): z.infer<typeof deliverySchema> {
  const { id, type, subject, state, attempts, status, error } = delivery
  return {
    ...{ id, type, subject, state, attempts },
    next_at: state === 'pending' ? delivery.next_at.toISOString() : null,
    ...{ status, error },
    created_at: delivery.created_at.toISOString(),
    ended_at: delivery.ended_at?.toISOString() ?? null,
  }
}

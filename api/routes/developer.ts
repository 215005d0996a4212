import { z } from 'zod'
import type { Database } from '../../ingest/ports/database.ts'
import { type KeyRow, listKeys, renameKey, revokeKey } from '../../sql/queries/keys.ts'
import type { AccountRow } from '../../sql/queries/sign-in.ts'
import { bearer, unknownKey } from '../http/authenticate.ts'
import { createAccountKey } from '../keys/account-key.ts'
import { hashOf } from '../keys/secret.ts'
import { doc } from '../present/property.ts'
import * as member from '../present/shared-properties.ts'
import { Problem } from '../problem.ts'
import { keyName, printable } from '../query/printable.ts'
import type { Route, RouteRequest } from '../route.ts'
import type { Identity } from '../sign-in/identity.ts'
import { noParameters } from './shapes.ts'

const bodySchema = z.strictObject({
  name: doc(keyName, 'Name of the key', 'my laptop'),
  origin: z
    .strictObject({
      channel: doc(printable.trim().min(1).max(60), 'Program that requests the key, such as cli', 'cli'),
      value: doc(z.literal('device_flow'), 'How the key was requested', 'device_flow'),
    })
    .describe('Program that requests the key, and how'),
})

const recordSchema = z
  .object({
    prefix: doc(z.string(), 'First characters of the key: its name in lists and logs', 'hx_live_4fJ2'),
    name: doc(z.string(), 'Name of the key', 'my laptop'),
    plan: doc(z.string(), 'Plan of the key', 'free'),
    scopes: doc(z.array(z.string()), 'Scopes of the key', ['weather:read']),
    created_at: member.created_at,
    expires_at: member.expires_at.nullable(),
    revoked_at: doc(
      z.iso.datetime().nullable(),
      'When the key was revoked; null while it is valid',
      '2026-08-20T09:00:00.000Z',
    ),
  })
  .meta({ id: 'KeyRecord' })
const newKeySchema = recordSchema.extend({
  key: doc(z.string(), 'The key itself, which is shown only once', 'hx_live_4fJ2…'),
})
const params = { prefix: z.string().meta({ description: 'hx_live_ and eight characters' }) }

const nameProblem = () =>
  new Problem('bad-request', 'The body must be {"name":"…"} with 1 to 100 characters. Change it and try again.', {
    members: { field: 'name' },
  })

/** @throws Problem not-found */
function requireKey(key: KeyRow | undefined): KeyRow {
  if (!key) throw new Problem('not-found', '`prefix`: this account has no such key. See GET /developer/keys.')
  return key
}

/** Routes of the keys of an account, which need an access token of the device grant. */
export function developerRoutes(database: Database, identity: Identity): Route[] {
  const account = async ({ headers, base }: RouteRequest): Promise<AccountRow> => {
    const token = bearer({ headers }, true)
    const account = await identity.accountOf(token, base)
    if (!account) throw unknownKey('The access token is not valid: it is unknown, revoked or expired. Sign in again.')
    return account
  }
  return [
    {
      method: 'post',
      path: '/developer/keys',
      own: true,
      handle: async (request) => {
        noParameters(request.query)
        const { id, email_verified, plan } = await account(request)
        if (!email_verified) {
          throw new Problem(
            'forbidden',
            'email_not_verified: the email address is not verified. Confirm it with the issuer, then try again.',
            {
              members: { error: 'email_not_verified' },
              challenge: { error: 'insufficient_scope', scope: 'email' },
            },
          )
        }
        const once = readIdempotencyKey(request.headers)
        const body = parseBody(request.body)
        const { key, record } = await createAccountKey(database, {
          account: { id, plan },
          name: body.name,
          channel: body.origin.channel,
          once,
          bodyHash: hashOf(JSON.stringify(body)),
          now: request.now,
        })
        if (!key) return { body: recordOf(record) }
        return { status: 201, body: { key, ...recordOf(record) }, headers: { 'Cache-Control': 'no-store' } }
      },
      contract: {
        tag: 'keys',
        summary: 'Create an API key',
        description:
          'Needs an access token of the device authorization grant. A repeated Idempotency-Key gives 200 and the record without the key.',
        body: bodySchema,
        answer: { 201: newKeySchema, 200: recordSchema },
      },
    },
    {
      method: 'get',
      path: '/developer/keys',
      own: true,
      handle: async (request) => {
        noParameters(request.query)
        return {
          body: { keys: (await listKeys(database, (await account(request)).id)).map(recordOf) },
          headers: { 'Cache-Control': 'no-store' },
        }
      },
      contract: {
        tag: 'keys',
        summary: 'Keys of the account',
        description: 'Needs an access token of the device authorization grant. A key itself is shown only once.',
        answer: z.object({ keys: z.array(recordSchema).describe('Keys of the account') }),
      },
    },
    {
      method: 'patch',
      path: '/developer/keys/:prefix',
      own: true,
      handle: async (request) => {
        const { id } = await account(request)
        const parsed = z.strictObject({ name: bodySchema.shape.name }).safeParse(request.body)
        if (!parsed.success) throw nameProblem()
        const { prefix = '' } = request.params
        return { body: recordOf(requireKey(await renameKey(database, prefix, parsed.data.name, id))) }
      },
      contract: {
        tag: 'keys',
        summary: 'Rename a key',
        description: 'Needs an access token of the device authorization grant. The key itself does not change.',
        params,
        body: z.strictObject({ name: doc(keyName, 'Name of the key', 'Denver') }),
        answer: recordSchema,
      },
    },
    {
      method: 'delete',
      path: '/developer/keys/:prefix',
      own: true,
      handle: async (request) => {
        const { id } = await account(request)
        return { body: recordOf(requireKey(await revokeKey(database, request.params['prefix'] ?? '', id))) }
      },
      contract: {
        tag: 'keys',
        summary: 'Revoke a key; it is rejected everywhere within 2 s',
        description: 'Needs an access token of the device authorization grant. The key stays in the list.',
        params,
        answer: recordSchema,
      },
    },
  ]
}

/** @throws Problem bad-request */
function readIdempotencyKey(headers: RouteRequest['headers']): string {
  const once = headers['idempotency-key']
  if (typeof once === 'string' && /^[\x21-\x7e]{1,128}$/.test(once)) return once
  throw new Problem(
    'bad-request',
    'The header `Idempotency-Key` is missing or malformed. Send a new UUID for each key, such as 6f1d2c84-0f0a-4a7e-9a2b-5a6c1d1f0e11.',
  )
}

function parseBody(body: unknown): z.output<typeof bodySchema> {
  const parsed = bodySchema.safeParse(body)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  const field = issue?.path.join('.') || 'body'
  throw new Problem(
    'bad-request',
    `The body must be like {"name":"my program","origin":{"channel":"cli","value":"device_flow"}}, but \`${field}\` is wrong: ${issue?.message}. Change it and try again.`,
    { members: { field } },
  )
}

function recordOf(key: KeyRow): z.infer<typeof recordSchema> {
  return {
    prefix: key.prefix,
    name: key.name,
    plan: key.plan,
    scopes: [...key.scopes],
    created_at: key.created_at.toISOString(),
    expires_at: key.expires_at?.toISOString() ?? null,
    revoked_at: key.revoked_at?.toISOString() ?? null,
  }
}

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
      value: doc(z.literal('device_flow'), 'How the key was asked for', 'device_flow'),
    })
    .describe('What asks for the key, and how'),
})

const recordSchema = z
  .object({
    prefix: doc(z.string(), 'First characters of the key: its name in lists and logs', 'hx_live_4fJ2'),
    name: doc(z.string(), 'What the key is called', 'my laptop'),
    plan: doc(z.string(), 'Plan of the key', 'free'),
    scopes: doc(z.array(z.string()), 'What the key allows', ['weather:read']),
    created_at: member.created_at,
    expires_at: member.expires_at.nullable(),
    revoked_at: doc(
      z.iso.datetime().nullable(),
      'When it was revoked; null while it is valid',
      '2026-08-20T09:00:00.000Z',
    ),
  })
  .meta({ id: 'KeyRecord' })
const newKeySchema = recordSchema.extend({ key: doc(z.string(), 'Shown this once', 'hx_live_4fJ2…') })
const params = { prefix: z.string().meta({ description: 'hx_live_ and eight characters' }) }

/** Keys of an account, by an access token of the device grant. */
export function developerRoutes(database: Database, identity: Identity): Route[] {
  const account = async ({ headers, base }: RouteRequest): Promise<AccountRow> => {
    const token = bearer({ headers }, true)
    const found = await identity.accountOf(token, base)
    if (!found) throw unknownKey('The access token is not valid: it is unknown, used up or expired.')
    return found
  }
  const found = (key: KeyRow | undefined): KeyRow => {
    if (!key) throw new Problem('not-found', 'prefix: this account has no such key. See GET /developer/keys.')
    return key
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
            'email_not_verified: confirm the email address with the issuer, then try again.',
            {
              members: { error: 'email_not_verified' },
              challenge: { error: 'insufficient_scope', scope: 'email' },
            },
          )
        }
        const once = readIdempotencyKey(request.headers)
        const body = read(request.body)
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
          'With an access token of the device authorization grant. The same Idempotency-Key again gives 200 and the record without the key.',
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
        if (!parsed.success)
          throw new Problem('bad-request', 'body: wanted {"name":"…"} of 1 to 100 characters.', {
            members: { field: 'name' },
          })
        return { body: recordOf(found(await renameKey(database, request.params['prefix']!, parsed.data.name, id))) }
      },
      contract: {
        tag: 'keys',
        summary: 'Rename a key',
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
        return { body: recordOf(found(await revokeKey(database, request.params['prefix']!, id))) }
      },
      contract: { tag: 'keys', summary: 'Revoke a key; refused everywhere within 2 s', params, answer: recordSchema },
    },
  ]
}

/** @throws Problem bad-request */
function readIdempotencyKey(headers: RouteRequest['headers']): string {
  const once = headers['idempotency-key']
  if (typeof once === 'string' && /^[\x21-\x7e]{1,128}$/.test(once)) return once
  throw new Problem(
    'bad-request',
    'Idempotency-Key: wanted a header with a UUID that the client made up for this key, such as 6f1d2c84-0f0a-4a7e-9a2b-5a6c1d1f0e11.',
  )
}

function read(body: unknown): z.output<typeof bodySchema> {
  const parsed = bodySchema.safeParse(body)
  if (parsed.success) return parsed.data
  const field = parsed.error.issues[0]!.path.join('.') || 'body'
  throw new Problem(
    'bad-request',
    `${field}: wanted {"name":"my program","origin":{"channel":"cli","value":"device_flow"}}; ${parsed.error.issues[0]!.message}.`,
    {
      members: { field },
    },
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

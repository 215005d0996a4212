import { z } from 'zod'
import type { Database } from '../../ingest/ports/database.ts'
import { type KeyRow, listKeys, renameKey, revokeKey } from '../../sql/queries/keys.ts'
import type { AccountRow } from '../../sql/queries/sign-in.ts'
import { bearer, unknownKey } from '../http/authenticate.ts'
import { createAccountKey } from '../keys/account-key.ts'
import { hashOf } from '../keys/secret.ts'
import { Problem } from '../problem.ts'
import { keyName, printable } from '../query/printable.ts'
import type { Route, RouteRequest } from '../route.ts'
import type { Identity } from '../sign-in/identity.ts'
import { noParameters } from './shapes.ts'

const bodySchema = z.strictObject({
  name: keyName.meta({ description: 'Name of the key' }),
  origin: z.strictObject({
    channel: printable.trim().min(1).max(60).meta({ description: 'Program that requests the key, such as cli' }),
    value: z.literal('device_flow'),
  }),
})

const recordSchema = z
  .object({
    prefix: z.string(),
    name: z.string(),
    plan: z.string(),
    scopes: z.array(z.string()),
    created_at: z.iso.datetime(),
    expires_at: z.iso.datetime().nullable(),
    revoked_at: z.iso.datetime().nullable(),
  })
  .meta({ id: 'KeyRecord' })
const newKeySchema = recordSchema.extend({ key: z.string().meta({ description: 'Shown this once' }) })
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
        const once = request.headers['idempotency-key']
        if (typeof once !== 'string' || !/^[\x21-\x7e]{1,128}$/.test(once)) {
          throw new Problem(
            'bad-request',
            'Idempotency-Key: wanted a header with a UUID that the client made up for this key, such as 6f1d2c84-0f0a-4a7e-9a2b-5a6c1d1f0e11.',
          )
        }
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
      contract: { tag: 'keys', summary: 'Keys of the account', answer: z.object({ keys: z.array(recordSchema) }) },
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
        body: z.strictObject({ name: bodySchema.shape.name }),
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

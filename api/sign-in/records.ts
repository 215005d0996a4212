import { errors } from 'oidc-provider'
import type { Database } from '../../ingest/ports/database.ts'
import {
  consumeRecord,
  extendRecord,
  type OidcIndex,
  type OidcRow,
  putRecord,
  recordBy,
  recordOf,
  removeExpiredRecords,
  removeRecord,
  revokeGrant,
} from '../../sql/queries/sign-in.ts'
import { hashOf } from '../keys/secret.ts'
import { seal, unseal } from './sealed.ts'

type RecordStore = Pick<Database, 'query' | 'kysely'>
type Payload = Record<string, unknown>

const DAY_SECONDS = 86_400
/** Registered clients are deleted this long after their last use. */
const CLIENT_RETENTION_DAYS = 90
const CLEANUP_INTERVAL_MS = 600_000
/** Characters of one record; the largest records are registered clients. */
const MAX_PAYLOAD_BYTES = 32_768
/** Models whose id is a credential, of which only the hash is stored. */
const HASHED_KINDS = new Set([
  'AccessToken',
  'AuthorizationCode',
  'RefreshToken',
  'Session',
  'DeviceCode',
  'Interaction',
])
/** Models whose payload contains credentials, and which are found by id only. */
const SEALED_KINDS = new Set(['Interaction'])
/** Prefix of an id that is the stored key of a record found by another index. Such ids are never accepted in requests. */
const STORED_PREFIX = 'stored:'

/** Removes expired records of all models at most once per interval. */
export class RecordCleanup {
  #ranAt = Number.NEGATIVE_INFINITY

  async run(database: RecordStore): Promise<void> {
    const now = performance.now()
    if (now - this.#ranAt < CLEANUP_INTERVAL_MS) return
    this.#ranAt = now
    await removeExpiredRecords(database)
  }
}

/** Grants, sessions, clients and codes of the authorization server, in the shared database. */
export class Records {
  readonly #database: RecordStore
  readonly #model: string
  readonly #hashed: boolean
  readonly #sealed: boolean
  readonly #cleanup: RecordCleanup

  constructor(database: RecordStore, model: string, cleanup: RecordCleanup) {
    this.#database = database
    this.#model = model
    this.#hashed = HASHED_KINDS.has(model)
    this.#sealed = SEALED_KINDS.has(model)
    this.#cleanup = cleanup
  }

  #key(id: string): string {
    if (!this.#hashed) return id
    return id.startsWith(STORED_PREFIX) ? id.slice(STORED_PREFIX.length) : digest(id)
  }

  /** @throws InvalidRequest if a text contains NUL, which PostgreSQL does not store */
  async upsert(id: string, payload: Payload, expiresIn?: number): Promise<void> {
    const text = JSON.stringify(payload)
    if (text.includes('\\u0000')) throw new errors.InvalidRequest('the request must not contain NUL')
    if (text.length > MAX_PAYLOAD_BYTES)
      throw new errors.InvalidRequest(`the request must have at most ${MAX_PAYLOAD_BYTES} characters`)
    const seconds = expiresIn || (this.#model === 'Client' ? CLIENT_RETENTION_DAYS * DAY_SECONDS : undefined)
    const { jti: _, ...publicPayload } = payload
    if (this.#model === 'DeviceCode') {
      if (typeof publicPayload['userCode'] === 'string')
        publicPayload['userCode'] = storedCode(publicPayload['userCode'])
      publicPayload['params'] = neededParams(publicPayload['params'])
    }
    const record = this.#sealed ? seal(id, payload) : this.#hashed ? publicPayload : payload
    await putRecord(this.#database, this.#model, this.#key(id), record, seconds)
    await this.#cleanup.run(this.#database)
  }

  async find(id: string): Promise<Payload | undefined> {
    if (!isId(id)) return undefined
    const row = await recordOf(this.#database, this.#model, this.#key(id))
    // Each use extends the retention of a client.
    if (row && this.#model === 'Client')
      await extendRecord(this.#database, 'Client', id, CLIENT_RETENTION_DAYS * DAY_SECONDS)
    const payload = payloadOf(row)
    if (!payload || !this.#hashed) return payload
    return this.#sealed ? unseal(id, payload) : { ...payload, jti: id }
  }

  async findByUserCode(code: string): Promise<Payload | undefined> {
    const payload = await this.#findBy('user_code', digest(code))
    return payload && { ...payload, userCode: code }
  }

  async findByUid(uid: string): Promise<Payload | undefined> {
    return isId(uid) ? this.#findBy('uid', uid) : undefined
  }

  async #findBy(index: OidcIndex, value: string): Promise<Payload | undefined> {
    const row = await recordBy(this.#database, this.#model, index, value)
    const payload = payloadOf(row)
    return row && payload && this.#hashed ? { ...payload, jti: STORED_PREFIX + row.id } : payload
  }

  async consume(id: string): Promise<void> {
    // A second use of a code or refresh token means that it was stolen, so the grant is revoked.
    if (await consumeRecord(this.#database, this.#model, this.#key(id))) return
    const grant = (await recordOf(this.#database, this.#model, this.#key(id)))?.payload['grantId']
    if (typeof grant === 'string') {
      await removeRecord(this.#database, 'Grant', grant)
      await revokeGrant(this.#database, grant)
    }
    throw new errors.InvalidGrant('it has been used before')
  }

  async destroy(id: string): Promise<void> {
    if (isId(id) || id.startsWith(STORED_PREFIX)) await removeRecord(this.#database, this.#model, this.#key(id))
  }

  async revokeByGrantId(grantId: string): Promise<void> {
    await revokeGrant(this.#database, grantId)
  }
}

/** Returns the parameters of an anonymous request that the grant needs; other parameters are ignored (RFC 8628, 3.1). */
function neededParams(params: unknown): Payload {
  const { client_id, scope, resource } = (params ?? {}) as Payload
  return { client_id, ...(scope !== undefined && { scope }), ...(resource !== undefined && { resource }) }
}

/** Returns the stored form of a user code: its digest. The code of a record that was read by id is a digest already. */
const storedCode = (userCode: string) => (userCode.length === 43 ? userCode : digest(userCode))

const digest = (id: string) => hashOf(id).toString('base64url')

/** Whether a text of a request may be a record id. NUL would cause a database error. */
const isId = (id: string) => id.length <= 2048 && !id.includes('\0') && !id.startsWith(STORED_PREFIX)

function payloadOf(row: OidcRow | undefined): Payload | undefined {
  if (!row) return undefined
  return row.consumed_at ? { ...row.payload, consumed: Math.floor(row.consumed_at.getTime() / 1000) } : row.payload
}

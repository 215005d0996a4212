import { errors } from 'oidc-provider'
import type { Database } from '../../ingest/ports/database.ts'
import {
  consumeRecord,
  keepRecord,
  type OidcRow,
  putRecord,
  recordBy,
  recordOf,
  removeRecord,
  revokeGrant,
  sweepRecords,
} from '../../sql/queries/sign-in.ts'
import { hashOf } from './secret.ts'

type Door = Pick<Database, 'query' | 'kysely'>
type Payload = Record<string, unknown>

const DAY = 86_400
/** How long a client that registered itself stays known without coming back. */
const CLIENT_DAYS = 90
const SWEEP_MS = 3_600_000
/** Models whose id is itself what lets its bearer in: only its hash is written down. */
const BEARER = new Set(['AccessToken', 'AuthorizationCode', 'RefreshToken'])
let swept = Number.NEGATIVE_INFINITY

/** Grants, sessions, clients and codes of the authorization server, in the shared database. */
export class Records {
  readonly #database: Door
  readonly #model: string
  readonly #bearer: boolean

  constructor(database: Door, model: string) {
    this.#database = database
    this.#model = model
    this.#bearer = BEARER.has(model)
  }

  #key(id: string): string {
    return this.#bearer ? hashOf(id).toString('base64url') : id
  }

  async upsert(id: string, payload: Payload, expiresIn?: number): Promise<void> {
    const seconds = expiresIn || (this.#model === 'Client' ? CLIENT_DAYS * DAY : undefined)
    const { jti: _, ...rest } = payload
    await putRecord(this.#database, this.#model, this.#key(id), this.#bearer ? rest : payload, seconds)
    const now = performance.now()
    if (now - swept < SWEEP_MS) return
    swept = now
    await sweepRecords(this.#database)
  }

  async find(id: string): Promise<Payload | undefined> {
    const row = await recordOf(this.#database, this.#model, this.#key(id))
    // Whoever comes once in a while stays known.
    if (row && this.#model === 'Client') await keepRecord(this.#database, 'Client', id, CLIENT_DAYS * DAY)
    const payload = given(row)
    return payload && this.#bearer ? { ...payload, jti: id } : payload
  }

  async findByUserCode(code: string): Promise<Payload | undefined> {
    return given(await recordBy(this.#database, this.#model, 'user_code', code))
  }

  async findByUid(uid: string): Promise<Payload | undefined> {
    return given(await recordBy(this.#database, this.#model, 'uid', uid))
  }

  async consume(id: string): Promise<void> {
    // Of two who come at the same moment with the same code or refresh token, one is a thief: neither keeps anything.
    if (await consumeRecord(this.#database, this.#model, this.#key(id))) return
    const grant = (await recordOf(this.#database, this.#model, this.#key(id)))?.payload['grantId']
    if (typeof grant === 'string') {
      await removeRecord(this.#database, 'Grant', grant)
      await revokeGrant(this.#database, grant)
    }
    throw new errors.InvalidGrant('used before')
  }

  async destroy(id: string): Promise<void> {
    await removeRecord(this.#database, this.#model, this.#key(id))
  }

  async revokeByGrantId(grantId: string): Promise<void> {
    await revokeGrant(this.#database, grantId)
  }
}

function given(row: OidcRow | undefined): Payload | undefined {
  if (!row) return undefined
  return row.consumed_at ? { ...row.payload, consumed: Math.floor(row.consumed_at.getTime() / 1000) } : row.payload
}

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

type Door = Pick<Database, 'query' | 'kysely'>
type Payload = Record<string, unknown>

const DAY = 86_400
/** How long a client that registered itself stays known without coming back. */
const CLIENT_DAYS = 90
const SWEEP_MS = 3_600_000
let swept = Number.NEGATIVE_INFINITY

/** Grants, sessions, clients and codes of the authorization server, in the shared database. */
export class Records {
  readonly #database: Door
  readonly #model: string

  constructor(database: Door, model: string) {
    this.#database = database
    this.#model = model
  }

  async upsert(id: string, payload: Payload, expiresIn?: number): Promise<void> {
    const seconds = expiresIn || (this.#model === 'Client' ? CLIENT_DAYS * DAY : undefined)
    await putRecord(this.#database, this.#model, id, payload, seconds)
    const now = performance.now()
    if (now - swept < SWEEP_MS) return
    swept = now
    await sweepRecords(this.#database)
  }

  async find(id: string): Promise<Payload | undefined> {
    const row = await recordOf(this.#database, this.#model, id)
    // Whoever comes once in a while stays known.
    if (row && this.#model === 'Client') await keepRecord(this.#database, 'Client', id, CLIENT_DAYS * DAY)
    return given(row)
  }

  async findByUserCode(code: string): Promise<Payload | undefined> {
    return given(await recordBy(this.#database, this.#model, 'user_code', code))
  }

  async findByUid(uid: string): Promise<Payload | undefined> {
    return given(await recordBy(this.#database, this.#model, 'uid', uid))
  }

  async consume(id: string): Promise<void> {
    // Of two who come at the same moment with the same code or refresh token, one is a thief: neither keeps anything.
    if (await consumeRecord(this.#database, this.#model, id)) return
    const grant = (await recordOf(this.#database, this.#model, id))?.payload['grantId']
    if (typeof grant === 'string') await revokeGrant(this.#database, grant)
    throw new errors.InvalidGrant('used before')
  }

  async destroy(id: string): Promise<void> {
    await removeRecord(this.#database, this.#model, id)
  }

  async revokeByGrantId(grantId: string): Promise<void> {
    await revokeGrant(this.#database, grantId)
  }
}

function given(row: OidcRow | undefined): Payload | undefined {
  if (!row) return undefined
  return row.consumed_at ? { ...row.payload, consumed: Math.floor(row.consumed_at.getTime() / 1000) } : row.payload
}

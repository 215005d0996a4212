import type { Database } from '../../ingest/ports/database.ts'
import {
  consumeRecord,
  type OidcRow,
  putRecord,
  recordBy,
  recordOf,
  removeRecord,
  revokeGrant,
} from '../../sql/queries/sign-in.ts'

type Door = Pick<Database, 'query' | 'kysely'>
type Payload = Record<string, unknown>

/** Grants, sessions, clients and codes of the authorization server, in the shared database. */
export class Records {
  readonly #database: Door
  readonly #model: string

  constructor(database: Door, model: string) {
    this.#database = database
    this.#model = model
  }

  async upsert(id: string, payload: Payload, expiresIn?: number): Promise<void> {
    await putRecord(this.#database, this.#model, id, payload, expiresIn || undefined)
  }

  async find(id: string): Promise<Payload | undefined> {
    return given(await recordOf(this.#database, this.#model, id))
  }

  async findByUserCode(code: string): Promise<Payload | undefined> {
    return given(await recordBy(this.#database, this.#model, 'user_code', code))
  }

  async findByUid(uid: string): Promise<Payload | undefined> {
    return given(await recordBy(this.#database, this.#model, 'uid', uid))
  }

  async consume(id: string): Promise<void> {
    await consumeRecord(this.#database, this.#model, id)
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

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { loadConfig } from '../../ingest/config.ts'
import { nth } from '../../ingest/domain/nth.ts'
import { openDatabase } from '../../ingest/ports/database/open.ts'
import type { Database } from '../../ingest/ports/database.ts'
import { removeSentMessages } from '../../sql/queries/outbox.ts'
import { removeOldVersions } from '../../sql/queries/versions.ts'
import { freshPlace } from './place.ts'

const ROWS = 200_000
const TIMEOUT_MS = 400
/** Number of additions for each deleted row, so that a delete of all rows takes some seconds on any machine. */
const WORK_PER_ROW = 300

let place: Awaited<ReturnType<typeof freshPlace>>
let owner: Database
let hurried: Database

beforeAll(async () => {
  place = await freshPlace()
  owner = await openDatabase(place.config, { statementTimeoutMs: 120_000 })
  hurried = await openDatabase(loadConfig(place.env), { statementTimeoutMs: TIMEOUT_MS })
})
afterAll(async () => {
  await Promise.all([owner?.close(), hurried?.close()])
  await place?.drop()
})

/** Makes each deleted row of a table take some microseconds. */
async function slowDown(table: string): Promise<void> {
  await owner.query(
    `create or replace function slow_delete() returns trigger language plpgsql as $$
       declare n int := 0;
       begin for i in 1..${WORK_PER_ROW} loop n := n + i; end loop; return old; end $$`,
  )
  await owner.query(`create trigger slow before delete on ${table} for each row execute function slow_delete()`)
}

const countOf = async (table: string) => (await owner.query<{ n: number }>(`select count(*) as n from ${table}`))[0]?.n

describe('retirement under a statement timeout', () => {
  test('removes 200,000 messages that a single statement cannot remove in time', async () => {
    await owner.query(
      `insert into outbox (topic, key, payload, sent_at)
       select 'hexcast.runs.v1', i::text, '{"dataset":"nbm"}', now() - interval '30 days' from generate_series(1, $1::int) i`,
      [ROWS],
    )
    await owner.query(
      `insert into outbox (topic, key, payload, sent_at) values ('hexcast.runs.v1', 'new', '{}', now())`,
    )
    await slowDown('outbox')
    await expect(hurried.query('delete from outbox')).rejects.toMatchObject({ code: '57014' })
    expect(await countOf('outbox')).toBe(ROWS + 1)
    expect(await removeSentMessages(hurried, 168)).toBe(ROWS)
    expect(await countOf('outbox')).toBe(1)
  })

  test('removes 200,000 earlier versions of rows', async () => {
    const past = nth(await owner.query<{ schema: string }>(`select current_schema() || '_past' as schema`), 0).schema
    const table = `${past}.ended_drill`
    await owner.query(`create table ${table} (id int, replaced_xid xid8 not null default '1')`)
    await owner.query(`create index on ${table} (replaced_xid)`)
    await owner.query(`insert into ${table} (id) select generate_series(1, $1::int)`, [ROWS])
    await slowDown(table)
    await expect(hurried.query(`delete from ${table}`)).rejects.toMatchObject({ code: '57014' })
    expect(await removeOldVersions(hurried, new Date())).toBe(ROWS)
    expect(await countOf(`${past}.ended_drill`)).toBe(0)
  })
})

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openDatabase } from '../../ingest/ports/database/open.ts'
import { setOrigin, weatherTables } from '../../sql/queries/origin.ts'

/** Accounts, keys and what belongs to them, the state of processes, and PostGIS's own table. */
const others = [
  'account',
  'api_key',
  'idempotency',
  'incarnation',
  'key_usage',
  'mail',
  'metrics_lease',
  'migration',
  'oidc_record',
  'origin',
  'payment',
  'retirement',
  'spatial_ref_sys',
  'usage_day',
  'webhook',
  'webhook_cursor',
  'webhook_delivery',
]

test('empties every weather table when real weather follows simulated weather, and requires new tables to be listed', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'hexcast-origin-'))
  const database = await openDatabase({ dataDir, databasePool: 1 })
  const rows = await database.query<{ name: string }>(
    `select table_name as name from information_schema.tables
     where table_schema = current_schema() and table_type = 'BASE TABLE'`,
  )
  const tables = rows.map(({ name }) => name)
  expect(tables.filter((name) => !others.includes(name)).sort()).toEqual([...weatherTables].sort())
  await setOrigin(database, true)
  await database.query(`insert into text_change values (1, 'simulated', 0, '{}', now())`)
  await setOrigin(database, false)
  expect(await database.query('select id from text_change')).toEqual([])
  await database.close()
  await rm(dataDir, { recursive: true, force: true })
})

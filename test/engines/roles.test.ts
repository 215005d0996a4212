import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { entryOf, nth } from '../../ingest/domain/nth.ts'
import { openDatabase } from '../../ingest/ports/database/open.ts'
import type { Database } from '../../ingest/ports/database.ts'
import { apiWrites } from '../../sql/api-writes.ts'
import { freshPlace } from './place.ts'

const folder = process.env['ENGINES_FOLDER']
const role = `hexcast_api_${Math.random().toString(36).slice(2)}`
let place: Awaited<ReturnType<typeof freshPlace>>
let admin: pg.Client
let api: Database | undefined

/** The roles of OPS.md, created in this test's own schema. */
beforeAll(async () => {
  if (!folder) return
  place = await freshPlace()
  await (await openDatabase(place.config)).close()
  const url = new URL(entryOf(process.env, 'DATABASE_URL'))
  const password = (await readFile(join(folder, 'postgres.password'), 'utf8')).trim()
  admin = new pg.Client({ host: url.hostname, port: Number(url.port), database: 'hexcast', user: 'postgres', password })
  await admin.connect()
  const schema = nth(/search_path=(\w+)/.exec(decodeURIComponent(place.config.databaseUrl))!, 1)
  const page = await readFile(new URL('../../infra/OPS.md', import.meta.url), 'utf8')
  const statements = nth(/```sql\n([\s\S]*?)```/.exec(page)!, 1)
    .replaceAll('hexcast_api', role)
    .replaceAll('schema public', `schema ${schema}`)
  await admin.query(`set search_path = ${schema}, public`)
  await admin.query(`${statements}; grant usage on schema ${schema} to ${role}`)
  const own = new URL(place.config.databaseUrl)
  own.username = role
  own.password = '…'
  api = await openDatabase({ ...place.config, databaseUrl: own.href.replaceAll('+', '%20') })
})

afterAll(async () => {
  await api?.close()
  await place?.drop()
  await admin?.query(`drop owned by ${role}; drop role ${role}`)
  await admin?.end()
})

test.skipIf(!folder)(
  'starts the API’s role on a migrated database, without permission to write what it only reads',
  async () => {
    for (const table of ['run', 'pointer', 'outbox', 'origin', 'alert', 'zone', 'outlook', 'migration']) {
      await api!.query(`select * from ${table} limit 1`)
      await expect(api!.query(`delete from ${table}`), table).rejects.toMatchObject({ code: '42501' })
      await expect(api!.query(`insert into ${table} select * from ${table}`), table).rejects.toMatchObject({
        code: expect.stringMatching(/42501|428C9/),
      })
    }
    await expect(api!.query('create table mine (a int)')).rejects.toMatchObject({ code: '42501' })
  },
)

test.skipIf(!folder)('writes keys, sign-ins, mails, usage counts and payment authorizations', async () => {
  for (const table of apiWrites) {
    await api!.query(`delete from ${table} where false`)
    await api!.query(`insert into ${table} select * from ${table} where false`).catch((error) => {
      // A column that is always generated cannot be copied, whatever the grants.
      expect(error.code, table).toBe('428C9')
    })
  }
})

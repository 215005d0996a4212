import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDatabase } from '../../ingest/ports/database/open.ts'
import type { Database } from '../../ingest/ports/database.ts'
import { incarnationSuite } from '../contracts/incarnation-suite.ts'
import { freshPlace } from './place.ts'

const places: Awaited<ReturnType<typeof freshPlace>>[] = []
const databases: Database[] = []

beforeAll(async () => {
  for (let index = 0; index < 2; index++) {
    const place = await freshPlace()
    places.push(place)
    databases.push(await openDatabase(place.config))
  }
})
afterAll(async () => {
  for (const database of databases) await database.close()
  for (const place of places) await place.drop()
})

test('knows the history of a PostgreSQL server without the rights of a superuser', async () => {
  const rows = await databases[0]?.query('select server_history() as history')
  expect(rows).toEqual([{ history: expect.stringMatching(/^\d+\/0000000\d$/) }])
})

incarnationSuite(() => {
  const [db, other] = databases
  if (!db || !other) throw new Error('the databases are not open')
  return { db, other }
})

import { expect, test } from 'vitest'
import { sharedQuery } from '../../../api/dataset/shared-query.ts'
import type { Database } from '../../../ingest/ports/database.ts'

test('shares a running query among its callers, but not with later callers or another database', async () => {
  const [first, second] = [{}, {}] as [Database, Database]
  let count = 0
  const query = async () => ++count
  const ask = (database: Database) => sharedQuery(database, 'runs nbm', query)
  expect(await Promise.all([ask(first), ask(first), ask(second), ask(first)])).toEqual([1, 1, 2, 1])
  expect(await ask(first)).toBe(3)
  const fails = () => sharedQuery(first, 'runs gfs', () => Promise.reject(new Error('gone')))
  await expect(Promise.all([fails(), fails()])).rejects.toThrow('gone')
  expect(await sharedQuery(first, 'runs gfs', async () => 'back')).toBe('back')
})

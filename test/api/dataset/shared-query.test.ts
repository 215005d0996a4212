import { expect, test } from 'vitest'
import { sharedQuery } from '../../../api/dataset/shared-query.ts'
import type { Database } from '../../../ingest/ports/database.ts'

test('those who ask while a query runs share it; whoever asks later, or another database, has one of its own', async () => {
  const [one, other] = [{}, {}] as [Database, Database]
  let asked = 0
  const query = async () => ++asked
  const ask = (database: Database) => sharedQuery(database, 'runs nbm', query)
  expect(await Promise.all([ask(one), ask(one), ask(other), ask(one)])).toEqual([1, 1, 2, 1])
  expect(await ask(one)).toBe(3)
  const fails = () => sharedQuery(one, 'runs gfs', () => Promise.reject(new Error('gone')))
  await expect(Promise.all([fails(), fails()])).rejects.toThrow('gone')
  expect(await sharedQuery(one, 'runs gfs', async () => 'back')).toBe('back')
})

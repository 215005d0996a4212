import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { templateCache } from '../../ingest/ports/database/template.ts'

test('stores the template of the database in the cache of the packages, which an image makes writable', () => {
  expect(templateCache).toBe(resolve('node_modules/.cache/hexcast'))
})

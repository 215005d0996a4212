import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { dumpSchema } from '../../sql/generate.ts'
import { scratchDatabase } from '../../sql/scratch.ts'

test('schema.sql and schema.ts are what the migrations make (else: node sql/generate.ts)', async () => {
  const { source, close } = await scratchDatabase()
  try {
    const { sql, types } = await dumpSchema(source)
    expect(await readFile(new URL('../../sql/schema.sql', import.meta.url), 'utf8')).toBe(sql)
    expect(await readFile(new URL('../../sql/schema.ts', import.meta.url), 'utf8')).toBe(types)
  } finally {
    await close()
  }
})

import { expect, test } from 'vitest'
import { migrate } from '../../sql/migrate.ts'
import type { SessionSource } from '../../sql/session.ts'

test('gives a migration ten seconds for the lock of a table, and then reports what to do', async () => {
  const statements: string[] = []
  const session = {
    async run(text: string) {
      statements.push(text)
      if (/create (?:extension|table (?!if))/i.test(text))
        throw Object.assign(new Error('canceling statement due to lock timeout'), { code: '55P03' })
      return { rows: [], affected: 0 }
    },
    release: () => undefined,
  }
  const source = { acquire: async () => session } as unknown as SessionSource
  await expect(migrate(source, { lock: true })).rejects.toThrow(/lock timeout; a long transaction holds a table/)
  const first = statements.slice(statements.indexOf('begin'))
  // Processes that start at the same time wait for each other as long as a migration takes.
  const waits = first.findIndex((text) => text.includes('pg_advisory_xact_lock'))
  const limits = first.indexOf("set local lock_timeout = '10s'")
  const changes = first.findIndex((text) => /create extension/i.test(text))
  expect([waits, limits, changes].toSorted((a, b) => a - b)).toEqual([waits, limits, changes])
  expect(waits).toBe(1)
  expect(first.slice(0, waits + 1).join()).not.toContain('lock_timeout')
})

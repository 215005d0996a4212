import { expect, test } from 'vitest'
import { applyMigration, migrate } from '../../sql/migrate.ts'
import type { Session, SessionSource } from '../../sql/session.ts'

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

test('applies a migration again that had a deadlock with a running process', async () => {
  let deadlocks = 0
  const statements: string[] = []
  const session = {
    async run(text: string) {
      statements.push(text)
      if (text === 'alter table busy' && deadlocks++ < 2)
        throw Object.assign(new Error('deadlock detected'), { code: '40P01' })
      return { rows: [], affected: 0 }
    },
    release: () => undefined,
  }
  const migration = { name: '001-busy.sql', text: 'alter table busy', digest: 'x' }
  expect(await applyMigration(session as unknown as Session, migration, true)).toBe(true)
  expect(statements.filter((text) => ['begin', 'rollback', 'commit'].includes(text))).toEqual([
    ...['begin', 'rollback', 'begin', 'rollback', 'begin', 'commit'],
  ])
  deadlocks = Number.NEGATIVE_INFINITY
  await expect(applyMigration(session as unknown as Session, migration, true)).rejects.toThrow(/deadlock detected/)
})

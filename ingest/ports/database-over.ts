import { AsyncLocalStorage } from 'node:async_hooks'
import { Kysely } from 'kysely'
import type { Schema } from '../../sql/schema.ts'
import type { Parameter, Queries, Session, Source } from '../../sql/session.ts'
import type { Database } from './database.ts'
import { SourceDialect } from './database-dialect.ts'
import { tracing } from './trace.ts'
import { tracedSession } from './traced.ts'

const inside = new AsyncLocalStorage<{ open: boolean }>()

export function databaseOver(source: Source, kind: Database['kind']): Database {
  const withSession = async <T>(work: (session: Session) => Promise<T>): Promise<T> => {
    if (inside.getStore()?.open) {
      throw new Error(
        'database: inside transaction(tx => …) wanted tx, got the database itself: it would wait for its own end',
      )
    }
    const taken = await source.acquire()
    const session = tracing() ? tracedSession(taken) : taken
    try {
      return await work(session)
    } finally {
      session.release()
    }
  }
  const kysely = new Kysely<Schema>({ dialect: new SourceDialect(withSession) })
  return {
    kind,
    kysely,
    async query<T extends object>(text: string, parameters?: readonly Parameter[]) {
      return (await withSession((session) => session.run(text, parameters))).rows as T[]
    },
    run: (text, parameters) =>
      withSession(async (session) => {
        try {
          return await session.run(text, parameters)
        } catch (error) {
          // A failed statement that began a transaction of its own would leave the session in an aborted transaction for the next caller.
          if (/^\s*begin\b/i.test(text)) await session.run('rollback').catch(() => session.breakOff())
          throw error
        }
      }),
    transaction: (work, mode) =>
      withSession(async (session) => {
        const scope = { open: true }
        await session.run(mode === 'snapshot' ? 'begin isolation level repeatable read read only' : 'begin')
        try {
          const result = await inside.run(scope, () => work(queriesOver(session)))
          scope.open = false
          await session.run('commit')
          return result
        } catch (error) {
          scope.open = false
          await session.run('rollback').catch(() => session.breakOff())
          throw error
        }
      }),
    close: () => source.close(),
  }
}

function queriesOver(session: Session): Queries {
  return {
    kysely: new Kysely<Schema>({ dialect: new SourceDialect((work) => work(session)) }),
    query: async <T extends object>(text: string, parameters?: readonly Parameter[]) =>
      (await session.run(text, parameters)).rows as T[],
  }
}

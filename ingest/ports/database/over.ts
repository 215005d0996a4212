import { AsyncLocalStorage } from 'node:async_hooks'
import { Kysely } from 'kysely'
import type { Schema } from '../../../sql/schema.ts'
import type { Parameter, Queries, Result, Session, SessionSource } from '../../../sql/session.ts'
import type { Database } from '../database.ts'
import { tracing } from '../trace.ts'
import { tracedSession, tracedStatement } from '../traced.ts'
import { SourceDialect } from './dialect.ts'

const inside = new AsyncLocalStorage<{ open: boolean }>()

export function databaseOver(source: SessionSource, kind: Database['kind']): Database {
  const checkOutside = () => {
    if (inside.getStore()?.open) {
      throw new Error(
        'database: `database` was used inside transaction(tx => …), where it would wait forever for its own session. Use `tx`.',
      )
    }
  }
  const withSession = async <T>(work: (session: Session) => Promise<T>): Promise<T> => {
    checkOutside()
    const sourceSession = await source.acquire()
    const session = tracing() ? tracedSession(sourceSession) : sourceSession
    try {
      return await work(session)
    } finally {
      session.release()
    }
  }
  const run = async (text: string, parameters?: readonly Parameter[]): Promise<Result> => {
    checkOutside()
    const work = () => source.run(text, parameters)
    return tracing() ? tracedStatement(text, work) : work()
  }
  return {
    kind,
    kysely: new Kysely<Schema>({ dialect: new SourceDialect(run) }),
    query: async <T extends object>(text: string, parameters?: readonly Parameter[]) =>
      (await run(text, parameters)).rows as T[],
    async run(text, parameters) {
      if (!/^\s*begin\b/i.test(text)) return run(text, parameters)
      return withSession(async (session) => {
        try {
          return await session.run(text, parameters)
        } catch (error) {
          // The text may begin a transaction before it fails, and the next caller would receive a session with an aborted transaction.
          await session.run('rollback').catch(() => session.breakOff())
          throw error
        }
      })
    },
    transaction: (work, mode) =>
      withSession(async (session) => {
        const scope = { open: true }
        await session.run(mode === 'snapshot' ? 'begin isolation level repeatable read read only' : 'begin')
        let result: Awaited<ReturnType<typeof work>>
        try {
          result = await inside.run(scope, () => work(queriesOver(session)))
        } catch (error) {
          scope.open = false
          await session.run('rollback').catch(() => session.breakOff())
          throw error
        }
        scope.open = false
        // A failed commit also ends the transaction, so no rollback is needed.
        await session.finish('commit')
        return result
      }),
    waited: () => source.waited?.() ?? 0,
    close: () => source.close(),
  }
}

function queriesOver(session: Session): Queries {
  return {
    kysely: new Kysely<Schema>({ dialect: new SourceDialect((text, parameters) => session.run(text, parameters)) }),
    query: async <T extends object>(text: string, parameters?: readonly Parameter[]) =>
      (await session.run(text, parameters)).rows as T[],
  }
}

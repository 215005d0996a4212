import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { Session, SessionSource } from './session.ts'

const folder = new URL('./migrations/', import.meta.url)
/** Any number, the same in every process. */
const advisoryLock = 4_932_077

export interface Migration {
  readonly name: string
  readonly text: string
  readonly digest: string
}

export async function migrations(): Promise<Migration[]> {
  const names = (await readdir(fileURLToPath(folder))).filter((name) => /^\d{3}-[a-z0-9-]+\.sql$/.test(name)).sort()
  return Promise.all(
    names.map(async (name) => {
      const text = await readFile(new URL(name, folder), 'utf8')
      return { name, text, digest: createHash('sha256').update(text).digest('hex').slice(0, 16) }
    }),
  )
}

/**
 * Migrates a database to the newest schema: forward only, each migration atomic and once. Ten processes may start
 * at once: they wait for each other at an advisory lock. The embedded database has one owner and needs no lock.
 * @returns names of the migrations that were applied now
 */
export async function migrate(source: SessionSource, { lock }: { lock: boolean }): Promise<string[]> {
  const all = await migrations()
  const session = await source.acquire()
  try {
    // Reading first lets a role without the right to create anything start on a database that is up to date.
    if ((await pending(session, all))?.length === 0) return []
    if (lock)
      await session.run('set statement_timeout = 0; select pg_advisory_lock($1)'.replace('$1', String(advisoryLock)))
    try {
      await session.run(
        'create table if not exists migration (name text primary key, digest text not null, applied_at timestamptz not null default now())',
      )
      const todo = (await pending(session, all)) ?? all
      for (const migration of todo) await apply(session, migration)
      return todo.map(({ name }) => name)
    } finally {
      if (lock) await session.run(`select pg_advisory_unlock(${advisoryLock}); reset statement_timeout`)
    }
  } finally {
    session.release()
  }
}

/** Migrations that are not applied yet; undefined where even the table of migrations is absent. @throws when an applied one was changed */
async function pending(session: Session, all: readonly Migration[]): Promise<Migration[] | undefined> {
  const [there] = (
    await session.run("select to_regclass(quote_ident(current_schema()) || '.migration') is not null as there")
  ).rows
  if (!there?.['there']) return undefined
  const applied = new Map(
    (await session.run('select name, digest from migration')).rows.map((row) => [row['name'], row['digest']]),
  )
  for (const { name, digest } of all) {
    const appliedDigest = applied.get(name)
    if (appliedDigest !== undefined && appliedDigest !== digest) {
      throw new Error(
        `migration ${name}: wanted what was applied (${appliedDigest}), got another text (${digest}); write a new migration instead`,
      )
    }
  }
  return all.filter(({ name }) => !applied.has(name))
}

async function apply(session: Session, { name, text, digest }: Migration): Promise<void> {
  await session.run('begin')
  try {
    await session.run(text)
    await session.run('insert into migration (name, digest) values ($1, $2)', [name, digest])
    await session.run('commit')
  } catch (error) {
    await session.run('rollback')
    throw new Error(`migration ${name}: ${(error as Error).message}`, { cause: error })
  }
}

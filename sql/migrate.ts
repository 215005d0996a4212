import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { Session, SessionSource } from './session.ts'

const folder = new URL('./migrations/', import.meta.url)
/** Key of the advisory lock of migrations: an arbitrary number, the same in every process. */
const advisoryLock = 4_932_077

/** Time for which a migration waits for the lock of a table, s. */
const LOCK_TIMEOUT_SECONDS = 10
/** SQLSTATE of a statement that did not get its lock in time. */
const LOCK_NOT_AVAILABLE = '55P03'
/** SQLSTATE of a transaction that PostgreSQL ended because it and another one wait for each other. */
const DEADLOCK = '40P01'
/** Number of attempts of a migration that locks tables in another order than the statements of running processes. */
const ATTEMPTS = 5

export interface Migration {
  readonly name: string
  readonly text: string
  readonly digest: string
}

/** Reads the migrations in the order in which they are applied. */
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
 * Migrates a database to the newest schema. Migrations only go forward, and each is applied once, in a transaction.
 * Processes that start at the same time wait for each other at an advisory lock, which lasts as long as one of these
 * transactions, because a pooler may run the next transaction on another connection. The embedded database has a
 * single owner and needs no lock.
 * @returns names of the migrations that this process applied now
 * @throws Error if the file of an applied migration has changed, or a migration fails
 */
export async function migrate(source: SessionSource, { lock }: { lock: boolean }): Promise<string[]> {
  const all = await migrations()
  const session = await source.acquire()
  try {
    // A role without the right to create tables can start if the database is up to date.
    const unapplied = (await pending(session, all)) ?? all
    const applied: string[] = []
    for (const migration of unapplied) if (await applyMigration(session, migration, lock)) applied.push(migration.name)
    return applied
  } finally {
    session.release()
  }
}

/** Returns the names of the migrations that a database lacks. @throws Error if the file of an applied migration has changed */
export async function pendingMigrations(source: SessionSource): Promise<string[]> {
  const all = await migrations()
  const session = await source.acquire()
  try {
    return ((await pending(session, all)) ?? all).map(({ name }) => name)
  } finally {
    session.release()
  }
}

/**
 * Returns the migrations that are not applied yet, or undefined if the table of migrations does not exist.
 * @throws Error if the file of an applied migration has changed
 */
async function pending(session: Session, all: readonly Migration[]): Promise<Migration[] | undefined> {
  const [table] = (
    await session.run("select to_regclass(quote_ident(current_schema()) || '.migration') is not null as present")
  ).rows
  if (!table?.['present']) return undefined
  const applied = new Map(
    (await session.run('select name, digest from migration')).rows.map((row) => [row['name'], row['digest']]),
  )
  for (const { name, digest } of all) {
    const appliedDigest = applied.get(name)
    if (appliedDigest !== undefined && appliedDigest !== digest) {
      throw new Error(
        `migration ${name}: the file has changed (digest ${digest}) since it was applied (digest ${appliedDigest}); restore the file and write a new migration instead`,
      )
    }
  }
  return all.filter(({ name }) => !applied.has(name))
}

/**
 * Applies a migration, unless another process has applied it meanwhile. It is tried again after a deadlock with
 * statements of running processes.
 * @returns whether it was applied now
 */
export async function applyMigration(session: Session, migration: Migration, lock: boolean): Promise<boolean> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await apply(session, migration, lock)
    } catch (error) {
      const { cause } = error as { cause?: { code?: string } }
      if (cause?.code !== DEADLOCK || attempt === ATTEMPTS) throw error
    }
  }
}

async function apply(session: Session, { name, text, digest }: Migration, lock: boolean): Promise<boolean> {
  await session.run('begin')
  try {
    if (lock) await session.run(`set local statement_timeout = 0; select pg_advisory_xact_lock(${advisoryLock})`)
    await session.run(
      'create table if not exists migration (name text primary key, digest text not null, applied_at timestamptz not null default now())',
    )
    const isApplied = (await session.run('select from migration where name = $1', [name])).rows.length > 0
    if (!isApplied) {
      // A lock request that waits blocks the statements of readers behind it, so the migration gives up early; the next
      // start applies it.
      await session.run(`set local lock_timeout = '${LOCK_TIMEOUT_SECONDS}s'`)
      await session.run(text)
      await session.run('insert into migration (name, digest) values ($1, $2)', [name, digest])
    }
    await session.run('commit')
    return !isApplied
  } catch (error) {
    await session.run('rollback')
    const { code, message } = error as Error & { code?: string }
    const hint = code === LOCK_NOT_AVAILABLE ? '; a long transaction holds a table: end it and start again' : ''
    throw new Error(`migration ${name}: ${message}${hint}`, { cause: error })
  }
}

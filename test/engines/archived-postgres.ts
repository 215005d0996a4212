import { execFile } from 'node:child_process'
import { appendFile, chmod, cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { nth } from '../../ingest/domain/nth.ts'
import { until } from '../drills/process.ts'
import { down, up } from './native.ts'

const run = promisify(execFile)

/** Longest time for which the server keeps a change to itself, s: the bound of what is lost with its disk. */
export const ARCHIVE_TIMEOUT_SECONDS = 5

/** A PostgreSQL of `infra/native/up` with an archive of its log and a base backup, as infra/OPS.md describes them. */
export class ArchivedPostgres {
  readonly #folder: string
  readonly #port: string
  readonly #data: string
  readonly #archive: string
  readonly #backup: string

  constructor(folder: string, port: string) {
    this.#folder = folder
    this.#port = port
    this.#data = join(folder, 'postgres')
    this.#archive = join(folder, 'wal')
    this.#backup = join(folder, 'base')
  }

  /** Starts the archive of the log, which needs a restart. */
  async archive(): Promise<void> {
    await mkdir(this.#archive, { recursive: true })
    await this.#own(this.#archive)
    const settings = [
      'archive_mode = on',
      `archive_command = 'test ! -f ${this.#archive}/%f && cp %p ${this.#archive}/%f.part && mv ${this.#archive}/%f.part ${this.#archive}/%f'`,
      `archive_timeout = ${ARCHIVE_TIMEOUT_SECONDS}`,
    ]
    await appendFile(join(this.#data, 'postgresql.conf'), `${settings.join('\n')}\n`)
    await down(this.#folder, ['postgres'])
    await up(this.#folder, ['postgres'])
  }

  /** Copies the whole server while it runs. */
  async backUp(): Promise<void> {
    await rm(this.#backup, { recursive: true, force: true })
    const { port, password } = await this.#superuser()
    const args = [
      '-h',
      '127.0.0.1',
      '-p',
      port,
      '-U',
      'postgres',
      '-D',
      this.#backup,
      '--checkpoint=fast',
      '-X',
      'stream',
    ]
    await run(await postgresProgram('pg_basebackup'), args, { env: { ...process.env, PGPASSWORD: password } })
  }

  /** Deletes the server with its disk. The archive and the base backup are elsewhere. */
  async lose(): Promise<void> {
    await down(this.#folder, ['postgres'], { kill: true })
    await rm(this.#data, { recursive: true, force: true })
  }

  /** Restores the server to a point in time, and waits until it takes writes. @param point time of the server's clock */
  async restore(point: Date): Promise<void> {
    await cp(this.#backup, this.#data, { recursive: true })
    // The server refuses the letter Z here.
    const target = point.toISOString().replace('Z', '+00')
    const settings = [
      `restore_command = 'cp ${this.#archive}/%f %p'`,
      `recovery_target_time = '${target}'`,
      "recovery_target_action = 'promote'",
    ]
    await appendFile(join(this.#data, 'postgresql.auto.conf'), `${settings.join('\n')}\n`)
    await writeFile(join(this.#data, 'recovery.signal'), '')
    await chmod(this.#data, 0o700)
    await this.#own(this.#data)
    await up(this.#folder, ['postgres'])
    await until('the server to take writes', 120, async () => {
      const [row] = await this.query<{ recovering: boolean }>('select pg_is_in_recovery() as recovering').catch(
        () => [],
      )
      return row?.recovering === false
    })
  }

  /** Runs a statement as the superuser. */
  async query<T extends pg.QueryResultRow>(text: string): Promise<T[]> {
    const { port, password } = await this.#superuser()
    const client = new pg.Client({
      host: '127.0.0.1',
      port: Number(port),
      user: 'postgres',
      database: 'hexcast',
      password,
    })
    await client.connect()
    return (await client.query<T>(text).finally(() => client.end())).rows
  }

  async #superuser(): Promise<{ port: string; password: string }> {
    return { port: this.#port, password: (await readFile(join(this.#folder, 'postgres.password'), 'utf8')).trim() }
  }

  async #own(path: string): Promise<void> {
    if (process.getuid?.() === 0) await run('chown', ['-R', 'postgres', path])
  }
}

/** Returns the path of a program of the newest installed PostgreSQL. */
async function postgresProgram(name: string): Promise<string> {
  const root = '/usr/lib/postgresql'
  const versions = (await readdir(root)).sort((a, b) => Number(b) - Number(a))
  return join(root, nth(versions, 0), 'bin', name)
}

import { PGlite } from '@electric-sql/pglite'
import { postgis } from '@electric-sql/pglite-postgis'
import { Fault } from '../../ingest/domain/fault.ts'
import { parsers } from '../../ingest/ports/database/database-worker.ts'
import { databaseOver } from '../../ingest/ports/database/over.ts'
import { withoutUnusedParsers } from '../../ingest/ports/database/parsers.ts'
import { postgisOf } from '../../ingest/ports/database/postgis.ts'
import { runStatement } from '../../ingest/ports/database/statements.ts'
import { databaseTemplate } from '../../ingest/ports/database/template.ts'
import { SessionQueue } from '../../ingest/ports/database/turn.ts'
import type { Database } from '../../ingest/ports/database.ts'
import type { Parameter, Result, Session, SessionSource } from '../../sql/session.ts'
import type { Faults } from './faults.ts'
import { IdlePolls } from './idle-polls.ts'
import type { Life } from './life.ts'
import { MemoryFolder } from './memory-folder.ts'

/** PostgreSQL with PostGIS in this thread. Its clock is that of the simulation. It outlives the processes. */
export class SimulatedPostgres {
  readonly #pg: PGlite
  readonly turn = new SessionQueue()
  statements = 0
  readonly polls = new IdlePolls(
    (text, parameters) => this.#statement(text, parameters),
    () => Date.now(),
  )

  private constructor(pg: PGlite) {
    this.#pg = pg
  }

  static async open(): Promise<SimulatedPostgres> {
    const { template, files } = await databaseTemplate()
    if (!template) throw new Error('simulation: the template of the database could not be made')
    const extensions = { postgis: files === undefined ? postgis : postgisOf(files) }
    const fs = new MemoryFolder(template)
    return new SimulatedPostgres(await withoutUnusedParsers(await PGlite.create({ fs, extensions, parsers })))
  }

  run(text: string, parameters?: readonly Parameter[]): Promise<Result> {
    return this.polls.run(text, parameters)
  }

  #statement(text: string, parameters?: readonly Parameter[]): Promise<Result> {
    this.statements++
    return runStatement(this.#pg, text, parameters)
  }

  /** The database as a process sees it: its connections can break, and it rolls back what a dead process had begun. */
  of(life: Life, faults: Faults, kind: Database['kind']): Database {
    return databaseOver(new Connections(this, life, faults), kind)
  }

  close(): Promise<void> {
    return this.#pg.close()
  }
}

const lost = () =>
  new Fault('Refused', 'PostgreSQL does not answer: the connection was lost (simulated). Try again later.')

class Connections implements SessionSource {
  readonly #postgres: SimulatedPostgres
  readonly #life: Life
  readonly #faults: Faults

  constructor(postgres: SimulatedPostgres, life: Life, faults: Faults) {
    this.#postgres = postgres
    this.#life = life
    this.#faults = faults
  }

  async run(text: string, parameters?: readonly Parameter[]): Promise<Result> {
    const session = await this.acquire()
    try {
      return await session.run(text, parameters)
    } finally {
      session.release()
    }
  }

  async acquire(): Promise<Session> {
    const life = this.#life
    const faults = this.#faults
    const postgres = this.#postgres
    const end = await postgres.turn.acquire()
    if (life.isDead) end()
    let isOpen = !life.isDead
    let running: Promise<unknown> = Promise.resolve()
    /** Ends the connection: PostgreSQL rolls back once its running statement is done. */
    const breakOff = () => {
      if (!isOpen) return
      isOpen = false
      forget()
      void running
        .catch(() => undefined)
        .then(() => postgres.run('rollback'))
        .finally(end)
    }
    const forget = life.onDeath(breakOff)
    const release = () => {
      if (!isOpen) return
      isOpen = false
      forget()
      end()
    }
    const statement = (text: string, parameters?: readonly Parameter[]) =>
      life.call(async () => {
        if (!isOpen) throw lost()
        if (faults.hits('database: statement not run')) {
          breakOff()
          throw lost()
        }
        const work = postgres.run(text, parameters)
        running = work
        const result = await work
        if (faults.hits('database: statement run, answer lost')) {
          breakOff()
          throw lost()
        }
        return result
      })
    return life.call(async () => ({
      run: statement,
      finish: (text) => statement(text).finally(release),
      release,
      breakOff,
    }))
  }

  async close(): Promise<void> {}
}

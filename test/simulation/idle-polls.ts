import type { Parameter, Result } from '../../sql/session.ts'

const FETCH = /^\s*WITH\s+next AS \(\s*SELECT j\.id\s+FROM (work\.job\w*)\s+j\s+WHERE j\.name = '([\w-]+)'/
/** Statements about jobs that make none available. */
const HARMLESS = /^\s*(?:select|WITH\s+results AS \(\s*UPDATE work\.\w+\s+SET heartbeat_on)/i
/** Claims of pg-boss's supervision, of which the first is allowed each second, and its list of queues. */
const CLAIM = /^\s*UPDATE work\.\w+\s+SET (monitor_claim_on|maintain_on|reindex_on|bam_on) = now\(\)/
const QUEUES = /^\s*SELECT\s+q\.name,\s+q\.policy/
const NOTHING: Result = { rows: [], affected: 0 }

/** How long after the start of a worker claims pass at least this often, ms. */
const PROMPT_FOR_MS = 300_000
const PROMPT_MS = 60_000
/** How often a claim passes at other times, by its column, ms. */
const CLAIM_MS: Readonly<Record<string, number>> = {
  monitor_claim_on: 300_000,
  bam_on: 3_600_000,
  maintain_on: 3_600_000,
  reindex_on: 86_400_000,
}

/**
 * Stands between pg-boss and PostgreSQL, and answers itself where a statement would find nothing to do: to ask PostgreSQL each time would take
 * most of the time of a simulation. A poll of a queue finds nothing while none of its jobs is due. A claim, with which pg-boss begins to
 * look for jobs of dead workers, passes once in five minutes, and once a minute in the first five minutes of a worker.
 */
export class IdlePolls {
  readonly #run: (text: string, parameters?: readonly Parameter[]) => Promise<Result>
  readonly #now: () => number
  /** Time at which each queue has a job to fetch; undefined if it has to be read. */
  #dueAt: Map<string, number> | undefined
  /** Time until which a claim passes each minute. */
  #supervisedUntil = 0
  /** Time of the last claim of each kind. */
  readonly #claimedAt = new Map<string, number>()
  /** Lists of queues, by statement. They change with a statement that defines queues. */
  readonly #lists = new Map<string, Result>()

  constructor(run: (text: string, parameters?: readonly Parameter[]) => Promise<Result>, now: () => number) {
    this.#run = run
    this.#now = now
  }

  /** Lets claims pass each minute for some minutes, so that the jobs of a dead worker are released soon after a new one starts. */
  supervise(): void {
    this.#supervisedUntil = this.#now() + PROMPT_FOR_MS
  }

  async run(text: string, parameters?: readonly Parameter[]): Promise<Result> {
    if (text === 'rollback') this.#dueAt = undefined
    if (!text.includes('work.')) return this.#run(text, parameters)
    const [, table, queue] = FETCH.exec(text) ?? []
    if (table !== undefined && queue !== undefined) return this.#fetch(table, queue, text, parameters)
    const [, claim] = CLAIM.exec(text) ?? []
    if (claim !== undefined) return this.#claim(claim, text, parameters)
    if (QUEUES.test(text)) return this.#listOf(text, parameters)
    if (!HARMLESS.test(text)) this.#forget(text)
    return this.#run(text, parameters)
  }

  async #fetch(table: string, queue: string, text: string, parameters?: readonly Parameter[]): Promise<Result> {
    if (!this.#dueAt) await this.#readDue(table)
    const due = this.#dueAt?.get(queue) ?? Number.POSITIVE_INFINITY
    if (due > this.#now()) return NOTHING
    const result = await this.#run(text, parameters)
    // A due job that is not fetched waits for the one that runs, whose end is a statement about jobs.
    if (result.rows.length === 0) this.#dueAt?.delete(queue)
    else this.#dueAt = undefined
    return result
  }

  async #readDue(table: string): Promise<void> {
    const dueAt = new Map<string, number>()
    this.#dueAt = dueAt
    const { rows } = await this.#run(
      `select name, min(start_after) as due from ${table} where state in ('created', 'retry') group by name`,
    )
    for (const { name, due } of rows as { name: string; due: Date }[]) dueAt.set(name, due.getTime())
  }

  async #claim(claim: string, text: string, parameters?: readonly Parameter[]): Promise<Result> {
    const name = JSON.stringify([text, parameters ?? []])
    const now = this.#now()
    const interval = now < this.#supervisedUntil ? Math.min(PROMPT_MS, CLAIM_MS[claim] ?? 0) : (CLAIM_MS[claim] ?? 0)
    if (Math.abs(now - (this.#claimedAt.get(name) ?? 0)) < interval) return NOTHING
    this.#claimedAt.set(name, now)
    return this.#run(text, parameters)
  }

  async #listOf(text: string, parameters?: readonly Parameter[]): Promise<Result> {
    const name = JSON.stringify([text, parameters ?? []])
    const list = this.#lists.get(name) ?? (await this.#run(text, parameters))
    this.#lists.set(name, list)
    return { rows: list.rows.map((row) => ({ ...row })), affected: list.affected }
  }

  /** A statement may have added or released jobs. */
  #forget(text: string): void {
    if (/create_queue|work\.queue\b/.test(text)) this.#lists.clear()
    this.#dueAt = undefined
  }
}

import type { Parameter, Result } from '../../sql/session.ts'

const FETCH = /^\s*WITH\s+next AS \(\s*SELECT j\.id\s+FROM (work\.job\w*)\s+j\s+WHERE j\.name = '([\w-]+)'/
/** Statements about jobs that make none available. */
const HARMLESS = /^\s*(?:select|WITH\s+results AS \(\s*UPDATE work\.\w+\s+SET heartbeat_on)/i
/** Claims of pg-boss's supervision, of which the first is allowed each second, and its list of queues. */
const CLAIM = /^\s*UPDATE work\.\w+\s+SET (monitor_claim_on|maintain_on|reindex_on|bam_on) = now\(\)/
const QUEUES = /^\s*SELECT\s+q\.name,\s+q\.policy/
const NOTHING: Result = { rows: [], affected: 0 }

/** Interval of the claim that a worker makes every 5 s, and how long after its start it is shorter, ms. */
const PROMPT_MS = 60_000
const PROMPT_FOR_MS = 300_000
/** Interval of each claim, ms. */
const CLAIM_MS: Readonly<Record<string, number>> = {
  monitor_claim_on: 300_000,
  bam_on: 3_600_000,
  maintain_on: 3_600_000,
  reindex_on: 86_400_000,
}

/**
 * Answers statements of pg-boss that find nothing to do without asking PostgreSQL, which would take most of the time of a simulation:
 * polls of a queue if none of its jobs is due, and supervision within a minute of the last, or within five minutes if no worker has started.
 */
export class IdlePolls {
  readonly #run: (text: string, parameters?: readonly Parameter[]) => Promise<Result>
  readonly #now: () => number
  /** Time at which each queue has a job to fetch; undefined if it has to be read. */
  #dueAt: Map<string, number> | undefined
  /** Time until which each minute has supervision. */
  #supervisedUntil = 0
  /** Time of the last claim of each kind. */
  readonly #claimedAt = new Map<string, number>()
  /** Lists of queues, by statement. They change with a statement that defines queues. */
  readonly #lists = new Map<string, Result>()

  constructor(run: (text: string, parameters?: readonly Parameter[]) => Promise<Result>, now: () => number) {
    this.#run = run
    this.#now = now
  }

  /** Supervision is more frequent for some minutes, so that the jobs of a dead worker are released soon. */
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

import type { Parameter, Result } from '../../sql/session.ts'

const FETCH = /^\s*WITH\s+next AS \(\s*SELECT j\.id\s+FROM work\.job\w*\s+j\s+WHERE j\.name = '([\w-]+)'/
/** Statements about jobs that make none available. */
const HARMLESS = /^\s*(?:select|WITH\s+results AS \(\s*UPDATE work\.\w+\s+SET heartbeat_on)/i
const NOTHING: Result = { rows: [], affected: 0 }

/**
 * Answers polls of pg-boss that cannot find a job without asking PostgreSQL, which would take most of the time of a simulation. A poll of a
 * queue finds nothing if the poll before found nothing, no statement has named the queue since, and no job of the queue has become due.
 */
export class IdlePolls {
  readonly #run: (text: string, parameters?: readonly Parameter[]) => Promise<Result>
  readonly #now: () => number
  /** Time until which each queue has nothing to fetch. */
  readonly #idleUntil = new Map<string, number>()
  skipped = 0

  constructor(run: (text: string, parameters?: readonly Parameter[]) => Promise<Result>, now: () => number) {
    this.#run = run
    this.#now = now
  }

  async run(text: string, parameters?: readonly Parameter[]): Promise<Result> {
    const queue = FETCH.exec(text)?.[1]
    if (queue === undefined) {
      if (text.includes('work.') && !HARMLESS.test(text))
        this.#forget(
          JSON.stringify([text, parameters ?? []], (_, value) => (typeof value === 'bigint' ? String(value) : value)),
        )
      return this.#run(text, parameters)
    }
    if (this.#now() < (this.#idleUntil.get(queue) ?? 0)) {
      this.skipped++
      return NOTHING
    }
    const result = await this.#run(text, parameters)
    if (result.rows.length > 0) return result
    const { rows } = await this.#run(
      "select min(start_after) as due from work.job where name = $1 and state in ('created', 'retry')",
      [queue],
    )
    const due = rows[0]?.['due'] as Date | null | undefined
    // A job of an exclusive queue may also wait for another job, which a statement that names the queue will end.
    const isDue = due && due.getTime() <= this.#now()
    this.#idleUntil.set(queue, isDue ? 0 : (due?.getTime() ?? Number.POSITIVE_INFINITY))
    return result
  }

  /** A statement may have added or released jobs of the queues that it names, or of any queue if it names none. */
  #forget(statement: string): void {
    const named = [...this.#idleUntil.keys()].filter((queue) => statement.includes(queue))
    for (const queue of named.length > 0 ? named : [...this.#idleUntil.keys()]) this.#idleUntil.delete(queue)
  }
}

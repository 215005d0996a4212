import type { Parameter, Result } from '../../sql/session.ts'

/** The poll of the engine for queues with due jobs. */
const DUE = /^select name, count\(\*\) as jobs from work\.job where state < 'active'/
const NEXT_DUE = `select min(start_after) as due from work.job where state < 'active'`
/** Statements about jobs that make none available. */
const HARMLESS =
  /^\s*(?:select|WITH\s+(?:next AS|results AS \(\s*UPDATE work\.\w+\s+SET (?:heartbeat_on|completed_on)))/i
/** Claims of pg-boss's supervision, of which the first is allowed each second, and its list of queues. */
const CLAIM = /^\s*UPDATE work\.\w+\s+SET (monitor_claim_on|maintain_on|reindex_on|bam_on) = now\(\)/
const QUEUES = /^\s*SELECT\s+q\.name,\s+q\.policy/
const DEFINES_QUEUE = /create_queue|work\.queue\b/
const NOTHING: Result = { rows: [], affected: 0 }

/** How long after the start of a worker claims pass at least this often, ms. */
const PROMPT_FOR_MS = 300_000
const PROMPT_MS = 60_000
/** How often a claim passes at other times, by its column, ms. */
const CLAIM_MS: Readonly<Record<string, number>> = {
  monitor_claim_on: 900_000,
  bam_on: 3_600_000,
  maintain_on: 3_600_000,
  reindex_on: 86_400_000,
}

type Kind = 'other' | 'due' | 'claim' | 'queues' | 'harmless' | 'change'

/**
 * Stands between pg-boss and PostgreSQL, and answers itself where a statement would find nothing to do. A poll for due jobs finds nothing
 * while no job is due. A claim, with which pg-boss begins to look for jobs of dead workers, passes once in 15 minutes, and once a minute in
 * the first five minutes of a worker.
 */
export class IdlePolls {
  readonly #run: (text: string, parameters?: readonly Parameter[]) => Promise<Result>
  readonly #now: () => number
  /** Time at which the next job is due; undefined if it has to be read. */
  #dueAt: number | undefined
  #changes = 0
  /** Time until which a claim passes each minute. */
  #supervisedUntil = 0
  /** Time of the last claim of each kind. */
  readonly #claimedAt = new Map<string, number>()
  /** Lists of queues, by statement. They change with a statement that defines queues. */
  readonly #lists = new Map<string, Result>()
  readonly #kinds = new Map<string, Kind>()

  constructor(run: (text: string, parameters?: readonly Parameter[]) => Promise<Result>, now: () => number) {
    this.#run = run
    this.#now = now
  }

  /** Lets claims pass each minute for some minutes, so that the jobs of a dead worker are released soon after a new one starts. */
  supervise(): void {
    this.#supervisedUntil = this.#now() + PROMPT_FOR_MS
  }

  run(text: string, parameters?: readonly Parameter[]): Promise<Result> {
    switch (this.#kindOf(text)) {
      case 'due':
        return this.#due(text, parameters)
      case 'claim':
        return this.#claim(text, parameters)
      case 'queues':
        return this.#listOf(text, parameters)
      case 'change':
        this.#forget(text)
    }
    return this.#run(text, parameters)
  }

  #kindOf(text: string): Kind {
    let kind = this.#kinds.get(text)
    if (!kind) {
      kind = kindOf(text)
      // The texts of some statements contain values, so that there is no end of them.
      if (this.#kinds.size > 5000) this.#kinds.clear()
      this.#kinds.set(text, kind)
    }
    return kind
  }

  async #due(text: string, parameters?: readonly Parameter[]): Promise<Result> {
    if (this.#dueAt === undefined) {
      const changes = this.#changes
      const { rows } = await this.#run(NEXT_DUE)
      const dueAt = (rows[0]?.['due'] as Date | null | undefined)?.getTime() ?? Number.POSITIVE_INFINITY
      if (dueAt > this.#now()) {
        if (changes === this.#changes) this.#dueAt = dueAt
        return NOTHING
      }
      return this.#run(text, parameters)
    }
    if (this.#dueAt > this.#now()) return NOTHING
    this.#dueAt = undefined
    return this.#run(text, parameters)
  }

  async #claim(text: string, parameters?: readonly Parameter[]): Promise<Result> {
    const longest = CLAIM_MS[CLAIM.exec(text)?.[1] ?? ''] ?? 0
    const name = JSON.stringify([text, parameters ?? []])
    const now = this.#now()
    const interval = now < this.#supervisedUntil ? Math.min(PROMPT_MS, longest) : longest
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
    if (DEFINES_QUEUE.test(text)) this.#lists.clear()
    this.#dueAt = undefined
    this.#changes++
  }
}

function kindOf(text: string): Kind {
  if (text === 'rollback') return 'change'
  if (!text.includes('work.')) return 'other'
  if (DUE.test(text)) return 'due'
  if (CLAIM.test(text)) return 'claim'
  if (QUEUES.test(text)) return 'queues'
  return HARMLESS.test(text) ? 'harmless' : 'change'
}

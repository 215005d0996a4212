import { gridDatasets } from '../ingest/catalog.ts'
import { type Config, takes } from '../ingest/config.ts'
import { nwsAlerts } from '../ingest/datasets/alerts.ts'
import { hrrr } from '../ingest/datasets/hrrr.ts'
import { nbm } from '../ingest/datasets/nbm.ts'
import { rtma } from '../ingest/datasets/rtma.ts'
import { rtmaRu } from '../ingest/datasets/rtma-ru.ts'
import { SECOND } from '../ingest/domain/time.ts'
import type { StepNote } from './activities.ts'
import type { Engine, Schedule } from './engine.ts'

/** The datasets of an answer: what is now, and the next two days. */
const needed = [rtmaRu, rtma, nbm, hrrr]
/** Alerts are read from the first second. */
const firstSchedules: ReadonlySet<string> = new Set([
  ...needed.map(({ id }) => `watch-runs/${id}`),
  `sweep-feed/${nwsAlerts.id}`,
])
/** Longest time for which other work waits, ms: a source may be away. */
const LONGEST_MS = 120 * SECOND

/** Datasets and domains whose first stage has to be published before answers are whole everywhere. */
export class FirstAnswers {
  /** Resolves with true when each has been published or rejected, with false after two minutes or by `end`. */
  readonly over: Promise<boolean>
  readonly #missing: Set<string>
  readonly #over = Promise.withResolvers<boolean>()

  /** @param served the datasets and domains that are served already */
  constructor(config: Pick<Config, 'datasets'>, served: readonly { dataset: string; domain: string }[]) {
    const wanted = gridDatasets.filter((dataset) => needed.includes(dataset) && takes(config, dataset.id))
    const domainsOf = ({ id, domains }: (typeof wanted)[number]) => domains.map((domain) => keyOf(id, domain.id))
    // A dataset that is served in a domain was here before this start: this is not the first.
    const isFirst = wanted.some(({ id }) => !served.some(({ dataset }) => dataset === id))
    this.#missing = new Set(isFirst ? wanted.flatMap(domainsOf) : [])
    for (const { dataset, domain } of served) this.#missing.delete(keyOf(dataset, domain))
    this.over = this.#over.promise
    if (this.#missing.size === 0) this.#over.resolve(true)
    else setTimeout(() => this.end(), LONGEST_MS).unref()
  }

  /** Number of first stages that answers still lack. */
  get missing(): number {
    return this.#missing.size
  }

  /** Whether an answer still lacks something that other work has to wait for. */
  get isAwaited(): boolean {
    return this.#missing.size > 0
  }

  /** Takes note of a step of the worker. */
  note({ step, dataset = '', domain = '' }: StepNote): void {
    if (step !== 'publish' || !this.isAwaited) return
    for (const one of domain.split('+')) this.#missing.delete(keyOf(dataset, one))
    if (!this.isAwaited) this.#over.resolve(true)
  }

  /** Lets other work begin. */
  end(): void {
    this.#missing.clear()
    this.#over.resolve(false)
  }
}

const keyOf = (dataset: string, domain: string) => `${dataset}/${domain}`

/**
 * Schedules all work and begins it. At a first start, what an answer needs is read before anything else; the schedules of
 * Temporal belong to all workers and begin together.
 * @returns a function after which nothing more is scheduled
 */
export async function workInOrder(
  engine: Engine,
  all: readonly Schedule[],
  first: FirstAnswers,
  note: (step: StepNote) => void,
  report: (subject: string, error: unknown) => void,
): Promise<() => void> {
  const waits = first.isAwaited && engine.kind === 'embedded'
  await engine.schedule(waits ? all.filter(({ id }) => firstSchedules.has(id)) : all)
  await engine.work()
  if (!waits) return () => first.end()
  const beganAt = Date.now()
  let isStopping = false
  const detail = 'reading the newest analyses and forecasts; radar, texts and the rest follow'
  note({ step: 'first', detail, total: first.missing })
  void first.over.then((isWhole) => {
    if (isStopping) return
    const seconds = ((Date.now() - beganAt) / 1000).toFixed(0)
    const outcome = isWhole ? `answers have the next two days after ${seconds} s` : 'reading the rest too'
    note({ step: 'first', detail: outcome })
    engine.schedule(all).catch((error: unknown) => report('schedules', error))
  })
  return () => {
    isStopping = true
    first.end()
  }
}

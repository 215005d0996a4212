import { gridDatasets } from '../ingest/catalog.ts'
import type { Config } from '../ingest/config.ts'
import { nwsAlerts } from '../ingest/datasets/alerts.ts'
import { hrrr } from '../ingest/datasets/hrrr.ts'
import { nbm } from '../ingest/datasets/nbm.ts'
import { rtma } from '../ingest/datasets/rtma.ts'
import { rtmaRu } from '../ingest/datasets/rtma-ru.ts'
import { takes } from '../ingest/domain/dataset/takes.ts'
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
/** Longest time for which other work waits for each part, ms: a source may be away. */
const LONGEST_MS = 120 * SECOND

/** Stages of runs that have to be published before other work begins. */
class Awaited {
  /** Resolves with true when each has been published or rejected, with false by `end`. */
  readonly over: Promise<boolean>
  readonly #missing: Set<string>
  readonly #over = Promise.withResolvers<boolean>()

  constructor(stages: readonly string[]) {
    this.#missing = new Set(stages)
    this.over = this.#over.promise
    if (stages.length === 0) this.#over.resolve(true)
  }

  get missing(): number {
    return this.#missing.size
  }

  remove(stage: string): void {
    if (this.#missing.delete(stage) && this.#missing.size === 0) this.#over.resolve(true)
  }

  end(): void {
    this.#missing.clear()
    this.#over.resolve(false)
  }
}

/** The stages that answers need first at a first start: of analyses and of the next two days, then of NBM's later days. */
export class FirstAnswers {
  readonly #hours: Awaited
  readonly #days: Awaited

  /** @param served the datasets and domains that are served already */
  constructor(config: Pick<Config, 'datasets'>, served: readonly { dataset: string; domain: string }[]) {
    const wanted = gridDatasets.filter((dataset) => needed.includes(dataset) && takes(config, dataset.id))
    const servedKeys = new Set(served.map(({ dataset, domain }) => stageKey(dataset, domain, 0)))
    const stagesOf = (stage: number, { id, domains }: (typeof wanted)[number]) =>
      domains.map((domain) => stageKey(id, domain.id, stage))
    // A dataset that is served in a domain was here before this start: this is not the first.
    const isFirst = wanted.some(({ id }) => !served.some(({ dataset }) => dataset === id))
    const hours = isFirst ? wanted.flatMap((dataset) => stagesOf(0, dataset)) : []
    this.#hours = new Awaited(hours.filter((stage) => !servedKeys.has(stage)))
    const isNbmNew = isFirst && wanted.includes(nbm) && !served.some(({ dataset }) => dataset === nbm.id)
    this.#days = new Awaited(isNbmNew ? stagesOf(1, nbm) : [])
    if (this.isAwaited) setTimeout(() => this.#hours.end(), LONGEST_MS).unref()
    void this.#hours.over.then(() => setTimeout(() => this.#days.end(), LONGEST_MS).unref())
  }

  /** Resolves with true when the first stages have been published or rejected, with false after two minutes or by `end`. */
  get over(): Promise<boolean> {
    return this.#hours.over
  }

  /** Resolves when answers have all days too, after two more minutes, or by `end`. */
  get daysOver(): Promise<boolean> {
    return this.#days.over
  }

  /** Number of first stages that answers still lack. */
  get missing(): number {
    return this.#hours.missing
  }

  /** Whether an answer still lacks something that other work has to wait for. */
  get isAwaited(): boolean {
    return this.missing > 0
  }

  /** Takes note of a step of the worker. */
  note({ step, dataset = '', domain = '', stage = 0 }: StepNote): void {
    if (step !== 'publish') return
    for (const part of domain.split('+')) {
      this.#hours.remove(stageKey(dataset, part, stage))
      this.#days.remove(stageKey(dataset, part, stage))
    }
  }

  /** Lets other work begin. */
  end(): void {
    this.#hours.end()
    this.#days.end()
  }
}

const stageKey = (dataset: string, domain: string, stage: number) => `${dataset}/${domain}/${stage}`

/** Whether a schedule reads model runs that no first answer needs: they are most of the work of a first start. */
const isLaterRun = ({ id }: Schedule) => /^(?:watch|past)-runs\//.test(id) && !firstSchedules.has(id)

/**
 * Schedules all work and begins it. At a first start, what an answer needs is read before anything else, and other model
 * runs after NBM's later days; the schedules of Temporal belong to all workers and begin together.
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
  const schedule = (part: readonly Schedule[]) =>
    engine.schedule(part).catch((error: unknown) => report('schedules', error))
  const detail = 'reading the newest analyses and forecasts; radar, texts and the rest follow'
  note({ step: 'first', detail, total: first.missing })
  void first.over.then((isWhole) => {
    if (isStopping) return
    const seconds = ((Date.now() - beganAt) / 1000).toFixed(0)
    const outcome = isWhole ? `answers have the next two days after ${seconds} s` : 'reading the rest too'
    note({ step: 'first', detail: outcome })
    void schedule(all.filter((part) => !isLaterRun(part)))
    void first.daysOver.then(() => {
      if (!isStopping) void schedule(all)
    })
  })
  return () => {
    isStopping = true
    first.end()
  }
}

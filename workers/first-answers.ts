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

/** The datasets of a first answer: the current weather, and the next two days. */
const needed = [rtmaRu, rtma, nbm, hrrr]
/** Alerts are read from the first second. */
const firstSchedules: ReadonlySet<string> = new Set([
  ...needed.map(({ id }) => `watch-runs/${id}`),
  `sweep-feed/${nwsAlerts.id}`,
])
/** Longest time that other work waits for each part, ms, because a source may be unavailable. */
const LONGEST_MS = 120 * SECOND

/** Stages of runs that are published before other work begins. */
class Awaited {
  /** Resolves with true when each stage has been published or rejected, and with false when `end` is called. */
  readonly settled: Promise<boolean>
  readonly #missing: Set<string>
  readonly #settled = Promise.withResolvers<boolean>()

  constructor(stages: readonly string[]) {
    this.#missing = new Set(stages)
    this.settled = this.#settled.promise
    if (stages.length === 0) this.#settled.resolve(true)
  }

  get missing(): number {
    return this.#missing.size
  }

  remove(stage: string): void {
    if (this.#missing.delete(stage) && this.#missing.size === 0) this.#settled.resolve(true)
  }

  end(): void {
    this.#missing.clear()
    this.#settled.resolve(false)
  }
}

/** The stages that answers need at a first start: first the analyses and the next two days, then NBM's later days. */
export class FirstAnswers {
  readonly #hours: Awaited
  readonly #days: Awaited

  /** @param served the datasets and domains that are already served */
  constructor(config: Pick<Config, 'datasets'>, served: readonly { dataset: string; domain: string }[]) {
    const datasets = gridDatasets.filter((dataset) => needed.includes(dataset) && takes(config, dataset.id))
    const servedKeys = new Set(served.map(({ dataset, domain }) => stageKey(dataset, domain, 0)))
    const stagesOf = (stage: number, { id, domains }: (typeof datasets)[number]) =>
      domains.map((domain) => stageKey(id, domain.id, stage))
    // If a dataset is served in any domain, it was ingested before, and this is not its first start.
    const isFirst = datasets.some(({ id }) => !served.some(({ dataset }) => dataset === id))
    const hours = isFirst ? datasets.flatMap((dataset) => stagesOf(0, dataset)) : []
    this.#hours = new Awaited(hours.filter((stage) => !servedKeys.has(stage)))
    const isNbmNew = isFirst && datasets.includes(nbm) && !served.some(({ dataset }) => dataset === nbm.id)
    this.#days = new Awaited(isNbmNew ? stagesOf(1, nbm) : [])
    if (this.isAwaited) setTimeout(() => this.#hours.end(), LONGEST_MS).unref()
    void this.#hours.settled.then(() => setTimeout(() => this.#days.end(), LONGEST_MS).unref())
  }

  /**
   * Resolves with true when the first stages have been published or rejected, and with false after two minutes or when
   * `end` is called.
   */
  get settled(): Promise<boolean> {
    return this.#hours.settled
  }

  /**
   * Resolves when NBM's later days have been published or rejected too, after two more minutes, or when `end` is
   * called.
   */
  get daysSettled(): Promise<boolean> {
    return this.#days.settled
  }

  /** Number of first stages that answers still lack. */
  get missing(): number {
    return this.#hours.missing
  }

  /** Whether other work still has to wait for a first stage. */
  get isAwaited(): boolean {
    return this.missing > 0
  }

  /** Removes the stages that a step of the worker has published. */
  note({ step, dataset = '', domain = '', stage = 0 }: StepNote): void {
    if (step !== 'publish') return
    for (const part of domain.split('+')) {
      this.#hours.remove(stageKey(dataset, part, stage))
      this.#days.remove(stageKey(dataset, part, stage))
    }
  }

  /** Ends the wait, so that other work begins. */
  end(): void {
    this.#hours.end()
    this.#days.end()
  }
}

const stageKey = (dataset: string, domain: string, stage: number) => `${dataset}/${domain}/${stage}`

/** Whether a schedule reads model runs that no first answer needs. These are most of the work of a first start. */
const isLaterRun = ({ id }: Schedule) => /^(?:watch|past)-runs\//.test(id) && !firstSchedules.has(id)

/**
 * Creates all schedules and starts the engine. At a first start on the embedded engine, the first answers are read
 * before anything else, and other model runs follow after NBM's later days. The schedules of Temporal are shared by all
 * workers and start together.
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
  const detail = 'reading the newest analyses and forecasts first; radar, texts and other sources follow'
  note({ step: 'first', detail, total: first.missing })
  void first.settled.then((isWhole) => {
    if (isStopping) return
    const seconds = ((Date.now() - beganAt) / 1000).toFixed(0)
    const outcome = isWhole ? `answers have the next two days after ${seconds} s` : 'reading the other sources too'
    note({ step: 'first', detail: outcome })
    void schedule(all.filter((part) => !isLaterRun(part)))
    void first.daysSettled.then(() => {
      if (!isStopping) void schedule(all)
    })
  })
  return () => {
    isStopping = true
    first.end()
  }
}

import type { StepNote } from '../workers/activities.ts'

/** One stage of a model run in progress. */
interface StageProgress {
  readonly name: string
  readonly text: string
  readonly total: number
  readonly startedAt: number
  /** Times at which the most recent files were finished, oldest first. */
  readonly paces: { readonly at: number; readonly done: number }[]
  done: number
}

/**
 * Number of recent files from whose pace the expected end is estimated. The pace of the whole stage would be wrong,
 * because files that an earlier start has sampled are finished at once.
 */
const PACE_NOTES = 8

/** Maximum number of runs in memory. Beyond it the oldest run is dropped. */
const MAX_RUNS = 200
/** Maximum number of stages in progress that are shown or written. */
export const RUN_ROWS = 8
const FRAMES_SUMMARY_MS = 300_000

/** Texts for the operator by outcome of publishing. */
const outcomeTexts: Readonly<Record<string, string>> = {
  already: 'already published, nothing changed',
  superseded: 'superseded by a newer run',
  rejected: 'rejected, the served run stays',
}

/** Steps whose names are omitted from the line because dataset and text identify them. */
const PLAIN_STEPS: ReadonlySet<string> = new Set(['feed', 'first', 'frame', 'plan', 'late'])

/**
 * Removes the run at the start of a reason, such as `gfs/conus/2026-11-23T06Z: `, because the line also begins with the
 * run.
 */
const withoutRun = (detail: string) => detail.replace(/^[\w-]+\/[\w+-]+\/\w[\w-]*: /, '')

/**
 * Converts the worker's steps to lines for the operator: a line for each stage of a run when it ends, and summaries of
 * frames.
 */
export class RunProgress {
  readonly #clock: () => number
  readonly #stages = new Map<string, StageProgress>()
  readonly #announced = new Map<string, string>()
  readonly #frames = new Set<string>()
  #isFirstAwaited = false
  #frameCount = 0
  #framesSince: number

  constructor(clock: () => number) {
    this.#clock = clock
    this.#framesSince = clock()
  }

  /** @returns the line for this step, or undefined if there is nothing new to report */
  line({ step, dataset, domain, run, detail, done, total }: StepNote): string | undefined {
    const name = [dataset, domain, run].filter(Boolean).join(' ')
    if (step === 'first') this.#isFirstAwaited = total !== undefined
    if (step === 'plan' && total !== undefined) {
      this.#planned(name, detail ?? '', total)
      return undefined
    }
    if (step === 'sample' && done !== undefined) {
      const stage = this.#stages.get(name)
      if (stage) {
        stage.done = Math.min(stage.total, stage.done + done)
        stage.paces.push({ at: this.#clock(), done: stage.done })
        if (stage.paces.length > PACE_NOTES) stage.paces.shift()
      }
      return undefined
    }
    if (step === 'publish') return this.#published(name, detail ?? '')
    if (step === 'frame' && detail === undefined) return this.#frame(dataset ?? '')
    const text = [name, PLAIN_STEPS.has(step) ? '' : step, withoutRun(detail ?? '')].filter(Boolean).join(': ')
    // A feed that is read every minute, or a stage that waits for its files, is reported once, whatever its counts are.
    const pattern = step === 'feed' || step === 'plan' ? text.replace(/\d+/g, '#') : text
    return this.#isNew(step === 'feed' ? `feed ${pattern}` : `${step} ${name}`, pattern) ? text : undefined
  }

  /** Returns the stages in progress, with the seconds until their expected end if that can be estimated. */
  active(): { name: string; text: string; done: number; total: number; secondsLeft?: number }[] {
    const now = this.#clock()
    return [...this.#stages.values()]
      .filter(({ done, total }) => done < total)
      .map(({ name, text, done, total, paces }) => {
        const [first] = paces
        const recent = first ? done - first.done : 0
        const secondsLeft = first && recent > 0 ? (((now - first.at) / recent) * (total - done)) / 1000 : undefined
        return { name, text, done, total, ...(secondsLeft !== undefined && { secondsLeft }) }
      })
  }

  /**
   * Returns when answers are expected to be complete for the first time; undefined if they are complete, or if nothing
   * is in progress yet.
   */
  expectation(): string | undefined {
    const rows = this.#isFirstAwaited ? this.active() : []
    if (rows.length === 0) return undefined
    const seconds = Math.max(...rows.map(({ secondsLeft }) => secondsLeft ?? Number.POSITIVE_INFINITY))
    return seconds === Number.POSITIVE_INFINITY
      ? 'first complete answers: not yet estimated'
      : `first complete answers in about ${Math.ceil(seconds)} s`
  }

  #planned(name: string, text: string, total: number): void {
    // A stage is planned again whenever its workflow resumes.
    if (!this.#isNew(`plan ${name}`, text)) return
    if (this.#stages.size >= MAX_RUNS) deleteOldest(this.#stages)
    this.#stages.set(name, {
      name,
      text,
      total,
      startedAt: this.#clock(),
      paces: [{ at: this.#clock(), done: 0 }],
      done: 0,
    })
  }

  #published(name: string, detail: string): string | undefined {
    const stage = this.#stages.get(name)
    this.#stages.delete(name)
    const [states = '', ...reasons] = detail.split(': ')
    // The states have one outcome for each domain of the run.
    const outcome = [...new Set(states.split(', ').map((state) => outcomeTexts[state] ?? state))].join(', ')
    const [part, files] = stage
      ? [`${stage.text.replace(/:.*/, '')} `, `, ${stage.total} file${stage.total === 1 ? '' : 's'}`]
      : ['', '']
    const text = `${name}: ${[part + outcome + files, ...reasons].join(': ')}`
    if (!this.#isNew(`publish ${name}`, `${stage?.text} ${text}`)) return undefined
    return stage ? `${text} (${((this.#clock() - stage.startedAt) / 1000).toFixed(1)} s)` : text
  }

  #frame(dataset: string): string | undefined {
    this.#frameCount++
    const isFirst = !this.#frames.has(dataset)
    this.#frames.add(dataset)
    if (isFirst) return `${dataset}: first frames`
    const now = this.#clock()
    if (now - this.#framesSince < FRAMES_SUMMARY_MS) return undefined
    const text = `frames: ${this.#frameCount} new in ${Math.round((now - this.#framesSince) / 60_000)} min`
    this.#frameCount = 0
    this.#framesSince = now
    return text
  }

  #isNew(key: string, text: string): boolean {
    if (this.#announced.get(key) === text) return false
    this.#announced.delete(key)
    this.#announced.set(key, text)
    if (this.#announced.size > 5 * MAX_RUNS) deleteOldest(this.#announced)
    return true
  }
}

function deleteOldest(map: Map<string, unknown>): void {
  for (const key of map.keys()) return void map.delete(key)
}

import type { StepNote } from '../workers/activities.ts'

/** One stage of a model run in progress. */
interface StageProgress {
  readonly name: string
  readonly text: string
  readonly total: number
  readonly startedAt: number
  /** When the last files were done, the oldest first. */
  readonly paces: { readonly at: number; readonly done: number }[]
  done: number
}

/** Notes by which the expected end is estimated: what an earlier start has sampled is done at once, at a pace that the rest does not have. */
const PACE_NOTES = 8

/** Runs remembered after their last step; beyond it the oldest are dropped. */
const MAX_RUNS = 200
/** Rows of what is worked on that are shown or written. */
export const RUN_ROWS = 8
const FRAMES_SUMMARY_MS = 300_000

/** What the outcomes of publishing mean for an operator. */
const outcomes: Readonly<Record<string, string>> = {
  already: 'already published, nothing changed',
  superseded: 'superseded: a newer run is served',
  rejected: 'rejected: readers keep the served run',
}

/** Steps that are clear from the name of their dataset and from their text. */
const PLAIN_STEPS: ReadonlySet<string> = new Set(['feed', 'frame', 'plan', 'late'])

/** Reasons begin with the run that the line begins with, too: `gfs/conus/2026-11-23T06Z: `. */
const withoutRun = (detail: string) => detail.replace(/^[\w-]+\/[\w+-]+\/\w[\w-]*: /, '')

/** Turns the worker's steps into lines for the operator: one a run and stage, when it ends; summaries of frames. */
export class RunProgress {
  readonly #clock: () => number
  readonly #stages = new Map<string, StageProgress>()
  readonly #announced = new Map<string, string>()
  readonly #frames = new Set<string>()
  #frameCount = 0
  #framesSince: number

  constructor(clock: () => number) {
    this.#clock = clock
    this.#framesSince = clock()
  }

  /** @returns the line for this step; undefined where there is nothing new to report */
  line({ step, dataset, domain, run, detail, done, total }: StepNote): string | undefined {
    const name = [dataset, domain, run].filter(Boolean).join(' ')
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
    // A feed that is read every minute is reported once, whatever its counts are; so is a stage whose files come one by one.
    const form = step === 'feed' || step === 'plan' ? text.replace(/\d+/g, '#') : text
    return this.#isNew(step === 'feed' ? `feed ${form}` : `${step} ${name}`, form) ? text : undefined
  }

  /** Stages in progress, for a live table: share done, and seconds until the expected end where it can be estimated. */
  active(): { name: string; text: string; done: number; total: number; secondsLeft?: number }[] {
    const now = this.#clock()
    return [...this.#stages.values()]
      .filter(({ done, total }) => done < total)
      .map(({ name, text, done, total, paces }) => {
        const [first] = paces
        const lately = first ? done - first.done : 0
        const secondsLeft = lately > 0 ? (((now - first!.at) / lately) * (total - done)) / 1000 : undefined
        return { name, text, done, total, ...(secondsLeft !== undefined && { secondsLeft }) }
      })
  }

  #planned(name: string, text: string, total: number): void {
    // A stage is planned again whenever its workflow resumes.
    if (!this.#isNew(`plan ${name}`, text)) return
    if (this.#stages.size >= MAX_RUNS) this.#stages.delete(this.#stages.keys().next().value!)
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
    // One outcome a domain of the run.
    const outcome = [...new Set(states.split(', ').map((state) => outcomes[state] ?? state))].join(', ')
    const [part, files] = stage
      ? [`${stage.text.replace(/:.*/, '')} `, `, ${stage.total} file${stage.total === 1 ? '' : 's'}`]
      : ['', '']
    const text = `${name}: ${[part + outcome + files, ...reasons].join(': ')}`
    if (!this.#isNew(`publish ${name}`, `${stage?.text} ${text}`)) return undefined
    return stage ? `${text} (${((this.#clock() - stage.startedAt) / 1000).toFixed(1)} s)` : text
  }

  #frame(dataset: string): string | undefined {
    this.#frameCount++
    const known = this.#frames.has(dataset)
    this.#frames.add(dataset)
    if (!known) return `${dataset}: first frames`
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
    if (this.#announced.size > 5 * MAX_RUNS) this.#announced.delete(this.#announced.keys().next().value!)
    return true
  }
}

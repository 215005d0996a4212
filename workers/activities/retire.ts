import { type Instant, MINUTE } from '../../ingest/domain/time.ts'
import { within } from '../../ingest/ports/time-limit.ts'
import { historySecondsOf } from '../../ingest/steps/history.ts'
import { recordRetired, recordRetirementFailure } from '../../sql/queries/retirement.ts'
import type { Activities, ActivityDeps } from '../activities.ts'
import { type Retirement, retirements } from './retirements.ts'

export type { Retirement } from './retirements.ts'

/** Time after which the next step no longer waits for a step, ms. Most take seconds. */
const STEP_MS = 10 * MINUTE
const MAX_FAILURE_CHARS = 500

/**
 * Removes data that is no longer needed. Steps that remove objects run one after the other; steps that remove only rows
 * run concurrently with them. A step that fails or hangs is reported and does not stop the others; at the end the
 * activity throws the first error. The time of each step's last success is stored.
 */
export function retireActivity(
  deps: ActivityDeps,
  list: readonly Retirement[] = retirements,
  stepMs = STEP_MS,
): Pick<Activities, 'retire'> {
  const { historyDays, objects } = deps.config
  /** Steps in progress. A step that hangs is not started again. */
  const running = new Set<string>()

  async function run({ subject, unit, remove }: Retirement, now: Instant, historySeconds: number): Promise<void> {
    const removed = await remove(deps, now, historySeconds)
    if (removed === undefined) return
    for (const [dataset, count] of typeof removed === 'number' ? [[subject, removed] as const] : removed)
      if (count > 0) deps.note({ step: 'retire', dataset, detail: `${count} ${unit}` })
    await record(() => recordRetired(deps.database, subject))
  }

  async function runLane(
    steps: readonly Retirement[],
    now: Instant,
    historySeconds: number,
    errors: unknown[],
  ): Promise<void> {
    for (const step of steps) {
      const { subject } = step
      try {
        if (running.has(subject)) throw new Error('the previous attempt has not ended yet')
        running.add(subject)
        const work = run(step, now, historySeconds).finally(() => running.delete(subject))
        await within(stepMs, work, () => new Error(`has not ended within ${stepMs / 1000} s; the next step continues`))
      } catch (error) {
        errors.push(error)
        const reason = error instanceof Error ? error.message : String(error)
        deps.note({ step: 'retire', dataset: subject, detail: `failed: ${reason}` })
        const failure = reason.slice(0, MAX_FAILURE_CHARS)
        await record(() => recordRetirementFailure(deps.database, subject, failure))
      }
    }
  }

  /** While the database is unreachable nothing is stored; the age of the last success then grows. */
  const record = async (write: () => Promise<void>): Promise<void> => {
    try {
      await write()
    } catch {
      // A failed record does not change the outcome of the step.
    }
  }

  return {
    async retire() {
      // A step that runs at a time of day must not miss it because the previous steps took long.
      const now = deps.clock()
      const historySeconds = await historySecondsOf(historyDays, objects.kind === 'folder' ? objects.folder : undefined)
      const errors: unknown[] = []
      await Promise.all([
        runLane(
          list.filter(({ removesObjects }) => removesObjects),
          now,
          historySeconds,
          errors,
        ),
        runLane(
          list.filter(({ removesObjects }) => !removesObjects),
          now,
          historySeconds,
          errors,
        ),
      ])
      if (errors.length > 0) throw errors[0]
    },
  }
}

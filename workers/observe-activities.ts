import { isFault } from '../ingest/domain/fault.ts'
import { fullStorage } from '../ingest/ports/storage-full.ts'
import { inSpan, traceIdOf } from '../ingest/ports/trace.ts'
import type { Activities, RunInput } from './activities.ts'
import type { WorkerMetrics } from './metrics.ts'

export interface StepLog {
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
}

export const silentLog: StepLog = { info() {}, warn() {} }

type ObservedStep = (input?: unknown) => Promise<unknown>

/**
 * Wraps each activity so that it writes one log line, one observation of its duration and one span of its run's trace.
 */
export function observeActivities(activities: Activities, metrics: WorkerMetrics, log: StepLog): Activities {
  const steps = Object.entries(activities).map(([step, run]) => [
    step,
    observe(step, run as ObservedStep, metrics, log),
  ])
  return Object.fromEntries(steps) as Activities
}

function observe(step: string, run: ObservedStep, metrics: WorkerMetrics, log: StepLog): ObservedStep {
  return (input) => {
    const fields = fieldsOf(input)
    const traceName = traceNameOf(step, input)
    const startedAt = performance.now()
    const end = (outcome: string) => {
      const seconds = (performance.now() - startedAt) / 1000
      metrics.steps.observe({ step, outcome }, seconds)
      return { step, outcome, seconds: Math.round(seconds * 1000) / 1000, ...fields, trace: traceIdOf(traceName) }
    }
    return inSpan(traceName, step, fields, async () => {
      try {
        const result = await run(input)
        const outcome = (result as { state?: string } | undefined)?.state === 'waiting' ? 'waiting' : 'ok'
        log.info(end(outcome), 'step')
        return result
      } catch (error) {
        const fault = isFault(error) ? error.kind : 'bug'
        metrics.failures.inc({ step, fault })
        const storage = fullStorage(error)
        if (storage) metrics.storageFull.inc({ storage })
        const stack = fault === 'bug' && error instanceof Error ? error.stack : undefined
        log.warn({ ...end(fault), error: error instanceof Error ? error.message : String(error), stack }, 'step')
        throw error
      }
    })
  }
}

/** Returns the name of the run, so that all its steps are in one trace; each other step has its own trace. */
function traceNameOf(step: string, input: unknown): string {
  const { dataset, domains, run } = (input ?? {}) as Partial<RunInput>
  if (run) return `grid-run/${dataset}/${domains?.join('+') ?? ''}/${run}`
  return `${step}/${dataset ?? ''}/${performance.timeOrigin + performance.now()}`
}

function fieldsOf(input: unknown): Record<string, string | number> {
  const { dataset, domains, run, stage, file } = (input ?? {}) as Partial<RunInput> & {
    stage?: number
    file?: { leadHours: number }
  }
  const all = { dataset, domains: domains?.join('+'), run, stage, lead: file?.leadHours }
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined)) as Record<
    string,
    string | number
  >
}

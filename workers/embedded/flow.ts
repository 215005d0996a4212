import { setTimeout as pause } from 'node:timers/promises'
import { isFault } from '../../ingest/domain/fault.ts'
import { type Instant, SECOND } from '../../ingest/domain/time.ts'
import { within } from '../../ingest/ports/time-limit.ts'
import type { Activities } from '../activities.ts'
import type { Engine } from '../engine.ts'
import { type ActivityName, retryPolicies, waitAfter } from '../retry.ts'
import type { Flow } from '../workflows/flow.ts'

/**
 * Thrown to leave a workflow that waits longer than it may keep its lease. The workflow is restarted from its first
 * line at `at`.
 */
export class WorkflowSuspended extends Error {
  override readonly name = 'WorkflowSuspended'
  readonly at: Instant
  /** Amount by which the priority is lowered from now on. */
  readonly back: number
  constructor(at: Instant, back = 0) {
    super(`waits until ${new Date(at).toISOString()}`)
    this.at = at
    this.back = back
  }
}

/** Thrown before a step if another process has taken the workflow over because this process counted as dead. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost'
  constructor() {
    super('another process has taken this workflow over; this process stops working on it')
  }
}

/** A later stage is processed after the first stages of the next two datasets. */
const LATER_STAGE_PENALTY = 5

/** Maximum wait during which a workflow keeps its lease, ms. */
const MAX_IDLE_WAIT_MS = 1500

/**
 * Faults that a retry cannot solve: an invalid argument, corrupt bytes, a file that upstream has removed, an object
 * that is not stored.
 */
const nonRetryable = ['Invalid', 'Corrupt', 'Gone', 'Missing'] as const

/** The two signals of a shutdown. */
export interface Ending {
  /** Aborts when no further step or wait may start. */
  readonly stopping: AbortSignal
  /** Aborts when running steps are abandoned and their results ignored. */
  readonly abandoned: AbortSignal
}

/** The right of this process to run a workflow, and the signals that the process sends to the workflow. */
export interface Lease extends Ending {
  /** False once another process has taken the workflow over. */
  isOwned(): Promise<boolean>
  /** Returns whether the workflow was woken since the last call, and resets the flag. */
  takeWake(): boolean
  /** Called when an attempt of an activity did not end in time; the attempt counts as failed. */
  timedOut(error: Error): void
}

export function embeddedFlow(engine: Engine, activities: Activities, clock: () => Instant, lease: Lease): Flow {
  const act = Object.fromEntries(
    Object.entries(activities).map(([name, run]) => [
      name,
      (input: never) =>
        withRetries(name as ActivityName, () => (run as (input: never) => Promise<unknown>)(input), lease),
    ]),
  ) as unknown as Activities
  return {
    now: clock,
    giveWay: () => Promise.reject(new WorkflowSuspended(clock(), LATER_STAGE_PENALTY)),
    act,
    start: (workflow, id, input, at) => engine.start(workflow, id, input, at),
    async until(at) {
      const wait = at - clock()
      // A wake-up during the work before this wait ends the wait at once.
      if (lease.takeWake() || wait <= 0) return
      if (wait > MAX_IDLE_WAIT_MS) throw new WorkflowSuspended(at)
      await pause(wait, undefined, { signal: lease.stopping })
    },
  }
}

async function withRetries<T>(name: ActivityName, run: () => Promise<T>, lease: Lease): Promise<T> {
  const { stopping, abandoned } = lease
  const policy = retryPolicies[name]
  const onTimeout = () => {
    const error = timedOut(name, policy.timeout)
    lease.timedOut(error)
    return error
  }
  for (let attempt = 1; ; attempt++) {
    stopping.throwIfAborted()
    try {
      if (!(await lease.isOwned())) throw new LeaseLost()
      return await unlessAbandoned(within(policy.timeout * SECOND, run(), onTimeout), abandoned)
    } catch (error) {
      if (error instanceof LeaseLost) throw error
      if (attempt >= policy.attempts || stopping.aborted || nonRetryable.some((kind) => isFault(error, kind)))
        throw error
      await pause(waitAfter(policy, attempt) * 1000, undefined, { signal: stopping })
    }
  }
}

/**
 * The error of an attempt that exceeds its timeout, as on Temporal. The attempt itself may continue, because every step
 * can be restarted and the pool limits its own tasks.
 */
function timedOut(name: ActivityName, seconds: number): Error {
  return new Error(`${name} did not end within ${seconds} s; it is retried, or runs again at its next tick`)
}

/**
 * Resolves with the result of the step, or rejects with the signal's reason if the signal aborts first. The step is
 * then not awaited, because every step can be restarted.
 */
function unlessAbandoned<T>(step: Promise<T>, abandoned: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abandon = () => reject(abandoned.reason)
    abandoned.addEventListener('abort', abandon, { once: true })
    step.then(resolve, reject).finally(() => abandoned.removeEventListener('abort', abandon))
    if (abandoned.aborted) abandon()
  })
}

import { setTimeout as pause } from 'node:timers/promises'
import { isFault } from '../../ingest/domain/fault.ts'
import { type Instant, SECOND } from '../../ingest/domain/time.ts'
import { within } from '../../ingest/ports/time-limit.ts'
import type { Activities } from '../activities.ts'
import type { Engine } from '../engine.ts'
import { type ActivityName, retryPolicies, waitAfter } from '../retry.ts'
import type { Flow } from '../workflows/flow.ts'

/** Thrown through a workflow that waits longer than it may keep its lease: it is restarted from its first line at `at`. */
export class WorkflowSuspended extends Error {
  override readonly name = 'WorkflowSuspended'
  readonly at: Instant
  /** Lowers the priority by so much from now on. */
  readonly back: number
  constructor(at: Instant, back = 0) {
    super(`waits until ${new Date(at).toISOString()}`)
    this.at = at
    this.back = back
  }
}

/** Thrown before a step of a workflow that another process has taken over because this one counted as dead. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost'
  constructor() {
    super('another process has taken this work up; it is left to it')
  }
}

/** A later stage comes after the first stages of the next few datasets. */
const LATER_STAGE_PENALTY = 5

/** Shorter waits keep the lease, ms. */
const MAX_IDLE_WAIT_MS = 1500

/** Kinds of fault that a retry cannot solve: the caller's mistake, corrupt bytes, what upstream no longer has, what is not stored. */
const nonRetryable = ['Invalid', 'Corrupt', 'Gone', 'Missing'] as const

/** The two signals of a shutdown. */
export interface Ending {
  /** No further step or wait is started. */
  readonly stopping: AbortSignal
  /** Running steps are abandoned: their results are ignored. */
  readonly abandoned: AbortSignal
}

/** Relation of a workflow to its process. */
export interface Lease extends Ending {
  /** False once another process has taken the workflow over. */
  mine(): Promise<boolean>
  /** Whether it was woken since it was last asked. */
  woken(): boolean
  /** An attempt of an activity did not end in time; it counts as failed. */
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
      // What came during the work before is looked at again, once.
      if (lease.woken() || wait <= 0) return
      if (wait > MAX_IDLE_WAIT_MS) throw new WorkflowSuspended(at)
      await pause(wait, undefined, { signal: lease.stopping })
    },
  }
}

async function withRetries<T>(name: ActivityName, run: () => Promise<T>, lease: Lease): Promise<T> {
  const { stopping, abandoned } = lease
  const policy = retryPolicies[name]
  const late = () => {
    const error = timedOut(name, policy.timeout)
    lease.timedOut(error)
    return error
  }
  for (let attempt = 1; ; attempt++) {
    stopping.throwIfAborted()
    try {
      if (!(await lease.mine())) throw new LeaseLost()
      return await unlessAbandoned(within(policy.timeout * SECOND, run(), late), abandoned)
    } catch (error) {
      if (error instanceof LeaseLost) throw error
      if (attempt >= policy.attempts || stopping.aborted || nonRetryable.some((kind) => isFault(error, kind)))
        throw error
      await pause(waitAfter(policy, attempt) * 1000, undefined, { signal: stopping })
    }
  }
}

/** Temporal ends an attempt likewise. The attempt may go on; each step can be restarted, and the pool ends its tasks at limits of its own. */
function timedOut(name: ActivityName, seconds: number): Error {
  return new Error(
    `${name} was expected to end within ${seconds} s and did not; it is tried again, or at its next tick`,
  )
}

/** The result of the step, or the signal's reason if that is first. Every step can be restarted, so none is awaited. */
function unlessAbandoned<T>(step: Promise<T>, abandoned: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const leave = () => reject(abandoned.reason)
    abandoned.addEventListener('abort', leave, { once: true })
    step.then(resolve, reject).finally(() => abandoned.removeEventListener('abort', leave))
    if (abandoned.aborted) leave()
  })
}

import { setTimeout as pause } from 'node:timers/promises'
import { isFault } from '../../ingest/domain/fault.ts'
import type { Instant } from '../../ingest/domain/time.ts'
import type { Activities } from '../activities.ts'
import type { Engine } from '../engine.ts'
import { type ActivityName, patience, waitAfter } from '../retry.ts'
import type { Flow } from '../workflows/flow.ts'

/** Thrown through a workflow that waits longer than it may hold its place: it is begun again at `at`. */
export class PutDown extends Error {
  override readonly name = 'PutDown'
  readonly at: Instant
  /** Lower urgency from now on by so much. */
  readonly back: number
  constructor(at: Instant, back = 0) {
    super(`waits until ${new Date(at).toISOString()}`)
    this.at = at
    this.back = back
  }
}

/** Thrown before a step of a workflow that another process has taken up meanwhile: it took this one for dead. */
export class TakenAway extends Error {
  override readonly name = 'TakenAway'
  constructor() {
    super('another process has taken this work up; it is left to it')
  }
}

/** A later stage comes after the first stages of the next few datasets. */
const STEP_BACK = 5

/** Waits shorter than this keep their place in the queue, ms. */
const HELD = 1500

/** Never helps to try again: the caller's mistake, broken bytes, what upstream no longer has, what is not held. */
const hopeless = ['Invalid', 'Corrupt', 'Gone', 'Missing'] as const

/** How work ends when the process does. */
export interface Ending {
  /** No step is begun and no wait goes on. */
  readonly stopping: AbortSignal
  /** Steps that are still under way are left alone: whatever they come to, nobody waits for it. */
  readonly letGo: AbortSignal
}

/** How a workflow stands to its process. */
export interface Hold extends Ending {
  /** False once another process has taken the workflow up. */
  mine(): Promise<boolean>
}

export function embeddedFlow(engine: Engine, activities: Activities, clock: () => Instant, hold: Hold): Flow {
  const act = Object.fromEntries(
    Object.entries(activities).map(([name, run]) => [
      name,
      (input: never) =>
        withPatience(name as ActivityName, () => (run as (input: never) => Promise<unknown>)(input), hold),
    ]),
  ) as unknown as Activities
  return {
    now: clock,
    giveWay: () => Promise.reject(new PutDown(clock(), STEP_BACK)),
    act,
    start: (workflow, id, input, at) => engine.start(workflow, id, input, at),
    async until(at) {
      const wait = at - clock()
      if (wait <= 0) return
      if (wait > HELD) throw new PutDown(at)
      await pause(wait, undefined, { signal: hold.stopping })
    },
  }
}

async function withPatience<T>(name: ActivityName, run: () => Promise<T>, hold: Hold): Promise<T> {
  const { stopping, letGo } = hold
  const policy = patience[name]
  for (let attempt = 1; ; attempt++) {
    stopping.throwIfAborted()
    try {
      if (!(await hold.mine())) throw new TakenAway()
      return await unlessLetGo(run(), letGo)
    } catch (error) {
      if (error instanceof TakenAway) throw error
      if (attempt >= policy.attempts || stopping.aborted || hopeless.some((kind) => isFault(error, kind))) throw error
      await pause(waitAfter(policy, attempt) * 1000, undefined, { signal: stopping })
    }
  }
}

/** What the step comes to, or the signal's reason if that is first. Every step can be begun again, so none is held to its end. */
function unlessLetGo<T>(step: Promise<T>, letGo: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const leave = () => reject(letGo.reason)
    letGo.addEventListener('abort', leave, { once: true })
    step.then(resolve, reject).finally(() => letGo.removeEventListener('abort', leave))
    if (letGo.aborted) leave()
  })
}

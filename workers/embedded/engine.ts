import { setTimeout as pause } from 'node:timers/promises'
import type { JobWithMetadata, PgBoss } from 'pg-boss'
import { type Instant, SECOND } from '../../ingest/domain/time.ts'
import type { Database } from '../../ingest/ports/database.ts'
import { within } from '../../ingest/ports/time-limit.ts'
import {
  advanceJobs,
  failJob,
  hasCompleted,
  jobCounts,
  ownsJob,
  postponeJob,
  queuesWithDueJobs,
  releaseJobs,
} from '../../sql/queries/jobs.ts'
import type { Activities } from '../activities.ts'
import type { Engine, Schedule } from '../engine.ts'
import { laneOf } from '../lane.ts'
import { RunTimedOut, runSecondsOf } from '../run-timeout.ts'
import { ALERT_SLOTS, FAMILIES_AT_ONCE, FEEDS_AT_ONCE, WATCHES_AT_ONCE } from '../slots.ts'
import { type Flow, onceOnly, type WorkflowInput, type WorkflowName } from '../workflows/flow.ts'
import { workflows } from '../workflows/index.ts'
import { embeddedFlow, LeaseLost, WorkflowSuspended } from './flow.ts'
import { openQueue, type Queue, queueName, queues } from './queue.ts'
import { createReclaim, HEARTBEAT_TIMEOUT_SECONDS, type Reclaim } from './reclaim.ts'

export interface EmbeddedOptions {
  readonly database: Database
  readonly activities: Activities
  readonly clock: () => Instant
  /** Whether no other process works on this queue, so that no lease check is needed before a step. */
  readonly onlyWorker?: boolean
  /** Called when a workflow has failed. */
  report(workflow: string, id: string, error: unknown): void
  /** Model runs that are processed concurrently. */
  readonly runsAtOnce?: number
}

/** The data of a job in the queue. */
interface JobTicket<N extends WorkflowName = WorkflowName> {
  readonly id: string
  readonly input: WorkflowInput[N]
  /** Seconds after which the run is ended as failed. */
  readonly runSeconds?: number
}

/**
 * Time that running steps get at shutdown, ms. Most steps finish; a tile build or a slow download is restarted later.
 */
const GRACE_MS = 1000
/** Maximum time to return jobs to the queue at shutdown, ms. */
const REQUEUE_TIMEOUT_MS = 5000

/** A process sends four heartbeats in the period after which it counts as dead, s. */
const HEARTBEAT_INTERVAL_SECONDS = HEARTBEAT_TIMEOUT_SECONDS / 4
/** Interval of checks for jobs that another process has taken over, ms. */
const LEASE_CHECK_MS = 5000
/** A process ends a run at its timeout. The job expires this many seconds later, in case the process did not end it. */
const EXPIRATION_MARGIN_SECONDS = 60

/**
 * Interval at which this process looks for jobs whose time has come or that another process has sent, in all queues at once, ms. A job that
 * this process sends wakes an idle slot immediately.
 */
const DUE_POLL_MS = 500
/**
 * Interval at which pg-boss polls for each of some 50 slots by itself, s. This process wakes a slot when its queue has a job, so that these
 * polls find nothing.
 */
const SLOT_POLL_SECONDS = 3600

/** A place for one job of a queue: a worker of pg-boss, by its id. */
interface JobSlot {
  id: string
  isBusy: boolean
}

/**
 * Number of concurrent model runs. Their files and tiles are processed by urgency. There is a slot for every run of a
 * first answer, so that none waits behind a less urgent run that was listed earlier.
 */
const RUNS_AT_ONCE = 8

/** Returns how many jobs of a queue run concurrently in this process. */
function slotsOf({ workflow, lane }: Queue, runsAtOnce = RUNS_AT_ONCE): number {
  if (lane) return ALERT_SLOTS
  if (workflow === 'modelRun') return runsAtOnce
  if (workflow === 'watchRuns') return WATCHES_AT_ONCE
  if (workflow === 'sweepFrames') return FAMILIES_AT_ONCE
  return workflow === 'sweepFeed' || workflow === 'expireFeed' ? FEEDS_AT_ONCE : 1
}

export async function openEmbeddedEngine(options: EmbeddedOptions): Promise<Engine> {
  const { database, report, onlyWorker = database.kind === 'embedded' } = options
  const reclaim = createReclaim()
  const boss = await openQueue(database, reclaim, (error) => report('queue', 'pg-boss', error))
  if (onlyWorker) await releaseJobs(database)
  return new EmbeddedEngine({ ...options, onlyWorker }, boss, reclaim)
}

/**
 * Runs the workflows on a job queue in the database, using pg-boss. Each workflow has a queue, and alerts have their
 * own queues. At most one job of each name is queued or running in a queue.
 */
class EmbeddedEngine implements Engine {
  readonly kind = 'embedded'
  readonly #options: EmbeddedOptions
  readonly #boss: PgBoss
  readonly #reclaim: Reclaim
  readonly #stopping = new AbortController()
  readonly #abandoned = new AbortController()
  readonly #timers = new Set<NodeJS.Timeout>()
  #scheduled: readonly Schedule[] = []
  /** Workflows that run in this process, by id, and whether each was woken. */
  readonly #running = new Map<string, boolean>()
  /** Queues in which due jobs may still wait although every idle slot was woken. */
  readonly #waiting = new Set<string>()
  #polls: NodeJS.Timeout | undefined
  #isPolling = false
  /** The slots of each queue; the slot that was woken last is the last. */
  readonly #slots = new Map<string, JobSlot[]>()

  constructor(options: EmbeddedOptions, boss: PgBoss, reclaim: Reclaim) {
    this.#options = options
    this.#boss = boss
    this.#reclaim = reclaim
  }

  start<N extends WorkflowName>(workflow: N, id: string, input: WorkflowInput[N], at?: Instant): Promise<boolean> {
    return this.#send(workflow, { id, input }, at)
  }

  async wake(workflow: WorkflowName, prefix: string): Promise<void> {
    for (const id of this.#running.keys()) if (id.startsWith(prefix)) this.#running.set(id, true)
    if ((await advanceJobs(this.#options.database, workflow, prefix)) > 0) this.#wakeSlot(workflow)
  }

  async schedule(list: readonly Schedule[]): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer)
    this.#timers.clear()
    this.#scheduled = list
    // A later call replaces the list while the first ticks of this one are sent.
    for (const entry of list) if (this.#scheduled === list) await this.#tick(entry, () => this.#scheduled === list)
  }

  async work(): Promise<void> {
    for (const queue of queues) await this.#startSlots(queue)
    this.#polls = setInterval(() => void this.#wakeDueQueues(), DUE_POLL_MS)
    this.#reclaim.start(this.#boss, (error) => this.#reportUnlessStopping('queue', 'pg-boss', error))
  }

  async stop(): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer)
    clearInterval(this.#polls)
    this.#stopping.abort()
    const grace = setTimeout(() => this.#abandoned.abort(), GRACE_MS)
    await this.#boss.stop({ graceful: true, timeout: GRACE_MS + REQUEUE_TIMEOUT_MS, close: false })
    clearTimeout(grace)
    await this.#reclaim.stop()
  }

  counts() {
    return jobCounts(this.#options.database)
  }

  async #send<N extends WorkflowName>(workflow: N, ticket: JobTicket<N>, at?: Instant): Promise<boolean> {
    const queue = queueName(workflow, laneOf(workflow, ticket.input))
    if (onceOnly.has(workflow) && (await hasCompleted(this.#options.database, queue, ticket.id))) return false
    const job = await this.#boss.send(queue, ticket, {
      singletonKey: ticket.id,
      priority: (ticket.input as { urgency?: number }).urgency ?? 0,
      expireInSeconds: (ticket.runSeconds ?? runSecondsOf(workflow)) + EXPIRATION_MARGIN_SECONDS,
      ...(at === undefined ? {} : { startAfter: new Date(at) }),
    })
    // The job would otherwise wait for the next poll.
    if (job !== null && at === undefined) this.#wakeSlot(queue)
    return job !== null
  }

  /** Lets an idle slot fetch a job. If no slot is idle, the next one that becomes idle fetches it. @returns whether a slot was idle */
  #wakeSlot(queue: string): boolean {
    const slots = this.#slots.get(queue) ?? []
    const idle = slots.find(({ isBusy }) => !isBusy)
    if (!idle) {
      this.#waiting.add(queue)
      return false
    }
    // The next call wakes another slot, because this one is still fetching then.
    slots.splice(slots.indexOf(idle), 1)
    slots.push(idle)
    this.#boss.notifyWorker(idle.id)
    return true
  }

  /** Wakes a slot for each job that can be fetched. */
  async #wakeDueQueues(): Promise<void> {
    if (this.#isPolling) return
    this.#isPolling = true
    try {
      for (const { name, jobs } of await queuesWithDueJobs(this.#options.database))
        for (let i = 0; i < jobs && this.#wakeSlot(name); i++);
    } catch (error) {
      this.#reportUnlessStopping('queue', 'jobs', error)
    } finally {
      this.#isPolling = false
    }
  }

  #reportUnlessStopping(workflow: string, id: string, error: unknown): void {
    if (!this.#stopping.signal.aborted) this.#options.report(workflow, id, error)
  }

  /**
   * Starts a schedule's workflow now and at each interval. The queue refuses a job while the previous job is still
   * running.
   */
  async #tick({ id, workflow, input, everySeconds, runSeconds }: Schedule, isCurrent: () => boolean): Promise<void> {
    const fire = () =>
      this.#send(workflow, { id, input, runSeconds }).catch((error) => this.#reportUnlessStopping(workflow, id, error))
    await fire()
    if (isCurrent()) this.#timers.add(setInterval(fire, everySeconds * 1000))
  }

  async #startSlots(queue: Queue): Promise<void> {
    const { name, workflow } = queue
    const settings = {
      pollingIntervalSeconds: SLOT_POLL_SECONDS,
      heartbeatRefreshSeconds: HEARTBEAT_INTERVAL_SECONDS,
      includeMetadata: true,
    } as const
    const slots: JobSlot[] = []
    for (let count = slotsOf(queue, this.#options.runsAtOnce); count > 0; count--) {
      const slot: JobSlot = { id: '', isBusy: false }
      // pg-boss passes a batch, which has one job by default.
      slot.id = await this.#boss.work<JobTicket, void, typeof settings>(name, settings, async (jobs) => {
        slot.isBusy = true
        try {
          for (const job of jobs) await this.#run(workflow, job)
        } finally {
          slot.isBusy = false
          if (this.#waiting.delete(name)) this.#boss.notifyWorker(slot.id)
        }
      })
      slots.push(slot)
    }
    this.#slots.set(name, slots)
  }

  async #run<N extends WorkflowName>(name: N, job: JobWithMetadata<JobTicket>): Promise<void> {
    const { database, report, clock } = this.#options
    const { id, input, runSeconds = runSecondsOf(name) } = job.data
    const ended = new AbortController()
    this.#running.set(id, false)
    try {
      const run = workflows[name](this.#flowOf(name, job, ended.signal), input as WorkflowInput[N])
      await within(runSeconds * SECOND, run, () => {
        const error = new RunTimedOut(runSeconds)
        ended.abort(error)
        return error
      })
    } catch (error) {
      const owned = { queue: job.name, id: job.id, startedOn: job.startedOn }
      if (error instanceof WorkflowSuspended) return postponeJob(database, owned, new Date(error.at), error.back)
      // The next process restarts work that was interrupted by the shutdown.
      if (this.#stopping.signal.aborted) return postponeJob(database, owned, new Date(clock()))
      if (error instanceof LeaseLost) return this.#waitForNewOwner(job)
      report(name, id, error)
      if (isRetryable(name)) throw error
      if (ended.signal.aborted) await failJob(database, owned, String(error))
    } finally {
      this.#running.delete(id)
    }
  }

  /** @param ended aborts when the run reaches its timeout */
  #flowOf(name: WorkflowName, job: JobWithMetadata<JobTicket>, ended: AbortSignal): Flow {
    const { database, activities, clock, report, onlyWorker } = this.#options
    const { id } = job.data
    return embeddedFlow(this, activities, clock, {
      stopping: AbortSignal.any([this.#stopping.signal, ended]),
      abandoned: AbortSignal.any([this.#abandoned.signal, ended]),
      // If this is the only worker, no other process can take jobs over.
      isOwned: async () => onlyWorker || ownsJob(database, job.name, job.id, job.startedOn),
      timedOut: (error) => report(name, id, error),
      takeWake: () => {
        const wasWoken = this.#running.get(id) === true
        this.#running.set(id, false)
        return wasWoken
      },
    })
  }

  /**
   * Waits until the process that took the job over has finished it, because pg-boss completes a job once its handler
   * returns.
   */
  async #waitForNewOwner({ name: queue, id }: { readonly name: string; readonly id: string }): Promise<void> {
    const { signal } = this.#stopping
    while (await ownsJob(this.#options.database, queue, id).catch(() => true)) {
      await pause(LEASE_CHECK_MS, undefined, { signal }).catch(() => {})
      if (signal.aborted) return
    }
  }
}

/** Other workflows are started again by their next tick; model runs and timers have no next tick. */
function isRetryable(name: WorkflowName): boolean {
  return name === 'modelRun' || name === 'expireFeed'
}

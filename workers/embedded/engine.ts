import { setTimeout as pause } from 'node:timers/promises'
import { PgBoss } from 'pg-boss'
import { frameDatasets, sweepNameOf } from '../../ingest/catalog.ts'
import { type Instant, SECOND } from '../../ingest/domain/time.ts'
import type { Database, Parameter } from '../../ingest/ports/database.ts'
import { within } from '../../ingest/ports/time-limit.ts'
import { feeds } from '../../ingest/steps/feeds/index.ts'
import {
  advanceJobs,
  failJob,
  hasCompleted,
  JOB_SCHEMA,
  jobCounts,
  ownsJob,
  postponeJob,
  releaseJobs,
} from '../../sql/queries/jobs.ts'
import type { Activities } from '../activities.ts'
import type { Engine, Schedule } from '../engine.ts'
import { runSecondsOf, runTimedOut } from '../run-timeout.ts'
import { onceOnly, type WorkflowInput, type WorkflowName } from '../workflows/flow.ts'
import { workflows } from '../workflows/index.ts'
import { embeddedFlow, LeaseLost, WorkflowSuspended } from './flow.ts'
import { createReclaim, HEARTBEAT_TIMEOUT_SECONDS } from './reclaim.ts'

export interface EmbeddedOptions {
  readonly database: Database
  readonly activities: Activities
  readonly clock: () => Instant
  /** No other process works on this queue: no lease check is needed before a step. */
  readonly onlyWorker?: boolean
  /** A workflow has failed for good. */
  report(workflow: string, id: string, error: unknown): void
  /** Model runs that are processed concurrently. */
  readonly runsAtOnce?: number
}

interface JobTicket {
  readonly id: string
  readonly input: unknown
  /** After so long the run is ended. */
  readonly runSeconds?: number
}

/** Time that running steps get at shutdown, ms: most finish; a tile build or a slow download is restarted later. */
const GRACE_MS = 1000
/** Maximum time to put jobs back into the queue, ms. */
const REQUEUE_TIMEOUT_MS = 5000

/** A process sends four heartbeats in the period after which it counts as dead, s. */
const HEARTBEAT_INTERVAL_SECONDS = HEARTBEAT_TIMEOUT_SECONDS / 4
/** Interval of checks for jobs that another process has taken over, ms. */
const LEASE_CHECK_MS = 5000
/** A job expires only if its process has not ended the run itself, s. */
const EXPIRATION_MARGIN_SECONDS = 60
/** Delay of the first retry, s. */
const FIRST_RETRY_SECONDS = 2

/** Zones and texts may have a further sweep beside the scheduled one (`sweepNext`). */
const FURTHER_SWEEPS = 2
/** A slot for each feed: alerts never wait behind other feeds, however many of them hang. */
const FEEDS_AT_ONCE = feeds.length + FURTHER_SWEEPS
/** A slot for each family of frames: a source that is silent delays no other. */
const FAMILIES_AT_ONCE = new Set(frameDatasets.map(sweepNameOf)).size

const names = Object.keys(workflows) as WorkflowName[]

/** The workflows on a job queue in the database, by pg-boss: one queue a workflow, at most one job of a name queued or running. */
export async function openEmbeddedEngine(options: EmbeddedOptions): Promise<Engine> {
  const { database, activities, clock } = options
  const reclaim = createReclaim()
  const boss = new PgBoss({
    db: {
      async executeSql(text, values) {
        const { rows } = await reclaim.asked(database.run(text, values as Parameter[] | undefined))
        return { rows: rows as unknown[] }
      },
    },
    schema: JOB_SCHEMA,
    schedule: false,
    supervise: false,
    // pg-boss limits supervision to once in 60 s by default: dead work would stay leased that long.
    monitorIntervalSeconds: 1,
    maintenanceIntervalSeconds: 3600,
  })
  // pg-boss may emit plain objects instead of Error; wrap them.
  boss.on('error', ({ message }) => options.report('queue', 'pg-boss', new Error(message)))
  // Concurrent starts race on schema creation; the losers fail with an error that pg-boss does not always handle.
  await boss.start().catch((error: { code?: string }) => {
    if (error.code !== '23505') throw error
    return boss.start()
  })
  const queues = new Map((await boss.getQueues()).map((queue) => [queue.name, queue]))
  const manner = {
    retryLimit: 100,
    retryBackoff: true,
    retryDelay: FIRST_RETRY_SECONDS,
    retryDelayMax: 300,
    heartbeatSeconds: HEARTBEAT_TIMEOUT_SECONDS,
    deleteAfterSeconds: 3600,
    retentionSeconds: 14 * 86_400,
  }
  for (const name of names) {
    const queue = queues.get(name)
    if (!queue) await boss.createQueue(name, { policy: 'exclusive', ...manner })
    else if (queue.heartbeatSeconds !== HEARTBEAT_TIMEOUT_SECONDS || queue.retryDelay !== FIRST_RETRY_SECONDS)
      await boss.updateQueue(name, manner)
  }
  const onlyWorker = options.onlyWorker ?? database.kind === 'embedded'
  if (onlyWorker) await releaseJobs(database)

  const stopping = new AbortController()
  const abandoned = new AbortController()
  const timers = new Set<NodeJS.Timeout>()
  /** Workflows that run in this process, and whether they were woken. */
  const running = new Map<string, boolean>()
  /** One of this process for each queue. */
  const workers = new Map<WorkflowName, string>()

  const engine: Engine = {
    kind: 'embedded',
    start: (workflow, id, input, at) => send(workflow, { id, input }, at),
    async wake(workflow, prefix) {
      for (const id of running.keys()) if (id.startsWith(prefix)) running.set(id, true)
      if ((await advanceJobs(database, workflow, prefix)) > 0) notifyWorker(workflow)
    },
    async schedule(list) {
      for (const timer of timers) clearInterval(timer)
      timers.clear()
      for (const entry of list) await tick(entry)
    },
    async work() {
      for (const name of names) await take(name)
      reclaim.start(boss, (error) => {
        if (!stopping.signal.aborted) options.report('queue', 'pg-boss', error)
      })
    },
    async stop() {
      for (const timer of timers) clearInterval(timer)
      stopping.abort()
      const grace = setTimeout(() => abandoned.abort(), GRACE_MS)
      await boss.stop({ graceful: true, timeout: GRACE_MS + REQUEUE_TIMEOUT_MS, close: false })
      clearTimeout(grace)
      await reclaim.stop()
    },
    counts: () => jobCounts(database),
  }

  async function send(workflow: WorkflowName, ticket: JobTicket, at?: Instant): Promise<boolean> {
    if (onceOnly.has(workflow) && (await hasCompleted(database, workflow, ticket.id))) return false
    const job = await boss.send(workflow, ticket, {
      singletonKey: ticket.id,
      priority: (ticket.input as { urgency?: number }).urgency ?? 0,
      expireInSeconds: (ticket.runSeconds ?? runSecondsOf(workflow)) + EXPIRATION_MARGIN_SECONDS,
      ...(at === undefined ? {} : { startAfter: new Date(at) }),
    })
    // Without this it would be seen at the next poll, up to a second later.
    if (job !== null && at === undefined) notifyWorker(workflow)
    return job !== null
  }

  function notifyWorker(name: WorkflowName): void {
    const id = workers.get(name)
    if (id !== undefined) boss.notifyWorker(id)
  }

  /** A tick starts the workflow of the schedule's name: refused while the previous one still runs. */
  async function tick({ id, workflow, input, everySeconds, runSeconds }: Schedule): Promise<void> {
    const fire = () =>
      send(workflow, { id, input, runSeconds }).catch((error) => {
        if (!stopping.signal.aborted) options.report(workflow, id, error)
      })
    await fire()
    timers.add(setInterval(fire, everySeconds * 1000))
  }

  async function take<N extends WorkflowName>(name: N): Promise<void> {
    const many =
      name === 'modelRun'
        ? (options.runsAtOnce ?? 3)
        : name === 'sweepFrames'
          ? FAMILIES_AT_ONCE
          : name === 'sweepFeed' || name === 'expireFeed'
            ? FEEDS_AT_ONCE
            : 1
    const manner = {
      localConcurrency: many,
      pollingIntervalSeconds: name === 'expireFeed' ? 0.5 : 1,
      heartbeatRefreshSeconds: HEARTBEAT_INTERVAL_SECONDS,
      includeMetadata: true,
    } as const
    const worker = await boss.work<JobTicket, void, typeof manner>(name, manner, async ([job]) => {
      const { id, input, runSeconds = runSecondsOf(name) } = job.data
      const ended = new AbortController()
      // With a single owner of an embedded database no other process can take jobs over.
      const mine = async () => onlyWorker || ownsJob(database, name, job.id, job.startedOn)
      const flow = embeddedFlow(engine, activities, clock, {
        stopping: AbortSignal.any([stopping.signal, ended.signal]),
        abandoned: AbortSignal.any([abandoned.signal, ended.signal]),
        mine,
        timedOut: (error) => options.report(name, id, error),
        woken() {
          const was = running.get(id) === true
          running.set(id, false)
          return was
        },
      })
      running.set(id, false)
      try {
        const run = workflows[name](flow, input as WorkflowInput[N])
        await within(runSeconds * SECOND, run, () => {
          const error = runTimedOut(runSeconds)
          ended.abort(error)
          return error
        })
      } catch (error) {
        const owned = { queue: name, id: job.id, startedOn: job.startedOn }
        if (error instanceof WorkflowSuspended) return postponeJob(database, owned, new Date(error.at), error.back)
        // Work that stops at shutdown is restarted by the next process.
        if (stopping.signal.aborted) return postponeJob(database, owned, new Date(clock()))
        if (error instanceof LeaseLost) return othersEnd(name, job.id)
        options.report(name, id, error)
        if (isRetryable(name)) throw error
        if (ended.signal.aborted) await failJob(database, owned, String(error))
      } finally {
        running.delete(id)
      }
    })
    workers.set(name, worker)
  }

  /** pg-boss completes a job once its handler returns: wait until the process that has taken the job over has finished it. */
  async function othersEnd(name: WorkflowName, id: string): Promise<void> {
    while (await ownsJob(database, name, id).catch(() => true)) {
      await pause(LEASE_CHECK_MS, undefined, { signal: stopping.signal }).catch(() => {})
      if (stopping.signal.aborted) return
    }
  }

  return engine
}

/** A sweep is retried by its next tick; runs and timers have no next tick. */
function isRetryable(name: WorkflowName): boolean {
  return name === 'modelRun' || name === 'expireFeed'
}

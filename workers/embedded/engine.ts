import { setTimeout as pause } from 'node:timers/promises'
import { PgBoss } from 'pg-boss'
import type { Instant } from '../../ingest/domain/time.ts'
import type { Database, Parameter } from '../../ingest/ports/database.ts'
import { JOB_SCHEMA, jobCounts, ownsJob, postponeJob, releaseJobs } from '../../sql/queries/jobs.ts'
import type { Activities } from '../activities.ts'
import type { Engine, Schedule } from '../engine.ts'
import type { WorkflowInput, WorkflowName } from '../workflows/flow.ts'
import { LONGEST_LIFE, workflows } from '../workflows/index.ts'
import { embeddedFlow, LeaseLost, WorkflowSuspended } from './flow.ts'
import { createReclaim, HEARTBEAT_TIMEOUT_SECONDS } from './reclaim.ts'

export interface EmbeddedOptions {
  readonly database: Database
  readonly activities: Activities
  readonly clock: () => Instant
  /** No other process works on this queue: nothing has to be asked before a step. */
  readonly onlyWorker?: boolean
  /** A workflow has failed for good. */
  report(workflow: string, id: string, error: unknown): void
  /** Model runs that are worked on at once. */
  readonly runsAtOnce?: number
}

interface Ticket {
  readonly id: string
  readonly input: unknown
}

/** Time that running steps get at shutdown, ms: most finish, a tile build or a slow download is started again later. */
const GRACE_MS = 1000
/** What it may take at most to put jobs back into the queue, ms. */
const REQUEUE_TIMEOUT_MS = 5000

/** A living process gives four signs of life in the time after which it is taken for dead, s. */
const HEARTBEAT_INTERVAL_SECONDS = HEARTBEAT_TIMEOUT_SECONDS / 4
/** Between two looks at what another process took up, ms. */
const LEASE_CHECK_MS = 5000
/** What is begun again waits this long after its first failure, s. */
const FIRST_RETRY_SECONDS = 2

/** Feeds swept at the same time: alerts never wait behind a slow list of texts. */
const FEEDS_AT_ONCE = 6
/** A scan of the radars does not wait for lightning, of which files come every 20 seconds; of one family there is one look at a time. */
const FAMILIES_AT_ONCE = 3

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
    // Its own gate before each look, 60 s by default, would lease dead work that long.
    monitorIntervalSeconds: 1,
    maintenanceIntervalSeconds: 3600,
  })
  // Some of its errors are copies that are none.
  boss.on('error', ({ message }) => options.report('queue', 'pg-boss', new Error(message)))
  // Of several that make the queue's tables at once all but one find them made, by an error that the library does not always know.
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
    expireInSeconds: LONGEST_LIFE / 2000,
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

  const engine: Engine = {
    kind: 'embedded',
    async start(workflow, id, input, at) {
      const ticket: Ticket = { id, input }
      const job = await boss.send(workflow, ticket, {
        singletonKey: id,
        priority: (input as { urgency?: number }).urgency ?? 0,
        ...(at === undefined ? {} : { startAfter: new Date(at) }),
      })
      return job !== null
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

  /** A tick is the start of a workflow that carries the schedule's name: refused while the one before still runs. */
  async function tick({ id, workflow, input, everySeconds }: Schedule): Promise<void> {
    const fire = () =>
      engine.start(workflow, id, input as WorkflowInput[typeof workflow]).catch((error) => {
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
          : name === 'sweepFeed'
            ? FEEDS_AT_ONCE
            : 1
    const manner = {
      localConcurrency: many,
      pollingIntervalSeconds: name === 'expireFeed' ? 0.5 : 1,
      heartbeatRefreshSeconds: HEARTBEAT_INTERVAL_SECONDS,
      includeMetadata: true,
    } as const
    await boss.work<Ticket, void, typeof manner>(name, manner, async ([job]) => {
      const { id, input } = job.data
      // The one owner of an embedded database has nobody who could take it away.
      const mine = async () => onlyWorker || ownsJob(database, name, job.id, job.startedOn)
      const flow = embeddedFlow(engine, activities, clock, {
        stopping: stopping.signal,
        abandoned: abandoned.signal,
        mine,
      })
      try {
        await workflows[name](flow, input as WorkflowInput[N])
      } catch (error) {
        const owned = { queue: name, id: job.id, startedOn: job.startedOn }
        if (error instanceof WorkflowSuspended) return postponeJob(database, owned, new Date(error.at), error.back)
        // What stops because the process stops is begun again by the next one.
        if (stopping.signal.aborted) return postponeJob(database, owned, new Date(clock()))
        if (error instanceof LeaseLost) return othersEnd(name, job.id)
        options.report(name, id, error)
        if (worthAgain(name)) throw error
      }
    })
  }

  /** The queue calls a job done once its handler returns: that of another's job waits until the other has put it down. */
  async function othersEnd(name: WorkflowName, id: string): Promise<void> {
    while (await ownsJob(database, name, id).catch(() => true)) {
      await pause(LEASE_CHECK_MS, undefined, { signal: stopping.signal }).catch(() => {})
      if (stopping.signal.aborted) return
    }
  }

  return engine
}

/** The next tick is the second try of a sweep; a run or a timer has none. */
function worthAgain(name: WorkflowName): boolean {
  return name === 'modelRun' || name === 'expireFeed'
}

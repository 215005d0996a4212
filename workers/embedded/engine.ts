import { PgBoss } from 'pg-boss'
import type { Instant } from '../../ingest/domain/time.ts'
import type { Database, Parameter } from '../../ingest/ports/database.ts'
import { JOB_SCHEMA, jobCounts, postponeJob, releaseJobs } from '../../sql/queries/jobs.ts'
import type { Activities } from '../activities.ts'
import type { Engine, Schedule } from '../engine.ts'
import type { WorkflowInput, WorkflowName } from '../workflows/flow.ts'
import { LONGEST_LIFE, workflows } from '../workflows/index.ts'
import { embeddedFlow, PutDown } from './flow.ts'

export interface EmbeddedOptions {
  readonly database: Database
  readonly activities: Activities
  readonly clock: () => Instant
  /** A workflow has failed for good. */
  report(workflow: string, id: string, error: unknown): void
  /** Model runs that are worked on at once. */
  readonly runsAtOnce?: number
}

interface Ticket {
  readonly id: string
  readonly input: unknown
}

/** What a step may still take when the process is to end, ms: most come to their end, a weave or a slow download is begun again. */
const GRACE = 1000
/** What it may take at most to put jobs back into the queue, ms. */
const PUT_BACK = 5000

const names = Object.keys(workflows) as WorkflowName[]

/** The workflows on a job queue in the database, by pg-boss: one queue a workflow, at most one job of a name queued or running. */
export async function openEmbeddedEngine(options: EmbeddedOptions): Promise<Engine> {
  const { database, activities, clock } = options
  const boss = new PgBoss({
    db: {
      async executeSql(text, values) {
        const { rows } = await database.run(text, values as Parameter[] | undefined)
        return { rows: rows as unknown[] }
      },
    },
    schema: JOB_SCHEMA,
    schedule: false,
    superviseIntervalSeconds: 15,
  })
  boss.on('error', (error) => options.report('queue', 'pg-boss', error))
  await boss.start()
  const queues = new Set((await boss.getQueues()).map(({ name }) => name))
  for (const name of names) {
    if (queues.has(name)) continue
    await boss.createQueue(name, {
      policy: 'exclusive',
      retryLimit: 100,
      retryBackoff: true,
      retryDelay: 5,
      retryDelayMax: 300,
      expireInSeconds: LONGEST_LIFE / 2000,
      heartbeatSeconds: 30,
      deleteAfterSeconds: 3600,
      retentionSeconds: 14 * 86_400,
    })
  }
  if (database.kind === 'embedded') await releaseJobs(database)

  const stopping = new AbortController()
  const letGo = new AbortController()
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
    },
    async stop() {
      for (const timer of timers) clearInterval(timer)
      stopping.abort()
      const grace = setTimeout(() => letGo.abort(), GRACE)
      await boss.stop({ graceful: true, timeout: GRACE + PUT_BACK, close: false })
      clearTimeout(grace)
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
    const flow = embeddedFlow(engine, activities, clock, { stopping: stopping.signal, letGo: letGo.signal })
    const many = name === 'modelRun' ? (options.runsAtOnce ?? 3) : 1
    await boss.work<Ticket>(
      name,
      { localConcurrency: many, pollingIntervalSeconds: name === 'expireAlerts' ? 0.5 : 1, includeMetadata: true },
      async ([job]) => {
        const { id, input } = job.data
        try {
          await workflows[name](flow, input as WorkflowInput[N])
        } catch (error) {
          if (error instanceof PutDown) return postponeJob(database, name, job.id, new Date(error.at), error.back)
          // What stops because the process stops is begun again by the next one.
          if (stopping.signal.aborted) return postponeJob(database, name, job.id, new Date(clock()))
          options.report(name, id, error)
          if (worthAgain(name)) throw error
        }
      },
    )
  }

  return engine
}

/** The next tick is the second try of a sweep; a run or a timer has none. */
function worthAgain(name: WorkflowName): boolean {
  return name === 'modelRun' || name === 'expireAlerts'
}

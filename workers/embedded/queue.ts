import { PgBoss } from 'pg-boss'
import type { Database, Parameter } from '../../ingest/ports/database.ts'
import { JOB_SCHEMA } from '../../sql/queries/jobs.ts'
import { alertWorkflows, type Lane } from '../lane.ts'
import type { WorkflowName } from '../workflows/flow.ts'
import { workflows } from '../workflows/index.ts'
import { HEARTBEAT_TIMEOUT_SECONDS, type Reclaim } from './reclaim.ts'

/** Delay of the first retry, s. */
const FIRST_RETRY_SECONDS = 2

/** A queue of pg-boss, which has the jobs of one workflow. */
export interface Queue {
  readonly name: string
  readonly workflow: WorkflowName
  readonly lane?: Lane
}

/** The queues: one for each workflow, and those of the lane of alerts. */
export const queues: readonly Queue[] = [
  ...(Object.keys(workflows) as WorkflowName[]).map((workflow) => ({ name: workflow, workflow })),
  ...alertWorkflows.map((workflow) => ({ name: queueName(workflow, 'alerts'), workflow, lane: 'alerts' as const })),
]

export function queueName(workflow: WorkflowName, lane: Lane | undefined): string {
  return lane ? `${workflow}-${lane}` : workflow
}

/** Opens pg-boss over a database, with all `queues`. */
export async function openQueue(database: Database, reclaim: Reclaim, report: (error: Error) => void): Promise<PgBoss> {
  const boss = new PgBoss({
    db: {
      async executeSql(text, values) {
        const { rows } = await reclaim.watch(database.run(text, values as Parameter[] | undefined))
        return { rows: rows as unknown[] }
      },
    },
    schema: JOB_SCHEMA,
    schedule: false,
    supervise: false,
    // By default pg-boss supervises at most once in 60 s, and the jobs of a dead process would stay leased that long.
    monitorIntervalSeconds: 1,
    maintenanceIntervalSeconds: 3600,
    // Its warnings about dead rows have no reader.
    monitorVacuum: false,
  })
  // pg-boss may emit plain objects instead of errors.
  boss.on('error', ({ message }) => report(new Error(message)))
  // Concurrent starts race to create the schema. pg-boss does not always handle the unique violation of the slower
  // start.
  await boss.start().catch((error: { code?: string }) => {
    if (error.code !== '23505') throw error
    return boss.start()
  })
  const created = new Map((await boss.getQueues()).map((queue) => [queue.name, queue]))
  const settings = {
    retryLimit: 100,
    retryBackoff: true,
    retryDelay: FIRST_RETRY_SECONDS,
    retryDelayMax: 300,
    heartbeatSeconds: HEARTBEAT_TIMEOUT_SECONDS,
    deleteAfterSeconds: 3600,
    retentionSeconds: 14 * 86_400,
  }
  for (const { name } of queues) {
    const queue = created.get(name)
    if (!queue) await boss.createQueue(name, { policy: 'exclusive', ...settings })
    else if (queue.heartbeatSeconds !== HEARTBEAT_TIMEOUT_SECONDS || queue.retryDelay !== FIRST_RETRY_SECONDS)
      await boss.updateQueue(name, settings)
  }
  return boss
}

import { Client, Connection } from '@temporalio/client'
import { defaultQueue } from './names.ts'

export interface WorkflowCounts {
  readonly waiting: number
  readonly running: number
  readonly failed: number
}

/** Workflows of a task queue by state; timers count as waiting. */
export async function countsOf(client: Client, queue: string): Promise<WorkflowCounts> {
  const count = async (query: string) => (await client.workflow.count(`TaskQueue = '${queue}' and ${query}`)).count
  const [waiting, running, failed] = await Promise.all([
    count("ExecutionStatus = 'Running' and WorkflowType = 'expireAlerts'"),
    count("ExecutionStatus = 'Running' and WorkflowType != 'expireAlerts'"),
    count("ExecutionStatus = 'Failed'"),
  ])
  return { waiting, running, failed }
}

export async function temporalCounts(at: { address: string; namespace: string }): Promise<WorkflowCounts> {
  const connection = await Connection.connect({ address: at.address, connectTimeout: 5_000 })
  try {
    return await countsOf(new Client({ connection, namespace: at.namespace }), defaultQueue)
  } finally {
    await connection.close()
  }
}

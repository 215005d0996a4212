import type { Client } from '@temporalio/client'
import { runTimedOut } from '../run-timeout.ts'

const LOOK_MS = 30_000
/** The list of workflows follows their ends within seconds. */
const LIST_DELAY_MS = 60_000

/** Reports the runs that the server has ended at their timeout: no code of theirs runs any more. @returns ends the reports */
export function reportTimedOut(
  client: Client,
  queue: string,
  report: (workflow: string, id: string, error: unknown) => void,
): () => void {
  const since = Date.now()
  let reported = new Set<string>()
  let looking = false
  let stopped = false

  async function look(): Promise<void> {
    const from = new Date(Math.max(since, Date.now() - LOOK_MS - LIST_DELAY_MS)).toISOString()
    const query = `TaskQueue = '${queue}' and ExecutionStatus = 'TimedOut' and CloseTime >= '${from}'`
    const found = new Set<string>()
    for await (const { type, workflowId, runId } of client.workflow.list({ query })) {
      found.add(runId)
      if (!reported.has(runId)) report(type, workflowId, runTimedOut())
    }
    reported = found
  }

  const timer = setInterval(() => {
    if (looking) return
    looking = true
    look()
      .catch((error: unknown) => {
        if (!stopped) report('queue', queue, error)
      })
      .finally(() => {
        looking = false
      })
  }, LOOK_MS)
  timer.unref()
  return () => {
    stopped = true
    clearInterval(timer)
  }
}

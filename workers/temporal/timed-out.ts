import type { Client } from '@temporalio/client'
import { RunTimedOut } from '../run-timeout.ts'
import { inQueues } from './names.ts'

const CHECK_INTERVAL_MS = 30_000
/** Time within which the server's list shows the end of a workflow. */
const LIST_DELAY_MS = 60_000

/**
 * Reports the runs that the server ended at their timeout, because such a run cannot report it.
 * @returns a function that stops the reports
 */
export function reportTimedOut(
  client: Client,
  queue: string,
  report: (workflow: string, id: string, error: unknown) => void,
): () => void {
  const since = Date.now()
  let reported = new Set<string>()
  let isChecking = false
  let stopped = false

  async function check(): Promise<void> {
    const from = new Date(Math.max(since, Date.now() - CHECK_INTERVAL_MS - LIST_DELAY_MS)).toISOString()
    const query = `${inQueues(queue)} and ExecutionStatus = 'TimedOut' and CloseTime >= '${from}'`
    const listed = new Set<string>()
    for await (const { type, workflowId, runId } of client.workflow.list({ query })) {
      listed.add(runId)
      if (!reported.has(runId)) report(type, workflowId, new RunTimedOut())
    }
    reported = listed
  }

  const timer = setInterval(() => {
    if (isChecking) return
    isChecking = true
    check()
      .catch((error: unknown) => {
        if (!stopped) report('queue', queue, error)
      })
      .finally(() => {
        isChecking = false
      })
  }, CHECK_INTERVAL_MS)
  timer.unref()
  return () => {
    stopped = true
    clearInterval(timer)
  }
}

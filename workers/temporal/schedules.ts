import { type Client, ScheduleAlreadyRunning, type ScheduleOptions, ScheduleOverlapPolicy } from '@temporalio/client'
import type { Schedule } from '../engine.ts'
import { laneOf } from '../lane.ts'
import { runSecondsOf } from '../run-timeout.ts'
import { queueOfLane } from './names.ts'

/**
 * Creates, replaces and deletes the schedules of a task queue so that they match the list. A repeated call with the
 * same list changes nothing, so every worker may call this at its start. A memo identifies our schedules; other
 * schedules in the namespace are not changed.
 */
export async function syncSchedules(client: Client, queue: string, list: readonly Schedule[]): Promise<void> {
  const existing = new Map<string, string>()
  for await (const { scheduleId, memo } of client.schedule.list()) {
    if (memo?.['hexcast'] === queue) existing.set(scheduleId, String(memo['says']))
  }
  for (const entry of list) {
    const scheduleId = idOf(queue, entry)
    const lane = laneOf(entry.workflow, entry.input)
    // The memo includes the lane, so that a schedule of an earlier version, whose alerts were in the common queue, is
    // replaced.
    const text = JSON.stringify({ ...entry, ...(lane && { lane }) })
    const existingText = existing.get(scheduleId)
    existing.delete(scheduleId)
    if (existingText === text) continue
    if (existingText !== undefined) await client.schedule.getHandle(scheduleId).delete()
    await client.schedule
      .create({ scheduleId, ...scheduleOptions(queue, entry), memo: { hexcast: queue, ['says']: text } })
      .catch(ignoreExisting)
  }
  for (const scheduleId of existing.keys())
    await client.schedule
      .getHandle(scheduleId)
      .delete()
      .catch(() => {})
}

function idOf(queue: string, { id }: Schedule): string {
  return `${queue}/${id}`
}

function scheduleOptions(
  queue: string,
  { id, workflow, input, everySeconds, runSeconds = runSecondsOf(workflow, everySeconds) }: Schedule,
): Omit<ScheduleOptions, 'scheduleId' | 'memo'> {
  return {
    spec: { intervals: [{ every: everySeconds * 1000 }] },
    // A tick is skipped while the previous run is in progress; ticks missed while the server was unreachable are not
    // repeated.
    policies: { overlap: ScheduleOverlapPolicy.SKIP, catchupWindow: '10s' },
    state: { triggerImmediately: true },
    action: {
      type: 'startWorkflow',
      workflowType: workflow,
      workflowId: id,
      taskQueue: queueOfLane(queue, laneOf(workflow, input)),
      args: [input],
      workflowRunTimeout: runSeconds * 1000,
    },
  }
}

/** Another worker that started at the same moment may have created the same schedule. */
function ignoreExisting(error: unknown): void {
  if (!(error instanceof ScheduleAlreadyRunning)) throw error
}

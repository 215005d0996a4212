import { type Client, ScheduleAlreadyRunning, type ScheduleOptions, ScheduleOverlapPolicy } from '@temporalio/client'
import type { SearchAttributePair } from '@temporalio/common'
import type { Schedule } from '../engine.ts'
import { laneOf } from '../lane.ts'
import { runSecondsOf } from '../run-timeout.ts'
import { searchAttributesOf } from './attributes.ts'
import { queueOfLane } from './names.ts'
import { compareReleases } from './release.ts'

/** What a schedule was made from, and the release that made it. */
interface ScheduleOrigin {
  readonly release: string
  readonly text: string
}

interface StoredSchedule {
  readonly paused: boolean
  /** Absent for a schedule whose note an operator or the server has replaced. */
  readonly origin?: ScheduleOrigin
}

/**
 * Makes the schedules of a task queue match the list: missing ones are created, changed ones are updated in place, and
 * others are deleted. A repeated call with the same list changes nothing, so every worker may call this at its start.
 * While a roll is in progress, a worker of an older release changes nothing that a newer release has written. A
 * schedule that an operator has paused stays paused. A memo identifies our schedules; other schedules in the namespace
 * are not changed.
 * @param release the version of this worker, such as 1.2.0
 * @param hasAttributes whether the namespace has our search attributes
 */
export async function syncSchedules(
  client: Client,
  queue: string,
  list: readonly Schedule[],
  release: string,
  hasAttributes = false,
): Promise<void> {
  const stored = new Map<string, StoredSchedule>()
  for await (const { scheduleId, memo, state } of client.schedule.list()) {
    if (memo?.['hexcast'] === queue) stored.set(scheduleId, { paused: state.paused, origin: originOf(state.note) })
  }
  const isNewer = ({ origin }: StoredSchedule) => origin !== undefined && compareReleases(origin.release, release) > 0
  if ([...stored.values()].some(isNewer)) return
  for (const entry of list) {
    const scheduleId = idOf(queue, entry)
    const attributes = hasAttributes ? searchAttributesOf(entry.input) : []
    const text = JSON.stringify({
      ...entry,
      queue: queueOfLane(queue, laneOf(entry.workflow, entry.input)),
      ...(attributes.length > 0 && { attributes: true }),
    })
    const known = stored.get(scheduleId)
    stored.delete(scheduleId)
    if (known?.origin?.text === text && known.origin.release === release) continue
    const options = scheduleOptions(queue, entry, attributes)
    const note = noteOf({ release, text })
    if (known) {
      await client.schedule.getHandle(scheduleId).update((previous) => ({
        ...options,
        state: { ...previous.state, ...(!previous.state.paused && { note }) },
      }))
      continue
    }
    const state = { note, triggerImmediately: true }
    await client.schedule.create({ scheduleId, ...options, state, memo: { hexcast: queue } }).catch(ignoreExisting)
  }
  for (const scheduleId of stored.keys())
    await client.schedule
      .getHandle(scheduleId)
      .delete()
      .catch(() => {})
}

/** Returns the note of a schedule, which Temporal's pages show: `hexcast 1.2.0 {…}`. */
const noteOf = ({ release, text }: ScheduleOrigin) => `hexcast ${release} ${text}`

function originOf(note: string | undefined): ScheduleOrigin | undefined {
  const [, release, text] = /^hexcast (\d+\.\d+\.\d+\S{0,40}) (\{.*)$/.exec(note ?? '') ?? []
  return release && text ? { release, text } : undefined
}

function idOf(queue: string, { id }: Schedule): string {
  return `${queue}/${id}`
}

function scheduleOptions(
  queue: string,
  { id, workflow, input, everySeconds, runSeconds = runSecondsOf(workflow, everySeconds) }: Schedule,
  attributes: SearchAttributePair[],
): Omit<ScheduleOptions, 'scheduleId' | 'memo' | 'state'> {
  return {
    spec: { intervals: [{ every: everySeconds * 1000 }] },
    // A tick is skipped while the previous run is in progress; ticks missed while the server was unreachable are not
    // repeated.
    policies: { overlap: ScheduleOverlapPolicy.SKIP, catchupWindow: '10s' },
    action: {
      type: 'startWorkflow',
      workflowType: workflow,
      workflowId: id,
      taskQueue: queueOfLane(queue, laneOf(workflow, input)),
      args: [input],
      workflowRunTimeout: runSeconds * 1000,
      ...(attributes.length > 0 && { typedSearchAttributes: attributes }),
    },
  }
}

/** Another worker that started at the same moment may have created the same schedule. */
function ignoreExisting(error: unknown): void {
  if (!(error instanceof ScheduleAlreadyRunning)) throw error
}

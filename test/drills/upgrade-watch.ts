import { setTimeout as pause } from 'node:timers/promises'
import { Client, Connection } from '@temporalio/client'
import { pointers } from '../../sql/queries/runs.ts'
import type { Process, StepLine } from './process.ts'
import type { System } from './system.ts'

/** Returns the successful executions of a step in a process. */
export function stepsOf({ steps }: Process, name: string, dataset?: string): StepLine[] {
  return steps.filter(
    (line) => line.step === name && line.outcome === 'ok' && (dataset === undefined || line.dataset === dataset),
  )
}

/** Longest time between two successive ends of the steps since an instant, s. @param since ms */
export function longestGap(steps: readonly StepLine[], since: number): number {
  const instants = steps
    .map(({ time }) => Date.parse(time))
    .filter((at) => at >= since)
    .sort((a, b) => a - b)
  return Math.max(...instants.map((at, i) => at - (instants[i - 1] ?? since))) / 1000
}

/** The lines in which a process reports a problem. */
export function problemsOf(process: Process): string[] {
  return process.lines.filter((line) => /"level":"(error|fatal)"|"outcome":"bug"/.test(line))
}

export interface PointerWatch {
  readonly moves: number
  /** Pointers that moved to an earlier run, stage or revision. */
  readonly backward: readonly string[]
}

/** Reads the pointers ten times a second. @returns a function that ends it */
export function watchPointers(on: System): () => Promise<PointerWatch> {
  const last = new Map<string, string>()
  const backward: string[] = []
  let moves = 0
  let going = true
  const watching = (async () => {
    while (going) {
      for (const { dataset, domain, run, stage, revision } of await pointers(on.db)) {
        const name = `${dataset}/${domain}`
        const position = `${run.toISOString()} ${String(stage).padStart(3, '0')} ${String(revision).padStart(3, '0')}`
        const before = last.get(name) ?? ''
        if (position < before) backward.push(`${name}: from ${before} to ${position}`)
        if (position > before) moves++
        last.set(name, position)
      }
      await pause(100)
    }
  })()
  return async () => {
    going = false
    await watching
    return { moves, backward }
  }
}

/** A workflow and the releases that completed its tasks, in their order and without repetitions. */
export interface WorkedOn {
  readonly id: string
  readonly status: string
  readonly releases: readonly string[]
}

/** The workflows on the Temporal server of a drill. */
export class Workflows {
  readonly #connection: Connection
  readonly #client: Client

  private constructor(connection: Connection, namespace: string) {
    this.#connection = connection
    this.#client = new Client({ connection, namespace })
  }

  static async open({ config: { temporal } }: System): Promise<Workflows> {
    const { address = '', namespace = '' } = temporal ?? {}
    return new Workflows(await Connection.connect({ address }), namespace)
  }

  /** Starts a scheduled workflow now. */
  trigger(schedule: string): Promise<void> {
    return this.#client.schedule.getHandle(`hexcast/${schedule}`).trigger()
  }

  /** Returns the ids of the running workflows whose ids begin so. */
  async running(prefix: string): Promise<string[]> {
    const query = `WorkflowId starts_with '${prefix}' and ExecutionStatus = 'Running'`
    const ids: string[] = []
    for await (const { workflowId } of this.#client.workflow.list({ query })) ids.push(workflowId)
    return ids
  }

  /** Returns the workflows whose ids begin so. */
  async list(prefix: string): Promise<WorkedOn[]> {
    const list: WorkedOn[] = []
    for await (const { workflowId: id, status, runId } of this.#client.workflow.list({
      query: `WorkflowId starts_with '${prefix}'`,
    })) {
      const { events } = await this.#client.workflow.getHandle(id, runId).fetchHistory()
      const builds = (events ?? []).flatMap(
        ({ workflowTaskCompletedEventAttributes: completed }) => completed?.deploymentVersion?.buildId ?? [],
      )
      list.push({ id, status: status.name, releases: builds.filter((build, i) => build !== builds[i - 1]) })
    }
    return list
  }

  close(): Promise<void> {
    return this.#connection.close()
  }
}

import type { Client } from '@temporalio/client'
import { defaultPayloadConverter } from '@temporalio/common'
import { inQueues } from './names.ts'

/** What the heartbeats of a step say about the step, and `temporal workflow describe` shows. */
export interface HeartbeatDetails {
  readonly dataset?: string
  readonly domains?: string
  readonly run?: string
  readonly stage?: number
  readonly lead?: number
  /** Files of the stage that are sampled, of those that were planned. */
  readonly files_done?: number
  readonly files_planned?: number
}

/** Files of a stage of a run in progress. */
export interface FileProgress {
  readonly name: string
  readonly text: string
  readonly done: number
  readonly total: number
}

/** Returns the details of a step with this input; undefined for steps of no dataset. */
export function heartbeatDetails(input: unknown): HeartbeatDetails | undefined {
  const { dataset, domains, run, stage, file, progress } = (input ?? {}) as {
    readonly dataset?: string
    readonly domains?: readonly string[]
    readonly run?: string
    readonly stage?: number
    readonly file?: { readonly leadHours: number }
    readonly progress?: { readonly done: number; readonly planned: number }
  }
  if (dataset === undefined) return undefined
  return {
    dataset,
    ...(domains && { domains: domains.join('+') }),
    ...(run !== undefined && { run }),
    ...(stage !== undefined && { stage }),
    ...(file && { lead: file.leadHours }),
    ...(progress && { files_done: progress.done, files_planned: progress.planned }),
  }
}

/** Returns the files of the runs in progress, from the heartbeats of their steps. @param most number of runs */
export async function progressOf(client: Client, queue: string, most: number): Promise<FileProgress[]> {
  const query = `${inQueues(queue)} and WorkflowType = 'modelRun' and ExecutionStatus = 'Running'`
  const ids: string[] = []
  for await (const { workflowId } of client.workflow.list({ query, pageSize: most }))
    if (ids.push(workflowId) >= most) break
  const rows = await Promise.all(ids.map((id) => progressOfRun(client, id)))
  return rows.filter((row) => row !== undefined)
}

async function progressOfRun(client: Client, workflowId: string): Promise<FileProgress | undefined> {
  // The workflow may have ended after it was listed.
  const described = await client.workflow
    .getHandle(workflowId)
    .describe()
    .catch(() => undefined)
  const details = (described?.raw.pendingActivities ?? []).flatMap(({ heartbeatDetails: sent }) => {
    const [payload] = sent?.payloads ?? []
    return payload ? [defaultPayloadConverter.fromPayload<HeartbeatDetails>(payload)] : []
  })
  const files = details.filter(({ files_planned }) => files_planned !== undefined)
  const done = Math.max(...files.map(({ files_done = 0 }) => files_done))
  const [first] = files
  if (!first) return undefined
  const name = [first.dataset, first.domains, first.run].filter(Boolean).join(' ')
  return { name, text: `stage ${first.stage}`, done, total: first.files_planned ?? 0 }
}

import { gridDatasets } from '../../ingest/catalog.ts'
import {
  type RunLate,
  type RunPublished,
  type RunStarted,
  runLate,
  runPublished,
  runStarted,
  topics,
} from '../../ingest/domain/event.ts'
import { nearest } from '../../ingest/domain/nearest.ts'
import { unknownCode } from '../query/area.ts'

/** A change of a run, as streams and webhooks deliver it. */
export interface RunChange {
  readonly topic: 'run'
  /** Number of the message. */
  readonly id: number
  readonly change: 'started' | 'published' | 'stage' | 'late'
  readonly payload: RunStarted | RunPublished | RunLate
}

export const runChangeNames = [
  'started',
  'published',
  'stage',
  'late',
] as const satisfies readonly RunChange['change'][]
/** Topics of the messages about runs. */
export const runTopics: readonly string[] = [topics.runs.name, topics.started.name, topics.late.name]

/** Parses a message about a run; returns undefined for another message. */
export function runChangeOf(id: number, topic: string, payload: unknown): RunChange | undefined {
  if (topic === topics.started.name) return { topic: 'run', id, change: 'started', payload: runStarted.parse(payload) }
  if (topic === topics.late.name) return { topic: 'run', id, change: 'late', payload: runLate.parse(payload) }
  if (topic !== topics.runs.name) return undefined
  const run = runPublished.parse(payload)
  return { topic: 'run', id, change: (run.stage ?? 0) > 0 ? 'stage' : 'published', payload: run }
}

/** Returns the subject of a change: changes of one dataset in one domain are delivered in order. */
export const subjectOfRun = ({ dataset, domain }: RunChange['payload']) => `run ${dataset} ${domain ?? ''}`

/** Rejects ids of datasets without runs, because no event would pass such a filter. @throws Problem not-found with the nearest ids */
export function requireRunDatasets(field: string, ids: readonly string[]): void {
  const known = gridDatasets.map(({ id }) => id)
  for (const id of ids)
    if (!known.includes(id)) throw unknownCode(field, 'dataset of model runs', id, nearest(id, known))
}

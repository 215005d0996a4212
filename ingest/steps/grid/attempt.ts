import { incarnationOf } from '../../../sql/queries/incarnation.ts'
import { weatherSince } from '../../../sql/queries/origin.ts'
import { pointerOf, runOf } from '../../../sql/queries/runs.ts'
import type { GridDataset } from '../../domain/dataset/dataset.ts'
import { nth } from '../../domain/nth.ts'
import type { Database } from '../../ports/database.ts'
import type { Objects } from '../../ports/objects.ts'
import type { RunOf } from './grid-run.ts'
import { lostUntil } from './sample.ts'

/**
 * Returns the suffix of the workflow's name, which makes an engine do the same work only once. It contains the time
 * since which this database has weather, because an engine may remember runs that an earlier database completed and
 * refuse their names; the incarnation of a database that was restored, for the same reason; and a digest of the state that finished work left. Undefined if nothing was fetched yet.
 */
export async function attemptOf(
  database: Database,
  dataset: GridDataset,
  { domains, run }: RunOf,
  slabs?: Pick<Objects, 'get' | 'list'>,
): Promise<string | undefined> {
  const since = await weatherSince(database)
  const { id, isRestored } = await incarnationOf(database)
  const states = [...(since ? [since.toISOString()] : []), ...(isRestored ? [`restored-${id}`] : [])]
  for (const domain of domains) {
    const key = { dataset: dataset.id, domain, run: new Date(run) }
    const row = await runOf(database, key)
    const pointer = await pointerOf(database, dataset.id, domain)
    const stages = dataset.stages(run, domain).length
    const isComplete = pointer?.run.getTime() === run && pointer.stage === stages - 1
    if (row?.ended_at) states.push(`ended-${row.ended_at.toISOString()}`)
    else if (row?.state === 'published' && isComplete) states.push(`got-${row.got}`)
  }
  // A lost file is tried again, and each attempt needs its own name.
  const lost = states.length > 0 && slabs ? await lostUntil(slabs, dataset.id, nth(domains, 0), run) : undefined
  if (lost !== undefined) states.push(`lost-${new Date(lost).toISOString()}`)
  return states.length > 0 ? states.join('+') : undefined
}

import { weatherSince } from '../../../sql/queries/origin.ts'
import { pointerOf, runOf } from '../../../sql/queries/runs.ts'
import type { GridDataset } from '../../domain/dataset/dataset.ts'
import type { Database } from '../../ports/database.ts'
import type { Objects } from '../../ports/objects.ts'
import type { RunOf } from './grid-run.ts'
import { lostUntil } from './sample.ts'

/**
 * What follows the run in the name of its workflow, so that the same state is worked on once: since when this database has weather
 * (an engine may remember runs that a database before it has completed, and refuses their names), and what ended work has left.
 * Undefined: nothing was fetched yet.
 */
export async function attemptOf(
  database: Database,
  dataset: GridDataset,
  { domains, run }: RunOf,
  slabs?: Pick<Objects, 'get' | 'list'>,
): Promise<string | undefined> {
  const since = await weatherSince(database)
  const states = since ? [since.toISOString()] : []
  for (const domain of domains) {
    const key = { dataset: dataset.id, domain, run: new Date(run) }
    const row = await runOf(database, key)
    const pointer = await pointerOf(database, dataset.id, domain)
    const stages = dataset.stages(run, domain).length
    const whole = pointer?.run.getTime() === run && pointer.stage === stages - 1
    if (row?.ended_at) states.push(`ended-${row.ended_at.toISOString()}`)
    else if (row?.state === 'published' && whole) states.push(`got-${row.got}`)
  }
  // A file that was lost is tried again: each try is work of its own.
  const lost = states.length > 0 && slabs ? await lostUntil(slabs, dataset.id, domains[0]!, run) : undefined
  if (lost !== undefined) states.push(`lost-${new Date(lost).toISOString()}`)
  return states.length > 0 ? states.join('+') : undefined
}

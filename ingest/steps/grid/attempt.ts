import { pointerOf, runOf } from '../../../sql/queries/runs.ts'
import type { GridDataset } from '../../domain/dataset.ts'
import type { Database } from '../../ports/database.ts'
import type { RunOf } from './grid-run.ts'

/**
 * Name of further work on a run whose workflow has ended: what it left is part of the name, so that the same state is worked on once.
 * Undefined: the workflow of the run itself is running, or was not started yet.
 */
export async function attemptOf(
  database: Database,
  dataset: GridDataset,
  { domains, run }: RunOf,
): Promise<string | undefined> {
  const states: string[] = []
  for (const domain of domains) {
    const key = { dataset: dataset.id, domain, run: new Date(run) }
    const row = await runOf(database, key)
    const pointer = await pointerOf(database, dataset.id, domain)
    const stages = dataset.stages(run, domain).length
    const whole = pointer?.run.getTime() === run && pointer.stage === stages - 1
    if (row?.ended_at) states.push(`ended-${row.ended_at.toISOString()}`)
    else if (row?.state === 'published' && whole) states.push(`got-${row.got}`)
  }
  return states.length > 0 ? states.join('+') : undefined
}

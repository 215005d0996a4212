import { runName } from '../../ingest/domain/time.ts'
import { findLost, forgetLost } from '../../ingest/steps/grid/lost-objects.ts'
import { renewFeeds } from '../../sql/queries/feeds.ts'
import { beginIncarnation, incarnationOf } from '../../sql/queries/incarnation.ts'
import type { CommandLine } from '../verb.ts'
import { withDeps } from './deps.ts'

/** `hexcast recover`: after a restore of the database or a loss of objects. @returns 1 if objects are lost and remain listed */
export async function recover(line: CommandLine): Promise<number> {
  return withDeps(async (deps) => {
    const [database, objects] = [await deps.database(), await deps.objects()]
    if (line.flag('database')) {
      const id = await database.transaction(async (tx) => {
        await renewFeeds(tx)
        return beginIncarnation(tx)
      })
      console.log(`events have the new incarnation ${id}; readers with earlier ids get the event replay`)
    } else console.log(`events have the incarnation ${(await incarnationOf(database)).id}`)
    const lost = await findLost({ database, objects })
    for (const { pointer, lost: count, objects: all } of lost) {
      const { dataset, domain, run } = pointer
      console.log(
        `${[dataset, domain, runName(run.getTime())].filter(Boolean).join(' ')}: ${count} of ${all} objects are lost`,
      )
    }
    if (lost.length === 0) console.log('every served run and frame has its objects')
    if (!line.flag('objects')) return lost.length > 0 ? 1 : 0
    await forgetLost({ database, objects }, lost)
    if (lost.length > 0) console.log('they are not served any more; workers take them, or newer ones, from upstream')
    return 0
  })
}

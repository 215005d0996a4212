import { clearSuperseded, dropSeasonBefore, dropSeasonHours, supersededSlabs } from '../../../sql/queries/season.ts'
import { SEASON_DAYS } from '../../domain/dataset/season.ts'
import { DAY, dateText, HOUR, type Instant } from '../../domain/time.ts'
import { inTurn } from '../in-turn.ts'
import { removeFolder, type SeasonDeps } from './season.ts'

/** Time after which hours of incomplete days are removed. */
const MAX_WAIT = 3 * DAY
/** Time after which no build can still be reading a replaced slab. */
const MAX_BUILD = HOUR

type SeasonStores = Omit<SeasonDeps, 'pool'>

/** Removes hours that no day waits for, replaced slabs, and months completely before the last 180 days. @returns the number of removed objects */
export function retireSeason(ports: SeasonStores, now: Instant): Promise<number> {
  return inTurn([() => removeHours(ports, now), () => removeSuperseded(ports, now), () => removeMonths(ports, now)])
}

async function removeHours({ database, objects }: SeasonStores, now: Instant): Promise<number> {
  const slabs = await dropSeasonHours(database, { keptBefore: new Date(now - MAX_WAIT) })
  for (const slab of slabs) await objects.remove(slab)
  return slabs.length
}

async function removeSuperseded({ database, objects }: SeasonStores, now: Instant): Promise<number> {
  let removed = 0
  for (const { slabs } of await supersededSlabs(database, new Date(now - MAX_BUILD))) {
    for (const slab of slabs) await objects.remove(slab)
    await clearSuperseded(database, slabs)
    removed += slabs.length
  }
  return removed
}

async function removeMonths({ database, objects }: SeasonStores, now: Instant): Promise<number> {
  const month = `${dateText(Math.floor(now / DAY) - SEASON_DAYS - 1).slice(0, 7)}-01`
  const { slabs, manifests } = await dropSeasonBefore(database, month)
  for (const slab of slabs) await objects.remove(slab)
  for (const manifest of manifests) await removeFolder(objects, manifest)
  return slabs.length + manifests.length
}

import { removeOldTextChanges } from '../../../sql/queries/changes.ts'
import { pruneTexts } from '../../../sql/queries/texts.ts'
import { nwsTexts } from '../../datasets/texts.ts'
import { topics } from '../../domain/event.ts'
import type { Feed } from './feed.ts'
import { expireTexts, sweepTexts } from './texts.ts'

/** Forecaster texts of the offices and the national centers. */
export const textsFeed: Feed = {
  id: nwsTexts.id,
  stateKey: nwsTexts.stateKey,
  pollSeconds: nwsTexts.pollSeconds,
  async sweep(deps) {
    const { changed, failed, rejected, unfinished, requests, nextEnd } = await sweepTexts(deps)
    const reasons = Object.entries(rejected).map(([reason, count]) => `${count} rejected: ${reason}`)
    const notes = [
      ...(changed.length > 0 ? [`${changed.length} new texts by ${requests} requests`] : []),
      ...(unfinished.length > 0 ? [`the next sweep continues with ${unfinished.join(', ')}`] : []),
      ...reasons,
      ...failed.map(({ list, why }) => `${list}: ${why}`),
    ]
    return {
      notes: notes.length > 0 ? [notes.join('; ')] : [],
      nextExpiration: nextEnd,
      // The first sweeps have hundreds of items to read, so they run without a pause.
      ...(unfinished.length > 0 && { sweepNext: [nwsTexts.id] }),
    }
  },
  async expire(deps) {
    return { nextExpiration: await expireTexts(deps) }
  },
  async retire({ database }) {
    await removeOldTextChanges(database, topics.texts.retentionHours)
    return pruneTexts(database)
  },
}

import { outlookFiles, spcOutlooks } from '../../datasets/spc.ts'
import type { Feed } from './feed.ts'
import { sweepOutlooks } from './outlooks.ts'

export const outlooksFeed: Feed = {
  id: spcOutlooks.id,
  stateKey: spcOutlooks.stateKey,
  pollSeconds: spcOutlooks.pollSeconds,
  required: true,
  async sweep(deps) {
    const { changed, failed } = await sweepOutlooks(deps, outlookFiles)
    const notes = [changed.join(', '), ...failed.map(({ product, why }) => `${product}: ${why}`)].filter(Boolean)
    return { notes: notes.length > 0 ? [notes.join('; ')] : [] }
  },
}

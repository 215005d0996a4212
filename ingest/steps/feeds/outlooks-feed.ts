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
    const notes = [listed(changed), ...failed.map(({ product, why }) => `${product}: ${why}`)].filter(Boolean)
    return { notes: notes.length > 0 ? [notes.join('; ')] : [] }
  },
}

/** Number of products that a log line names; all 50 of a first read would fill three lines of a terminal. */
const MAX_NAMES = 6

const listed = (products: readonly string[]): string =>
  products.length > MAX_NAMES
    ? `${products.length} outlooks, ${products.slice(0, 2).join(', ')}, …`
    : products.join(', ')

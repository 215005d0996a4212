import { afterAll, beforeAll, expect, test } from 'vitest'
import { databaseOver } from '../../ingest/ports/database/over.ts'
import { scratchDatabase } from '../../ingest/ports/database/scratch.ts'
import type { Database } from '../../ingest/ports/database.ts'
import type { FeedDeps } from '../../ingest/steps/feeds/feed.ts'
import { feeds } from '../../ingest/steps/feeds/index.ts'
import { sweepFeed } from '../../ingest/steps/feeds/sweep.ts'
import { migrate } from '../../sql/migrate.ts'
import { feedStates } from '../../sql/queries/feeds.ts'
import { KeptObjects } from '../tile/kept-objects.ts'

// Any exception of a sweep is a failure of the feed that readers see: a Fault, a bug in a decoder, or a body that is
// too long.

let database: Database
let close: () => Promise<void>

beforeAll(async () => {
  const scratch = await scratchDatabase()
  await migrate(scratch.source, { lock: false })
  database = databaseOver(scratch.source, 'embedded')
  close = scratch.close
})
afterAll(() => close())

const broken = () => {
  throw new TypeError("Cannot read properties of undefined (reading 'length')")
}

/** `zones` requests nothing if no alert names a zone. */
const asking = feeds.filter(({ id }) => id !== 'zones' && id !== 'normals')

test.each(asking.map((feed) => [feed.id, feed] as const))(
  '%s: a bug that is not a Fault marks the feed as failed',
  async (id, feed) => {
    const upstream = { get: async () => broken(), list: async () => broken(), close: async () => undefined }
    const deps = { database, upstream, objects: new KeptObjects(), clock: Date.now } as unknown as FeedDeps
    await sweepFeed(deps, id).catch((error: unknown) => expect(error).toBeInstanceOf(Error))
    const { feeds: states } = await feedStates(database, feed.stateKey)
    expect(states.filter(({ failure }) => failure !== null).length, id).toBeGreaterThan(0)
  },
)

test('rejects an unknown feed with the list of feeds', async () => {
  await expect(sweepFeed({ database } as unknown as FeedDeps, 'nws-alert')).rejects.toThrow(
    /the feed must be one of nws-alerts, /,
  )
})

/** Reads the METAR feed in a separate process, which the test kills: DATA_DIR MIRROR NOW. */
import { openDatabase } from '../../ingest/ports/database/open.ts'
import { openUpstream } from '../../ingest/ports/upstream.ts'
import { sweepFeed } from '../../ingest/steps/feeds/sweep.ts'

const [dataDir, mirror, now] = process.argv.slice(2) as [string, string, string]
const database = await openDatabase({ dataDir, databasePool: 1 })
const upstream = openUpstream({ mirror })
console.log('sweeping')
for (;;) await sweepFeed({ database, upstream, objects: undefined as never, clock: () => Number(now) }, 'metar')

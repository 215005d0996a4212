/** Sweeps the texts of a mirror into a database until it is killed: `node text-sweeper.ts FOLDER MIRROR`. */
import { openDatabase } from '../../ingest/ports/database/open.ts'
import { openUpstream } from '../../ingest/ports/upstream.ts'
import { sweepTexts } from '../../ingest/steps/feeds/texts.ts'

const [, , dataDir, mirror] = process.argv
const database = await openDatabase({ dataDir: dataDir!, databasePool: 1 })
const upstream = openUpstream({ mirror: mirror! })
for (;;) await sweepTexts({ database, upstream })

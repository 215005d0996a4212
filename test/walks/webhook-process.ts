/** Sends webhooks from a folder until it is killed: node webhook-process.ts DATA_DIR */
import { openDatabase } from '../../ingest/ports/database-open.ts'
import { senderOver } from '../api/webhook-harness.ts'

const database = await openDatabase({ dataDir: process.argv[2]!, databasePool: 1 })
senderOver(database, { leaseMs: 1500 })
// Timers of the sender do not keep a process alive.
setInterval(() => undefined, 1000)

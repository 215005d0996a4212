/**
 * Publishes the outbox and sends webhooks until it is killed, over the database and the broker of the settings:
 * DATA_DIR=… node webhook-process.ts
 */
import { loadConfig } from '../../ingest/config.ts'
import { openDatabase } from '../../ingest/ports/database/open.ts'
import { openEvents } from '../../ingest/ports/events/open.ts'
import { startRelay } from '../../ingest/steps/relay-outbox.ts'
import { senderOver } from '../api/webhooks/harness.ts'

const config = { ...loadConfig(), databasePool: 4 }
const database = await openDatabase(config)
// Work that fails while an engine is away is retried.
process.on('unhandledRejection', () => undefined)
startRelay({ database, events: await openEvents(config, database) }, () => undefined)
const { LEASE_MS = '1500', FIRST_RETRY_MS } = process.env
senderOver(database, { leaseMs: Number(LEASE_MS), ...(FIRST_RETRY_MS && { firstRetryMs: Number(FIRST_RETRY_MS) }) })
console.log('ready')
// The timers of the sender do not keep a process alive.
setInterval(() => undefined, 1000)

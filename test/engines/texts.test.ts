import { afterAll, describe } from 'vitest'
import { openDatabase } from '../../ingest/ports/database/open.ts'
import type { Database } from '../../ingest/ports/database.ts'
import { textFeedSuite } from '../contracts/text-feed-suite.ts'
import { textSuite } from '../contracts/text-suite.ts'
import { freshPlace } from './place.ts'

const opened: { database: Database; drop(): Promise<void> }[] = []

async function server(): Promise<Database> {
  const place = await freshPlace()
  const database = await openDatabase(place.config)
  opened.push({ database, drop: () => place.drop() })
  return database
}

afterAll(async () => {
  for (const { database, drop } of opened) {
    await database.close()
    await drop()
  }
})

describe('stored texts', () => textSuite(server))
describe('the feed of texts', () => textFeedSuite(server))

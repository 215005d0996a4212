import { describe } from 'vitest'
import { openDatabase } from '../../ingest/ports/database/open.ts'
import { openEvents } from '../../ingest/ports/events/open.ts'
import { availabilitySuite } from '../contracts/availability-suite.ts'
import { freshPlace } from './place.ts'

describe('availability through PostgreSQL and Kafka', () =>
  availabilitySuite(async () => {
    const place = await freshPlace()
    const database = await openDatabase(place.config)
    const events = await openEvents(place.config)
    return {
      database,
      events,
      async close() {
        await events.close()
        await database.close()
        await place.drop()
      },
    }
  }))

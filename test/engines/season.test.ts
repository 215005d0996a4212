import { randomBytes } from 'node:crypto'
import { describe } from 'vitest'
import { loadConfig, type S3Place } from '../../ingest/config.ts'
import { openDatabase } from '../../ingest/ports/database/open.ts'
import { openObjects } from '../../ingest/ports/objects/open.ts'
import { seasonSuite } from '../contracts/season-suite.ts'
import { freshPlace } from './place.ts'

describe('the season in PostgreSQL and S3', () =>
  seasonSuite(async () => {
    const place = await freshPlace()
    const s3 = loadConfig().objects as S3Place
    const database = await openDatabase(place.config)
    const objects = await openObjects({
      objects: { ...s3, prefix: `${s3.prefix}/${randomBytes(4).toString('hex')}`, cache: undefined },
    })
    return {
      database,
      objects,
      async close() {
        await objects.close?.()
        await database.close()
        await place.drop()
      },
    }
  }))

import { randomBytes } from 'node:crypto'
import { describe } from 'vitest'
import { loadConfig, type S3Place } from '../../ingest/config.ts'
import { openDatabase } from '../../ingest/ports/database/open.ts'
import { openObjects } from '../../ingest/ports/objects/open.ts'
import { openTemporalEngine } from '../../workers/temporal/engine.ts'
import { verificationSuite } from '../contracts/verification-suite.ts'
import { freshPlace } from './place.ts'

describe('verification with Temporal, PostgreSQL and S3', () =>
  verificationSuite(async () => {
    const place = await freshPlace()
    const s3 = loadConfig().objects as S3Place
    const database = await openDatabase(place.config)
    const name = randomBytes(4).toString('hex')
    const objects = await openObjects({ objects: { ...s3, prefix: `${s3.prefix}/${name}`, cache: undefined } })
    return {
      database,
      objects,
      engine: (activities) =>
        openTemporalEngine({
          ...loadConfig().temporal!,
          queue: `verify-${name}`,
          activities,
          clock: Date.now,
          report: () => {},
        }),
      async close() {
        await objects.close?.()
        await database.close()
        await place.drop()
      },
    }
  }))

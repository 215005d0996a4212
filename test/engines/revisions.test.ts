import { randomBytes } from 'node:crypto'
import { describe } from 'vitest'
import { loadConfig, type S3Place } from '../../ingest/config.ts'
import { openDatabase } from '../../ingest/ports/database/open.ts'
import { openObjects } from '../../ingest/ports/objects/open.ts'
import { revisionsSuite } from '../contracts/revisions-suite.ts'
import { freshPlace } from './place.ts'

describe('revisions in PostgreSQL and S3', () =>
  revisionsSuite(async () => {
    const place = await freshPlace()
    const s3 = loadConfig().objects as S3Place
    const [database, other] = [await openDatabase(place.config), await openDatabase(place.config)]
    const name = randomBytes(4).toString('hex')
    const objects = await openObjects({ objects: { ...s3, prefix: `${s3.prefix}/${name}`, cache: undefined } })
    return {
      database,
      other,
      objects,
      async close() {
        await objects.close()
        await database.close()
        await other.close()
        await place.drop()
      },
    }
  }))

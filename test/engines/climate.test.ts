import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe } from 'vitest'
import { loadConfig, type S3Place } from '../../ingest/config.ts'
import { openDatabase } from '../../ingest/ports/database/open.ts'
import type { Database } from '../../ingest/ports/database.ts'
import { openObjects } from '../../ingest/ports/objects/open.ts'
import { climateSuite } from '../contracts/climate-suite.ts'
import { normalsSuite } from '../contracts/normals-suite.ts'
import { freshPlace } from './place.ts'

let place: Awaited<ReturnType<typeof freshPlace>>
let db: Database

beforeAll(async () => {
  place = await freshPlace()
  db = await openDatabase(place.config)
})
afterAll(async () => {
  await db.close()
  await place.drop()
})

describe('climate texts in PostgreSQL', () => climateSuite(() => ({ db })))
describe('station normals in S3', () =>
  normalsSuite(() => {
    const s3 = loadConfig().objects as S3Place
    return openObjects({
      objects: { ...s3, prefix: `${s3.prefix}/${randomBytes(4).toString('hex')}`, cache: undefined },
    })
  }))

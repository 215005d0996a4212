import { openDatabase } from '../../ingest/ports/database/open.ts'
import { alertWalk } from '../contracts/alert-walk.ts'
import { freshPlace } from './place.ts'

alertWalk(async () => {
  const place = await freshPlace()
  const database = await openDatabase(place.config)
  return {
    database,
    async close() {
      await database.close()
      await place.drop()
    },
  }
})

/** Repeats stored requests as of their instants, in a separate process: DATA_DIR RESOLUTION NOW FILE. */
import { readFileSync, writeFileSync } from 'node:fs'
import { openAnswers } from '../../../api/answer/open.ts'
import { loadConfig } from '../../../ingest/config.ts'
import { openDatabase } from '../../../ingest/ports/database/open.ts'
import { openEvents } from '../../../ingest/ports/events/open.ts'
import { openObjects } from '../../../ingest/ports/objects/open.ts'
import { asker, type Question } from './requests.ts'

const [dataDir, resolution, now, file] = process.argv.slice(2) as [string, string, string, string]
const config = loadConfig({ DATA_DIR: dataDir, H3_RESOLUTION: resolution })
const database = await openDatabase(config)
const objects = await openObjects(config)
const events = await openEvents(config, database)
const answers = await openAnswers({
  database,
  objects,
  events,
  clock: () => Number(now),
  resolution: config.h3Resolution,
  feedPollSeconds: {},
  report: (subject) => (error) => console.error(subject, error),
})
const requests = JSON.parse(readFileSync(file, 'utf8')) as { question: Question; at: number }[]
const { ask } = asker(answers, database, objects)
const bodies: string[] = []
const startedAt = performance.now()
for (const { question, at } of requests) {
  const query = { ...question.query, as_of: new Date(at).toISOString() }
  try {
    bodies.push((await ask({ ...question, query }, Number(now))).body)
  } catch (error) {
    bodies.push(String(error))
  }
}
writeFileSync(`${file}.again`, JSON.stringify(bodies))
console.log(`${((performance.now() - startedAt) / requests.length).toFixed(1)} ms an answer`)
await answers.close()
await events.close()
await objects.close()
await database.close()
process.exit(0)

import { Fault } from '../../ingest/domain/fault.ts'
import { plainLine } from '../../ingest/domain/plain-line.ts'
import { isoSeconds } from '../../ingest/domain/time.ts'
import type { Database } from '../../ingest/ports/database.ts'
import { deadMessages, removeDead, requeueDead } from '../../sql/queries/outbox.ts'
import type { CommandLine } from '../verb.ts'
import { withDeps } from './deps.ts'

const MAX_LISTED = 200

/**
 * `hexcast dead-events`: lists, shows, publishes again and removes events that could not be published.
 * @returns exit status
 */
export async function deadEvents(line: CommandLine): Promise<number> {
  const [action = 'list', word] = line.positionals
  return withDeps(async (deps) => {
    if (!['list', 'show', 'requeue', 'drop'].includes(action))
      throw new Fault('Invalid', `unknown action "${action}"; expected list, show, requeue or drop`)
    const database = await deps.database()
    if (action === 'list') return list(database)
    const id = idNamed(word, action)
    if (action === 'show') return show(database, id)
    if (action === 'requeue') {
      const ids = await requeueDead(database, id)
      refuseAbsent(ids, id)
      console.log(`${events(ids.length)} will be published again${ids.length > 0 ? ` as ${ids.join(', ')}` : ''}`)
      return 0
    }
    const removed = await removeDead(database, id)
    refuseAbsent(removed, id)
    console.log(`${events(removed.length)} removed`)
    return 0
  })
}

const events = (count: number) => `${count} ${count === 1 ? 'event' : 'events'}`

/** @returns undefined for `all` @throws Fault Invalid */
function idNamed(word: string | undefined, action: string): number | undefined {
  if (word === 'all' && action !== 'show') return undefined
  const id = Number(word)
  if (word !== undefined && Number.isSafeInteger(id) && id > 0) return id
  const expected = `its number from "npx hexcast dead-events list"${action === 'show' ? '' : ', or all'}`
  throw new Fault(
    'Invalid',
    `${word === undefined ? 'the event is missing' : `"${word}" is not an event`}; expected ${expected}`,
  )
}

/** @throws Fault Invalid if a certain event is not among the dead ones */
function refuseAbsent(rows: readonly unknown[], id: number | undefined): void {
  if (rows.length === 0 && id !== undefined)
    throw new Fault('Invalid', `there is no event ${id} among those that could not be published`)
}

async function list(database: Database): Promise<number> {
  const rows = await deadMessages(database, MAX_LISTED)
  for (const { id, topic, key, failed_at, reason } of rows)
    console.log(plainLine(`${String(id).padStart(8)}  ${isoSeconds(failed_at.getTime())}  ${topic}  ${key}  ${reason}`))
  if (rows.length === 0) console.log('every event could be published')
  return 0
}

async function show(database: Database, id: number | undefined): Promise<number> {
  const rows = await deadMessages(database, 1, id)
  refuseAbsent(rows, id)
  for (const row of rows) console.log(JSON.stringify(row, null, 2))
  return 0
}

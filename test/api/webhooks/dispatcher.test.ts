import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { LEASE_MS, openFleet } from '../../../api/live/fleet.ts'
import { recordServedStates } from '../../../api/live/served-states.ts'
import { openWeb } from '../../../api/sign-in/client-document.ts'
import { startWebhookSender } from '../../../api/webhooks/sender.ts'
import { nth } from '../../../ingest/domain/nth.ts'
import { openDatabase } from '../../../ingest/ports/database/open.ts'
import type { Database } from '../../../ingest/ports/database.ts'
import { until } from './harness.ts'

let dataDir: string
let database: Database
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'hexcast-dispatcher-'))
  database = await openDatabase({ dataDir, databasePool: 1 })
})
afterAll(async () => {
  await database.close()
  await rm(dataDir, { recursive: true, force: true })
})

/** A process whose connection to the database can be cut, which counts its statements. */
async function processOf() {
  const state = { isCut: false, statements: 0 }
  const own: Database = {
    ...database,
    query: (...call) => {
      state.statements++
      return state.isCut ? new Promise(() => undefined) : database.query(...call)
    },
    transaction: (...call) => {
      state.statements++
      return state.isCut ? new Promise(() => undefined) : database.transaction(...call)
    },
  }
  const fleet = await openFleet(own, () => undefined)
  return { state, database: own, fleet }
}

test('one of three processes has the roles, and another one takes them seconds after it dies', async () => {
  const some = [await processOf(), await processOf(), await processOf()]
  const holders = () => some.filter(({ fleet }) => fleet.holds('webhooks'))
  expect(holders()).toHaveLength(1)
  await until(() => some.every(({ fleet }) => fleet.processes() === 3))
  const dead = nth(holders(), 0)
  dead.state.isCut = true
  const died = performance.now()
  await until(() => holders().length === 1 && !holders().includes(dead), 20_000)
  // The lease, one renewal, and the tests beside this one.
  expect(performance.now() - died).toBeLessThan(LEASE_MS + 6000)
  expect(dead.fleet.holds('served states')).toBe(false)
  await until(() => some.filter((each) => each !== dead).every(({ fleet }) => fleet.processes() === 2))
  expect(dead.fleet.isReachable()).toBe(false)
  expect(dead.fleet.processes()).toBe(3)
  // A process that ends gives its roles back: the other one takes them at its next renewal.
  const ended = nth(holders(), 0)
  const last = some.find((each) => each !== dead && each !== ended)
  await ended.fleet.close()
  await until(() => last?.fleet.holds('webhooks') === true, 4000)
  await last?.fleet.close()
  dead.state.isCut = false
  await dead.fleet.close()
  expect(await database.query('select name from metrics_lease')).toEqual([])
})

test('a process that is not the dispatcher asks nothing for webhooks, and continues where the dispatcher ended', async () => {
  const idle = await processOf()
  let isDispatcher = false
  let looks = 0
  const sender = startWebhookSender({
    database: idle.database,
    receivers: { web: openWeb, loopback: true },
    version: '0.0.0',
    isDispatcher: () => isDispatcher,
    fanOut: async () => {
      looks++
      return false
    },
    report: () => undefined,
    timing: { pollMs: 20 },
  })
  await idle.fleet.close()
  const before = idle.state.statements
  await new Promise((resolve) => setTimeout(resolve, 300))
  expect([looks, idle.state.statements - before]).toEqual([0, 0])
  isDispatcher = true
  await until(() => looks > 1)
  await sender.close()
})

test('served states are written by one process, and its successor adds what changed in between', async () => {
  let writer: 'first' | 'second' | undefined = 'first'
  const statesOf = (name: 'first' | 'second') =>
    recordServedStates({ database, clock: Date.now, writes: () => writer === name })
  const [first, second] = [statesOf('first'), statesOf('second')]
  const [{ snapshot } = { snapshot: '' }] = await database.query<{ snapshot: string }>(
    'select pg_current_snapshot()::text as snapshot',
  )
  const stored = async () =>
    (await database.query<{ source: string }>('select source from served_state order by since, source')).map(
      ({ source }) => source,
    )
  for (const states of [first, second]) states.serve('alerts', snapshot, true)
  await first.flush()
  await second.flush()
  expect(await stored()).toEqual(['alerts'])
  // The first process dies. What the second one serves from now on is stored once it is the writer.
  writer = undefined
  second.serve('runs', snapshot, true)
  await second.flush()
  expect(await stored()).toEqual(['alerts'])
  writer = 'second'
  await second.flush()
  expect((await stored()).filter((source) => source === 'runs')).toEqual(['runs'])
  await first.close()
  await second.close()
})

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { issueKey } from '../../../api/keys/issue.ts'
import { type Plan, plans } from '../../../api/keys/plan.ts'
import { KeyRing } from '../../../api/keys/ring.ts'
import { SharedMeter } from '../../../api/keys/shared-meter.ts'
import { nth } from '../../../ingest/domain/nth.ts'
import { openDatabase } from '../../../ingest/ports/database/open.ts'
import type { Database } from '../../../ingest/ports/database.ts'

let dataDir: string
let database: Database
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'hexcast-meter-'))
  database = await openDatabase({ dataDir, databasePool: 1 })
})
afterAll(async () => {
  await database.close()
  await rm(dataDir, { recursive: true, force: true })
})

const { free, professional } = plans(500)
const wait = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))

/** A process that can lose the database. */
function processOf(count: number, onFailure: (error: unknown) => void = () => undefined) {
  const state = { isAway: false, granted: 0, known: 0, mostUnknown: 0 }
  const lost = () => Promise.reject(new Error('connection refused'))
  const meter = new SharedMeter({
    database: {
      kysely: database.kysely,
      async query(...call) {
        const before = state.granted
        const rows = await (state.isAway ? lost() : database.query(...call))
        // What was granted since the statement before the last one is all that other processes may not know of.
        state.mostUnknown = Math.max(state.mostUnknown, state.granted - state.known)
        state.known = before
        return rows as never
      },
    },
    processes: () => count,
    isReachable: () => !state.isAway,
    clock: Date.now,
    onFailure,
  })
  return { meter, state }
}

async function until(check: () => boolean | Promise<boolean>): Promise<void> {
  const end = performance.now() + 20_000
  while (!(await check())) {
    if (performance.now() > end) throw new Error('not within 20 s')
    await wait(50)
  }
}

/** Takes calls until one is refused. */
function drain(meter: SharedMeter, subject: string, plan: Plan, most = 100_000): number {
  let taken = 0
  while (taken < most && meter.take(subject, plan, Date.now())) taken++
  return taken
}

const totalOf = async (subject: string) =>
  (await database.query<{ total: number }>('select total from key_usage where subject = $1', [subject]))[0]?.total

test('grants at most the burst once in each of two processes, and pays the excess back', async () => {
  const [a, b] = [processOf(2), processOf(2)]
  const slow: Plan = { minute: 6, burst: 30 }
  const granted = drain(a.meter, 'burst', slow) + drain(b.meter, 'burst', slow)
  expect(granted).toBe(60)
  // 30 more than the plan were granted at first: none is granted before the bucket has gained them, in 300 s.
  await until(() => [a, b].every(({ meter }) => meter.peek('burst', slow, Date.now()).wait > 200))
  expect(drain(a.meter, 'burst', slow) + drain(b.meter, 'burst', slow)).toBe(0)
  for (const { meter } of [a, b]) await meter.close()
  expect(await totalOf('burst')).toBe(60)
})

test('lets two processes share a plan without refusals while they stay below it', async () => {
  const [a, b] = [processOf(2), processOf(2)]
  let refused = 0
  for (let i = 0; i < 40; i++) {
    // 40 a second of 100.
    for (let k = 0; k < 2; k++) if (!nth([a, b], k).meter.take('steady', professional, Date.now())) refused++
    await wait(50)
  }
  expect(refused).toBe(0)
  for (const { meter } of [a, b]) await meter.close()
  expect(await totalOf('steady')).toBe(80)
})

test('ends a day in both processes when their sum has reached it, within one interval', async () => {
  const plan: Plan = { minute: 60_000, burst: 1000, day: 200 }
  const [a, b] = [processOf(2), processOf(2)]
  let granted = 0
  for (let i = 0; i < 30; i++) {
    for (const { meter, state } of [a, b]) {
      const taken = drain(meter, 'day', plan, 5)
      state.granted += taken
      granted += taken
    }
    await wait(100)
  }
  // Each process grants 25 calls in half a second. The sum exceeds the plan at most by what the processes did not know of each other.
  expect(granted).toBeGreaterThanOrEqual(200)
  expect(granted).toBeLessThanOrEqual(200 + a.state.mostUnknown + b.state.mostUnknown)
  expect(a.state.mostUnknown).toBeGreaterThan(0)
  for (const { meter } of [a, b]) await meter.close()
})

test('grants its share of the plan while the database is away, and what is left when it is back', async () => {
  const failures: unknown[] = []
  const n = 5
  const some = Array.from({ length: n }, () => processOf(n, (error) => failures.push(error)))
  for (const { state } of some) state.isAway = true
  let granted = 0
  for (const { meter } of some) granted += drain(meter, 'away', free)
  expect(granted).toBe(30)
  await wait(300)
  expect(failures.length).toBeGreaterThan(0)
  // A day of the plan is 200 calls a process.
  const plan: Plan = { ...free, minute: 600_000, burst: 1000 }
  expect(drain(nth(some, 0).meter, 'away for a day', plan, 300)).toBe(200)
  for (const { state } of some) state.isAway = false
  await until(async () => (await totalOf('away')) === 30 && (await totalOf('away for a day')) === 200)
  const [, , , , last] = some
  await until(() => last?.meter.peek('away for a day', plan, Date.now()).remaining === 800)
  for (const { meter } of some) await meter.close()
})

test('knows after a start what was granted before', async () => {
  const first = processOf(1)
  expect(drain(first.meter, 'restart', free)).toBe(30)
  await first.meter.close()
  const second = processOf(1)
  await second.meter.read(new Map([['restart', free]]))
  expect(second.meter.take('restart', free, Date.now())).toBe(false)
  await second.meter.close()
})

test('keeps a bounded number of keys, and finds the others once', async () => {
  const keys: string[] = []
  for (let i = 0; i < 5; i++) {
    keys.push((await issueKey(database, { name: 't', plan: 'free', channel: 'test' })).key)
    // The newest are kept, and the clock of the embedded database counts milliseconds.
    await wait(5)
  }
  let reads = 0
  const ring = new KeyRing(
    {
      kysely: database.kysely,
      query: (...call) => {
        if (call[0].includes('hash = any')) reads++
        return database.query(...call)
      },
    },
    { mostKeys: 3 },
  )
  await ring.start()
  expect(keys.map((key) => ring.check(key, Date.now()) !== undefined)).toEqual([false, false, true, true, true])
  for (let i = 0; i < 3; i++) expect(await ring.find(nth(keys, 0), Date.now())).toBeDefined()
  expect(reads).toBe(1)
  // The first key has evicted the third.
  expect(await ring.find(nth(keys, 1), Date.now())).toBeDefined()
  expect(reads).toBe(2)
  expect(await ring.find(`hx_live_${'x'.repeat(43)}`, Date.now())).toBeUndefined()
  ring.stop()
})

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { issueKey, revokeByPrefix } from '../../api/keys/issue.ts'
import { type Plan, plans } from '../../api/keys/plan.ts'
import { SharedMeter } from '../../api/keys/shared-meter.ts'
import { type RunningApi, startApi } from '../../api/main.ts'
import { loadConfig } from '../../ingest/config.ts'
import { entryOf, nth } from '../../ingest/domain/nth.ts'
import { openDatabase } from '../../ingest/ports/database/open.ts'
import type { Database } from '../../ingest/ports/database.ts'
import { freshPlace } from './place.ts'

let place: Awaited<ReturnType<typeof freshPlace>>
let database: Database
let apis: RunningApi[]
let dataDir: string
beforeAll(async () => {
  place = await freshPlace()
  dataDir = await mkdtemp(join(tmpdir(), 'hexcast-limits-'))
  const config = loadConfig({
    DATABASE_URL: entryOf(place.env, 'DATABASE_URL'),
    DATA_DIR: dataDir,
    PORT: '0',
    LOG_LEVEL: 'silent',
    TRIAL_CALLS: '45',
  })
  database = await openDatabase(config)
  apis = await Promise.all([startApi(config), startApi(config)])
})
afterAll(async () => {
  for (const api of apis) await api.close()
  await database.close()
  await place.drop()
  await rm(dataDir, { recursive: true, force: true })
})

const call = async (api: RunningApi, key: string): Promise<number> => {
  const response = await fetch(`http://127.0.0.1:${api.port}/v1/radars?id=FTG`, {
    headers: { authorization: `Bearer ${key}` },
  })
  await response.arrayBuffer()
  return response.status
}

test('lets at most a burst through each of two processes for 1,000 calls at once, and pays the excess back', async () => {
  const { key } = await issueKey(database, { name: 't', plan: 'free', channel: 'test' })
  const began = performance.now()
  const statuses = await Promise.all(Array.from({ length: 1000 }, (_, i) => call(nth(apis, i % 2), key)))
  const passed = statuses.filter((status) => status === 200).length
  expect(passed).toBeGreaterThanOrEqual(30)
  expect(passed).toBeLessThanOrEqual(2 * (30 + Math.ceil((performance.now() - began) / 1000)))
  expect(statuses.filter((status) => status === 429).length).toBe(1000 - passed)
  // All that exceeds the plan is a debt: the sum is that of the plan again before another call is granted.
  await new Promise((resolve) => setTimeout(resolve, 1200))
  let later = 0
  for (let i = 0; i < 40; i++) {
    if ((await call(nth(apis, i % 2), key)) === 200) later++
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  const allowed = 30 + Math.ceil((performance.now() - began) / 1000)
  expect(passed + later).toBeLessThanOrEqual(Math.max(passed, allowed) + 2)
})

test('ends a trial in every process, at most half a second late in each', async () => {
  const { key } = await issueKey(database, { name: 't', plan: 'trial', channel: 'test' })
  let passed = 0
  for (let round = 0; round < 100; round++) {
    const statuses = await Promise.all(Array.from({ length: 10 }, (_, i) => call(nth(apis, i % 2), key)))
    passed += statuses.filter((status) => status === 200).length
    if (statuses.every((status) => status === 402)) break
    await new Promise((resolve) => setTimeout(resolve, 400))
  }
  // Before it ends, each process grants at most its calls of one interval without knowing of the other's.
  expect(passed).toBeGreaterThanOrEqual(45)
  expect(passed).toBeLessThanOrEqual(45 + 10)
  await new Promise((resolve) => setTimeout(resolve, 1000))
  expect([await call(nth(apis, 0), key), await call(nth(apis, 1), key)]).toEqual([402, 402])
})

test('accepts a key of another process at once, and refuses a revoked key within 2 s', async () => {
  const { key, prefix } = await issueKey(database, { name: 't', plan: 'free', channel: 'test' })
  expect(await call(nth(apis, 1), key)).toBe(200)
  expect(await call(nth(apis, 0), key)).toBe(200)
  await revokeByPrefix(database, prefix)
  await new Promise((resolve) => setTimeout(resolve, 1900))
  expect([await call(nth(apis, 0), key), await call(nth(apis, 1), key)]).toEqual([401, 401])
})

test('counts every call of a large plan in the database', async () => {
  const plan: Plan = plans(500).professional
  const meters = [1, 2].map(
    () =>
      new SharedMeter({
        ...{ database, clock: Date.now, processes: () => 2, isReachable: () => true },
        onFailure: () => undefined,
      }),
  )
  const granted = Array.from({ length: 4000 }, (_, i) => nth(meters, i % 2).take('subject', plan, Date.now()))
  const passed = granted.filter(Boolean).length
  expect(passed).toBeGreaterThanOrEqual(1000)
  for (const meter of meters) await meter.close()
  const [row] = await database.query<{ total: number }>(`select total from key_usage where subject = 'subject'`)
  expect(row?.total).toBe(passed)
})

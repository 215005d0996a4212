import { AsyncLocalStorage } from 'node:async_hooks'
import { Server } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { planNames } from '../../../api/keys/plan.ts'
import type { Database } from '../../../ingest/ports/database.ts'
import { type EdgeServer, edgeServer } from '../http/test-server.ts'

/** Everything that a request starts runs in a store of its own. */
const requests = new AsyncLocalStorage<true>()
const { emit } = Server.prototype
const statements: string[] = []

/** Notes the statements of requests. Those of timers have no store. */
function noting(database: Database): void {
  const plain = { query: database.query, run: database.run, transaction: database.transaction }
  const note = (text: string) => {
    if (requests.getStore()) statements.push(text)
  }
  Object.assign(database, {
    query: (...call: Parameters<Database['query']>) => {
      note(call[0])
      return plain.query(...call)
    },
    run: (...call: Parameters<Database['run']>) => {
      note(call[0])
      return plain.run(...call)
    },
    transaction: (...call: Parameters<Database['transaction']>) => {
      note('begin')
      return plain.transaction(...call)
    },
  })
}

/** The list of stored hours is read once for all answers of a domain, until another run is served. */
const isListOfHours = (text: string) => /^select dataset, run, manifest_key, published_at from run\b/.test(text)

let edge: EdgeServer
beforeAll(async () => {
  Server.prototype.emit = function (this: Server, name: string, ...rest: unknown[]) {
    const pass = () => (emit as (...call: unknown[]) => boolean).call(this, name, ...rest)
    return name === 'request' ? requests.run(true, pass) : pass()
  } as typeof emit
  edge = await edgeServer({ TRIAL_CALLS: '500' })
  expect((await edge.get('/v1/weather?zip=80202', await edge.key())).status).toBe(200)
  noting(edge.database)
})
afterAll(async () => {
  Server.prototype.emit = emit
  await edge.close()
})

test.each(planNames)('makes no statement during 1,000 requests of the plan %s', async (plan) => {
  const key = await edge.key(plan)
  expect((await edge.get('/v1/radars?id=FTG', key)).status).toBe(200)
  statements.length = 0
  const counts: Record<number, number> = {}
  for (let round = 0; round < 20; round++) {
    const calls = Array.from({ length: 50 }, (_, i) => {
      const n = round * 50 + i
      return edge.get(i % 2 ? `/v1/weather?lat=${39 + n / 1000}&lon=-104&include=current` : '/v1/radars?id=FTG', key)
    })
    for (const response of await Promise.all(calls)) {
      await response.arrayBuffer()
      counts[response.status] = (counts[response.status] ?? 0) + 1
    }
  }
  // The others are refused for their limit, or for the load of the machine.
  expect(counts[200]).toBeGreaterThanOrEqual(25)
  expect(Object.keys(counts).every((status) => ['200', '429', '503'].includes(status))).toBe(true)
  expect(statements.filter((text) => !isListOfHours(text))).toEqual([])
  expect(statements.length).toBeLessThanOrEqual(2)
})

test('looks a new key up once', async () => {
  const key = await edge.key('free')
  statements.length = 0
  for (let i = 0; i < 5; i++) expect((await edge.get('/v1/radars?id=FTG', key)).status).toBe(200)
  expect(statements.length).toBeLessThanOrEqual(2)
})

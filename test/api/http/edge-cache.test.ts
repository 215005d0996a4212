import { afterAll, beforeAll, expect, test } from 'vitest'
import { surrogateKeysOf } from '../../../api/answer/surrogate-keys.ts'
import { revokeByPrefix } from '../../../api/keys/issue.ts'
import { coarseCells } from '../../../api/live/served-runs.ts'
import { type RunningApi, startApi } from '../../../api/main.ts'
import { type AlertChanged, topics } from '../../../ingest/domain/event.ts'
import { nth } from '../../../ingest/domain/nth.ts'
import { markConfirmed } from '../../../sql/queries/feeds.ts'
import { cachingProxy } from './caching-proxy.ts'
import { type EdgeServer, edgeServer } from './test-server.ts'

/** Two API processes over one database, with what a shared cache needs. */
let edge: EdgeServer
let second: RunningApi
let bases: string[]
/** Confirms the alerts all the time, as a worker does: answers from a feed that nobody reads are not stored. */
const confirm = ({ database }: EdgeServer) => markConfirmed(database, 'alerts', { suspicious: false, rejected: {} })
let confirming: NodeJS.Timeout
beforeAll(async () => {
  edge = await edgeServer({ EDGE_CACHE: 'true' })
  await confirm(edge)
  confirming = setInterval(() => void confirm(edge), 10_000)
  const { config, database, objects, events, current } = edge
  second = await startApi(config, { database, objects, events, current })
  bases = [edge.base, `http://127.0.0.1:${second.port}`]
  // Both processes read the state of the feed every second.
  await new Promise((resolve) => setTimeout(resolve, 2500))
})
afterAll(async () => {
  clearInterval(confirming)
  await second?.close()
  await edge?.close()
})

const get = (base: string, path: string, key: string, headers: Record<string, string> = {}) =>
  fetch(base + path, { headers: { authorization: `Bearer ${key}`, ...headers } })
const denver = '/v1/weather?lat=39.74&lon=-104.99&include=astro,alerts'

test('the same answer has the same ETag in two processes, made at different times', async () => {
  const key = await edge.key()
  // Members that change with the minute are in other sections.
  const path = '/v1/weather?lat=39.74&lon=-104.99&include=hourly,daily,alerts,astro'
  const first = await get(nth(bases, 0), path, key)
  await new Promise((resolve) => setTimeout(resolve, 1100))
  const other = await get(nth(bases, 1), path, key)
  type Dated = { readonly meta: { readonly generated_at: string } }
  const [a, b] = [(await first.json()) as Dated, (await other.json()) as Dated]
  expect(a.meta.generated_at).not.toBe(b.meta.generated_at)
  const differences: string[] = []
  const compare = (x: unknown, y: unknown, at: string): void => {
    if (typeof x === 'object' && x && typeof y === 'object' && y) {
      for (const name of new Set([...Object.keys(x), ...Object.keys(y)]))
        compare((x as Record<string, unknown>)[name], (y as Record<string, unknown>)[name], `${at}.${name}`)
    } else if (x !== y && !/generated_at|age_seconds/.test(at)) differences.push(`${at}: ${x} ${y}`)
  }
  compare(a, b, '')
  expect(differences).toEqual([])
  const etag = first.headers.get('etag') ?? ''
  expect(other.headers.get('etag')).toBe(etag)
  const unchanged = await get(nth(bases, 1), path, key, { 'if-none-match': etag })
  expect(unchanged.status).toBe(304)
  const elsewhere = await get(nth(bases, 1), path.replace('39.74', '39.75'), key, { 'if-none-match': etag })
  expect(elsewhere.status).toBe(200)
  expect(elsewhere.headers.get('etag')).not.toBe(etag)
  const csv = await Promise.all(bases.map((base) => get(base, `${path}&format=csv`, key)))
  expect(nth(csv, 0).headers.get('etag')).toBe(nth(csv, 1).headers.get('etag'))
})

test('public answers name their cells and runs, and nothing of the caller', async () => {
  const response = await get(nth(bases, 0), denver, await edge.key('free'))
  expect(response.headers.get('cache-control')).toMatch(/^public, max-age=\d+$/)
  const keys = (response.headers.get('surrogate-key') ?? '').split(' ')
  expect(keys).toEqual(expect.arrayContaining(coarseCells(39.74, -104.99)))
  expect(keys).toEqual(expect.arrayContaining(['nbm/conus', 'hrrr/conus']))
  expect(keys).not.toContain('mrms-precip-rate/conus')
  const withRadar = surrogateKeysOf({ domain: 'conus', coarse: [], sources: ['radar', 'nowcast'] })
  expect(withRadar).toEqual(expect.arrayContaining(['mrms-precip-rate/conus', 'mrms-motion/conus']))
  expect(withRadar).not.toContain('mrms-quality/conus')
  expect([...response.headers.keys()].filter((name) => name.startsWith('ratelimit'))).toEqual([])
  const failed = await get(nth(bases, 0), '/v1/weather?lat=0&lon=0', await edge.key('free'))
  expect(failed.headers.get('cache-control') ?? '').not.toContain('public')
})

test('answers are private without the setting', async () => {
  const plain = await edgeServer()
  await confirm(plain)
  await new Promise((resolve) => setTimeout(resolve, 1500))
  const response = await get(plain.base, denver, await plain.key('free'))
  expect(response.headers.get('cache-control')).toMatch(/^max-age=\d+$/)
  expect(response.headers.get('surrogate-key')).toBeNull()
  expect(response.headers.get('ratelimit-limit')).toBe('30')
  await plain.close()
})

test('a shared cache checks every key, answers from its store, and drops what an event names', async () => {
  const proxy = await cachingProxy(bases)
  const removed: number[] = []
  const subscription = await edge.events.subscribe(topics.alerts.name, ({ payload }) => {
    removed.push(proxy.purge((payload as AlertChanged).cells))
  })
  const key = await edge.key('free')
  const ask = async (path: string, by = key) => {
    const response = await get(proxy.base, path, by)
    await response.arrayBuffer()
    return `${response.status} ${response.headers.get('x-cache') ?? 'none'}`
  }
  const near = denver.replace('39.74', '39.7412')
  const miami = '/v1/weather?lat=25.76&lon=-80.19&include=astro,alerts'
  expect([await ask(denver), await ask(near), await ask(miami)]).toEqual(['200 miss', '200 hit', '200 miss'])
  for (let i = 0; i < 50; i++) expect(await ask(near)).toBe('200 hit')
  expect(proxy.fetched).toBe(2)
  // Calls that the cache answers are not counted: the burst of the plan is 30.
  expect(await ask(denver, `hx_live_${'x'.repeat(43)}`)).toBe('401 none')
  const at = new Date().toISOString()
  const [cell = ''] = coarseCells(39.74, -104.99)
  const alert = { id: 'a', event: 'Tornado Warning', change: 'issued', areas: [], cells: [cell], expiration: null, at }
  await edge.events.publish(topics.alerts.name, 'a', alert)
  const end = performance.now() + 10_000
  while (removed.length === 0 && performance.now() < end) await new Promise((resolve) => setTimeout(resolve, 20))
  expect(removed).toEqual([1])
  expect([await ask(near), await ask(miami)]).toEqual(['200 miss', '200 hit'])
  expect(proxy.purge(['nbm/conus'])).toBe(2)
  await revokeByPrefix(edge.database, key.slice(0, 16))
  await new Promise((resolve) => setTimeout(resolve, 2000))
  expect(await ask(miami)).toBe('401 none')
  await subscription.close()
  await proxy.close()
})

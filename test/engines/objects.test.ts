import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { loadConfig, type S3Place } from '../../ingest/config.ts'
import { openObjects } from '../../ingest/ports/objects/open.ts'
import type { Objects } from '../../ingest/ports/objects.ts'
import { objectsSuite } from '../contracts/objects-suite.ts'
import { type ProxyFault, startFaultyProxy } from './faulty-proxy.ts'

let folder: string
let plain: Objects
let cached: Objects
let place: S3Place

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hexcast-s3-'))
  place = loadConfig().objects as S3Place
  place = { ...place, prefix: `${place.prefix}/${randomBytes(4).toString('hex')}` }
  plain = await openObjects({ objects: { ...place, cache: undefined } })
  cached = await openObjects({ objects: { ...place, cache: { folder: join(folder, 'cache'), bytes: 8 << 20 } } })
})

afterAll(async () => {
  await Promise.all([plain?.close(), cached?.close()])
  await rm(folder, { recursive: true, force: true })
})

describe('S3', () => objectsSuite(() => plain))
describe('S3 behind the disk cache', () => objectsSuite(() => cached))

async function storeBehind(spoil: (count: number, incoming: IncomingMessage) => ProxyFault) {
  const proxy = await startFaultyProxy(place.endpoint!, spoil)
  const store = await openObjects({ objects: { ...place, cache: undefined, endpoint: proxy.url } })
  return { ...proxy, store }
}

describe('S3 that misbehaves', () => {
  test('retries a put after 409 (a conflict with another request), both plain and in parts', async () => {
    const proxy = await storeBehind((count) => (count % 3 === 0 ? 409 : undefined))
    for (const length of [50_000, 20 << 20]) {
      const bytes = randomBytes(length)
      await proxy.store.put(`conflict/${length}`, bytes, { ifAbsent: true })
      expect(Buffer.compare(await plain.get(`conflict/${length}`), bytes)).toBe(0)
    }
    await proxy.store.close()
    proxy.close()
  })

  test('retries after 503 to every third request and broken connections, and loses or tears nothing', async () => {
    const proxy = await storeBehind((count) => (count % 3 === 2 ? 503 : count % 7 === 5 ? 'hang up' : undefined))
    for (let index = 0; index < 12; index++) {
      const bytes = randomBytes(50_000)
      await proxy.store.put(`third/${index}`, bytes, { ifAbsent: true })
      expect(Buffer.compare(await plain.get(`third/${index}`), bytes)).toBe(0)
      expect(Buffer.compare(await proxy.store.range(`third/${index}`, 1000, 2000), bytes.subarray(1000, 3000))).toBe(0)
    }
    expect(proxy.requests()).toBeGreaterThan(24)
    await proxy.store.close()
    proxy.close()
  })

  test('puts only absent objects on a server that does not implement If-None-Match', async () => {
    const proxy = await storeBehind((_, { headers }) => ('if-none-match' in headers ? 501 : undefined))
    for (const length of [50_000, 20 << 20]) {
      const key = `unconditional/${length}`
      const bytes = randomBytes(length)
      await proxy.store.put(key, bytes, { ifAbsent: true })
      await proxy.store.put(key, bytes, { ifAbsent: true })
      await expect(proxy.store.put(key, randomBytes(length), { ifAbsent: true })).rejects.toMatchObject({
        kind: 'Corrupt',
      })
      expect(Buffer.compare(await plain.get(key), bytes)).toBe(0)
    }
    await proxy.store.close()
    proxy.close()
  })

  test('is Refused after four attempts when every answer is 503', async () => {
    const proxy = await storeBehind(() => 503)
    await expect(proxy.store.get('third/0')).rejects.toMatchObject({ kind: 'Refused' })
    expect(proxy.requests()).toBe(4)
    await proxy.store.close()
    proxy.close()
  })
})

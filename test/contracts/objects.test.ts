import { randomBytes } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { nth } from '../../ingest/domain/nth.ts'
import { type CacheCounts, openCache } from '../../ingest/ports/objects/cache.ts'
import { openFolder } from '../../ingest/ports/objects/folder.ts'
import { joinRanges } from '../../ingest/ports/objects/join.ts'
import type { Objects } from '../../ingest/ports/objects.ts'
import { objectsSuite } from './objects-suite.ts'

let place: string
let folder: Objects
let cached: Objects & { counts: CacheCounts }

beforeAll(async () => {
  place = await mkdtemp(join(tmpdir(), 'hexcast-objects-'))
  folder = await openFolder(join(place, 'objects'))
  cached = await openCache(await openFolder(join(place, 'behind')), { folder: join(place, 'cache'), bytes: 4 << 20 })
})

afterAll(async () => {
  await folder.close()
  await cached.close()
  await rm(place, { recursive: true, force: true })
})

describe('folder', () => objectsSuite(() => folder))
describe('a store behind the cache', () => objectsSuite(() => cached))

describe('the folder store', () => {
  test('leaves no unfinished files and bounds the number of open files', async () => {
    for (let index = 0; index < 700; index++) await folder.put(`many/${index}`, Buffer.from([index & 255]))
    const read = await Promise.all(Array.from({ length: 700 }, (_, index) => folder.range(`many/${index}`, 0, 1)))
    expect(read.map(([value]) => value)).toEqual(Array.from({ length: 700 }, (_, index) => index & 255))
    expect(await readdir(join(place, 'objects', '~unfinished'))).toEqual([])
    expect((await readdir('/proc/self/fd').catch(() => [])).length).toBeLessThan(700)
  })

  test('reads open files synchronously, and returns undefined for others', async () => {
    const bytes = Buffer.from(Array.from({ length: 5000 }, (_, index) => index % 251))
    await folder.put('at-once/one', bytes)
    const { now } = folder.range
    const into = new Uint8Array(300)
    expect(now!('at-once/one', 0, into)).toBeUndefined()
    expect(now!('at-once/none', 0, into)).toBeUndefined()
    await folder.range('at-once/one', 0, 1)
    // After a read that the machine delayed, threads do the next few reads.
    const read = async (from: number) => {
      for (;;) {
        const count = now!('at-once/one', from, into.fill(0))
        if (count !== undefined) return into.slice(0, count)
        await folder.range('at-once/one', 0, 1)
      }
    }
    expect(Buffer.compare(await read(1234), bytes.subarray(1234, 1534))).toBe(0)
    expect(Buffer.compare(await read(4900), bytes.subarray(4900))).toBe(0)
    expect((await read(5000)).length).toBe(0)
    await folder.put('at-once/one', Buffer.from('other'))
    expect(now!('at-once/one', 0, into)).toBeUndefined()
    await folder.remove('at-once/one')
    await expect(folder.range('at-once/one', 0, 1)).rejects.toMatchObject({ kind: 'Missing' })
  })
})

test('removes the unfinished puts of killed processes at opening, but not puts that may be running', async () => {
  const scratch = join(place, 'swept', '~unfinished')
  await (await openFolder(join(place, 'swept'))).close()
  for (const name of ['old', 'new']) await writeFile(join(scratch, name), name)
  const longAgo = new Date(Date.now() - 2 * 3_600_000)
  await utimes(join(scratch, 'old'), longAgo, longAgo)
  await (await openFolder(join(place, 'swept'))).close()
  expect(await readdir(scratch)).toEqual(['new'])
})

describe('the cache', () => {
  test('answers again without the store, keeps its limit and survives a broken block', async () => {
    const bytes = randomBytes(1 << 20)
    await cached.put('cache/one', bytes)
    const missesOf = async () => {
      const before = cached.counts.misses
      expect(Buffer.compare(await cached.range('cache/one', 500, 200), bytes.subarray(500, 700))).toBe(0)
      return cached.counts.misses - before
    }
    expect(await missesOf()).toBe(1)
    await expect.poll(missesOf).toBe(0)
    for (const name of await readdir(join(place, 'cache'))) {
      const file = await readFile(join(place, 'cache', name))
      file[10]! ^= 1
      await writeFile(join(place, 'cache', name), file)
    }
    expect(Buffer.compare(await cached.range('cache/one', 500, 200), bytes.subarray(500, 700))).toBe(0)
    expect(cached.counts.broken).toBeGreaterThan(0)
    const large = randomBytes(12 << 20)
    await cached.put('cache/large', large)
    for (let at = 0; at < large.length; at += 1 << 20) {
      expect(Buffer.compare(await cached.range('cache/large', at, 1 << 20), large.subarray(at, at + (1 << 20)))).toBe(0)
    }
    await expect.poll(() => cached.counts.bytes).toBeLessThanOrEqual(4 << 20)
  })

  test('answers even if it cannot be written', async () => {
    await writeFile(join(place, 'a-file'), 'no folder')
    const store = await openCache(folder, { folder: join(place, 'a-file', 'cache'), bytes: 1 << 20 })
    await folder.put('cache/unwritten', Buffer.from('hello'))
    expect(String(Buffer.from(await store.range('cache/unwritten', 1, 3)))).toBe('ell')
    await expect.poll(() => store.counts.unwritten).toBeGreaterThan(0)
    expect(String(Buffer.from(await store.range('cache/unwritten', 0, 5)))).toBe('hello')
  })
})

test('joins near ranges of one turn and keeps distant ranges apart', async () => {
  const requests: [number, number][] = []
  const bytes = randomBytes(1 << 20)
  const read = joinRanges(async (_, from, length) => {
    requests.push([from, length])
    return bytes.subarray(from, from + length)
  })
  const ranges: [number, number][] = [
    [0, 100],
    [900_000, 50],
    [5000, 10],
    [50, 100],
  ]
  const results = await Promise.all(ranges.map(([from, length]) => read('k', from, length)))
  for (const [index, [from, length]] of ranges.entries())
    expect(Buffer.compare(nth(results, index), bytes.subarray(from, from + length))).toBe(0)
  expect(requests).toEqual([
    [0, 5010],
    [900_000, 50],
  ])
})

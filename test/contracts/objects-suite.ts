import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { nth } from '../../ingest/domain/nth.ts'
import type { Objects } from '../../ingest/ports/objects.ts'

const missing = { name: 'Fault', kind: 'Missing' }
const corrupt = { name: 'Fault', kind: 'Corrupt' }

/** The contract of every object store. */
export function objectsSuite(open: () => Objects): void {
  const folder = () => `suite/${randomBytes(6).toString('hex')}`
  const keysOf = async (store: Objects, prefix: string) => {
    const keys: [string, number][] = []
    for await (const { key, size } of store.list(prefix)) keys.push([key, size])
    return keys
  }

  describe('objects', () => {
    test('are returned byte for byte, including empty and large objects', async () => {
      const store = open()
      const at = folder()
      for (const length of [0, 1, 4096, 1_000_003, 20 << 20]) {
        const bytes = randomBytes(length)
        await store.put(`${at}/${length}`, bytes)
        expect(Buffer.compare(await store.get(`${at}/${length}`), bytes)).toBe(0)
        expect(await store.size(`${at}/${length}`)).toBe(length)
      }
    })

    test('are read by ranges, shorter at the end and empty beyond it', async () => {
      const store = open()
      const key = `${folder()}/ranged`
      const bytes = randomBytes(300_000)
      await store.put(key, bytes)
      const ranges: [number, number][] = [
        [0, 10],
        [0, 300_000],
        [65_530, 12],
        [123_456, 70_000],
        [299_990, 100],
        [300_000, 10],
        [500_000, 5],
        [7, 0],
      ]
      const read = await Promise.all(ranges.map(([from, length]) => store.range(key, from, length)))
      for (const [index, [from, length]] of ranges.entries()) {
        expect(Buffer.compare(nth(read, index), bytes.subarray(from, from + length)), `${from}+${length}`).toBe(0)
      }
    })

    test('are Missing and have no size if absent', async () => {
      const store = open()
      await expect(store.get('suite/nothing/here')).rejects.toMatchObject(missing)
      await expect(store.range('suite/nothing/here', 0, 10)).rejects.toMatchObject(missing)
      expect(await store.size('suite/nothing/here')).toBeUndefined()
      await store.remove('suite/nothing/here')
    })

    test('are replaced completely and absent after removal', async () => {
      const store = open()
      const key = `${folder()}/one`
      await store.put(key, Buffer.from('first, and longer'))
      expect(String(Buffer.from(await store.range(key, 0, 5)))).toBe('first')
      await store.put(key, Buffer.from('second'))
      expect(String(Buffer.from(await store.get(key)))).toBe('second')
      expect(String(Buffer.from(await store.range(key, 0, 100)))).toBe('second')
      await store.remove(key)
      await expect(store.range(key, 0, 5)).rejects.toMatchObject(missing)
      expect(await store.size(key)).toBeUndefined()
    })

    test('accept the same bytes again with ifAbsent, refuse other bytes and keep the first', async () => {
      const store = open()
      const key = `${folder()}/immutable`
      const bytes = randomBytes(1000)
      await store.put(key, bytes, { ifAbsent: true })
      await store.put(key, bytes, { ifAbsent: true })
      await expect(store.put(key, randomBytes(1000), { ifAbsent: true })).rejects.toMatchObject(corrupt)
      await expect(store.put(key, randomBytes(999), { ifAbsent: true })).rejects.toMatchObject(corrupt)
      expect(Buffer.compare(await store.get(key), bytes)).toBe(0)
    })

    test('keep the complete bytes of exactly one of many concurrent puts with ifAbsent', async () => {
      const store = open()
      const key = `${folder()}/race`
      const bodies = Array.from({ length: 8 }, () => randomBytes(50_000))
      const ends = await Promise.allSettled(bodies.map((body) => store.put(key, body, { ifAbsent: true })))
      expect(ends.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
      const winner = nth(
        bodies,
        ends.findIndex(({ status }) => status === 'fulfilled'),
      )
      expect(Buffer.compare(await store.get(key), winner)).toBe(0)
    })

    test('are stored from files of any size, with ifAbsent too', async () => {
      const store = open()
      const key = `${folder()}/file`
      const place = await mkdtemp(join(tmpdir(), 'hexcast-objects-'))
      const bytes = randomBytes(40 << 20)
      await writeFile(join(place, 'a'), bytes)
      await store.putFile(key, join(place, 'a'), { ifAbsent: true })
      await store.putFile(key, join(place, 'a'), { ifAbsent: true })
      expect(Buffer.compare(await store.get(key), bytes)).toBe(0)
      bytes[30 << 20]! ^= 1
      await writeFile(join(place, 'b'), bytes)
      await expect(store.putFile(key, join(place, 'b'), { ifAbsent: true })).rejects.toMatchObject(corrupt)
      await store.putFile(key, join(place, 'b'))
      expect(Buffer.compare(await store.get(key), bytes)).toBe(0)
      await rm(place, { recursive: true })
    })

    test('are listed by prefix in the order of keys with sizes', async () => {
      const store = open()
      const at = folder()
      const names = ['b', 'a/2', 'a/1', 'a.x', 'a0', 'ab/c/d', 'c']
      await Promise.all(names.map((name, index) => store.put(`${at}/${name}`, Buffer.alloc(index))))
      const sorted = [...names].sort((left, right) => (left < right ? -1 : 1))
      expect(await keysOf(store, `${at}/`)).toEqual(sorted.map((name) => [`${at}/${name}`, names.indexOf(name)]))
      expect((await keysOf(store, `${at}/a`)).map(([key]) => key.slice(at.length + 1))).toEqual([
        'a.x',
        'a/1',
        'a/2',
        'a0',
        'ab/c/d',
      ])
      expect((await keysOf(store, `${at}/a/`)).map(([key]) => key.slice(at.length + 1))).toEqual(['a/1', 'a/2'])
      expect(await keysOf(store, `${at}/nothing`)).toEqual([])
    })

    test('are refused if their key could leave the store', async () => {
      const store = open()
      for (const key of ['../out', 'a/../b', '/abs', 'a//b', '', 'a/', 'sp ace', 'a/./b']) {
        await expect(store.put(key, Buffer.from('x')), key).rejects.toMatchObject({ kind: 'Invalid' })
        await expect(store.get(key), key).rejects.toMatchObject({ kind: 'Invalid' })
      }
    })

    test('are never partly visible while they are replaced', async () => {
      const store = open()
      const key = `${folder()}/swapped`
      const bodies = [Buffer.alloc(200_000, 1), Buffer.alloc(150_000, 2)]
      await store.put(key, nth(bodies, 0))
      let writing = true
      const reader = (async () => {
        let reads = 0
        for (; writing || reads === 0; reads++) {
          const bytes = await store.get(key)
          const value = nth(bytes, 0)
          expect([1, 2]).toContain(value)
          expect(bytes.length).toBe(nth(bodies, value - 1).length)
          expect(Buffer.compare(bytes, nth(bodies, value - 1))).toBe(0)
        }
        return reads
      })()
      for (let turn = 0; turn < 20; turn++) await store.put(key, nth(bodies, turn % 2))
      writing = false
      expect(await reader).toBeGreaterThan(0)
    })
  })
}

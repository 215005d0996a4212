import { expect, test } from 'vitest'
import { BodyArena } from '../../../api/answer/body-arena.ts'
import { randomFrom } from '../../random.ts'

const PAGE = 4096

test('copies bodies, and reuses the memory of a body only when it has no reader', () => {
  const arena = new BodyArena(4 * PAGE)
  const source = Buffer.from('one')
  const first = arena.place(source)
  source.write('two')
  expect(first.bytes.toString()).toBe('one')
  const second = arena.place(Buffer.alloc(3 * PAGE, 2))
  expect(second.bytes.buffer).toBe(first.bytes.buffer)
  expect(arena.usedPages).toBe(4)
  // Nothing is free: a buffer of its own, which may be retained and released like others.
  const beside = arena.place(Buffer.from('beside'))
  expect(beside.bytes.buffer).not.toBe(first.bytes.buffer)
  beside.retain()
  beside.release()
  first.retain()
  first.release()
  expect(arena.usedPages).toBe(4)
  first.release()
  const third = arena.place(Buffer.from('three'))
  expect(third.bytes.byteOffset).toBe(first.bytes.byteOffset)
  expect(second.bytes.every((byte) => byte === 2)).toBe(true)
})

test('rejects retaining or releasing a body whose memory was released', () => {
  const body = new BodyArena(PAGE).place(Buffer.from('gone'))
  body.release()
  expect(() => body.retain()).toThrow('after its memory had been released')
  expect(() => body.release()).toThrow('more often than it was retained')
})

test('never shares a byte between bodies of any size, placed and released at random', () => {
  const random = randomFrom(11)
  const arena = new BodyArena(200 * PAGE)
  const open: { body: ReturnType<BodyArena['place']>; fill: number }[] = []
  let beside = 0
  for (let i = 0; i < 20_000; i++) {
    const fill = i & 255
    const body = arena.place(Buffer.alloc(1 + random.integer(0, 12 * PAGE), fill))
    if (body.bytes.buffer.byteLength < 200 * PAGE) beside++
    open.push({ body, fill })
    while (open.length > 20 + 12 * Math.sin(i / 50)) {
      const [{ body, fill }] = open.splice(random.integer(0, open.length - 1), 1) as [(typeof open)[number]]
      expect(body.bytes.equals(Buffer.alloc(body.bytes.length, fill))).toBe(true)
      body.release()
    }
  }
  for (const { body, fill } of open) {
    expect(body.bytes.equals(Buffer.alloc(body.bytes.length, fill))).toBe(true)
    body.release()
  }
  expect(arena.usedPages).toBe(0)
  // Gaps and the times when all is in use; some of 20,000.
  expect(beside).toBeGreaterThan(0)
  expect(beside).toBeLessThan(5000)
})

import { Piscina } from 'piscina'
import { expect, test } from 'vitest'
import { craft, scales } from '../../ingest/grib2-wasm/test/craft.ts'
import { openPool } from '../../ingest/steps/pool.ts'
import { PriorityQueue } from '../../ingest/steps/pool-queue.ts'

const task = (name: string, urgency: number) => ({ name, [Piscina.queueOptionsSymbol]: { urgency } }) as never

test('waiting tasks leave by urgency, those of the same urgency in the order of arrival', () => {
  const queue = new PriorityQueue()
  for (const [name, urgency] of [
    ['a', 0],
    ['b', 2],
    ['c', 0],
    ['d', 2],
    ['e', Number.POSITIVE_INFINITY],
  ] as const)
    queue.push(task(name, urgency))
  const removed = task('x', 1)
  queue.push(removed)
  queue.remove(removed)
  queue.remove(removed)
  const first = queue.shift()!
  queue.unshift(first)
  const names = Array.from({ length: queue.size }, () => (queue.shift() as unknown as { name: string }).name)
  expect(names).toEqual(['e', 'b', 'd', 'a', 'c'])
  expect(queue.shift()).toBeNull()
})

const bad = { kind: 'sample', request: undefined }

test('an error of a task reaches its caller and the thread continues; a closed pool refuses', async () => {
  const pool = openPool({ threads: 1 })
  const errors = await Promise.all([1, 2, 3].map(() => pool.run(bad).catch((error: unknown) => error)))
  for (const error of errors) expect(String(error)).toMatch(/TypeError|Cannot|undefined/)
  const pending = pool.run(bad).catch((error: unknown) => String(error))
  await pool.close()
  expect(await pending).toMatch(/pool: closed|TypeError|Cannot/)
  await expect(pool.run(bad)).rejects.toThrow('pool: closed already')
})

test('a task at its limit ends with its thread, and another thread takes the next task', async () => {
  // A thread needs more than a millisecond to start.
  const packing = [0, 0, ...scales(0, 0, 1), 16, 0]
  const bytes = craft({ nx: 1, ny: 1, packing, values: 1, data: [0, 0] })
  const frame = { kind: 'frame', bytes, subject: { source: 'a file' }, values: 'amount' }
  const pool = openPool({ threads: 1, limits: { frame: 1 } })
  try {
    const ended = await Promise.allSettled([pool.run(frame), pool.run(frame)])
    for (const one of ended)
      expect(one).toMatchObject({
        reason: { kind: 'Corrupt', message: expect.stringContaining('took more than 0.001 s') },
      })
    await expect(pool.run(bad)).rejects.toThrow(/TypeError|Cannot|undefined/)
  } finally {
    await pool.close()
  }
})

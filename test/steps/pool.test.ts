import { Piscina } from 'piscina'
import { expect, test } from 'vitest'
import { craft, scales } from '../../ingest/grib2-wasm/test/craft.ts'
import { openPool } from '../../ingest/steps/pool.ts'
import { PriorityQueue } from '../../ingest/steps/pool-queue.ts'

const task = (name: string, urgency: number) => ({ name, [Piscina.queueOptionsSymbol]: { urgency } }) as never

test('runs waiting tasks by urgency, then in order of arrival', () => {
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

test('reports the error of a task to its caller, continues the thread, and refuses tasks once closed', async () => {
  const pool = openPool({ threads: 1 })
  const errors = await Promise.all([1, 2, 3].map(() => pool.run(bad).catch((error: unknown) => error)))
  for (const error of errors) expect(String(error)).toMatch(/TypeError|Cannot|undefined/)
  const pending = pool.run(bad).catch((error: unknown) => String(error))
  await pool.close()
  expect(await pending).toMatch(/pool: closed|TypeError|Cannot/)
  await expect(pool.run(bad)).rejects.toThrow('pool: closed already')
})

/** A frame whose values are all 7: of the size of CONUS it takes some tenths of a second. */
function constantFrame(nx: number, ny: number) {
  const bytes = craft({ nx, ny, packing: [0, 0, ...scales(7, 0, 0), 0, 0], values: nx * ny, data: [] })
  return { kind: 'frame', bytes, subject: { source: `${nx} × ${ny}` }, values: 'amount' }
}

test('ends a task at its limit with its thread, and runs the waiting tasks', async () => {
  const limits = { frame: 20, sample: 1000 }
  const pool = openPool({ threads: 1, limits })
  // More time than a waiting task may take once it runs.
  const frames = Array.from({ length: 2 + Math.ceil(limits.sample / limits.frame / 10) }, () =>
    constantFrame(7000, 3500),
  )
  try {
    const ends = await Promise.all([...frames, bad, bad].map((task) => pool.run(task).catch((error: unknown) => error)))
    for (const end of ends.slice(0, frames.length))
      expect(end).toMatchObject({ kind: 'Corrupt', message: expect.stringContaining('within 0.02 s') })
    for (const end of ends.slice(frames.length)) expect(String(end)).toMatch(/TypeError|Cannot/)
    expect(pool.idle()).toBe(1)
  } finally {
    await pool.close()
  }
})

test('starts tasks that wait for a thread by urgency, then in order of arrival', async () => {
  const pool = openPool({ threads: 1 })
  const ended: string[] = []
  const run = async (name: string, urgency: number, task: { kind: string } = bad) => {
    await pool.run(task, [], urgency).catch(() => undefined)
    ended.push(name)
  }
  try {
    const frame = () => run('frame', 0, constantFrame(4, 4))
    await Promise.all([run('b1', 1), run('c1', 2), run('b2', 1), run('a', 0), frame(), run('c2', 2)])
    expect(ended).toEqual(['frame', 'c1', 'c2', 'b1', 'b2', 'a'])
  } finally {
    await pool.close()
  }
})

import { expect, test } from 'vitest'
import { Life } from './life.ts'
import { owner, VirtualTime } from './virtual-time.ts'

const START = Date.UTC(2026, 0, 1)

test('timers fire in order, and the clock shows the time of each', async () => {
  const time = new VirtualTime(START)
  const fired: [string, number][] = []
  const note = (name: string) => () => fired.push([name, time.now() - START])
  time.start(note('second'), 2000)
  time.start(note('first'), 1000)
  time.start(note('also first'), 1000)
  const every = time.start(note('every'), 1500, { repeats: true, isPoll: false })
  await time.advance(3200)
  every.stop()
  await time.advance(3000)
  expect(fired).toEqual([
    ['first', 1000],
    ['also first', 1000],
    ['every', 1500],
    ['second', 2000],
    ['every', 3000],
  ])
  expect(time.now() - START).toBe(6200)
})

test('a jump of the clock leaves timers as they are', async () => {
  const time = new VirtualTime(START)
  let at = 0
  time.start(() => {
    at = time.now()
  }, 1000)
  time.jump(60_000)
  await time.advance(1000)
  expect([at - START, time.monotonic()]).toEqual([61_000, 1000])
})

test('polls are stretched, and come at their own time once they no longer are', async () => {
  const time = new VirtualTime(START)
  let polls = 0
  time.stretch(60_000)
  time.start(() => polls++, 1000, { repeats: true })
  await time.advance(60_000)
  expect(polls).toBe(1)
  time.stretch(0)
  await time.advance(5000)
  expect(polls).toBe(6)
})

test('hastened polls come once at their own time, and are stretched again', async () => {
  const time = new VirtualTime(START)
  let polls = 0
  time.stretch(60_000)
  time.start(() => polls++, 1000, { repeats: true })
  time.hasten()
  await time.advance(30_000)
  expect(polls).toBe(1)
  await time.advance(31_000)
  expect(polls).toBe(2)
})

test('timers of a dead process do not fire', async () => {
  const time = new VirtualTime(START)
  const life = new Life('worker', 1)
  let fired = 0
  owner.run(life, () => time.start(() => fired++, 1000, { repeats: true }))
  await time.advance(2500)
  life.kill()
  await time.advance(2500)
  expect(fired).toBe(2)
})

test('work that never ends does not stop the simulation', async () => {
  const time = new VirtualTime(START)
  expect(await time.until(new Promise(() => undefined), 5000)).toBeUndefined()
  expect(await time.until(Promise.resolve('done'), 5000)).toBe('done')
  await expect(time.until(Promise.reject(new Error('failed')), 5000)).rejects.toThrow('failed')
})

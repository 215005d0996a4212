import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { Openings } from '../../../api/answer/openings.ts'
import { Problem } from '../../../api/problem.ts'

test('runs two openings at once, in order, and continues after a failure', async () => {
  const openings = new Openings()
  let [running, most] = [0, 0]
  const order: number[] = []
  const works = Array.from({ length: 12 }, (_, i) =>
    openings.add(async () => {
      order.push(i)
      most = Math.max(most, ++running)
      await pause(1)
      running--
      if (i === 3) throw new Error('unreadable')
      return i
    }),
  )
  const results = await Promise.allSettled(works)
  expect(most).toBe(2)
  expect(order).toEqual([...order].sort((a, b) => a - b))
  expect(results.filter(({ status }) => status === 'rejected').length).toBe(1)
})

test('rejects a request while too many reads wait, and accepts it afterwards', async () => {
  const openings = new Openings()
  const release = Promise.withResolvers<void>()
  const works = Array.from({ length: 26 }, () => openings.add(() => release.promise))
  expect(() => openings.check()).toThrow(Problem)
  release.resolve()
  await Promise.all(works)
  expect(() => openings.check()).not.toThrow()
})

test('admits a limited number of simultaneous requests, each with all its reads before the next', async () => {
  const openings = new Openings()
  const finished: string[] = []
  const request = (name: number) =>
    openings
      .enter(() => pause(1))
      .then(() => Promise.all([1, 2].map(() => openings.add(() => pause(1)))))
      .then(() => finished.push(`${name}`))
  const results = await Promise.allSettled(Array.from({ length: 150 }, (_, i) => request(i)))
  const refused = results.filter(({ status }) => status === 'rejected')
  expect(refused.length).toBe(150 - 26)
  expect(finished).toEqual(Array.from({ length: 26 }, (_, i) => `${i}`))
})

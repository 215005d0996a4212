import { afterEach, expect, test, vi } from 'vitest'
import { ofOneMoment } from '../../../api/answer/one-moment.ts'

const ASKED = Date.UTC(2026, 10, 21, 18)

afterEach(() => void vi.useRealTimers())

test('an answer without a change is made once, at the instant that was asked', async () => {
  const made: number[] = []
  const answer = await ofOneMoment({ changes: 3, changedAt: ASKED - 1000 }, ASKED, async (now) => made.push(now))
  expect([answer, made]).toEqual([1, [ASKED]])
})

test('one during which a source changed is made again, for the instant after the change', async () => {
  const states = { changes: 0, changedAt: 0 }
  const made: number[] = []
  await ofOneMoment(states, ASKED, async (now) => {
    made.push(now)
    if (made.length < 3) Object.assign(states, { changes: made.length, changedAt: ASKED + made.length })
  })
  expect(made).toEqual([ASKED, ASKED + 1, ASKED + 2])
})

test('where sources change all the while it is made at most twelve times, and not again after two seconds', async () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  const states = { changes: 0, changedAt: 0 }
  const made = async (milliseconds: number) => {
    let times = 0
    await ofOneMoment(states, ASKED, async () => {
      vi.advanceTimersByTime(milliseconds)
      states.changes++
      times++
    })
    return times
  }
  expect(await made(1)).toBe(12)
  expect(await made(900)).toBe(3)
  expect(await made(5000)).toBe(1)
})

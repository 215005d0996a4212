import { afterEach, expect, test, vi } from 'vitest'
import { ofOneMoment } from '../../../api/answer/one-moment.ts'

const REQUESTED_AT = Date.UTC(2026, 10, 21, 18)

afterEach(() => void vi.useRealTimers())

test('builds an answer once, at the requested instant, if no source changes', async () => {
  const built: number[] = []
  const answer = await ofOneMoment({ changes: 3, changedAt: REQUESTED_AT - 1000 }, REQUESTED_AT, async (now) =>
    built.push(now),
  )
  expect([answer, built]).toEqual([1, [REQUESTED_AT]])
})

test('builds an answer again for the instant after a change of a source', async () => {
  const states = { changes: 0, changedAt: 0 }
  const built: number[] = []
  await ofOneMoment(states, REQUESTED_AT, async (now) => {
    built.push(now)
    if (built.length < 3) Object.assign(states, { changes: built.length, changedAt: REQUESTED_AT + built.length })
  })
  expect(built).toEqual([REQUESTED_AT, REQUESTED_AT + 1, REQUESTED_AT + 2])
})

test('builds an answer at most twelve times, and not again after two seconds, while sources keep changing', async () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  const states = { changes: 0, changedAt: 0 }
  const built = async (milliseconds: number) => {
    let times = 0
    await ofOneMoment(states, REQUESTED_AT, async () => {
      vi.advanceTimersByTime(milliseconds)
      states.changes++
      times++
    })
    return times
  }
  expect(await built(1)).toBe(12)
  expect(await built(900)).toBe(3)
  expect(await built(5000)).toBe(1)
})

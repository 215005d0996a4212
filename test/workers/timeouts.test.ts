import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Activities } from '../../workers/activities.ts'
import { embeddedFlow } from '../../workers/embedded/flow.ts'
import type { Engine } from '../../workers/engine.ts'
import { retryPolicies } from '../../workers/retry.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
afterEach(() => void vi.useRealTimers())

test('an activity that never ends fails at its timeout in every attempt, as on Temporal', async () => {
  let attempts = 0
  const activities = {
    checkLateness: () => {
      attempts++
      return new Promise<void>(() => undefined)
    },
  } as unknown as Activities
  const signal = new AbortController().signal
  const reported: string[] = []
  const lease = {
    stopping: signal,
    abandoned: signal,
    mine: async () => true,
    woken: () => false,
    timedOut: (error: Error) => reported.push(error.message),
  }
  const flow = embeddedFlow({} as Engine, activities, Date.now, lease)
  let ended: unknown
  flow.act.checkLateness().catch((error: unknown) => {
    ended = error
  })
  const policy = retryPolicies.checkLateness
  for (let waited = 0; ended === undefined && waited < 20_000; waited += 50) {
    await vi.advanceTimersByTimeAsync(policy.timeout * 1000)
    // The pause between two attempts is not faked.
    await pause(50)
  }
  expect(String(ended)).toContain(`checkLateness was expected to end within ${policy.timeout} s`)
  expect([attempts, reported.length]).toEqual([policy.attempts, policy.attempts])
})

import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Activities } from '../../workers/activities.ts'
import { embeddedFlow } from '../../workers/embedded/flow.ts'
import type { Engine } from '../../workers/engine.ts'
import { retryPolicies } from '../../workers/retry.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
afterEach(() => void vi.useRealTimers())

test('fails each attempt of an activity that never ends at its timeout, as on Temporal', async () => {
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
    isOwned: async () => true,
    takeWake: () => false,
    timedOut: (error: Error) => reported.push(error.message),
  }
  const flow = embeddedFlow({} as Engine, activities, Date.now, lease)
  let failure: unknown
  flow.act.checkLateness().catch((error: unknown) => {
    failure = error
  })
  const policy = retryPolicies.checkLateness
  for (let waited = 0; failure === undefined && waited < 20_000; waited += 50) {
    await vi.advanceTimersByTimeAsync(policy.timeout * 1000)
    // The pause between two attempts is not faked.
    await pause(50)
  }
  expect(String(failure)).toContain(`checkLateness did not end within ${policy.timeout} s`)
  expect([attempts, reported.length]).toEqual([policy.attempts, policy.attempts])
})

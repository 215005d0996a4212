import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { WebhookVerificationError, webhookReceiver } from '../../api/client/webhook.ts'
import { nth } from '../../ingest/domain/nth.ts'
import { MINUTE } from '../../ingest/domain/time.ts'
import { openDatabase } from '../../ingest/ports/database/open.ts'
import { deliveriesOf } from '../../sql/queries/webhook-queue.ts'
import { change, receiver, secret, until, webhookHarness } from '../api/webhooks/harness.ts'

const clock = new URL('../drills/clock.mjs', import.meta.url).href

afterEach(() => void vi.useRealTimers())

/** Runs the sender with production's pauses at a later time until a condition holds. Its clock and the database's clock are moved. */
async function senderAt(minutes: number, dataDir: string, condition: () => boolean): Promise<void> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'webhook-process.ts')], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      ...process.env,
      DATA_DIR: dataDir,
      NODE_OPTIONS: `--import=${clock}`,
      CLOCK_OFF: String(minutes * MINUTE),
      FIRST_RETRY_MS: '5000',
    },
  })
  try {
    await until(condition, 90_000)
  } finally {
    child.kill('SIGKILL')
    await once(child, 'exit')
  }
}

test('a receiver that is down for an hour gets every call when it is back, each subject in order', {
  timeout: 400_000,
}, async () => {
  const harness = await webhookHarness()
  let up = false
  const target = await receiver((response) => void response.writeHead(up ? 204 : 503).end())
  const hook = await harness.hook(target.url)
  const subjects = ['x', 'y', 'z']
  const expected = subjects.flatMap((subject) => [0, 1, 2].map((i) => `${subject}/${i}`))
  for (const id of expected) await change(harness.database, id.slice(0, 1), id, { change: 'updated' })
  await harness.database.close()
  let calls = 0
  for (const minutes of [0, 10, 59]) {
    // At first each subject makes an attempt. Then one call at a time tests whether the receiver is back.
    const attempts = minutes === 0 ? subjects.length : 1
    await senderAt(minutes, harness.dataDir, () => target.calls.length >= calls + attempts)
    // Only the first call of each subject is retried, so that no later call overtakes it.
    expect([...new Set(target.order())].sort()).toEqual(subjects.map((subject) => `${subject}/0`))
    calls = target.calls.length
  }
  up = true
  // The pauses have grown: the longest is 72 minutes.
  await senderAt(140, harness.dataDir, () => target.order().length === expected.length)
  const afterwards = target.calls.slice(calls)
  for (const subject of subjects) {
    const own = target.order().filter((id) => id.startsWith(subject))
    expect(own).toEqual([...own].sort())
  }
  expect(target.order().sort()).toEqual(expected)
  // All attempts of a call have the same id, by which a receiver recognizes it. Each attempt has its own signature.
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 140 * MINUTE })
  const own = webhookReceiver(secret)
  const accepted = afterwards.map((call) => own.verify(call.body, call.headers)).filter(Boolean)
  expect(accepted).toHaveLength(expected.length)
  const first = nth(target.calls, 0)
  expect(afterwards.map(({ id }) => id)).toContain(first.id)
  expect(() => own.verify(first.body, first.headers), 'the attempt of an hour ago, replayed').toThrow(
    WebhookVerificationError,
  )
  vi.useRealTimers()
  const database = await openDatabase({ dataDir: harness.dataDir, databasePool: 1 })
  // The process may be killed before it records the last answers, but no call was given up.
  const states = (await deliveriesOf(database, hook, null, 1000)).map(({ state }) => state)
  expect(states).toHaveLength(expected.length)
  expect(states).not.toContain('dead')
  await database.close()
  await target.close()
  await rm(harness.dataDir, { recursive: true, force: true })
})

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { webhookReceiver } from '../../api/client/webhook.ts'
import { openDatabase } from '../../ingest/ports/database/open.ts'
import { deliveriesOf } from '../../sql/queries/webhook-queue.ts'
import { change, receiver, secret, senderOver, until, webhookHarness } from '../api/webhooks/harness.ts'

const SUBJECTS = ['x', 'y', 'z']
const EACH = 12

test('no call is lost and each subject stays in order while sender and database are killed again and again', {
  timeout: 240_000,
}, async () => {
  const harness = await webhookHarness()
  const accepted: string[] = []
  const own = webhookReceiver(secret)
  const target = await receiver((response, call) => {
    const event = own.verify(call.body, call.headers)
    if (event) accepted.push(String(event.data['id']))
    // Some answers are late, so that a kill falls between the receiver's work and our record of it.
    setTimeout(() => response.writeHead(200).end(), 40)
  })
  const hook = await harness.hook(target.url)
  const expected = SUBJECTS.flatMap((subject) =>
    Array.from({ length: EACH }, (_, i) => [subject, `${subject}/${i + 10}`]),
  )
  for (const [subject, id] of expected) await change(harness.database, subject!, id!, { change: 'updated' })
  // The embedded database runs in the killed process.
  await harness.database.close()
  for (const calls of [3, 12, 24]) {
    const child = spawn(process.execPath, [join(import.meta.dirname, 'webhook-process.ts')], {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { ...process.env, DATA_DIR: harness.dataDir },
    })
    await until(() => target.calls.length >= calls, 60_000)
    child.kill('SIGKILL')
    await once(child, 'exit')
  }
  const database = await openDatabase({ dataDir: harness.dataDir, databasePool: 1 })
  const sender = senderOver(database, { leaseMs: 1500 })
  await until(async () => (await deliveriesOf(database, hook, 'delivered', 1000)).length === expected.length, 60_000)
  expect([...accepted].sort()).toEqual(expected.map(([, id]) => id).sort())
  for (const subject of SUBJECTS) {
    const own = accepted.filter((id) => id.startsWith(subject))
    expect(own).toEqual([...own].sort())
  }
  await sender.close()
  await database.close()
  await target.close()
  await rm(harness.dataDir, { recursive: true, force: true })
})

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { webhookReceiver } from '../../api/client/webhook.ts'
import { issueKey } from '../../api/keys/issue.ts'
import { topics } from '../../ingest/domain/event.ts'
import { entryOf } from '../../ingest/domain/nth.ts'
import { openDatabase } from '../../ingest/ports/database/open.ts'
import { addToOutbox } from '../../sql/queries/outbox.ts'
import { insertWebhook } from '../../sql/queries/webhooks.ts'
import { change, receiver, secret } from '../api/webhooks/harness.ts'
import { down, up } from '../engines/native.ts'
import { freshPlace } from '../engines/place.ts'
import { until } from './process.ts'
import { report } from './report.ts'

const subjects = ['w', 'x', 'y', 'z']
const EACH = 15
const RUNS = 12

/** Two senders, each with a relay to Kafka. The drill kills them, PostgreSQL and Kafka in turn. */
test('no call is lost, forged or counted twice and each subject stays in order after kill -9 of senders, PostgreSQL and Kafka', async () => {
  const place = await freshPlace()
  const engines = entryOf(process.env, 'ENGINES_FOLDER')
  const database = await openDatabase(place.config)
  const own = webhookReceiver(secret)
  const accepted: string[] = []
  const startedAt = new Map<string, number>()
  const target = await receiver((response, call) => {
    const attempt = (startedAt.get(call.id) ?? 0) + 1
    startedAt.set(call.id, attempt)
    // One call in three is refused at first and one in seven is answered late, so that kills fall between the work and its record.
    const number = startedAt.size
    if (attempt === 1 && number % 3 === 0) return void response.writeHead(500).end()
    const event = own.verify(call.body, call.headers)
    if (event) accepted.push(nameOf(event.data))
    setTimeout(() => response.writeHead(204).end(), number % 7 === 0 ? 600 : 20)
  })
  const { prefix } = await issueKey(database, { name: 'test', plan: 'professional', channel: 'test' })
  const hook = { id: 'wh_drill', key_prefix: prefix, url: target.url, events: ['alert.*', 'run.*'], filter: {} }
  await database.transaction((tx) => insertWebhook(tx, { ...hook, description: '', secret }, 20))

  const children = new Set<ChildProcess>()
  const start = async () => {
    const env = { ...place.env, LEASE_MS: '1500', FIRST_RETRY_MS: '100', DATA_DIR: join(engines, 'webhooks') }
    const words = [join(import.meta.dirname, '../walks/webhook-process.ts')]
    const child = spawn(process.execPath, words, { stdio: ['ignore', 'pipe', 'inherit'], env })
    children.add(child)
    // A process that cannot reach the database at its start ends; a process that loses it later continues.
    await once(child.stdout, 'data')
    return child
  }
  const kill = async (child: ChildProcess) => {
    children.delete(child)
    expect(child.exitCode, 'a sender ends when it is killed, not when an engine is').toBeNull()
    child.kill('SIGKILL')
    await once(child, 'exit')
  }
  const calls = (count: number) => until(`${count} calls`, 60, () => target.calls.length >= count)
  const dataset = (i: number) => `drill-${i % 2}`
  try {
    for (let i = 0; i < EACH; i++)
      for (const subject of subjects) await change(database, subject, `${subject}/${i + 10}`, { change: 'updated' })
    await addToOutbox(
      database,
      Array.from({ length: RUNS }, (_, i) => {
        const run = new Date(Date.UTC(2026, 0, 1, i)).toISOString()
        const payload = { dataset: dataset(i), run, at: new Date().toISOString() }
        return { topic: topics.runs.name, key: dataset(i), payload }
      }),
    )
    await database.close()
    let first = await start()
    const second = await start()
    await calls(8)
    await kill(first)
    first = await start()
    await calls(20)
    await down(engines, ['postgres'], { kill: true })
    await pause(1500)
    await up(engines, ['postgres'])
    await down(engines, ['kafka'], { kill: true })
    await kill(second)
    await start()
    await up(engines, ['kafka'])
    await calls(40)
    await kill(first)
    await start()

    const expected = [
      ...subjects.flatMap((subject) => Array.from({ length: EACH }, (_, i) => `${subject}/${i + 10}`)),
      ...Array.from({ length: RUNS }, (_, i) => `${dataset(i)}/${String(i).padStart(2, '0')}`),
    ].sort()
    await until('every call', 120, () => accepted.length >= expected.length)
    expect([...accepted].sort()).toEqual(expected)
    for (const subject of [...subjects, 'drill-0', 'drill-1']) {
      const mine = accepted.filter((name) => name.startsWith(`${subject}/`))
      expect(mine).toEqual([...mine].sort())
    }
    const after = await openDatabase(place.config)
    const rows = () =>
      after.query<{ state: string; count: number }>('select state, count(*)::int from webhook_delivery group by 1')
    const noted = await until('every call to be noted', 60, async () => {
      const states = await rows()
      return states.length === 1 && states
    })
    expect(noted).toEqual([{ state: 'delivered', count: expected.length }])
    await after.close()
    const repeated = target.calls.length - expected.length
    report('kill -9 of senders, PostgreSQL and Kafka', `${expected.length} calls accepted once, ${repeated} repeated`)
  } finally {
    for (const child of children) child.kill('SIGKILL')
    await target.close()
    await place.drop()
  }
})

/** Names an alert by its id and a run by its dataset and hour. */
function nameOf(data: Readonly<Record<string, unknown>>): string {
  return data['run'] ? `${data['dataset']}/${String(data['run']).slice(11, 13)}` : String(data['id'])
}

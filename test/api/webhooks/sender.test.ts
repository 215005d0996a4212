import { spawnSync } from 'node:child_process'
import type { ServerResponse } from 'node:http'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { WebhookVerificationError, webhookReceiver } from '../../../api/client/webhook.ts'
import { openWeb, type Web } from '../../../api/sign-in/client-document.ts'
import { maxWaiting } from '../../../api/webhooks/fan-out.ts'
import type { AlertMessage } from '../../../ingest/domain/alert/alert.ts'
import { topics } from '../../../ingest/domain/event.ts'
import { nth } from '../../../ingest/domain/nth.ts'
import { putMessages } from '../../../sql/queries/alerts.ts'
import { addToOutbox, markSent } from '../../../sql/queries/outbox.ts'
import { claimDeliveries, deliveriesOf, replayDeliveries } from '../../../sql/queries/webhook-queue.ts'
import { tlsHost } from '../sign-in/tls-host.ts'
import { change, receiver, secret, until, webhookHarness } from './harness.ts'

let harness: Awaited<ReturnType<typeof webhookHarness>>
const closing: { close(): Promise<void> }[] = []
const open = <T extends { close(): Promise<void> }>(resource: T): T => {
  closing.push(resource)
  return resource
}
beforeEach(async () => {
  harness = await webhookHarness()
})
afterEach(async () => {
  for (const resource of closing.splice(0).reverse()) await resource.close()
  await harness.close()
})

const ok = (response: ServerResponse) => void response.writeHead(204).end()
const delivered = async (id: string, count: number) =>
  until(async () => (await deliveriesOf(harness.database, id, 'delivered', 1000)).length === count)

test('sends a signed call that the receiver accepts once', async () => {
  const target = open(await receiver(ok))
  const id = await harness.hook(target.url)
  open(harness.sender({}))
  await change(harness.database, 'KBOU.TO.W.1', 'a')
  await delivered(id, 1)
  const [call] = target.calls
  const own = webhookReceiver(secret)
  expect(own.verify(call!.body, call!.headers)).toMatchObject({
    type: 'alert.issued',
    data: {
      ...{ id: 'a', event: 'Tornado Warning', areas: ['COC031'], simulated: true },
      geometry: 'https://weather.example.org/v1/alerts?id=a&format=geojson',
    },
  })
  // The receiver rejects a repeated call, and forged, old and altered calls.
  expect(own.verify(call!.body, call!.headers)).toBeUndefined()
  const forged =
    (over: object, body = call!.body) =>
    () =>
      webhookReceiver(secret).verify(body, { ...call!.headers, ...over })
  expect(forged({}, call!.body.replace('Tornado', 'Tornadic'))).toThrow(WebhookVerificationError)
  expect(forged({ 'webhook-id': 'msg_other' })).toThrow(WebhookVerificationError)
  expect(forged({ 'webhook-timestamp': String(Math.floor(Date.now() / 1000) - 301) })).toThrow(WebhookVerificationError)
  expect(forged({ 'webhook-signature': 'v1,AAAA' })).toThrow(WebhookVerificationError)
  expect(() => webhookReceiver(`whsec_${'A'.repeat(44)}`).verify(call!.body, call!.headers)).toThrow(
    WebhookVerificationError,
  )
  const python = process.env['PYTHON'] ?? 'python3'
  if (spawnSync(python, ['-c', 'import standardwebhooks']).status === 0) {
    const script = `import json, sys
from standardwebhooks.webhooks import Webhook
call = json.load(sys.stdin)
print(Webhook(call["secret"]).verify(call["body"], call["headers"])["type"])`
    const input = JSON.stringify({ secret, body: call!.body, headers: call!.headers })
    expect(String(spawnSync(python, ['-c', script], { input }).stdout)).toBe('alert.issued\n')
  }
})

test('sends only events that pass the filter and occur after the webhook was created, and each run once', async () => {
  await change(harness.database, 's0', 'before')
  const target = open(await receiver(ok))
  const id = await harness.hook(target.url, { where: { area: 'CO' }, event: ['tornado warning'], dataset_id: ['nbm'] })
  const [first, two] = await addToOutbox(harness.database, [
    {
      topic: topics.runs.name,
      key: 'nbm',
      payload: { dataset: 'nbm', run: '2026-08-20T12:00:00Z', at: new Date().toISOString() },
    },
    {
      topic: topics.runs.name,
      key: 'gfs',
      payload: { dataset: 'gfs', run: '2026-08-20T12:00:00Z', at: new Date().toISOString() },
    },
  ])
  await markSent(harness.database, [first!, two!])
  await change(harness.database, 's1', 'elsewhere', { areas: ['TXC001'] })
  await change(harness.database, 's2', 'flood', { event: 'Flood Watch' })
  await change(harness.database, 's3', 'wanted')
  open(harness.sender({}))
  await delivered(id, 2)
  await new Promise((resolve) => setTimeout(resolve, 200))
  const bodies = target.calls.map(
    ({ body }) => JSON.parse(body) as { type: string; data: { id?: string; dataset?: string } },
  )
  expect(bodies.map(({ type, data }) => `${type} ${data.id ?? data.dataset}`).sort()).toEqual([
    'alert.issued wanted',
    'run.published nbm',
  ])
})

test('omits alerts below min_severity, but not the update that ends a severe one', async () => {
  const message = (id: string, severity: string) => ({
    message: {
      head: {
        id,
        fingerprint: id,
        status: 'Actual',
        kind: 'Alert',
        event: 'Flood Watch',
        sent: 0,
        expiration: 0,
        vtec: [],
        areas: [],
      },
      ...{ severity, headline: id, zones: [], same: [], highlights: {}, parameters: {} },
    } as unknown as AlertMessage,
    track: 't',
    cells: [],
  })
  const severities = { grave: 'Extreme', lesser: 'Minor', fallen: 'Minor', exact: 'Severe' }
  await harness.database.transaction((tx) =>
    putMessages(
      tx,
      Object.entries(severities).map(([id, severity]) => message(id, severity)),
      1,
    ),
  )
  const target = open(await receiver(ok))
  const id = await harness.hook(target.url, { min_severity: 'Severe' })
  for (const subject of ['grave', 'lesser', 'exact']) await change(harness.database, 't', subject)
  await change(harness.database, 't', 'fallen', { change: 'updated', replaces: ['grave'] })
  await change(harness.database, 't', 'lesser', { change: 'cancelled' })
  open(harness.sender({}))
  await delivered(id, 3)
  await new Promise((resolve) => setTimeout(resolve, 200))
  expect(target.order()).toEqual(['grave', 'exact', 'fallen'])
  expect(JSON.parse(nth(target.calls, 0).body).data).toMatchObject({ severity: 'Extreme', headline: 'grave' })
})

test('repeats calls after 500, redirects and timeouts, keeps each subject in order, and loses none', async () => {
  let redirected = 0
  const inner = open(
    await receiver((response) => {
      redirected++
      ok(response)
    }),
  )
  const target = open(
    await receiver((response, call, calls) => {
      const attempt = calls.filter(({ id }) => id === call.id).length
      const kind = Number.parseInt(JSON.parse(call.body).data.id.split('/')[1], 10) % 4
      if (attempt > 2 || kind === 3) ok(response)
      else if (kind === 0) response.writeHead(500).end('no')
      else if (kind === 1) response.writeHead(302, { Location: inner.url }).end()
      // Without an answer, the call times out.
    }),
  )
  const id = await harness.hook(target.url)
  for (let i = 0; i < 8; i++)
    for (const subject of ['x', 'y']) await change(harness.database, subject, `${subject}/${i}`, { change: 'updated' })
  // Four consecutive failures have pauses of 10, 30, 90 and 270 ms.
  open(harness.sender({ callMs: 200, firstRetryMs: 10 }))
  await delivered(id, 16)
  for (const subject of ['x', 'y']) {
    const expected = Array.from({ length: 8 }, (_, i) => `${subject}/${i}`)
    expect(target.order().filter((name) => name.startsWith(subject))).toEqual(expected)
  }
  expect(redirected).toBe(0)
  // The last attempt of a call precedes the first attempt of the next.
  const sequence = target.calls
    .map(({ body }) => JSON.parse(body).data.id as string)
    .filter((name) => name.startsWith('x'))
  expect(sequence).toEqual([...sequence].sort())
})

test('gives up calls to a failing receiver after a day, replays them on request, and disables a webhook after 410', async () => {
  let up = false
  const target = open(await receiver((response) => void response.writeHead(up ? 200 : 503).end()))
  const removed = open(await receiver((response) => void response.writeHead(410).end()))
  const silent = open(await receiver(() => undefined))
  const healthy = open(await receiver(ok))
  const [down, ended, , well] = [
    await harness.hook(target.url),
    await harness.hook(removed.url),
    await harness.hook(silent.url),
    await harness.hook(healthy.url),
  ]
  for (let i = 0; i < 10; i++) await change(harness.database, `s${i}`, `a${i}`)
  const began = performance.now()
  open(harness.sender({ callMs: 1000 }))
  await delivered(well!, 10)
  // After the first calls, which begin together, each waits for the end of the one before it.
  const seconds = (performance.now() - began) / 1000
  expect(silent.calls.length).toBeLessThanOrEqual(4 + seconds)
  await until(async () => {
    const [row] = await harness.database.query<{ disabled_at: Date | null }>(
      'select disabled_at from webhook where id = $1',
      [ended!],
    )
    return row?.disabled_at != null
  })
  expect(removed.calls.length).toBeLessThanOrEqual(4)
  await harness.database.query(
    "update webhook_delivery set created_at = created_at - interval '25 hours' where webhook_id = $1",
    [down!],
  )
  await until(async () => (await deliveriesOf(harness.database, down!, 'dead', 100)).length === 10)
  const reasons = (await deliveriesOf(harness.database, down!, 'dead', 100)).map(({ error }) => error)
  expect(reasons).toContain('status 503')
  // Calls that waited behind another call were never sent.
  expect(reasons.filter((reason) => reason !== 'status 503').length).toBeGreaterThan(0)
  for (const reason of reasons)
    expect(reason).toMatch(/^status 503$|^not accepted within 24 hours: the receiver has failed since 20/)
  up = true
  const replayed = await harness.database.transaction((tx) => replayDeliveries(tx, down!, null, maxWaiting))
  expect(replayed.replayed).toBe(10)
  await delivered(down!, 10)
})

test('sends one call at a time to a failing receiver, and all waiting calls when it works again', async () => {
  let up = false
  const target = open(
    await receiver((response, { body }) => {
      const refused = body.includes('refused')
      response.writeHead(!up ? 503 : refused ? 400 : 204).end()
    }),
  )
  const id = await harness.hook(target.url)
  for (const subject of ['refused', ...Array.from({ length: 40 }, (_, i) => `s${i}`)])
    for (const turn of [0, 1]) await change(harness.database, subject, `${subject}/${turn}`, { change: 'updated' })
  const state = async () =>
    nth(await harness.database.query<{ failures: number }>('select failures from webhook where id = $1', [id]), 0)
  open(harness.sender({}))
  await until(async () => (await state()).failures >= 4)
  // Four calls are sent at first, then one after each failure, and perhaps the next.
  expect(target.calls.length).toBeLessThanOrEqual(4 + 4)
  up = true
  const probes = target.calls.length
  await delivered(id, 80)
  expect((await state()).failures).toBe(0)
  // A rejected call is repeated by itself, and delays only the calls behind it.
  expect(target.calls.slice(probes).filter(({ body }) => body.includes('refused/1'))).toEqual([])
  for (let i = 0; i < 40; i++) {
    const own = target.calls.slice(probes).map(({ body }) => JSON.parse(body).data.id as string)
    expect(own.filter((name) => name.startsWith(`s${i}/`))).toEqual([`s${i}/0`, `s${i}/1`])
  }
})

test('repeats a call of a crashed process with the same id', async () => {
  const target = open(await receiver(ok))
  const id = await harness.hook(target.url)
  await change(harness.database, 's', 'a')
  await change(harness.database, 's', 'b')
  // This sender claimed the first call and then was killed.
  const first = harness.sender({})
  await delivered(id, 2)
  await first.close()
  await change(harness.database, 's', 'c')
  await change(harness.database, 's', 'd')
  const { fanOut } = await import('../../../api/webhooks/fan-out.ts')
  await fanOut({ database: harness.database, simulated: () => false, base: () => '' })
  const [delivery, ...others] = await harness.database.transaction((tx) => claimDeliveries(tx, 32, 4, 500))
  expect(others).toEqual([])
  open(harness.sender({ leaseMs: 500 }))
  await delivered(id, 4)
  expect(target.order()).toEqual(['a', 'b', 'c', 'd'])
  expect(target.calls.map(({ id }) => id)).toContain(delivery?.id)
})

describe('addresses of receivers', () => {
  /** Names in a test network where loopback counts as public. */
  const web = (addresses: Web['addresses'], ca?: string): Web => ({
    addresses,
    isPublic: (address) => address === '127.0.0.1' || openWeb.isPublic(address),
    ...(ca && { ca }),
  })

  test('never calls a private address, even if a name changes between two lookups', async () => {
    let lookups = 0
    let calls = 0
    const host = open(
      await tlsHost('hooks.example.org', (_request, response) => {
        calls++
        ok(response)
      }),
    )
    const id = await harness.hook(`${host.base}/hook`)
    await change(harness.database, 's', 'a')
    const answers = [['10.0.0.5'], ['127.0.0.1', '169.254.169.254'], ['127.0.0.1'], ['192.168.1.1']]
    const addresses = async () => nth(answers, Math.min(lookups++, 3))
    open(harness.sender({ firstRetryMs: 10 }, web(addresses, host.cert), false))
    await delivered(id, 1)
    expect([lookups, calls]).toEqual([3, 1])
    await change(harness.database, 's', 'b')
    await until(
      async () => (await deliveriesOf(harness.database, id, 'pending', 1))[0]?.error?.includes('private') === true,
    )
    expect(calls).toBe(1)
  })

  test('calls loopback only if the operator allows it', async () => {
    const target = open(await receiver(ok))
    const id = await harness.hook(target.url)
    await change(harness.database, 's', 'a')
    open(harness.sender({}, openWeb, false))
    await until(async () => (await deliveriesOf(harness.database, id, 'pending', 1))[0]?.error != null)
    expect(target.calls).toEqual([])
  })

  test('ends a call whose answer does not end', async () => {
    const target = open(
      await receiver((response) => {
        response.writeHead(200)
        const timer = setInterval(() => response.write(Buffer.alloc(16_384)), 1)
        response.on('close', () => clearInterval(timer))
      }),
    )
    const id = await harness.hook(target.url)
    await change(harness.database, 's', 'a')
    open(harness.sender({ firstRetryMs: 60_000 }))
    await until(
      async () => (await deliveriesOf(harness.database, id, 'pending', 1))[0]?.error?.includes('more than') === true,
    )
  })
})

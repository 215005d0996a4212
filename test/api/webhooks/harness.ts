import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { issueKey } from '../../../api/keys/issue.ts'
import { openWeb, type Web } from '../../../api/sign-in/client-document.ts'
import { type FanOutDeps, fanOut } from '../../../api/webhooks/fan-out.ts'
import { type SenderDeps, startWebhookSender } from '../../../api/webhooks/sender.ts'
import { type AlertChanged, topics } from '../../../ingest/domain/event.ts'
import { openDatabase } from '../../../ingest/ports/database/open.ts'
import type { Database } from '../../../ingest/ports/database.ts'
import { putChanges } from '../../../sql/queries/alerts.ts'
import { addToOutbox } from '../../../sql/queries/outbox.ts'
import { insertWebhook } from '../../../sql/queries/webhooks.ts'

/** The sender of webhooks over a new embedded database, without the rest of the API. */
export async function webhookHarness() {
  const dataDir = await mkdtemp(join(tmpdir(), 'hexcast-webhooks-'))
  const database = await openDatabase({ dataDir, databasePool: 1 })
  const { prefix } = await issueKey(database, { name: 'test', plan: 'professional', channel: 'test' })
  let number = 0
  return {
    database,
    prefix,
    dataDir,
    hook: async (url: string, filter: object = {}, events = ['alert.*', 'run.*']): Promise<string> => {
      const id = `wh_${number++}`
      await database.transaction((tx) =>
        insertWebhook(
          tx,
          { id, key_prefix: prefix, url, events, filter: filter as never, description: '', secret },
          20,
        ),
      )
      return id
    },
    sender: (timing: SenderDeps['timing'], web: Web = openWeb, loopback = true) =>
      senderOver(database, timing, web, loopback),
    close: async () => {
      await database.close()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

export const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
export const errors: unknown[] = []

export function senderOver(database: Database, timing: SenderDeps['timing'], web: Web = openWeb, loopback = true) {
  const deps: FanOutDeps = { database, simulated: () => true, base: () => 'https://weather.example.org' }
  return startWebhookSender({
    database,
    receivers: { web, loopback },
    version: '0.0.0',
    isDispatcher: () => true,
    fanOut: () => fanOut(deps),
    report: (error) => errors.push(error),
    timing: { pollMs: 20, firstRetryMs: 30, sweepMs: 50, ...timing },
  })
}

/** Stores a change of an alert as the ingest step does, with its message and log entry in one transaction. */
export async function change(database: Database, subject: string, id: string, over: Partial<AlertChanged> = {}) {
  const payload: AlertChanged = {
    ...{ id, event: 'Tornado Warning', change: 'issued', areas: ['COC031'], cells: [], expiration: null },
    at: new Date().toISOString(),
    ...over,
  }
  await database.transaction(async (tx) => {
    const [number] = await addToOutbox(tx, [{ topic: topics.alerts.name, key: subject, payload }])
    const row = { id: number!, alertId: id, payload, office: 'BOU', status: 'Actual', at: new Date(payload.at) }
    await putChanges(tx, [row])
  })
}

export interface Received {
  readonly path: string
  readonly id: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** A receiver on loopback; `answer` may do anything. */
export async function receiver(answer: (response: ServerResponse, call: Received, calls: readonly Received[]) => void) {
  const calls: Received[] = []
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part as Buffer)
    const id = String(request.headers['webhook-id'])
    const received = { path: request.url!, id, headers: request.headers, body: Buffer.concat(parts).toString() }
    calls.push(received)
    answer(response, received, calls)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    calls,
    /** Ids of alerts, in the order of their first call. */
    order: () => [...new Set(calls.map(({ body }) => (JSON.parse(body) as { data: { id: string } }).data.id))],
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

export async function until(what: () => boolean | Promise<boolean>, ms = 20_000): Promise<void> {
  const end = performance.now() + ms
  while (!(await what())) {
    if (performance.now() > end)
      throw new Error(
        `not within ${ms} ms; the sender reported ${errors.splice(0).map(String).slice(-3).join('; ') || 'nothing'}`,
      )
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

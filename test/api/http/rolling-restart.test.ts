import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { expect, test } from 'vitest'
import { hexcastChanges } from '../../../api/client/changes.ts'
import { streamMessages } from '../../../api/client/event-stream.ts'
import { issueKey } from '../../../api/keys/issue.ts'
import { nth } from '../../../ingest/domain/nth.ts'
import { HOUR } from '../../../ingest/domain/time.ts'
import { openDatabase } from '../../../ingest/ports/database/open.ts'
import { publishRun } from '../../../sql/queries/runs.ts'
import { Balancer } from './balancer.ts'

const program = join(import.meta.dirname, '../../../bin/main.ts')
const DRAIN_SECONDS = 2
const KEYS = 8

interface ApiProcess {
  readonly child: ChildProcess
  readonly port: number
  readonly lines: string[]
}

async function startApi(dataDir: string): Promise<ApiProcess> {
  const child = spawn(process.execPath, [program, 'api'], {
    env: { PATH: process.env['PATH'], DATA_DIR: dataDir, PORT: '0', DRAIN_SECONDS: String(DRAIN_SECONDS) },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const lines: string[] = []
  const port = await new Promise<number>((resolve, reject) => {
    createInterface({ input: child.stderr! }).on('line', (line) => {
      lines.push(line)
      const { url } = JSON.parse(line) as { url?: string }
      if (url) resolve(Number(new URL(url).port))
    })
    child.once('exit', (code) => reject(new Error(`status ${code} before it listened: ${lines.join('\n')}`)))
  })
  return { child, port, lines }
}

/** Sends SIGTERM and waits for the end. @returns milliseconds until the end */
async function end({ child }: ApiProcess): Promise<number> {
  const startedAt = performance.now()
  const exited = once(child, 'exit')
  child.kill('SIGTERM')
  expect(await exited).toEqual([0, null])
  return performance.now() - startedAt
}

/** Streams of one kind that are opened again whenever they end. */
interface Streams {
  opened: number
  ended: number
  readonly errors: string[]
  /** The `retry` of each end, ms. */
  readonly retries: number[]
}
const streams = (): Streams => ({ opened: 0, ended: 0, errors: [], retries: [] })

/** Reads `/v1/events` again and again, as a browser does. */
async function readEvents(base: string, key: string, counts: Streams, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    try {
      const headers = { authorization: `Bearer ${key}`, accept: 'text/event-stream' }
      const response = await fetch(`${base}/v1/events`, { headers, signal })
      expect(response.status).toBe(200)
      counts.opened++
      let retryMs = 0
      for await (const _ of streamMessages(response.body!, (retry) => {
        retryMs = retry ?? retryMs
      }));
      counts.ended++
      counts.retries.push(retryMs)
    } catch (error) {
      if (!signal.aborted) counts.errors.push(String(error))
    }
  }
}

/** Subscribes to alerts by the tool server again and again. */
async function subscribe(base: string, key: string, counts: Streams, signal: AbortSignal): Promise<void> {
  const transport = () =>
    new StreamableHTTPClientTransport(new URL(`${base}/mcp`), {
      requestInit: { headers: { Authorization: `Bearer ${key}` } },
    })
  const client = new Client({ name: 'rolling', version: '1' }, { versionNegotiation: { mode: { pin: '2026-07-28' } } })
  await client.connect(transport())
  while (!signal.aborted) {
    try {
      const subscription = await client.listen({ resourceSubscriptions: ['hexcast://alerts/Denver%2C%20CO'] })
      counts.opened++
      const stop = () => void subscription.close()
      signal.addEventListener('abort', stop)
      const reason = await subscription.closed
      signal.removeEventListener('abort', stop)
      if (!signal.aborted) counts.ended++
      if (!signal.aborted && reason !== 'graceful') counts.errors.push(String(reason))
    } catch (error) {
      if (!signal.aborted) counts.errors.push(String(error))
      await pause(100)
    }
  }
  await client.close()
}

test('refuses and resets nothing while two API processes are restarted one after the other under load', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'hexcast-rolling-'))
  const database = await openDatabase({ dataDir, databasePool: 2 })
  const balancer = await Balancer.open()
  const processes: ApiProcess[] = []
  const ended = new AbortController()
  try {
    // A process is ready once it knows a served run.
    const run = new Date(Math.floor(Date.now() / HOUR) * HOUR)
    const publication = { stage: 0, publishedTo: 0, manifestKey: 'none', manifest: {}, wanted: 1, got: 1, missing: 0 }
    await publishRun(database, { dataset: 'rtma', domain: 'conus', run, ...publication }, [])
    const keys: string[] = []
    for (let i = 0; i < KEYS; i++)
      keys.push((await issueKey(database, { name: `load ${i}`, plan: 'professional', channel: 'test' })).key)
    for (let i = 0; i < 2; i++) {
      const api = await startApi(dataDir)
      processes.push(api)
      await balancer.add(api.port)
    }

    const statuses = new Map<number, number>()
    const errors: string[] = []
    const load = keys.map(async (key, i) => {
      const paths = ['/v1/catalog', '/v1/geocode?q=Denver', '/v1/status', '/v1/offices']
      for (let n = i; !ended.signal.aborted; n++) {
        try {
          const headers = { authorization: `Bearer ${key}` }
          const response = await fetch(balancer.base + nth(paths, n % paths.length), { headers, signal: ended.signal })
          await response.arrayBuffer()
          statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1)
        } catch (error) {
          if (!ended.signal.aborted) errors.push(String(error))
        }
        await pause(20)
      }
    })
    const [events, tools] = [streams(), streams()]
    let reopened = 0
    const readers = [
      ...[0, 1, 2, 3].map((i) => readEvents(balancer.base, nth(keys, i), events, ended.signal)),
      ...[4, 5].map((i) => subscribe(balancer.base, nth(keys, i), tools, ended.signal)),
      (async () => {
        const options = { signal: ended.signal, onOpen: () => void reopened++ }
        for await (const _ of hexcastChanges({ baseUrl: balancer.base, key: nth(keys, 6) }, {}, options));
      })(),
    ]
    await expect.poll(() => [events.opened, tools.opened, reopened], { timeout: 30_000 }).toEqual([4, 2, 1])

    const drains: number[] = []
    for (const old of [...processes]) {
      drains.push(await end(old))
      balancer.remove(old.port)
      const api = await startApi(dataDir)
      processes.push(api)
      await balancer.add(api.port)
    }
    // Every stream of the first two processes is open again on one of the new ones.
    await expect.poll(() => events.opened - events.ended, { timeout: 30_000 }).toBe(4)
    await expect.poll(() => tools.opened - tools.ended, { timeout: 30_000 }).toBe(2)
    ended.abort()
    await Promise.all([...load, ...readers])

    console.info(
      `rolling restart: ${JSON.stringify([...statuses])} answers, ${events.ended} event streams and ${tools.ended} subscriptions ended, drains of ${drains.map((ms) => Math.round(ms)).join(' and ')} ms`,
    )
    expect(balancer.failures).toEqual({ refused: [], reset: [], unplaced: [] })
    expect([errors, events.errors, tools.errors]).toEqual([[], [], []])
    expect([...statuses.keys()].filter((status) => status !== 200 && status !== 429)).toEqual([])
    expect(statuses.get(200)).toBeGreaterThan(200)
    expect(events.ended).toBeGreaterThanOrEqual(4)
    expect(tools.ended).toBeGreaterThanOrEqual(2)
    for (const ms of drains) expect(ms).toBeGreaterThanOrEqual(DRAIN_SECONDS * 1000)
    for (const retryMs of events.retries) {
      expect(retryMs).toBeGreaterThanOrEqual(500)
      expect(retryMs).toBeLessThanOrEqual(5000)
    }
    expect(new Set(events.retries).size).toBeGreaterThan(1)
    const lines = processes.flatMap(({ lines }) => lines.map((line) => JSON.parse(line) as Record<string, unknown>))
    for (const line of lines)
      expect(Object.keys(line)).toEqual(
        expect.arrayContaining(['level', 'time', 'service', 'version', 'host', 'trace', 'msg']),
      )
    expect(lines.filter(({ level }) => level === 'error' || level === 'fatal')).toEqual([])
  } finally {
    ended.abort()
    for (const { child } of processes) child.kill('SIGKILL')
    balancer.close()
    await database.close()
    await rm(dataDir, { recursive: true, force: true })
  }
}, 180_000)

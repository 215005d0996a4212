import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterEach, expect, test } from 'vitest'

const program = join(import.meta.dirname, '../../bin/main.ts')
const METRICS_TOKEN = 'a-token-of-the-metrics'
const started: ChildProcess[] = []
const folders: string[] = []
afterEach(async () => {
  for (const child of started.splice(0)) child.kill('SIGKILL')
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true })
})

async function start(verb: string, settings: Record<string, string>) {
  const folder = await mkdtemp(join(tmpdir(), 'hexcast-logs-'))
  folders.push(folder)
  const child = spawn(process.execPath, [program, verb], {
    env: {
      PATH: process.env['PATH'],
      DATA_DIR: folder,
      PORT: '0',
      UPSTREAM: 'simulated',
      DRAIN_SECONDS: '0',
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  started.push(child)
  const [output, log]: [string[], string[]] = [[], []]
  createInterface({ input: child.stdout! }).on('line', (line) => output.push(line))
  createInterface({ input: child.stderr! }).on('line', (line) => log.push(line))
  return { child, output, log }
}

test('logs JSON lines with the fields of OPS.md in every process of hexcast start, and no key', async () => {
  const { child, output, log } = await start('start', { DATASETS: 'nws-alerts', METRICS_TOKEN })
  await expect.poll(() => log.join('\n'), { timeout: 120_000 }).toContain('"step":"sweepFeed"')
  const { url, first_key: key } = JSON.parse(output[0] ?? '') as { url: string; first_key: string }
  const traceparent = `00-${'ab'.repeat(16)}-${'cd'.repeat(8)}-01`
  await fetch(`${url}/v1/catalog`, { headers: { authorization: `Bearer ${key}`, traceparent } })
  await fetch(`${url}/${key}`)
  const exited = once(child, 'exit')
  child.kill('SIGTERM')
  expect(await exited).toEqual([0, null])
  const lines = log.map((line) => JSON.parse(line) as Record<string, unknown>)
  for (const line of lines)
    expect(Object.keys(line)).toEqual(
      expect.arrayContaining(['level', 'time', 'service', 'version', 'host', 'trace', 'msg']),
    )
  expect([...new Set(lines.map(({ service }) => service))].sort()).toEqual([
    'hexcast-api',
    'hexcast-start',
    'hexcast-worker',
  ])
  expect(lines.find(({ path }) => path === '/v1/catalog')).toMatchObject({ trace: 'ab'.repeat(16), status: 200 })
  expect(lines.find(({ step }) => step === 'sweepFeed')).toMatchObject({ service: 'hexcast-worker', outcome: 'ok' })
  for (const secret of [key, METRICS_TOKEN]) expect(log.join('\n')).not.toContain(secret)
}, 240_000)

test('logs why a process that serves cannot start as a JSON line', async () => {
  for (const verb of ['start', 'api', 'worker']) {
    const { child, log } = await start(verb, { PORT: 'none' })
    expect(await once(child, 'exit')).toEqual([2, null])
    expect(log.map((line) => JSON.parse(line))).toMatchObject([
      { level: 'fatal', service: `hexcast-${verb}`, msg: expect.stringMatching(/^hexcast \w+: setting PORT is /) },
    ])
  }
}, 120_000)

test('writes prose if LOG_FORMAT is text', async () => {
  const { child, log } = await start('api', { LOG_FORMAT: 'text' })
  await expect.poll(() => log.join('\n'), { timeout: 90_000 }).toMatch(/^\S+Z {2}hexcast api: http:/m)
  child.kill('SIGTERM')
  await once(child, 'exit')
  for (const line of log) expect(line).not.toMatch(/^\{/)
}, 120_000)

test('ends at once on a signal during a start that waits for the database', async () => {
  const sockets: Socket[] = []
  const silent = createServer((socket) => void sockets.push(socket.on('error', () => undefined)))
  await once(silent.listen(0, '127.0.0.1'), 'listening')
  const { port } = silent.address() as AddressInfo
  try {
    for (const verb of ['api', 'worker']) {
      const connected = once(silent, 'connection')
      const { child, log } = await start(verb, { DATABASE_URL: `postgres://a:b@127.0.0.1:${port}/c` })
      const exited = once(child, 'exit')
      await connected
      child.kill('SIGTERM')
      expect(await exited).toEqual([0, null])
      expect(log.map((line) => JSON.parse(line).msg)).toContain('SIGTERM: the process ends before it has started')
    }
  } finally {
    for (const socket of sockets) socket.destroy()
    silent.close()
  }
}, 240_000)

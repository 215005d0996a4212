import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { Ajv } from 'ajv'
import formats from 'ajv-formats'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type EdgeServer, edgeServer } from '../http/test-server.ts'
import { ordinary, type Result, unheld } from './calls.ts'

const program = fileURLToPath(new URL('../../../bin/hexcast.mjs', import.meta.url))
const revisions = ['2025-11-25', '2026-07-28'] as const
type Revision = (typeof revisions)[number]

let server: EdgeServer
let key: string
let ownFolder: string
beforeAll(async () => {
  server = await edgeServer()
  key = await server.key()
  ownFolder = await mkdtemp(join(tmpdir(), 'hexcast-stdio-'))
})
afterAll(async () => {
  await server.close()
  await rm(ownFolder, { recursive: true, force: true })
})

const stdio = (settings: Record<string, string>) =>
  new StdioClientTransport({
    command: process.execPath,
    args: [program, 'mcp'],
    env: { PATH: process.env['PATH'] ?? '', LOG_LEVEL: 'silent', ...settings },
    stderr: 'ignore',
  })
/** HTTP, stdio that forwards to it, and stdio with its own stores, which have no run yet. */
const transports = {
  HTTP: () =>
    new StreamableHTTPClientTransport(new URL(`${server.base}/mcp`), {
      requestInit: { headers: { Authorization: `Bearer ${key}` } },
    }),
  'stdio, forwarded': () => stdio({ HEXCAST_URL: server.base, HEXCAST_KEY: key }),
  'stdio, by itself': () => stdio({ DATA_DIR: ownFolder }),
}

async function connect(transport: keyof typeof transports, revision: Revision): Promise<Client> {
  const client = new Client(
    { name: 'transports', version: '1' },
    { versionNegotiation: { mode: revision === '2025-11-25' ? 'legacy' : { pin: revision } } },
  )
  await client.connect(transports[transport]())
  return client
}

/** A result without the members that change every second. */
const stableMembers = (value: unknown): unknown =>
  JSON.parse(
    JSON.stringify(value, (name, member) =>
      /^(generated_at|age_seconds|last_.*|checked_at|observed_at)$/.test(name) ? undefined : member,
    ),
  )

const answers = new Map<string, Map<string, unknown>>()
for (const transport of Object.keys(transports) as (keyof typeof transports)[]) {
  describe.each(revisions)(`${transport}, revision %s`, (revision) => {
    let client: Client
    let tools: Awaited<ReturnType<Client['listTools']>>['tools']
    beforeAll(async () => {
      client = await connect(transport, revision)
      tools = (await client.listTools()).tools
    })
    afterAll(() => client?.close())

    test('negotiates the requested revision and lists the same tools, except for `execution`', () => {
      expect(client.getNegotiatedProtocolVersion()).toBe(revision)
      expect(client.getServerVersion()).toMatchObject({ name: 'hexcast', title: 'Hexcast' })
      expect(tools.map(({ name }) => name)).toEqual(Object.keys(ordinary).sort())
      for (const tool of tools)
        expect((tool as { execution?: object }).execution, tool.name).toEqual(
          revision === '2025-11-25' ? { taskSupport: 'forbidden' } : undefined,
        )
    })

    test.each(Object.keys(ordinary))('answers %s as the other transports do', async (name) => {
      const result = (await client.callTool({
        name,
        arguments: ordinary[name] as Record<string, unknown>,
      })) as unknown as Result
      const text = result.content.find(({ type }) => type === 'text')?.text ?? ''
      if (result.isError) {
        expect(text).toMatch(/^Error \([a-z-]+\): .* Next: /s)
        expect(result.structuredContent).toBeUndefined()
        expect(result._meta?.['hexcast/error']?.['code'], text).toBe('no-data')
        expect(transport === 'stdio, by itself' ? [name] : unheld, text).toContain(name)
      } else {
        expect(text.length).toBeGreaterThanOrEqual(20)
        expect(text.length).toBeLessThanOrEqual(2000)
        expect(text).not.toMatch(/undefined|NaN|\[object|null/)
        const schema = tools.find((tool) => tool.name === name)?.outputSchema
        if (schema) {
          const ajv = new Ajv({ strict: true, strictRequired: false, allowUnionTypes: true, allErrors: true })
          formats.default(ajv)
          const validate = ajv.compile(schema)
          validate(result.structuredContent)
          expect(validate.errors?.slice(0, 3) ?? []).toEqual([])
        } else expect(result.structuredContent).toBeDefined()
      }
      if (transport === 'stdio, by itself') return
      const output = answers.get(name) ?? new Map<string, unknown>()
      answers.set(name, output.set(`${transport} ${revision}`, stableMembers(result.structuredContent ?? text)))
      const [first] = output.values()
      expect(output.get(`${transport} ${revision}`)).toEqual(first)
    })

    test('answers wrong arguments with an error result, and an unknown tool with a protocol error', async () => {
      const wrong = (await client.callTool({
        name: 'get_forecast',
        arguments: { lat: 39.7, lon: -105, days: 99 },
      })) as unknown as Result
      expect(wrong.isError).toBe(true)
      expect(wrong._meta?.['hexcast/error']).toMatchObject({ code: 'bad-request', field: 'days' })
      await expect(client.callTool({ name: 'get_wether', arguments: {} })).rejects.toMatchObject({ code: -32602 })
    })
  })
}

test('ends with stdin on stdio, not at a time limit', async () => {
  const { spawn } = await import('node:child_process')
  const child = spawn(process.execPath, [program, 'mcp'], {
    env: { PATH: process.env['PATH'], DATA_DIR: ownFolder, LOG_LEVEL: 'silent' },
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  const output: string[] = []
  child.stdout.on('data', (data: Buffer) => output.push(data.toString()))
  child.stdin.write(
    `${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 't', version: '1' } } })}\n`,
  )
  while (output.length === 0) await new Promise((resolve) => child.stdout.once('data', resolve))
  const startedAt = performance.now()
  const exitCode = new Promise((resolve) => child.once('exit', resolve))
  child.stdin.end()
  expect(await exitCode).toBe(0)
  expect(performance.now() - startedAt).toBeLessThan(8000)
  for (const line of output.join('').trim().split('\n')) expect(JSON.parse(line).jsonrpc).toBe('2.0')
})

test('answers calls that are pending when stdin ends, and broken JSON with a parse error', async () => {
  const { spawn } = await import('node:child_process')
  for (const settings of [{ DATA_DIR: ownFolder }, { HEXCAST_URL: server.base, HEXCAST_KEY: key }]) {
    const child = spawn(process.execPath, [program, 'mcp'], {
      env: { PATH: process.env['PATH'], LOG_LEVEL: 'silent', ...settings },
      stdio: ['pipe', 'pipe', 'ignore'],
    })
    const output: string[] = []
    child.stdout.on('data', (data: Buffer) => output.push(data.toString()))
    const exitCode = new Promise((resolve) => child.once('exit', resolve))
    const request = (id: number, method: string, params: object) =>
      `${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`
    child.stdin.write(
      request(1, 'initialize', {
        protocolVersion: '2025-11-25',
        capabilities: {},
        clientInfo: { name: 't', version: '1' },
      }),
    )
    while (!output.join('').includes('\n')) await new Promise((resolve) => child.stdout.once('data', resolve))
    child.stdin.write(`{"jsonrpc":"2.0",\n${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' })}\n`)
    for (const id of [2, 3, 4])
      child.stdin.write(request(id, 'tools/call', { name: 'get_sun_moon', arguments: { location: 'Fairbanks, AK' } }))
    child.stdin.end()
    expect(await exitCode).toBe(0)
    const answers = output
      .join('')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { id: unknown; error?: { code: number }; result?: object })
    expect(answers.filter(({ result }) => result).map(({ id }) => id)).toEqual(expect.arrayContaining([1, 2, 3, 4]))
    expect(answers.find(({ id }) => id === null)?.error?.code).toBe(-32700)
  }
})

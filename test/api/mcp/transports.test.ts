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
let alone: string
beforeAll(async () => {
  server = await edgeServer()
  key = await server.key()
  alone = await mkdtemp(join(tmpdir(), 'hexcast-stdio-'))
})
afterAll(async () => {
  await server.close()
  await rm(alone, { recursive: true, force: true })
})

const stdio = (settings: Record<string, string>) =>
  new StdioClientTransport({
    command: process.execPath,
    args: [program, 'mcp'],
    env: { PATH: process.env['PATH'] ?? '', LOG_LEVEL: 'silent', ...settings },
    stderr: 'ignore',
  })
/** Transports: HTTP, stdio forwarded to it, and stdio with stores of its own, which have no run yet. */
const ways = {
  HTTP: () =>
    new StreamableHTTPClientTransport(new URL(`${server.base}/mcp`), {
      requestInit: { headers: { Authorization: `Bearer ${key}` } },
    }),
  'stdio, forwarded': () => stdio({ HEXCAST_URL: server.base, HEXCAST_KEY: key }),
  'stdio, by itself': () => stdio({ DATA_DIR: alone }),
}

async function connected(way: keyof typeof ways, revision: Revision): Promise<Client> {
  const client = new Client(
    { name: 'transports', version: '1' },
    { versionNegotiation: { mode: revision === '2025-11-25' ? 'legacy' : { pin: revision } } },
  )
  await client.connect(ways[way]())
  return client
}

/** A result without what differs from one second to the next. */
const lasting = (value: unknown): unknown =>
  JSON.parse(
    JSON.stringify(value, (name, one) =>
      /^(generated_at|age_seconds|last_.*|checked_at|observed_at)$/.test(name) ? undefined : one,
    ),
  )

const answers = new Map<string, Map<string, unknown>>()
for (const way of Object.keys(ways) as (keyof typeof ways)[]) {
  describe.each(revisions)(`${way}, revision %s`, (revision) => {
    let client: Client
    let tools: Awaited<ReturnType<Client['listTools']>>['tools']
    beforeAll(async () => {
      client = await connected(way, revision)
      tools = (await client.listTools()).tools
    })
    afterAll(() => client?.close())

    test('is the revision that was asked for; the list is the same but for `execution`', () => {
      expect(client.getNegotiatedProtocolVersion()).toBe(revision)
      expect(client.getServerVersion()).toMatchObject({ name: 'hexcast', title: 'Hexcast' })
      expect(tools.map(({ name }) => name)).toEqual(Object.keys(ordinary).sort())
      for (const tool of tools)
        expect((tool as { execution?: object }).execution, tool.name).toEqual(
          revision === '2025-11-25' ? { taskSupport: 'forbidden' } : undefined,
        )
    })

    test.each(Object.keys(ordinary))('%s', async (name) => {
      const result = (await client.callTool({
        name,
        arguments: ordinary[name] as Record<string, unknown>,
      })) as unknown as Result
      const text = result.content.find(({ type }) => type === 'text')?.text ?? ''
      if (result.isError) {
        expect(text).toMatch(/^Error \([a-z-]+\): .* Next: /s)
        expect(result.structuredContent).toBeUndefined()
        expect(result._meta?.['hexcast/error']?.['code'], text).toBe('no-data')
        if (way !== 'stdio, by itself') expect(unheld, text).toContain(name)
      } else {
        expect(text.length).toBeGreaterThanOrEqual(20)
        expect(text.length).toBeLessThanOrEqual(2000)
        expect(text).not.toMatch(/undefined|NaN|\[object|null/)
        const schema = tools.find((tool) => tool.name === name)?.outputSchema
        if (schema) {
          const ajv = new Ajv({ strict: true, allowUnionTypes: true, allErrors: true })
          formats.default(ajv)
          const validate = ajv.compile(schema)
          validate(result.structuredContent)
          expect(validate.errors?.slice(0, 3) ?? []).toEqual([])
        } else expect(result.structuredContent).toBeDefined()
      }
      if (way === 'stdio, by itself') return
      const output = answers.get(name) ?? new Map<string, unknown>()
      answers.set(name, output.set(`${way} ${revision}`, lasting(result.structuredContent ?? text)))
      const [first] = output.values()
      expect(output.get(`${way} ${revision}`)).toEqual(first)
    })

    test('arguments that break the schema are an error result, an unknown tool a protocol error', async () => {
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

test('stdio by itself ends at the close of stdin, not at a time limit', async () => {
  const { spawn } = await import('node:child_process')
  const child = spawn(process.execPath, [program, 'mcp'], {
    env: { PATH: process.env['PATH'], DATA_DIR: alone, LOG_LEVEL: 'silent' },
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  const output: string[] = []
  child.stdout.on('data', (data: Buffer) => output.push(data.toString()))
  child.stdin.write(
    `${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 't', version: '1' } } })}\n`,
  )
  while (output.length === 0) await new Promise((resolve) => child.stdout.once('data', resolve))
  const begun = performance.now()
  const ended = new Promise((resolve) => child.once('exit', resolve))
  child.stdin.end()
  expect(await ended).toBe(0)
  expect(performance.now() - begun).toBeLessThan(8000)
  for (const line of output.join('').trim().split('\n')) expect(JSON.parse(line).jsonrpc).toBe('2.0')
})

import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { unpackExtension, v0_3 } from '@anthropic-ai/mcpb'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildBundle } from '../../infra/bundle/main.ts'
import { type EdgeServer, edgeServer } from '../api/http/test-server.ts'

let folder: string
let server: EdgeServer
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hexcast-bundle-'))
  server = await edgeServer()
})
afterAll(async () => {
  await server.close()
  await rm(folder, { recursive: true, force: true })
})

test('builds a bundle that can be installed as a host does and called over stdio', async () => {
  const file = join(folder, 'hexcast.mcpb')
  const installed = join(folder, 'installed')
  await buildBundle(file)
  expect(await unpackExtension({ mcpbPath: file, outputDir: installed, silent: true })).toBe(true)
  const manifest = v0_3.McpbManifestSchema.parse(JSON.parse(await readFile(join(installed, 'manifest.json'), 'utf8')))
  for (const name of ['icon.png', 'LICENSE', 'NOTICE', manifest.server.entry_point])
    expect((await readFile(join(installed, name))).length, name).toBeGreaterThan(100)
  expect(Object.keys(manifest.user_config ?? {})).toEqual(['url', 'key'])
  expect(manifest.user_config?.['key']?.sensitive).toBe(true)

  const settings: Record<string, string> = { url: server.base, key: await server.key() }
  const { args = [], env = {} } = manifest.server.mcp_config
  const filled = Object.entries(env).map(([name, value]) => [
    name,
    value.replace(/\$\{user_config\.(\w+)\}/g, (_, option: string) => settings[option] ?? ''),
  ])
  const client = new Client({ name: 'host', version: '1' })
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: args.map((arg) => arg.replace(/\$\{__dirname\}/g, installed)),
      env: Object.fromEntries(filled) as Record<string, string>,
      cwd: installed,
      stderr: 'ignore',
    }),
  )
  const { tools } = await client.listTools()
  expect(manifest.tools?.map(({ name }) => name)).toEqual(tools.map(({ name }) => name))
  const result = (await client.callTool({ name: 'get_sun_moon', arguments: { location: 'Boise, ID' } })) as {
    content: { text?: string }[]
  }
  expect(result.content[0]?.text).toMatch(/Sun and moon at Boise, ID/)
  await client.close()
})

test('names in the registry entry the package that is built from this tree', async () => {
  const read = async (name: string) =>
    JSON.parse(await readFile(new URL(`../../${name}`, import.meta.url), 'utf8')) as Record<string, unknown>
  const [entry, own] = [await read('server.json'), await read('package.json')]
  expect(entry['name']).toBe(own['mcpName'])
  expect(entry['name']).toMatch(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/)
  expect(entry['version']).toBe(own['version'])
  expect(String(entry['description']).length).toBeLessThanOrEqual(100)
  const [first] = entry['packages'] as { identifier: string; version: string; transport: object }[]
  expect(first).toMatchObject({ identifier: own['name'], version: own['version'], transport: { type: 'stdio' } })
})

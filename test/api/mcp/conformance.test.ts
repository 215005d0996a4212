import { spawn } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { createServer, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type EdgeServer, edgeServer } from '../http/test-server.ts'

/** The server scenarios of the official conformance suite that any server can answer. */
const scenarios = [
  'server-initialize',
  'ping',
  'tools-list',
  'resources-list',
  'prompts-list',
  'dns-rebinding-protection',
]

/**
 * The other scenarios need tools, prompts or resources of the example server of the suite, which a weather server does not have, or
 * capabilities that it does not declare.
 */
const excluded: Readonly<Record<string, string>> = {
  'completion-complete': 'completes an argument of the prompt test_prompt_with_arguments',
  'tools-call-simple-text': 'calls the tool test_simple_text',
  'tools-call-image': 'calls the tool test_image_content',
  'tools-call-audio': 'calls the tool test_audio_content',
  'tools-call-embedded-resource': 'calls the tool test_embedded_resource',
  'tools-call-mixed-content': 'calls the tool test_multiple_content_types',
  'tools-call-with-logging': 'calls the tool test_tool_with_logging',
  'tools-call-error': 'calls the tool test_error_handling',
  'tools-call-with-progress': 'calls the tool test_tool_with_progress',
  'tools-call-sampling': 'calls the tool test_sampling',
  'tools-call-elicitation': 'calls the tool test_elicitation',
  'json-schema-2020-12': 'needs the tool json_schema_2020_12_tool',
  'elicitation-sep1034-defaults': 'calls the tool test_elicitation_sep1034_defaults',
  'elicitation-sep1330-enums': 'calls the tool test_elicitation_sep1330_enums',
  'resources-read-text': 'reads the resource test://static-text',
  'resources-read-binary': 'reads the resource test://static-binary',
  'resources-templates-read': 'reads the template test://template/{id}/data',
  'resources-subscribe': 'subscriptions are not announced: the lists never change while a process runs',
  'resources-unsubscribe': 'subscriptions are not announced: the lists never change while a process runs',
  'prompts-get-simple': 'gets the prompt test_simple_prompt',
  'prompts-get-with-args': 'gets the prompt test_prompt_with_arguments',
  'prompts-get-embedded-resource': 'gets the prompt test_prompt_with_embedded_resource',
  'prompts-get-with-image': 'gets the prompt test_prompt_with_image',
  'logging-set-level': 'logging is not announced',
  'server-sse-polling':
    'needs a session (this server is stateless) and the tool test_reconnection; without it only warns',
  'server-sse-multiple-streams': 'needs a session (this server is stateless); without it only warns',
}

const suite = fileURLToPath(
  new URL('../../../node_modules/@modelcontextprotocol/conformance/dist/index.js', import.meta.url),
)
let server: EdgeServer
let proxy: Server
let folder: string

/** The suite sends no credentials, so a proxy adds a key to its requests and otherwise forwards them unchanged. */
beforeAll(async () => {
  server = await edgeServer()
  const key = await server.key()
  const { port } = new URL(server.base)
  proxy = createServer((incoming, outgoing) => {
    const forwarded = request(
      {
        port,
        host: '127.0.0.1',
        path: incoming.url,
        method: incoming.method,
        headers: { ...incoming.headers, authorization: `Bearer ${key}` },
      },
      (reply) => {
        outgoing.writeHead(reply.statusCode ?? 502, reply.headers)
        reply.pipe(outgoing)
      },
    )
    forwarded.on('error', () => outgoing.destroy())
    outgoing.on('close', () => forwarded.destroy())
    incoming.pipe(forwarded)
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  folder = await mkdtemp(join(tmpdir(), 'hexcast-conformance-'))
})
afterAll(async () => {
  proxy.closeAllConnections()
  proxy.close()
  await server.close()
  await rm(folder, { recursive: true, force: true })
})

function run(...args: string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [suite, ...args], { stdio: ['ignore', 'pipe', 'pipe'] })
    const output: Buffer[] = []
    child.stdout.on('data', (data: Buffer) => output.push(data))
    child.stderr.on('data', (data: Buffer) => output.push(data))
    child.once('error', reject)
    child.once('exit', () => resolve(Buffer.concat(output).toString()))
  })
}

test('runs every server scenario of the suite or names the reason for not running it', async () => {
  const [, listed = ''] = /Server scenarios[^\n]*\n([\s\S]*?)\n\n/.exec(await run('list')) ?? []
  const names = [...listed.matchAll(/^ {2}- (\S+)/gm)].map(([, name]) => name)
  expect(names.length).toBeGreaterThan(20)
  expect(names.sort()).toEqual([...scenarios, ...Object.keys(excluded)].sort())
})

test.each(scenarios)('passes the scenario %s', async (scenario) => {
  const { port } = proxy.address() as AddressInfo
  const out = join(folder, scenario)
  const output = await run('server', '--url', `http://localhost:${port}/mcp`, '--scenario', scenario, '-o', out)
  const [report = ''] = await readdir(out)
  expect(report, output).not.toBe('')
  const checks = JSON.parse(await readFile(join(out, report, 'checks.json'), 'utf8')) as {
    id: string
    status: string
    errorMessage?: string
  }[]
  expect(checks.length, output).toBeGreaterThan(0)
  expect(checks.filter(({ status }) => status === 'FAILURE')).toEqual([])
  expect(
    checks.some(({ status }) => status === 'SUCCESS'),
    JSON.stringify(checks),
  ).toBe(true)
})

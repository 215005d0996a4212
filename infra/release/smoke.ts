/** Installs each artifact in an empty folder, as a stranger would, and uses it. */
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { unpackExtension } from '@anthropic-ai/mcpb'
import type { Artifacts } from './artifacts.ts'
import { useChart } from './chart.ts'

const run = promisify(execFile)
const root = fileURLToPath(new URL('../..', import.meta.url))
const MAX_START_MS = 300_000
const MAX_INSTALL_MS = 600_000

interface Server {
  readonly url: string
  readonly key: string
}

/**
 * Runs the smoke tests of all artifacts.
 * @param report receives one line for each passed test
 * @throws Error with the output of the first artifact that fails
 */
export async function smokeTest(
  artifacts: Artifacts,
  python: string | undefined,
  report: (line: string) => void,
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'hexcast-smoke-'))
  try {
    report(`grib2-wasm: ${await useDecoder(await emptyFolder(folder, 'decoder'), artifacts.decoder)}`)
    report(`chart: ${await useChart(artifacts.chart)}`)
    const place = await emptyFolder(folder, 'application')
    await install(place, artifacts.application)
    report('hexcast: installed')
    const { server, program } = await startApplication(place)
    try {
      report(`hexcast: ${await conditionsAt(server)}`)
      report(`@hexcast/client: ${await useClient(await emptyFolder(folder, 'client'), artifacts.client, server)}`)
      report(`MCP bundle: ${await useBundle(join(folder, 'bundle'), artifacts.bundle, server)}`)
      if (artifacts.wheel !== undefined && python !== undefined)
        report(`wheel: ${await useWheel(join(folder, 'python'), artifacts.wheel, python, server)}`)
    } finally {
      const ended = new Promise((resolve) => program.once('exit', resolve))
      program.kill('SIGTERM')
      await ended
    }
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 3 })
  }
}

/** The environment without the packages of this tree, so that the host's own Node runs what was installed. */
function ownEnvironment(): { PATH: string; HOME: string | undefined } {
  const folders = (process.env['PATH'] ?? '').split(delimiter)
  return {
    PATH: folders.filter((folder) => !folder.includes('node_modules')).join(delimiter),
    HOME: process.env['HOME'],
  }
}

async function emptyFolder(parent: string, name: string): Promise<string> {
  const folder = join(parent, name)
  await mkdir(folder)
  await writeFile(join(folder, 'package.json'), '{ "name": "stranger", "private": true, "type": "module" }')
  return folder
}

async function install(folder: string, tarball: string): Promise<void> {
  const quiet = ['--no-audit', '--no-fund', '--prefer-offline', '--silent']
  const env = { ...process.env, ...ownEnvironment() }
  await run('npm', ['install', ...quiet, tarball], { cwd: folder, env, timeout: MAX_INSTALL_MS, maxBuffer: 16 << 20 })
}

async function useDecoder(folder: string, tarball: string): Promise<string> {
  await install(folder, tarball)
  await cp(join(root, 'test/cases/grib/lambert-simple.grib2'), join(folder, 'field.grib2'))
  const { stdout } = await run('npx', ['--no-install', 'grib2-wasm', 'field.grib2'], {
    cwd: folder,
    env: ownEnvironment(),
  })
  const row = stdout.trim().split('\n').at(-1) ?? ''
  if (!/\d/.test(row)) throw new Error(`grib2-wasm printed no message of field.grib2, but "${stdout}"`)
  return row
}

/** Starts the application over its simulator. */
async function startApplication(folder: string): Promise<{ server: Server; program: ChildProcess }> {
  const env = { ...ownEnvironment(), PORT: '0', DATA_DIR: join(folder, 'data'), LOG_FORMAT: 'text' }
  const command = join(folder, 'node_modules/.bin/hexcast')
  const program = spawn(command, ['start', '--upstream', 'simulated'], { cwd: folder, env })
  const output: string[] = []
  let [url, key] = ['', '']
  const deadline = Date.now() + MAX_START_MS
  for (const stream of [program.stdout, program.stderr])
    createInterface({ input: stream }).on('line', (line) => {
      output.push(line)
      url ||= /http:\/\/localhost:\d+/.exec(line)?.[0] ?? ''
      key ||= /hx_live_[\w-]+/.exec(line)?.[0] ?? ''
    })
  while (url === '' || key === '') {
    if (program.exitCode !== null || Date.now() > deadline) {
      program.kill('SIGKILL')
      throw new Error(`hexcast printed no address and key:\n${output.slice(-30).join('\n')}`)
    }
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
  return { server: { url, key }, program }
}

/** Returns the current weather of Denver once it is served. */
async function conditionsAt({ url, key }: Server): Promise<string> {
  const deadline = Date.now() + MAX_START_MS
  let last = ''
  while (Date.now() < deadline) {
    const headers = { authorization: `Bearer ${key}` }
    const response = await fetch(`${url}/v1/weather?lat=39.74&lon=-104.99&include=current`, { headers })
    last = await response.text()
    const current = response.ok ? JSON.parse(last).current : undefined
    if (typeof current?.temperature === 'number') return `Denver, ${current.conditions}, ${current.temperature} °F`
    await new Promise((resolve) => setTimeout(resolve, 500))
  }
  throw new Error(`hexcast had no temperature of Denver within ${MAX_START_MS / 1000} s, but ${last.slice(0, 500)}`)
}

async function useClient(folder: string, tarball: string, { url, key }: Server): Promise<string> {
  await install(folder, tarball)
  const program = `
    import { hexcastClient } from '@hexcast/client'
    const client = hexcastClient({ baseUrl: process.env.URL, key: process.env.KEY })
    const { data } = await client.GET('/v1/weather', { params: { query: { location: 'Denver, CO', include: 'current' } } })
    console.log(data.location.name, data.current.temperature)`
  await writeFile(join(folder, 'use.mjs'), program)
  const { stdout } = await run(process.execPath, ['use.mjs'], { cwd: folder, env: { URL: url, KEY: key } })
  return expectPlace(stdout)
}

async function useBundle(folder: string, bundle: string, { url, key }: Server): Promise<string> {
  if (!(await unpackExtension({ mcpbPath: bundle, outputDir: folder, silent: true })))
    throw new Error('the MCP bundle could not be unpacked')
  const env = { HEXCAST_URL: url, HEXCAST_KEY: key }
  const program = spawn(process.execPath, ['server/entry.mjs'], {
    cwd: folder,
    env,
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const call = { name: 'get_sun_moon', arguments: { location: 'Denver, CO' } }
  const client = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'smoke', version: '1' } }
  for (const message of [
    { id: 1, method: 'initialize', params: client },
    { method: 'notifications/initialized' },
    { id: 2, method: 'tools/call', params: call },
  ])
    program.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  program.stdin.end()
  let printed = ''
  for await (const part of program.stdout) printed += part
  const answer = printed
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
    .find(({ id }) => id === 2)
  return expectPlace(answer?.result?.content?.[0]?.text ?? printed)
}

async function useWheel(folder: string, wheel: string, python: string, { url, key }: Server): Promise<string> {
  await run(python, ['-m', 'venv', folder])
  const own = join(folder, 'bin/python')
  await run(own, ['-m', 'pip', 'install', '--quiet', wheel], { timeout: MAX_INSTALL_MS })
  const program = `
import os
from hexcast import Client
with Client(os.environ["URL"], os.environ["KEY"]) as client:
    weather = client.weather(location="Denver, CO", include="current")
    print(weather.location.name, weather.current.temperature)`
  const { stdout } = await run(own, ['-c', program], { env: { URL: url, KEY: key } })
  return expectPlace(stdout)
}

/** @returns the line about Denver @throws Error if there is none with a number */
function expectPlace(output: string): string {
  const line = output.split('\n').find((text) => text.includes('Denver'))
  if (line === undefined || !/\d/.test(output)) throw new Error(`the output is not about Denver: ${output}`)
  return line.trim()
}

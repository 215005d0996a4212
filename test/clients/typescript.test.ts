import { execFile, execFileSync, spawn } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { build } from 'esbuild'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { packTypeScript } from '../../infra/clients/main.ts'
import { type EdgeServer, edgeServer } from '../api/http/test-server.ts'
import { change } from '../api/webhooks/harness.ts'
import { launch, program } from '../pages/browser.ts'

const run = promisify(execFile)
const cases = join(import.meta.dirname, '../cases/clients')
/** The oldest supported version of Node if it is installed, or else that of the project. */
const node = ['/usr/bin/node', '/usr/local/bin/node'].find(isNode20) ?? process.execPath

function isNode20(path: string): boolean {
  try {
    return execFileSync(path, ['--version']).toString().startsWith('v20.')
  } catch {
    return false
  }
}

interface Call {
  readonly secret: string
  readonly body: string
  readonly headers: Record<string, string>
}

let folder: string
let edge: EdgeServer
let key: string
let call: Call | undefined
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hexcast-typescript-'))
  edge = await edgeServer({ WEBHOOKS_PRIVATE: 'true', CORS_ORIGINS: '*' })
  key = await edge.key()
  writeFileSync(join(folder, 'package.json'), '{ "name": "stranger", "private": true, "type": "module" }')
  mkdirSync(join(folder, 'packed'))
  const tarball = await packTypeScript(join(folder, 'packed'))
  const quiet = ['--no-audit', '--no-fund', '--prefer-offline', '--silent']
  await run('npm', ['install', ...quiet, tarball], { cwd: folder })
  for (const name of ['consumer.mjs', 'page.mjs']) cpSync(join(cases, name), join(folder, name))
})
afterAll(async () => {
  await edge?.close()
  await rm(folder, { recursive: true, force: true })
})

const issue = (id: string) => change(edge.database, id, id, { event: 'Severe Thunderstorm Warning' })

test('reads a forecast, a pushed alert and a webhook, installed from its tarball in an empty project', async () => {
  const env = { ...process.env, HEXCAST_URL: edge.base, HEXCAST_KEY: key }
  const child = spawn(node, ['consumer.mjs'], { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] })
  const faults: string[] = []
  createInterface({ input: child.stderr }).on('line', (line) => {
    if (line === 'open') void issue('urn:node')
    else faults.push(line)
  })
  let printed = ''
  for await (const part of child.stdout) printed += part
  expect(faults.join('\n')).toBe('')
  const output = JSON.parse(printed)
  expect(output).toMatchObject({
    forecast: { place: 'Denver, CO', temperature: expect.any(Number), unit: 'F' },
    pushed: {
      id: expect.stringMatching(/^[0-9a-f]{8}-\d+$/),
      type: 'alert.issued',
      data: { id: 'urn:node', event: 'Severe Thunderstorm Warning', areas: ['COC031'] },
    },
    webhook: { type: 'webhook.test', repeated: true, forged: true, aged: true, otherSecret: true },
    fault: 'outside-coverage',
  })
  expect(output.forecast.hours).toBeGreaterThan(24)
  // Until 6 AM the row of the running night comes first, in addition to the requested days.
  expect([3, 4]).toContain(output.forecast.days.length)
  expect(process.versions.node === output.node || output.node.startsWith('20.')).toBe(true)
  call = output.call
})

/** Module options of TypeScript that read a package by its `exports`. */
const moduleOptions = [
  { module: 'node16', moduleResolution: 'node16' },
  { module: 'nodenext', moduleResolution: 'nodenext' },
  { module: 'preserve', moduleResolution: 'bundler' },
]

test.each(moduleOptions)('has types that compile with %o, its declarations too', async (options) => {
  for (const name of ['consumer.ts', 'exports.ts']) cpSync(join(cases, `${name}.txt`), join(folder, name))
  const compilerOptions = {
    ...options,
    ...{ strict: true, skipLibCheck: false, noEmit: true, target: 'es2022', resolveJsonModule: true },
    ...{ lib: ['es2022', 'dom', 'dom.iterable'], types: [] },
  }
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({ compilerOptions, files: ['consumer.ts', 'exports.ts'] }),
  )
  const compiler = join(process.cwd(), 'node_modules/typescript/bin/tsc')
  const { stdout } = await run(process.execPath, [compiler], { cwd: folder }).catch((error) => error)
  expect(stdout).toBe('')
})

test('exports every path of its package, to import and require', async () => {
  writeFileSync(
    join(folder, 'exports.cjs'),
    `const { exports: paths } = require('@hexcast/client/package.json')
for (const path of Object.keys(paths)) {
  const name = '@hexcast/client' + path.slice(1)
  const options = name.endsWith('.json') ? { with: { type: 'json' } } : {}
  import(name, options).then((module) => console.log(path, Object.keys(module).length, typeof require(name)))
}`,
  )
  const { stdout } = await run(node, ['--no-warnings', 'exports.cjs'], { cwd: folder })
  expect(stdout.trim().split('\n').sort()).toEqual(['. 6 object', './package.json 1 object'])
})

test.skipIf(!program)('works in a page when bundled by esbuild (skipped: the Debian package chromium)', async () => {
  const { outputFiles } = await build({
    entryPoints: [join(folder, 'page.mjs')],
    absWorkingDir: folder,
    ...{ bundle: true, write: false, platform: 'browser', format: 'esm', target: 'es2022', logLevel: 'silent' },
  })
  const script = outputFiles[0]?.text ?? ''
  const page = '<!doctype html><link rel="icon" href="data:,"><body><script type="module" src="/page.js"></script>'
  const server = createServer((request, response) => {
    const js = request.url === '/page.js'
    response.writeHead(200, { 'Content-Type': js ? 'text/javascript' : 'text/html' }).end(js ? script : page)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const browser = await launch(false)
  try {
    const tab = await browser.newPage()
    const faults: string[] = []
    tab.on('pageerror', (error) => faults.push(error.message))
    await tab.exposeFunction('opened', () => void issue('urn:page'))
    await tab.goto(`http://localhost:${(server.address() as AddressInfo).port}/`)
    const result = await tab.evaluate(
      // biome-ignore lint/suspicious/noExplicitAny: functions of the page
      ([options, signed]) => (window as any).run(options, signed, () => (window as any).opened()),
      [{ baseUrl: edge.base, key }, call!] as const,
    )
    expect(faults).toEqual([])
    expect(result).toMatchObject({
      text: expect.stringMatching(/^Denver -?[\d.]+ °F$/),
      pushed: { type: 'alert.issued', data: { id: 'urn:page' } },
      event: { type: 'webhook.test' },
      forged: true,
    })
    // The page needs neither Node nor a large download.
    expect(script).not.toMatch(/\brequire\("|node:/)
    expect(script.length).toBeLessThan(150_000)
  } finally {
    await browser.close()
    server.closeAllConnections()
    server.close()
  }
})

test('has the licence and the version of the project in the tarball, and no sources', () => {
  const installed = join(folder, 'node_modules/@hexcast/client')
  const { version } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'))
  expect(version).toBe(JSON.parse(readFileSync('package.json', 'utf8')).version)
  expect(readFileSync(join(installed, 'LICENSE'), 'utf8')).toContain('Apache License')
})

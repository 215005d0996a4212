import { execFile, spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { promisify } from 'node:util'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { nth } from '../../../ingest/domain/nth.ts'
import { launch, program, visit } from '../../pages/browser.ts'
import { loadedCurrent } from '../analytic-runs.ts'
import { type SkyServer, skyServer } from '../sky-server.ts'

const run = promisify(execFile)

let sky: SkyServer
let env: NodeJS.ProcessEnv

beforeAll(async () => {
  sky = await skyServer({
    coarse: 20,
    models: loadedCurrent(Date.now()),
    settings: { WEBHOOKS_PRIVATE: 'true', CORS_ORIGINS: '*' },
  })
  env = { ...process.env, HEXCAST_URL: sky.base, HEXCAST_KEY: sky.key }
})

afterAll(async () => {
  await sky?.close()
})

const python = process.env['PYTHON']
/** Whether the Python client (the wheel of `npm run clients`) and pandas are installed. */
const notebooks = python !== undefined && spawnSync(python, ['-c', 'import hexcast, pandas']).status === 0

/** Output of each example. */
const printed: Readonly<Record<string, { readonly args?: readonly string[]; readonly lines: readonly RegExp[] }>> = {
  'weather.ts': { lines: [/^Denver: -?[\d.]+ °F, \w/m, /^\d{4}-\d\d-\d\d: .* to .*, \w/m, /may be cached for \d+ s/] },
  'alerts.ts': { args: ['CO', '1'], lines: [/^CO: \d+ alerts$/m, /no more changes within 1 s/] },
  'tools.ts': { lines: [/^\d\d tools: .*get_forecast/m, /Fairbanks/] },
  'webhook.ts': { lines: [/^verified: webhook\.test$/m] },
  'curl.sh': {
    args: ['2'],
    lines: [/"temperature":-?[\d.]+/, /^0,ok,39\.74,-104\.99,.*,-?[\d.]+$/m, /^: listening$/m],
  },
  'notebook.py': { lines: [/^Denver: -?[\d.]+ °C, \w/m, /precip_probability/, /Fairbanks/] },
  'grib.ts': { lines: [/^TMP at 2 m above ground: 287\.97\d* K at 39\.74,-104\.99$/m] },
}

test('runs every example of the folder', () => {
  // `npm run test:clients` runs the notebooks, and test/walks/provenance.test.ts runs verify.py.
  const elsewhere = ['parquet.ipynb', 'zarr.ipynb', 'verify.py']
  const notRun = ['README.md', 'grafana.yaml', 'n8n.json', 'page.html', ...elsewhere]
  expect(readdirSync('examples').sort()).toEqual([...Object.keys(printed), ...notRun].sort())
})

const runner = (name: string) => (name.endsWith('.sh') ? 'sh' : name.endsWith('.py') ? python! : process.execPath)

const runnable = Object.entries(printed).filter(([name]) => notebooks || !name.endsWith('.py'))

test.each(runnable)('examples/%s', async (name, { args = [], lines }) => {
  const { stdout, stderr } = await run(runner(name), [`examples/${name}`, ...args], { env, timeout: 50_000 })
  for (const line of lines) expect(stdout + stderr).toMatch(line)
})

test.skipIf(!program)('examples/page.html in Chromium (skipped: the Debian package chromium)', async () => {
  const server = createServer((_, response) =>
    response.writeHead(200, { 'Content-Type': 'text/html' }).end(readFileSync('examples/page.html')),
  )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const browser = await launch(false)
  try {
    const words = new URLSearchParams({ server: sky.base, key: sky.key, place: 'Denver, CO' })
    const { page, faults } = await visit(
      browser,
      `http://127.0.0.1:${(server.address() as AddressInfo).port}/?${words}`,
    )
    await page.getByText('listening').waitFor({ timeout: 20_000 })
    expect(await page.textContent('#place')).toBe('Denver')
    expect(await page.textContent('#now')).toMatch(/^-?[\d.]+ °F, \w/)
    expect(await page.textContent('#note')).toContain('not real')
    // Until 06:00, the row of the current night precedes the requested days.
    expect([3, 4]).toContain(await page.locator('#days tr').count())
    expect(faults).toEqual([])
  } finally {
    await browser.close()
    server.closeAllConnections()
    server.close()
  }
})

test('returns the columns that examples/grafana.yaml names', async () => {
  const text = readFileSync('examples/grafana.yaml', 'utf8')
  const path = nth(/^# +(\/v1\/\S+)$/m.exec(text)!, 1)
  const answer = await fetch(sky.base + path, { headers: { authorization: `Bearer ${sky.key}` } })
  const [head, first] = (await answer.text()).split('\r\n')
  expect(head).toMatch(/,valid_time,temperature \[C\],wind_speed \[\w+\]$/)
  expect(first).toMatch(/,\d{4}-\d\d-\d\dT\d\d:00:00Z,-?[\d.]+,[\d.]+$/)
})

test('accepts a call once in the code node of examples/n8n.json, and no forged, altered or old call', () => {
  const { nodes } = JSON.parse(readFileSync('examples/n8n.json', 'utf8')) as {
    nodes: { name: string; parameters: { jsCode: string } }[]
  }
  const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
  const stored = {}
  const body = JSON.stringify({ type: 'alert.issued', timestamp: new Date().toISOString(), data: { id: 'a' } })
  const call = (over: Record<string, string> = {}, sent = body, age = 0) => {
    const at = new Date(Date.now() - age * 1000)
    const headers = {
      'webhook-id': 'msg_1',
      'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
      'webhook-signature': new Webhook(secret).sign('msg_1', at, body),
      ...over,
    }
    const item = { json: { headers }, binary: { data: { data: Buffer.from(sent).toString('base64') } } }
    const code = nodes.find(({ name }) => name === 'Verify')!.parameters.jsCode
    const words = ['$input', '$env', '$getWorkflowStaticData', 'require']
    const node = new Function(...words, code) as (...values: unknown[]) => [{ json: Record<string, unknown> }]
    const env = { HEXCAST_WEBHOOK_SECRET: secret }
    return node({ first: () => item }, env, () => stored, createRequire(import.meta.url))[0].json
  }
  expect(call()).toMatchObject({ accepted: true, repeated: false, status: 204, event: { type: 'alert.issued' } })
  expect(call()).toMatchObject({ accepted: true, repeated: true, status: 204, event: null })
  expect(call({}, `${body} `)).toMatchObject({ accepted: false, status: 400, event: null })
  expect(call({ 'webhook-id': 'msg_2' })).toMatchObject({ accepted: false })
  expect(call({ 'webhook-signature': 'v1,AAAA' })).toMatchObject({ accepted: false })
  expect(call({}, body, 301)).toMatchObject({ accepted: false, event: null })
})

import { execFile } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { loadedCurrent } from '../analytic-runs.ts'
import { type SkyServer, skyServer } from '../sky-server.ts'

const run = promisify(execFile)

let sky: SkyServer
let env: NodeJS.ProcessEnv

beforeAll(async () => {
  sky = await skyServer({ coarse: 20, models: loadedCurrent(Date.now()), settings: { WEBHOOKS_PRIVATE: 'true' } })
  env = { ...process.env, HEXCAST_URL: sky.base, HEXCAST_KEY: sky.key }
})

afterAll(async () => {
  await sky?.close()
})

/** What each example prints. */
const printed: Readonly<Record<string, { readonly args?: readonly string[]; readonly lines: readonly RegExp[] }>> = {
  'weather.ts': { lines: [/^Denver: -?[\d.]+ °F, \w/m, /^\d{4}-\d\d-\d\d: .* to .*, \w/m, /may be cached for \d+ s/] },
  'alerts.ts': { args: ['CO', '1'], lines: [/^CO: \d+ alerts$/m, /no more changes within 1 s/] },
  'tools.ts': { lines: [/^\d\d tools: .*get_forecast/m, /Fairbanks/] },
  'webhook.ts': { lines: [/^verified: webhook\.test$/m] },
  'grib.ts': { lines: [/^TMP at 2 m above ground: 287\.97\d* K at 39\.74,-104\.99$/m] },
}

test('every example of the folder is run', () => {
  expect(readdirSync('examples').sort()).toEqual(Object.keys(printed).sort())
})

test.each(Object.entries(printed))('examples/%s', async (name, { args = [], lines }) => {
  const { stdout, stderr } = await run(process.execPath, [`examples/${name}`, ...args], { env, timeout: 50_000 })
  for (const line of lines) expect(stdout + stderr).toMatch(line)
})

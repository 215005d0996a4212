import { execFile, spawn } from 'node:child_process'
import { mkdirSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { packPython } from '../../infra/clients/main.ts'
import { alertServer } from './alert-server.ts'

const run = promisify(execFile)
const python = process.env['PYTHON']

test.skipIf(!python)(
  'reads a forecast, data frames, pushed alerts and a webhook with a wheel in an empty environment (skipped: PYTHON=python3.10 or later)',
  { timeout: 400_000 },
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'hexcast-python-'))
    const server = await alertServer({ WEBHOOKS_PRIVATE: 'true' })
    const { edge } = server
    try {
      mkdirSync(join(folder, 'packed'))
      const wheel = await packPython(join(folder, 'packed'), String(python))
      await run(String(python), ['-m', 'venv', join(folder, 'empty')])
      const own = join(folder, 'empty/bin/python')
      await run(own, ['-m', 'pip', 'install', '--quiet', `${wheel}[pandas]`])
      const env = { ...process.env, HEXCAST_URL: edge.base, HEXCAST_KEY: await edge.key() }
      const program = join(import.meta.dirname, '../cases/clients/consumer.py')
      const child = spawn(own, ['-W', 'error', program], { cwd: folder, env, stdio: ['ignore', 'pipe', 'inherit'] })
      let number = 0
      // Alerts are issued as long as the program runs, since it listens only at times.
      const timer = setInterval(() => void server.issue(`urn:${number++}`, 'Flood Watch', 'Severe'), 1000)
      let printed = ''
      for await (const part of child.stdout) printed += part
      clearInterval(timer)
      expect(JSON.parse(printed)).toMatchObject({
        forecast: {
          ...{
            place: 'Denver, CO',
            temperature: expect.any(Number),
            unit: 'C',
            frame_unit: 'C',
            utc: 'UTC',
            first: true,
          },
          high: expect.any(Number),
        },
        series: [
          ['point', 'time'],
          ['temperature', 'wind_speed'],
          [0, 1],
        ],
        point: [3, true, true],
        fault: ['outside-coverage', 404],
        pushed: ['alert.issued', expect.stringMatching(/^urn:\d+$/), 'Flood Watch'],
        resumed: true,
        webhook: {
          ...{ type: 'webhook.test', repeated: true, forged: true, aged: true, early: true, bare: true },
          otherSecret: true,
        },
        async: ['Denver', 'list', 'alert.issued'],
      })
    } finally {
      await server.close()
      await rm(folder, { recursive: true, force: true })
    }
  },
)

test('gives the packages of the clients the version of the project', () => {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8'))
  expect(readFileSync('api/client/python/pyproject.toml', 'utf8')).toContain(`\nversion = "${version}"\n`)
})

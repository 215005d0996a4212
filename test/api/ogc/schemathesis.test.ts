import { execFile, spawnSync } from 'node:child_process'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { loadedCurrent } from '../analytic-runs.ts'
import { type SkyServer, skyServer } from '../sky-server.ts'

const python = process.env['PYTHON'] ?? 'python3'
const checker = spawnSync(python, ['-c', 'import schemathesis']).status === 0
/** Cases of each operation and phase; 40 take some four minutes. */
const examples = process.env['SCHEMATHESIS_EXAMPLES'] ?? '5'

let sky: SkyServer | undefined
beforeAll(async () => {
  if (checker) sky = await skyServer({ coarse: 10, models: loadedCurrent(Date.now()) })
})
afterAll(() => sky?.close())

test.skipIf(!checker)(
  'schemathesis over the EDR document: no 5xx, no status, type or body beyond it (skipped: pip install schemathesis, PYTHON=…)',
  { timeout: 600_000 },
  async () => {
    const checks = 'not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance'
    const words = [
      'run',
      `${sky!.base}/openapi.json`,
      '--include-path-regex',
      '^/(edr|stac)',
      '--seed',
      '7',
      '--no-color',
    ]
    const bounds = [
      '--checks',
      checks,
      '--max-examples',
      examples,
      '--rate-limit',
      '50/s',
      '-H',
      `Authorization: Bearer ${sky!.key}`,
    ]
    const run = promisify(execFile)(
      python,
      ['-c', 'from schemathesis.cli import schemathesis; schemathesis()', ...words, ...bounds],
      {
        maxBuffer: 16 << 20,
      },
    )
    const { stdout } = await run.catch((error: Error & { stdout: string }) => {
      throw new Error(error.stdout || error.message)
    })
    expect(stdout).toMatch(/Tested: 2\d/)
    console.log(/^.*generated, .*passed.*$/m.exec(stdout)![0].trim())
  },
)

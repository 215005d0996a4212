/**
 * Starts Hexcast over the simulator, exports two cells, and lets zarrita (npm) and the notebooks of `examples` with xarray, DuckDB and
 * pandas (PyPI) read the Zarr groups and the Parquet files. Each must read the temperatures of `/v1/series/batch`.
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'
import { cellOf } from '../../../ingest/domain/cell.ts'

const run = promisify(execFile)
const root = join(import.meta.dirname, '../../..')
const START_MS = 240_000
const INSTALL_MS = 240_000
const RUN_MS = 120_000
/** Coarse cells, of which a run has few. */
const RESOLUTION = 5
const DENVER = [39.74, -104.99] as const
const npmPackages = ['zarrita@0.7.5']
const pythonPackages = [
  ...['xarray==2026.9.0', 'zarr==3.1.6', 'fsspec==2026.9.0', 'aiohttp==3.14.5', 'h3==4.5.0'],
  ...['duckdb==2.0.1', 'pandas==3.1.1', 'pyarrow==26.0.1'],
]

interface Server {
  readonly url: string
  readonly key: string
  readonly program: ChildProcess
}

/** Starts Hexcast over its simulator. @throws Error with its output if it does not answer in time */
async function start(folder: string): Promise<Server> {
  const settings = {
    PORT: '0',
    DATA_DIR: join(folder, 'data'),
    UPSTREAM: 'simulated',
    LOG_FORMAT: 'json',
    DATASETS: 'nbm',
  }
  const env = { ...process.env, ...settings, H3_RESOLUTION: String(RESOLUTION) }
  const program = spawn(process.execPath, [join(root, 'bin/main.ts'), 'start'], { cwd: folder, env })
  const output: string[] = []
  let [url, key] = ['', '']
  for (const stream of [program.stdout, program.stderr])
    createInterface({ input: stream }).on('line', (line) => {
      output.push(line)
      if (output.length > 100) output.shift()
      url ||= /http:\/\/localhost:\d+/.exec(line)?.[0] ?? ''
      key ||= /hx_live_[\w-]+/.exec(line)?.[0] ?? ''
    })
  const until = Date.now() + START_MS
  while (url === '' || key === '') {
    if (program.exitCode !== null || Date.now() > until) {
      program.kill('SIGKILL')
      throw new Error(`hexcast printed no address and key:\n${output.join('\n')}`)
    }
    await wait(200)
  }
  return { url, key, program }
}

async function get(server: Server, path: string): Promise<Response> {
  return fetch(server.url + path, { headers: { authorization: `Bearer ${server.key}` } })
}

/** Waits until a run of NBM is served. @returns its reference time */
async function servedRun(server: Server): Promise<string> {
  const until = Date.now() + START_MS
  for (;;) {
    const response = await get(server, '/zarr/nbm/conus')
    const body = (await response.json()) as { attributes?: { forecast_reference_time: string }; detail?: string }
    if (body.attributes) return body.attributes.forecast_reference_time
    if (Date.now() > until) throw new Error(`no run of NBM is served: ${body.detail}`)
    await wait(500)
  }
}

/** Returns the temperatures of a run at Denver by time, °C. */
async function expectedAt(server: Server, reference: string): Promise<Map<string, number | null>> {
  const query = `points=${DENVER}&dataset_id=nbm&variables=temperature&hours=36&units=metric&run=${reference}`
  const { results } = (await (await get(server, `/v1/series/batch?${query}`)).json()) as {
    results: { series: { valid_times: string[]; data: { temperature: (number | null)[] } } }[]
  }
  const series = results[0]?.series
  return new Map(series?.valid_times.map((time, i) => [time, series.data.temperature[i] ?? null]))
}

/** Installs packages of PyPI in a folder. @throws Error with the output of pip */
async function installPython(python: string, folder: string): Promise<void> {
  const quiet = ['--quiet', '--disable-pip-version-check', '--retries=1', '--timeout=20']
  await run(python, ['-m', 'pip', 'install', ...quiet, '--target', folder, ...pythonPackages], { timeout: INSTALL_MS })
}

async function installNpm(folder: string): Promise<void> {
  await mkdir(folder)
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }')
  await copyFile(join(import.meta.dirname, 'zarrita.mjs'), join(folder, 'zarrita.mjs'))
  const quiet = ['--silent', '--no-audit', '--no-fund', '--fetch-retries=1', '--fetch-timeout=20000']
  await run('npm', ['install', ...quiet, ...npmPackages], { cwd: folder, timeout: INSTALL_MS })
}

const messageOf = (error: unknown) =>
  String((error as { stderr?: string }).stderr || error)
    .trim()
    .slice(-900)

/** Where clients find the server, the exported files and their packages. */
type Places = Readonly<Record<'HEXCAST_URL' | 'HEXCAST_KEY' | 'HEXCAST_EXPORT' | 'PYTHONPATH', string>>

/** Runs a program that prints temperatures by time. @returns their number @throws Error if they are not as expected */
async function check(
  [command, ...words]: readonly [string, ...string[]],
  folder: string,
  places: Places,
  expected: ReadonlyMap<string, number | null>,
): Promise<number> {
  const env = { ...process.env, ...places }
  const { stdout } = await run(command, words, { cwd: folder, timeout: RUN_MS, env, maxBuffer: 16 << 20 })
  const printed = JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as Record<string, number>
  const isWrong = (time: string, value: number | null) =>
    !(Math.abs((printed[time] ?? Number.NaN) - (value ?? Number.NaN)) <= 0.06)
  const wrong = [...expected].filter(([time, value]) => isWrong(time, value))
  if (expected.size < 20 || wrong.length > 0)
    throw new Error(`${wrong.length} of ${expected.size} hours differ: ${JSON.stringify(wrong.slice(0, 3))}`)
  return expected.size
}

/** Exports the run at two cells. */
async function exportRun({ url, key }: Server, reference: string, folder: string): Promise<void> {
  const words = ['export', `--cells=${DENVER};29.76,-95.37`, `--to=${folder}`, '--dataset=nbm', `--run=${reference}`]
  const options = ['--variables=temperature,wind_speed', '--hours=36', `--url=${url}`, `--key=${key}`]
  await run(process.execPath, [join(root, 'bin/main.ts'), ...words, ...options], { timeout: RUN_MS })
}

/** Lets each client read the exports. @param report receives one outcome for each; a client that cannot be installed is skipped */
export async function checkExports(
  python: string,
  report: (outcome: 'passed' | 'failed' | 'skipped', text: string) => void,
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'hexcast-exports-'))
  const at = (name: string) => join(folder, name)
  const installing = Promise.allSettled([installNpm(at('npm')), installPython(python, at('site'))])
  const server = await start(folder)
  try {
    const reference = await servedRun(server)
    const expected = await expectedAt(server, reference)
    await exportRun(server, reference, at('weather'))
    const places: Places = {
      ...{ HEXCAST_URL: server.url, HEXCAST_KEY: server.key },
      ...{ HEXCAST_EXPORT: at('weather'), PYTHONPATH: at('site') },
    }
    const [npm, pypi] = await installing
    const notebook = (name: string) =>
      [python, join(import.meta.dirname, 'run_notebook.py'), join(root, 'examples', name)] as const
    const clients = [
      [npm, 'zarrita (npm), a Zarr group', [process.execPath, 'zarrita.mjs', cellOf(...DENVER, RESOLUTION)]],
      [pypi, 'xarray (PyPI), examples/zarr.ipynb', notebook('zarr.ipynb')],
      [pypi, 'DuckDB and pandas (PyPI), examples/parquet.ipynb', notebook('parquet.ipynb')],
    ] as const
    for (const [installed, title, command] of clients) {
      if (installed.status === 'rejected') {
        report('skipped', `${title}: it could not be installed: ${messageOf(installed.reason)}`)
        continue
      }
      try {
        const count = await check(command, at('npm'), places, expected)
        report('passed', `${title}: ${count} temperatures as /v1/series/batch`)
      } catch (error) {
        report('failed', `${title}: ${messageOf(error)}`)
      }
    }
  } finally {
    const ended = new Promise((resolve) => server.program.once('exit', resolve))
    server.program.kill('SIGTERM')
    await Promise.all([ended, installing])
    await rm(folder, { recursive: true, force: true, maxRetries: 3 })
  }
}

import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parquetMetadata, parquetReadObjects } from 'hyparquet'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { issueKey } from '../../api/keys/issue.ts'
import { type RunningApi, startApi } from '../../api/main.ts'
import { runVerb } from '../../bin/command-line.ts'
import { exportVerb } from '../../bin/verbs/export.ts'
import { loadConfig } from '../../ingest/config.ts'
import { cellOf, parentOf } from '../../ingest/domain/cell.ts'
import { HOUR, isoSeconds, runName } from '../../ingest/domain/time.ts'
import { openDatabase } from '../../ingest/ports/database/open.ts'
import { openEvents } from '../../ingest/ports/events/open.ts'
import { openObjects } from '../../ingest/ports/objects/open.ts'
import { openPool } from '../../ingest/steps/pool.ts'
import { setOrigin } from '../../sql/queries/origin.ts'
import { coverAround, type Stores, storeRun } from '../api/past-store.ts'

const DENVER = [39.74, -104.99] as const
const cell = cellOf(...DENVER, 7)
const thisHour = Math.floor(Date.now() / HOUR) * HOUR
const run = thisHour - 2 * HOUR

let folder: string
let base: string
let key: string
let api: RunningApi
let stores: Stores
const closers: (() => Promise<unknown>)[] = []

/** Values at every hour of eight, the same at all cells. */
const constant = (kelvin: number) =>
  Object.fromEntries(Array.from({ length: 8 }, (_, hour) => [hour, kelvin + hour / 10]))

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hexcast-export-'))
  const config = loadConfig({ DATA_DIR: join(folder, 'data'), PORT: '0', LOG_LEVEL: 'silent' })
  const database = await openDatabase(config)
  await setOrigin(database, true)
  const objects = await openObjects(config)
  const events = await openEvents(config, database)
  const pool = openPool({ threads: 1 })
  stores = { database, objects, pool }
  await storeRun(stores, coverAround([DENVER]), 'nbm', run, { temperature: constant(280) })
  api = await startApi(config, { database, objects, events })
  key = (await issueKey(database, { name: 'test', plan: 'professional', channel: 'test' })).key
  base = `http://127.0.0.1:${api.port}`
  closers.push(
    () => api.close(),
    () => pool.close(),
    () => events.close(),
    () => objects.close(),
    () => database.close(),
  )
}, 120_000)
afterAll(async () => {
  for (const close of closers) await close()
  await rm(folder, { recursive: true, force: true })
})

async function hexcast(...words: string[]): Promise<{ status: number; printed: string }> {
  const lines: unknown[] = []
  const spies = (['log', 'error'] as const).map((name) =>
    vi.spyOn(console, name).mockImplementation((line) => void lines.push(line)),
  )
  try {
    const status = await runVerb(exportVerb, [...words, `--url=${base}`, `--key=${key}`])
    return { status, printed: lines.join('\n') }
  } finally {
    for (const spy of spies) spy.mockRestore()
  }
}

/** Returns the files of an export by path. */
async function filesIn(place: string): Promise<Map<string, Buffer>> {
  const paths = (await readdir(place, { recursive: true })).filter((path) => path.endsWith('.parquet')).sort()
  return new Map(await Promise.all(paths.map(async (path) => [path, await readFile(join(place, path))] as const)))
}
const opened = (bytes: Buffer) => new Uint8Array(bytes).buffer
async function series(request: Record<string, unknown>) {
  const response = await fetch(`${base}/v1/series/batch`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ points: [{ lat: DENVER[0], lon: DENVER[1] }], units: 'metric', ...request }),
  })
  const { results } = (await response.json()) as {
    results: { series: { valid_times: string[]; data: Record<string, number[]> } }[]
  }
  return results[0]?.series
}

test('a run of a dataset is one row for each cell and hour, and the same file when it is exported again', async () => {
  const place = join(folder, 'runs')
  const options = ['--dataset=nbm', '--variables=temperature', '--hours=6', `--to=${place}`]
  const first = await hexcast(`--cells=${DENVER.join()};${cell}`, ...options)
  expect(first).toMatchObject({ status: 0, printed: expect.stringContaining('1 cells, 6 rows') })
  const files = await filesIn(place)
  expect([...files.keys()]).toEqual([
    expect.stringMatching(new RegExp(`^dataset=nbm/domain=conus/run=${runName(run)}/[0-9a-f]{16}\\.parquet$`)),
  ])
  const [bytes = Buffer.alloc(0)] = files.values()
  const rows = await parquetReadObjects({ file: opened(bytes) })
  const answer = await series({ variables: ['temperature'], dataset_id: 'nbm', run: isoSeconds(run), hours: 6 })
  expect(
    rows.map(({ cell, reference_time, valid_time, temperature }) => [cell, reference_time, valid_time, temperature]),
  ).toEqual(
    answer?.valid_times.map((time, i) => [cell, new Date(run), new Date(time), answer.data['temperature']?.[i]]),
  )
  const { key_value_metadata: facts } = parquetMetadata(opened(bytes))
  expect(facts).toContainEqual({
    key: 'units',
    value: JSON.stringify({ latitude: 'degrees', longitude: 'degrees', temperature: 'C' }),
  })
  expect(facts).toContainEqual({ key: 'simulated', value: 'true' })
  await hexcast(`--cells=${DENVER.join()};${cell}`, ...options)
  expect(await filesIn(place)).toEqual(files)
})

test('the forecast as of an instant stays the same after a newer run is served', async () => {
  const place = join(folder, 'forecast')
  const at = new Date().toISOString()
  const options = [`--at=${at}`, '--variables=temperature,wind_speed', '--hours=3', `--to=${place}`]
  const parent = parentOf(cell, 6)
  await writeFile(join(folder, 'cells.txt'), `${cell}\n${parent}\n`)
  const first = await hexcast(`--cells=@${join(folder, 'cells.txt')}`, ...options)
  expect(first).toMatchObject({ status: 0, printed: expect.stringContaining('7 cells, 21 rows') })
  const files = await filesIn(place)
  expect([...files.keys()]).toEqual([expect.stringMatching(/^dataset=blend\/hour=[^/]+\/[0-9a-f]{16}\.parquet$/)])
  const [bytes = Buffer.alloc(0)] = files.values()
  const rows = await parquetReadObjects({ file: opened(bytes) })
  const answer = await series({ variables: ['temperature'], hours: 3, as_of: at })
  expect(rows.filter((row) => row['cell'] === cell).map(({ temperature }) => temperature)).toEqual(
    answer?.data['temperature'],
  )

  await storeRun(stores, coverAround([DENVER]), 'nbm', run + HOUR, { temperature: constant(290) })
  await vi.waitFor(async () => expect(await series({ variables: ['temperature'], hours: 3 })).not.toEqual(answer), {
    timeout: 20_000,
    interval: 300,
  })
  await hexcast(`--cells=@${join(folder, 'cells.txt')}`, ...options)
  expect(await filesIn(place)).toEqual(files)
})

test('invalid options are refused with what was expected, and nothing is written', async () => {
  const place = join(folder, 'refused')
  const wide = Array.from({ length: 10 }, (_, i) => cellOf(34 + i, -100, 3)).join(';')
  const good = ['--cells=39.74,-104.99', `--to=${place}`]
  for (const [words, text] of [
    [['--cells=39.74,-104.99'], '--to is missing'],
    [[`--to=${place}`], '--cells is missing'],
    [['--cells=39.74', `--to=${place}`], 'neither an H3 index'],
    [['--cells=87ffffffffffff0', `--to=${place}`], 'neither an H3 index'],
    [['--cells=850000000000000', `--to=${place}`], 'neither an H3 index'],
    [['--cells=51.5,-0.1', `--to=${place}`], 'outside the coverage'],
    [['--cells=8029fffffffffff', `--to=${place}`], 'has resolution 0; expected 3 to 7'],
    [[`--cells=${wide}`, `--to=${place}`], 'at most 20000'],
    [['--cells=39.74,-104.99', '--to=ftp://host/folder'], 'neither a folder nor s3://'],
    [[...good, '--dataset=nbm'], '--variables is missing'],
    [[...good, '--hours=0'], '1 to 264'],
    [[...good, '--units=si'], 'metric or imperial'],
    [[...good, `--at=${new Date().toISOString()}`, '--variables=temprature'], 'did you mean'],
    [[...good, '--at=2026-01-01T00:00Z'], 'answers are available from'],
    [[...good, '--dataset=nothing', '--variables=temperature'], 'no product'],
    [[...good, '--run=2026-08-20T12Z'], '--run needs --dataset'],
  ] as const)
    expect({ words, ...(await hexcast(...words)) }).toEqual({
      words,
      status: 2,
      printed: expect.stringContaining(text),
    })
  await expect(filesIn(place).then(({ size }) => size)).resolves.toBe(0)
})

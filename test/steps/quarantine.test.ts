import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readMessages } from 'grib2-wasm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openServiceStatus } from '../../api/live/service-status.ts'
import { startMirror } from '../../infra/simulator/mirror.ts'
import { modelSources } from '../../infra/simulator/models.ts'
import type { SimulatedHost } from '../../infra/simulator/source.ts'
import { rtma } from '../../ingest/datasets/rtma.ts'
import { nth } from '../../ingest/domain/nth.ts'
import type { Quarantined } from '../../ingest/domain/quarantine.ts'
import { runName } from '../../ingest/domain/time.ts'
import { openDatabase } from '../../ingest/ports/database/open.ts'
import type { Database } from '../../ingest/ports/database.ts'
import { openFolder } from '../../ingest/ports/objects/folder.ts'
import type { Objects } from '../../ingest/ports/objects.ts'
import { openUpstream } from '../../ingest/ports/upstream.ts'
import type { RunPorts } from '../../ingest/steps/grid/grid-run.ts'
import { takeRun } from '../../ingest/steps/grid/take-run.ts'
import { openPool } from '../../ingest/steps/pool.ts'
import { drop, quarantineOver, replay } from '../../ingest/steps/quarantine.ts'
import { openRun } from '../../ingest/tile/read.ts'
import { quarantined, quarantineTotals } from '../../sql/queries/quarantine.ts'
import { manifestOf, pointerOf, runOf } from '../../sql/queries/runs.ts'

// One message of an analysis is invalid in each of these ways. Only that message is left out, recorded, counted and
// reported.

const folder = mkdtempSync(join(tmpdir(), 'hexcast-quarantine-'))
const now = Date.UTC(2026, 10, 21, 15, 10)
const run = Date.UTC(2026, 10, 21, 14)
const hawaii = { domains: ['hawaii'] as const, run }

type Change = (line: string, message: Buffer) => Buffer
let change: Change | undefined
let shuffled = false

/** Returns changed messages with an index that matches. */
const changing = (source: SimulatedHost): SimulatedHost => ({
  ...source,
  async find(path, query, at) {
    const document = await source.find(path, query, at)
    if (!document || (!change && !shuffled)) return document
    const data = await (await source.find(path.replace(/\.idx$/, ''), query, at))!.body()
    const index = await (await source.find(`${path.replace(/\.idx$/, '')}.idx`, query, at))!.body()
    const lines = Buffer.from(index).toString().trimEnd().split('\n')
    const messages = [...readMessages(data)].map(({ offset, byteLength }, k) => {
      const message = Buffer.from(data.slice(offset, offset + byteLength))
      return change ? change(nth(lines, k), message) : message
    })
    let from = 0
    const fitting = lines.map((line, k) => {
      const text = line.replace(/^\d+:\d+/, `${k + 1}:${from}`)
      from += nth(messages, k).length
      return text
    })
    const bytes = path.endsWith('.idx')
      ? Buffer.from(`${(shuffled ? fitting.reverse() : fitting).join('\n')}\n`)
      : Buffer.concat(messages)
    return { ...document, size: bytes.length, body: () => bytes }
  },
})

const pool = openPool({ threads: 1 })
let mirror: Awaited<ReturnType<typeof startMirror>>
let database: Database
let objects: Objects
let ports: RunPorts

beforeAll(async () => {
  mirror = await startMirror({ sources: modelSources(24).map(changing), now: () => now })
  database = await openDatabase({ dataDir: folder, databasePool: 2 })
  objects = await openFolder(join(folder, 'objects'))
  const upstream = openUpstream({ mirror: mirror.url, sleep: async () => {} })
  const own = { upstream, objects, slabs: objects, database, pool, resolution: 5, cacheDir: join(folder, 'cache') }
  ports = { ...own, quarantine: quarantineOver({ database, objects }) }
}, 60_000)
afterAll(async () => {
  await pool.close()
  await database.close()
  await objects.close()
  await ports.upstream.close()
  await mirror.close()
  rmSync(folder, { recursive: true, force: true })
})

async function ingested(newChange: Change | undefined) {
  change = newChange
  await database.query('delete from pointer')
  await database.query('delete from run')
  await database.query('delete from quarantine')
  for await (const { key } of objects.list('slabs/')) await objects.remove(key)
  const { stages } = await takeRun(ports, rtma, hawaii, () => now)
  const pointer = await pointerOf(database, 'rtma', 'hawaii')
  const opened = pointer && (await openRun(objects, pointer.manifest_key))
  return {
    outcome: nth(nth(stages, 0).outcomes, 0),
    variables: opened && [...opened.variables.keys()].sort(),
    entries: await quarantined(database, 50),
  }
}

const on =
  (element: string, edit: (message: Buffer, section: (number: number) => number) => void): Change =>
  (line, message) => {
    if (!line.includes(`:${element}:`)) return message
    const [parsed] = [...readMessages(message)]
    edit(message, (number) => message.indexOf(Buffer.from(parsed!.section(number)!)))
    return message
  }

const everything = [
  'cloud_ceiling',
  'cloud_cover',
  'dew_point',
  'surface_pressure',
  'temperature',
  'terrain_height',
  'visibility',
  'wind_direction',
  'wind_gust',
  'wind_speed',
]

test('quarantines nothing for a correct run, even with a reordered index', async () => {
  for (shuffled of [false, true]) {
    const { outcome, variables, entries } = await ingested(undefined)
    expect(outcome).toEqual({ state: 'published', reasons: [] })
    expect(variables).toEqual(everything)
    expect(entries).toEqual([])
  }
  shuffled = false
})

test.each<[string, string, Change]>([
  [
    'published',
    'grid',
    on('TMP', (message, section) =>
      message.writeInt32BE(message.readInt32BE(section(3) + 38) + 50_000, section(3) + 38),
    ),
  ],
  [
    'with another distance of points',
    'grid',
    on('TMP', (message, section) =>
      message.writeUInt32BE(message.readUInt32BE(section(3) + 64) + 50_000, section(3) + 64),
    ),
  ],
  ['on another earth', 'grid', on('TMP', (message, section) => message.writeUInt8(0, section(3) + 14))],
  [
    'scanned from the north',
    'grid',
    on('TMP', (message, section) => message.writeUInt8(nth(message, section(3) + 59) ^ 0x40, section(3) + 59)),
  ],
  ['of another parameter', 'parameter', on('TMP', (message, section) => message.writeUInt8(17, section(4) + 10))],
  ['on another level', 'parameter', on('TMP', (message, section) => message.writeUInt32BE(80, section(4) + 24))],
  [
    'of another run',
    'time',
    on('TMP', (message, section) => message.writeUInt8(nth(message, section(1) + 15) ^ 1, section(1) + 15)),
  ],
  [
    'in degrees Celsius',
    'range',
    on('TMP', (message, section) =>
      message.writeFloatBE(message.readFloatBE(section(5) + 11) - 27315, section(5) + 11),
    ),
  ],
  ['with steps of 1,000', 'packing', on('TMP', (message, section) => message.writeUInt16BE(20, section(5) + 15))],
  [
    'cut in its middle',
    'format',
    (line, message) => (line.includes(':TMP:') ? message.fill(0, message.length - 8) : message),
  ],
])('a temperature that is %s affects no other variable: %s', async (_, reason, newChange) => {
  const { outcome, variables, entries } = await ingested(newChange)
  expect(outcome).toEqual({ state: 'published', reasons: [] })
  expect(variables).toEqual(everything.filter((name) => name !== 'temperature'))
  expect(entries).toMatchObject([{ dataset: 'rtma', domain: 'hawaii', variable: 'temperature', reason, leads: [0] }])
  expect(nth(entries, 0).bytes).toBeGreaterThan(100)
  const manifest = await manifestOf(database, { dataset: 'rtma', domain: 'hawaii', run: new Date(run) })
  expect(manifest).toMatchObject({ gaps: [expect.stringContaining('temperature is lost at hour 0')] })
})

test('loses only a constant gust and names it in the status', async () => {
  const { variables, entries } = await ingested(
    on('GUST', (message, section) => {
      // The message has no bits, so every value is the reference value.
      message.writeUInt8(0, section(5) + 19)
    }),
  )
  expect(variables).not.toContain('wind_gust')
  expect(entries).toHaveLength(1)
  const status = openServiceStatus({ database, clock: Date.now, datasets: [] })
  const entry = (await status())!.datasets.find(
    ({ dataset_id, domain }) => dataset_id === 'rtma' && domain === 'hawaii',
  )
  expect(entry!.quarantine).toMatchObject([{ variable: 'wind_gust', lead_hours: [0] }])
  const totals = await quarantineTotals(database)
  expect(totals.find(({ dataset, reason }) => dataset === 'rtma' && reason === 'grid')!.total).toBe(4)
})

test('ingests a replayed entry again and removes a dropped entry with its bytes', async () => {
  const { entries } = await ingested(on('DPT', (message, section) => message.writeUInt8(0, section(3) + 14)))
  change = undefined
  expect(await replay({ database, objects, slabs: objects }, nth(entries, 0))).toBe(true)
  expect((await runOf(database, { dataset: 'rtma', domain: 'hawaii', run: new Date(run) }))!.leads).toEqual([])
  await takeRun(ports, rtma, hawaii, () => now)
  const pointer = await pointerOf(database, 'rtma', 'hawaii')
  const opened = await openRun(objects, pointer!.manifest_key)
  expect([...opened.variables.keys()]).toContain('dew_point')
  expect(await quarantined(database, 10)).toEqual([])
  const entry: Quarantined = {
    dataset: 'rtma',
    domain: 'hawaii',
    run,
    reason: 'format',
    detail: 'x',
    bytes: new Uint8Array(9),
  }
  await ports.quarantine!(entry)
  await ports.quarantine!(entry)
  const [row, ...more] = await quarantined(database, 10)
  expect(more).toEqual([])
  expect((await objects.get(row!.object!)).length).toBe(9)
  expect(row!.object).toContain(runName(run))
  expect(await drop({ database, objects }, row!.id)).toBe(true)
  await expect(objects.get(row!.object!)).rejects.toThrow()
})

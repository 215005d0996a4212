import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { cellToLatLng } from 'h3-js'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openAnswers } from '../../api/answer/open.ts'
import { parseWeather } from '../../api/query/query.ts'
import { type Mirror, startMirror } from '../../infra/simulator/mirror.ts'
import { modelSources } from '../../infra/simulator/models.ts'
import type { SimulatedHost } from '../../infra/simulator/source.ts'
import { hrrr } from '../../ingest/datasets/hrrr.ts'
import { cellOfId, loadCells } from '../../ingest/domain/cell.ts'
import { nth } from '../../ingest/domain/nth.ts'
import { HOUR } from '../../ingest/domain/time.ts'
import { openDatabase } from '../../ingest/ports/database/open.ts'
import type { Database } from '../../ingest/ports/database.ts'
import { openEvents } from '../../ingest/ports/events/open.ts'
import { openFolder } from '../../ingest/ports/objects/folder.ts'
import type { Objects } from '../../ingest/ports/objects.ts'
import { openUpstream, type Upstream } from '../../ingest/ports/upstream.ts'
import type { RunPorts } from '../../ingest/steps/grid/grid-run.ts'
import { takeRun } from '../../ingest/steps/grid/take-run.ts'
import { openPool } from '../../ingest/steps/pool.ts'
import type { Pool } from '../../ingest/steps/pool-tasks.ts'
import { quarantineOver } from '../../ingest/steps/quarantine.ts'
import { type OpenRun, openRun } from '../../ingest/tile/read.ts'
import { pointerOf } from '../../sql/queries/runs.ts'
import { parsed } from '../api/answer/parsed.ts'
import { fitting, type Parts, partsOf, withValues } from './drift/messages.ts'

// A run of HRRR with a file of one hour that has ten times the right precipitation.

const folder = mkdtempSync(join(tmpdir(), 'hexcast-scaled-'))
const before = Date.UTC(2026, 10, 21, 12)
const run = before + HOUR
const LEAD = 5
const time = run + LEAD * HOUR
const now = run + 100 * 60_000
const clock = () => now
const domains = ['conus'] as const
const { url, indexUrl } = hrrr.file(run, 'conus', LEAD)

let harmed: { readonly data: Buffer; readonly index: Buffer } | undefined
let mirror: Mirror
let upstream: Upstream
let objects: Objects
let database: Database
let pool: Pool
let ports: RunPorts

const harming = (source: SimulatedHost): SimulatedHost => {
  const path = new URL(url).pathname
  return {
    ...source,
    list: (prefix, at) =>
      [...(source.list?.(prefix, at) ?? [])].map((object) =>
        `/${object.key}` === path && harmed ? { ...object, size: harmed.data.length } : object,
      ),
    async find(requestPath, query, at) {
      const document = await source.find(requestPath, query, at)
      if (!document || !harmed || (requestPath !== path && requestPath !== `${path}.idx`)) return document
      const bytes = requestPath === path ? harmed.data : harmed.index
      return { ...document, size: bytes.length, body: () => bytes }
    },
  }
}

/** Returns the file with the precipitation of the hour ten times as much. */
function tenfold(parts: Parts): typeof harmed {
  const at = parts.lines.findIndex((line) => /:APCP:surface:4-5 hour acc fcst/.test(line))
  const messages = parts.messages.map((message, k) => (k === at ? withValues(message, (value) => value * 10) : message))
  const index = fitting({ messages, lines: parts.lines })
  return { data: Buffer.concat(messages), index: Buffer.from(`${index.join('\n')}\n`) }
}

beforeAll(async () => {
  const sources = modelSources(24).filter(({ host }) => host.includes('hrrr'))
  mirror = await startMirror({ sources: sources.map(harming), now: clock })
  upstream = openUpstream({ mirror: mirror.url, sleep: async () => {} })
  objects = await openFolder(join(folder, 'objects'))
  database = await openDatabase({ dataDir: folder, databasePool: 2 })
  pool = openPool({ threads: 1 })
  const quarantine = quarantineOver({ database, objects })
  ports = {
    upstream,
    objects,
    slabs: objects,
    database,
    pool,
    quarantine,
    resolution: 5,
    cacheDir: join(folder, 'cache'),
  }
}, 60_000)
afterAll(async () => {
  await pool?.close()
  await database?.close()
  await objects?.close()
  await upstream?.close()
  await mirror?.close()
  rmSync(folder, { recursive: true, force: true })
})

async function publish(runTime: number): Promise<OpenRun> {
  await takeRun(ports, hrrr, { domains, run: runTime }, clock)
  const pointer = await pointerOf(database, 'hrrr', 'conus')
  expect(pointer?.run.getTime(), 'the run is published').toBe(runTime)
  return openRun(objects, pointer!.manifest_key)
}

/** Returns a cell with rain at the time, the wettest of some. */
async function wetCell(opened: OpenRun): Promise<{ cell: string; amount: number }> {
  const ids = loadCells(5).ids
  let wettest = { cell: '', amount: 0 }
  for (let k = 0; k < ids.length; k += 7) {
    const cell = cellOfId(nth(ids, k), 5)
    const amount = valueAt(await opened.point(cell), 'precip_amount', time)
    if (amount > wettest.amount) wettest = { cell, amount }
  }
  return wettest
}

function valueAt(point: Awaited<ReturnType<OpenRun['point']>>, name: string, at: number): number {
  const series = point?.variables.get(name)
  const index = series?.times.indexOf(at) ?? -1
  return index < 0 ? Number.NaN : nth(series!.values, index)
}

const offered = (opened: OpenRun) =>
  new Set(
    [...opened.variables].flatMap(([name, { times }]) => [...times].map((at) => `${name} ${(at - opened.run) / HOUR}`)),
  )

test('precipitation that is ten times too high is not served: the earlier run replaces only this hour, and answers report it', {
  timeout: 240_000,
}, async () => {
  const earlier = await publish(before)
  const { cell, amount } = await wetCell(earlier)
  expect(amount).toBeGreaterThan(0.3)
  const data = await upstream.get(url)
  harmed = tenfold(partsOf(data.bytes, (await upstream.get(indexUrl!)).bytes))
  const opened = await publish(run)

  // The run has every variable and hour of the run before except this one.
  const [earlierNames, names] = [offered(earlier), offered(opened)]
  expect([...earlierNames].filter((name) => !names.has(name))).toEqual([`precip_amount ${LEAD}`])
  const quarantined = await database.query('select variable, reason, detail from quarantine')
  expect(quarantined).toEqual([
    {
      variable: 'precip_amount',
      reason: 'jump',
      detail: expect.stringMatching(/mean over all cells is .* in the previous run/),
    },
  ])

  const events = await openEvents({ kafkaBrokers: [] }, database)
  const settings = {
    database,
    objects,
    events,
    clock,
    resolution: 5,
    feedPollSeconds: {},
    report: () => () => undefined,
  }
  const { weather, close } = await openAnswers(settings)
  const [lat, lon] = cellToLatLng(cell).map((degrees) => degrees.toFixed(4))
  const query = { lat: lat!, lon: lon!, units: 'metric', include: 'hourly,provenance', hourly_hours: '8' }
  const answer = parsed(await weather.answer(parseWeather(query), now)) as {
    hourly: { time: string; precip_amount: number; temperature: number }[]
    meta: { warnings: { code: string; product_id?: string; detail: string }[] }
  }
  await close()
  await events.close()
  const row = answer.hourly.find((row) => Date.parse(row.time) === time)
  expect(row?.precip_amount).toBeCloseTo(amount, 1)
  // The other hours and variables are of the run itself.
  const point = await opened.point(cell)
  expect(row?.temperature).toBeCloseTo(valueAt(point, 'temperature', time) - 273.15, 0)
  const known = answer.hourly
    .map((hour) => ({ hour, own: valueAt(point, 'precip_amount', Date.parse(hour.time)) }))
    .filter(({ own }) => Number.isFinite(own))
  expect(known.length).toBeGreaterThan(0)
  for (const { hour, own } of known) expect(hour.precip_amount).toBeCloseTo(own, 1)
  const warning = answer.meta.warnings.find(
    ({ code, product_id }) => code === 'source_incomplete' && product_id === 'hrrr',
  )
  expect(warning?.detail).toContain(`precip_amount is lost at hour ${LEAD}`)
  expect(warning?.detail).toContain('values of the previous run')
  expect(JSON.stringify(answer)).toContain(new Date(before).toISOString().slice(0, 13))
})

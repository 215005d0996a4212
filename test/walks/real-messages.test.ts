import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Message, readMessages } from 'grib2-wasm'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { runVerb } from '../../bin/command-line.ts'
import { verbs } from '../../bin/verbs/ingest.ts'
import { loadConfig } from '../../ingest/config.ts'
import { cellOf, centreOf } from '../../ingest/domain/cell.ts'
import { nth } from '../../ingest/domain/nth.ts'
import { openDatabase } from '../../ingest/ports/database/open.ts'
import type { Database } from '../../ingest/ports/database.ts'
import { openFolder } from '../../ingest/ports/objects/folder.ts'
import type { Objects } from '../../ingest/ports/objects.ts'
import { type OpenRun, openRun } from '../../ingest/tile/read.ts'
import { bilinear, type LambertNumbers, lambertIndex, nearest } from './lambert.ts'
import { type RecordedMirror, recordedMirror } from './recorded-mirror.ts'

const fixtures = join(import.meta.dirname, '../../../shared/fixtures/binary')

interface Recorded {
  readonly dataset: string
  readonly run: string
  readonly key: string
  /** Recorded files, with the messages of the upstream file. */
  readonly parts: readonly string[]
  /** `ELEMENT:LEVEL:WINDOW:tail` of every message, as wgrib2 prints it. */
  readonly lines: readonly string[]
  /** Maps each variable to the message that fills it. */
  readonly fills: Readonly<Record<string, number>>
}

const bucket = (name: string) => `noaa-${name}.s3.amazonaws.com`

const recordings: readonly Recorded[] = [
  {
    dataset: 'hrrr',
    run: '2020-12-14T00Z',
    key: `${bucket('hrrr-bdp-pds')}/hrrr.20201214/conus/hrrr.t00z.wrfsfcf12.grib2`,
    parts: ['hrrr/subset_20201214_hrrr.t00z.wrfsfcf12.grib2'],
    lines: ['APCP:surface:0-12 hour acc fcst:', 'APCP:surface:11-12 hour acc fcst:'],
    fills: { precip_amount: 1 },
  },
  {
    dataset: 'hrrr',
    run: '2023-07-22T06Z',
    key: `${bucket('hrrr-bdp-pds')}/hrrr.20230722/conus/hrrr.t06z.wrfsfcf01.grib2`,
    parts: ['hrrr/hrrr.t06z.wrfsfcf01-CFRZR.grib2', 'hrrr/hrrr.t06z.wrfsfcf01-TMP.grib2'],
    lines: ['CFRZR:surface:1 hour fcst:', 'TMP:surface:1 hour fcst:'],
    fills: { freezing_rain_flag: 0 },
  },
  {
    dataset: 'hrrr',
    run: '2026-03-01T00Z',
    key: `${bucket('hrrr-bdp-pds')}/hrrr.20260301/conus/hrrr.t00z.wrfsfcf00.grib2`,
    parts: ['hrrr/hrrr.t00z.wrfprsf00-atmo-chem.grib2'],
    lines: ['MASSDEN:8 m above ground:anl:'],
    fills: { smoke: 0 },
  },
  {
    dataset: 'nbm',
    run: '2026-06-16T12Z',
    key: `${bucket('nbm-grib2-pds')}/blend.20260616/12/core/blend.t12z.core.f001.co.grib2`,
    parts: ['nbm/nbm-multilevel-tcdc.grib2', 'nbm/nbm-asnow-prob-thresholds.grib2'],
    lines: [
      'TMP:surface:1 hour fcst:',
      'TMP:2 m above ground:1 hour fcst:',
      'TCDC:reserved:1 hour fcst:',
      'ASNOW:surface:0-1 hour acc fcst:prob >0.00254:prob fcst 255/255',
      'ASNOW:surface:0-1 hour acc fcst:prob >0.0127:prob fcst 255/255',
      'ASNOW:surface:0-1 hour acc fcst:prob >0.0254:prob fcst 255/255',
    ],
    fills: { temperature: 1 },
  },
]

const hrrrGrid: LambertNumbers = {
  radius: 6371229,
  lat1: 21.138123,
  lon1: 237.280472,
  lov: 262.5,
  latin: 38.5,
  step: 3000,
}
const nbmGrid: LambertNumbers = { radius: 6371200, lat1: 19.229, lon1: 233.7234, lov: 265, latin: 25, step: 2539.703 }

/** Points spread over CONUS by the golden ratio, without a pattern that a grid could share. */
const places = Array.from({ length: 600 }, (_, k) => ({
  lat: 26 + 22 * ((k * 0.6180339887) % 1),
  lon: -122 + 50 * ((k * 0.7548776662) % 1),
}))

function bytesOf({ parts }: Recorded): Uint8Array {
  return Buffer.concat(parts.map((part) => readFileSync(join(fixtures, part))))
}

function indexOf(recorded: Recorded, bytes: Uint8Array): string {
  const day = recorded.run.slice(0, 10).replaceAll('-', '') + recorded.run.slice(11, 13)
  return [...readMessages(bytes)]
    .map(({ offset }, at) => `${at + 1}:${offset}:d=${day}:${recorded.lines[at]}\n`)
    .join('')
}

const verb = (name: string) => verbs.find((candidate) => candidate.name === name)!

async function runCaptured(work: () => Promise<number>): Promise<{ status: number; out: string }> {
  const lines: string[] = []
  const log = vi.spyOn(console, 'log').mockImplementation((line: string) => void lines.push(line))
  vi.spyOn(process.stderr, 'write').mockImplementation(() => true)
  try {
    return { status: await work(), out: lines.join('\n') }
  } finally {
    log.mockRestore()
    vi.restoreAllMocks()
  }
}

describe.skipIf(!existsSync(fixtures))(
  'real HRRR and NBM messages (skipped where the recorded fixtures are not beside the project)',
  () => {
    const folder = mkdtempSync(join(tmpdir(), 'hexcast-real-'))
    let objects: Objects
    let database: Database
    let mirror: RecordedMirror

    beforeAll(async () => {
      const files = new Map<string, Uint8Array>()
      for (const recorded of recordings) {
        const bytes = bytesOf(recorded)
        files.set(recorded.key, bytes)
        files.set(`${recorded.key}.idx`, Buffer.from(indexOf(recorded, bytes)))
      }
      mirror = await recordedMirror(files)
      process.env['UPSTREAM'] = mirror.url
      process.env['DATA_DIR'] = folder
      // The database stays open here, so that every verb connects to it instead of starting its own.
      database = await openDatabase(loadConfig())
      objects = await openFolder(join(folder, 'objects'))
      for (const { dataset, run } of recordings) {
        const { status, out } = await runCaptured(() => runVerb(verb('publish'), [dataset, run, '--domain', 'conus']))
        expect(out).toContain(`${dataset}/conus ${run}: published`)
        expect(status).toBe(0)
      }
    }, 120_000)
    afterAll(async () => {
      await objects.close()
      await database.close()
      await mirror.close()
      rmSync(folder, { recursive: true, force: true })
    })

    async function opened({ dataset, run }: Recorded): Promise<OpenRun> {
      const keys: string[] = []
      for await (const { key } of objects.list(`tiles/v1/${dataset}/conus/${run}/`)) keys.push(key)
      // The last stage contains all hours.
      const manifests = keys.filter((key) => key.endsWith('manifest')).sort()
      return openRun(objects, manifests.at(-1)!)
    }

    test.each(recordings)('$dataset $run: the tiles equal the messages at 600 places', async (recorded) => {
      const messages = [...readMessages(bytesOf(recorded))]
      const run = await opened(recorded)
      const grid = recorded.dataset === 'nbm' ? nbmGrid : hrrrGrid
      expect([...run.variables.keys()].sort()).toEqual(Object.keys(recorded.fills).sort())
      for (const [variable, index] of Object.entries(recorded.fills)) {
        const worst = await compare(run, variable, nth(messages, index), grid)
        expect(worst.places).toBeGreaterThan(400)
        // The tolerance is half a quantum of the stored value and the precision of a float.
        expect(worst.error).toBeLessThanOrEqual(worst.quantum * 0.501 + worst.size * 1e-6)
      }
    })

    test('point prints the values of the tiles for the requested run', async () => {
      const recorded = nth(recordings, 0)
      const { lat, lon } = { lat: 40.66, lon: -75.2 }
      const { out } = await runCaptured(() =>
        runVerb(verb('point'), [`${lat},${lon}`, '--dataset', 'hrrr', '--run', recorded.run]),
      )
      const answer = JSON.parse(out)
      const cell = cellOf(lat, lon)
      const series = (await (await opened(recorded)).point(cell))!.variables.get('precip_amount')!
      expect(answer.cell).toBe(cell)
      expect(answer.datasets[0].variables.precip_amount).toMatchObject({
        unit: 'mm',
        space: 'bilinear',
        valid_times: ['2020-12-14T12:00:00Z'],
        values: [expect.closeTo(nth(series.values, 0), 4)],
      })
    })

    test('an older run is stored without being served, and the newer run stays the served run', async () => {
      const { out } = await runCaptured(() => runVerb(verb('point'), ['40.66,-75.2', '--dataset', 'hrrr']))
      expect(JSON.parse(out).datasets[0]).toMatchObject({ run: '2026-03-01T00Z', served: true })
    })

    test('only the needed byte ranges are requested, each with the listed ETag', () => {
      const ranged = mirror.log.filter((line) => line.includes('wrfsfcf12.grib2 bytes='))
      expect(ranged.length).toBe(1)
      const [, from, to] = /bytes=(\d+)-(\d+)/.exec(nth(ranged, 0))!
      const [, second] = [...readMessages(bytesOf(nth(recordings, 0)))]
      // This recording has an extra byte after each message.
      expect([Number(from), Number(to)]).toEqual([second!.offset, second!.offset + second!.byteLength])
    })
  },
)

async function compare(run: OpenRun, variable: string, message: Message, grid: LambertNumbers) {
  const values = message.values()
  const { nx, ny } = message.grid
  let [error, size, places_] = [0, 0, 0]
  let quantum = 0
  for (const { lat, lon } of places) {
    const cell = cellOf(lat, lon)
    const series = (await run.point(cell))?.variables.get(variable)
    if (!series) continue
    const [i, j] = lambertIndex(grid, ...centreOf(cell))
    if (i < 0 || j < 0 || i > nx - 1 || j > ny - 1) continue
    const truth = variable.endsWith('_flag') ? nearest(values, nx, i, j) : bilinear(values, nx, i, j)
    error = Math.max(error, Math.abs(nth(series.values, 0) - truth))
    size = Math.max(size, Math.abs(truth))
    quantum = series.quantum
    places_++
  }
  return { error, size, quantum, places: places_ }
}

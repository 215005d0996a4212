import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readMessages } from 'grib2-wasm'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { hrrr } from '../../ingest/datasets/hrrr.ts'
import { nbm } from '../../ingest/datasets/nbm.ts'
import type { GridDataset } from '../../ingest/domain/dataset/dataset.ts'
import { nth } from '../../ingest/domain/nth.ts'
import { parseRun } from '../../ingest/domain/time.ts'
import { openFolder } from '../../ingest/ports/objects/folder.ts'
import { openUpstream } from '../../ingest/ports/upstream.ts'
import { planRun } from '../../ingest/steps/grid/plan.ts'
import { receiptOf, sampleFile } from '../../ingest/steps/grid/sample.ts'
import { validateRun } from '../../ingest/steps/grid/validate.ts'
import { openPool } from '../../ingest/steps/pool.ts'
import { type Manners, type RecordedMirror, recordedMirror } from './recorded-mirror.ts'

const fixtures = join(import.meta.dirname, '../../../shared/fixtures/binary')
const folder = mkdtempSync(join(tmpdir(), 'hexcast-odd-'))
const pool = openPool({ threads: 1 })
const now = Date.UTC(2026, 10, 21)
let mirror: RecordedMirror | undefined
afterEach(async () => mirror?.close())
afterAll(async () => {
  await pool.close()
  rmSync(folder, { recursive: true, force: true })
})

let store = 0
/** Samples the first file of a run from a mirror. */
async function sampled(
  dataset: GridDataset,
  name: string,
  files: Map<string, Uint8Array>,
  manners?: Manners,
  lenient = false,
) {
  mirror = await recordedMirror(files, manners)
  const upstream = openUpstream({ mirror: mirror.url, sleep: async () => {} })
  const slabs = await openFolder(join(folder, `objects-${store++}`))
  const run = parseRun(name)
  const plan = await planRun(upstream, dataset, run, 'conus', 0, now, { partial: true })
  const ports = { upstream, slabs, pool, resolution: 5, cacheDir: join(folder, 'cache') }
  try {
    await sampleFile(ports, dataset, run, nth(plan.files, 0), ['conus'], { lenient })
    // The receipt is read back as publishing does.
    const receipt = await receiptOf(ports, dataset, run, nth(plan.files, 0), 'conus')
    return { plan, receipt: receipt!, verdict: validateRun(dataset, plan, [receipt!]) }
  } finally {
    await upstream.close()
    await slabs.close()
  }
}

const host = 'noaa-hrrr-bdp-pds.s3.amazonaws.com'
const apcp = `${host}/hrrr.20201214/conus/hrrr.t00z.wrfsfcf12.grib2`
const tmp = 'noaa-nbm-grib2-pds.s3.amazonaws.com/blend.20260616/12/core/blend.t12z.core.f001.co.grib2'
const read = (name: string) => readFileSync(join(fixtures, name))

describe.skipIf(!existsSync(fixtures))(
  'mirrors of recorded files (skipped where the fixtures are not beside the project)',
  () => {
    test('reads a file without an index from a plain file server without listings and ranges', async () => {
      const files = new Map([[apcp, read('hrrr/subset_20201214_hrrr.t00z.wrfsfcf12.grib2')]])
      const { plan, receipt } = await sampled(hrrr, '2020-12-14T00Z', files, { listing: false, ranges: false })
      expect(plan.files.map(({ leadHours, indexUrl }) => [leadHours, indexUrl])).toEqual([[12, undefined]])
      expect(receipt).toMatchObject({ wanted: 1, got: 1, missing: [] })
      expect(receipt.slabs.map(({ variable }) => variable)).toEqual(['precip_amount'])
    })

    test('reads a part of a file whose index is of the whole file', async () => {
      const file = read('hrrr/subset_20201214_hrrr.t00z.wrfsfcf12.grib2')
      const [, hour] = [...readMessages(file)]
      const lines = [
        `1:0:d=2020121400:TMP:2 m above ground:12 hour fcst:`,
        `2:${hour!.offset}:d=2020121400:APCP:surface:11-12 hour acc fcst:`,
        `3:${file.length}:d=2020121400:MSLMA:mean sea level:12 hour fcst:`,
        `4:${file.length + 900_000}:d=2020121400:CAPE:surface:12 hour fcst:`,
      ]
      const files = new Map<string, Uint8Array>([
        [apcp, file],
        [`${apcp}.idx`, Buffer.from(`${lines.join('\n')}\n`)],
      ])
      // The index cannot be used, so the file is walked, and its messages are matched by their headers.
      const unindexed = await sampled(hrrr, '2020-12-14T00Z', files)
      expect(unindexed.receipt.slabs.map(({ variable }) => variable)).toEqual(['precip_amount'])
      await mirror!.close()
      const cutIndex = Buffer.from(`${lines.slice(0, 2).join('\n')}\n`)
      const torn = await sampled(hrrr, '2020-12-14T00Z', new Map(files).set(`${apcp}.idx`, cutIndex))
      expect(torn.receipt.slabs.map(({ variable }) => variable)).toEqual(['precip_amount'])
      expect(torn.receipt.missing).toMatchObject([{ variable: 'temperature', reason: 'parameter', from: 0 }])
      await mirror!.close()
      const { receipt } = await sampled(hrrr, '2020-12-14T00Z', files, undefined, true)
      expect(receipt.slabs.map(({ variable }) => variable)).toEqual(['precip_amount'])
      expect(receipt.missing).toEqual([
        {
          variable: 'temperature',
          reason: 'parameter',
          from: 0,
          detail: expect.stringMatching(/lists "TMP:2 m above ground:12 hour fcst:", but the message is "APCP/),
        },
      ])
    })

    test('reports and stores a field without values or with a constant value', async () => {
      const flat = 'noaa-hrrr-bdp-pds.s3.amazonaws.com/hrrr.20230722/conus/hrrr.t06z.wrfsfcf01.grib2'
      const files = new Map<string, Uint8Array>([
        [flat, read('hrrr/hrrr.t06z.wrfsfcf01-CFRZR.grib2')],
        [`${flat}.idx`, Buffer.from('1:0:d=2023072206:CFRZR:surface:1 hour fcst:\n')],
      ])
      const { receipt, verdict } = await sampled(hrrr, '2023-07-22T06Z', files)
      expect(receipt.slabs).toMatchObject([{ variable: 'freezing_rain_flag', min: 0, max: 0, roughness: Number.NaN }])
      expect(verdict).toMatchObject({ reasons: [], isNearlyComplete: false })
    })

    test('rejects rows whose scanning flag is wrong', async () => {
      const recorded = read('nbm/nbm-multilevel-tcdc.grib2')
      const [, message] = [...readMessages(recorded)]
      const bytes = Buffer.from(recorded.subarray(message!.offset, message!.offset + message!.byteLength))
      const section3 = message!.section(3)!
      const at = bytes.indexOf(Buffer.from(section3))
      // Octet 65 of template 3.30 is 80: every second row runs backwards, as it does in this message.
      expect(bytes[at + 64]).toBe(80)
      const index = (size: number) =>
        new Map<string, Uint8Array>([
          [tmp, bytes.subarray(0, size)],
          [`${tmp}.idx`, Buffer.from('1:0:d=2026061612:TMP:2 m above ground:1 hour fcst:\n')],
        ])
      const right = await sampled(nbm, '2026-06-16T12Z', index(bytes.length))
      expect(right.receipt.slabs[0]?.roughness).toBeLessThan(1)
      expect(right.verdict.reasons).toEqual([])
      await mirror!.close()
      bytes[at + 64] = 64
      const wrong = await sampled(nbm, '2026-06-16T12Z', index(bytes.length))
      expect(wrong.receipt.slabs).toEqual([])
      expect(wrong.receipt.missing[0]?.detail).toMatch(/rows are \d+\.\d times as rough as columns/)
      expect(wrong.verdict.reasons).toEqual(['the files have none of the requested variables'])
    })
  },
)

/**
 * `node test/bench/slab.ts` compares the way from a GRIB2 message to a packed slab of all our cells (decode, sample, quantise, pack)
 * with ecCodes' decode of the message alone, in turn. Figures are medians. The goal is at most 0.8 of ecCodes' time.
 */

import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readMessages } from 'grib2-wasm'
import { conus } from '../../ingest/datasets/domains.ts'
import { nth } from '../../ingest/domain/nth.ts'
import type { ScalarItem } from '../../ingest/steps/grid/sample-request.ts'
import { Sampler } from '../../ingest/steps/grid/sampler.ts'
import { openEcCodes } from './eccodes.ts'

const fixtures = fileURLToPath(new URL('../../../shared/fixtures/binary/', import.meta.url))
const targetShare = 0.8
const rounds = 15
const run = Date.UTC(2026, 5, 16, 12)

const cases: readonly [file: string, message: number, variable: string][] = [
  ['nbm/nbm-multilevel-tcdc.grib2', 1, 'temperature'],
  ['nbm/nbm-multilevel-tcdc.grib2', 0, 'temperature'],
  ['nbm/nbm-multilevel-tcdc.grib2', 2, 'cloud_cover'],
  ['nbm/nbm-asnow-prob-thresholds.grib2', 0, 'snow_prob_gt_1in'],
  ['hrrr/hrrr.t06z.wrfsfcf01-TMP.grib2', 0, 'temperature'],
  ['hrrr/subset_20201214_hrrr.t00z.wrfsfcf12.grib2', 1, 'precip_amount'],
]

const median = (times: readonly number[]) =>
  nth(
    [...times].sort((a, b) => a - b),
    times.length >> 1,
  )

async function measure(
  sampler: Sampler,
  cacheDir: string,
  [file, number, variable]: (typeof cases)[number],
): Promise<void> {
  const path = join(fixtures, file)
  const octets = readFileSync(path)
  const message = nth([...readMessages(octets)], number)
  const bytes = new Uint8Array(octets.subarray(message.offset, message.offset + message.byteLength))
  const item: ScalarItem = { kind: 'scalar', variable, time: run, message: { bytes } }
  // Ten messages share the work that is done once a file; in a run, 50 messages share it.
  const request = { dataset: 'bench', domain: conus, run, items: Array(10).fill(item), resolution: 7, cacheDir }
  const theirs = await openEcCodes(path, number)
  const times: number[] = []
  const others: number[] = []
  for (let round = -3; round < rounds; round++) {
    const other = (await theirs?.decode()) ?? Number.NaN
    const from = performance.now()
    sampler.sample(request)
    const time = (performance.now() - from) / 10
    if (round < 0) continue
    times.push(time)
    others.push(other)
  }
  theirs?.end()
  const [ours, other] = [median(times), median(others)]
  const verdict = theirs ? `${(ours / other).toFixed(2)} of ecCodes ${other.toFixed(1)} ms` : 'ecCodes is not installed'
  const met = !theirs || ours / other <= targetShare ? '' : `  MISSED: wanted ${targetShare}`
  console.log(
    `${nth(file.split('/'), 0).padEnd(5)} ${variable.padEnd(18)} slab ${ours.toFixed(1).padStart(5)} ms  ${verdict}${met}`,
  )
}

if (!existsSync(fixtures)) console.log('slab skipped: the fixtures are not there (../shared/fixtures)')
else {
  const cacheDir = mkdtempSync(join(tmpdir(), 'hexcast-slab-'))
  const sampler = new Sampler()
  for (const benchCase of cases) await measure(sampler, cacheDir, benchCase)
  rmSync(cacheDir, { recursive: true })
}

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readMessages } from 'grib2-wasm'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type Mirror, startMirror } from '../../infra/simulator/mirror.ts'
import { modelSources } from '../../infra/simulator/models.ts'
import type { SimulatedHost } from '../../infra/simulator/source.ts'
import { hrrr } from '../../ingest/datasets/hrrr.ts'
import { nbm } from '../../ingest/datasets/nbm.ts'
import type { GridDataset } from '../../ingest/domain/dataset/dataset.ts'
import type { DomainId } from '../../ingest/domain/domain.ts'
import { isFault } from '../../ingest/domain/fault.ts'
import { nth } from '../../ingest/domain/nth.ts'
import { openFolder } from '../../ingest/ports/objects/folder.ts'
import { openUpstream, type Upstream } from '../../ingest/ports/upstream.ts'
import { planRun } from '../../ingest/steps/grid/plan.ts'
import { receiptOf, sampleFile } from '../../ingest/steps/grid/sample.ts'
import { missingRequired, validateRun } from '../../ingest/steps/grid/validate.ts'
import { openPool } from '../../ingest/steps/pool.ts'

// Files that differ from their names, or from their indexes.

const now = Date.UTC(2026, 10, 21, 15, 10)
const run = Date.UTC(2026, 10, 21, 12)
const folder = mkdtempSync(join(tmpdir(), 'hexcast-odd-files-'))
const pool = openPool({ threads: 1 })
const sources = modelSources(24)

/** A file and its index that are served instead of the simulator's. */
let instead: { path: string; bytes: Uint8Array; index: string } | undefined
/** Number of times that the simulator's own files are served first. */
let wrongAnswers = Number.POSITIVE_INFINITY

const odd = (source: SimulatedHost): SimulatedHost => ({
  ...source,
  *list(prefix, at) {
    for (const listed of source.list!(prefix, at)) {
      const ours = instead && listed.key === instead.path
      yield ours ? { ...listed, size: instead!.bytes.length } : listed
    }
  },
  async find(path, query, at) {
    const document = await source.find(path, query, at)
    if (!document || !instead || !path.startsWith(`/${instead.path}`)) return document
    const body = path.endsWith('.idx') ? Buffer.from(instead.index) : instead.bytes
    if (!path.endsWith('.idx') && wrongAnswers-- <= 0) return document
    return { ...document, size: body.length, body: () => body }
  },
})

let mirror: Mirror
let upstream: Upstream
beforeAll(async () => {
  mirror = await startMirror({ sources: sources.map(odd), now: () => now })
  upstream = openUpstream({ mirror: mirror.url, sleep: async () => {} })
})
afterEach(() => {
  instead = undefined
  wrongAnswers = Number.POSITIVE_INFINITY
})
afterAll(async () => {
  await upstream.close()
  await mirror.close()
  await pool.close()
  rmSync(folder, { recursive: true, force: true })
})

async function simulated(path: string): Promise<{ bytes: Uint8Array; index: string }> {
  const [, host, key] = /^([^/]+)\/(.*)$/.exec(path)!
  const source = sources.find((candidate) => candidate.host === host)!
  const body = async (name: string) => (await source.find(`/${name}`, new URLSearchParams(), now))!.body()
  return { bytes: Uint8Array.from(await body(key!)), index: Buffer.from(await body(`${key}.idx`)).toString() }
}

let store = 0
async function sampled(dataset: GridDataset, domain: DomainId, lead: number, from: Upstream = upstream) {
  const slabs = await openFolder(join(folder, `objects-${store++}`))
  const plan = await planRun(from, dataset, run, domain, 0, now, { partial: true })
  const file = plan.files.find(({ leadHours }) => leadHours === lead)!
  const ports = { upstream: from, slabs, pool, resolution: 5, cacheDir: join(folder, 'cache') }
  await sampleFile(ports, dataset, run, file, [domain])
  // The receipt as publishing reads it back.
  const receipt = (await receiptOf(ports, dataset, run, file, domain))!
  return { receipt, verdict: validateRun(dataset, { ...plan, files: [file], absent: [] }, [receipt]) }
}

const bucket = 'noaa-hrrr-bdp-pds.s3.amazonaws.com'
const key = 'hrrr.20261121/conus/hrrr.t12z.wrfsfcf06.grib2'

/** Returns the simulator's file with other messages, and an index that matches. */
async function rewritten(change: (line: string, message: Buffer) => Buffer) {
  const { bytes, index } = await simulated(`${bucket}/${key}`)
  const lines = index.trimEnd().split('\n')
  const messages = [...readMessages(bytes)].map(({ offset, byteLength }, at) =>
    change(nth(lines, at), Buffer.from(bytes.slice(offset, offset + byteLength))),
  )
  let at = 0
  const actualLines = lines.map((line, k) => {
    const from = at
    at += nth(messages, k).length
    return line.replace(/^\d+:\d+/, `${k + 1}:${from}`)
  })
  return { path: key, bytes: Buffer.concat(messages), index: `${actualLines.join('\n')}\n` }
}

test.each([
  ['hrrr', hrrr, 'conus', key, `${bucket}/hrrr.20261121/alaska/hrrr.t12z.wrfsfcf06.ak.grib2`],
  ['nbm', nbm, 'conus', 'blend.20261121/12/core/blend.t12z.core.f006.co.grib2', 'ak'],
  ['nbm', nbm, 'hawaii', 'blend.20261121/12/core/blend.t12z.core.f006.hi.grib2', 'co'],
] as const)('%s: rejects the file of another domain (%#)', async (_, dataset, domain, path, other) => {
  const nbmPath = `noaa-nbm-grib2-pds.s3.amazonaws.com/${path.replace(/\.\w\w\.grib2$/, `.${other}.grib2`)}`
  instead = { path, ...(await simulated(dataset === nbm ? nbmPath : other)) }
  const failed = await sampled(dataset, domain, 6).catch((error: unknown) => error)
  expect(failed).toMatchObject({ kind: 'Corrupt', details: { reason: 'grid' } })
  expect((failed as Error).message).toMatch(/grid: expected (template|points|lat1)/)
})

test('loses only the message on another grid', async () => {
  instead = await rewritten((line, message) => {
    if (!line.includes(':DPT:')) return message
    // The first grid point of template 3.30 five degrees further north.
    const at = message.indexOf(Buffer.from([3, 0])) - 4 + 38
    message.writeUInt32BE(message.readUInt32BE(at) + 5_000_000, at)
    return message
  })
  const { receipt } = await sampled(hrrr, 'conus', 6)
  expect(receipt.missing).toEqual([
    {
      variable: 'dew_point',
      reason: 'grid',
      from: expect.any(Number),
      detail: expect.stringMatching(/grid: expected lat1 21.138123, but found 26.138123/),
    },
  ])
  expect(receipt.slabs.length).toBe(20)
})

test('reads a file again if corruption is visible only in its values', async () => {
  const spoilt = await rewritten((line, message) => {
    if (!line.includes(':TMP:2 m')) return message
    const [parsed] = [...readMessages(message)]
    const section5 = message.indexOf(Buffer.from(parsed!.section(5)!))
    message.writeFloatBE(message.readFloatBE(section5 + 11) - 30_000, section5 + 11)
    return message
  })
  instead = spoilt
  wrongAnswers = 1
  expect((await sampled(hrrr, 'conus', 6)).receipt).toMatchObject({ missing: [], got: 21 })
  instead = spoilt
  wrongAnswers = Number.POSITIVE_INFINITY
  const { receipt } = await sampled(hrrr, 'conus', 6)
  expect(missingRequired(hrrr, receipt)).toMatch(/temperature: values must be from 180 to 340 K/)
})

test('skips a message without an index line and reads its neighbours', async () => {
  const path = `${bucket}/${key}`
  const { bytes, index } = await simulated(path)
  const lines = index.trimEnd().split('\n')
  for (const gap of [lines.findIndex((line) => line.includes(':RH:')), lines.length - 1]) {
    instead = { path: key, bytes, index: `${lines.toSpliced(gap, 1).join('\n')}\n` }
    expect((await sampled(hrrr, 'conus', 6)).receipt).toMatchObject({ missing: [], got: 21 })
  }
})

test('does not combine ranges of two editions of a file', async () => {
  let edition = 0
  const moving: Upstream = {
    ...upstream,
    get: async (url, options) => ({ ...(await upstream.get(url, options)), etag: `"${edition++}"` }),
  }
  const path = 'blend.20261121/12/core/blend.t12z.core.f006.co.grib2'
  const { bytes, index } = await simulated(`noaa-nbm-grib2-pds.s3.amazonaws.com/${path}`)
  // The messages are so far apart that two ranges are requested.
  const [first, ...rest] = [...readMessages(bytes)]
  const gap = 100_000
  const cut = first!.byteLength
  const lines = index.trimEnd().split('\n')
  const spread = lines.map((line, k) => line.replace(/:\d+:/, `:${rest[k - 1] ? nth(rest, k - 1).offset + gap : 0}:`))
  instead = {
    path,
    bytes: Buffer.concat([bytes.subarray(0, cut), Buffer.alloc(gap), bytes.subarray(cut)]),
    index: `${[spread[0], `2:${cut}:d=2026112112:NONE:surface:6 hour fcst:`, ...spread.slice(1)].join('\n')}\n`,
  }
  expect((await sampled(nbm, 'conus', 6)).receipt.missing).toEqual([])
  const failed = await sampled(nbm, 'conus', 6, moving).catch((error: unknown) => error)
  expect(isFault(failed, 'NotYet') && failed.details['changed']).toBe(true)
})

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readMessages } from 'grib2-wasm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { modelSources } from '../../infra/simulator/models.ts'
import { hrrr } from '../../ingest/datasets/hrrr.ts'
import { cellOf } from '../../ingest/domain/cell.ts'
import { nth } from '../../ingest/domain/nth.ts'
import { HOUR } from '../../ingest/domain/time.ts'
import { sampleMessages } from '../../ingest/steps/grid/sample-field.ts'
import type { FieldMessage, SampleItem, SampleRequest } from '../../ingest/steps/grid/sample-request.ts'
import { openPool } from '../../ingest/steps/pool.ts'
import { mergeSlabs, readSlabHead } from '../../ingest/tile/slab.ts'
import { cutCover, makeSlabs } from '../tile/made-slabs.ts'

// A file that threads share gives exactly the same bytes as a file that a single thread samples, because keys depend on
// the inputs.

const run = Date.UTC(2026, 7, 20, 13)
const cacheDir = mkdtempSync(join(tmpdir(), 'hexcast-shares-'))
const [alone, shared] = [openPool({ threads: 1 }), openPool({ threads: 2 })]
let file: Uint8Array
beforeAll(async () => {
  const source = modelSources(3).find(({ host }) => host.includes('hrrr'))!
  const { pathname } = new URL(hrrr.file(run, 'conus', 1).url)
  file = await (await source.find(pathname, new URLSearchParams(), run + 3 * HOUR))!.body()
}, 120_000)
afterAll(async () => {
  await Promise.all([alone.close(), shared.close()])
  rmSync(cacheDir, { recursive: true })
})

function request(): SampleRequest {
  const messages = [...readMessages(file)]
  const messageAt = (k: number) => {
    const { offset, byteLength } = nth(messages, k)
    const source = { url: 'https://example.s3.amazonaws.com/file', from: offset, length: byteLength }
    return { bytes: file.slice(offset, offset + byteLength), source }
  }
  const items = messages.map(
    (_, k): SampleItem => ({ kind: 'scalar', variable: 'temperature', time: run + k * HOUR, message: messageAt(k) }),
  )
  const wind: SampleItem = {
    ...{ kind: 'wind', time: run, speed: 'wind_speed', direction: 'wind_direction' },
    ...{ u: messageAt(0), v: messageAt(1) },
  }
  return { dataset: 'hrrr', domain: nth(hrrr.domains, 0), run, items: [...items, wind], resolution: 5, cacheDir }
}

test('gives the same bytes and figures with two threads', async () => {
  expect(file.length).toBeGreaterThan(1 << 20)
  expect(shared.idle()).toBe(2)
  const [single, both] = await Promise.all([sampleMessages(alone, request()), sampleMessages(shared, request())])
  expect(Buffer.compare(both.bytes, single.bytes)).toBe(0)
  expect(both.slabs).toEqual(single.slabs)
  expect([both.cells, both.share]).toEqual([single.cells, single.share])
  expect(shared.idle()).toBe(2)
}, 120_000)

test('reads messages in shared memory in place with the same result', async () => {
  const result = await sampleMessages(alone, request())
  const memory = new Uint8Array(new SharedArrayBuffer(file.length))
  memory.set(file)
  const there = (message: FieldMessage): FieldMessage => {
    const { from, length } = message.source!
    return { ...message, bytes: memory.subarray(from, from + length) }
  }
  const own = request()
  const items = own.items.map((item): SampleItem => {
    if (item.kind === 'wind') return { ...item, u: there(item.u), v: there(item.v) }
    return { ...item, message: there(item.message) } as SampleItem
  })
  const both = await sampleMessages(shared, { ...own, items })
  expect(Buffer.compare(both.bytes, result.bytes)).toBe(0)
  expect(both.slabs).toEqual(result.slabs)
  expect(Buffer.compare(memory, file)).toBe(0)
}, 120_000)

test('does not join parts with other cells', () => {
  const coverOf = (lat: number) => cutCover(Uint32Array.of(idOf(lat)), 5)
  const idOf = (lat: number) => Number((BigInt(`0x${cellOf(lat, -105, 5)}`) >> 30n) & 0x3fffffn)
  const part = (lat: number) =>
    makeSlabs({ dataset: 'hrrr', domain: 'conus', run, resolution: 5 }, coverOf(lat), [
      { variable: 'temperature', time: run, quantum: 1, offset: 0, codes: Int16Array.of(1) },
    ])
  expect(readSlabHead('', mergeSlabs([part(40), part(40)])).items).toHaveLength(2)
  expect(() => mergeSlabs([part(40), part(42)])).toThrow('its grid must have the cells')
})

import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import type { Domain } from '../../ingest/domain/dataset/dataset.ts'
import { HOUR } from '../../ingest/domain/time.ts'
import { buildTiles } from '../../ingest/steps/grid/build-tiles.ts'
import { sampleMessages } from '../../ingest/steps/grid/sample-field.ts'
import type { SampleItem } from '../../ingest/steps/grid/sample-request.ts'
import { openPool } from '../../ingest/steps/pool.ts'
import { ENCODER_VERSION } from '../../ingest/tile/key.ts'
import { headLength } from '../../ingest/tile/slab.ts'
import { KeptObjects } from './kept-objects.ts'

/**
 * The version of the encoder and the digest of its bytes. If the digest changes, two releases would write different
 * bytes to the same key: raise `ENCODER_VERSION`, and enter both here.
 */
const RECORDED = { version: 3, digest: '1877c7c04083419e' }

const cacheDir = mkdtempSync(join(tmpdir(), 'hexcast-encoder-'))
const pool = openPool({ threads: 1 })
afterAll(async () => {
  await pool.close()
  rmSync(cacheDir, { recursive: true })
})

const run = Date.UTC(2026, 10, 21, 18)
const packings = ['simple', 'first-order', 'second-order', 'png']
const shapes: readonly (readonly [shape: string, domain: Domain])[] = [
  ['lambert', { id: 'conus', bbox: [-126, 23.8, -66, 50], nativeKm: 2.5 }],
  ['polar', { id: 'alaska', bbox: [-180, 50, -128, 72], nativeKm: 3 }],
  ['mercator', { id: 'hawaii', bbox: [-161, 18, -154, 23], nativeKm: 2.5 }],
]

test('gives the recorded bytes of slabs and tiles, so that a change of them raises the version', async () => {
  const digest = createHash('sha256')
  for (const [shape, domain] of shapes) {
    const [slabs, tiles] = [new KeptObjects(), new KeptObjects()]
    for (const [index, packing] of packings.entries()) {
      const bytes = readFileSync(join(import.meta.dirname, `../cases/grib/${shape}-${packing}.grib2`))
      const message = () => ({ bytes: new Uint8Array(bytes) })
      const time = run + (index + 1) * HOUR
      const items: SampleItem[] = [
        { kind: 'scalar', variable: 'temperature', time, message: message() },
        { kind: 'wind', speed: 'wind_speed', direction: 'wind_direction', time, u: message(), v: message() },
      ]
      const sampled = await sampleMessages(pool, { dataset: 'nbm', domain, run, items, resolution: 5, cacheDir })
      await slabs.put(packing, sampled.bytes)
      // The head has a part that zlib compresses, whose bytes depend on the version of zlib.
      digest.update(sampled.bytes.subarray(headLength(packing, sampled.bytes)))
    }
    await buildTiles(pool, slabs, tiles, { dataset: 'nbm', domain: domain.id, run, stage: 'f04', slabs: packings })
    for (const [key, bytes] of [...tiles.stored].sort()) if (key.endsWith('.tile')) digest.update(bytes)
  }
  expect({ version: ENCODER_VERSION, digest: digest.digest('hex').slice(0, 16) }).toEqual(RECORDED)
})

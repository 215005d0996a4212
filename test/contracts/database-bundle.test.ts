import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { smallBundle } from '../../ingest/ports/database-bundle.ts'

describe('the part of the PostGIS package that an opening needs', () => {
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'hexcast-bundle-'))
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  test('is kept once, whole, and is under half of the package', async () => {
    const path = join(folder, 'kept', 'postgis.tar.gz')
    expect(await smallBundle(path)).toBe(path)
    const first = await readFile(path)
    const tar = gunzipSync(first)
    expect(tar.length).toBeGreaterThan(20e6)
    expect(tar.length).toBeLessThan(40e6)
    // The library is a WebAssembly module, and begins after its tar header.
    expect(tar.toString('latin1', 0, 27)).toBe('lib/postgresql/postgis-3.so')
    expect(tar.toString('latin1', 512, 516)).toBe('\0asm')
    expect(await smallBundle(path)).toBe(path)
    expect((await readFile(path)).equals(first)).toBe(true)
  })

  test('where it cannot be kept the whole package is used', async () => {
    const path = join(folder, 'kept', 'postgis.tar.gz', 'below-a-file', 'x.tar.gz')
    expect(await smallBundle(path)).toBeUndefined()
  })
})

import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { postgisFiles } from '../../ingest/ports/database/postgis.ts'

describe('the part of the PostGIS package that an opening needs', () => {
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'hexcast-postgis-'))
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  test('is stored once, complete, and smaller than half of the package', async () => {
    const path = join(folder, 'kept', 'postgis')
    expect(await postgisFiles(path)).toBe(path)
    const library = join(path, 'lib/postgresql/postgis-3.so')
    const { mtimeMs, size } = await stat(library)
    const datums = await stat(join(path, 'share/proj/proj.db'))
    expect(size + datums.size).toBeGreaterThan(20e6)
    expect(size + datums.size).toBeLessThan(40e6)
    // The library is a WebAssembly module.
    expect((await readFile(library)).toString('latin1', 0, 4)).toBe('\0asm')
    expect(await readFile(join(path, 'share/postgresql/extension/postgis.control'), 'utf8')).toContain('postgis')
    expect(await postgisFiles(path)).toBe(path)
    expect((await stat(library)).mtimeMs).toBe(mtimeMs)
  })

  test('uses the whole package if the part cannot be stored', async () => {
    await writeFile(join(folder, 'file'), '')
    expect(await postgisFiles(join(folder, 'file', 'below-a-file'))).toBeUndefined()
  })
})

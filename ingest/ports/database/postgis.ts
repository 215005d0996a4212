import { mkdir, open, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import type { Extension, PGlite } from '@electric-sql/pglite'
import { postgis } from '@electric-sql/pglite-postgis'

const LIBRARY = 'lib/postgresql/postgis-3.so'
const DATUMS = 'share/proj/proj.db'
const CONTROL = 'share/postgresql/extension/postgis.control'
/**
 * The files that a database with PostGIS installed needs: the library and the datums of PROJ, 26 of the package's 110 MB. The other files
 * (raster, topology, scripts that create and upgrade) would be unpacked and compiled at every opening, which takes 1.3 s of CPU time.
 */
const needed = [LIBRARY, DATUMS, CONTROL]
const BLOCK = 512

/**
 * Writes the needed files of PostGIS to `folder` if it does not exist.
 * @returns the folder; undefined if it cannot be written
 */
export async function postgisFiles(folder: string): Promise<string | undefined> {
  if (await exists(folder)) return folder
  const unfinished = `${folder}.${process.pid}`
  try {
    const archive = new URL('./postgis.tar.gz', import.meta.resolve('@electric-sql/pglite-postgis'))
    const tar = await promisify(gunzip)(await readFile(fileURLToPath(archive)))
    const parts = filesOf(tar).filter(({ name }) => needed.includes(name))
    if (parts.length !== needed.length) return undefined
    for (const { name, octets } of parts) {
      await mkdir(dirname(join(unfinished, name)), { recursive: true })
      await writeFile(join(unfinished, name), octets)
    }
    await rename(unfinished, folder)
    return folder
  } catch {
    await rm(unfinished, { recursive: true, force: true }).catch(() => {})
    // Another process may have created the folder first.
    return (await exists(folder)) ? folder : undefined
  }
}

/** The part of Emscripten's module that this file uses; the package has no types for it. */
interface Postgres {
  readonly WASM_PREFIX: string
  readonly FS: {
    mkdirTree(path: string): void
    writeFile(path: string, octets: Uint8Array): void
    truncate(path: string, length: number): void
    mount(type: object, options: { root: string }, path: string): void
    readonly filesystems: { readonly NODEFS: object }
    createPreloadedFile(
      ...args: [
        folder: string,
        name: string,
        octets: Uint8Array,
        read: true,
        write: true,
        done: () => void,
        failed: () => void,
      ]
    ): void
  }
}

/**
 * Returns the extension PostGIS, loaded from the files of `folder`. From an archive, the package would hold the compiled library, the whole
 * archive and each of its files in memory. Here the library is read once and its memory is released after compilation; the datums stay on
 * disk.
 */
export function postgisOf(folder: string): Extension {
  return {
    ...postgis,
    setup: async (database, options) => {
      const { bundlePath: _, ...rest } = await postgis.setup(database, options)
      return { ...rest, init: () => place(folder, (database as PGlite).Module as unknown as Postgres) }
    },
  }
}

async function place(folder: string, { WASM_PREFIX, FS }: Postgres): Promise<void> {
  const inside = (name: string) => `${WASM_PREFIX}/${name}`
  for (const name of [LIBRARY, CONTROL]) FS.mkdirTree(dirname(inside(name)))
  FS.mkdirTree(dirname(inside(DATUMS)))
  FS.mount(FS.filesystems.NODEFS, { root: dirname(join(folder, DATUMS)) }, dirname(inside(DATUMS)))
  FS.writeFile(inside(CONTROL), await readFile(join(folder, CONTROL)))
  const path = inside(LIBRARY)
  const octets = await readArchive(join(folder, LIBRARY))
  await new Promise<void>((resolve, reject) => {
    const failed = () => reject(new Error('embedded database: PostGIS could not be compiled'))
    FS.createPreloadedFile(dirname(path), path.slice(dirname(path).length + 1), octets, true, true, resolve, failed)
  })
  // PostgreSQL only checks that the file exists, since the library is already compiled. Emptying the file and the buffer releases the
  // bytes, which a closure of Emscripten would otherwise hold.
  FS.truncate(path, 0)
  octets.buffer.transfer(0)
}

/** Reads a file into a buffer of its own, outside Node's shared pool. */
async function readArchive(path: string): Promise<Uint8Array<ArrayBuffer>> {
  const file = await open(path)
  try {
    const octets = new Uint8Array((await file.stat()).size)
    for (let at = 0; at < octets.length; ) {
      const { bytesRead } = await file.read(octets, at)
      if (bytesRead === 0)
        throw new Error(
          `${path}: must have ${octets.length} bytes, but ended after ${at}. Delete its folder and start again.`,
        )
      at += bytesRead
    }
    return octets
  } finally {
    await file.close()
  }
}

/** Returns the regular files of a tar archive. */
function filesOf(tar: Buffer): { name: string; octets: Buffer }[] {
  const files: { name: string; octets: Buffer }[] = []
  for (let at = 0; at + BLOCK <= tar.length; ) {
    const name = text(tar, at, 100)
    if (!name) break
    const size = Number.parseInt(text(tar, at + 124, 12), 8)
    files.push({ name, octets: tar.subarray(at + BLOCK, at + BLOCK + size) })
    at += BLOCK + Math.ceil(size / BLOCK) * BLOCK
  }
  return files
}

/** Reads a text field of a tar header; the first NUL ends it. */
function text(tar: Buffer, at: number, length: number): string {
  const field = tar.subarray(at, at + length)
  const end = field.indexOf(0)
  return field.toString('latin1', 0, end < 0 ? length : end)
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  )
}

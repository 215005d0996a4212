import { mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'

/**
 * The part of the PostGIS package that a database with PostGIS installed needs: the library and the datums of PROJ, 26 of 110 MB. The rest
 * (raster, topology, scripts that create and upgrade) would be unpacked and compiled at every opening, which takes 1.3 s of CPU time.
 */
const needed = ['lib/postgresql/postgis-3.so', 'share/proj/proj.db', 'share/postgresql/extension/postgis.control']
const BLOCK = 512

/** Writes that part of the PostGIS package to `path`, once. @returns undefined where it cannot be written */
export async function smallBundle(path: string): Promise<string | undefined> {
  if (await exists(path)) return path
  const unfinished = `${path}.${process.pid}`
  try {
    const whole = new URL('./postgis.tar.gz', import.meta.resolve('@electric-sql/pglite-postgis'))
    const tar = await promisify(gunzip)(await readFile(fileURLToPath(whole)))
    const parts = membersOf(tar).filter(({ name }) => needed.includes(name))
    if (parts.length !== needed.length) return undefined
    const small = Buffer.concat([...parts.map(({ octets }) => octets), Buffer.alloc(2 * BLOCK)])
    await mkdir(dirname(path), { recursive: true })
    await writeFile(unfinished, await promisify(gzip)(small, { level: 1 }))
    await rename(unfinished, path)
    return path
  } catch {
    await rm(unfinished, { force: true }).catch(() => {})
    return undefined
  }
}

/** Members of a tar archive with their headers, as bytes. */
function membersOf(tar: Buffer): { name: string; octets: Buffer }[] {
  const members: { name: string; octets: Buffer }[] = []
  for (let at = 0; at + BLOCK <= tar.length; ) {
    const name = text(tar, at, 100)
    if (!name) break
    const size = Number.parseInt(text(tar, at + 124, 12), 8)
    const end = at + BLOCK + Math.ceil(size / BLOCK) * BLOCK
    members.push({ name, octets: tar.subarray(at, end) })
    at = end
  }
  return members
}

/** A field of a tar header: ends at the first NUL. */
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

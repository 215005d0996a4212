import { fork } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { migrate, migrations } from '../../../sql/migrate.ts'
import type { SessionSource } from '../../../sql/session.ts'
import { DAY } from '../../domain/time.ts'
import { postgisFiles } from './postgis.ts'
import { openThread } from './thread.ts'

/** The versions with which a template is created; another version may have another file layout. */
const versions = 'pglite-0.5.8-postgis-0.2.8'
/** The folder of the template. A container image must make it writable; `npm ci` empties it. */
export const templateCache = join(import.meta.dirname, '..', '..', '..', 'node_modules', '.cache', 'hexcast')
/** The files of PostGIS that a database needs. */
const files = join(templateCache, `${versions}.files`)

/** Longest wait for the process that creates the template and the files, ms. */
const MAKING_MS = 120_000
const KEEP_MS = 7 * DAY

/** Returns the path of the template: a database with PostGIS and the newest schema. */
async function templateFolder(): Promise<string> {
  const digests = (await migrations()).map(({ digest }) => digest)
  return join(templateCache, `${versions}-${createHash('sha256').update(digests.join()).digest('hex').slice(0, 12)}`)
}

/**
 * Returns the paths of the template and of PostGIS's files. The first call on a machine creates both. Creating a database with PostGIS
 * takes 9 s of CPU time, its schema 1.3 s, a copy 0.1 s. A separate process creates them, because the database's owner would otherwise hold
 * some 700 MB for the rest of its life.
 * @returns no path for what cannot be written
 */
export async function databaseTemplate(): Promise<{ readonly template?: string; readonly files?: string }> {
  const template = await templateFolder()
  if (!((await exists(template)) && (await exists(files)))) {
    const child = fork(fileURLToPath(import.meta.url), { stdio: 'ignore', timeout: MAKING_MS })
    await once(child, 'exit').catch(() => undefined)
  }
  return {
    ...((await exists(template)) && { template }),
    ...((await exists(files)) && { files }),
  }
}

/** Creates an empty database with PostGIS. */
export async function makeDatabase(path: string): Promise<void> {
  const source = await openThread({ folder: path })
  await addPostgis(source)
  await source.close()
}

async function addPostgis(source: SessionSource): Promise<void> {
  await source.run('create extension if not exists postgis')
}

/**
 * Removes templates of other schemas and leftovers of crashes, 65 MB each. It spares younger templates, because another checkout that
 * shares the folder may use them.
 */
async function removeOld(newest: string): Promise<void> {
  for (const name of await readdir(templateCache)) {
    const path = join(templateCache, name)
    if (!name.startsWith(`${versions}-`) || path === newest) continue
    const stored = await stat(path).catch(() => undefined)
    if (stored && Date.now() - stored.mtimeMs > KEEP_MS) await rm(path, { recursive: true, force: true })
  }
}

/** Creates the files and the template. Renames make them visible, so a crash leaves no partial files. */
async function make(): Promise<void> {
  await mkdir(templateCache, { recursive: true })
  await postgisFiles(files)
  const template = await templateFolder()
  if (await exists(template)) return
  const unfinished = `${template}.${process.pid}`
  const source = await openThread({ folder: unfinished, baseline: true })
  await addPostgis(source)
  await migrate(source, { lock: false })
  // Each copy of the template begins an incarnation of its own.
  await source.run('delete from incarnation')
  await source.close()
  await rename(unfinished, template).catch(() => rm(unfinished, { recursive: true, force: true }))
  await removeOld(template)
}

export async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  )
}

if (import.meta.main) await make()

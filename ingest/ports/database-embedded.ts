import { cp, mkdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { migrate } from '../../sql/migrate.ts'
import type { Source } from '../../sql/session.ts'
import type { OpenOptions } from './database.ts'
import { smallBundle } from './database-bundle.ts'
import { takeLock } from './database-lock.ts'
import { openSocket, serveSocket, socketPath } from './database-socket.ts'
import { openThread } from './database-thread.ts'

/** Versions that a template was created with: another version may have another file layout. */
const versions = 'pglite-0.5.8-postgis-0.2.8'
const templates = join(dirname(fileURLToPath(import.meta.url)), '..', '..', 'node_modules', '.cache', 'hexcast')

/**
 * The embedded database of DATA_DIR. The first process to open it owns it, and serves it to the others through a socket.
 * @returns owned: whether this process is the owner
 */
export async function openEmbedded(dataDir: string, options: OpenOptions): Promise<{ source: Source; owned: boolean }> {
  const path = socketPath(dataDir)
  const taken = await takeLock(dataDir, path, options.name ?? 'hexcast')
  if (!('release' in taken)) return { source: await openSocket(taken.socket), owned: false }
  try {
    const folder = join(dataDir, 'database')
    await prepareFolder(folder)
    const opening = openThread(folder, await smallBundle(`${join(templates, versions)}.tar.gz`))
    options.waiting?.()
    const source = await opening
    await migrate(source, { lock: false })
    const socket = await serveSocket(path, source)
    return {
      owned: true,
      source: {
        acquire: () => source.acquire(),
        async close() {
          socket.close()
          await source.close()
          taken.release()
        },
      },
    }
  } catch (error) {
    taken.release()
    throw error
  }
}

/**
 * Creating a database with PostGIS takes 9 s of CPU time, copying one 0.1 s: the first is kept as a template.
 * Both appear by rename, so that a crash leaves no partial database.
 */
async function prepareFolder(folder: string): Promise<void> {
  if (await exists(folder)) return
  await mkdir(dirname(folder), { recursive: true })
  const unfinished = `${folder}.unfinished`
  await rm(unfinished, { recursive: true, force: true })
  const template = join(templates, versions)
  if (!(await exists(template))) await makeTemplate(template).catch(() => {})
  if (await exists(template)) await cp(template, unfinished, { recursive: true })
  else await makeDatabase(unfinished)
  await rename(unfinished, folder)
}

async function makeTemplate(template: string): Promise<void> {
  const unfinished = `${template}.${process.pid}`
  await mkdir(dirname(template), { recursive: true })
  await makeDatabase(unfinished)
  await rename(unfinished, template).catch(() => rm(unfinished, { recursive: true, force: true }))
}

async function makeDatabase(folder: string): Promise<void> {
  const source = await openThread(folder)
  const session = await source.acquire()
  await session.run('create extension if not exists postgis')
  session.release()
  await source.close()
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  )
}

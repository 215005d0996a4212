import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { readFileSync, unlinkSync } from 'node:fs'
import { link, readFile, rename, unlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { makeDataFolder, notWritable } from '../data-folder.ts'

/** The owner of an embedded database. The start time identifies the process together with its id, because ids are reused. */
export interface Owner {
  readonly pid: number
  readonly started: string
  readonly socket: string
  readonly name: string
  /** A random token of this acquisition of the lock. */
  readonly token: string
}

export interface Lock {
  release(): void
}

const fileName = 'database.lock'

/**
 * Acquires the lock of a folder, or returns its owner. The lock of a process that no longer exists is replaced. Several processes may
 * replace it at the same time. Each creates the lock file with `link`, which succeeds for only one of them, and reads the file again after
 * a pause.
 */
export async function takeLock(folder: string, socket: string, name: string): Promise<Lock | Owner> {
  const path = join(folder, fileName)
  const mine: Owner = {
    pid: process.pid,
    started: startOf(process.pid) ?? '',
    socket,
    name,
    token: randomBytes(9).toString('hex'),
  }
  const scratchPath = `${path}.${mine.token}`
  await makeDataFolder(folder)
  await writeFile(scratchPath, JSON.stringify(mine), { mode: 0o600 }).catch((error: unknown) => {
    throw notWritable(folder, error)
  })
  try {
    for (;;) {
      if (await linked(scratchPath, path)) {
        await pause(20)
        if ((await ownerOf(path))?.token === mine.token) return lockAt(path, mine)
        continue
      }
      const owner = await ownerOf(path)
      if (owner && startOf(owner.pid) === owner.started) return owner
      await removeStaleLock(path, owner, mine)
    }
  } finally {
    await unlink(scratchPath).catch(() => {})
  }
}

/** Returns the live owner of a folder's database, if there is one. */
export async function currentOwner(folder: string): Promise<Owner | undefined> {
  const owner = await ownerOf(join(folder, fileName))
  return owner && startOf(owner.pid) === owner.started ? owner : undefined
}

/** Returns an opaque text for the start of a process, only to be compared for equality; undefined if the process does not exist. */
export function startOf(pid: number): string | undefined {
  try {
    if (process.platform !== 'linux')
      return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim() || undefined
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The name in parentheses may contain spaces. The state (3rd field) and the start time (22nd) follow it. A zombie holds no lock.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    if (fields[0] === 'Z' || fields[0] === 'X') return undefined
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
    return `${boot}/${fields[19]}`
  } catch {
    return undefined
  }
}

function lockAt(path: string, mine: Owner): Lock {
  const release = () => {
    process.off('exit', release)
    try {
      if (JSON.parse(readFileSync(path, 'utf8')).token === mine.token) unlinkSync(path)
    } catch {}
  }
  process.on('exit', release)
  return { release }
}

async function linked(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

async function ownerOf(path: string): Promise<Owner | undefined> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as Owner
  } catch {
    return undefined
  }
}

/** Removes a stale lock. If another process has replaced the lock in the meantime, this function puts the new lock back. */
async function removeStaleLock(path: string, stale: Owner | undefined, mine: Owner): Promise<void> {
  const away = `${path}.stale.${mine.token}`
  try {
    await rename(path, away)
  } catch {
    return
  }
  const moved = await ownerOf(away)
  if (moved && moved.token !== stale?.token) await linked(away, path)
  await unlink(away)
}

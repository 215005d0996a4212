import { randomBytes } from 'node:crypto'
import type { Dirent } from 'node:fs'
import {
  type FileHandle,
  link,
  mkdir,
  open,
  readdir,
  readFile,
  rename,
  rm,
  rmdir,
  stat,
  unlink,
} from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Objects, PutOptions, StoredObject } from '../objects.ts'
import { absent, codeOf, FileReads } from './folder-reads.ts'
import { checkKey, missingObject, otherBytes } from './key.ts'
import { sweepUnfinished } from './unfinished.ts'

/** Folder of unfinished puts; no key can have this name. */
const unfinished = '~unfinished'

/**
 * Opens a folder as an object store. A put writes a scratch file, syncs it, and renames it (or links it, if the key must be absent), so
 * that a crash leaves either the old object or the new object.
 */
export async function openFolder(folder: string): Promise<Objects> {
  await mkdir(join(folder, unfinished), { recursive: true })
  // Removal fails in a read-only folder, which still supports reads.
  await sweepUnfinished(join(folder, unfinished)).catch(() => {})
  const pathOf = (key: string) => join(folder, checkKey(key))
  const reads = new FileReads(pathOf)
  const place = (key: string, ...how: Placing) =>
    placeFile(folder, pathOf(key), key, ...how).then(() => reads.drop(key))

  return {
    async put(key, bytes, options = {}) {
      await place(
        key,
        (file) => file.writeFile(bytes),
        options,
        async (path) =>
          (await stat(path)).size === bytes.length &&
          Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).equals(await readFile(path)),
      )
    },
    async putFile(key, source, options = {}) {
      await place(
        key,
        (file) => copyInto(file, source),
        options,
        (path) => sameFiles(path, source),
      )
    },
    async get(key) {
      try {
        return await readFile(pathOf(key))
      } catch (error) {
        throw absent(error) ? missingObject(key, error) : error
      }
    },
    range: Object.assign(reads.range.bind(reads), { now: reads.rangeNow.bind(reads) }),
    async size(key) {
      try {
        const stats = await stat(pathOf(key))
        return stats.isFile() ? stats.size : undefined
      } catch (error) {
        if (absent(error)) return undefined
        throw error
      }
    },
    async *list(prefix) {
      const cut = prefix.lastIndexOf('/')
      const start = cut < 0 ? '' : checkKey(prefix.slice(0, cut))
      yield* walk(folder, start, prefix)
    },
    async remove(key) {
      reads.drop(key)
      await rm(pathOf(key), { force: true })
      await removeEmptyFolders(folder, dirname(key))
    },
    async close() {
      reads.close()
    },
  }
}

/**
 * Runs `act` after creating the folder. A concurrent remove may delete the empty folder before `act` uses it, so the function then tries
 * again.
 */
async function inItsFolder(path: string, act: () => Promise<void>): Promise<void> {
  for (let tries = 0; ; tries++) {
    try {
      return await act()
    } catch (error) {
      if (codeOf(error) !== 'ENOENT' || tries > 4) throw error
      await mkdir(dirname(path), { recursive: true })
    }
  }
}

async function* walk(root: string, at: string, prefix: string): AsyncGenerator<StoredObject> {
  let entries: Dirent[]
  try {
    entries = await readdir(join(root, at), { withFileTypes: true })
  } catch (error) {
    if (absent(error)) return
    throw error
  }
  // The order must be that of whole keys. "a.b" sorts before "a/b", so a folder is compared with a slash at its end.
  const names = entries
    .filter((entry) => !(at === '' && entry.name === unfinished))
    .map((entry) => ({ entry, name: entry.isDirectory() ? `${entry.name}/` : entry.name }))
    .sort((left, right) => (left.name < right.name ? -1 : 1))
  for (const { entry, name } of names) {
    const key = at === '' ? name : `${at}/${name}`
    if (entry.isDirectory()) {
      if (key.startsWith(prefix) || prefix.startsWith(key)) yield* walk(root, key.slice(0, -1), prefix)
    } else if (key.startsWith(prefix)) {
      const stats = await stat(join(root, key)).catch(() => undefined)
      if (stats) yield { key, size: stats.size }
    }
  }
}

async function removeEmptyFolders(root: string, at: string): Promise<void> {
  for (let part = at; part !== '.' && part !== ''; part = dirname(part)) {
    try {
      await rmdir(join(root, part))
    } catch {
      return
    }
  }
}

async function copyInto(file: FileHandle, source: string): Promise<void> {
  const from = await open(source, 'r')
  try {
    const buffer = Buffer.allocUnsafe(4 << 20)
    for (;;) {
      const { bytesRead } = await from.read(buffer, 0, buffer.length)
      if (bytesRead === 0) return
      for (let done = 0; done < bytesRead; ) done += (await file.write(buffer, done, bytesRead - done)).bytesWritten
    }
  } finally {
    await from.close()
  }
}

async function sameFiles(left: string, right: string): Promise<boolean> {
  const [leftFile, rightFile] = await Promise.all([open(left, 'r'), open(right, 'r')])
  try {
    if ((await leftFile.stat()).size !== (await rightFile.stat()).size) return false
    const [a, b] = [Buffer.allocUnsafe(4 << 20), Buffer.allocUnsafe(4 << 20)]
    for (let at = 0; ; ) {
      const [first, second] = await Promise.all([leftFile.read(a, 0, a.length, at), rightFile.read(b, 0, b.length, at)])
      if (first.bytesRead === 0) return second.bytesRead === 0
      if (first.bytesRead !== second.bytesRead || a.compare(b, 0, first.bytesRead, 0, first.bytesRead) !== 0)
        return false
      at += first.bytesRead
    }
  } finally {
    await Promise.all([leftFile.close(), rightFile.close()])
  }
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r').catch(() => undefined)
  if (!folder) return
  await folder.sync().catch(() => {})
  await folder.close()
}

/** A function that fills the file, the options, and a function that tells whether an existing file has the same bytes. */
type Placing = [
  fill: (file: FileHandle) => Promise<void>,
  options: PutOptions,
  same: (path: string) => Promise<boolean>,
]

/** Writes a scratch file and moves it to its final path. */
async function placeFile(folder: string, path: string, key: string, ...[fill, options, same]: Placing): Promise<void> {
  const scratchPath = join(folder, unfinished, randomBytes(12).toString('hex'))
  await mkdir(dirname(path), { recursive: true })
  const file = await open(scratchPath, 'wx')
  try {
    await fill(file)
    await file.datasync()
  } catch (error) {
    await file.close()
    await unlink(scratchPath)
    throw error
  }
  await file.close()
  if (!options.ifAbsent) {
    await inItsFolder(path, () => rename(scratchPath, path))
  } else {
    try {
      await inItsFolder(path, () => link(scratchPath, path))
    } catch (error) {
      if (codeOf(error) !== 'EEXIST') throw error
      if (!(await same(path))) throw otherBytes(key)
    } finally {
      await unlink(scratchPath)
    }
  }
  await syncFolder(dirname(path))
}

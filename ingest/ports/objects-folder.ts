import { randomBytes } from 'node:crypto'
import { type Dirent, readSync } from 'node:fs'
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
import type { Objects, PutOptions, StoredObject } from './objects.ts'
import { checkKey, missingObject, otherBytes } from './objects-key.ts'
import { sweepUnfinished } from './objects-unfinished.ts'

/** Open files kept for ranged reads: opening costs more than reading 4 KB. */
const handleLimit = 512
/**
 * A range of up to so many bytes (any block of a tile) is read synchronously instead of in a thread of the pool: from the page
 * cache that takes 2 µs for 16 KB, while a thread takes 12 µs on an idle machine and 70 on a busy one.
 */
const atOnce = 256 << 10
/**
 * A read that took longer, in ms, came from a disk (or over a network): the next ones are then done by threads,
 * in parallel. After them one is tried synchronously again; if that is slow too, the number doubles: with a
 * store on a slow disk only one read in so many blocks the event loop.
 */
const slow = 0.2
const afterSlow = { first: 4, most: 128 }
/** Unfinished puts are in a folder beside the keys whose name no key can have. */
const unfinished = '~unfinished'

interface Kept {
  /** Absent while it is being opened. */
  handle?: FileHandle
  readers: number
  dropped: boolean
  /** Read since the last eviction check. */
  used: boolean
}

/**
 * Objects as files. A put is written to a scratch file, synced, and renamed (or linked where the key must be absent),
 * so that a crash leaves either the old object or the new one.
 */
export async function openFolder(folder: string): Promise<Objects> {
  await mkdir(join(folder, unfinished), { recursive: true })
  // A read-only folder supports reads.
  await sweepUnfinished(join(folder, unfinished)).catch(() => {})
  const kept = new Map<string, Kept>()
  const opening = new Map<Kept, Promise<FileHandle>>()
  /** Remaining reads that threads do, and their number after the next slow one. */
  let threaded = 0
  let afterNext = afterSlow.first
  const pathOf = (key: string) => join(folder, checkKey(key))

  function drop(key: string): void {
    const entry = kept.get(key)
    if (!entry) return
    kept.delete(key)
    entry.dropped = true
    closeUnread(entry)
  }

  function keep(key: string): Kept {
    const found = kept.get(key)
    if (found) return found
    const entry: Kept = { readers: 0, dropped: false, used: false }
    kept.set(key, entry)
    const handle = openForReading(key, pathOf(key))
    opening.set(entry, handle)
    handle
      .then(
        (open) => {
          entry.handle = open
          closeUnread(entry)
        },
        () => kept.get(key) === entry && kept.delete(key),
      )
      .finally(() => opening.delete(entry))
    if (kept.size > handleLimit) dropUnused()
    return entry
  }

  function dropUnused(): void {
    for (const [key, entry] of kept) {
      if (!entry.used) {
        drop(key)
        return
      }
      entry.used = false
      kept.delete(key)
      kept.set(key, entry)
    }
  }

  /** Bytes that were read; undefined where a thread has to read. */
  function readNow({ fd }: FileHandle, from: number, into: Uint8Array): number | undefined {
    if (threaded > 0 || into.length > atOnce) return undefined
    const began = performance.now()
    let filled = 0
    while (filled < into.length) {
      const got = readSync(fd, into, filled, into.length - filled, from + filled)
      if (got === 0) break
      filled += got
    }
    if (performance.now() - began > slow) {
      threaded = afterNext
      afterNext = Math.min(afterSlow.most, afterNext * 2)
    } else afterNext = afterSlow.first
    return filled
  }

  async function readInThread(handle: FileHandle, from: number, into: Uint8Array): Promise<number> {
    threaded = Math.max(0, threaded - 1)
    let filled = 0
    while (filled < into.length) {
      const { bytesRead } = await handle.read(into, filled, into.length - filled, from + filled)
      if (bytesRead === 0) break
      filled += bytesRead
    }
    return filled
  }

  async function range(key: string, from: number, length: number): Promise<Uint8Array> {
    const entry = keep(key)
    entry.used = true
    entry.readers++
    try {
      const handle = entry.handle ?? (await opening.get(entry)!)
      const buffer = Buffer.allocUnsafe(length)
      const got = readNow(handle, from, buffer) ?? (await readInThread(handle, from, buffer))
      return buffer.subarray(0, got)
    } finally {
      entry.readers--
      closeUnread(entry)
    }
  }

  function rangeNow(key: string, from: number, into: Uint8Array): number | undefined {
    const entry = kept.get(key)
    if (!entry?.handle) return undefined
    entry.used = true
    try {
      return readNow(entry.handle, from, into)
    } catch {
      return undefined
    }
  }

  async function place(
    key: string,
    fill: (file: FileHandle) => Promise<void>,
    options: PutOptions,
    same: (path: string) => Promise<boolean>,
  ) {
    const path = pathOf(key)
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
      drop(key)
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
    range: Object.assign(range, { now: rangeNow }),
    async size(key) {
      try {
        const found = await stat(pathOf(key))
        return found.isFile() ? found.size : undefined
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
      drop(key)
      await rm(pathOf(key), { force: true })
      await removeEmptyFolders(folder, dirname(key))
    },
    async close() {
      for (const key of [...kept.keys()]) drop(key)
    },
  }
}

async function openForReading(key: string, path: string): Promise<FileHandle> {
  try {
    const handle = await open(path, 'r')
    const found = await handle.stat()
    if (found.isFile()) return handle
    await handle.close()
    throw missingObject(key)
  } catch (error) {
    throw absent(error) ? missingObject(key, error) : error
  }
}

function closeUnread({ handle, dropped, readers }: Kept): void {
  if (dropped && readers === 0) handle?.close().catch(() => {})
}

/** A folder that became empty may be removed by a concurrent remove between our mkdir and our rename: create it again. */
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
  // "a.b" sorts before "a/b": a folder is compared with its slash, so that the order is that of whole keys.
  const names = entries
    .filter((entry) => !(at === '' && entry.name === unfinished))
    .map((entry) => ({ entry, name: entry.isDirectory() ? `${entry.name}/` : entry.name }))
    .sort((left, right) => (left.name < right.name ? -1 : 1))
  for (const { entry, name } of names) {
    const key = at === '' ? name : `${at}/${name}`
    if (entry.isDirectory()) {
      if (key.startsWith(prefix) || prefix.startsWith(key)) yield* walk(root, key.slice(0, -1), prefix)
    } else if (key.startsWith(prefix)) {
      const found = await stat(join(root, key)).catch(() => undefined)
      if (found) yield { key, size: found.size }
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
  const [one, two] = await Promise.all([open(left, 'r'), open(right, 'r')])
  try {
    if ((await one.stat()).size !== (await two.stat()).size) return false
    const [a, b] = [Buffer.allocUnsafe(4 << 20), Buffer.allocUnsafe(4 << 20)]
    for (let at = 0; ; ) {
      const [first, second] = await Promise.all([one.read(a, 0, a.length, at), two.read(b, 0, b.length, at)])
      if (first.bytesRead === 0) return second.bytesRead === 0
      if (first.bytesRead !== second.bytesRead || a.compare(b, 0, first.bytesRead, 0, first.bytesRead) !== 0)
        return false
      at += first.bytesRead
    }
  } finally {
    await Promise.all([one.close(), two.close()])
  }
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r').catch(() => undefined)
  if (!folder) return
  await folder.sync().catch(() => {})
  await folder.close()
}

function absent(error: unknown): boolean {
  return ['ENOENT', 'ENOTDIR', 'EISDIR'].includes(codeOf(error) ?? '')
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
}

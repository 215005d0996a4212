import { readSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { missingObject } from './key.ts'

/** Maximum number of files that stay open for ranged reads: opening a file costs more than reading 4 KB. */
const MAX_OPEN_FILES = 512
/**
 * Largest range that is read synchronously instead of by a thread of the pool; every block of a tile is smaller. From the page cache, 16 KB
 * take 2 µs; a thread takes 12 µs on an idle machine and 70 µs on a busy machine.
 */
const MAX_SYNC_BYTES = 256 << 10
/**
 * A synchronous read that takes longer than this, ms, came from a disk or over a network. Threads then do the next reads in parallel. After
 * those, a synchronous read is tried again. If it is slow too, the number of reads by threads doubles, so that few reads block the event
 * loop while the disk is slow.
 */
const SLOW_READ_MS = 0.2
const afterSlow = { first: 4, most: 128 }
interface OpenFile {
  /** Absent while the file is being opened. */
  handle?: FileHandle
  readers: number
  dropped: boolean
  /** Whether the file was read since the last eviction check. */
  used: boolean
}

/** Reads byte ranges of files, and leaves the files open between reads. */
export class FileReads {
  readonly #pathOf: (key: string) => string
  readonly #files = new Map<string, OpenFile>()
  readonly #opening = new Map<OpenFile, Promise<FileHandle>>()
  /** Number of the next reads that threads must do. */
  #threaded = 0
  /** Number of reads that threads will do after the next slow read. */
  #afterNext = afterSlow.first

  constructor(pathOf: (key: string) => string) {
    this.#pathOf = pathOf
  }

  drop(key: string): void {
    const entry = this.#files.get(key)
    if (!entry) return
    this.#files.delete(key)
    entry.dropped = true
    closeUnread(entry)
  }

  #openFile(key: string): OpenFile {
    const existing = this.#files.get(key)
    if (existing) return existing
    const entry: OpenFile = { readers: 0, dropped: false, used: false }
    this.#files.set(key, entry)
    const handle = openForReading(key, this.#pathOf(key))
    this.#opening.set(entry, handle)
    handle
      .then(
        (open) => {
          entry.handle = open
          closeUnread(entry)
        },
        () => this.#files.get(key) === entry && this.#files.delete(key),
      )
      .finally(() => this.#opening.delete(entry))
    if (this.#files.size > MAX_OPEN_FILES) this.#dropUnused()
    return entry
  }

  #dropUnused(): void {
    for (const [key, entry] of this.#files) {
      if (!entry.used) {
        this.drop(key)
        return
      }
      entry.used = false
      this.#files.delete(key)
      this.#files.set(key, entry)
    }
  }

  /** Reads synchronously. Returns the number of bytes, or undefined if a thread must read them. */
  #readNow({ fd }: FileHandle, from: number, into: Uint8Array): number | undefined {
    if (this.#threaded > 0 || into.length > MAX_SYNC_BYTES) return undefined
    const began = performance.now()
    let filled = 0
    while (filled < into.length) {
      const count = readSync(fd, into, filled, into.length - filled, from + filled)
      if (count === 0) break
      filled += count
    }
    if (performance.now() - began > SLOW_READ_MS) {
      this.#threaded = this.#afterNext
      this.#afterNext = Math.min(afterSlow.most, this.#afterNext * 2)
    } else this.#afterNext = afterSlow.first
    return filled
  }

  async #readInThread(handle: FileHandle, from: number, into: Uint8Array): Promise<number> {
    this.#threaded = Math.max(0, this.#threaded - 1)
    let filled = 0
    while (filled < into.length) {
      const { bytesRead } = await handle.read(into, filled, into.length - filled, from + filled)
      if (bytesRead === 0) break
      filled += bytesRead
    }
    return filled
  }

  async range(key: string, from: number, length: number): Promise<Uint8Array> {
    const entry = this.#openFile(key)
    entry.used = true
    entry.readers++
    try {
      const handle = entry.handle ?? (await this.#opening.get(entry)!)
      const buffer = Buffer.allocUnsafe(length)
      const count = this.#readNow(handle, from, buffer) ?? (await this.#readInThread(handle, from, buffer))
      return buffer.subarray(0, count)
    } finally {
      entry.readers--
      closeUnread(entry)
    }
  }

  rangeNow(key: string, from: number, into: Uint8Array): number | undefined {
    const entry = this.#files.get(key)
    if (!entry?.handle) return undefined
    entry.used = true
    try {
      return this.#readNow(entry.handle, from, into)
    } catch {
      return undefined
    }
  }

  close(): void {
    for (const key of [...this.#files.keys()]) this.drop(key)
  }
}

async function openForReading(key: string, path: string): Promise<FileHandle> {
  try {
    const handle = await open(path, 'r')
    const stats = await handle.stat()
    if (stats.isFile()) return handle
    await handle.close()
    throw missingObject(key)
  } catch (error) {
    throw absent(error) ? missingObject(key, error) : error
  }
}

function closeUnread({ handle, dropped, readers }: OpenFile): void {
  if (dropped && readers === 0) handle?.close().catch(() => {})
}

export function absent(error: unknown): boolean {
  return ['ENOENT', 'ENOTDIR', 'EISDIR'].includes(codeOf(error) ?? '')
}

export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
}

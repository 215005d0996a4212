import { createHash, randomBytes } from 'node:crypto'
import { mkdir, readdir, readFile, rename, stat, unlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { nth } from '../../domain/nth.ts'
import type { CacheCounts, Objects } from '../objects.ts'

export type { CacheCounts } from '../objects.ts'

const blockBytes = 64 << 10
const trailerBytes = 4
/** Number of keys whose writes are counted: more than the keys that can be written while a block is read. */
const MAX_COUNTED_KEYS = 10_000

/** The blocks on the local disk. Each block is a file that ends with its checksum. */
interface DiskBlocks {
  /** Returns a block; undefined if it is not stored or its checksum does not match. */
  read(name: string): Promise<Uint8Array | undefined>
  /** Stores a block, unless `isFresh()` is false at that time. A failed write is counted. */
  write(name: string, body: Uint8Array, isFresh: () => boolean): Promise<void>
  /** Removes all blocks of a key, which is identified by its hash. */
  forgetKey(hash: string): void
}

async function openDiskBlocks(folder: string, limit: number, counts: CacheCounts): Promise<DiskBlocks> {
  const sizes = new Map<string, number>()
  /** The names of the blocks of each key, by the hash of the key. */
  const blocks = new Map<string, Set<string>>()
  await mkdir(folder, { recursive: true }).catch(() => {})
  for (const [name, size] of await listBlocks(folder)) note(name, size)

  function note(name: string, size: number): void {
    counts.bytes += size - (sizes.get(name) ?? 0)
    sizes.delete(name)
    sizes.set(name, size)
    const hash = name.slice(0, 40)
    blocks.set(hash, (blocks.get(hash) ?? new Set()).add(name))
    while (counts.bytes > limit && sizes.size > 0) forget(sizes.keys().next().value!)
  }

  function forget(name: string): void {
    counts.bytes -= sizes.get(name) ?? 0
    sizes.delete(name)
    const hash = name.slice(0, 40)
    const keyBlocks = blocks.get(hash)
    keyBlocks?.delete(name)
    if (keyBlocks?.size === 0) blocks.delete(hash)
    unlink(join(folder, name)).catch(() => {})
  }

  return {
    async read(name) {
      const size = sizes.get(name)
      if (size === undefined) return undefined
      try {
        const file = await readFile(join(folder, name))
        const body = file.subarray(0, file.length - trailerBytes)
        if (file.length >= trailerBytes && crc32(body) === file.readUInt32LE(body.length)) {
          if (sizes.has(name)) {
            sizes.delete(name)
            sizes.set(name, size)
          }
          return body
        }
        counts.broken++
      } catch {}
      forget(name)
      return undefined
    },
    async write(name, body, isFresh) {
      const file = Buffer.allocUnsafe(body.length + trailerBytes)
      file.set(body)
      file.writeUInt32LE(crc32(body), body.length)
      const scratchPath = join(folder, `~${randomBytes(8).toString('hex')}`)
      try {
        await writeFile(scratchPath, file)
        if (!isFresh()) return await unlink(scratchPath)
        await rename(scratchPath, join(folder, name))
        note(name, file.length)
        if (!isFresh()) forget(name)
      } catch {
        counts.unwritten++
        await unlink(scratchPath).catch(() => {})
      }
    },
    forgetKey(hash) {
      for (const name of blocks.get(hash) ?? []) forget(name)
    },
  }
}

/**
 * Opens a read-through cache on the local disk for a remote store. It serves only ranged reads, because those are of tiles, which never
 * change under their key. Blocks have 64 KB and a checksum each. At the size limit the least recently read blocks are evicted. If the cache
 * cannot be written or read, reads go to the store.
 */
export async function openCache(
  store: Objects,
  { folder, bytes: limit }: { folder: string; bytes: number },
): Promise<Objects & { readonly counts: CacheCounts }> {
  const counts: CacheCounts = { hits: 0, misses: 0, broken: 0, unwritten: 0, bytes: 0 }
  const disk = await openDiskBlocks(folder, limit, counts)
  const reading = new Map<string, Promise<Uint8Array>>()
  /** Counts the writes of each key in this process: a block that was read before a write must not be cached after it. */
  const writes = new Map<string, number>()

  /** Returns a block from the disk or the store. The store combines requests for adjacent blocks into one. */
  function readBlock(key: string, hash: string, index: number): Promise<Uint8Array> {
    const name = `${hash}-${index}`
    const pending = reading.get(name)
    if (pending) return pending
    const promise = (async () => {
      const cached = await disk.read(name)
      if (cached) {
        counts.hits++
        return cached
      }
      counts.misses++
      const written = writes.get(hash)
      const bytes = await store.range(key, index * blockBytes, blockBytes)
      if (bytes.length > 0) void disk.write(name, bytes, () => writes.get(hash) === written)
      return bytes
    })()
    reading.set(name, promise)
    const done = () => {
      if (reading.get(name) === promise) reading.delete(name)
    }
    promise.then(done, done)
    return promise
  }

  /** Drops the blocks of a key before and after a write, because a concurrent read may return either version. */
  async function invalidateAround(key: string, write: () => Promise<void>): Promise<void> {
    const hash = hashOf(key)
    const invalidate = () => {
      const count = writes.get(hash) ?? 0
      writes.delete(hash)
      writes.set(hash, count + 1)
      if (writes.size > MAX_COUNTED_KEYS) writes.delete(writes.keys().next().value!)
      disk.forgetKey(hash)
      for (const name of reading.keys()) if (name.startsWith(hash)) reading.delete(name)
    }
    invalidate()
    await write().finally(invalidate)
  }

  return {
    ...store,
    counts,
    put: (key, bytes, options) => invalidateAround(key, () => store.put(key, bytes, options)),
    putFile: (key, path, options) => invalidateAround(key, () => store.putFile(key, path, options)),
    async range(key, from, length) {
      if (length === 0) return store.range(key, from, length)
      const hash = hashOf(key)
      const first = Math.floor(from / blockBytes)
      const last = Math.floor((from + length - 1) / blockBytes)
      const parts = await Promise.all(
        Array.from({ length: last - first + 1 }, (_, offset) => readBlock(key, hash, first + offset)),
      )
      const start = from - first * blockBytes
      return (parts.length === 1 ? nth(parts, 0) : Buffer.concat(parts)).subarray(start, start + length)
    },
    remove: (key) => invalidateAround(key, () => store.remove(key)),
  }
}

function hashOf(key: string): string {
  return createHash('sha1').update(key).digest('hex')
}

/** Lists the blocks that an earlier process left, with the least recently read first if the file system records access times. */
async function listBlocks(folder: string): Promise<[name: string, size: number][]> {
  const files: { name: string; size: number; read: number }[] = []
  for (const name of await readdir(folder).catch(() => [])) {
    if (name.startsWith('~')) {
      await unlink(join(folder, name)).catch(() => {})
      continue
    }
    if (!/^[0-9a-f]{40}-\d+$/.test(name)) continue
    const file = await stat(join(folder, name)).catch(() => undefined)
    if (file?.isFile()) files.push({ name, size: file.size, read: Math.max(file.atimeMs, file.mtimeMs) })
  }
  return files.sort((left, right) => left.read - right.read).map(({ name, size }) => [name, size])
}

import { createHash, randomBytes } from 'node:crypto'
import { mkdir, readdir, readFile, rename, stat, unlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import type { Objects } from './objects.ts'

const blockBytes = 64 << 10
const trailerBytes = 4

export interface CacheCounts {
  hits: number
  misses: number
  /** Blocks whose checksum did not fit: thrown away and read again. */
  broken: number
  /** Blocks that could not be written, as on a full disk: answered all the same. */
  unwritten: number
  bytes: number
}

/**
 * A read-through cache on the local disk before a remote store, for ranged reads only: these are of tiles, which never change
 * under their key. Blocks of 64 KB with a checksum each; the least recently read go first when the limit is reached.
 * A cache that cannot be written or read is no fault: the store is asked.
 */
export async function openCache(
  store: Objects,
  { folder, bytes: limit }: { folder: string; bytes: number },
): Promise<Objects & { readonly counts: CacheCounts }> {
  const counts: CacheCounts = { hits: 0, misses: 0, broken: 0, unwritten: 0, bytes: 0 }
  const sizes = new Map<string, number>()
  const reading = new Map<string, Promise<Uint8Array>>()
  await mkdir(folder, { recursive: true }).catch(() => {})
  for (const [name, size] of await blocksIn(folder)) note(name, size)

  function note(name: string, size: number): void {
    counts.bytes += size - (sizes.get(name) ?? 0)
    sizes.delete(name)
    sizes.set(name, size)
    while (counts.bytes > limit && sizes.size > 0) forget(sizes.keys().next().value!)
  }

  function forget(name: string): void {
    counts.bytes -= sizes.get(name) ?? 0
    sizes.delete(name)
    unlink(join(folder, name)).catch(() => {})
  }

  async function fromDisk(name: string): Promise<Uint8Array | undefined> {
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
  }

  async function toDisk(name: string, body: Uint8Array): Promise<void> {
    const file = Buffer.allocUnsafe(body.length + trailerBytes)
    file.set(body)
    file.writeUInt32LE(crc32(body), body.length)
    const aside = join(folder, `~${randomBytes(8).toString('hex')}`)
    try {
      await writeFile(aside, file)
      await rename(aside, join(folder, name))
      note(name, file.length)
    } catch {
      counts.unwritten++
      await unlink(aside).catch(() => {})
    }
  }

  /** Blocks that lie beside each other and are not on the disk come in one request (the store joins them). */
  function block(key: string, hash: string, index: number): Promise<Uint8Array> {
    const name = `${hash}-${index}`
    const under = reading.get(name)
    if (under) return under
    const promise = (async () => {
      const held = await fromDisk(name)
      if (held) {
        counts.hits++
        return held
      }
      counts.misses++
      const bytes = await store.range(key, index * blockBytes, blockBytes)
      if (bytes.length > 0) void toDisk(name, bytes)
      return bytes
    })()
    reading.set(name, promise)
    promise.then(
      () => reading.delete(name),
      () => reading.delete(name),
    )
    return promise
  }

  const forgetKey = (key: string) => {
    const hash = hashOf(key)
    for (const name of [...sizes.keys()]) if (name.startsWith(`${hash}-`)) forget(name)
  }

  return {
    ...store,
    counts,
    async put(key, bytes, options) {
      forgetKey(key)
      await store.put(key, bytes, options)
    },
    async putFile(key, path, options) {
      forgetKey(key)
      await store.putFile(key, path, options)
    },
    async range(key, from, length) {
      if (length === 0) return store.range(key, from, length)
      const hash = hashOf(key)
      const first = Math.floor(from / blockBytes)
      const last = Math.floor((from + length - 1) / blockBytes)
      const blocks = await Promise.all(
        Array.from({ length: last - first + 1 }, (_, offset) => block(key, hash, first + offset)),
      )
      const start = from - first * blockBytes
      return (blocks.length === 1 ? blocks[0]! : Buffer.concat(blocks)).subarray(start, start + length)
    },
    async remove(key) {
      forgetKey(key)
      await store.remove(key)
    },
  }
}

function hashOf(key: string): string {
  return createHash('sha1').update(key).digest('hex')
}

/** Blocks of an earlier process, the least recently read first as far as the file system kept that. */
async function blocksIn(folder: string): Promise<[name: string, size: number][]> {
  const found: { name: string; size: number; read: number }[] = []
  for (const name of await readdir(folder).catch(() => [])) {
    if (name.startsWith('~')) {
      await unlink(join(folder, name)).catch(() => {})
      continue
    }
    const file = await stat(join(folder, name)).catch(() => undefined)
    if (file?.isFile()) found.push({ name, size: file.size, read: Math.max(file.atimeMs, file.mtimeMs) })
  }
  return found.sort((left, right) => left.read - right.read).map(({ name, size }) => [name, size])
}

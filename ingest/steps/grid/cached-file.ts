import { randomBytes } from 'node:crypto'
import { closeSync, mkdirSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'
import { crc32 } from 'node:zlib'

/**
 * The head consists of little-endian words: the kind of the file, the checksum of the rest, then words that depend on
 * the kind.
 */
const FIXED_WORDS = 2

/** A file of the cache folder: the words of its head that depend on the kind, then its bytes. */
export interface CachedFile {
  readonly words: readonly number[]
  readonly bytes: Buffer
}

/**
 * @param magic the kind of the file and its version
 * @param count number of words of this kind in the head
 * @returns undefined if the file is absent, of another kind or damaged
 */
export function readCached(path: string, magic: number, count: number): CachedFile | undefined {
  let bytes: Buffer
  try {
    bytes = readFileSync(path)
  } catch {
    return undefined
  }
  const start = (FIXED_WORDS + count) * 4
  if (bytes.length < start || bytes.readUInt32LE(0) !== magic) return undefined
  if (crc32(bytes.subarray(FIXED_WORDS * 4)) !== bytes.readUInt32LE(4)) return undefined
  const words = Array.from({ length: count }, (_, i) => bytes.readUInt32LE((FIXED_WORDS + i) * 4))
  return { words, bytes: bytes.subarray(start) }
}

/** Writes a file that {@link readCached} reads. */
export function writeCached(path: string, magic: number, words: readonly number[], parts: readonly Uint8Array[]): void {
  mkdirSync(dirname(path), { recursive: true })
  const own = new Uint8Array(Uint32Array.from(words).buffer)
  const check = parts.reduce((sum, part) => crc32(part, sum), crc32(own))
  // A temporary file is written first, because other threads and processes may be writing the same file.
  const scratchPath = `${path}.${randomBytes(6).toString('hex')}`
  const file = openSync(scratchPath, 'w')
  try {
    for (const part of [new Uint8Array(Uint32Array.of(magic, check).buffer), own, ...parts])
      for (let at = 0; at < part.length; ) at += writeSync(file, part, at)
  } finally {
    closeSync(file)
  }
  renameSync(scratchPath, path)
}

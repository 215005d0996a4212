import { createHash, type KeyObject } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { isFault } from '../domain/fault.ts'
import type { Objects } from '../ports/objects.ts'
import { type Directory, readDirectory } from './directory.ts'
import { manifestName, sourcesName, tileName } from './key.ts'
import { type Manifest, type ManifestTile, openText } from './manifest.ts'
import { fingerprintOf, isSignedBy, readSignature, signatureName, type TileSignature } from './signature.ts'

/** Bytes that are read at once; a directory is smaller. */
const CHUNK = 1 << 20
/** Largest manifest, list of sources or signature, which are read whole. */
const MAX_TEXT = 64 << 20

export interface VerifiedStage {
  /** Number and size in bytes of the objects that were read whole. */
  readonly objects: number
  readonly bytes: number
  /** Fingerprint of the key that signed the stage; undefined if it is unsigned. */
  readonly signer?: string
  /** What is wrong, each with the object's key; empty if everything is right. */
  readonly failures: readonly string[]
}

type Store = Pick<Objects, 'get' | 'range' | 'size'>

/**
 * Reads every byte of a stage and compares it with its checksums, and with its signature if there is a public key: an
 * unsigned stage then fails. It holds one megabyte of tiles at a time.
 * @throws Fault Refused from the store
 */
export async function verifyStage(objects: Store, manifestKey: string, publicKey?: KeyObject): Promise<VerifiedStage> {
  const folder = manifestKey.slice(0, -manifestName.length - 1)
  const failures: string[] = []
  const total = { objects: 0, bytes: 0 }
  const signature = await tolerant(failures, () => signatureOf(objects, folder, publicKey, failures))
  const digests = signature?.objects
  const compare = (name: string, bytes: number, digest: string) => {
    total.objects++
    total.bytes += bytes
    if (!digests) return
    const expected = Object.hasOwn(digests, name) ? digests[name] : undefined
    if (expected === undefined) failures.push(`object ${folder}/${name}: the signature does not name it`)
    else if (expected !== digest)
      failures.push(`object ${folder}/${name}: its SHA-256 is ${digest}, but the signature names ${expected}`)
  }
  const text = async <T>(form: string, name: string): Promise<T | undefined> =>
    tolerant(failures, async () => {
      const key = `${folder}/${name}`
      const size = (await objects.size(key)) ?? 0
      if (size > MAX_TEXT) {
        failures.push(`object ${key}: must have at most ${MAX_TEXT} bytes, but has ${size}`)
        return undefined
      }
      const bytes = await objects.get(key)
      compare(name, bytes.length, createHash('sha256').update(bytes).digest('hex'))
      return openText<T>(form, key, bytes)
    })
  const manifest = await text<Manifest>('HXM1', manifestName)
  await text('HXS1', sourcesName)
  for (const [tile, expected] of (manifest?.tiles ?? []).entries()) {
    const name = tileName(tile)
    await tolerant(failures, async () => {
      const { bytes, digest, wrong } = await verifyTile(objects, `${folder}/${name}`, expected)
      failures.push(...wrong)
      compare(name, bytes, digest)
    })
  }
  return { ...total, ...(signature && { signer: signature.key }), failures }
}

/** Returns the signature of a folder, after comparing it with the key; undefined if there is none. */
async function signatureOf(
  objects: Store,
  folder: string,
  publicKey: KeyObject | undefined,
  failures: string[],
): Promise<TileSignature | undefined> {
  const key = `${folder}/${signatureName}`
  const size = await objects.size(key)
  if (size === undefined) {
    if (publicKey) failures.push(`object ${key}: is missing, so the stage is unsigned`)
    return undefined
  }
  if (size > MAX_TEXT) {
    failures.push(`object ${key}: must have at most ${MAX_TEXT} bytes, but has ${size}`)
    return undefined
  }
  const signature = readSignature(key, await objects.get(key))
  if (publicKey && !isSignedBy(publicKey, folder, signature))
    failures.push(
      `object ${key}: the signature is not that of key ${fingerprintOf(publicKey)}; it names key ${signature.key}`,
    )
  return signature
}

/** Notes a fault of missing or damaged bytes as a failure, so that the other objects are read too. */
async function tolerant<T>(failures: string[], work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work()
  } catch (error) {
    if (!isFault(error, 'Corrupt') && !isFault(error, 'Missing')) throw error
    failures.push(error.message)
    return undefined
  }
}

/** Reads a tile in pieces, and compares the directory and each block with its checksum. */
async function verifyTile(
  objects: Pick<Objects, 'range'>,
  key: string,
  { directory: length, check, size }: ManifestTile,
): Promise<{ bytes: number; digest: string; wrong: string[] }> {
  const hash = createHash('sha256')
  const wrong: string[] = []
  let blocks: BlockChecks | undefined
  let bytes = 0
  for (let more = true; more; ) {
    const piece = await objects.range(key, bytes, CHUNK)
    hash.update(piece)
    if (bytes === 0) {
      try {
        blocks = new BlockChecks(readDirectory(key, piece.subarray(0, length), check, size))
      } catch (error) {
        if (!isFault(error, 'Corrupt')) throw error
        wrong.push(error.message)
      }
    }
    blocks?.add(bytes, piece)
    bytes += piece.length
    more = piece.length === CHUNK
  }
  if (bytes !== size) wrong.push(`tile ${key}: must have ${size} bytes, but has ${bytes}`)
  const broken = blocks?.broken ?? []
  if (broken.length > 0)
    wrong.push(`tile ${key}: the checksum of ${broken.length} blocks is wrong, first that of block ${broken[0]}`)
  return { bytes, digest: hash.digest('hex'), wrong }
}

/** Checksums of the blocks of a tile whose bytes come in pieces. */
class BlockChecks {
  readonly broken: number[] = []
  private block = 0
  private sum = 0

  private readonly directory: Directory

  constructor(directory: Directory) {
    this.directory = directory
  }

  /** @param at offset of the piece in the object */
  add(at: number, piece: Uint8Array): void {
    const { directory } = this
    let from = Math.max(at, directory.offset(this.block))
    while (this.block < directory.blocks && from < at + piece.length) {
      const end = directory.offset(this.block + 1)
      const to = Math.min(end, at + piece.length)
      this.sum = crc32(piece.subarray(from - at, to - at), this.sum)
      from = to
      if (to < end) break
      if (this.sum !== directory.check(this.block)) this.broken.push(this.block)
      this.block++
      this.sum = 0
    }
  }
}

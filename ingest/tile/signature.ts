import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto'
import { Fault } from '../domain/fault.ts'
import type { Objects, PutOptions } from '../ports/objects.ts'
import { manifestName, sourcesName, tileName } from './key.ts'
import { openText, sealText } from './manifest.ts'

/** Name of the object with the signature, beside the manifest. */
export const signatureName = 'signature'
const FORM = 'HXG1'

/** Content of the object: who signed which bytes. FORMAT.md defines each member. */
export interface TileSignature {
  /** Fingerprint of the public key. */
  readonly key: string
  /** SHA-256 of each object of the folder, in hexadecimal digits, by its name. */
  readonly objects: Readonly<Record<string, string>>
  /** Ed25519 signature of `signedText`, in base64. */
  readonly signature: string
}

/** The text that is signed: the folder, then a line for each object in the order of their names. */
export function signedText(folder: string, objects: TileSignature['objects']): Buffer {
  const lines = Object.entries(objects)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, digest]) => `${digest} ${name}\n`)
  return Buffer.from(`hexcast tiles v1\n${folder}\n${lines.join('')}`)
}

/** @throws Fault Invalid if the text is not an Ed25519 private key in PEM */
export function privateKeyOf(pem: string): KeyObject {
  return ed25519('SIGNING_SECRET', () => createPrivateKey(pem))
}

/** @param name what the message calls it @throws Fault Invalid if the text is not an Ed25519 public key in PEM */
export function publicKeyOf(name: string, pem: string): KeyObject {
  return ed25519(name, () => createPublicKey(pem))
}

function ed25519(name: string, read: () => KeyObject): KeyObject {
  const expected = `${name} must be an Ed25519 key in PEM, as hexcast signing-key --create writes it`
  let key: KeyObject
  try {
    key = read()
  } catch (error) {
    throw new Fault('Invalid', `${expected}, but could not be read (${(error as Error).message})`)
  }
  if (key.asymmetricKeyType !== 'ed25519')
    throw new Fault('Invalid', `${expected}, but is a key of ${key.asymmetricKeyType ?? 'another kind'}`)
  return key
}

/** The first 16 hexadecimal digits of the SHA-256 of a public key (DER). */
export function fingerprintOf(key: KeyObject): string {
  const bytes = (key.type === 'private' ? createPublicKey(key) : key).export({ type: 'spki', format: 'der' })
  return createHash('sha256').update(bytes).digest('hex').slice(0, 16)
}

function signatureOf(key: KeyObject, folder: string, objects: TileSignature['objects']): TileSignature {
  const signature = sign(null, signedText(folder, objects), key).toString('base64')
  return { key: fingerprintOf(key), objects, signature }
}

/** Reads a signature. @throws Fault Corrupt if its bytes are damaged or not a signature */
export function readSignature(key: string, bytes: Uint8Array): TileSignature {
  const { key: signer, objects, signature } = openText<Partial<TileSignature>>(FORM, key, bytes)
  if (typeof signer !== 'string' || typeof signature !== 'string' || typeof objects !== 'object')
    throw new Fault('Corrupt', `object ${key}: must have key, objects and signature`, { object: key })
  return { key: signer, objects, signature }
}

/** Returns whether a signature was made by the owner of a public key for this folder. */
export function isSignedBy(publicKey: KeyObject, folder: string, { objects, signature }: TileSignature): boolean {
  return verify(null, signedText(folder, objects), publicKey, Buffer.from(signature, 'base64'))
}

/** Folders whose tiles are being written at the same time; a worker builds at most some ten stages at once. */
const MAX_FOLDERS = 64
const part = /^(tiles\/.+)\/(\d{4,}\.tile|sources|manifest)$/

/**
 * Returns a store that signs each stage whose tiles are written through it: it notes the SHA-256 of tiles and sources,
 * and writes the signature before the manifest, which is the last object of a stage. The same tiles and key give the
 * same signature. Tiles that were written by another process are read again.
 */
export function signingObjects(store: Objects, key: KeyObject): Objects {
  const folders = new Map<string, Map<string, string>>()
  const digestsOf = (folder: string) => {
    const digests = folders.get(folder) ?? new Map<string, string>()
    folders.delete(folder)
    folders.set(folder, digests)
    for (const oldest of folders.keys()) if (folders.size > MAX_FOLDERS) folders.delete(oldest)
    return digests
  }
  const put = async (name: string, bytes: Uint8Array, options?: PutOptions) => {
    const [, folder, object] = part.exec(name) ?? []
    if (folder === undefined || object === undefined) return store.put(name, bytes, options)
    const digests = digestsOf(folder)
    // The bytes belong to the caller again after the put.
    digests.set(object, await sha256(bytes))
    if (object === manifestName) {
      await complete(store, folder, digests, bytes)
      folders.delete(folder)
      const sorted = [...digests].sort(([a], [b]) => (a < b ? -1 : 1))
      const signature = signatureOf(key, folder, Object.fromEntries(sorted))
      await store.put(`${folder}/${signatureName}`, sealText(FORM, signature))
    }
    return store.put(name, bytes, options)
  }
  return Object.assign(Object.create(store) as Objects, { put })
}

/** The store itself, or one that signs if there is a key. @throws Fault Invalid if the key is not one */
export function signedStore(store: Objects, pem: string | undefined): Objects {
  return pem === undefined ? store : signingObjects(store, privateKeyOf(pem))
}

/** Adds the digests of tiles that this process has not written. */
async function complete(
  store: Pick<Objects, 'get'>,
  folder: string,
  digests: Map<string, string>,
  manifest: Uint8Array,
): Promise<void> {
  const { tiles = [] } = openText<{ tiles?: readonly unknown[] }>('HXM1', `${folder}/${manifestName}`, manifest)
  const names = [sourcesName, ...tiles.map((_, tile) => tileName(tile))]
  for (const name of names)
    if (!digests.has(name)) digests.set(name, await sha256(await store.get(`${folder}/${name}`)))
  const expected = new Set([...names, manifestName])
  for (const name of digests.keys()) if (!expected.has(name)) digests.delete(name)
}

/** SHA-256 on a thread of the runtime, because a tile of 7 MB takes some milliseconds. */
async function sha256(bytes: Uint8Array): Promise<string> {
  return Buffer.from(await crypto.subtle.digest('SHA-256', bytes as Uint8Array<ArrayBuffer>)).toString('hex')
}

import { createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { chmodSync, readFileSync, writeFileSync } from 'node:fs'
import { loadConfig } from '../../ingest/config.ts'
import { Fault } from '../../ingest/domain/fault.ts'
import { manifestName } from '../../ingest/tile/key.ts'
import { fingerprintOf, privateKeyOf, publicKeyOf } from '../../ingest/tile/signature.ts'
import { verifyStage } from '../../ingest/tile/verify.ts'
import { pointers } from '../../sql/queries/runs.ts'
import type { CommandLine } from '../verb.ts'
import { type VerbDeps, withDeps } from './deps.ts'
import { megabytes } from './show.ts'

/** Failures of a stage that are printed. */
const MAX_PRINTED = 20
const TILES = 'tiles/v1/'

/** `hexcast verify`: reads tiles and compares them with their checksums and signatures. @returns exit status */
export async function verify(line: CommandLine): Promise<number> {
  const [word] = line.positionals
  const publicKey = publicKeyNamed(line.option('public-key'))
  return withDeps(async (deps) => {
    const objects = await deps.objects()
    const total = { stages: 0, failed: 0, unsigned: 0, bytes: 0 }
    for await (const key of word === undefined ? servedManifests(deps) : manifestsBelow(deps, word)) {
      const { objects: count, bytes, signer, failures } = await verifyStage(objects, key, publicKey)
      const signature = signer === undefined ? 'unsigned' : publicKey ? `signed by ${signer}` : `names key ${signer}`
      const name = key.slice(TILES.length, -manifestName.length - 1)
      console.log(
        `${name}: ${failures.length > 0 ? 'FAILED' : 'right'}, ${count} objects, ${megabytes(bytes)}, ${signature}`,
      )
      for (const failure of failures.slice(0, MAX_PRINTED)) console.log(`  ${failure}`)
      if (failures.length > MAX_PRINTED) console.log(`  and ${failures.length - MAX_PRINTED} more`)
      total.stages++
      total.bytes += bytes
      if (failures.length > 0) total.failed++
      if (signer === undefined) total.unsigned++
    }
    if (total.stages === 0) {
      console.error(`hexcast verify: no tiles are stored${word === undefined ? '' : ` below ${word}`}`)
      return 1
    }
    const checked = publicKey
      ? `signatures compared with key ${fingerprintOf(publicKey)}`
      : 'signatures not compared: no public key was given'
    console.log(
      `${total.stages} stages, ${total.failed} failed, ${total.unsigned} unsigned, ${megabytes(total.bytes)}; ${checked}`,
    )
    return total.failed === 0 ? 0 : 1
  })
}

/** The public key of the file, or that of SIGNING_SECRET; undefined without either. */
function publicKeyNamed(file: string | undefined): KeyObject | undefined {
  if (file !== undefined) {
    let pem: string
    try {
      pem = readFileSync(file, 'utf8')
    } catch (error) {
      throw new Fault('Invalid', `--public-key ${file} could not be read: ${(error as Error).message}`)
    }
    return publicKeyOf('--public-key', pem)
  }
  const { signingSecret } = loadConfig()
  return signingSecret === undefined ? undefined : createPublicKey(privateKeyOf(signingSecret))
}

async function* servedManifests(deps: VerbDeps): AsyncGenerator<string> {
  for (const { manifest_key: key } of await pointers(await deps.database()))
    if (key.startsWith(TILES) && key.endsWith(`/${manifestName}`)) yield key
}

async function* manifestsBelow(deps: VerbDeps, word: string): AsyncGenerator<string> {
  const run = word.replace(/^tiles\/v1\//, '').replace(/\/$/, '')
  if (!/^[a-z0-9-]{1,60}(?:\/[a-z]{1,20}(?:\/\d{4}-\d{2}-\d{2}T\d{2,6}Z(?:\/[a-z0-9-]{1,60})?)?)?$/.test(run))
    throw new Fault(
      'Invalid',
      `"${word}" is not a run; expected one such as nbm/conus/2026-08-20T12Z, nbm/conus or nbm`,
    )
  for await (const { key } of (await deps.objects()).list(`${TILES}${run}/`))
    if (key.endsWith(`/${manifestName}`)) yield key
}

/** `hexcast signing-key`: prints the public key, and creates a pair. @returns exit status */
export async function signingKey(line: CommandLine): Promise<number> {
  const file = line.option('create')
  if (file !== undefined) {
    const { privateKey, publicKey } = generateKeyPairSync('ed25519')
    try {
      writeFileSync(file, privateKey.export({ type: 'pkcs8', format: 'pem' }), { flag: 'wx', mode: 0o600 })
      chmodSync(file, 0o600)
    } catch (error) {
      throw new Fault('Invalid', `--create ${file} could not be written: ${(error as Error).message}`)
    }
    print(publicKey)
    return 0
  }
  const { signingSecret } = loadConfig()
  if (signingSecret === undefined)
    throw new Fault('Invalid', 'SIGNING_SECRET is not set; create a key with --create FILE and set SIGNING_SECRET_FILE')
  print(createPublicKey(privateKeyOf(signingSecret)))
  return 0
}

function print(publicKey: KeyObject): void {
  console.error(`fingerprint ${fingerprintOf(publicKey)}`)
  console.log(publicKey.export({ type: 'spki', format: 'pem' }).toString().trim())
}

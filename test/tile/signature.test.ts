import { createPublicKey, generateKeyPairSync } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { loadCells } from '../../ingest/domain/cell.ts'
import { nth } from '../../ingest/domain/nth.ts'
import { HOUR } from '../../ingest/domain/time.ts'
import { openFolder } from '../../ingest/ports/objects/folder.ts'
import type { Objects } from '../../ingest/ports/objects.ts'
import { buildTiles } from '../../ingest/steps/grid/build-tiles.ts'
import { openPool } from '../../ingest/steps/pool.ts'
import { cutCover } from '../../ingest/tile/cover.ts'
import { fingerprintOf, privateKeyOf, publicKeyOf, signingObjects } from '../../ingest/tile/signature.ts'
import { verifyStage } from '../../ingest/tile/verify.ts'
import { makeSlabs, seeded } from './made-slabs.ts'

const pool = openPool({ threads: 1 })
const run = Date.UTC(2026, 7, 20, 12)
const ids = loadCells(7).ids.slice(700_000, 716_000)
const request = { dataset: 'nbm', domain: 'conus' as const, run, stage: 'h051', slabs: ['f0', 'f1', 'f2'] }
const { privateKey, publicKey } = generateKeyPairSync('ed25519')
const other = generateKeyPairSync('ed25519').publicKey

let place: string
let objects: Objects
let manifestKey: string
let names: string[]
beforeAll(async () => {
  place = await mkdtemp(join(tmpdir(), 'hexcast-signed-'))
  objects = await openFolder(place)
  const random = seeded(2)
  const cover = cutCover(ids, 7)
  for (const [t, key] of request.slabs.entries()) {
    const codes = Int16Array.from(ids, (_, c) => 2800 + Math.floor(c / 3) + Math.floor(random() * 9) + t)
    const slab = { variable: 'temperature', time: run + t * HOUR, quantum: 0.1, offset: 0, codes }
    await objects.put(key, makeSlabs({ ...request, resolution: 7 }, cover, [slab]))
  }
  manifestKey = await build(signingObjects(objects, privateKey))
  names = []
  for await (const { key } of objects.list('tiles/')) names.push(key)
})
afterAll(async () => {
  await pool.close()
  await objects.close()
  await rm(place, { recursive: true, force: true })
})

async function build(store: Objects): Promise<string> {
  return (await buildTiles(pool, objects, store, { ...request, objectValues: 700 })).manifestKey
}

/** What verification says while one file has other bytes. */
async function withBytes(key: string, bytes: Uint8Array | undefined, check: () => Promise<void>): Promise<void> {
  const path = join(place, key)
  const before = await readFile(path)
  if (bytes) await objects.put(key, bytes)
  else await objects.remove(key)
  try {
    await check()
  } finally {
    await objects.put(key, before)
  }
}

test('signs every object of a stage, and the same tiles and key give the same signature', async () => {
  expect(names.filter((name) => name.endsWith('.tile')).length).toBeGreaterThan(2)
  const { failures, signer, objects: count, bytes } = await verifyStage(objects, manifestKey, publicKey)
  expect(failures).toEqual([])
  expect(signer).toBe(fingerprintOf(publicKey))
  // The signature itself is not counted.
  expect(count).toBe(names.length - 1)
  expect(bytes).toBeGreaterThan(1000)
  const folder = manifestKey.slice(0, -'manifest'.length)
  const signature = async () => Buffer.from(await objects.get(`${folder}signature`)).toString()
  const first = await signature()
  expect(await build(signingObjects(objects, privateKey))).toBe(manifestKey)
  expect(await signature()).toBe(first)
  // A worker that writes only the manifest again, because it was stopped before, signs the tiles that are stored.
  await objects.remove(`${folder}signature`)
  await signingObjects(objects, privateKey).put(manifestKey, await objects.get(manifestKey))
  expect(await signature()).toBe(first)
})

test('reports a flipped byte anywhere, with the name of the object', async () => {
  const random = seeded(3)
  for (const key of names) {
    const bytes = new Uint8Array(await objects.get(key))
    for (let k = 0; k < 12; k++) {
      const at = Math.floor(random() * bytes.length)
      const flipped = bytes.slice()
      flipped[at] = nth(flipped, at) ^ (1 << Math.floor(random() * 8))
      await withBytes(key, flipped, async () => {
        const { failures } = await verifyStage(objects, manifestKey, publicKey)
        expect(failures.join('\n'), `${key} ${at}`).toContain(key.split('/').at(-1))
        expect(failures.length).toBeGreaterThan(0)
      })
    }
  }
})

test('reports tiles with right checksums that are not those that were signed', async () => {
  const tile = nth(
    names.filter((name) => name.endsWith('.tile')),
    0,
  )
  const sources = nth(
    names.filter((name) => name.endsWith('/sources')),
    0,
  )
  // Another list of sources with a right checksum: only the signature can tell.
  const { sealText } = await import('../../ingest/tile/manifest.ts')
  await withBytes(sources, sealText('HXS1', { urls: [], variables: {} }), async () => {
    expect((await verifyStage(objects, manifestKey)).failures).not.toEqual([])
    const { failures } = await verifyStage(objects, manifestKey, publicKey)
    expect(failures).toEqual([expect.stringMatching(/sources: its SHA-256 is [0-9a-f]{64}, but the signature names/)])
  })
  await withBytes(tile, (await objects.get(tile)).slice(0, -1), async () => {
    const { failures } = await verifyStage(objects, manifestKey)
    expect(failures.join('\n')).toMatch(/must have \d+ bytes, but has \d+/)
  })
})

test('reports a missing object, a wrong key and an unsigned stage', async () => {
  for (const key of names.filter((name) => !name.endsWith('/signature')))
    await withBytes(key, undefined, async () => {
      const { failures } = await verifyStage(objects, manifestKey, publicKey)
      expect(failures, key).toEqual([expect.stringContaining(key)])
    })
  const { failures } = await verifyStage(objects, manifestKey, other)
  expect(failures).toEqual([
    expect.stringContaining(`is not that of key ${fingerprintOf(other)}; it names key ${fingerprintOf(publicKey)}`),
  ])
  await withBytes(
    nth(
      names.filter((name) => name.endsWith('/signature')),
      0,
    ),
    undefined,
    async () => {
      const unsigned = await verifyStage(objects, manifestKey, publicKey)
      expect(unsigned.failures).toEqual([expect.stringContaining('signature: is missing, so the stage is unsigned')])
      expect(unsigned.signer).toBeUndefined()
      // Without a key only checksums are compared.
      expect((await verifyStage(objects, manifestKey)).failures).toEqual([])
    },
  )
})

test('refuses text that is not an Ed25519 key', async () => {
  const rsa = generateKeyPairSync('rsa', { modulusLength: 1024 })
  for (const pem of ['', 'nonsense', rsa.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()])
    expect(() => privateKeyOf(pem)).toThrow('SIGNING_SECRET must be an Ed25519 key in PEM')
  const pem = publicKey.export({ type: 'spki', format: 'pem' }).toString()
  await writeFile(join(place, 'key.pub'), pem)
  expect(publicKeyOf('--public-key', pem).equals(createPublicKey(privateKey))).toBe(true)
})

import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { runVerb } from '../../bin/command-line.ts'
import { verbs } from '../../bin/verbs/verify.ts'
import { loadCells } from '../../ingest/domain/cell.ts'
import { nth } from '../../ingest/domain/nth.ts'
import { HOUR } from '../../ingest/domain/time.ts'
import { openDatabase } from '../../ingest/ports/database/open.ts'
import { openFolder } from '../../ingest/ports/objects/folder.ts'
import { buildTiles } from '../../ingest/steps/grid/build-tiles.ts'
import { openPool } from '../../ingest/steps/pool.ts'
import { cutCover } from '../../ingest/tile/cover.ts'
import { signedStore } from '../../ingest/tile/signature.ts'
import { publishRun } from '../../sql/queries/runs.ts'
import { makeSlabs } from '../tile/made-slabs.ts'

const run = Date.UTC(2026, 7, 20, 12)
const request = { dataset: 'nbm', domain: 'conus' as const, run, stage: 'h051', slabs: ['f0'] }
const RUN = 'nbm/conus/2026-08-20T12Z'

let folder: string
let publicKey: string
let manifestKey: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hexcast-verify-'))
  vi.stubEnv('DATA_DIR', join(folder, 'data'))
  vi.stubEnv('OBJECTS_URL', join(folder, 'objects'))
  publicKey = join(folder, 'hexcast.pub')
})
afterAll(async () => {
  vi.unstubAllEnvs()
  await rm(folder, { recursive: true, force: true })
})

async function hexcast(name: string, ...words: string[]): Promise<{ status: number; printed: string }> {
  const verb = verbs.find((candidate) => candidate.name === name)
  if (!verb) throw new Error(`there is no verb ${name}`)
  const lines: unknown[] = []
  const spies = (['log', 'error'] as const).map((stream) =>
    vi.spyOn(console, stream).mockImplementation((line) => void lines.push(line)),
  )
  try {
    return { status: await runVerb(verb, words), printed: lines.join('\n') }
  } finally {
    for (const spy of spies) spy.mockRestore()
  }
}

test('creates a key that only its owner may read, once, and prints its public key', async () => {
  const file = join(folder, 'signing.pem')
  expect(await hexcast('signing-key')).toMatchObject({ status: 2, printed: expect.stringContaining('is not set') })
  const created = await hexcast('signing-key', '--create', file)
  expect(created.status).toBe(0)
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  expect((await hexcast('signing-key', '--create', file)).status).toBe(2)
  vi.stubEnv('SIGNING_SECRET_FILE', file)
  expect(await hexcast('signing-key')).toEqual(created)
  vi.stubEnv('SIGNING_SECRET_FILE', undefined)
  await writeFile(publicKey, created.printed.slice(created.printed.indexOf('-----BEGIN')))
  expect(created.printed).toMatch(/^fingerprint [0-9a-f]{16}\n-----BEGIN PUBLIC KEY-----/)
})

test('says that a run which was signed is right, by its name and among the served runs', async () => {
  const objects = await openFolder(join(folder, 'objects'))
  const pool = openPool({ threads: 1 })
  const ids = loadCells(7).ids.slice(700_000, 700_300)
  const codes = Int16Array.from(ids, (_, c) => 2800 + (c % 9))
  const slab = { variable: 'temperature', time: run + HOUR, quantum: 0.1, offset: 0, codes }
  await objects.put('f0', makeSlabs({ ...request, resolution: 7 }, cutCover(ids, 7), [slab]))
  const signing = signedStore(objects, await readFile(join(folder, 'signing.pem'), 'utf8'))
  ;({ manifestKey } = await buildTiles(pool, objects, signing, request))
  await pool.close()
  await objects.close()
  const right = await hexcast('verify', RUN, `--public-key=${publicKey}`)
  expect(right.status, right.printed).toBe(0)
  expect(right.printed).toMatch(
    /^nbm\/conus\/2026-08-20T12Z\/h051-r0-[0-9a-f]{8}: right, 3 objects, .*, signed by [0-9a-f]{16}\n1 stages, 0 failed, 0 unsigned/,
  )
  const unchecked = await hexcast('verify', 'nbm')
  expect(unchecked).toMatchObject({ status: 0, printed: expect.stringContaining('no public key was given') })
  expect(await hexcast('verify')).toMatchObject({ status: 1, printed: expect.stringContaining('no tiles are stored') })
  const database = await openDatabase({ dataDir: join(folder, 'data'), databasePool: 1 })
  const counts = { wanted: 1, got: 1, missing: 0 }
  await publishRun(
    database,
    {
      dataset: 'nbm',
      domain: 'conus',
      run: new Date(run),
      stage: 0,
      publishedTo: 1,
      manifestKey,
      manifest: {},
      ...counts,
    },
    [],
  )
  await database.close()
  expect(await hexcast('verify', `--public-key=${publicKey}`)).toEqual(right)
}, 180_000)

test('ends with status 1 and names what is wrong', async () => {
  const tile = join(folder, 'objects', manifestKey.replace('manifest', '0000.tile'))
  const bytes = await readFile(tile)
  const flipped = Buffer.from(bytes)
  flipped[flipped.length - 1] = nth(flipped, flipped.length - 1) ^ 1
  await writeFile(tile, flipped)
  const damaged = await hexcast('verify', RUN)
  expect(damaged).toMatchObject({ status: 1, printed: expect.stringContaining(': FAILED, 3 objects') })
  expect(damaged.printed).toContain('0000.tile: the checksum of 1 blocks is wrong')
  await rm(tile)
  const missing = await hexcast('verify', RUN)
  expect(missing).toMatchObject({ status: 1, printed: expect.stringContaining('0000.tile') })
  await writeFile(tile, bytes)
  await hexcast('signing-key', '--create', join(folder, 'other.pem'))
  vi.stubEnv('SIGNING_SECRET_FILE', join(folder, 'other.pem'))
  expect(await hexcast('verify', RUN)).toMatchObject({
    status: 1,
    printed: expect.stringContaining('is not that of key'),
  })
  await rm(join(folder, 'objects', manifestKey.replace('manifest', 'signature')))
  expect(await hexcast('verify', RUN)).toMatchObject({
    status: 1,
    printed: expect.stringContaining('so the stage is unsigned'),
  })
  vi.stubEnv('SIGNING_SECRET_FILE', undefined)
  expect((await hexcast('verify', RUN)).status).toBe(0)
})

test('refuses a run and a key that cannot be', async () => {
  for (const [words, text] of [
    [['../etc'], 'is not a run; expected one such as nbm/conus/2026-08-20T12Z'],
    [[RUN, '--public-key=/nowhere'], 'could not be read'],
    [[RUN, `--public-key=${import.meta.filename}`], 'must be an Ed25519 key in PEM'],
  ] as const)
    expect(await hexcast('verify', ...words)).toEqual({ status: 2, printed: expect.stringContaining(text) })
  expect((await hexcast('verify', 'hrrr/conus')).status).toBe(1)
})

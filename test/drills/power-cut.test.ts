import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { nth } from '../../ingest/domain/nth.ts'
import { openDurable } from '../../ingest/ports/database/durable.ts'

const CUTS = 8
let root: string
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'hexcast-power-'))
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

/** A fixed seed gives the same cuts every time. */
function random(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

/**
 * A power failure loses everything that was not synced. The drill takes the data files of the last checkpoint and the write-ahead
 * log of its last fsync, cut anywhere after the last acknowledged commit.
 */
test('a power cut at any byte loses no acknowledged commit', { timeout: 300_000 }, async () => {
  const folder = join(root, 'db')
  const synced = new Map<string, Buffer>()
  const database = await openDurable(folder, {}, (path) => {
    if (path.includes('/pg_wal/0')) synced.set(path.slice(folder.length), readFileSync(path))
  })
  await database.exec('create table paid (i int primary key, note text); checkpoint')
  const checkpointed = join(root, 'checkpointed')
  cpSync(folder, checkpointed, { recursive: true })

  const images: { acknowledged: number; segment: string; bytes: Buffer; end: number }[] = []
  for (let i = 1; i <= 40; i++) {
    await database.query('insert into paid values ($1, $2)', [i, `note ${i} `.repeat(20)])
    if (i % (40 / CUTS) !== 0) continue
    // The commit is acknowledged. Nothing that is written after this line reaches the disk.
    const disk = new Map(synced)
    const { rows } = await database.query<{ segment: string; byte: number }>(
      'select file_name as segment, file_offset as byte from pg_walfile_name_offset(pg_current_wal_insert_lsn())',
    )
    const segment = `/pg_wal/${nth(rows, 0).segment}`
    images.push({ acknowledged: i, segment, bytes: disk.get(segment)!, end: nth(rows, 0).byte })
  }
  await database.close()

  const next = random(13)
  for (const { acknowledged, segment, bytes, end } of images) {
    const image = join(root, `image-${acknowledged}`)
    cpSync(checkpointed, image, { recursive: true })
    const cut = end + Math.floor(next() * 64)
    const torn = Buffer.from(bytes)
    // The sector is torn, with garbage from the cut onward.
    for (let at = cut; at < Math.min(torn.length, cut + 8192); at++) torn[at] = Math.floor(next() * 256)
    writeFileSync(image + segment, torn)
    const again = await openDurable(image)
    const { rows } = await again.query<{ i: number }>('select i from paid order by i')
    expect(rows.map(({ i }) => i).slice(0, acknowledged)).toEqual(Array.from({ length: acknowledged }, (_, i) => i + 1))
    await again.close()
    rmSync(image, { recursive: true, force: true })
  }
})

test('the settings make PostgreSQL wait for the disk', { timeout: 120_000 }, async () => {
  const syncs: string[] = []
  const database = await openDurable(join(root, 'db'), {}, (path) => syncs.push(path))
  const { rows } = await database.query<{ name: string; setting: string }>(
    "select name, setting from pg_settings where name in ('fsync', 'synchronous_commit', 'full_page_writes') order by name",
  )
  expect(rows.map(({ setting }) => setting)).toEqual(['on', 'on', 'on'])
  const before = syncs.length
  await database.query("insert into paid values (1000, 'x')")
  expect(syncs.length).toBeGreaterThan(before)
  await database.exec('checkpoint')
  expect(syncs.some((path) => path.includes('/base/'))).toBe(true)
  expect(readdirSync(join(root, 'db', 'pg_wal')).length).toBeGreaterThan(0)
  await database.close()
})

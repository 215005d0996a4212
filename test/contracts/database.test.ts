import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { arrivedAt } from '../../ingest/ports/arrival.ts'
import { currentOwner, startOf, takeLock } from '../../ingest/ports/database/lock.ts'
import { openDatabase } from '../../ingest/ports/database/open.ts'
import type { Database } from '../../ingest/ports/database.ts'
import { databaseSuite } from './database-suite.ts'

const program = join(import.meta.dirname, 'database-owner.ts')
let dataDir: string
let db: Database
let other: Database

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'hexcast-database-'))
  db = await openDatabase({ dataDir, databasePool: 1 })
  other = await openDatabase({ dataDir, databasePool: 1 })
})

afterAll(async () => {
  await other.close()
  await db.close()
  await rm(dataDir, { recursive: true, force: true })
})

describe('embedded', () => databaseSuite(() => ({ db, other })))

describe('one owner', () => {
  test('connects a second process to the first through a socket for this user only', async () => {
    expect([db.kind, other.kind]).toEqual(['embedded', 'socket'])
    expect((await stat(join(dataDir, 'database.sock'))).mode & 0o777).toBe(0o600)
    // The files must have the same permissions as the socket.
    expect((await stat(join(dataDir, 'database'))).mode & 0o777).toBe(0o700)
  })

  test('rolls back the transaction of a lost client without blocking others', async () => {
    const child = await owner(dataDir, 'hang')
    child.kill('SIGKILL')
    await once(child, 'exit')
    expect(await db.query("select count(*) as left from test_note where name = 'hanging'")).toEqual([{ left: 0 }])
  })

  test('does not let a busy client delay others', async () => {
    const child = await owner(dataDir, 'busy')
    let free = false
    child.stdout!.on('data', (data: Buffer) => {
      free ||= String(data).includes('free')
    })
    expect(await db.query('select 2 as two')).toEqual([{ two: 2 }])
    expect(free).toBe(false)
    child.kill('SIGKILL')
    await once(child, 'exit')
  })

  test('serves the request that arrived first, however many statements it has', async () => {
    const now = performance.now()
    const ended: string[] = []
    const request = (name: string, at: number, statements: number) =>
      arrivedAt(at, async () => {
        for (let i = 0; i < statements; i++) await other.query('select 1 as one')
        ended.push(name)
      })
    const later = Array.from({ length: 40 }, (_, i) => request('later', now + i, 1))
    await Promise.all([...later, request('first', now - 1, 5)])
    // At most the four sessions of the client preceded each of its statements.
    expect(ended.indexOf('first')).toBeLessThanOrEqual(20)
    expect(ended.length).toBe(41)
  })

  test('keeps every acknowledged row when the next process takes over after kill -9', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'hexcast-killed-'))
    const child = await owner(folder, 'write')
    let lastAcknowledged = -1
    child.stdout!.on('data', (data: Buffer) => {
      for (const line of String(data).trim().split('\n')) if (/^\d+$/.test(line)) lastAcknowledged = Number(line)
    })
    await expect.poll(() => lastAcknowledged, { timeout: 20_000 }).toBeGreaterThan(30)
    child.kill('SIGKILL')
    await once(child, 'exit')
    const next = await openDatabase({ dataDir: folder, databasePool: 1 })
    expect(next.kind).toBe('embedded')
    const [row] = await next.query<{ last: number }>(
      "select max((value #>> '{}')::int) as last from test_note where name like 'row-%'",
    )
    expect(row!.last).toBeGreaterThanOrEqual(lastAcknowledged)
    await next.close()
    await rm(folder, { recursive: true, force: true })
  })
})

describe('the lock', () => {
  test('names a living owner, and is stale if its process id was reused', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'hexcast-lock-'))
    const lock = await takeLock(folder, '/nowhere', 'one')
    expect(lock).toHaveProperty('release')
    expect(await takeLock(folder, '/nowhere', 'two')).toMatchObject({ pid: process.pid, name: 'one' })
    if ('release' in lock) lock.release()
    expect(await currentOwner(folder)).toBeUndefined()
    const reused = { pid: process.pid, started: `${startOf(process.pid)}0`, socket: '', name: 'dead', token: 'x' }
    await writeFile(join(folder, 'database.lock'), JSON.stringify(reused))
    const newLock = await takeLock(folder, '/nowhere', 'three')
    expect(newLock).toHaveProperty('release')
    if ('release' in newLock) newLock.release()
    await rm(folder, { recursive: true, force: true })
  })

  test('is taken over from a dead process by exactly one of many', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'hexcast-lock-'))
    await writeFile(
      join(folder, 'database.lock'),
      JSON.stringify({ pid: 999_999_999, started: 'x', socket: '', name: 'dead', token: 'x' }),
    )
    const results = await Promise.all(
      Array.from({ length: 12 }, (_, index) => takeLock(folder, '/nowhere', `racer ${index}`)),
    )
    const locks = results.filter((result) => 'release' in result)
    expect(locks).toHaveLength(1)
    for (const lock of locks) lock.release()
    await rm(folder, { recursive: true, force: true })
  })
})

async function owner(folder: string, manner: 'write' | 'hang' | 'busy') {
  const child = spawn(process.execPath, [program, folder, manner], { stdio: ['ignore', 'pipe', 'inherit'] })
  await once(child.stdout!, 'data')
  return child
}

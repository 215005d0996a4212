import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { runVerb } from '../../bin/command-line.ts'
import { verbs } from '../../bin/verbs/workers.ts'
import { nth } from '../../ingest/domain/nth.ts'
import { openDatabase } from '../../ingest/ports/database/open.ts'
import type { Database } from '../../ingest/ports/database.ts'
import { openFolder } from '../../ingest/ports/objects/folder.ts'
import { quarantineOver } from '../../ingest/steps/quarantine.ts'
import { feedState, markConfirmed } from '../../sql/queries/feeds.ts'
import { endRun, runOf } from '../../sql/queries/runs.ts'

// What an operator does about upstream's drift: the verbs over an embedded database, one after the other.

const folder = mkdtempSync(join(tmpdir(), 'hexcast-quarantine-verb-'))
const run = Date.UTC(2026, 10, 21, 14)
const scan = { dataset: 'mrms-precip-rate', domain: 'hawaii', run: new Date(run) }
const message = Buffer.from('GRIB and so on')

/** Open all the time, as of a running installation: the verb joins it. */
let database: Database

async function quarantine(...words: string[]): Promise<{ status: number; printed: string }> {
  const lines: unknown[] = []
  const spies = (['log', 'error'] as const).map((name) =>
    vi.spyOn(console, name).mockImplementation((line) => void lines.push(line)),
  )
  try {
    const verb = verbs.find(({ name }) => name === 'quarantine')!
    const status = await runVerb(verb, words)
    return { status, printed: lines.join('\n') }
  } finally {
    for (const spy of spies) spy.mockRestore()
  }
}

beforeAll(async () => {
  vi.stubEnv('DATA_DIR', folder)
  const objects = await openFolder(join(folder, 'objects'))
  database = await openDatabase({ dataDir: folder, databasePool: 1 })
  const put = quarantineOver({ database, objects })
  const origin = { dataset: 'hrrr', domain: 'alaska', run, leadHours: 3 } as const
  await put({
    ...origin,
    variable: 'dew_point',
    reason: 'grid',
    detail: 'grid: expected lat1 41, but found 46',
    bytes: message,
  })
  await put({
    ...origin,
    leadHours: 4,
    variable: 'dew_point',
    reason: 'grid',
    detail: 'grid: expected lat1 41, but found 46',
  })
  await put({
    ...scan,
    domain: 'hawaii',
    run,
    reason: 'jump',
    detail: 'echoes cover 9.0 % of the grid, but covered 2.0 % 2 minutes before',
  })
  await put({
    dataset: 'metar',
    run,
    variable: 'KDEN',
    reason: 'row',
    detail: 'bad_row: KDEN',
    url: 'https://example.com/m',
  })
  await markConfirmed(database, 'metar', { etag: '"1"', digest: 'x', suspicious: false, rejected: {} })
  await endRun(database, scan, 'rejected', 'echoes cover 9.0 %')
  await objects.close()
}, 60_000)

afterAll(async () => {
  await database.close()
  vi.unstubAllEnvs()
  rmSync(folder, { recursive: true, force: true })
})

test('lists the entries of all datasets or of one', async () => {
  const all = await quarantine()
  expect(all.status).toBe(0)
  expect(all.printed).toMatch(/1 {2}.* hrrr\/alaska\/2026-11-21T14Z {2}dew_point {2}grid {2}hours 3, 4/)
  expect(all.printed).toMatch(/mrms-precip-rate\/hawaii\/.* {2}whole file {2}jump/)
  expect(all.printed).toMatch(/metar\/2026-11-21T14Z {2}KDEN {2}row/)
  const result = await quarantine('list', 'hrrr')
  expect(result.printed.split('\n')).toHaveLength(1)
  expect((await quarantine('list', 'gfs')).printed).toBe('the quarantine is empty')
})

test('shows the reason of an entry with its meaning, and writes the bytes', async () => {
  const out = join(folder, 'message.grib2')
  const { status, printed } = await quarantine('show', '1', '--out', out)
  expect(status).toBe(0)
  expect(printed).toContain('grid: section 3 is not the grid that the dataset declares')
  expect(printed).toContain('expected lat1 41, but found 46')
  expect(readFileSync(out)).toEqual(message)
})

test('replays a scan and a feed, and tells when nothing is stored', async () => {
  const rows = (await quarantine()).printed.split('\n')
  const idOf = (dataset: string) => nth(/^\s*(\d+)/.exec(rows.find((row) => row.includes(dataset))!)!, 1)
  expect((await quarantine('replay', idOf('mrms'))).status).toBe(0)
  expect((await quarantine('replay', idOf('metar'))).status).toBe(0)
  const run = await quarantine('replay', idOf('hrrr'))
  expect(run.status).toBe(1)
  expect(run.printed).toContain('hrrr/alaska/2026-11-21T14Z is no longer stored')
  expect(await runOf(database, scan)).toBeUndefined()
  expect(await feedState(database, 'metar')).toMatchObject({ etag: null, digest: null })
  expect((await quarantine()).printed).toBe('the quarantine is empty')
})

test('drops an entry, and rejects an unknown number or a word', async () => {
  const objects = await openFolder(join(folder, 'objects'))
  const put = quarantineOver({ database, objects })
  await put({ dataset: 'rtma', domain: 'hawaii', run, reason: 'format', detail: 'x', bytes: message })
  await objects.close()
  const id = /\d+/.exec((await quarantine()).printed)![0]
  expect(await quarantine('drop', id)).toEqual({ status: 0, printed: `${id}: removed` })
  expect((await quarantine('drop', id)).status).toBe(2)
  expect((await quarantine('show')).printed).toContain('the entry is missing; expected its number')
  expect((await quarantine('release', '1')).printed).toContain(
    'unknown action "release"; expected list, show, replay or drop',
  )
})

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openSeason } from '../../api/live/season.ts'
import { weatherAt } from '../../infra/simulator/atmosphere.ts'
import { cellOfId, centreOf, loadCells } from '../../ingest/domain/cell.ts'
import { DAY, HOUR, runName } from '../../ingest/domain/time.ts'
import { zone } from '../../ingest/domain/timezone.ts'
import { timezoneAt } from '../../ingest/geo/coverage.ts'
import type { Database } from '../../ingest/ports/database.ts'
import { openDatabase } from '../../ingest/ports/database-open.ts'
import type { Objects } from '../../ingest/ports/objects.ts'
import { openFolder } from '../../ingest/ports/objects-folder.ts'
import { openPool } from '../../ingest/steps/pool.ts'
import { buildDays, keepHour, retireSeason } from '../../ingest/steps/season/season.ts'
import { type Cover, cutCover } from '../../ingest/tile/cover.ts'
import { SlabCodes } from '../../ingest/tile/slab-codes.ts'
import { seasonCounts, seasonDays, seasonHours, seasonMonths } from '../../sql/queries/season.ts'
import { makeSlabs, seeded } from '../tile/made-slabs.ts'

const key = { dataset: 'urma', domain: 'conus' as const }
const pool = openPool({ threads: 1 })
let dataDir: string
let db: Database
let objects: Objects
let cover: Cover

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'hexcast-season-'))
  db = await openDatabase({ dataDir, databasePool: 1 })
  objects = await openFolder(join(dataDir, 'objects'))
  // Every thousandth stretch of cells: all zones of the contiguous states.
  const { ids } = loadCells(7)
  cover = cutCover(
    ids.filter((_, i) => Math.floor(i / 60) % 400 === 0),
    7,
  )
})
afterAll(async () => {
  await pool.close()
  await objects.close()
  await db.close()
  await rm(dataDir, { recursive: true, force: true })
})

/** A change of month, and the night on which summer time ends. */
const FIRST = Date.parse('2026-10-30T00:00:00Z')
const code = (i: number, at: number) => {
  const [lat, lon] = centreOf(cellOfId(cover.ids[i]!, 7))
  return Math.round((weatherAt(lat, lon, at).temperature - 250) * 10)
}

async function hourOf(at: number, missing: ReadonlySet<number> = new Set()): Promise<string> {
  const codes = Int16Array.from(cover.ids, (_, i) => (missing.has(i) ? -32768 : code(i, at)))
  const dew = Int16Array.from(cover.ids, () => 7)
  const slab = `slabs/${runName(at)}`
  const item = (variable: string, values: Int16Array) => ({
    variable,
    time: at,
    quantum: 0.1,
    offset: 250,
    codes: values,
  })
  await objects.put(
    slab,
    makeSlabs({ ...key, run: at, resolution: 7 }, cover, [item('dew_point', dew), item('temperature', codes)]),
  )
  return slab
}

async function take(at: number, missing?: ReadonlySet<number>): Promise<string[]> {
  const slab = await hourOf(at, missing)
  await keepHour({ database: db, objects }, key, at, objects, [slab])
  await objects.remove(slab)
  return buildDays({ database: db, objects, pool }, key, at)
}

/** Highest and lowest of a cell's local day, by the codes of its hours. */
function truth(i: number, day: number): { max: number; min: number } {
  const place = zone(timezoneAt(...centreOf(cellOfId(cover.ids[i]!, 7)))!)
  const values: number[] = []
  for (let at = place.startOfDay(day); at < place.startOfDay(day + 1); at += HOUR) values.push(code(i, at))
  return { max: Math.max(...values) / 10 + 250, min: Math.min(...values) / 10 + 250 }
}

const inside = () =>
  Array.from(cover.ids, (_, i) => i).filter((i) => timezoneAt(...centreOf(cellOfId(cover.ids[i]!, 7))) !== undefined)

test('codes survive packing and unpacking, holes too', () => {
  const random = seeded(3)
  const values = Int16Array.from(cover.ids, () => (random() < 0.1 ? -32768 : Math.floor(random() * 900) - 300))
  const codes = new SlabCodes(cover)
  const packed = codes.pack({ variable: 'temperature', time: 0, quantum: 0.1, offset: 0 }, values)
  for (let p = 0; p + 1 < cover.partCells.length; p++) {
    expect([...codes.unpack(packed, p)]).toEqual([...values.subarray(cover.partCells[p], cover.partCells[p + 1])])
  }
})

test('a day is built when the last hour of its last zone has arrived, and equals the extremes of the hours at every cell', async () => {
  const built: Record<string, string[]> = {}
  for (let at = FIRST; at < FIRST + 4 * DAY; at += HOUR) {
    const days = await take(at)
    if (days.length > 0) built[runName(at)] = days
  }
  // The cells reach to the western Aleutians: midnight there is 09 UTC in summer, 10 UTC in winter.
  expect(built).toEqual({
    '2026-10-31T08Z': ['2026-10-30'],
    '2026-11-01T08Z': ['2026-10-31'],
    '2026-11-02T09Z': ['2026-11-01'],
  })
  const days = await seasonDays(db, key, '2026-10-01', '2026-11-30')
  expect(days.map(({ date, hours, wanted }) => [date, hours === wanted])).toEqual([
    ['2026-10-30', true],
    ['2026-10-31', true],
    ['2026-11-01', true],
  ])
  expect(days.at(-1)!.wanted - days[0]!.wanted).toBe(1)
  expect((await seasonMonths(db, key, '2026-10-05', '2026-11-20')).map(({ month, days }) => [month, days])).toEqual([
    ['2026-10-01', 2],
    ['2026-11-01', 1],
  ])
  const season = openSeason({ database: db, objects })
  const [from, to] = [Date.parse('2026-10-28') / DAY, Date.parse('2026-11-05') / DAY]
  const cells = inside().filter((_, n) => n % 37 === 0)
  expect(cells.length).toBeGreaterThan(50)
  for (const i of cells) {
    const [lat, lon] = centreOf(cellOfId(cover.ids[i]!, 7))
    const found = await season.days({ lat, lon, domain: 'conus' }, from, to)
    expect([...found.keys()].sort()).toEqual([from + 2, from + 3, from + 4])
    for (const [day, { max, min }] of found) {
      const wanted = truth(i, day)
      expect([max, min].map((value) => value.toFixed(2))).toEqual([wanted.max.toFixed(2), wanted.min.toFixed(2)])
    }
  }
  expect(await season.firstDay('conus')).toBe(from + 2)
  expect(await season.firstDay('alaska')).toBeUndefined()
})

test('hours of complete days are dropped; a repeated step changes nothing', async () => {
  const waiting = await seasonHours(db, key, new Date(FIRST - DAY), new Date(FIRST + 10 * DAY))
  // The remaining hours belong to incomplete days: the first hours of 29 October, the last of 2 November.
  expect(waiting.length).toBeLessThan(30)
  const objectsOf = async () => {
    const keys: string[] = []
    for await (const { key: one } of objects.list('')) keys.push(one)
    return keys.length
  }
  const [counts, stored] = [await seasonCounts(db), await objectsOf()]
  expect(await take(FIRST + 4 * DAY - HOUR)).toEqual([])
  expect([await seasonCounts(db), await objectsOf()]).toEqual([counts, stored])
})

test('with up to four hours missing a day is built when the rest was waited for; a cell without enough of them has none', async () => {
  const first = Date.parse('2026-12-10T00:00:00Z')
  const hole = new Set(inside().slice(0, 5))
  for (let at = first; at < first + 2 * DAY; at += HOUR) {
    const hour = (at - first) / HOUR
    if (hour === 12 || hour === 20) continue
    await take(at, hour >= 9 && hour < 18 ? hole : undefined)
  }
  const [day] = await seasonDays(db, key, '2026-12-10', '2026-12-10')
  expect(day!.wanted - day!.hours).toBe(2)
  const season = openSeason({ database: db, objects })
  const number = Date.parse('2026-12-10') / DAY
  for (const i of inside().slice(0, 12)) {
    const [lat, lon] = centreOf(cellOfId(cover.ids[i]!, 7))
    const found = await season.days({ lat, lon, domain: 'conus' }, number, number)
    expect(found.size, `cell ${i}`).toBe(hole.has(i) ? 0 : 1)
  }
})

test('what is older than 180 days goes, with its objects; the month in which the 180th lies stays', async () => {
  await retireSeason({ database: db, objects }, Date.parse('2027-05-01T00:00:00Z'))
  expect((await seasonMonths(db, key, '2026-10-01', '2026-12-31')).map(({ month }) => month)).toEqual([
    '2026-11-01',
    '2026-12-01',
  ])
  for await (const { key: one } of objects.list('')) expect(one).not.toMatch(/2026-10|hours\//)
})

import { afterAll, beforeAll, expect, test } from 'vitest'
import { openSeason } from '../../api/live/season.ts'
import { weatherAt } from '../../infra/simulator/atmosphere.ts'
import { cellOfId, centreOf, loadCells } from '../../ingest/domain/cell.ts'
import { SEASON_DATASET } from '../../ingest/domain/dataset/season.ts'
import { nth } from '../../ingest/domain/nth.ts'
import { DAY, dateText, HOUR, runName } from '../../ingest/domain/time.ts'
import { zone } from '../../ingest/domain/timezone.ts'
import { timezoneAt } from '../../ingest/geo/coverage.ts'
import type { Database } from '../../ingest/ports/database.ts'
import type { Objects } from '../../ingest/ports/objects.ts'
import { openPool } from '../../ingest/steps/pool.ts'
import { retireSeason } from '../../ingest/steps/season/retire.ts'
import { buildDays, keepHour } from '../../ingest/steps/season/season.ts'
import { type Cover, cutCover } from '../../ingest/tile/cover.ts'
import { SlabCodes } from '../../ingest/tile/slab-codes.ts'
import {
  dropSeasonBefore,
  dropSeasonHours,
  putSeasonDay,
  putSeasonHour,
  putSeasonMonth,
  type SeasonDay,
  type SeasonMonth,
  seasonCounts,
  seasonDays,
  seasonHours,
  seasonMonths,
} from '../../sql/queries/season.ts'
import { makeSlabs, seeded } from '../tile/made-slabs.ts'

export interface SeasonPlace {
  readonly database: Database
  readonly objects: Objects
  close(): Promise<void>
}

const domain = 'conus' as const
/** The end of a month, and the night on which daylight saving time ends. */
const FIRST = Date.parse('2026-10-30T00:00:00Z')

/** The path from hours of analyses to days, to tiles of a month, and to readers, on every engine of the database and every object store. */
export function seasonSuite(open: () => Promise<SeasonPlace>): void {
  const pool = openPool({ threads: 1 })
  let place: SeasonPlace
  let db: Database
  let objects: Objects
  let cover: Cover

  beforeAll(async () => {
    place = await open()
    db = place.database
    objects = place.objects
    // These are every thousandth stretch of cells, so that all zones of the cover occur.
    const { ids } = loadCells(7)
    cover = cutCover(
      ids.filter((_, i) => Math.floor(i / 60) % 400 === 0),
      7,
    )
  })
  afterAll(async () => {
    await pool.close()
    await place?.close()
  })

  const code = (i: number, at: number) => {
    const [lat, lon] = centreOf(cellOfId(nth(cover.ids, i), 7))
    return Math.round((weatherAt(lat, lon, at).temperature - 250) * 10)
  }

  interface Hour {
    readonly dataset?: 'urma' | 'rtma'
    /** Cells that have no value. */
    readonly missing?: ReadonlySet<number>
    /** Number that is added to every code. */
    readonly shift?: number
    readonly cover?: Cover
  }

  async function keep(at: number, { dataset = SEASON_DATASET, missing, shift = 0, cover: of = cover }: Hour = {}) {
    const codes = Int16Array.from(of.ids, (_, i) => (missing?.has(i) ? -32768 : code(i % cover.ids.length, at) + shift))
    const item = (variable: string, values: Int16Array) => ({
      variable,
      time: at,
      quantum: 0.1,
      offset: 250,
      codes: values,
    })
    const slab = `slabs/${dataset}-${runName(at)}`
    const dew = Int16Array.from(of.ids, () => 7)
    const identity = { dataset, domain, run: at, resolution: 7 }
    await objects.put(slab, makeSlabs(identity, of, [item('dew_point', dew), item('temperature', codes)]))
    await keepHour({ database: db, objects, pool }, { dataset, domain, hour: at }, objects, [slab])
    await objects.remove(slab)
  }
  const build = (at: number, dataset: 'urma' | 'rtma' = SEASON_DATASET) =>
    buildDays({ database: db, objects, pool }, { dataset, domain, hour: at })
  async function take(at: number, hour: Hour = {}): Promise<string[]> {
    await keep(at, hour)
    return build(at, hour.dataset)
  }

  /** Returns the highest and lowest value of a cell's local day, from the codes of its hours. */
  function truth(i: number, day: number): { max: number; min: number } {
    const place = zone(timezoneAt(...centreOf(cellOfId(nth(cover.ids, i), 7)))!)
    const values: number[] = []
    for (let at = place.startOfDay(day); at < place.startOfDay(day + 1); at += HOUR) values.push(code(i, at))
    return { max: Math.max(...values) / 10 + 250, min: Math.min(...values) / 10 + 250 }
  }

  const inside = () =>
    Array.from(cover.ids, (_, i) => i).filter(
      (i) => timezoneAt(...centreOf(cellOfId(nth(cover.ids, i), 7))) !== undefined,
    )
  /** A cell of the Mountain zone. */
  const denver = () =>
    inside().find((i) => timezoneAt(...centreOf(cellOfId(nth(cover.ids, i), 7))) === 'America/Denver')!
  const readDays = async (i: number, from: number, to: number) => {
    const [lat, lon] = centreOf(cellOfId(nth(cover.ids, i), 7))
    return openSeason({ database: db, objects }).days({ lat, lon, domain }, from, to)
  }
  const keysOf = async () => {
    const keys: string[] = []
    for await (const { key } of objects.list('')) keys.push(key)
    return keys
  }

  test('keeps codes and gaps when packing and unpacking', () => {
    const random = seeded(3)
    const values = Int16Array.from(cover.ids, () => (random() < 0.1 ? -32768 : Math.floor(random() * 900) - 300))
    const codes = new SlabCodes(cover)
    const packed = codes.pack({ variable: 'temperature', time: 0, quantum: 0.1, offset: 0 }, values)
    for (let p = 0; p + 1 < cover.partCells.length; p++) {
      expect([...codes.unpack(packed, p)]).toEqual([...values.subarray(cover.partCells[p], cover.partCells[p + 1])])
    }
  })

  test('builds a day when the last hour of its last zone has arrived, with the right values at every cell', async () => {
    const built: Record<string, string[]> = {}
    for (let at = FIRST; at < FIRST + 4 * DAY; at += HOUR) {
      const days = await take(at)
      if (days.length > 0) built[runName(at)] = days
    }
    // The cells extend to the western Aleutians, where midnight is 09 UTC in summer and 10 UTC in winter.
    expect(built).toEqual({
      '2026-10-31T08Z': ['2026-10-30'],
      '2026-11-01T08Z': ['2026-10-31'],
      '2026-11-02T09Z': ['2026-11-01'],
    })
    const days = await seasonDays(db, domain, '2026-10-01', '2026-11-30')
    expect(days.map(({ date, hours, wanted, observed }) => [date, hours === wanted && observed === hours])).toEqual([
      ['2026-10-30', true],
      ['2026-10-31', true],
      ['2026-11-01', true],
    ])
    expect(days.at(-1)!.wanted - nth(days, 0).wanted).toBe(1)
    const months = await seasonMonths(db, domain, '2026-10-05', '2026-11-20')
    expect(months.map(({ month, days, analysis }) => [month, days, analysis])).toEqual([
      ['2026-10-01', 2, []],
      ['2026-11-01', 1, []],
    ])
    const [from, to] = [Date.parse('2026-10-28') / DAY, Date.parse('2026-11-05') / DAY]
    const cells = inside().filter((_, n) => n % 37 === 0)
    expect(cells.length).toBeGreaterThan(50)
    for (const i of cells) {
      const days = await readDays(i, from, to)
      expect([...days.keys()].sort()).toEqual([from + 2, from + 3, from + 4])
      for (const [day, { max, min, source }] of days) {
        const expected = truth(i, day)
        expect([max.toFixed(2), min.toFixed(2), source]).toEqual([
          expected.max.toFixed(2),
          expected.min.toFixed(2),
          'observed',
        ])
      }
    }
    const season = openSeason({ database: db, objects })
    expect(await season.firstDay('conus')).toBe(from + 2)
    expect(await season.firstDay('alaska')).toBeUndefined()
  })

  test('removes the hours of complete days, and changes nothing when a step is repeated', async () => {
    const waiting = await seasonHours(db, domain, new Date(FIRST - DAY), new Date(FIRST + 10 * DAY))
    // The remaining hours belong to an incomplete day (the first hours of 29 October, the last of 2 November) or to the last 26 hours.
    expect(waiting.length).toBeLessThan(36)
    const [counts, stored] = [await seasonCounts(db), await keysOf()]
    expect(await take(FIRST + 4 * DAY - HOUR)).toEqual([])
    // An hour of complete days is dropped at once.
    expect(await take(FIRST + 2 * DAY)).toEqual([])
    expect([await seasonCounts(db), await keysOf()]).toEqual([counts, stored])
  })

  test('builds a day with up to four missing hours after the wait, without values at cells that lack more', async () => {
    const first = Date.parse('2026-12-10T00:00:00Z')
    const hole = new Set(inside().slice(0, 5))
    for (let at = first; at < first + 2 * DAY; at += HOUR) {
      const hour = (at - first) / HOUR
      if (hour === 12 || hour === 20) continue
      await take(at, hour >= 9 && hour < 18 ? { missing: hole } : {})
    }
    const [day] = await seasonDays(db, domain, '2026-12-10', '2026-12-10')
    expect(day!.wanted - day!.hours).toBe(2)
    const number = Date.parse('2026-12-10') / DAY
    for (const i of inside().slice(0, 12)) {
      const days = await readDays(i, number, number)
      expect(days.size, `cell ${i}`).toBe(hole.has(i) ? 0 : 1)
    }
  })

  test('uses RTMA for hours that URMA lacks, until URMA has the whole day', async () => {
    const first = Date.parse('2027-01-10T00:00:00Z')
    const day = first / DAY
    const warmer = 30
    const end = first + 36 * HOUR
    const built: string[] = []
    for (let at = first; at < end; at += HOUR) {
      for (const date of await take(at, { dataset: 'rtma', shift: warmer })) built.push(`rtma ${date}`)
      const late = at - 6 * HOUR
      if (late >= first) for (const date of await take(late)) built.push(`urma ${date}`)
    }
    expect(built).toEqual(['rtma 2027-01-10'])
    const i = denver()
    const mixed = (await readDays(i, day, day)).get(day)!
    expect(mixed.source).toBe('analysis')
    for (let at = end - 6 * HOUR; at < end; at += HOUR) for (const date of await take(at)) built.push(`urma ${date}`)
    expect(built).toEqual(['rtma 2027-01-10', 'urma 2027-01-10'])
    const complete = (await readDays(i, day, day)).get(day)!
    const expected = truth(i, day)
    expect([complete.max.toFixed(2), complete.min.toFixed(2), complete.source]).toEqual([
      expected.max.toFixed(2),
      expected.min.toFixed(2),
      'observed',
    ])
    const [row] = await seasonDays(db, domain, '2027-01-10', '2027-01-10')
    expect(row).toMatchObject({ hours: row!.wanted, observed: row!.wanted })
    // The replaced slab is removed when no build can still read it.
    const slabs = async () => (await keysOf()).filter((key) => key.includes('days/2027-01-10'))
    expect(await slabs()).toHaveLength(2)
    await db.query(`update season_day set built_at = built_at - interval '2 hours'`)
    await retireSeason({ database: db, objects }, Date.now())
    expect(await slabs()).toEqual([row!.slab_key])
    expect((await readDays(i, day, day)).size).toBe(1)
  })

  test('loses nothing when stopped between a day and its month', async () => {
    const first = Date.parse('2027-02-10T00:00:00Z')
    for (let at = first; at < first + 36 * HOUR; at += HOUR) await take(at)
    await db.query(`delete from season_month where month = '2027-02-01'`)
    const day = first / DAY
    expect((await readDays(denver(), day, day)).size).toBe(0)
    expect(await take(first + 36 * HOUR)).toEqual([])
    expect((await readDays(denver(), day, day)).size).toBe(1)
  })

  test('shows only the days since a change of grid', async () => {
    const first = Date.parse('2027-03-10T00:00:00Z')
    for (let at = first; at < first + 36 * HOUR; at += HOUR) await take(at)
    const other = cutCover(cover.ids.slice(0, -200), 7)
    const changed = first + 3 * DAY
    for (let at = changed; at < changed + 36 * HOUR; at += HOUR) await take(at, { cover: other })
    const [month] = await seasonMonths(db, domain, '2027-03-01', '2027-03-31')
    expect(month!.days).toBe(1)
    const i = denver()
    const days = await readDays(i, first / DAY, changed / DAY)
    expect([...days.keys()].map(dateText)).toEqual(['2027-03-13'])
  })

  test('removes days and objects older than 180 days, but keeps the month of the 180th day', async () => {
    await db.query(`update season_hour set kept_at = '2027-04-01'`)
    await retireSeason({ database: db, objects }, Date.parse('2027-05-01T00:00:00Z'))
    const months = await seasonMonths(db, domain, '2026-10-01', '2026-12-31')
    expect(months.map(({ month }) => month)).toEqual(['2026-11-01', '2026-12-01'])
    for (const key of await keysOf()) expect(key).not.toMatch(/2026-10|hours\//)
  })

  test('stores waiting hours, replaces a day by one with more hours, and names replaced objects of a month', async () => {
    const here = `set-${Math.random().toString(36).slice(2)}`
    const at = (day: number, hour: number) => new Date(Date.UTC(2026, 5, day, hour))
    const hour = (n: number, dataset = 'urma', key = `${dataset}-${n}`) =>
      putSeasonHour(db, here, { dataset, hour: at(28, n), slab_key: key, cover: 'c' })
    for (const n of [4, 5, 6]) await hour(n)
    await hour(5, 'urma', 'urma-5-again')
    await hour(6, 'rtma')
    expect((await seasonHours(db, here, at(28, 5), at(28, 7))).map(({ slab_key }) => slab_key)).toEqual([
      'urma-5-again',
      'rtma-6',
      'urma-6',
    ])
    expect((await dropSeasonHours(db, { domain: here, hours: [at(28, 4), at(28, 6)] })).sort()).toEqual([
      'rtma-6',
      'urma-4',
      'urma-6',
    ])
    expect(await seasonHours(db, here, at(1, 0), at(30, 0))).toHaveLength(1)

    const day = (date: string, hours: number, observed = hours): SeasonDay => ({
      date,
      hours,
      wanted: 27,
      observed,
      slab_key: `${date}-${hours}-${observed}`,
      cover: 'c',
    })
    const put = (seasonDay: SeasonDay) => putSeasonDay(db, here, seasonDay)
    expect(await put(day('2026-06-28', 25))).toBe(true)
    expect(await put(day('2026-06-28', 27, 25))).toBe(true)
    expect(await put(day('2026-06-28', 26))).toBe(false)
    expect(await put(day('2026-06-28', 27))).toBe(true)
    expect(await put(day('2026-06-28', 27))).toBe(false)
    await put(day('2026-07-01', 27, 20))
    expect(await seasonDays(db, here, '2026-06-01', '2026-06-30')).toEqual([day('2026-06-28', 27)])

    const month = (days: number, manifest: string, monthDate = '2026-06-01'): SeasonMonth => ({
      month: monthDate,
      days,
      hours: days * 27,
      observed: days * 27,
      cover: 'c',
      analysis: [`${monthDate.slice(0, 8)}02`],
      manifest_key: manifest,
    })
    const show = (month: SeasonMonth) => putSeasonMonth(db, here, month)
    expect(await show(month(1, 'a'))).toBeUndefined()
    expect(await show(month(2, 'b'))).toBeUndefined()
    expect(await show(month(1, 'c'))).toBe(false)
    expect(await show(month(2, 'b'))).toBe(false)
    expect(await show(month(3, 'd'))).toBe('a')
    await show(month(1, 'e', '2026-07-01'))
    const shown = async (from: string, to: string) =>
      (await seasonMonths(db, here, from, to)).map(({ manifest_key }) => manifest_key)
    expect(await shown('2026-06-20', '2026-07-03')).toEqual(['d', 'e'])
    expect(await shown('2026-06-20', '2026-06-30')).toEqual(['d'])
    expect((await seasonMonths(db, here, '2026-07-01', '2026-07-01'))[0]).toEqual(month(1, 'e', '2026-07-01'))
    expect((await seasonCounts(db)).find((count) => count.domain === here)).toEqual({
      domain: here,
      days: 2,
      observed: 1,
      first: '2026-06-28',
      last: '2026-07-01',
    })
    const { slabs, manifests } = await dropSeasonBefore(db, '2026-07-01')
    expect(slabs).toEqual(expect.arrayContaining(['2026-06-28-27-27', '2026-06-28-25-25', '2026-06-28-27-25']))
    expect(manifests).toEqual(expect.arrayContaining(['d', 'b']))
    expect(await shown('2026-06-01', '2026-07-31')).toEqual(['e'])
  })
}

import { expect, test } from 'vitest'
import type { ClimateReport, RecordReport } from '../../ingest/domain/weather/climate.ts'
import type { Database } from '../../ingest/ports/database.ts'
import {
  type ClimateText,
  climateRecords,
  climateReports,
  putRecords,
  putReports,
  putText,
  rejectedTexts,
  unreadTexts,
} from '../../sql/queries/climate.ts'

/** Climate texts over any database. */
export function climateSuite(open: () => { db: Database }): void {
  const station = () => Math.random().toString(36).slice(2, 5).toUpperCase()
  const at = (day: number, hour: number) => new Date(Date.UTC(2026, 5, day, hour))
  let count = 0
  const text = (kind: 'CLI' | 'RER', location: string, issuedAt: Date, rejected?: string): ClimateText => ({
    id: `text-${location}-${count++}`,
    kind,
    location,
    office: 'KLWX',
    issuedAt,
    rejected,
  })
  const missing = { high: null, low: null, average: null }
  const amount = { total: null, trace: false, monthToDate: null, normal: null, record: { value: null, years: [] } }
  const report = (code: string, date: string, high: number, more: Partial<ClimateReport> = {}): ClimateReport => ({
    station: code,
    name: 'WASHINGTON NATIONAL DC',
    date,
    issuedAt: at(29, 6).getTime(),
    office: 'KLWX',
    preliminary: false,
    temperature: {
      ...missing,
      high,
      normals: missing,
      departures: missing,
      highRecord: { value: 100, years: [1969, 1934] },
      lowRecord: { value: null, years: [] },
    },
    precipitation: { ...amount, yearToDate: null },
    snow: { ...amount, depth: null, seasonToDate: null },
    ...more,
  })
  const record = (code: string, date: string, value: number, event: RecordReport['event'] = 'HIGH'): RecordReport => ({
    station: code,
    event,
    value,
    previous: value - 1,
    previousYear: 1953,
    previousYears: [1953],
    tied: false,
    issuedAt: at(29, 6).getTime(),
    office: 'KLWX',
    date,
    text: `A RECORD OF ${value}.`,
  })
  const put = async (
    kind: 'CLI' | 'RER',
    code: string,
    wmoAt: Date,
    bbbRank: number,
    items: readonly (ClimateReport | RecordReport)[],
  ) =>
    open().db.transaction(async (tx) => {
      const issue = text(kind, code, wmoAt)
      await putText(tx, issue)
      if (kind === 'CLI') await putReports(tx, issue.id, { wmoAt, bbbRank }, items as ClimateReport[])
      else await putRecords(tx, issue.id, { wmoAt, bbbRank }, items as RecordReport[])
      return issue.id
    })

  test('keeps the last issue for a station and date in any order of arrival', async () => {
    const code = station()
    const { db } = open()
    await put('CLI', code, at(29, 6), 0, [report(code, '2026-06-28', 91)])
    await put('CLI', code, at(28, 20), 0, [report(code, '2026-06-28', 90, { preliminary: true })])
    expect(await climateReports(db, { station: code, limit: 10 })).toEqual([report(code, '2026-06-28', 91)])
    await put('CLI', code, at(29, 6), 301, [report(code, '2026-06-28', 92)])
    await put('CLI', code, at(29, 6), 0, [report(code, '2026-06-28', 91)])
    const [only, ...more] = await climateReports(db, { station: code, limit: 10 })
    expect([only!.temperature.high, more.length]).toEqual([92, 0])
  })

  test('stores a row for each station of a text', async () => {
    const code = station()
    const names = ['INTERCONTINENTAL', 'HOBBY']
    await put(
      'CLI',
      code,
      at(29, 6),
      0,
      names.map((name) => report(code, '2026-06-28', 91, { name })),
    )
    const rows = await climateReports(open().db, { station: code, limit: 10 })
    expect(rows.map(({ name }) => name)).toEqual(['HOBBY', 'INTERCONTINENTAL'])
  })

  test('filters by office, dates and time of issue up to a limit, newest first', async () => {
    const code = station()
    const { db } = open()
    for (const day of [26, 27, 28]) {
      const date = `2026-06-${day}`
      await put('CLI', code, at(day + 1, 6), 0, [report(code, date, day, { issuedAt: at(day + 1, 6).getTime() })])
    }
    const highs = async (filter: object) =>
      (await climateReports(db, { station: code, limit: 10, ...filter })).map(({ temperature }) => temperature.high)
    expect(await highs({})).toEqual([28, 27, 26])
    expect(await highs({ limit: 2 })).toEqual([28, 27])
    expect(await highs({ wfo: 'LWX' })).toEqual([28, 27, 26])
    expect(await highs({ wfo: 'BOX' })).toEqual([])
    expect(await highs({ dates: ['2026-06-26', '2026-06-27'] })).toEqual([27, 26])
    expect(await highs({ issuedFrom: at(28, 6) })).toEqual([28, 27])
  })

  test('keeps records side by side and replaces a corrected record', async () => {
    const code = station()
    const { db } = open()
    await put('RER', code, at(28, 20), 0, [record(code, '2026-06-28', 87), record(code, '2026-06-28', 2, 'RAIN')])
    await put('RER', code, at(28, 22), 0, [record(code, '2026-06-28', 88)])
    const values = async (filter: object = {}) =>
      (await climateRecords(db, { station: code, limit: 10, ...filter })).map(({ event, value }) => `${event} ${value}`)
    expect((await values()).sort()).toEqual(['HIGH 87', 'HIGH 88', 'RAIN 2'])
    await put('RER', code, at(28, 23), 302, [record(code, '2026-06-28', 86)])
    expect((await values()).sort()).toEqual(['HIGH 86', 'RAIN 2'])
    expect(await values({ event: 'HIGH' })).toEqual(['HIGH 86'])
    expect(await values({ event: 'LOW' })).toEqual([])
    // The report that it corrects may be read after it.
    await put('RER', code, at(28, 22), 0, [record(code, '2026-06-28', 89), record(code, '2026-06-28', 3, 'SNOW')])
    expect((await values()).sort()).toEqual(['HIGH 86', 'RAIN 2', 'SNOW 3'])
    await put('RER', code, at(29, 0), 0, [record(code, '2026-06-28', 90)])
    expect((await values()).sort()).toEqual(['HIGH 86', 'HIGH 90', 'RAIN 2', 'SNOW 3'])
  })

  test('reads a text once and names rejected texts', async () => {
    const code = station()
    const { db } = open()
    const good = text('CLI', code, at(28, 6))
    const bad = text('CLI', code, at(28, 7), 'expected a headline, but found none')
    expect(await unreadTexts(db, [good.id, bad.id])).toEqual([good.id, bad.id])
    expect(await putText(db, good)).toBe(true)
    expect(await putText(db, good)).toBe(false)
    await putText(db, bad)
    expect(await unreadTexts(db, [bad.id, 'another', good.id])).toEqual(['another'])
    expect(await rejectedTexts(db, 'CLI', { station: code, issuedFrom: at(28, 0) })).toEqual([
      {
        id: bad.id,
        office: 'KLWX',
        location: code,
        issued_at: at(28, 7),
        rejected: 'expected a headline, but found none',
      },
    ])
    expect(await rejectedTexts(db, 'RER', { station: code, issuedFrom: at(28, 0) })).toEqual([])
    expect(await rejectedTexts(db, 'CLI', { station: code, issuedFrom: at(28, 8) })).toEqual([])
  })
}

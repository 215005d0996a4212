import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readTextProducts } from '../../../ingest/decode/text/product.ts'
import { endNear, instantNear, issueTimes, timeOfLine, zoneOffset } from '../../../ingest/decode/text/time.ts'
import { isFault } from '../../../ingest/domain/fault.ts'
import { nth } from '../../../ingest/domain/nth.ts'
import { bbbRank, compareIssues } from '../../../ingest/domain/text/order.ts'

const folder = '../shared/fixtures/text'
const minuteOf = (at: number | undefined) => (at === undefined ? undefined : new Date(at).toISOString().slice(0, 16))
const reasonOf = (read: () => unknown) => {
  try {
    read()
  } catch (error) {
    if (isFault(error, 'Corrupt')) return error.details['reason']
    throw error
  }
  return undefined
}

describe('headings', () => {
  test('returns the WMO line, the AWIPS line and the cleaned body', () => {
    const text =
      '\u0001\r\r\n956 \r\r\nFXUS61 KBOX 270001 AAB \r\r\nAFDBOX \r\r\n\r\r\nAREA  FORECAST \r\r\n\r\r\nX \t\r\r\n$$\r\r\n\r\r\n\u0003'
    expect(readTextProducts(text)).toEqual([
      {
        wmo: 'FXUS61',
        office: 'KBOX',
        ddhhmm: '270001',
        bbb: 'AAB',
        awips: 'AFDBOX',
        body: 'AREA  FORECAST\n\nX\n$$',
      },
    ])
  })

  test('separates several products in one text, each with its own lines', () => {
    const text = [
      '000',
      'FXUS61 KBOX 270001',
      'AFDBOX',
      'first',
      '',
      '123 ',
      'FLUS41 KOKX 270002 CCA',
      'HWOOKX',
      'second',
    ].join('\n')
    expect(readTextProducts(text).map(({ awips, office, bbb, body }) => [awips, office, bbb, body])).toEqual([
      ['AFDBOX', 'KBOX', undefined, 'first'],
      ['HWOOKX', 'KOKX', 'CCA', 'second'],
    ])
  })

  test('starts no product at a WMO line without an AWIPS line', () => {
    const [only, none] = readTextProducts('FXUS61 KBOX 270001\nAFDBOX\nsee\nFLUS41 KOKX 270002\nlower case\n')
    expect([only!.body, none]).toEqual(['see\nFLUS41 KOKX 270002\nlower case', undefined])
  })

  test('rejects a report with a reason', () => {
    expect(reasonOf(() => readTextProducts('This is short text, just for testing.'))).toBe('no_heading')
    expect(reasonOf(() => readTextProducts('\n<!DOCTYPE html><p>busy</p>'))).toBe('html')
    expect(reasonOf(() => readTextProducts('FXUS61 KBOX 270001\nAFDBOX\n\u0000'))).toBe('control_characters')
    expect(reasonOf(() => readTextProducts(`FXUS61 KBOX 270001\nAFDBOX\n${'a\u0002'.repeat(100)}`))).toBe(
      'control_characters',
    )
    expect(reasonOf(() => readTextProducts('é'.repeat(140_000)))).toBe('too_large')
    expect(reasonOf(() => readTextProducts(''))).toBe('no_heading')
  })

  test('replaces an invalid character with U+FFFD', () => {
    expect(nth(readTextProducts('FXUS61 KBOX 270001\nAFDBOX\na\ud800b'), 0).body).toBe('a\ufffdb')
  })
})

describe('times', () => {
  test.each([
    ['1042 PM EST Fri Sep 4 2026', '2026-09-05T03:42'],
    ['952 AM AKST TUE JAN 7 2026', '2026-01-07T18:52'],
    ['1148 PM EST Tue Jan 6 2026', '2026-01-07T04:48'],
    ['0032 AM HST Wed Jan 7 2026', '2026-01-07T10:32'],
    ['1205 AM EDT Wed Jan 7 2026', '2026-01-07T04:05'],
    ['12 PM CDT Wed Jul 8 2026', '2026-07-08T17:00'],
    ['527 AM ChST Sun Jun 19 2016', '2016-06-18T19:27'],
    ['1145 PM CHST TUESDAY APRIL 21 2015', '2015-04-21T13:45'],
    ['/511 AM EST Tue Feb 7 2017/', '2017-02-07T10:11'],
    ['1430 UTC Tue Jan 2 2024', '2024-01-02T14:30'],
    ['100 AM SST Mon Jan 5 2026', '2026-01-05T12:00'],
    ['1230 PM AST Mon Jan 5 2026 /1130 AM EST Mon Jan 5 2026/', '2026-01-05T16:30'],
    ['1360 PM EST Fri Sep 4 2026', undefined],
    ['1300 PM EST Fri Sep 4 2026', undefined],
    ['432 AM AST LUNES 18 DE ABRIL DE 2016', undefined],
    ['1042 PM XYZ Fri Sep 4 2026', undefined],
    ['1042 PM EST Fri Feb 30 2026', undefined],
    ['Issued at 948 AM EDT Fri Sep 27 2024', undefined],
  ])('%s', (line, at) => expect(minuteOf(timeOfLine(line))).toBe(at))

  test('finds zones by name alone', () => {
    expect(['edt', 'AKDT', 'ChST', 'z', 'CET'].map(zoneOffset)).toEqual([-240, -480, 600, 0, undefined])
  })

  test('reads ddhhmm across the end of a month and a year', () => {
    const newYear = Date.UTC(2026, 11, 31, 23, 50)
    expect(minuteOf(instantNear('010005', newYear))).toBe('2027-01-01T00:05')
    expect(minuteOf(endNear('010600', newYear))).toBe('2027-01-01T06:00')
    expect(minuteOf(endNear('291200', Date.UTC(2024, 1, 28, 12)))).toBe('2024-02-29T12:00')
    expect(endNear('291200', Date.UTC(2025, 1, 27, 12))).toBeUndefined()
    expect(endNear('012460', newYear)).toBeUndefined()
    // Three days before the issuance is too early for an end.
    expect(endNear('281200', newYear)).toBeUndefined()
    expect(minuteOf(endNear('301200', newYear))).toBe('2026-12-30T12:00')
  })

  test('ignores a time line that differs from the WMO line by more than three hours', () => {
    const near = Date.UTC(2026, 8, 4, 12)
    const times = (line: string) => {
      const { wmoAt, issuedAt } = issueTimes({ ddhhmm: '041150', body: line }, near)!
      return [minuteOf(wmoAt), minuteOf(issuedAt)]
    }
    expect(times('752 AM EDT Fri Sep 4 2026')).toEqual(['2026-09-04T11:50', '2026-09-04T11:52'])
    expect(times('752 PM EDT Fri Sep 4 2026')).toEqual(['2026-09-04T11:50', '2026-09-04T11:50'])
    expect(times('no time')).toEqual(['2026-09-04T11:50', '2026-09-04T11:50'])
  })
})

test('orders products by WMO time, then by none, RRx, AAx, CCx', () => {
  const order = [undefined, 'RRA', 'RRB', 'AAA', 'AAB', 'AAZ', 'CCA', 'CCB']
  const ranks = order.map(bbbRank)
  expect([...ranks].sort((a, b) => a - b)).toEqual(ranks)
  expect(new Set(ranks).size).toBe(order.length)
  expect(bbbRank('COR')).toBe(bbbRank('CCA'))
  expect(bbbRank('PAA')).toBe(0)
  expect(compareIssues({ wmoAt: 2 }, { wmoAt: 1, bbb: 'CCA' })).toBeGreaterThan(0)
  expect(compareIssues({ wmoAt: 1, bbb: 'AAB' }, { wmoAt: 1, bbb: 'CCA' })).toBeLessThan(0)
})

const families = ['afd/nws-text', 'hwo', 'now', 'hls', 'pmd', 'cli', 'rer', 'spc/mcd', 'wpc/mpd']
const texts = existsSync(folder)
  ? families.flatMap((family) =>
      readdirSync(join(folder, family), { recursive: true, encoding: 'utf8' })
        .filter((name) => name.endsWith('.txt'))
        .map((name) => join(folder, family, name)),
    )
  : []

describe.skipIf(texts.length === 0)('real texts (../shared/fixtures)', () => {
  test('finds the headings of every discussion', () => {
    const wrong = texts.filter((file) => {
      const [product] = readTextProducts(readFileSync(file, 'latin1'))
      return !product || product.body.length < 5 || product.body.includes('\r')
    })
    expect(wrong).toEqual([])
    expect(texts.length).toBeGreaterThan(60)
  })

  test('reads local time lines that agree with the WMO line', () => {
    const disagreeing = texts.filter((file) => {
      const [product] = readTextProducts(readFileSync(file, 'latin1'))
      const local = product!.body.split('\n').map(timeOfLine).find(Boolean)
      const { wmoAt } = issueTimes(product!, local ?? Date.UTC(2020, 0, 15))!
      return local === undefined || Math.abs(local - wmoAt) > 3 * 3_600_000
    })
    expect(disagreeing.map((file) => file.replace(/.*\//, '')).sort()).toMatchInlineSnapshot(`
      [
        "AFD_noMND.txt",
        "CLIPPG.txt",
        "HWOSPN.txt",
      ]
    `)
  })
})

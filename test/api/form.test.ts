import { expect, test } from 'vitest'
import { type Blank, choice, date, desk, flag, form, instant, MARGIN, number } from '../../api/present/form.ts'
import { openPage, written } from '../../api/present/page.ts'
import { units } from '../../api/present/units.ts'
import { DAY, isoSeconds, SECOND } from '../../ingest/domain/time.ts'
import { seeded } from '../tile/made-slabs.ts'

const laid = (...pieces: (string | Blank)[]) => form(pieces, units.metric)
const said = (of: ReturnType<typeof laid>, ...values: number[]) => {
  of.values.set(values)
  return written((page) => page.put(of))
}

test('text, numbers, choices and what stands behind the last of them', () => {
  const row = laid(
    '{"a":',
    number('tenth'),
    ',"b":',
    choice(['null', '"day"', '"a longer word than sixteen octets"']),
    '}',
  )
  expect(said(row, 1.25, 2)).toBe('{"a":1.3,"b":"a longer word than sixteen octets"}')
  expect(said(row, Number.NaN, 0)).toBe('{"a":null,"b":null}')
  expect(said(laid(flag, ' ', flag), 0, 1)).toBe('false true')
  expect(said(laid('no blank at all, and more than sixteen octets'))).toBe(
    'no blank at all, and more than sixteen octets',
  )
})

test('dates and instants are those of JavaScript, to the second, from 1900 to 2100', () => {
  const row = laid(instant, ' ', date)
  const random = seeded(3)
  const first = Date.UTC(1900, 0, 1)
  const span = Date.UTC(2101, 0, 1) - first
  for (let i = 0; i < 20_000; i++) {
    const at = first + Math.floor(random() * span)
    const day = Math.floor(at / DAY)
    expect(said(row, at, day)).toBe(`"${isoSeconds(at)}" ${new Date(day * DAY).toISOString().slice(0, 10)}`)
  }
  for (let day = Date.UTC(1999, 11, 25) / DAY; day < Date.UTC(2005, 0, 5) / DAY; day++) {
    const date = new Date(day * DAY).toISOString().slice(0, 10)
    expect(said(row, (day + 1) * DAY - 1, day)).toBe(`"${date}T23:59:59Z" ${date}`)
  }
  expect(said(row, Number.NaN, 0)).toBe('null 1970-01-01')
})

test('numbers at hand and others, with up to three decimals', () => {
  const row = laid(number('whole'), ' ', number('tenth'), ' ', number('millimetre'), ' ', number('thousandth'))
  for (const steps of [0, 1, 9, 10, 99, 100, 1000, 12_340, 16_383, 16_384, 101_325, 7_654_321, -1, -16_384]) {
    const values = [steps, steps / 10, steps / 100, steps / 1000] as const
    expect(said(row, ...values)).toBe(values.join(' '))
  }
})

test('a page holds more than its paper, in the order of writing, letters of several octets too', () => {
  const row = laid('x'.repeat(900), number('whole'), ';')
  const parts: string[] = []
  const page = openPage()
  for (let i = 0; i < 2000; i++) {
    row.values[0] = i
    page.put(row)
    parts.push(`${'x'.repeat(900)}${i};`)
    if (i % 100 === 0) {
      const text = i === 1000 ? 'Ꮳ'.repeat(300_000) : `Utqiaġvik ${i}`
      page.text(text)
      parts.push(text)
    }
  }
  const bytes = page.bytes()
  expect(bytes.toString() === parts.join('')).toBe(true)
  expect(bytes.buffer).not.toBe(desk().bytes.buffer)
})

test('a page keeps what was written when the next one is begun, and is not written to any more', () => {
  const row = laid('row ', number('whole'))
  const first = openPage()
  row.values[0] = 1
  first.put(row)
  const bytes = first.bytes()
  expect(() => first.text('more')).toThrow('after its end')
  const second = openPage()
  second.text('second')
  const third = openPage()
  expect(() => second.put(row)).toThrow('after another was begun')
  expect(() => second.bytes()).toThrow('after another was begun')
  third.text('third')
  expect(third.bytes().toString()).toBe('third')
  expect(bytes.toString()).toBe('row 1')
})

test('a form that might not fit where forms are written is refused', () => {
  expect(() => laid('x'.repeat(MARGIN), number('whole'))).toThrow(`at most ${MARGIN}`)
  expect(() => laid('x', choice(['', 'x'.repeat(MARGIN)]))).toThrow(`at most ${MARGIN}`)
})

test('a choice that is none of its texts is refused', () => {
  for (const value of [2, -1, Number.NaN, 4e9]) expect(() => said(laid(flag), value)).toThrow(WebAssembly.RuntimeError)
})

test('seconds of an instant are cut, not rounded', () => {
  expect(said(laid(instant), 86_399.999 * SECOND)).toBe('"1970-01-01T23:59:59Z"')
})

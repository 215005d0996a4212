import { expect, test } from 'vitest'
import { BytePage } from '../../../api/present/page.ts'
import { type Placeholder, type TextTemplate, textTemplate } from '../../../api/present/template.ts'
import { type Quantity, units } from '../../../api/present/units.ts'
import { MAX_TEMPLATE_BYTES, WriterMemory } from '../../../api/present/writer-memory.ts'
import { nth } from '../../../ingest/domain/nth.ts'
import { DAY, isoSeconds, SECOND } from '../../../ingest/domain/time.ts'
import { seeded } from '../../tile/made-slabs.ts'

const memory = new WriterMemory()
const number = (quantity: Quantity) => ({ kind: 'number', quantity }) as const
const instant = { kind: 'instant' } as const
const date = { kind: 'date' } as const
const choice = (texts: readonly string[]) => ({ kind: 'choice', texts }) as const
const flag = choice(['false', 'true'])

const compiled = (...pieces: (string | Placeholder)[]) => textTemplate(memory, pieces, units.metric)
const filled = (template: TextTemplate, ...values: number[]) => {
  template.values.set(values)
  return memory.bytes.toString('utf8', memory.output, template.write(memory.output))
}

test('writes text, numbers, choices and the text after the last placeholder', () => {
  const row = compiled(
    '{"a":',
    number('tenth'),
    ',"b":',
    choice(['null', '"day"', '"a longer word than sixteen octets"']),
    '}',
  )
  expect(filled(row, 1.25, 2)).toBe('{"a":1.3,"b":"a longer word than sixteen octets"}')
  expect(filled(row, Number.NaN, 0)).toBe('{"a":null,"b":null}')
  expect(filled(compiled(flag, ' ', flag), 0, 1)).toBe('false true')
  expect(filled(compiled('no blank at all, and more than sixteen octets'))).toBe(
    'no blank at all, and more than sixteen octets',
  )
})

test('writes dates and instants like JavaScript, to the second, from 1900 to 2100', () => {
  const row = compiled(instant, ' ', date)
  const random = seeded(3)
  const first = Date.UTC(1900, 0, 1)
  const span = Date.UTC(2101, 0, 1) - first
  for (let i = 0; i < 20_000; i++) {
    const at = first + Math.floor(random() * span)
    const day = Math.floor(at / DAY)
    expect(filled(row, at, day)).toBe(`"${isoSeconds(at)}" ${new Date(day * DAY).toISOString().slice(0, 10)}`)
  }
  for (let day = Date.UTC(1999, 11, 25) / DAY; day < Date.UTC(2005, 0, 5) / DAY; day++) {
    const date = new Date(day * DAY).toISOString().slice(0, 10)
    expect(filled(row, (day + 1) * DAY - 1, day)).toBe(`"${date}T23:59:59Z" ${date}`)
  }
  expect(filled(row, Number.NaN, 0)).toBe('null 1970-01-01')
})

test('writes precomputed and other numbers with up to three decimals', () => {
  const row = compiled(number('whole'), ' ', number('tenth'), ' ', number('millimetre'), ' ', number('thousandth'))
  for (const steps of [0, 1, 9, 10, 99, 100, 1000, 12_340, 16_383, 16_384, 101_325, 7_654_321, -1, -16_384]) {
    const values = [steps, steps / 10, steps / 100, steps / 1000] as const
    expect(filled(row, ...values)).toBe(values.join(' '))
  }
})

test('writes pages that exceed the output buffer, in order, with multi-byte letters', () => {
  const row = compiled(`,"${'x'.repeat(900)}":`, number('whole'))
  const parts: string[] = []
  const page = new BytePage(memory)
  for (let i = 0; i < 2000; i++) {
    row.values[0] = i
    page.put(row)
    parts.push(`"${'x'.repeat(900)}":${i}`)
    if (i % 100 === 0) {
      const text = i === 1000 ? 'Ꮳ'.repeat(300_000) : `Utqiaġvik ${i}`
      page.value('text', text)
      parts.push(`"text":"${text}"`)
    }
  }
  const bytes = page.end()
  expect(bytes.toString() === `{${parts.join()}}`).toBe(true)
  expect(bytes.buffer).not.toBe(memory.bytes.buffer)
})

test('keeps closing brackets at the end of the output buffer out of the templates after it', () => {
  const first = compiled(',"first":', number('tenth'))
  const long = compiled(`,{"a":"${'x'.repeat(MAX_TEMPLATE_BYTES - 200)}"`)
  const page = new BytePage(memory)
  const count = Math.ceil((memory.outputEnd - memory.output) / MAX_TEMPLATE_BYTES) + 3
  page.openList('list')
  for (let i = 0; i < count; i++) {
    page.put(long)
    page.closeObject()
  }
  page.closeList()
  const { list } = JSON.parse(page.end().toString()) as { list: object[] }
  expect(list).toHaveLength(count)
  expect(filled(first, 1.25)).toBe(',"first":1.3')
})

test('keeps the bytes of interleaved pages apart, and rejects writes to an ended page', () => {
  const row = compiled(',"row":', number('whole'))
  const pages = [new BytePage(memory), new BytePage(memory), new BytePage(memory)]
  const expected: string[][] = [[], [], []]
  for (let i = 0; i < 3000; i++) {
    const which = (i * 7) % 3
    row.values[0] = i
    nth(pages, which).put(row)
    nth(expected, which).push(`"row":${i}`)
  }
  expect(pages.map((page) => page.end().toString())).toEqual(expected.map((rows) => `{${rows.join()}}`))
  expect(() => nth(pages, 0).value('more', 1)).toThrow('after its end')
  expect(new BytePage(memory).end().toString()).toBe('{}')
})

test('compiles any number of templates: the memory grows, and earlier templates still work', () => {
  const first = compiled('{"first":', number('tenth'), '}')
  const before = memory.bytes.length
  const many = Array.from({ length: 400 }, (_, i) => compiled('x'.repeat(2000), number('whole'), `-${i}`))
  expect(memory.bytes.length).toBeGreaterThan(before + 400 * 2000 - 65_536)
  for (const [i, row] of many.entries()) expect(filled(row, i) === `${'x'.repeat(2000)}${i}-${i}`).toBe(true)
  expect(filled(first, 1.25)).toBe('{"first":1.3}')
})

test('rejects a template that might not fit into the output buffer', () => {
  expect(() => compiled('x'.repeat(MAX_TEMPLATE_BYTES), number('whole'))).toThrow(`at most ${MAX_TEMPLATE_BYTES}`)
  expect(() => compiled('x', choice(['', 'x'.repeat(MAX_TEMPLATE_BYTES)]))).toThrow(`at most ${MAX_TEMPLATE_BYTES}`)
})

test('rejects a choice without a text', () => {
  for (const value of [2, -1, Number.NaN, 4e9])
    expect(() => filled(compiled(flag), value)).toThrow(WebAssembly.RuntimeError)
})

test('truncates the seconds of an instant', () => {
  expect(filled(compiled(instant), 86_399.999 * SECOND)).toBe('"1970-01-01T23:59:59Z"')
})

import { expect, test } from 'vitest'
import {
  bound,
  boundTemplate,
  choice,
  date,
  flag,
  instant,
  type Member,
  member,
  number,
  numberMembers,
  template,
} from '../../../api/present/members.ts'
import { openBytePage, openObjectPage, type Page } from '../../../api/present/page.ts'
import { type Quantity, units } from '../../../api/present/units.ts'
import { WriterMemory } from '../../../api/present/writer-memory.ts'
import { nth } from '../../../ingest/domain/nth.ts'
import { seeded } from '../../tile/made-slabs.ts'

const memory = new WriterMemory()
const systems = Object.values(units)

/** The bytes of what is written, as text; the object of the same is checked to be what they are parsed to. */
function both(write: (page: Page) => void): string {
  const bytes = openBytePage(memory)
  write(bytes)
  const text = bytes.end().toString()
  const object = openObjectPage(memory)
  write(object)
  const value = object.end()
  expect(value).toStrictEqual(JSON.parse(text))
  expect(JSON.stringify(value)).toBe(text)
  return text
}

const compiled = (members: readonly Member[], opens?: { readonly name?: string }) =>
  template(memory, members, units.metric, opens)

test.each(systems.map((system) => [system.system, system] as const))(
  '%s: numbers as JavaScript prints them',
  (_, system) => {
    const quantities = Object.keys(system.conversions) as Quantity[]
    const all = template(memory, numberMembers(quantities.map((quantity) => ({ name: quantity, quantity }))), system)
    const random = seeded(7)
    for (let round = 0; round < 3000; round++) {
      const size = 10 ** Math.floor(random() * 9 - 3)
      for (let i = 0; i < all.values.length; i++) {
        const value = (random() - 0.4) * size
        // Whole, halves and thirds of steps, and float32 as in tiles.
        all.values[i] = nth(
          [value, Math.round(value), Math.round(value * 2) / 2, Math.fround(value), Math.round(value) / 20],
          Math.floor(random() * 5),
        )
      }
      const plain = quantities.map((quantity, i) => {
        const { scale, offset, decimals } = system.conversions[quantity]
        return `"${quantity}":${Math.round((nth(all.values, i) * scale + offset) * 10 ** decimals) / 10 ** decimals + 0}`
      })
      expect(both((page) => page.put(all))).toBe(`{${plain.join()}}`)
    }
  },
)

test('rounds halves up, writes no minus zero, and writes null for NaN', () => {
  const template = boundTemplate<number>(memory, [bound('n', number('whole'), (value) => value)], units.metric)
  const shownAs = (value: number) => both((page) => page.put(template.from(value)))
  expect([0.5, 1.5, -0.5, -1.5, -0.4, -0, 0.49999999999999994, 2147483647].map(shownAs)).toEqual(
    ['1', '2', '0', '-1', '0', '0', '0', '2147483647'].map((text) => `{"n":${text}}`),
  )
  expect([Number.NaN, Infinity, -Infinity, 1e12].map(shownAs)).toEqual(Array(4).fill('{"n":null}'))
})

test('writes instants, dates, choices, constants, optional members and objects', () => {
  const row = compiled([
    member('at', instant),
    member('day', date),
    member('half', choice([null, 'day', 'a "quoted"\\ word of more than sixteen bytes'])),
    { oneOf: [{}, { conditions: 'Fog', icon: 'fog' }] },
    { name: 'none', is: [] },
    { name: 'inner', members: [member('sure', flag), { name: 'deep', members: [member('n', number('tenth'))] }] },
  ])
  row.values.set([86_399_999, 1, 2, 1, 1, 2.25])
  const filled = () => both((page) => page.put(row))
  expect(JSON.parse(filled())).toEqual({
    at: '1970-01-01T23:59:59Z',
    day: '1970-01-02',
    half: 'a "quoted"\\ word of more than sixteen bytes',
    conditions: 'Fog',
    icon: 'fog',
    none: [],
    inner: { sure: true, deep: { n: 2.3 } },
  })
  row.values.set([Number.NaN, 0, 0, 0, 0, Number.NaN])
  expect(filled()).toBe('{"at":null,"day":"1970-01-01","half":null,"none":[],"inner":{"sure":false,"deep":{"n":null}}}')
})

test('writes empty and filled lists, items and objects, and values of any kind between them', () => {
  const item = compiled([member('n', number('whole'))], {})
  const open = compiled([member('m', number('whole'))], { name: 'object' })
  const last = compiled([member('l', number('whole'))])
  const write = (items: number) => (page: Page) => {
    page.openList('list')
    for (let i = 0; i < items; i++) {
      item.values[0] = i
      page.put(item)
      if (i % 2) page.value('text', `"${i}" Utqiaġvik`)
      page.closeObject()
    }
    page.closeList()
    page.value('absent', undefined)
    page.value('empty', {})
    page.put(open)
    page.value('list', [1, null])
    page.put(last)
    page.closeObject()
    page.value('after', false)
  }
  expect(both(write(0))).toBe('{"list":[],"empty":{},"object":{"m":0,"list":[1,null],"l":0},"after":false}')
  expect(both(write(3))).toContain('{"list":[{"n":0},{"n":1,"text":"\\"1\\" Utqiaġvik"},{"n":2}],"empty"')
  expect(both(() => {})).toBe('{}')
})

test('rejects a choice without a value in both forms', () => {
  const object = compiled([member('sure', flag)])
  for (const value of [2, -1, Number.NaN, 4e9]) {
    object.values[0] = value
    expect(() => openBytePage(memory).put(object)).toThrow(WebAssembly.RuntimeError)
    expect(() => openObjectPage(memory).put(object)).toThrow('A choice of 2 values has no value')
  }
})

test('rejects an object whose first member may be absent, and a page that is left open or written after its end', () => {
  const maybe: Member = { oneOf: [{}, { a: 1 }] }
  expect(() => compiled([maybe], {})).toThrow('must begin with a member that is always present')
  expect(() => compiled([{ name: 'inner', members: [maybe] }])).toThrow('must begin with a member')
  const page = openObjectPage(memory)
  page.openList('list')
  expect(() => page.end()).toThrow('open')
  const ended = openObjectPage(memory)
  ended.end()
  expect(() => ended.value('a', 1)).toThrow('after its end')
})

test('keeps the order of members whatever the length of a text', () => {
  // The output buffer has 256 KiB and a template's length more; a text may take three bytes for each character.
  for (let kib = 80; kib <= 96; kib++) {
    const text = 'a'.repeat(kib * 1024)
    const write = (page: Page) => {
      page.value('before', 1)
      page.value('text', text)
      page.value('after', 2)
    }
    expect(both(write)).toBe(`{"before":1,"text":"${text}","after":2}`)
  }
})

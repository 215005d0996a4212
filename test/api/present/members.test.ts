import { expect, test } from 'vitest'
import { type MemberField, membersText, readFrom } from '../../../api/present/members.ts'
import { shown } from '../../../api/present/text.ts'
import { type Quantity, units } from '../../../api/present/units.ts'
import { WriterMemory } from '../../../api/present/writer-memory.ts'
import { seeded } from '../../tile/made-slabs.ts'

const quantities = Object.keys(units.metric.of) as Quantity[]
const fields: readonly MemberField[] = quantities.map((quantity) => ({ name: `the ${quantity}`, quantity }))
/** Shows the values of an array, in order. */
const textOf = membersText(
  fields.map(({ name, quantity }, i) => readFrom(name, quantity, (values: Float64Array) => values[i]!)),
)
const memory = new WriterMemory()
const systems = Object.values(units)

/** What each number is by JavaScript's own rounding and printing. */
function plain(values: Float64Array, system: (typeof systems)[number]): string {
  return fields.map(({ name, quantity }, i) => `,"${name}":${shown(values[i]!, system.of[quantity])}`).join('')
}

test.each(systems.map((system) => [system.system, system] as const))('%s: as JavaScript prints them', (_, system) => {
  const random = seeded(7)
  const values = new Float64Array(fields.length)
  for (let round = 0; round < 3000; round++) {
    const size = 10 ** Math.floor(random() * 9 - 3)
    for (let i = 0; i < values.length; i++) {
      const value = (random() - 0.4) * size
      // Whole, halves and thirds of steps, and float32 as in tiles.
      values[i] = [value, Math.round(value), Math.round(value * 2) / 2, Math.fround(value), Math.round(value) / 20][
        Math.floor(random() * 5)
      ]!
    }
    expect(textOf(memory, values, system)).toBe(plain(values, system))
  }
})

test('halves go up, there is no minus zero, and what is no number is null', () => {
  const one = membersText([readFrom('n', 'whole', (value: number) => value)])
  const shownAs = (value: number) => one(memory, value, units.metric)
  expect([0.5, 1.5, -0.5, -1.5, -0.4, -0, 0.49999999999999994, 2147483647].map(shownAs)).toEqual(
    ['1', '2', '0', '-1', '0', '0', '0', '2147483647'].map((number) => `,"n":${number}`),
  )
  expect([Number.NaN, Infinity, -Infinity, 1e12].map(shownAs)).toEqual(Array(4).fill(',"n":null'))
})

import { describe, expect, test } from 'vitest'
import { GribError, memory, readMessages } from '../src/index.ts'
import { craftSimple, octets, pack } from './craft.ts'

const one = craftSimple(3, 2, [1, 2, 3, 4, 5, 6], 8)
const two = craftSimple(2, 2, [9, 8, 7, 6], 8)
const bytes = (...parts: (Uint8Array | string)[]) =>
  new Uint8Array(parts.flatMap((part) => (typeof part === 'string' ? [...Buffer.from(part, 'latin1')] : [...part])))

function read(data: Uint8Array): { fields: number[][]; fault?: GribError } {
  const fields: number[][] = []
  try {
    for (const message of readMessages(data)) fields.push([...message.values()])
  } catch (cause) {
    expect(cause).toBeInstanceOf(GribError)
    return { fields, fault: cause as GribError }
  }
  return { fields }
}

/** Sections 4 to 7 of a message once more, so that it has two fields. */
function twice(message: Uint8Array, change: (sections: Uint8Array) => Uint8Array): Uint8Array {
  let at = 16
  const view = new DataView(message.buffer)
  while (message[at + 4] !== 4) at += view.getUint32(at)
  const again = change(message.slice(at, -4))
  const whole = bytes(message.subarray(0, -4), again, '7777')
  whole.set(octets(whole.length, 8), 8)
  return whole
}

describe('the walk', () => {
  test('messages behind each other, with junk before, between and behind', () => {
    const whole = bytes('\r\r\nWMO HEADER GRI\r\r\n', one, '\0\0\0padding', two, 'end')
    expect(read(whole)).toEqual({
      fields: [
        [1, 2, 3, 4, 5, 6],
        [9, 8, 7, 6],
      ],
    })
    const found = [...readMessages(whole)].map(({ index, field, offset, byteLength }) => [
      index,
      field,
      offset,
      byteLength,
    ])
    expect(found).toEqual([
      [0, 0, 20, one.length],
      [1, 0, 30 + one.length, two.length],
    ])
  })

  test('sections that repeat give one field each', () => {
    const message = twice(one, (sections) => {
      // The last octet of section 7.
      sections[sections.length - 1] = 60
      return sections
    })
    expect(read(message).fields).toEqual([
      [1, 2, 3, 4, 5, 6],
      [1, 2, 3, 4, 5, 60],
    ])
    expect([...readMessages(message)].map(({ index, field }) => [index, field])).toEqual([
      [0, 0],
      [0, 1],
    ])
  })

  test('bitmap indicator 254 is the bitmap before', () => {
    const message = twice(craftSimple(3, 2, [1, 2, 3], 8, { bitmap: pack([1, 0, 1, 0, 1, 0], 1) }), (sections) => {
      const view = new DataView(sections.buffer)
      const four = view.getUint32(0)
      const six = four + view.getUint32(four)
      // Section 6 shrinks to its indicator; section 7 follows.
      return bytes(sections.subarray(0, six), new Uint8Array([0, 0, 0, 6, 6, 254]), sections.subarray(six + 7))
    })
    const nan = Number.NaN
    expect(read(message).fields).toEqual([
      [1, nan, 2, nan, 3, nan],
      [1, nan, 2, nan, 3, nan],
    ])
  })

  test('bitmap indicator 254 without one before is a fault', () => {
    const message = craftSimple(3, 2, [1, 2, 3, 4, 5, 6], 8)
    message[message.length - 4 - 11 - 1] = 254
    expect(read(message).fault?.message).toBe(
      'GRIB2 section 6, octet 6: expected a bitmap earlier in the message (indicator 254), but found none',
    )
  })

  test('the memory grows to the largest field and no further', () => {
    const large = craftSimple(1000, 300, new Array(300_000).fill(1), 1)
    const [message] = [...readMessages(large)]
    message!.decode()
    const size = memory.buffer.byteLength
    for (let k = 0; k < 50; k++) {
      message!.decode()
      message!.values()
      read(bytes(one, two))
    }
    expect(memory.buffer.byteLength).toBe(size)
    // Returned values stay the same when the next field is decoded.
    const kept = message!.values()
    read(one)
    expect(kept.every((value) => value === 1)).toBe(true)
  })

  test('nothing is decoded by walking', () => {
    const broken = one.slice()
    // The data template's number, far behind what the walk looks at.
    broken[one.length - 4 - 11 - 6 - 12] = 99
    expect([...readMessages(broken)].length).toBe(1)
  })
})

describe('faults say what was wanted and what was found, after the messages before them', () => {
  test.each([
    [
      'no octets',
      new Uint8Array(),
      'GRIB2 section 0, octet 1: expected the letters "GRIB" and edition 2 in octet 8, but found no octets at all',
    ],
    [
      'text',
      bytes('hello'),
      'GRIB2 section 0, octet 1: expected the letters "GRIB" and edition 2 in octet 8, but found 5 octets of text: "hello"',
    ],
  ])('%s', (_name, data, message) => {
    expect(read(data)).toMatchObject({ fields: [], fault: { message } })
  })

  test('a message cut short', () => {
    const { fields, fault } = read(bytes(one, two.subarray(0, -10)))
    expect(fields).toEqual([[1, 2, 3, 4, 5, 6]])
    expect(fault).toMatchObject({
      kind: 'truncated',
      section: 0,
      octet: 9,
      wanted: `a message of ${two.length} octets`,
      got: `${two.length - 10} up to the end`,
    })
  })

  test('a message without its end', () => {
    const broken = two.slice()
    broken[broken.length - 1] = 0x38
    const { fields, fault } = read(bytes(one, broken))
    expect(fields.length).toBe(1)
    expect(fault?.message).toBe(
      'GRIB2 section 8, octet 1: expected "7777" at the end of the message, but found 37 37 37 38',
    )
  })

  test('edition 1', () => {
    const old = one.slice()
    old[7] = 1
    expect(read(old).fault).toMatchObject({
      kind: 'unsupported',
      message: 'GRIB2 section 0, octet 8: expected GRIB edition 2, but found edition 1',
    })
  })

  test('more points than are allowed', () => {
    const [message] = [...readMessages(one, { maxPoints: 5 })]
    expect(() => message!.values()).toThrow('expected at most 5 points (raise maxPoints to decode more), but found 6')
  })

  test('fewer data than values', () => {
    const message = craftSimple(3, 2, [1, 2, 3, 4, 5, 6], 8, { data: [1, 2, 3, 4, 5] })
    expect(read(message).fault).toMatchObject({
      kind: 'truncated',
      section: 7,
      octet: 6,
      wanted: '6 octets for 6 values of 8 bits',
      got: '5',
    })
  })
})

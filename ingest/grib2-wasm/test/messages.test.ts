import { describe, expect, test } from 'vitest'
import { GribError, type MessageFault, memory, readMessages, readMessagesFrom, walkMessages } from '../src/index.ts'
import { craftSimple, octets, pack } from './craft.ts'

const first = craftSimple(3, 2, [1, 2, 3, 4, 5, 6], 8)
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
  const octetsOfBoth = bytes(message.subarray(0, -4), again, '7777')
  octetsOfBoth.set(octets(octetsOfBoth.length, 8), 8)
  return octetsOfBoth
}

describe('the walk', () => {
  test('reads consecutive messages with other bytes before, between and after them', () => {
    const stream = bytes('\r\r\nWMO HEADER GRI\r\r\n', first, '\0\0\0padding', two, 'end')
    expect(read(stream)).toEqual({
      fields: [
        [1, 2, 3, 4, 5, 6],
        [9, 8, 7, 6],
      ],
    })
    const messages = [...readMessages(stream)].map(({ index, field, offset, byteLength }) => [
      index,
      field,
      offset,
      byteLength,
    ])
    expect(messages).toEqual([
      [0, 0, 20, first.length],
      [1, 0, 30 + first.length, two.length],
    ])
  })

  test('returns a field for each repetition of sections', () => {
    const message = twice(first, (sections) => {
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

  test('reuses the previous bitmap for bitmap indicator 254', () => {
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

  test('rejects bitmap indicator 254 without a previous bitmap', () => {
    const message = craftSimple(3, 2, [1, 2, 3, 4, 5, 6], 8)
    message[message.length - 4 - 11 - 1] = 254
    expect(read(message).fault?.message).toBe(
      'GRIB2 section 6, octet 6: expected a bitmap earlier in the message (indicator 254), but found none',
    )
  })

  test('grows the memory to the largest field and no further', () => {
    const large = craftSimple(1000, 300, new Array(300_000).fill(1), 1)
    const [message] = [...readMessages(large)]
    message!.decode()
    const size = memory.buffer.byteLength
    for (let k = 0; k < 50; k++) {
      message!.decode()
      message!.values()
      read(bytes(first, two))
    }
    expect(memory.buffer.byteLength).toBe(size)
    // Returned values stay the same when the next field is decoded.
    const values = message!.values()
    read(first)
    expect(values.every((value) => value === 1)).toBe(true)
  })

  test('decodes nothing while walking', () => {
    const broken = first.slice()
    // The data template's number, far behind what the walk looks at.
    broken[first.length - 4 - 11 - 6 - 12] = 99
    expect([...readMessages(broken)].length).toBe(1)
  })
})

/** Fields with their values, and faults, each as `number@offset`. */
function survey(data: Uint8Array): { fields: string[]; faults: string[] } {
  const faults: string[] = []
  const onFault = ({ index, offset, error }: MessageFault) => faults.push(`${index + 1}@${offset} ${error.kind}`)
  const fields = Array.from(
    readMessages(data, { onFault }),
    (message) => `${message.index + 1}@${message.offset} ${message.values().join()}`,
  )
  return { fields, faults }
}

function edited(message: Uint8Array, edit: (copy: Uint8Array, view: DataView) => void): Uint8Array {
  const copy = message.slice()
  edit(copy, new DataView(copy.buffer))
  return copy
}

/** The offset of a section in a message. */
function sectionAt(message: Uint8Array, number: number): number {
  const view = new DataView(message.buffer)
  let at = 16
  while (message[at + 4] !== number) at += view.getUint32(at)
  return at
}

const three = craftSimple(2, 2, [1, 3, 5, 7], 8)
const damages: [string, Uint8Array][] = [
  ['a damaged end mark', edited(two, (copy) => copy.set([0x58], two.length - 3))],
  ['a length that is too long', edited(two, (_, view) => view.setUint32(12, two.length + 9))],
  ['a length that is too short', edited(two, (_, view) => view.setUint32(12, two.length - 9))],
  ['a length beyond the file', edited(two, (_, view) => view.setUint32(8, 7))],
  ['a length that swallows the next message', edited(two, (_, view) => view.setUint32(12, two.length + three.length))],
  ['a wrong length of a section', edited(two, (_, view) => view.setUint32(sectionAt(two, 4), 30))],
  ['a section longer than its message', edited(two, (_, view) => view.setUint32(sectionAt(two, 3), 2 ** 31))],
  ['a wrong number of a section', edited(two, (copy) => copy.set([9], sectionAt(two, 4) + 4))],
  ['damaged letters at its beginning', edited(two, (copy) => copy.set([0x20], 2))],
  ['an unknown edition', edited(two, (copy) => copy.set([6], 7))],
]

describe('a message that cannot be read costs only itself', () => {
  test.each(damages)('%s', (_name, damaged) => {
    const { fields, faults } = survey(bytes(first, damaged, three))
    const at = first.length + two.length
    const own = fields.filter((field) => field.startsWith('2@'))
    expect(fields.filter((field) => !own.includes(field))).toEqual(['1@0 1,2,3,4,5,6', `3@${at} 1,3,5,7`])
    // A message of which only the length is wrong may still give its right values.
    expect(own.every((field) => field === `2@${first.length} 9,8,7,6`)).toBe(true)
    expect(faults.map((fault) => fault.split(' ')[0])).toEqual([`2@${first.length}`])
  })

  test.each(damages)('%s: throws after the last message if there is no handler', (_name, damaged) => {
    const { fields, fault } = read(bytes(first, damaged, three))
    expect(fields.at(-1)).toEqual([1, 3, 5, 7])
    expect(fault).toBeInstanceOf(GribError)
  })

  test.each(damages)('%s: returns the same from a walk over a source', async (_name, damaged) => {
    const stream = bytes(first, damaged, three)
    const faults: string[] = []
    const onFault = ({ index, offset, error }: MessageFault) => faults.push(`${index + 1}@${offset} ${error.kind}`)
    const source = { size: stream.length, read: async (at: number, n: number) => stream.slice(at, at + n) }
    const fields: string[] = []
    for await (const message of readMessagesFrom(source, { onFault, ahead: 64 }))
      for (const field of message.fields) fields.push(`${field.index + 1}@${field.offset} ${field.values().join()}`)
    expect({ fields, faults }).toEqual(survey(stream))
  })

  test('names the lost fields if the sections state them', () => {
    const products: (string | undefined)[] = []
    const onFault = ({ product }: MessageFault) => products.push(product?.name)
    expect([...readMessages(bytes(first, damages[0]![1], three), { onFault })].length).toBe(2)
    expect(products).toEqual(['TMP'])
  })

  test('skips text that contains the letters GRIB before, between and after messages', () => {
    const text = '\r\n--- next GRIB message follows: GRIB2, GRIB edition 2 ---\r\n'
    expect(survey(bytes(text, first, text, three, text))).toEqual({
      fields: [`1@${text.length} 1,2,3,4,5,6`, `2@${first.length + 2 * text.length} 1,3,5,7`],
      faults: [],
    })
  })

  test('reports a message of edition 1, and reads the messages around it', () => {
    const old = bytes('GRIB', new Uint8Array([0, 0, 40, 1]), new Uint8Array(28), '7777')
    const { fields, faults } = survey(bytes(first, old, three))
    expect(fields).toEqual(['1@0 1,2,3,4,5,6', `3@${first.length + 40} 1,3,5,7`])
    expect(faults).toEqual([`2@${first.length} unsupported`])
  })

  test('reads the fields before a fault in a message with several', () => {
    const message = twice(first, (sections) => edited(sections, (copy) => copy.set([12], 4)))
    const { fields, faults } = survey(bytes(message, three))
    expect(fields).toEqual(['1@0 1,2,3,4,5,6', `2@${message.length} 1,3,5,7`])
    expect(faults).toEqual(['1@0 corrupt'])
  })
})

describe('the walk over a source', () => {
  const large = craftSimple(400, 300, new Array(120_000).fill(1), 8)
  const file = bytes(first, large, two, large, three, large)

  function counted(data: Uint8Array) {
    const reads: number[] = []
    const read = async (at: number, n: number) => {
      reads.push(n)
      return data.slice(at, at + n)
    }
    return { source: { size: data.length, read }, reads }
  }

  async function headers(source: Parameters<typeof walkMessages>[0], options = {}): Promise<string[]> {
    const lines: string[] = []
    for await (const { index, offset, byteLength, product, grid } of walkMessages(source, options))
      lines.push(`${index} ${offset} ${byteLength} ${product.name} ${grid.nx}`)
    return lines
  }

  test('reads the headers of each message and no data', async () => {
    const { source, reads } = counted(file)
    const expected = [...readMessages(file)].map(
      ({ index, offset, byteLength, product, grid }) => `${index} ${offset} ${byteLength} ${product.name} ${grid.nx}`,
    )
    expect(await headers(source)).toEqual(expected)
    expect(reads.length).toBeLessThanOrEqual(expected.length + 1)
    expect(reads.reduce((sum, n) => sum + n, 0)).toBeLessThan(file.length / 10)
  })

  test.each([
    [{ maxMessages: 3 }, /at most 3 messages/],
    [{ maxReads: 3 }, /at most 3 reads/],
    [{ maxOctets: 9000 }, /within 9000 octets/],
  ])('ends at its limits %#', async (limits, message) => {
    await expect(headers(counted(file).source, limits)).rejects.toThrow(message)
  })
})

describe('yields the messages before a fault, and reports the expected and the actual value', () => {
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

  test('a truncated message', () => {
    const { fields, fault } = read(bytes(first, two.subarray(0, -10)))
    expect(fields).toEqual([[1, 2, 3, 4, 5, 6]])
    expect(fault).toMatchObject({
      kind: 'truncated',
      section: 0,
      octet: 9,
      expected: `a message of ${two.length} octets`,
      actual: `${two.length - 10} up to the end`,
    })
  })

  test('a message without its end', () => {
    const broken = two.slice()
    broken[broken.length - 1] = 0x38
    const { fields, fault } = read(bytes(first, broken))
    expect(fields.length).toBe(1)
    expect(fault?.message).toBe(
      'GRIB2 section 8, octet 1: expected "7777" at the end of the message, but found 37 37 37 38',
    )
  })

  test('edition 1', () => {
    const old = first.slice()
    old[7] = 1
    expect(read(old).fault).toMatchObject({
      kind: 'unsupported',
      message: 'GRIB2 section 0, octet 8: expected GRIB edition 2, but found edition 1',
    })
  })

  test('more points than are allowed', () => {
    const [message] = [...readMessages(first, { maxPoints: 5 })]
    expect(() => message!.values()).toThrow('expected at most 5 points (raise maxPoints to decode more), but found 6')
  })

  test('fewer data than values', () => {
    const message = craftSimple(3, 2, [1, 2, 3, 4, 5, 6], 8, { data: [1, 2, 3, 4, 5] })
    expect(read(message).fault).toMatchObject({
      kind: 'truncated',
      section: 7,
      octet: 6,
      expected: '6 octets for 6 values of 8 bits',
      actual: '5',
    })
  })
})

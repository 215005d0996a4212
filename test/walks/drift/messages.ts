import { readMessages } from 'grib2-wasm'
import { nth } from '../../../ingest/domain/nth.ts'

/** A file as a list of messages and the lines of its index. */
export interface Parts {
  readonly messages: readonly Buffer[]
  readonly lines: readonly string[]
}

export function partsOf(data: Uint8Array, index: Uint8Array): Parts {
  const messages = [...readMessages(data)].map(({ offset, byteLength }) =>
    Buffer.from(data.slice(offset, offset + byteLength)),
  )
  return { messages, lines: Buffer.from(index).toString().trimEnd().split('\n') }
}

/** Returns the index lines with the numbers and offsets of the messages. */
export function fitting({ messages, lines }: Parts): string[] {
  let from = 0
  return lines.map((line, k) => {
    const text = line.replace(/^\d+:\d+/, `${k + 1}:${from}`)
    from += messages[k]?.length ?? 0
    return text
  })
}

/** Returns the offset of a section in a message. */
export function sectionAt(message: Buffer, number: number): number {
  const [first] = [...readMessages(message)]
  return message.indexOf(Buffer.from(first!.section(number)!))
}

const ALTERNATING_ROWS = 0x10

/** Returns the message with other values in simple packing of 16 bits; a bitmap marks NaN as missing. */
export function withValues(message: Buffer, change: (value: number, k: number, nx: number) => number): Buffer {
  const [first] = [...readMessages(message)]
  const { nx, ny, scan } = first!.grid
  const values = first!.values()
  const turned = (scan & ALTERNATING_ROWS) !== 0
  const changed = Float64Array.from(values, (_, k) => {
    const [i, j] = [k % nx, Math.floor(k / nx)]
    const from = turned && j % 2 === 1 ? j * nx + nx - 1 - i : k
    return change(nth(values, from), from, nx)
  })
  const present = [...changed].filter((value) => !Number.isNaN(value))
  const low = present.reduce((least, value) => Math.min(least, value), Number.POSITIVE_INFINITY)
  const high = present.reduce((most, value) => Math.max(most, value), Number.NEGATIVE_INFINITY)
  const reference = Math.fround(present.length > 0 ? low : 0)
  const binary = high > low ? Math.ceil(Math.log2((high - reference) / 65_535)) : 0
  const five = Buffer.alloc(21)
  five.writeUInt32BE(21)
  five[4] = 5
  five.writeUInt32BE(present.length, 5)
  five.writeFloatBE(reference, 11)
  five.writeUInt16BE(binary < 0 ? 0x8000 | -binary : binary, 15)
  five[19] = 16
  const isDense = present.length === changed.length
  const six = Buffer.alloc(isDense ? 6 : 6 + Math.ceil((nx * ny) / 8))
  six.writeUInt32BE(six.length)
  six[4] = 6
  six[5] = isDense ? 255 : 0
  if (!isDense)
    for (const [k, value] of changed.entries()) if (!Number.isNaN(value)) six[6 + (k >> 3)]! |= 128 >> (k & 7)
  const seven = Buffer.alloc(5 + present.length * 2)
  seven.writeUInt32BE(seven.length)
  seven[4] = 7
  for (const [k, value] of present.entries()) {
    seven.writeUInt16BE(Math.min(65_535, Math.max(0, Math.round((value - reference) / 2 ** binary))), 5 + k * 2)
  }
  const head = [1, 2, 3, 4].flatMap((number) => (first!.section(number) ? [Buffer.from(first!.section(number)!)] : []))
  const body = Buffer.concat([...head, five, six, seven, Buffer.from('7777')])
  const zero = Buffer.from(first!.section(0)!)
  zero.writeBigUInt64BE(BigInt(zero.length + body.length), 8)
  return Buffer.concat([zero, body])
}

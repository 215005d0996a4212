import { GribError } from './fault.ts'
import { Message } from './message.ts'
import { MessageSection } from './octets.ts'

export interface ReadOptions {
  /** The largest grid that is decoded, in points. Default 2^26 (67 million; NOAA's largest has 47 million). */
  readonly maxPoints?: number
}

const GRIB = [0x47, 0x52, 0x49, 0x42]
const END = 0x37373737
export const MAX_POINTS = 2 ** 26

/** Returns the offset of the next `GRIB`, or −1. Native search for the first letter, then the other three. */
function find(bytes: Uint8Array, from: number): number {
  for (let at = from; (at = bytes.indexOf(GRIB[0]!, at)) >= 0; at++) {
    if (bytes[at + 1] === GRIB[1] && bytes[at + 2] === GRIB[2] && bytes[at + 3] === GRIB[3]) return at
  }
  return -1
}

function describe(bytes: Uint8Array): string {
  if (bytes.length === 0) return 'no octets at all'
  const head = [...bytes.subarray(0, 4)].map((octet) => octet.toString(16).padStart(2, '0')).join(' ')
  return `${bytes.length} octets without it (they begin ${head})`
}

/**
 * Walks GRIB2 messages without decoding them: one `Message` a field, in the order of the octets. What precedes the
 * first message or is between two (bulletin headers, padding) is skipped. The octets are not copied: keep them unchanged
 * while messages are in use. Throws `GribError` at the first message that is not valid, after yielding those before it.
 */
export function* readMessages(bytes: Uint8Array, options: ReadOptions = {}): Generator<Message, void, undefined> {
  const maxPoints = options.maxPoints ?? MAX_POINTS
  let at = find(bytes, 0)
  if (at < 0) throw new GribError('corrupt', 0, 1, 'the letters "GRIB"', describe(bytes))
  for (let index = 0; at >= 0; index++) {
    const left = bytes.length - at
    if (left < 16) throw new GribError('truncated', 0, 1, 'a section of 16 octets', `${left}`)
    const indicator = new MessageSection(0, bytes.subarray(at, at + 16))
    const edition = indicator.u1(8)
    if (edition !== 2) indicator.fail(8, 'GRIB edition 2', `edition ${edition}`, 'unsupported')
    const length = indicator.u4(9) * 2 ** 32 + indicator.u4(13)
    if (length < 16 + 4) indicator.fail(9, 'a message of at least 20 octets', length)
    if (length > left) throw new GribError('truncated', 0, 9, `a message of ${length} octets`, `${left} up to the end`)
    yield* fieldsOf(bytes.subarray(at, at + length), indicator, { index, offset: at, maxPoints })
    at = find(bytes, at + length)
  }
}

interface MessagePlace {
  readonly index: number
  readonly offset: number
  readonly maxPoints: number
}

/** Sections 2 to 7 may repeat: each section 7 ends a field made of the latest of each kind. */
function* fieldsOf(
  message: Uint8Array,
  indicator: MessageSection,
  place: MessagePlace,
): Generator<Message, void, undefined> {
  const view = new DataView(message.buffer, message.byteOffset, message.byteLength)
  const end = message.length - 4
  if (view.getUint32(end) !== END) {
    const found = [...message.subarray(end)].map((octet) => octet.toString(16).padStart(2, '0')).join(' ')
    throw new GribError('corrupt', 8, 1, '"7777" at the end of the message', found)
  }
  const latest: (MessageSection | undefined)[] = [indicator]
  let bitmap: MessageSection | undefined
  let field = 0
  let at = 16
  while (at < end) {
    if (end - at < 5)
      throw new GribError('corrupt', 8, 1, '"7777" or a section of at least 5 octets', `${end - at} octets`)
    const length = view.getUint32(at)
    const number = view.getUint8(at + 4)
    if (number < 1 || number > 7) throw new GribError('corrupt', number, 5, 'a section number from 1 to 7', `${number}`)
    if (length < 5 || length > end - at) {
      const what = length < 5 ? 'corrupt' : 'truncated'
      throw new GribError(what, number, 1, `a length from 5 to the ${end - at} octets left`, `${length}`)
    }
    const section = new MessageSection(number, message.subarray(at, at + length))
    latest[number] = section
    if (number === 6 && section.u1(6) !== 254) bitmap = section
    if (number === 7) {
      for (const needed of [1, 3, 4, 5, 6]) {
        if (!latest[needed]) throw new GribError('corrupt', needed, 5, `section ${needed} before section 7`, 'none')
      }
      yield new Message({ ...place, field: field++, byteLength: message.length, sections: latest.slice(), bitmap })
    }
    at += length
  }
  if (field === 0) throw new GribError('corrupt', 7, 5, 'a section 7 in the message', 'none')
}

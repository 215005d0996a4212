import { GribError } from './fault.ts'
import { Message } from './message.ts'
import { MessageSection } from './octets.ts'
import { type Product, readProduct } from './product/product.ts'

const LETTERS = [0x47, 0x52, 0x49, 0x42]
const END_MARK = 0x37373737
const INDICATOR_OCTETS = 16
/** Minimum size of a message: its indicator and its end mark. */
const LEAST_OCTETS = INDICATOR_OCTETS + 4
/** Number of octets that are searched at a time for the next message. */
const SEARCH_OCTETS = 1 << 18
/** Number of octets that are read of sections whose remaining octets are needed only for values. */
const HEADER_OCTETS: Readonly<Record<number, number>> = { 2: 5, 6: 6, 7: 5 }
/** Maximum size of sections 1 to 5. They usually have some hundred octets; a section with the lengths of reduced rows has some thousand. */
const MAX_SECTION_OCTETS = 1 << 20

/** A message, or a part of a message, that cannot be read. The following messages are read. */
export interface MessageFault {
  /** Number of messages before this one, and of fields that were read from it. */
  readonly index: number
  readonly field: number
  /** Offset of the message, and its length if it is reliable. */
  readonly offset: number
  readonly byteLength: number | undefined
  readonly error: GribError
  /** The lost product, if sections 0, 1 and 4 could be read before the fault. */
  readonly product: Product | undefined
}

export interface WalkRules {
  /** Total number of octets. */
  readonly size: number
  readonly maxPoints: number
  /** Whether sections 6 and 7 are also read; otherwise fields have no values. */
  readonly readsValues: boolean
  /** Minimum octets of each read, so that a message needs one read. */
  readonly ahead: number
  readonly maxMessages: number
  readonly maxReads: number
  readonly maxOctets: number
  /** Number of messages and octets before the first, if the octets are a part of a file. */
  readonly before: { readonly index: number; readonly offset: number }
}

/** A request or report of the walk to its driver. The driver answers a read with exactly the requested octets. */
export type WalkStep =
  | { readonly kind: 'read'; readonly offset: number; readonly length: number }
  | { readonly kind: 'field'; readonly message: Message }
  | { readonly kind: 'fault'; readonly fault: MessageFault }

/** The extent to which a message could be read. */
interface MessageProgress {
  fields: number
  /** Whether the sections fill the message from the indicator to the end mark. */
  isFilled: boolean
}

type WalkSteps<T> = Generator<WalkStep, T, Uint8Array | undefined>

interface MessageStart {
  readonly at: number
  /** The edition in octet 8. */
  readonly edition: number
}

/**
 * Walks over messages without doing any input or output, from section to section by their lengths. Octets before a message are skipped,
 * unless they are a message whose first letters are damaged. After a message that cannot be read, the walk continues at the next one: the
 * letters GRIB with edition 1 or 2 in octet 8.
 */
export class Walk {
  readonly #rules: WalkRules
  #bytes: Uint8Array = new Uint8Array(0)
  #from = 0
  #reads = 0
  #octets = 0
  #index = 0

  constructor(rules: WalkRules) {
    this.#rules = rules
    this.#index = rules.before.index
  }

  /** @throws GribError if there is no message at all, or if a limit is exceeded */
  *steps(): WalkSteps<void> {
    const { size, maxMessages, before } = this.#rules
    let from = 0
    let broken = false
    for (;;) {
      const start = yield* this.#search(from)
      if (!broken) yield* this.#headless(from, start?.at ?? size)
      if (!start) break
      if (this.#index - before.index >= maxMessages)
        throw new GribError('range', 0, 1, `at most ${maxMessages} messages`, 'more of them')
      const next = yield* this.#message(start)
      broken = next === undefined
      from = next ?? start.at + 4
      this.#index++
    }
    if (this.#index === before.index) {
      const head = yield* this.#read(0, Math.min(size, 64))
      throw new GribError('corrupt', 0, 1, 'the letters "GRIB" and edition 2 in octet 8', describe(head, size))
    }
  }

  *#read(offset: number, length: number): WalkSteps<Uint8Array> {
    const { size, ahead, maxReads, maxOctets } = this.#rules
    if (offset >= this.#from && offset + length <= this.#from + this.#bytes.length)
      return this.#bytes.subarray(offset - this.#from, offset - this.#from + length)
    const readLength = Math.min(size - offset, Math.max(length, ahead))
    this.#reads++
    this.#octets += readLength
    if (this.#reads > maxReads)
      throw new GribError('range', 0, 1, `at most ${maxReads} reads`, 'more messages than that')
    if (this.#octets > maxOctets)
      throw new GribError('range', 0, 1, `messages within ${maxOctets} octets of headers`, 'more octets between them')
    this.#bytes = (yield { kind: 'read', offset, length: readLength }) ?? new Uint8Array(0)
    this.#from = offset
    if (this.#bytes.length < length)
      throw new GribError('truncated', 0, 9, `${length} octets from octet ${offset} on`, `${this.#bytes.length}`)
    return this.#bytes.subarray(0, length)
  }

  /** Searches for the next message at or after an octet. */
  *#search(from: number): WalkSteps<MessageStart | undefined> {
    const { size, ahead } = this.#rules
    // Messages usually follow each other directly or after some padding, so the first searches are small.
    const looks = [INDICATOR_OCTETS, Math.max(ahead, INDICATOR_OCTETS)]
    for (let at = from; at + 8 <= size; ) {
      const bytes = yield* this.#read(at, Math.min(looks.shift() ?? SEARCH_OCTETS, size - at))
      for (let k = lettersAt(bytes, 0); k >= 0; k = lettersAt(bytes, k + 1)) {
        const edition = bytes[k + 7]
        // The rest of the letters is in the next octets.
        if (edition === undefined) break
        if (edition === 1 || edition === 2) return { at: at + k, edition }
        if (yield* this.#isMessage(at + k)) return { at: at + k, edition }
      }
      if (at + bytes.length >= size) break
      at += bytes.length - 7
    }
    return undefined
  }

  /** Returns whether the length of a message leads to an end mark; its edition is then damaged, or newer than this reader. */
  *#isMessage(at: number): WalkSteps<boolean> {
    const { size } = this.#rules
    if (at + LEAST_OCTETS > size) return false
    const length = lengthOf(new MessageSection(0, yield* this.#read(at, INDICATOR_OCTETS)))
    return length >= LEAST_OCTETS && length <= size - at && (yield* this.#hasEndMark(at + length))
  }

  *#hasEndMark(end: number): WalkSteps<boolean> {
    // The next message is read together with it.
    const bytes = yield* this.#read(end - 4, 4)
    return new DataView(bytes.buffer, bytes.byteOffset).getUint32(0) === END_MARK
  }

  /** Reports octets between two messages that end like a message but do not begin like one, because their first letters are damaged. */
  *#headless(from: number, to: number): WalkSteps<void> {
    if (to - from < LEAST_OCTETS || !(yield* this.#hasEndMark(to))) return
    const head = yield* this.#read(from, 4)
    const error = new GribError('corrupt', 0, 1, 'the letters "GRIB" at the beginning of a message', hex(head))
    const offset = this.#rules.before.offset + from
    const place = { index: this.#index++, field: 0, offset, byteLength: to - from }
    yield { kind: 'fault', fault: { ...place, error, product: undefined } }
  }

  /**
   * Reads one message.
   * @returns the offset of its end; undefined if it is unknown
   */
  *#message({ at, edition }: MessageStart): WalkSteps<number | undefined> {
    const { size, before } = this.#rules
    const sections: (MessageSection | undefined)[] = []
    const progress: MessageProgress = { fields: 0, isFilled: false }
    let length: number | undefined
    try {
      if (size - at < INDICATOR_OCTETS)
        throw new GribError('truncated', 0, 1, `a section of ${INDICATOR_OCTETS} octets`, `${size - at}`)
      const indicator = new MessageSection(0, yield* this.#read(at, INDICATOR_OCTETS))
      sections[0] = indicator
      if (edition === 1) {
        const octets = (indicator.u1(5) << 16) | indicator.u2(6)
        if (octets >= 12 && octets <= size - at && (yield* this.#hasEndMark(at + octets))) {
          length = octets
          progress.isFilled = true
        }
      } else {
        const octets = lengthOf(indicator)
        if (octets < LEAST_OCTETS) indicator.fail(9, `a message of at least ${LEAST_OCTETS} octets`, octets)
        if (octets > size - at)
          throw new GribError('truncated', 0, 9, `a message of ${octets} octets`, `${size - at} up to the end`)
        length = octets
      }
      if (edition !== 2) indicator.fail(8, 'GRIB edition 2', `edition ${edition}`, 'unsupported')
      yield* this.#fields(at, length!, sections, progress)
      return at + length!
    } catch (error) {
      if (!(error instanceof GribError) || error.kind === 'range') throw error
      const place = { index: this.#index, field: progress.fields, offset: before.offset + at, byteLength: length }
      yield { kind: 'fault', fault: { ...place, error, product: tryProduct(sections) } }
      return length === undefined || !progress.isFilled ? undefined : yield* this.#trusted(at + length)
    }
  }

  /** Returns the end of a message with a fault, if another message or the end of the octets follows there. */
  *#trusted(end: number): WalkSteps<number | undefined> {
    if (end === this.#rules.size) return (yield* this.#hasEndMark(end)) ? end : undefined
    if (end + 8 > this.#rules.size) return undefined
    const bytes = yield* this.#read(end, 8)
    return lettersAt(bytes, 0) === 0 && (bytes[7] === 1 || bytes[7] === 2) ? end : undefined
  }

  /**
   * Sections 2 to 7 may repeat: each section 7 ends a field made of the latest of each kind. Fields before a fault in a message
   * with an end mark are yielded.
   */
  *#fields(
    at: number,
    byteLength: number,
    latest: (MessageSection | undefined)[],
    progress: MessageProgress,
  ): WalkSteps<void> {
    const end = at + byteLength - 4
    const fields: Message[] = []
    try {
      yield* this.#sections(at, byteLength, latest, fields)
      progress.isFilled = true
    } catch (error) {
      if (error instanceof GribError && error.kind !== 'range' && (yield* this.#hasEndMark(end + 4)))
        yield* this.#yieldFields(fields, progress)
      throw error
    }
    if (!(yield* this.#hasEndMark(end + 4))) {
      const mark = hex(yield* this.#read(end, 4))
      throw new GribError('corrupt', 8, 1, '"7777" at the end of the message', mark)
    }
    if (fields.length === 0) throw new GribError('corrupt', 7, 5, 'a section 7 in the message', 'none')
    yield* this.#yieldFields(fields, progress)
  }

  *#yieldFields(messages: readonly Message[], progress: MessageProgress): WalkSteps<void> {
    for (const message of messages) {
      yield { kind: 'field', message }
      progress.fields++
    }
  }

  *#sections(
    at: number,
    byteLength: number,
    latest: (MessageSection | undefined)[],
    messages: Message[],
  ): WalkSteps<void> {
    const { maxPoints, readsValues, before } = this.#rules
    const end = at + byteLength - 4
    let bitmap: MessageSection | undefined
    for (let place = at + INDICATOR_OCTETS; place < end; ) {
      const { number, length } = yield* this.#section(place, end)
      const octets = readsValues ? length : (HEADER_OCTETS[number] ?? length)
      const bytes = yield* this.#read(place, Math.min(octets, length))
      const section = new MessageSection(number, readsValues ? bytes : bytes.slice())
      latest[number] = section
      if (number === 6 && section.u1(6) !== 254) bitmap = section
      if (number === 7) {
        for (const needed of [1, 3, 4, 5, 6]) {
          if (!latest[needed]) throw new GribError('corrupt', needed, 5, `section ${needed} before section 7`, 'none')
        }
        const parts = { index: this.#index, field: messages.length, offset: before.offset + at, byteLength }
        messages.push(new Message({ ...parts, maxPoints, sections: latest.slice(), bitmap }))
      }
      place += length
    }
  }

  *#section(place: number, end: number): WalkSteps<{ readonly number: number; readonly length: number }> {
    if (end - place < 5)
      throw new GribError('corrupt', 8, 1, '"7777" or a section of at least 5 octets', `${end - place} octets`)
    const bytes = yield* this.#read(place, 5)
    const length = new DataView(bytes.buffer, bytes.byteOffset).getUint32(0)
    const number = bytes[4]!
    if (number < 1 || number > 7) throw new GribError('corrupt', number, 5, 'a section number from 1 to 7', `${number}`)
    if (length < 5 || length > end - place) {
      const kind = length < 5 ? 'corrupt' : 'truncated'
      throw new GribError(kind, number, 1, `a length from 5 to the ${end - place} octets left`, `${length}`)
    }
    if (number < 6 && number !== 2 && !this.#rules.readsValues && length > MAX_SECTION_OCTETS)
      throw new GribError('unsupported', number, 1, `a section of at most ${MAX_SECTION_OCTETS} octets`, `${length}`)
    return { number, length }
  }
}

function tryProduct(sections: readonly (MessageSection | undefined)[]): Product | undefined {
  const [indicator, identity, , , section] = sections
  if (!indicator || !identity || !section) return undefined
  try {
    return readProduct(indicator, identity, section)
  } catch (error) {
    if (!(error instanceof GribError)) throw error
    return undefined
  }
}

/** Returns the index of the next letters GRIB, or −1. It uses the native search for the first letter, then compares the other three. */
function lettersAt(bytes: Uint8Array, from: number): number {
  for (let at = from; (at = bytes.indexOf(LETTERS[0]!, at)) >= 0; at++) {
    if (LETTERS.every((letter, k) => bytes[at + k] === letter)) return at
  }
  return -1
}

function lengthOf(indicator: MessageSection): number {
  return indicator.u4(9) * 2 ** 32 + indicator.u4(13)
}

function hex(bytes: Uint8Array): string {
  return [...bytes.subarray(0, 4)].map((octet) => octet.toString(16).padStart(2, '0')).join(' ')
}

/** Describes octets that are not a message. */
function describe(head: Uint8Array, size: number): string {
  if (size === 0) return 'no octets at all'
  const text = String.fromCharCode(...head)
  if (/^\s*<(?:!doctype\s+html|html|\?xml|[a-z])/i.test(text)) return `${size} octets of HTML or XML: "${line(text)}"`
  if (/^[\s\x20-\x7e]+$/.test(text)) return `${size} octets of text: "${line(text)}"`
  return `${size} octets without it (they begin ${hex(head)})`
}

const line = (text: string) => text.trim().split(/\s+/).join(' ').slice(0, 40)

import { GribError } from './fault.ts'
import type { Message } from './message.ts'
import { type MessageFault, Walk } from './walk.ts'

export interface ReadOptions {
  /** Maximum size of a decoded grid, in points. The default is 2^26 (67 million; NOAA's largest has 47 million). */
  readonly maxPoints?: number
  /** Receives each message that cannot be read, in order. Without it, the first such error is thrown after the last message. */
  readonly onFault?: (fault: MessageFault) => void
  /** Number of messages and octets before these, if they are a part of a file; the default is none. */
  readonly before?: { readonly index: number; readonly offset: number }
}

const NOTHING_BEFORE = { index: 0, offset: 0 }

export const MAX_POINTS = 2 ** 26

/**
 * Walks GRIB2 messages without decoding them, and yields one `Message` per field, in the order of the octets. Octets before the first
 * message and between messages (bulletin headers, padding) are skipped. A message that cannot be read does not affect the others. The
 * octets are not copied, so they must not change while messages are in use.
 * @throws GribError if there is no message at all; without `onFault`, the first fault after the last message
 */
export function* readMessages(bytes: Uint8Array, options: ReadOptions = {}): Generator<Message, void, undefined> {
  const { maxPoints = MAX_POINTS, before = NOTHING_BEFORE } = options
  let first: GribError | undefined
  const onFault =
    options.onFault ??
    (({ error }: MessageFault) => {
      first ??= error
    })
  const limits = {
    maxMessages: Number.POSITIVE_INFINITY,
    maxReads: Number.POSITIVE_INFINITY,
    maxOctets: Number.POSITIVE_INFINITY,
  }
  const steps = new Walk({ size: bytes.length, maxPoints, readsValues: true, ahead: 0, before, ...limits }).steps()
  let answer: Uint8Array | undefined
  for (;;) {
    const { value: step, done } = steps.next(answer)
    if (done) break
    answer = undefined
    if (step.kind === 'read') answer = bytes.subarray(step.offset, step.offset + step.length)
    else if (step.kind === 'field') yield step.message
    else onFault(step.fault)
  }
  if (first) throw first
}

/** Octets that are read piece by piece, such as a large file or an object behind HTTP. */
export interface OctetSource {
  /** Total number of octets. */
  readonly size: number
  /** Reads exactly these octets. */
  read(offset: number, length: number): Promise<Uint8Array>
}

export interface WalkOptions extends ReadOptions {
  /** Minimum octets of each read; the default 4096 covers the headers of a message. */
  readonly ahead?: number
  /**
   * Limits of the walk. If one is exceeded, the walk throws a `GribError` of kind `range`. The defaults are 100,000 messages, and no limit
   * of reads and octets.
   */
  readonly maxMessages?: number
  readonly maxReads?: number
  readonly maxOctets?: number
}

/** A field whose headers were read, without its values. */
export type FieldHeader = Omit<Message, 'values' | 'decode' | 'samples'>

/**
 * Walks octets that are not in memory, in the same way. It reads the headers of each message and skips its data, which usually takes one
 * read per message. Faults are handled as in {@link readMessages}.
 */
export async function* walkMessages(
  source: OctetSource,
  options: WalkOptions = {},
): AsyncGenerator<FieldHeader, void, undefined> {
  const { maxPoints = MAX_POINTS, before = NOTHING_BEFORE, ahead = 4096, maxMessages = 100_000 } = options
  const { maxReads = Number.POSITIVE_INFINITY, maxOctets = Number.POSITIVE_INFINITY } = options
  const limits = { maxMessages, maxReads, maxOctets }
  let first: GribError | undefined
  const onFault =
    options.onFault ??
    (({ error }: MessageFault) => {
      first ??= error
    })
  const steps = new Walk({ size: source.size, maxPoints, readsValues: false, ahead, before, ...limits }).steps()
  let answer: Uint8Array | undefined
  for (;;) {
    const { value: step, done } = steps.next(answer)
    if (done) break
    answer = undefined
    if (step.kind === 'read') answer = await source.read(step.offset, step.length)
    else if (step.kind === 'field') yield step.message
    else onFault(step.fault)
  }
  if (first) throw first
}

/** A GRIB message with its fields. */
export interface WholeMessage {
  readonly bytes: Uint8Array
  readonly fields: readonly Message[]
}

/** Maximum size of a message that is read, in octets; NOAA's largest messages have some 50 MB. */
const MAX_MESSAGE_OCTETS = 2 ** 30

/**
 * Reads the messages of a source one by one, each into memory of its own, so that a file of any size needs only the memory of its largest
 * message.
 */
export async function* readMessagesFrom(
  source: OctetSource,
  options: WalkOptions = {},
): AsyncGenerator<WholeMessage, void, undefined> {
  let offset = -1
  for await (const header of walkMessages(source, options)) {
    if (header.offset === offset) continue
    offset = header.offset
    const { index, byteLength } = header
    if (byteLength > MAX_MESSAGE_OCTETS)
      throw new GribError('range', 0, 9, `a message of at most ${MAX_MESSAGE_OCTETS} octets`, `${byteLength}`)
    const bytes = await source.read(offset, byteLength)
    // The walk has reported its faults.
    const again = { ...options, before: { index, offset }, onFault: () => {} }
    // A message with a wrong length may contain other messages.
    yield { bytes, fields: [...readMessages(bytes, again)].filter((field) => field.index === index) }
  }
}

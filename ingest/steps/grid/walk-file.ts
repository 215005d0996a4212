import { GribError, walkMessages } from 'grib2-wasm'
import { type BrokenField, brokenField, fieldOf, type GribField, unidentified } from '../../decode/grib-product.ts'
import {
  type Match,
  matchesOf,
  mismatch,
  roleIsOptional,
  type Want,
  wantedVariables,
} from '../../domain/dataset/want.ts'
import { Fault } from '../../domain/fault.ts'
import { nth } from '../../domain/nth.ts'
import { isBucketHost } from '../../ports/upstream/limits.ts'
import type { Upstream } from '../../ports/upstream.ts'
import { checkField, type Expected, isInTime } from './check-message.ts'
import { checkEdition, fetchRange } from './fetch-ranges.ts'
import type { PlannedFile } from './plan.ts'
import { type FilePlan, joined, type PlannedMessage, type PlannedWant } from './plan-file.ts'

/** Bytes of a read of headers, which take some hundred bytes of a message. */
const HEADER_BYTES = 4096
/** A file up to this size is read whole, because a request takes as long as some 100 KB. */
const SMALL_FILE_BYTES = 256 * 1024
/** Bytes of a read at hosts that allow one request a second, such as NOMADS. */
const PACED_HOST_BYTES = 8 * 1024 * 1024
/**
 * Limits of a walk. GFS files, the largest files that are read, have 750 messages; each takes one request, and a
 * message with a bitmap takes two.
 */
const MAX_MESSAGES = 2000
const MAX_REQUESTS = 2500
/**
 * Bytes that a walk may read from a bucket. Damaged bytes are searched for the next message, and a message has at most
 * some 8 MB.
 */
const MAX_WALKED_BYTES = 64 * 1024 * 1024
/** Largest message that is fetched only for quarantine. */
const MAX_BROKEN_BYTES = 8 * 1024 * 1024

/** A want whose message is in the file but cannot be read. */
export interface BrokenWant {
  readonly want: Want
  readonly detail: string
  readonly message?: PlannedMessage
}

export interface WalkedFile extends FilePlan {
  readonly broken: readonly BrokenWant[]
}

/**
 * Locates the messages of wants without an index: walks from message to message by their lengths and reads only
 * headers. A message that cannot be read affects only its own want.
 * @param size size of the file
 * @throws Fault Corrupt if the file is not GRIB2 or is of another run or hour; NotYet if it was replaced meanwhile
 */
export async function walkFile(
  upstream: Upstream,
  expected: Expected,
  wants: readonly Want[],
  size: number,
): Promise<WalkedFile> {
  const { file } = expected
  const { fields, broken } = await readHeaders(upstream, expected, size)
  const inTime = fields.filter((field) => isInTime(expected, field))
  // A file of another run or hour is rejected as a whole, with the reason of its first field.
  if (inTime.length === 0 && fields[0]) checkField(expected, nth(wants, 0), fields[0], fields[0].offset)
  if (fields.length === 0) throw noField(file, broken)
  const planned: PlannedWant[] = []
  const absent: string[] = []
  const brokenWants: BrokenWant[] = []
  const doubled: { variable: string; detail: string }[] = []
  for (const want of wants) {
    const messages: Record<string, PlannedMessage> = {}
    let missing: Match | undefined
    for (const [role, match] of Object.entries(matchesOf(want))) {
      const [first, second] = preferred(inTime, match)
      if (first) messages[role] = messageOf(first)
      else if (!roleIsOptional(want, role)) missing ??= match
      if (first && second && !isSinceRun(second, file))
        doubled.push({ variable: nth(wantedVariables(want), 0), detail: twice(file, first, second) })
    }
    if (!missing) {
      planned.push({ want, messages })
      continue
    }
    const lost = brokenOf(broken, missing, want)
    if (lost) brokenWants.push({ want, detail: detailOf(file, lost), message: fetchable(lost) })
    else absent.push(...wantedVariables(want))
  }
  const ranges = joined([
    ...planned.flatMap(({ messages }) => Object.values(messages)),
    ...brokenWants.flatMap(({ message }) => message ?? []),
  ])
  return { wants: planned, absent, ranges, doubled, broken: brokenWants }
}

interface Headers {
  readonly fields: readonly GribField[]
  readonly broken: readonly BrokenField[]
}

async function readHeaders(upstream: Upstream, { file, options }: Expected, size: number): Promise<Headers> {
  const { signal } = options
  const isPaced = upstream.mirror === undefined && !isBucketHost(new URL(file.url).host)
  const ahead = isPaced ? PACED_HOST_BYTES : size <= SMALL_FILE_BYTES ? size : HEADER_BYTES
  const editions: { readonly etag?: string }[] = []
  const read = async (offset: number, length: number) => {
    const { bytes, etag } = await fetchRange(upstream, file, { offset, length }, signal)
    editions.push({ etag })
    checkEdition(editions, file)
    return bytes
  }
  const fields: GribField[] = []
  const broken: BrokenField[] = []
  const maxOctets = isPaced ? size : MAX_WALKED_BYTES
  const limits = { ahead, maxMessages: MAX_MESSAGES, maxReads: MAX_REQUESTS, maxOctets }
  try {
    const onFault = (fault: Parameters<typeof brokenField>[0]) => broken.push(brokenField(fault))
    for await (const message of walkMessages({ size, read }, { ...limits, onFault })) {
      try {
        fields.push(fieldOf(message))
      } catch (error) {
        broken.push(unidentified(message, error))
      }
    }
  } catch (error) {
    if (!(error instanceof GribError)) throw error
    const isPage = error.actual.includes('HTML')
    const details = { url: file.url, reason: isPage ? 'html' : 'format' }
    if (error.kind !== 'range' || fields.length === 0)
      throw new Fault('Corrupt', `${file.url}: ${error.message}`, details, error)
    // The walk reached a limit; the messages before it are used.
    broken.push({ offset: size, length: undefined, number: 'rest', identity: undefined, detail: error.message })
  }
  return { fields, broken }
}

/** Returns the fields that match, those of the preferred surface first. */
function preferred(fields: readonly GribField[], match: Match): readonly GribField[] {
  const fitting = fields.filter(({ identity }) => mismatch(match, identity) === undefined)
  for (const surface of match.surface) {
    const some = fitting.filter(({ identity }) => identity.surface === surface)
    if (some.length > 0) return some
  }
  return []
}

/**
 * Returns the fault for a want: that of a message with the want's identity, or of a message whose identity cannot be
 * read.
 */
function brokenOf(broken: readonly BrokenField[], match: Match, { optional }: Want): BrokenField | undefined {
  const own = broken.find(({ identity }) => identity && mismatch(match, identity) === undefined)
  if (own || optional) return own
  return broken.find(({ identity }) => identity === undefined)
}

const messageOf = ({ offset, length, message, name }: GribField): PlannedMessage => ({
  offset,
  length,
  number: message.field > 0 ? `${message.index + 1}.${message.field + 1}` : `${message.index + 1}`,
  text: name,
})

function fetchable({ offset, length, number, detail }: BrokenField): PlannedMessage | undefined {
  return length !== undefined && length <= MAX_BROKEN_BYTES ? { offset, length, number, text: detail } : undefined
}

const detailOf = ({ url }: PlannedFile, { number, offset, detail }: BrokenField): string =>
  `${url} byte ${offset}: message ${number} cannot be read: ${detail}`

/**
 * In the first hours of a run the total since its start and the hourly amount have the same interval, so both are
 * listed.
 */
function isSinceRun({ identity }: GribField, { leadHours }: PlannedFile): boolean {
  return leadHours > 0 && identity.windowHours === leadHours
}

const twice = ({ url }: PlannedFile, first: GribField, second: GribField): string =>
  `${url}: "${first.name}" is at byte ${first.offset} and again at byte ${second.offset}; the first is used`

function noField(file: PlannedFile, [first]: readonly BrokenField[]): Fault {
  const detail = first ? detailOf(file, first) : `${file.url}: expected GRIB2 messages, but the file has none`
  return new Fault('Corrupt', detail, { url: file.url, reason: 'format' })
}

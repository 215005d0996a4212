import { type GribField, readFields } from '../../decode/grib-product.ts'
import type { GridDataset } from '../../domain/dataset/dataset.ts'
import {
  type Match,
  matchesOf,
  mismatch,
  roleIsOptional,
  type Want,
  wantedVariables,
} from '../../domain/dataset/want.ts'
import { discard } from '../../domain/discard.ts'
import type { DomainId } from '../../domain/domain.ts'
import { Fault, isFault } from '../../domain/fault.ts'
import { type Lost, type Quarantined, reasonOf } from '../../domain/quarantine.ts'
import type { Instant } from '../../domain/time.ts'
import { collectYoung } from '../../ports/collect.ts'
import type { Upstream } from '../../ports/upstream.ts'
import { checkField, checkMessage, type Expected, type FetchedMessage, fieldsAt, isInTime } from './check-message.ts'
import type { MessageMemory } from './message-memory.ts'
import type { PlannedFile } from './plan.ts'
import { applies, type ByteRange, type FileOptions, type FilePlan, type PlannedMessage, planFile } from './plan-file.ts'

export type { FetchedMessage } from './check-message.ts'

export interface FetchedWant {
  readonly want: Want
  readonly messages: Readonly<Record<string, FetchedMessage>>
}

/** A want whose message does not match the declarations of the dataset, with the received bytes. */
export interface LostWant extends Omit<Lost, 'variable'> {
  readonly want: Want
  readonly bytes?: Uint8Array
}

export interface FetchedFile {
  readonly wants: readonly FetchedWant[]
  /** Number of messages for our wants that the index lists, or that a file without index has. */
  readonly promised: number
  readonly bytes: number
  /** Variables that the file does not offer. */
  readonly absent: readonly string[]
  /** Wants whose messages are in the file and cannot be used; each want is judged separately. */
  readonly lost: readonly LostWant[]
  /** The ranges of the messages. */
  readonly shared?: SharedArrayBuffer
  /** Why the index was not used and the file was read whole. */
  readonly oddIndex?: Pick<Quarantined, 'reason' | 'detail'>
}

/** Files up to this size are read whole if their index cannot be used; HRRR files have 140 MB. */
const MAX_WHOLE_BYTES = 256 * 1024 * 1024
/** An index that is wrong about this many messages belongs to another file or is shuffled. */
const MANY_MISMATCHES = 3

/**
 * Fetches the messages of our wants from an upstream file: reads its index, fetches the ranges, and checks each message. Without a usable
 * index the file is read whole and its messages are identified by their headers.
 * @throws Fault NotYet (absent, or changed since it was listed), Corrupt (nothing in the file can be used, with `reason`), Refused
 */
export async function fetchFile(
  upstream: Upstream,
  dataset: GridDataset,
  domain: DomainId,
  run: Instant,
  file: PlannedFile,
  options: FileOptions = {},
): Promise<FetchedFile> {
  const expected: Expected = { dataset, domain, run, file, mirrored: upstream.mirror !== undefined, options }
  let plan: FilePlan | undefined
  try {
    plan = await planFile(upstream, dataset, domain, run, file, options)
  } catch (error) {
    const absent = isFault(error, 'NotYet') && !error.details['changed']
    if (!(absent || isFault(error, 'Corrupt')) || !mayReadWhole(file)) throw error
    return wholeFile(upstream, expected, { reason: 'index', detail: error.message })
  }
  if (!plan) return wholeFile(upstream, expected)
  const { ranges, shared } = await fetchRanges(upstream, file, plan.ranges, options)
  let found: ReturnType<typeof pick> | undefined
  try {
    found = pick(expected, plan, ranges)
  } finally {
    if (shared && !(found && 'wants' in found)) options.memory?.give(shared)
  }
  if ('wants' in found) return { ...found, shared }
  return wholeFile(upstream, expected, { reason: 'index', detail: found.odd })
}

/** Checks the messages in the ranges. @returns odd: why the index cannot be right */
function pick(
  expected: Expected,
  plan: FilePlan,
  ranges: readonly FetchedRange[],
): FetchedFile | { readonly odd: string } {
  const { file } = expected
  const planned = plan.wants
  const wants: FetchedWant[] = []
  const lost: LostWant[] = []
  for (const { want, messages } of planned) {
    const matches = matchesOf(want)
    const fetched: Record<string, FetchedMessage> = {}
    let bytes: Uint8Array | undefined
    let from: number | undefined
    try {
      for (const [role, message] of Object.entries(messages)) {
        try {
          const own = cut(ranges, message, file.url)
          if (!roleIsOptional(want, role)) [from, bytes] = [message.offset, own]
          fetched[role] = checkMessage(expected, want, matches[role]!, message, own)
        } catch (error) {
          // The variable that this message fills is lost; a variable that the message only weights is not.
          if (!isFault(error, 'Corrupt') || !roleIsOptional(want, role)) throw error
        }
      }
      wants.push({ want, messages: fetched })
    } catch (error) {
      if (!isFault(error, 'Corrupt')) throw error
      lost.push({ want, reason: reasonOf(error), detail: error.message, from, bytes })
    }
  }
  const mislabelled = lost.filter(({ reason }) => reason === 'parameter')
  if (mislabelled.length >= MANY_MISMATCHES && mayReadWhole(file)) {
    return {
      odd: `${file.indexUrl}: wanted the index of the file, got one that is wrong about ${mislabelled.length} messages: ${mislabelled[0]!.detail}`,
    }
  }
  for (const one of mislabelled) {
    const found = elsewhere(expected, one.want, planned, ranges)
    if (!found) continue
    wants.push(found)
    lost.splice(lost.indexOf(one), 1)
  }
  return checked(file, {
    wants,
    promised: new Set(planned.flatMap(({ messages }) => Object.values(messages).map(({ number }) => number))).size,
    bytes: ranges.reduce((sum, { bytes }) => sum + bytes.length, 0),
    absent: plan.absent,
    lost,
  })
}

/** Fetches all ranges into memory that threads can read; each range is stored when it arrives. */
async function fetchRanges(
  upstream: Upstream,
  file: PlannedFile,
  wanted: readonly ByteRange[],
  { signal, memory }: FileOptions,
): Promise<Pick<FetchedFile, 'shared'> & { ranges: readonly FetchedRange[] }> {
  // The last range may go to the end of the file.
  const rooms = wanted.map(({ offset, length }) => length ?? Math.max(0, (file.size ?? 0) - offset))
  const shared = memory?.take(rooms.reduce((sum, room) => sum + room, 0))
  let given = false
  let end = 0
  try {
    const ranges = await Promise.all(
      wanted.map(async (range, k): Promise<FetchedRange> => {
        const at = end
        end += rooms[k]!
        const fetched = await fetchRange(upstream, file, range, signal)
        if (!shared || given || fetched.bytes.length > rooms[k]!) return fetched
        const bytes = new Uint8Array(shared, at, fetched.bytes.length)
        bytes.set(fetched.bytes)
        discard(fetched.bytes)
        return { ...fetched, bytes }
      }),
    )
    checkEdition(ranges, file)
    collectYoung()
    return { ranges, shared }
  } catch (error) {
    // Other ranges may still be in transit.
    given = true
    if (shared) memory!.give(shared)
    throw error
  }
}

/** Releases the memory of the messages after they were sampled and losses were recorded. */
export function discardFile({ wants, lost, shared }: FetchedFile, memory?: MessageMemory): void {
  if (shared) memory?.give(shared)
  for (const { messages } of wants) for (const { bytes } of Object.values(messages)) discard(bytes)
  for (const { bytes } of lost) if (bytes) discard(bytes)
}

/** @throws Fault Corrupt if the file has messages for our wants and none can be used */
function checked(file: PlannedFile, fetched: FetchedFile): FetchedFile {
  const [first] = fetched.lost
  if (fetched.wants.length > 0 || !first) return fetched
  throw new Fault('Corrupt', first.detail, { url: file.url, reason: first.reason, bytes: first.bytes?.slice() })
}

function mayReadWhole({ size }: PlannedFile): boolean {
  return size !== undefined && size <= MAX_WHOLE_BYTES
}

interface FetchedRange extends ByteRange {
  readonly bytes: Uint8Array
  readonly etag?: string
}

/** Refuses ranges of two editions, which a server that ignores If-Match may return. */
function checkEdition(ranges: readonly FetchedRange[], { url }: PlannedFile): void {
  const tags = new Set(ranges.flatMap(({ etag }) => etag ?? []))
  if (tags.size <= 1) return
  throw new Fault(
    'NotYet',
    `${url}: wanted ranges of one edition, got ETags ${[...tags].join(', ')}: it was replaced meanwhile, list again`,
    { url, changed: true },
  )
}

async function fetchRange(
  upstream: Upstream,
  file: PlannedFile,
  { offset, length }: ByteRange,
  signal?: AbortSignal,
): Promise<FetchedRange> {
  const last = length === undefined ? undefined : offset + length - 1
  const { bytes, size, etag } = await upstream.get(file.url, { range: [offset, last], ifMatch: file.etag, signal })
  if (length !== undefined && bytes.length !== length) {
    throw new Fault(
      'Corrupt',
      `${file.url}: wanted bytes ${offset}-${last}, got ${bytes.length} of ${length}: the file${size ? ` of ${size} bytes` : ''} is shorter than its index states`,
      { url: file.url },
    )
  }
  return { offset, length: bytes.length, bytes, etag }
}

function cut(ranges: readonly FetchedRange[], message: PlannedMessage, url: string): Uint8Array {
  const range = ranges.find(({ offset, bytes }) => message.offset >= offset && message.offset < offset + bytes.length)
  if (!range) throw new Fault('Corrupt', `${url}: wanted byte ${message.offset}, the file ends before it`, { url })
  const from = message.offset - range.offset
  return range.bytes.subarray(from, message.length === undefined ? undefined : from + message.length)
}

/** Returns the want whose message was fetched for another line: two lines of the index are swapped. */
function elsewhere(
  expected: Expected,
  want: Want,
  planned: FilePlan['wants'],
  ranges: readonly FetchedRange[],
): FetchedWant | undefined {
  const fetched: Record<string, FetchedMessage> = {}
  const promises = planned.flatMap(({ messages }) => Object.values(messages))
  for (const [role, match] of Object.entries(matchesOf(want))) {
    for (const promise of promises) {
      try {
        const bytes = cut(ranges, promise, expected.file.url)
        if (!fieldsAt(expected.file, promise, bytes).some(({ identity }) => mismatch(match, identity) === undefined))
          continue
        fetched[role] ??= checkMessage(expected, want, match, promise, bytes)
      } catch (error) {
        if (!isFault(error, 'Corrupt')) throw error
      }
    }
    if (!fetched[role] && !roleIsOptional(want, role)) return undefined
  }
  return { want, messages: fetched }
}

/** Reads a file without an index whole, and identifies its messages by their headers. */
async function wholeFile(
  upstream: Upstream,
  expected: Expected,
  oddIndex?: FetchedFile['oddIndex'],
): Promise<FetchedFile> {
  const { dataset, domain, run, file, options } = expected
  const { bytes } = await upstream.get(file.url, { ifMatch: file.etag, signal: options.signal })
  const fields = readFields(bytes, file.url)
  const ours = fields.filter((field) => isInTime(expected, field))
  if (ours.length === 0) checkField(expected, dataset.wants[0]!, fields[0]!, fields[0]!.offset)
  const wants: FetchedWant[] = []
  const absent: string[] = []
  const lost: LostWant[] = []
  const promised = new Set<string>()
  for (const want of dataset.wants) {
    if (!applies(want, domain, run, file.leadHours)) continue
    const messages: Record<string, FetchedMessage> = {}
    let whole = true
    let at: GribField | undefined
    try {
      for (const [role, match] of Object.entries(matchesOf(want))) {
        const found = preferred(ours, match)
        if (found && roleIsOptional(want, role) && !fits(expected, want, found)) continue
        if (found) {
          at = found
          checkField(expected, want, found, found.offset)
          const { offset, length, field } = found
          const number = numberOf(found, fields)
          messages[role] = { bytes: bytes.subarray(offset, offset + length), field, from: offset, number }
        } else if (!roleIsOptional(want, role)) whole = false
      }
      if (whole) wants.push({ want, messages })
      else absent.push(...wantedVariables(want))
    } catch (error) {
      if (!isFault(error, 'Corrupt')) throw error
      const { offset: from, length } = at!
      const own = bytes.subarray(from, from + length)
      lost.push({ want, reason: reasonOf(error), detail: error.message, from, bytes: own })
    }
    for (const { from, field } of Object.values(messages)) promised.add(`${from}.${field}`)
  }
  return checked(file, { wants, promised: promised.size, bytes: bytes.length, absent, lost, oddIndex })
}

/** Numbers messages from 1 as an index does, with the number of the field in a message with several fields. */
function numberOf({ message, offset, field }: GribField, fields: readonly GribField[]): string {
  const several = fields.some((other) => other.offset === offset && other.field !== field)
  return several ? `${message.index + 1}.${field + 1}` : String(message.index + 1)
}

function fits(expected: Expected, want: Want, found: GribField): boolean {
  try {
    checkField(expected, want, found, found.offset)
    return true
  } catch (error) {
    if (!isFault(error, 'Corrupt')) throw error
    return false
  }
}

function preferred(fields: readonly GribField[], match: Match): GribField | undefined {
  const fitting = fields.filter(({ identity }) => mismatch(match, identity) === undefined)
  for (const surface of match.surface) {
    const found = fitting.find(({ identity }) => identity.surface === surface)
    if (found) return found
  }
  return undefined
}

import { type IdxRecord, idxLimits, idxWindow, readIdx } from '../../decode/idx.ts'
import type { GridDataset } from '../../domain/dataset/dataset.ts'
import {
  type Match,
  matchesOf,
  roleIsOptional,
  sameLimits,
  type Want,
  wantedVariables,
} from '../../domain/dataset/want.ts'
import type { DomainId } from '../../domain/domain.ts'
import { Fault, isFault } from '../../domain/fault.ts'
import { nth } from '../../domain/nth.ts'
import { floorTo, HOUR, type Instant, isoSeconds } from '../../domain/time.ts'
import type { Upstream } from '../../ports/upstream.ts'
import type { MessageMemory } from './message-memory.ts'
import type { PlannedFile } from './plan.ts'

/** A range of bytes in a file; without a length it extends to the end of the file. */
export interface ByteRange {
  readonly offset: number
  readonly length?: number
}

/** A message for a want, as the index lists it. */
export interface PlannedMessage extends ByteRange {
  /** Number in the index: `12`, `12.2`. */
  readonly number: string
  readonly text: string
}

export interface PlannedWant {
  readonly want: Want
  /** Messages by role: `message`, `speed`, `u`, `v`. */
  readonly messages: Readonly<Record<string, PlannedMessage>>
}

export interface FilePlan {
  readonly wants: readonly PlannedWant[]
  /** Variables that the index does not offer. */
  readonly absent: readonly string[]
  /** The ranges to request; near ranges are joined. */
  readonly ranges: readonly ByteRange[]
  readonly doubled: readonly DoubledMessage[]
  /** Why the index may lack messages of the file. */
  readonly doubt?: string
}

/** Reports a variable whose message is in the file more than once. The first message is used. */
export interface DoubledMessage {
  readonly variable: string
  readonly detail: string
}

/** Gaps of up to this many bytes are fetched too, because an S3 request takes as long as some 100 KB. */
const JOIN_GAP_BYTES = 64 * 1024
/** Maximum size of a joined range, which bounds memory. */
const MAX_JOINED_BYTES = 24 * 1024 * 1024

export interface FileOptions {
  readonly signal?: AbortSignal
  /**
   * Whether valid messages are used even if a required message is lost or the file is shorter than its index says; for
   * manual runs and old runs.
   */
  readonly lenient?: boolean
  /** Memory for messages that threads read in place; without it, each thread gets copies. */
  readonly memory?: MessageMemory
}

/**
 * Reads the index of a file and plans the ranges. @throws Fault Corrupt for an invalid index or an index of another run; NotYet if it is absent
 */
export async function planFile(
  upstream: Upstream,
  dataset: GridDataset,
  domain: DomainId,
  run: Instant,
  file: PlannedFile,
  options: FileOptions = {},
): Promise<FilePlan | undefined> {
  if (!file.indexUrl) return undefined
  const { bytes } = await upstream.get(file.indexUrl, { signal: options.signal })
  const text = new TextDecoder().decode(bytes)
  const { records, unreadable } = readRecords(text, file, options.lenient === true)
  if (records.length === 0) {
    throw new Fault('Corrupt', `${file.indexUrl}: the index is empty`, { url: file.indexUrl })
  }
  // An index gives only the hour of the run, even for runs at quarters of an hour.
  const other = records.find((record) => record.run !== floorTo(run, HOUR))
  if (other) {
    throw new Fault(
      'Corrupt',
      `${file.indexUrl}: line ${other.number} is of run ${isoSeconds(other.run)}, but the file is of run ${isoSeconds(run)}`,
      { url: file.indexUrl },
    )
  }
  const choose = () => chooseRecords(records, dataset, domain, run, file.leadHours)
  const chosen = choose()
  if (chosen.absent.length === 0) return chosen
  const gap = unreadable ?? gapOf(records, file)
  if (gap) return { ...chosen, doubt: gap }
  const last = records.at(-1)!
  const isFetched = chosen.wants.some(({ messages }) =>
    Object.values(messages).some(({ offset }) => offset === last.offset),
  )
  // The bytes after the last message are part of its range, if the range is not too long.
  if (isFetched && (last.length ?? 0) <= MAX_JOINED_BYTES) return chosen
  const end = await endOf(upstream, file, last, options.signal)
  if (end === undefined || file.size === undefined || end > file.size - MAX_TAIL_BYTES) return chosen
  records[records.length - 1] = { ...last, length: end - last.offset }
  const doubt = `${file.indexUrl}: the index ends at message ${last.number}, which ends at byte ${end} of ${file.size}`
  return { ...choose(), doubt }
}

/**
 * Returns where lines are missing: the first message is not at the beginning of the file, or the numbers are not
 * consecutive.
 */
function gapOf(records: readonly IdxRecord[], { indexUrl }: PlannedFile): string | undefined {
  const [first] = records
  if (first && first.offset > MAX_TAIL_BYTES)
    return `${indexUrl}: the first line is of a message at byte ${first.offset}`
  const numbers = records.map(({ number }) => Math.floor(Number(number)))
  const at = numbers.findIndex((number, k) => k > 0 && number - nth(numbers, k - 1) > 1)
  return at < 0 ? undefined : `${indexUrl}: lines are missing before message ${nth(records, at).number}`
}

const INDICATOR_BYTES = 16
/** Maximum padding at the beginning or end of a file. */
const MAX_TAIL_BYTES = 64

/** Returns where the message of a line ends by its own length field; undefined if there is no message. */
async function endOf(
  upstream: Upstream,
  { url, size, etag }: PlannedFile,
  { offset }: IdxRecord,
  signal: AbortSignal | undefined,
): Promise<number | undefined> {
  if (size === undefined || size - offset < INDICATOR_BYTES) return undefined
  const { bytes } = await upstream.get(url, { range: [offset, offset + INDICATOR_BYTES - 1], ifMatch: etag, signal })
  const head = Buffer.from(bytes)
  if (head.length < INDICATOR_BYTES || head.toString('latin1', 0, 4) !== 'GRIB') return undefined
  return offset + Number(head.readBigUInt64BE(8))
}

interface ReadRecords {
  readonly records: IdxRecord[]
  /** Returns the fault of a line whose description cannot be read. */
  readonly unreadable?: string
}

function readRecords(
  text: string,
  { indexUrl, size = Number.POSITIVE_INFINITY }: PlannedFile,
  lenient: boolean,
): ReadRecords {
  const faults: Fault[] = []
  try {
    const records = readIdx(text, Number.isFinite(size) ? size : undefined, indexUrl, faults)
    return { records, unreadable: faults[0]?.message }
  } catch (error) {
    if (!lenient || !isFault(error, 'Corrupt') || !error.details['stale']) throw error
    const records = readIdx(text, undefined, indexUrl).filter(({ offset, length = 1 }) => offset + length <= size)
    return { records }
  }
}

export function chooseRecords(
  records: readonly IdxRecord[],
  dataset: GridDataset,
  domain: DomainId,
  run: Instant,
  lead: number,
): FilePlan {
  const wants: PlannedWant[] = []
  const absent: string[] = []
  const doubled: DoubledMessage[] = []
  for (const want of dataset.wants) {
    if (!applies(want, domain, run, lead)) continue
    const messages: Record<string, PlannedMessage> = {}
    let isComplete = true
    for (const [role, match] of Object.entries(matchesOf(want))) {
      const [record, again] = matchingLines(records, match, lead)
      if (record) {
        const { number, offset, length, text } = record
        messages[role] = { number, offset, length, text }
        if (again && !isSinceRun(again, lead))
          doubled.push({
            variable: nth(wantedVariables(want), 0),
            detail: `"${text}" is listed at byte ${offset} and again at byte ${again.offset}; the first is used`,
          })
      } else if (!roleIsOptional(want, role)) isComplete = false
    }
    if (isComplete) wants.push({ want, messages })
    else absent.push(...wantedVariables(want))
  }
  return { wants, absent, ranges: joined(wants.flatMap(({ messages }) => Object.values(messages))), doubled }
}

export function applies(want: Want, domain: DomainId, run: Instant, lead: number): boolean {
  if (want.domains && !want.domains.includes(domain)) return false
  if (want.leads && !want.leads(run, lead)) return false
  // The file cannot contain a window that begins before the run.
  return Object.values(matchesOf(want)).every(
    ({ windowHours }) => typeof windowHours !== 'number' || windowHours <= lead,
  )
}

/**
 * Returns the lines of the index that match the first expression for which there is a match, in the order of the file.
 */
function matchingLines(records: readonly IdxRecord[], match: Match, lead: number): readonly IdxRecord[] {
  for (const expression of match.idx) {
    const some = records.filter(
      ({ text }) => expression.test(text) && fitsWindow(text, match, lead) && fitsLimits(text, match),
    )
    if (some.length > 0) return some.filter(({ text }) => text === nth(some, 0).text)
  }
  return []
}

/**
 * In the first hours of a run the total since its start and the hourly amount have the same interval, so both are
 * listed.
 */
function isSinceRun({ text }: IdxRecord, lead: number): boolean {
  const window = idxWindow(text)
  return window !== undefined && window.from === 0 && window.to === lead && lead > 0
}

/** `0-1 day acc fcst` is a window of 24 hours. An unknown text passes; the decoded message then decides. */
function fitsWindow(text: string, match: Match, lead: number): boolean {
  const window = idxWindow(text)
  if (!window) return true
  if (Math.abs(window.to - lead) > 1e-6) return false
  if (match.windowHours === 'any') return true
  return Math.abs(window.to - window.from - (match.windowHours ?? 0)) < 1e-6
}

function fitsLimits(text: string, match: Match): boolean {
  const limits = idxLimits(text)
  return limits === undefined || sameLimits(match.probability, limits)
}

/** Joins ranges that are close to each other. */
export function joined(stretches: readonly ByteRange[]): ByteRange[] {
  const sorted = [...stretches].sort((a, b) => a.offset - b.offset)
  const ranges: { offset: number; length?: number }[] = []
  for (const { offset, length } of sorted) {
    const before = ranges.at(-1)
    const end = before && (before.length === undefined ? Number.POSITIVE_INFINITY : before.offset + before.length)
    const to = length === undefined ? undefined : offset + length
    const fits =
      before &&
      offset - end! <= JOIN_GAP_BYTES &&
      (to === undefined || to - before.offset <= MAX_JOINED_BYTES || to <= end!)
    if (!before || !fits) ranges.push({ offset, length })
    else if (to === undefined) before.length = undefined
    else if (to > end!) before.length = to - before.offset
  }
  return ranges
}

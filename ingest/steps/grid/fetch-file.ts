import { type GribField, readFields } from '../../decode/grib-product.ts'
import type { GridDataset } from '../../domain/dataset.ts'
import type { DomainId } from '../../domain/domain.ts'
import { Fault } from '../../domain/fault.ts'
import { HOUR, type Instant } from '../../domain/time.ts'
import { type Match, matchesOf, mismatch, roleIsOptional, type Want, wantedVariables } from '../../domain/want.ts'
import type { Upstream } from '../../ports/upstream.ts'
import type { PlannedFile } from './plan.ts'
import { applies, type ByteRange, type FileOptions, type PlannedMessage, planFile } from './plan-file.ts'

/** A message that was fetched and matches its want. */
export interface FetchedMessage {
  /** A view of the fetched range: copy before transferring it. */
  readonly bytes: Uint8Array
  readonly field: number
  readonly from: number
}

export interface FetchedWant {
  readonly want: Want
  readonly messages: Readonly<Record<string, FetchedMessage>>
}

export interface FetchedFile {
  readonly wants: readonly FetchedWant[]
  /** Number of messages that the index lists, or that a file without index has, for our wants. */
  readonly promised: number
  readonly bytes: number
  /** Variables that the file does not offer. */
  readonly absent: readonly string[]
  /** Listed in the index, but with other content. For required ones a Fault, unless `lenient`. */
  readonly wrong: readonly { variable: string; reason: string }[]
}

/**
 * Fetches the wanted messages of one upstream file: its index, the ranges, and a check of each message.
 * @throws Fault NotYet (absent, or changed since it was listed), Corrupt (a required message is not what the index lists), Refused
 */
export async function fetchFile(
  upstream: Upstream,
  dataset: GridDataset,
  domain: DomainId,
  run: Instant,
  file: PlannedFile,
  options: FileOptions = {},
): Promise<FetchedFile> {
  const { signal, lenient } = options
  const plan = await planFile(upstream, dataset, domain, run, file, options)
  if (!plan) return wholeFile(upstream, dataset, domain, run, file, signal)
  const ranges = await Promise.all(plan.ranges.map((range) => fetchRange(upstream, file, range, signal)))
  checkEdition(ranges, file)
  const check = checker(run, file)
  const wants: FetchedWant[] = []
  const wrong: { variable: string; reason: string }[] = []
  const promised = new Set(plan.wants.flatMap(({ messages }) => Object.values(messages).map(({ number }) => number)))
    .size
  for (const { want, messages } of plan.wants) {
    const matches = matchesOf(want)
    const fetched: Record<string, FetchedMessage> = {}
    try {
      for (const [role, message] of Object.entries(messages)) {
        const bytes = cut(ranges, message, file.url)
        options.broken?.push({ from: message.offset, bytes })
        fetched[role] = check(matches[role]!, message, bytes)
        options.broken?.pop()
      }
      wants.push({ want, messages: fetched })
    } catch (error) {
      if (!(error instanceof Fault) || !(want.optional || lenient)) throw error
      wrong.push(...wantedVariables(want).map((variable) => ({ variable, reason: error.message })))
    }
  }
  return {
    wants,
    promised,
    bytes: ranges.reduce((sum, { bytes }) => sum + bytes.length, 0),
    absent: plan.absent,
    wrong,
  }
}

interface Range extends ByteRange {
  readonly bytes: Uint8Array
  readonly etag?: string
}

/** A server that ignores If-Match may return ranges of two editions. */
function checkEdition(ranges: readonly Range[], { url }: PlannedFile): void {
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
): Promise<Range> {
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

function cut(ranges: readonly Range[], message: PlannedMessage, url: string): Uint8Array {
  const range = ranges.find(({ offset, bytes }) => message.offset >= offset && message.offset < offset + bytes.length)
  if (!range) throw new Fault('Corrupt', `${url}: wanted byte ${message.offset}, the file ends before it`, { url })
  const from = message.offset - range.offset
  return range.bytes.subarray(from, message.length === undefined ? undefined : from + message.length)
}

/** Maximum padding between two messages: some tools that cut files leave one or a few bytes. */
const MAX_PADDING_BYTES = 16

/** Number of bytes after a message that belong to none: up to the next message, for which the index may have no line, or to the end. */
function surplusOf(bytes: Uint8Array, length: number): number {
  const surplus = bytes.subarray(length)
  const next = Buffer.from(surplus.subarray(0, MAX_PADDING_BYTES + 4)).indexOf('GRIB')
  return next < 0 ? surplus.length : next
}

/** Checks a message against the index: one GRIB2 message of the listed length, for this run and hour, and of the wanted kind. */
function checker(run: Instant, file: PlannedFile) {
  return (match: Match, promise: PlannedMessage, bytes: Uint8Array): FetchedMessage => {
    const where = `${file.url} byte ${promise.offset}`
    const own = readFields(bytes, where, true)
    const length = own[0]!.length
    const surplus = promise.length === undefined ? 0 : surplusOf(bytes, length)
    if (own[0]!.offset !== 0 || surplus > MAX_PADDING_BYTES) {
      throw new Fault(
        'Corrupt',
        `${where}: the index promises "${promise.text}" in ${promise.length} bytes, got a GRIB2 message of ${length} bytes at +${own[0]!.offset}`,
        { url: file.url },
      )
    }
    const found = own.find((field) => mismatch(match, field.identity) === undefined)
    if (!found) {
      const got = own.map((field) => `"${field.name}" (${mismatch(match, field.identity)})`).join(', ')
      throw new Fault('Corrupt', `${where}: the index promises "${promise.text}", got ${got}`, { url: file.url })
    }
    checkTime(found, run, file, where)
    return { bytes: bytes.subarray(0, length), field: found.field, from: promise.offset }
  }
}

function checkTime({ identity }: GribField, run: Instant, file: PlannedFile, where: string): void {
  const valid = run + file.leadHours * HOUR
  if (identity.run === run && identity.validTime === valid) return
  const iso = (time: Instant) => new Date(time).toISOString()
  throw new Fault(
    'Corrupt',
    `${where}: wanted run ${iso(run)} valid ${iso(valid)}, got run ${iso(identity.run)} valid ${iso(identity.validTime)}`,
    { url: file.url },
  )
}

/** A file without an index is read whole and its messages are identified by their headers. */
async function wholeFile(
  upstream: Upstream,
  dataset: GridDataset,
  domain: DomainId,
  run: Instant,
  file: PlannedFile,
  signal?: AbortSignal,
): Promise<FetchedFile> {
  const { bytes } = await upstream.get(file.url, { ifMatch: file.etag, signal })
  const fields = readFields(bytes, file.url)
  const valid = run + file.leadHours * HOUR
  const ours = fields.filter(({ identity }) => identity.run === run && identity.validTime === valid)
  if (ours.length === 0) checkTime(fields[0]!, run, file, file.url)
  const wants: FetchedWant[] = []
  const absent: string[] = []
  const promised = new Set<string>()
  for (const want of dataset.wants) {
    if (!applies(want, domain, run, file.leadHours)) continue
    const messages: Record<string, FetchedMessage> = {}
    let whole = true
    for (const [role, match] of Object.entries(matchesOf(want))) {
      const found = preferred(ours, match)
      if (found) {
        const { offset, length, field } = found
        messages[role] = { bytes: bytes.subarray(offset, offset + length), field, from: offset }
      } else if (!roleIsOptional(want, role)) whole = false
    }
    if (whole) {
      wants.push({ want, messages })
      for (const { from, field } of Object.values(messages)) promised.add(`${from}.${field}`)
    } else absent.push(...wantedVariables(want))
  }
  return { wants, promised: promised.size, bytes: bytes.length, absent, wrong: [] }
}

function preferred(fields: readonly GribField[], match: Match): GribField | undefined {
  const fitting = fields.filter(({ identity }) => mismatch(match, identity) === undefined)
  for (const surface of match.surface) {
    const found = fitting.find(({ identity }) => identity.surface === surface)
    if (found) return found
  }
  return undefined
}

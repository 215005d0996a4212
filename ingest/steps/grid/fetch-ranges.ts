import { discard } from '../../domain/discard.ts'
import { Fault } from '../../domain/fault.ts'
import { nth } from '../../domain/nth.ts'
import { collectYoung } from '../../ports/collect.ts'
import type { Upstream } from '../../ports/upstream.ts'
import type { PlannedFile } from './plan.ts'
import type { ByteRange, FileOptions, PlannedMessage } from './plan-file.ts'

export interface FetchedRange extends ByteRange {
  readonly bytes: Uint8Array
  readonly etag?: string
}

export interface FetchedRanges {
  readonly ranges: readonly FetchedRange[]
  /** The memory of the ranges, if threads can read it. */
  readonly shared?: SharedArrayBuffer
}

/** Fetches all ranges into memory that threads can read; each range is stored when it arrives. */
export async function fetchRanges(
  upstream: Upstream,
  file: PlannedFile,
  requestedRanges: readonly ByteRange[],
  { signal, memory }: FileOptions,
): Promise<FetchedRanges> {
  // The last range may extend to the end of the file.
  const rooms = requestedRanges.map(({ offset, length }) => length ?? Math.max(0, (file.size ?? 0) - offset))
  const shared = memory?.take(rooms.reduce((sum, room) => sum + room, 0))
  let isReturned = false
  let end = 0
  try {
    const ranges = await Promise.all(
      requestedRanges.map(async (range, k): Promise<FetchedRange> => {
        const at = end
        end += nth(rooms, k)
        const fetched = await fetchRange(upstream, file, range, signal)
        if (!shared || isReturned || fetched.bytes.length > nth(rooms, k)) return fetched
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
    isReturned = true
    if (shared) memory!.give(shared)
    throw error
  }
}

/** Rejects ranges of two editions, which a server that ignores If-Match may return. */
export function checkEdition(ranges: readonly Pick<FetchedRange, 'etag'>[], { url }: PlannedFile): void {
  const tags = new Set(ranges.flatMap(({ etag }) => etag ?? []))
  if (tags.size <= 1) return
  throw new Fault(
    'NotYet',
    `${url}: all ranges must be of one edition, but have the ETags ${[...tags].join(', ')}: the file was replaced meanwhile. List it again.`,
    { url, changed: true },
  )
}

/** @throws Fault Corrupt if the file ends before the range */
export async function fetchRange(
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
      `${file.url}: expected bytes ${offset}-${last}, but found ${bytes.length} of ${length}: the file${size ? ` of ${size} bytes` : ''} is shorter than listed`,
      { url: file.url },
    )
  }
  return { offset, length: bytes.length, bytes, etag }
}

/** Returns the bytes of a message in the fetched ranges. @throws Fault Corrupt if no range has its first byte */
export function cut(ranges: readonly FetchedRange[], message: PlannedMessage, url: string): Uint8Array {
  const range = ranges.find(({ offset, bytes }) => message.offset >= offset && message.offset < offset + bytes.length)
  if (!range)
    throw new Fault('Corrupt', `${url}: expected a message at byte ${message.offset}, but the file ends before it`, {
      url,
      displaced: true,
    })
  const from = message.offset - range.offset
  return range.bytes.subarray(from, message.length === undefined ? undefined : from + message.length)
}
